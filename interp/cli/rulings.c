/* `ferz check --against`: which numbered rulings of a text the scripts cite and test. A ruling is a
 * name such as T-12. See cli.h. */
#include "cli.h"

#include <ctype.h>

typedef struct ruling {
    char *name;
    size_t line;            /* where the text states it */
    bool cited, tested;
} ruling;

/* What a script names, and the text does not have. */
typedef struct stray {
    char *name;
    const char *file;
    size_t line;
} stray;

typedef struct rulings {
    ruling *items;
    size_t count;
    stray *strays;
    size_t stray_count;
} rulings;

/* The length of the name at the place, such as T-12 or MC-3.1; 0. `*letters`: of its first part. */
static size_t name_at(const char *text, size_t *letters)
{
    size_t n = 0;

    while (isalpha((unsigned char)text[n]))
        n++;
    *letters = n;
    if (n == 0 || n > 8 || text[n] != '-' || !isdigit((unsigned char)text[n + 1]))
        return 0;
    for (n++; isdigit((unsigned char)text[n]) ||
              (text[n] == '.' && isdigit((unsigned char)text[n + 1]));)
        n++;
    return isalpha((unsigned char)text[n]) || text[n] == '_' ? 0 : n;
}

static ruling *find(const rulings *all, const char *name)
{
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->items[i].name, name) == 0)
            return &all->items[i];
    return NULL;
}

static void add(rulings *all, const char *text, size_t line)
{
    size_t letters, length = name_at(text, &letters);
    char *name = length ? fzi_cli_text("%.*s", (int)length, text) : NULL;

    if (!name || find(all, name)) {
        free(name);
        return;
    }
    all->items = fzi_cli_allocate(all->items, (all->count + 1) * sizeof *all->items);
    all->items[all->count++] = (ruling){.name = name, .line = line};
}

/* The first place of the mark in the text, which has this length; NULL. */
static const char *find_mark(const char *text, size_t length, const char *mark)
{
    const char *end = text + length;

    while ((text = memchr(text, *mark, (size_t)(end - text))))
        if (strncmp(text++, mark, strlen(mark)) == 0)
            return text - 1;
    return NULL;
}

/* A ruling is stated at the beginning of a paragraph, an item, a heading or a row, or in bold. */
static void read_rulings(rulings *all, const char *text)
{
    for (size_t line = 1; *text; line++) {
        size_t length = strcspn(text, "\n");
        add(all, text + strspn(text, " \t-*+#>|"), line);
        const char *end = text + length;
        for (const char *bold = text; (bold = find_mark(bold, (size_t)(end - bold), "**"));)
            add(all, bold += 2, line);
        text = end + (*end == '\n');
    }
}

/* Are there rulings with these letters? Else it is something else, such as a date. */
static bool has_letters(const rulings *all, const char *name, size_t letters)
{
    for (size_t i = 0; i < all->count; i++)
        if (strncmp(all->items[i].name, name, letters + 1) == 0)
            return true;
    return false;
}

static void note(rulings *all, char *name, size_t letters, bool tests, const char *file,
                 size_t line)
{
    ruling *found = find(all, name);

    if (found) {
        found->cited = found->cited || !tests;
        found->tested = found->tested || tests;
    } else if (has_letters(all, name, letters)) {
        all->strays = fzi_cli_allocate(all->strays, (all->stray_count + 1) * sizeof *all->strays);
        all->strays[all->stray_count++] = (stray){name, file, line};
        return;
    }
    free(name);
}

/* `T-10 to T-16` names those between as well, as far as the text has them. */
static size_t note_range(rulings *all, const char *first, size_t length, size_t letters, bool tests)
{
    const char *last = first + length + strlen(" to ");
    size_t other = 0, more = 0;

    if (strncmp(first + length, " to ", 4) != 0 || !(more = name_at(last, &other)) ||
        other != letters || strncmp(first, last, letters) != 0)
        return 0;
    long from = strtol(first + letters + 1, NULL, 10), to = strtol(last + letters + 1, NULL, 10);
    for (size_t i = 0; i < all->count; i++) {
        ruling *r = &all->items[i];
        if (strncmp(r->name, first, letters + 1) != 0)
            continue;
        long number = strtol(r->name + letters + 1, NULL, 10);
        r->cited = r->cited || (!tests && number > from && number < to);
        r->tested = r->tested || (tests && number > from && number < to);
    }
    return strlen(" to ");
}

