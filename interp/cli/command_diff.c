/* ferz diff: what two games say differently, or how they play differently. */
#include "interp/lab/sampling.h"
#include "files.h"
#include "line_diff.h"
#include "rules_text.h"
#include "session.h"
#include "interp/terminal/terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_MOVES_SHOWN = 40, MAX_LINE_SHOWN = 12, LEAST_WIDTH = 40 };

/* One of the two texts. */
typedef struct text {
    const char *path;
    char *made;        /* the path, if it is the base of the other one */
    char *rules;
    fz_declarations *list;
    bool *matched;     /* by declaration */
} text;

typedef struct difference {
    const fz_declaration *sides[2]; /* NULL: the text has none */
} difference;

typedef struct diff {
    const fzi_cli *cli;
    fz_context *context;
    text texts[2];
    difference *items;
    size_t count;
} diff;

/* ---- the declarations that differ ---- */

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

static const fz_declaration *either(const difference *d)
{
    return d->sides[0] ? d->sides[0] : d->sides[1];
}

static bool same_key(const fz_declaration *a, const fz_declaration *b)
{
    return strcmp(a->sort, b->sort) == 0 && strcmp(a->key, b->key) == 0;
}

/* The declaration of the second text that belongs to this one of the first. First under the same
 * conditions, then under others. */
static const fz_declaration *partner(diff *d, const fz_declaration *of, bool other_conditions)
{
    const text *t = &d->texts[1];
    for (size_t i = 0; i < t->list->count; i++) {
        const fz_declaration *found = &t->list->items[i];
        if (t->matched[i] || !same_key(found, of) ||
            (!other_conditions && strcmp(found->condition, of->condition) != 0))
            continue;
        t->matched[i] = true;
        return found;
    }
    return NULL;
}

static void add(diff *d, const fz_declaration *one, const fz_declaration *other)
{
    if (one && other && strcmp(one->tokens, other->tokens) == 0 &&
        strcmp(one->condition, other->condition) == 0)
        return;
    d->items[d->count++] = (difference){{one, other}};
}

/* Removed and changed declarations in the order of the first text, then the added ones. */
static void compare(diff *d)
{
    const text *one = &d->texts[0], *other = &d->texts[1];
    const fz_declaration **found =
        fzi_cli_allocate(NULL, (one->list->count + 1) * sizeof *found);
    d->items = fzi_cli_allocate(NULL, (one->list->count + other->list->count + 1) *
                                          sizeof *d->items);
    for (size_t i = 0; i < one->list->count; i++)
        found[i] = partner(d, &one->list->items[i], false);
    for (size_t i = 0; i < one->list->count; i++) {
        if (!found[i])
            found[i] = partner(d, &one->list->items[i], true);
        add(d, &one->list->items[i], found[i]);
    }
    for (size_t i = 0; i < other->list->count; i++)
        if (!other->matched[i])
            add(d, NULL, &other->list->items[i]);
    free(found);
}

/* ---- printing ---- */

static const char *change_of(const difference *d)
{
    return !d->sides[0] ? "added" : !d->sides[1] ? "removed" : "changed";
}

/* "changed piece King (when Size > 8)" */
static void print_title(const difference *d)
{
    const fz_declaration *of = either(d), *other = d->sides[1] ? d->sides[1] : of;
    printf("  %s %s%s%s", change_of(d), of->sort, *of->name ? " " : "", of->name);
    if (strcmp(of->condition, other->condition) != 0)
        printf(" (%s%s, now %s%s)", *of->condition ? "when " : "always", of->condition,
               *other->condition ? "when " : "always", other->condition);
    else if (*of->condition)
        printf(" (when %s)", of->condition);
    if (!d->sides[0] && of->changes_module)
        printf(" (%s that of a module)",
               strncmp(of->tokens, "extend", 6) == 0 ? "extends" : "overrides");
    putchar('\n');
}

static void print_difference(const fzi_cli *cli, const difference *d)
{
    size_t count;
    fzi_diff_row *rows = fzi_line_diff(d->sides[0] ? d->sides[0]->text : NULL,
                                       d->sides[1] ? d->sides[1]->text : NULL, &count);
    print_title(d);
    if (fzi_cli_has(cli, FZ_CLI_BESIDE)) {
        size_t width = fzi_terminal_width(1);
        fzi_line_diff_beside(rows, count, "    ", width < LEAST_WIDTH ? LEAST_WIDTH : width);
    } else {
        fzi_line_diff_print(rows, count, "    ", cli->colour);
    }
    free(rows);
}

