/* ferz import: scripts of games that other systems' files state. */
#include "cli.h"

#include <ctype.h>
#include <dirent.h>
#include <sys/stat.h>

enum { MAX_DEPTH = 12 };

/* A reason for which games are refused, and how many are. */
typedef struct reason {
    char *text;
    size_t count;
} reason;

typedef struct importing {
    const fzi_cli *cli;
    fz_context *context;
    fz_import *import;
    const char *path; /* of the file that is read */
    char **made;      /* paths of scripts */
    size_t translated, refused, made_count;
    reason *reasons;
    size_t reason_count;
    int code;
} importing;

/* A file or folder, and the game that FILE:NAME names; NULL: all. */
static char *split_path(const char *word, const char **name)
{
    const char *colon = strrchr(word, ':');
    FILE *whole = fopen(word, "r");

    *name = NULL;
    if (whole)
        fclose(whole);
    else if (colon && colon[1])
        *name = colon + 1;
    return fzi_cli_text("%.*s", *name ? (int)(colon - word) : (int)strlen(word), word);
}

static void print_clauses(const importing *i, const char *name, const fz_import_clause *clauses,
                          size_t count)
{
    for (size_t n = 0; n < count; n++) {
        fprintf(stderr, "%s:", i->path);
        if (clauses[n].line)
            fprintf(stderr, "%u:", clauses[n].line);
        fprintf(stderr, " [%s] %s: %s\n", name, clauses[n].clause, clauses[n].why);
    }
}

/* Counts a game for its first clause, by key: one reason each. */
static void count_reason(importing *i, const fz_import_clause *clause)
{
    size_t key = strcspn(clause->clause, " =");
    if (*clause->clause == '(' && clause->clause[key] == ' ')
        key += 1 + strcspn(clause->clause + key + 1, " (){}");
    char *text = fzi_cli_text("%.*s: %s", (int)key, clause->clause, clause->why);

    for (size_t n = 0; n < i->reason_count; n++)
        if (strcmp(i->reasons[n].text, text) == 0) {
            i->reasons[n].count++;
            free(text);
            return;
        }
    i->reasons = fzi_cli_allocate(i->reasons, (i->reason_count + 1) * sizeof *i->reasons);
    i->reasons[i->reason_count++] = (reason){text, 1};
}

/* DIR/NAME.game. In names of files, other characters than letters, digits, - and _ are -. */
static char *script_path(const char *folder, const char *name)
{
    char *path = fzi_cli_text("%s/%s.game", folder, name);
    size_t end = strlen(path) - strlen(".game");
    for (size_t at = strlen(folder) + 1; at < end; at++)
        if (!isalnum((unsigned char)path[at]) && path[at] != '_')
            path[at] = '-';
    return path;
}

/* Notes a script that is written. False: an earlier one lies there. */
static bool note_path(importing *i, char *path)
{
    for (size_t n = 0; n < i->made_count; n++)
        if (strcmp(i->made[n], path) == 0)
            return false;
    i->made = fzi_cli_allocate(i->made, (i->made_count + 1) * sizeof *i->made);
    i->made[i->made_count++] = fzi_cli_text("%s", path);
    return true;
}

static void count_refused(importing *i, const char *name, const fz_import_clause *clauses,
                          size_t count)
{
    print_clauses(i, name, clauses, count);
    count_reason(i, clauses);
    i->refused++;
    i->code = i->code == FZ_EXIT_OK ? FZ_EXIT_WRONG : i->code;
}

/* Writes a script to the path ("-": prints it; NULL: nowhere). A partial one has been counted as
 * refused. */
static void deliver(importing *i, const char *name, const char *script, char *path, bool counted)
{
    static const fz_import_clause same = {0, "name", "a game before it has the same file"};

    if (path && strcmp(path, "-") != 0 && !note_path(i, path)) {
        if (!counted)
            count_refused(i, name, &same, 1);
        return;
    }
    i->translated += !counted;
    int code = path ? fzi_file_write(i->cli, path, script, strlen(script)) : FZ_EXIT_OK;
    i->code = code > i->code ? code : i->code;
}

/* Makes a script. False after a complaint. */
static bool import_script(importing *i, const char *name, const char **script,
                          const fz_import_clause **refused, size_t *count)
{
    bool partial = fzi_cli_has(i->cli, FZ_CLI_PARTIAL);

    if (fz_import_script(i->import, name, partial, script, refused, count) == FZ_OK)
        return true;
    i->code = fzi_cli_complain(i->cli, "%s", fz_context_message(i->context));
    return false;
}

