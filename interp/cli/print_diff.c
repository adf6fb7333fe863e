/* Prints the differences of two games, for `ferz diff`. */
#include "cli.h"

enum { MAX_MOVES_SHOWN = 40, MAX_LINE_SHOWN = 12 };

/* ---- two texts, line by line ---- */

enum { MAX_CELLS = 4 << 20 }; /* of the table below; larger texts are not aligned */

typedef struct line {
    const char *text;
    size_t length;
} line;

static line *lines_of(const char *text, size_t *count)
{
    size_t most = 1;
    line *lines;

    *count = 0;
    for (const char *at = text; at && *at; at++)
        most += *at == '\n';
    lines = fzi_cli_allocate(NULL, most * sizeof *lines);
    while (text && *text) {
        size_t length = strcspn(text, "\n");
        lines[(*count)++] = (line){text, length};
        text += length + (text[length] == '\n');
    }
    return lines;
}

static bool same(line a, line b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

/* table[i * (m + 1) + k]: how many lines the ends after i and k have in common. */
static unsigned *common(const line *a, size_t n, const line *b, size_t m)
{
    unsigned *table = fzi_cli_allocate(NULL, (n + 1) * (m + 1) * sizeof *table);

    memset(table, 0, (n + 1) * (m + 1) * sizeof *table);
    for (size_t i = n; i-- > 0;)
        for (size_t k = m; k-- > 0;) {
            unsigned down = table[(i + 1) * (m + 1) + k], across = table[i * (m + 1) + k + 1];
            table[i * (m + 1) + k] = same(a[i], b[k]) ? table[(i + 1) * (m + 1) + k + 1] + 1
                                     : down > across  ? down
                                                      : across;
        }
    return table;
}

static void print_line(char sign, line l, bool colour)
{
    const char *begin = !colour || sign == ' ' ? "" : sign == '-' ? "\033[31m" : "\033[32m";

    printf("    %s%c %.*s%s\n", begin, sign, (int)l.length, l.text, *begin ? "\033[0m" : "");
}

/* Prints the lines of both texts, indented, with as many equal ones as possible: `-` before those
 * of the left text only, `+` before those of the right one. A text may be NULL. */
static void print_lines(const char *left, const char *right, bool colour)
{
    size_t n, m, i = 0, k = 0;
    line *a = lines_of(left, &n), *b = lines_of(right, &m);
    unsigned *table = (n + 1) * (m + 1) <= MAX_CELLS ? common(a, n, b, m) : NULL;

    while (i < n || k < m) {
        bool equal = i < n && k < m && same(a[i], b[k]);
        bool takes_left = i < n && (k == m || !table || table[(i + 1) * (m + 1) + k] >=
                                                            table[i * (m + 1) + k + 1]);
        if (equal || takes_left)
            print_line(equal ? ' ' : '-', a[i++], colour);
        else
            print_line('+', b[k], colour);
        k += equal || !takes_left;
    }
    free(table);
    free(a);
    free(b);
}

/* ---- rules ---- */

/* Sections of the output: the sorts of declarations in each. */
static const struct {
    const char *title, *sorts;
} sections[] = {
    {"Players", " players teams "},
    {"Options", " option "},
    {"Board", " board stacks "},
    {"Types", " enum die "},
    {"Pieces", " piece property "},
    {"Set-up", " setup "},
    {"Turn", " turn on capture "},
    {"End", " end limit "},
    {"Moves", " moves "},
    {"Procedures", " proc "},
    {"Values and functions", " let fn "},
    {"Variables", " var "},
    {"Drawing", " show hide "},
    {"Modules", " use "},
};
enum { SECTION_COUNT = sizeof sections / sizeof *sections };

static bool is_in_section(size_t section, const fz_declaration *d)
{
    char word[64];
    snprintf(word, sizeof word, " %s ", d->sort);
    return strstr(sections[section].sorts, word);
}

/* A declaration that the games have differently, or that only one of them has. */
typedef struct change {
    const fz_declaration *sides[2];
} change;

typedef struct changes {
    change *items; /* those of the first game's declarations, then the added ones */
    size_t count;
} changes;

static int by_key(const void *a, const void *b)
{
    const fz_declaration *x = *(const fz_declaration *const *)a,
                         *y = *(const fz_declaration *const *)b;
    int sorts = strcmp(x->sort, y->sort), keys = sorts ? sorts : strcmp(x->key, y->key);
    return keys ? keys : (x > y) - (x < y);
}

static const fz_declaration **sorted(const fz_declarations *list)
{
    const fz_declaration **items = fzi_cli_allocate(NULL, (list->count + 1) * sizeof *items);

    for (size_t i = 0; i < list->count; i++)
        items[i] = &list->items[i];
    qsort(items, list->count, sizeof *items, by_key);
    return items;
}

/* The first of these, which are sorted, that has the sort and the key; NULL. */
static const fz_declaration *partner(const fz_declaration *const *items, size_t count,
                                     const fz_declaration *of)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int sorts = strcmp(items[middle]->sort, of->sort);
        if (sorts < 0 || (sorts == 0 && strcmp(items[middle]->key, of->key) < 0))
            low = middle + 1;
        else
            high = middle;
    }
    bool is_found = low < count && strcmp(items[low]->sort, of->sort) == 0 &&
                    strcmp(items[low]->key, of->key) == 0;
    return is_found ? items[low] : NULL;
}

