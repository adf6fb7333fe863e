/* ferz import: scripts of variants that a variants.ini states. */
#include "cli.h"

#include <ctype.h>
#include <sys/stat.h>

/* A reason for which variants are refused, and how many are. */
typedef struct reason {
    char *text;
    size_t count;
} reason;

typedef struct importing {
    const fzi_cli *cli;
    fz_context *context;
    fz_import *import;
    const char *path;    /* of the file that is read */
    size_t translated, refused;
    reason *reasons;
    size_t reason_count;
    int code;
} importing;

/* A file of variants, and the variant that FILE:NAME names; NULL: all. */
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

/* Counts a variant for its first clause, by key: one reason each. */
static void count_reason(importing *i, const fz_import_clause *clause)
{
    size_t key = strcspn(clause->clause, " =");
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

/* In names of files, other characters than letters, digits, - and _ are -. */
static char in_path(char c)
{
    return isalnum((unsigned char)c) || c == '_' ? c : '-';
}

/* DIR/NAME.game. */
static char *script_path(const char *folder, const char *name)
{
    char *path = fzi_cli_text("%s/%s.game", folder, name);
    size_t end = strlen(path) - strlen(".game");
    for (size_t at = strlen(folder) + 1; at < end; at++)
        path[at] = in_path(path[at]);
    return path;
}

/* Would the script of an earlier variant lie in the same file? */
static bool is_taken(const importing *i, size_t number)
{
    const char *name = fz_import_name(i->import, number);

    for (size_t n = 0; n < number; n++) {
        const char *other = fz_import_name(i->import, n);
        size_t at = 0;
        while (other[at] && name[at] && in_path(other[at]) == in_path(name[at]))
            at++;
        if (!other[at] && !name[at])
            return true;
    }
    return false;
}

static void deliver(importing *i, const char *name, const char *script, bool all)
{
    const char *to = i->cli->values[FZ_CLI_OUTPUT];
    char *path = all && to ? script_path(to, name) : NULL;
    int code = FZ_EXIT_OK;

    if (to)
        code = fzi_file_write(i->cli, path ? path : to, script, strlen(script));
    else if (!all)
        fputs(script, stdout);
    i->code = code > i->code ? code : i->code;
    free(path);
}

static void import_one(importing *i, const char *name, bool all, bool taken)
{
    static const fz_import_clause same_file = {0, "name", "a variant before it has the same file"};
    const char *script;
    const fz_import_clause *refused;
    size_t count;
    bool partial = fzi_cli_has(i->cli, FZ_CLI_PARTIAL);

    if (fz_import_script(i->import, name, partial, &script, &refused, &count) != FZ_OK) {
        i->code = fzi_cli_complain(i->cli, "%s", fz_context_message(i->context));
        return;
    }
    if (taken) {
        script = NULL;
        refused = &same_file;
        count = 1;
    }
    print_clauses(i, name, refused, count);
    i->translated += !count;
    i->refused += count > 0;
    if (count) {
        count_reason(i, refused);
        i->code = i->code == FZ_EXIT_OK ? FZ_EXIT_WRONG : i->code;
    }
    if (script)
        deliver(i, name, script, all);
}

static int more_first(const void *a, const void *b)
{
    const reason *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count) - (x->count > y->count)
                                : strcmp(x->text, y->text);
}

static void import_all(importing *i)
{
    const char *to = i->cli->values[FZ_CLI_OUTPUT];
    fzi_table table;

    if (to && mkdir(to, 0777) != 0 && errno != EEXIST) {
        i->code = fzi_cli_complain(i->cli, "%s: %s", to, strerror(errno));
        return;
    }
    for (size_t n = 0; fz_import_name(i->import, n); n++)
        import_one(i, fz_import_name(i->import, n), true, to && is_taken(i, n));
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

static void run(importing *i, const char *name)
{
    if (fzi_cli_has(i->cli, FZ_CLI_LIST))
        for (size_t n = 0; fz_import_name(i->import, n); n++)
            puts(fz_import_name(i->import, n));
    else if (name)
        import_one(i, name, false, false);
    else
        import_all(i);
}

int fzi_cli_import(const fzi_cli *cli)
{
    importing i = {.cli = cli, .code = FZ_EXIT_OK};
    const char *name;
    size_t length;
    char *path = split_path(cli->words.items[0], &name);
    char *text = fzi_file_read(cli, path, &length);

    i.path = path;
    i.context = text ? fzi_session_context(cli) : NULL;
    if (!i.context)
        i.code = FZ_EXIT_USAGE;
    else if (fz_import_open(i.context, path, text, length, &i.import) != FZ_OK)
        i.code = fzi_cli_complain(cli, "%s", fz_context_message(i.context));
    else
        run(&i, name);
    for (size_t n = 0; n < i.reason_count; n++)
        free(i.reasons[n].text);
    free(i.reasons);
    fz_import_free(i.import);
    fz_context_free(i.context);
    free(text);
    free(path);
    return i.code;
}