/* `name` NULL: the only game of a file, with its options. */
static void import_one(importing *i, const char *name, char *path)
{
    const char *script;
    const fz_import_clause *refused;
    size_t count;

    if (!import_script(i, name, &script, &refused, &count))
        return;
    name = name ? name : fz_import_name(i->import, 0);
    if (count)
        count_refused(i, name, refused, count);
    if (script)
        deliver(i, name, script, path, count > 0);
}

/* ---- a file or a folder ---- */

/* All games of the file, into the folder (NULL: nowhere); `base` names the script of its only
 * one. */
static void import_file(importing *i, const char *folder, const char *base)
{
    const char *name;
    bool many = fz_import_has_many(i->import);

    for (size_t n = 0; (name = fz_import_name(i->import, n)) && (many || n == 0); n++) {
        char *path = folder ? script_path(folder, many ? name : base) : NULL;
        import_one(i, many ? name : NULL, path);
        free(path);
    }
}

static bool has_ending(const char *path, const char *ending)
{
    size_t length = strlen(path), end = strlen(ending);
    return length > end && strcmp(path + length - end, ending) == 0;
}

/* Reads the definitions of all .def files in the folder and in folders in it. */
static bool read_definitions(importing *i, const char *folder, unsigned depth)
{
    struct dirent **entries;
    int count = depth < MAX_DEPTH ? scandir(folder, &entries, NULL, alphasort) : -1;
    bool good = true;

    for (int n = 0; n < count; n++) {
        char *path = fzi_cli_text("%s/%s", folder, entries[n]->d_name);
        struct stat info;
        size_t length;
        if (*entries[n]->d_name == '.' || lstat(path, &info) != 0)
            ;
        else if (S_ISDIR(info.st_mode))
            good = read_definitions(i, path, depth + 1) && good;
        else if (has_ending(path, ".def") && S_ISREG(info.st_mode)) {
            char *text = fzi_file_read(i->cli, path, &length);
            good = text && fz_import_define(i->import, path, text, length) == FZ_OK && good;
            free(text);
        }
        free(path);
        free(entries[n]);
    }
    if (count >= 0)
        free(entries);
    return good;
}

/* A game of Ludii uses definitions that lie in the folder `def` beside its folder `lud`; -I names
 * another folder. */
static bool add_definitions(importing *i, const char *path)
{
    const fzi_cli_list *include = &i->cli->includes;
    bool good = true;

    if (!has_ending(path, ".lud"))
        return true;
    for (size_t n = 0; n < include->count; n++)
        good = read_definitions(i, include->items[n], 0) && good;
    for (const char *at = path; include->count == 0 && (at = strstr(at, "/lud/")); at++) {
        char *folder = fzi_cli_text("%.*s/def", (int)(at - path), path);
        struct stat info;
        if (stat(folder, &info) == 0 && S_ISDIR(info.st_mode))
            good = read_definitions(i, folder, 0) && good;
        free(folder);
    }
    return good;
}

/* Opens the file; false after a complaint. Close it in any case. */
static bool open_file(importing *i, const char *path)
{
    size_t length;
    char *text = fzi_file_read(i->cli, path, &length);
    bool good = text && fz_import_open(i->context, path, text, length, &i->import) == FZ_OK &&
                add_definitions(i, path);

    if (text && !good)
        fzi_cli_complain(i->cli, "%s", fz_context_message(i->context));
    free(text);
    i->path = path;
    if (!good)
        i->code = FZ_EXIT_USAGE;
    return good;
}

static void close_file(importing *i)
{
    fz_import_free(i->import);
    i->import = NULL;
}

/* With the folders around it. */
static bool make_folder(importing *i, const char *folder)
{
    const char *slash = folder ? strrchr(folder, '/') : NULL;
    struct stat info;

    if (slash && slash > folder && stat(folder, &info) != 0) {
        char *around = fzi_cli_text("%.*s", (int)(slash - folder), folder);
        bool known = stat(around, &info) == 0 || errno != ENOENT;
        bool good = known || make_folder(i, around);
        free(around);
        if (!good)
            return false;
    }
    if (!folder || mkdir(folder, 0777) == 0 || errno == EEXIST)
        return true;
    i->code = fzi_cli_complain(i->cli, "%s: %s", folder, strerror(errno));
    return false;
}

static void walk(importing *i, const char *folder, const char *to, unsigned depth);