static changes find_changes(const fzi_diff_texts *d)
{
    const fz_declarations *one = d->lists[0], *other = d->lists[1];
    const fz_declaration **ones = sorted(one), **others = sorted(other);
    changes c = {fzi_cli_allocate(NULL, (one->count + other->count + 1) * sizeof *c.items), 0};

    for (size_t i = 0; i < one->count; i++) {
        const fz_declaration *now = partner(others, other->count, &one->items[i]);
        if (!now || strcmp(one->items[i].tokens, now->tokens) != 0)
            c.items[c.count++] = (change){{&one->items[i], now}};
    }
    for (size_t i = 0; i < other->count; i++)
        if (!partner(ones, one->count, &other->items[i]))
            c.items[c.count++] = (change){{NULL, &other->items[i]}};
    free(ones);
    free(others);
    return c;
}

static const fz_declaration *either(const change *c)
{
    return c->sides[0] ? c->sides[0] : c->sides[1];
}

static const char *verb_of(const change *c)
{
    return !c->sides[0] ? "added" : !c->sides[1] ? "removed" : "changed";
}

static const char *text_of(const fz_declaration *side)
{
    return side ? side->text : NULL;
}

static void print_change(const fzi_diff_texts *d, const change *c)
{
    const fz_declaration *of = either(c);
    printf("  %s %s%s%s", verb_of(c), of->sort, *of->name ? " " : "", of->name);
    if (!c->sides[0] && of->changes_module)
        printf(" (changes that of a module)");
    putchar('\n');
    print_lines(text_of(c->sides[0]), text_of(c->sides[1]), d->cli->colour);
}

static void print_text(const fzi_diff_texts *d, const changes *found)
{
    for (unsigned side = 0; side < 2; side++)
        printf("%s %s: %s\n", side ? "+++" : "---", d->paths[side], d->lists[side]->title);
    for (size_t section = 0; section < SECTION_COUNT; section++) {
        bool begun = false;
        for (size_t i = 0; i < found->count; i++) {
            if (!is_in_section(section, either(&found->items[i])))
                continue;
            if (!begun)
                printf("\n%s\n", sections[section].title);
            begun = true;
            print_change(d, &found->items[i]);
        }
    }
    if (!found->count)
        puts("\nThe rules are the same.");
}

static json_t *changes_json(const changes *found)
{
    json_t *list = json_array();
    for (size_t i = 0; i < found->count; i++) {
        const change *c = &found->items[i];
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s?, s:s?}", "change", verb_of(c),
                                              "sort", either(c)->sort, "name", either(c)->name,
                                              "first", text_of(c->sides[0]), "second",
                                              text_of(c->sides[1])));
    }
    return list;
}

static json_t *side_json(const fzi_diff_texts *d, unsigned side)
{
    return json_pack("{s:s, s:s}", "file", d->paths[side], "game", d->lists[side]->title);
}