static void print_text(const diff *d)
{
    bool any = false;
    printf("--- %s: %s\n+++ %s: %s\n", d->texts[0].path, d->texts[0].list->title,
           d->texts[1].path, d->texts[1].list->title);
    for (size_t section = 0; section < SECTION_COUNT; section++) {
        bool begun = false;
        for (size_t i = 0; i < d->count; i++) {
            if (!is_in_section(section, either(&d->items[i])))
                continue;
            if (!begun)
                printf("\n%s\n", sections[section].title);
            begun = any = true;
            print_difference(d->cli, &d->items[i]);
        }
    }
    if (!any)
        puts("\nThe rules are the same.");
}

static json_t *declaration_json(const fz_declaration *d)
{
    return d ? json_pack("{s:s, s:s}", "text", d->text, "when", d->condition) : json_null();
}

static json_t *side_json(const text *t)
{
    return json_pack("{s:s, s:s}", "file", t->path, "game", t->list->title);
}

static int print_json(const diff *d)
{
    json_t *list = json_array();
    for (size_t i = 0; i < d->count; i++) {
        const difference *item = &d->items[i];
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:s, s:o, s:o}", "change", change_of(item), "sort",
                            either(item)->sort, "name", either(item)->name, "first",
                            declaration_json(item->sides[0]), "second",
                            declaration_json(item->sides[1])));
    }
    return fzi_json_print(json_pack("{s:o, s:o, s:b, s:o}", "first", side_json(&d->texts[0]),
                                    "second", side_json(&d->texts[1]), "same", d->count == 0,
                                    "changes", list));
}

/* ---- texts ---- */

static int read_text(diff *d, text *t)
{
    int code = FZ_EXIT_USAGE;
    t->rules = fzi_rules_text(d->cli, d->context, t->path, false, &code);
    if (!t->rules)
        return FZ_EXIT_USAGE;
    if (fz_declarations_read(d->context, t->path, t->rules, strlen(t->rules), &t->list) != FZ_OK)
        return fzi_cli_complain(d->cli, "%s", fz_context_message(d->context));
    t->matched = fzi_cli_allocate(NULL, t->list->count + 1);
    memset(t->matched, 0, t->list->count + 1);
    return FZ_EXIT_OK;
}

/* The base comes first, as what the variant changes. */
static int choose_paths(diff *d)
{
    const fzi_cli_list *words = &d->cli->words;
    char *base = NULL, *rules;
    size_t size;
    int code;
    d->texts[0].path = words->items[0];
    d->texts[1].path = words->items[words->count - 1];
    if (words->count == 2)
        return FZ_EXIT_OK;
    if (fz_base_of(d->context, words->items[0], &base) != FZ_OK) {
        rules = fzi_rules_text(d->cli, d->context, words->items[0], false, &code);
        if (rules) /* otherwise the mistakes in it have been reported */
            fzi_cli_complain(d->cli, "%s is no variant; name the game to compare it with",
                             words->items[0]);
        free(rules);
        return FZ_EXIT_USAGE;
    }
    size = strlen(base) + 1;
    d->texts[0].path = d->texts[0].made = memcpy(fzi_cli_allocate(NULL, size), base, size);
    fz_text_free(d->context, base);
    return FZ_EXIT_OK;
}

static int compare_rules(diff *d)
{
    int code = read_text(d, &d->texts[0]);
    if (code == FZ_EXIT_OK)
        code = read_text(d, &d->texts[1]);
    if (code != FZ_EXIT_OK)
        return code;
    compare(d);
    if (d->cli->format == FZ_CLI_JSON)
        code = print_json(d);
    else
        print_text(d);
    return code == FZ_EXIT_OK && d->count ? FZ_EXIT_WRONG : code;
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

/* What was compared, and which bound ended it. */
static void print_extent(const diff *d, const fz_diff *found)
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
               fzi_plural(found->games), d->cli->seed);
    printf("; %zu positions.\n", found->positions);
}

static void print_behaviour(const diff *d, const fz_diff *found)
{
    if (!found->differs) {
        puts("No difference was found.");
        print_extent(d, found);
        return;
    }
    if (found->plies > MAX_LINE_SHOWN)
        printf("After %zu moves: %s.\n", found->plies, found->why);
    else if (found->plies)
        printf("After %s: %s.\n", found->moves, found->why);
    else
        printf("At the beginning: %s.\n", found->why);
    for (unsigned side = 0; side < 2 && found->each[side]; side++)
        printf("in %s: %s\n", d->texts[side].path, found->each[side]);
    if (!found->each[0] && (found->only_count[0] || found->only_count[1]))
        for (unsigned side = 0; side < 2; side++)
            print_only(found, side, d->texts[side].path);
    if (found->is_shortest)
        puts("No shorter line of play shows a difference.");
    else
        print_extent(d, found);
    if (found->record && !fzi_cli_has(d->cli, FZ_CLI_RECORD))
        printf("\n%s", found->record);
}