static void note_all(rulings *all, const char *text, size_t size, bool tests, const char *file,
                     size_t line)
{
    for (size_t i = 0, letters; i < size;) {
        size_t length = i && isalnum((unsigned char)text[i - 1]) ? 0 : name_at(text + i, &letters);
        if (!length) {
            i++;
            continue;
        }
        note(all, fzi_cli_text("%.*s", (int)length, text + i), letters, tests, file, line);
        i += length + note_range(all, text + i, length, letters, tests);
    }
}

/* Its comments `///`, and the titles of its tests. */
static void read_script(rulings *all, const char *file, const char *text)
{
    for (size_t line = 1; *text; line++) {
        size_t length = strcspn(text, "\n");
        const char *comment = find_mark(text, length, "///"), *word = text + strspn(text, " \t");
        const char *title = word + strlen("test");
        if (comment)
            note_all(all, comment, length - (size_t)(comment - text), false, file, line);
        if (strncmp(word, "test", 4) == 0 && *(title += strspn(title, " ")) == '"')
            note_all(all, title + 1, strcspn(title + 1, "\"\n"), true, file, line);
        text += length + (text[length] == '\n');
    }
}

static int print_text(const rulings *all, const char *path)
{
    size_t cited = 0, tested = 0;

    for (size_t i = 0; i < all->count; i++) {
        const ruling *r = &all->items[i];
        cited += r->cited;
        tested += r->tested;
        if (!r->tested)
            printf("%s:%zu: no test names %s%s\n", path, r->line, r->name,
                   r->cited ? "" : ", and no comment");
    }
    for (size_t i = 0; i < all->stray_count; i++)
        printf("%s:%zu: %s is not in %s\n", all->strays[i].file, all->strays[i].line,
               all->strays[i].name, path);
    printf("%s: %zu ruling%s, %zu cited, %zu in tests\n", path, all->count,
           all->count == 1 ? "" : "s", cited, tested);
    return tested < all->count || all->stray_count ? FZ_EXIT_WRONG : FZ_EXIT_OK;
}

static json_t *as_json(const rulings *all, const char *path)
{
    json_t *list = json_array(), *strays = json_array();

    for (size_t i = 0; i < all->count; i++) {
        const ruling *r = &all->items[i];
        json_array_append_new(list, json_pack("{s:s, s:I, s:b, s:b}", "ruling", r->name, "line",
                                              (json_int_t)r->line, "cited", r->cited, "tested",
                                              r->tested));
    }
    for (size_t i = 0; i < all->stray_count; i++)
        json_array_append_new(strays, json_pack("{s:s, s:s, s:I}", "ruling", all->strays[i].name,
                                                "file", all->strays[i].file, "line",
                                                (json_int_t)all->strays[i].line));
    return json_pack("{s:s, s:o, s:o}", "against", path, "rulings", list, "unknown", strays);
}

static int print(const fzi_cli *cli, const rulings *all, const char *path, bool *first)
{
    bool good = !all->stray_count;

    if (!all->count)
        return fzi_cli_complain(cli, "%s: there are no numbered rulings, such as **T-12**", path);
    if (cli->format != FZ_CLI_JSON)
        return print_text(all, path);
    for (size_t i = 0; i < all->count; i++)
        good = good && all->items[i].tested;
    fputs(*first ? "\n" : ",\n", stdout);
    *first = false;
    fzi_json_write(as_json(all, path));
    return good ? FZ_EXIT_OK : FZ_EXIT_WRONG;
}

static void clear(rulings *all)
{
    for (size_t i = 0; i < all->count; i++)
        free(all->items[i].name);
    for (size_t i = 0; i < all->stray_count; i++)
        free(all->strays[i].name);
    free(all->items);
    free(all->strays);
}

int fzi_rulings_check(const fzi_cli *cli, const char *path, bool *first)
{
    rulings all = {0};
    size_t length;
    char *text = fzi_file_read(cli, path, &length);
    int code = text ? FZ_EXIT_OK : FZ_EXIT_USAGE;

    if (text)
        read_rulings(&all, text);
    free(text);
    for (size_t i = 0; code == FZ_EXIT_OK && i < cli->words.count; i++) {
        text = fzi_file_read(cli, cli->words.items[i], &length);
        code = text ? FZ_EXIT_OK : FZ_EXIT_USAGE;
        if (text)
            read_script(&all, cli->words.items[i], text);
        free(text);
    }
    if (code == FZ_EXIT_OK)
        code = print(cli, &all, path, first);
    clear(&all);
    return code;
}