int fzi_diff_print_rules(const fzi_diff_texts *d)
{
    changes found = find_changes(d);
    bool same = found.count == 0;
    int code = FZ_EXIT_OK;
    if (d->cli->format == FZ_CLI_JSON)
        code = fzi_json_print(json_pack("{s:o, s:o, s:b, s:o}", "first", side_json(d, 0), "second",
                                        side_json(d, 1), "same", same, "changes",
                                        changes_json(&found)));
    else
        print_text(d, &found);
    free(found.items);
    return code == FZ_EXIT_OK && !same ? FZ_EXIT_WRONG : code;
}

/* ---- behaviour ---- */

static void print_only(const fz_diff *found, unsigned side, const char *path)
{
    size_t count = found->only_count[side];
    printf("only in %s: ", path);
    if (!count)
        printf("none");
    for (size_t i = 0; i < count && i < MAX_MOVES_SHOWN; i++)
        printf("%s%s", i ? ", " : "", found->only[side][i]);
    if (count > MAX_MOVES_SHOWN)
        printf(", ... (%zu more)", count - MAX_MOVES_SHOWN);
    putchar('\n');
}

/* Prints the extent of the comparison, and the bound that ended it. */
static void print_extent(const fzi_session *sessions, const fz_diff *found)
{
    if (found->is_stopped)
        puts("The comparison was stopped.");
    else if (found->is_cut)
        printf("The search was stopped after %u move%s: too many positions.\n", found->depth,
               fzi_plural(found->depth));
    if (found->is_whole)
        printf("Compared: all lines of play");
    else
        printf("Compared: all lines of up to %u move%s", found->depth,
               fzi_plural(found->depth));
    if (found->games)
        printf(", %" PRIu64 " random game%s of seed %" PRIu64, found->games,
               fzi_plural(found->games), sessions->cli->seed);
    printf("; %zu positions.\n", found->positions);
}

static void print_behaviour(const fzi_session *sessions, const fz_diff *found)
{
    if (!found->differs) {
        puts("No difference was found.");
        print_extent(sessions, found);
        return;
    }
    if (found->plies > MAX_LINE_SHOWN)
        printf("After %zu moves: %s.\n", found->plies, found->why);
    else if (found->plies)
        printf("After %s: %s.\n", found->moves, found->why);
    else
        printf("At the beginning: %s.\n", found->why);
    for (unsigned side = 0; side < 2 && found->each[side]; side++)
        printf("in %s: %s\n", sessions[side].path, found->each[side]);
    if (!found->each[0] && (found->only_count[0] || found->only_count[1]))
        for (unsigned side = 0; side < 2; side++)
            print_only(found, side, sessions[side].path);
    if (found->is_shortest)
        puts("No shorter line of play shows a difference.");
    else
        print_extent(sessions, found);
    if (found->record && !fzi_cli_has(sessions->cli, FZ_CLI_RECORD))
        printf("\n%s", found->record);
}

static json_t *only_json(const fz_diff *found, unsigned side)
{
    json_t *list = json_array();
    for (size_t i = 0; i < found->only_count[side]; i++)
        json_array_append_new(list, json_string(found->only[side][i]));
    return list;
}

static json_t *played_json(const fzi_session *session)
{
    return json_pack("{s:s, s:s, s:o}", "file", session->path, "game",
                     fz_program_title(session->program), "run", fzi_session_trace(session));
}

static int behaviour_json(const fzi_session *sessions, const fz_diff *found)
{
    return fzi_json_print(json_pack(
        "{s:o, s:o, s:b, s:s?, s:s?, s:s?, s:b, s:s?, s:o, s:o, s:i, s:I, s:I, s:b}", "first",
        played_json(&sessions[0]), "second", played_json(&sessions[1]), "same", !found->differs,
        "difference", found->why, "in_first", found->each[0], "in_second", found->each[1],
        "shortest", found->is_shortest, "record", found->record, "only_first",
        only_json(found, 0), "only_second", only_json(found, 1), "depth", (int)found->depth,
        "games", (json_int_t)found->games, "positions", (json_int_t)found->positions, "cut",
        found->is_cut));
}

int fzi_diff_print_behaviour(const fzi_session sessions[2], const fz_diff *found)
{
    if (sessions->cli->format == FZ_CLI_JSON)
        return behaviour_json(sessions, found);
    print_behaviour(sessions, found);
    return FZ_EXIT_OK;
}