/* An entry of a folder: a folder, a file of a format, or something else. Links to folders are left
 * out. */
static void visit(importing *i, const char *path, const char *name, const char *to, unsigned depth)
{
    struct stat info;
    bool folder = lstat(path, &info) == 0 && S_ISDIR(info.st_mode);

    if (folder) {
        char *below = to ? fzi_cli_text("%s/%s", to, name) : NULL;
        walk(i, path, below, depth + 1);
        free(below);
    } else if (fz_import_knows(path) && stat(path, &info) == 0 && S_ISREG(info.st_mode)) {
        char *base = fzi_cli_text("%.*s", (int)(strrchr(name, '.') - name), name);
        if (make_folder(i, to) && open_file(i, path))
            import_file(i, to, base);
        close_file(i);
        free(base);
    }
}

/* In the order of names, hidden ones left out. */
static void walk(importing *i, const char *folder, const char *to, unsigned depth)
{
    struct dirent **entries;
    int count = depth < MAX_DEPTH ? scandir(folder, &entries, NULL, alphasort) : 0;

    if (count < 0)
        i->code = fzi_cli_complain(i->cli, "%s: %s", folder, strerror(errno));
    for (int n = 0; n < count; n++) {
        char *path = fzi_cli_text("%s/%s", folder, entries[n]->d_name);
        if (*entries[n]->d_name != '.')
            visit(i, path, entries[n]->d_name, to, depth);
        free(path);
        free(entries[n]);
    }
    if (count >= 0 && depth < MAX_DEPTH)
        free(entries);
}

/* ---- the whole ---- */

static int more_first(const void *a, const void *b)
{
    const reason *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count) - (x->count > y->count)
                                : strcmp(x->text, y->text);
}

static void print_counts(importing *i)
{
    fzi_table table;

    printf("%zu translated, %zu refused\n", i->translated, i->refused);
    if (i->reason_count == 0)
        return;
    qsort(i->reasons, i->reason_count, sizeof *i->reasons, more_first);
    fzi_table_begin(&table, "rl", "refused\tfirst clause");
    for (size_t n = 0; n < i->reason_count; n++)
        fzi_table_add(&table, "%zu\t%s", i->reasons[n].count, i->reasons[n].text);
    fzi_table_print(&table, "");
    fzi_table_clear(&table);
}

static void run_file(importing *i, const char *path, const char *name)
{
    const char *to = i->cli->values[FZ_CLI_OUTPUT];
    char *out = fzi_cli_text("%s", to ? to : "-");

    bool good = open_file(i, path);
    if (good && !name && !fz_import_name(i->import, 0))
        i->code = fzi_cli_complain(i->cli, "%s: the file holds no games", path);
    else if (good && fzi_cli_has(i->cli, FZ_CLI_LIST)) {
        for (size_t n = 0; fz_import_name(i->import, n); n++)
            puts(fz_import_name(i->import, n));
        if (!fz_import_has_many(i->import) && import_script(i, NULL, NULL, NULL, NULL))
            fputs(fz_import_options(i->import), stdout);
    } else if (good && (name || !fz_import_has_many(i->import))) {
        import_one(i, name, out);
    } else if (good && make_folder(i, to)) {
        import_file(i, to, NULL);
        print_counts(i);
    }
    close_file(i);
    free(out);
}

static void run(importing *i, const char *path, const char *name)
{
    const char *to = i->cli->values[FZ_CLI_OUTPUT];
    struct stat info;

    if (name || stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) {
        run_file(i, path, name);
        return;
    }
    if (fzi_cli_has(i->cli, FZ_CLI_LIST))
        i->code = fzi_cli_complain(i->cli, "--list reads a file, and '%s' is a folder", path);
    else if (make_folder(i, to)) {
        walk(i, path, to, 0);
        print_counts(i);
    }
}

int fzi_cli_import(const fzi_cli *cli)
{
    importing i = {.cli = cli, .code = FZ_EXIT_OK};
    const char *name;
    char *path = split_path(cli->words.items[0], &name);

    i.context = fzi_session_context(cli);
    if (i.context)
        run(&i, path, name);
    else
        i.code = FZ_EXIT_USAGE;
    for (size_t n = 0; n < i.reason_count; n++)
        free(i.reasons[n].text);
    free(i.reasons);
    for (size_t n = 0; n < i.made_count; n++)
        free(i.made[n]);
    free(i.made);
    fz_context_free(i.context);
    free(path);
    return i.code;
}