static json_t *only_json(const fz_diff *found, unsigned side)
{
    json_t *list = json_array();
    for (size_t i = 0; i < found->only_count[side]; i++)
        json_array_append_new(list, json_string(found->only[side][i]));
    return list;
}

static int behaviour_json(const diff *d, const fz_diff *found)
{
    json_t *object = json_pack("{s:s, s:s, s:b, s:s?, s:s?, s:s?, s:b, s:s?}", "first",
                               d->texts[0].path, "second", d->texts[1].path, "same",
                               !found->differs, "difference", found->why, "in_first",
                               found->each[0], "in_second", found->each[1], "shortest",
                               found->is_shortest, "record", found->record);
    json_object_set_new(object, "only_first", only_json(found, 0));
    json_object_set_new(object, "only_second", only_json(found, 1));
    json_object_set_new(object, "depth", json_integer(found->depth));
    json_object_set_new(object, "games", json_integer((long long)found->games));
    json_object_set_new(object, "positions", json_integer((long long)found->positions));
    json_object_set_new(object, "cut", json_boolean(found->is_cut));
    json_object_set_new(object, "seed", json_integer((long long)d->cli->seed));
    return fzi_json_print(object);
}

static int report_behaviour(const diff *d, const fz_diff *found)
{
    int code = FZ_EXIT_OK;
    if (d->cli->format == FZ_CLI_JSON)
        code = behaviour_json(d, found);
    else
        print_behaviour(d, found);
    if (code == FZ_EXIT_OK && found->record && fzi_cli_has(d->cli, FZ_CLI_RECORD))
        code = fzi_file_write(d->cli, d->cli->values[FZ_CLI_RECORD], found->record,
                              strlen(found->record));
    return code == FZ_EXIT_OK && found->differs ? FZ_EXIT_WRONG : code;
}

static bool is_interrupted(void *user, uint64_t done, uint64_t total)
{
    (void)user, (void)done, (void)total;
    return fzi_terminal_interrupted();
}

static int compare_behaviour(diff *d)
{
    const fz_watch watch = {is_interrupted, NULL};
    fzi_session sessions[2];
    fz_diff found = {0};
    uint64_t depth = fzi_cli_has(d->cli, FZ_CLI_DEPTH) ? d->cli->depth : 3;
    int code = fzi_session_open(&sessions[0], d->cli, d->texts[0].path);
    int other = fzi_session_open(&sessions[1], d->cli, d->texts[1].path);
    if (code != FZ_EXIT_OK || other != FZ_EXIT_OK)
        code = FZ_EXIT_USAGE;
    fzi_terminal_catch_interrupt();
    if (code == FZ_EXIT_OK) {
        fz_diff_task task = {.programs = {sessions[0].program, sessions[1].program},
                             .path = d->texts[0].path, .limits = &d->cli->limits,
                             .seed = d->cli->seed, .depth = depth > 1000 ? 1000 : (unsigned)depth,
                             .games = fzi_cli_has(d->cli, FZ_CLI_COUNT) ? d->cli->count : 100,
                             .watch = &watch};
        const char *message = fz_context_message(d->context);
        if (fz_games_diff(d->context, &task, &found) != FZ_OK)
            code = fzi_cli_complain(d->cli, "%s%s", message, fzi_cli_limit_hint(d->cli, message));
    }
    if (code == FZ_EXIT_OK)
        code = report_behaviour(d, &found);
    fz_diff_free(d->context, &found);
    fzi_session_clear(&sessions[0]);
    fzi_session_clear(&sessions[1]);
    return code;
}

int fzi_cli_diff(const fzi_cli *cli)
{
    diff d = {.cli = cli};
    int code;
    if (cli->format == FZ_CLI_CSV)
        return fzi_cli_no_csv(cli);
    d.context = fzi_session_context(cli);
    if (!d.context)
        return FZ_EXIT_USAGE;
    code = choose_paths(&d);
    if (code == FZ_EXIT_OK)
        code = fzi_cli_has(cli, FZ_CLI_BEHAVIOUR) ? compare_behaviour(&d) : compare_rules(&d);
    free(d.items);
    for (unsigned side = 0; side < 2; side++) {
        free(d.texts[side].rules);
        free(d.texts[side].made);
        free(d.texts[side].matched);
        fz_declarations_free(d.context, d.texts[side].list);
    }
    fz_context_free(d.context);
    return code;
}
