/* ferz diff: what two games say differently, or how they play differently. */
#include "cli.h"

typedef struct diff {
    fz_context *context;
    fzi_diff_texts texts;
    char *base;        /* the first path, if it is the base of the other one */
} diff;

/* ---- rules ---- */

static int read_text(diff *d, unsigned side)
{
    const fzi_cli *cli = d->texts.cli;
    const char *path = d->texts.paths[side];
    int code = FZ_EXIT_OK;
    char *rules = fzi_rules_text(cli, d->context, path, &code);
    if (!rules)
        return FZ_EXIT_USAGE;
    if (fz_declarations_read(d->context, path, rules, strlen(rules), &d->texts.lists[side]) !=
        FZ_OK)
        code = fzi_cli_complain(cli, "%s", fz_context_message(d->context));
    free(rules);
    return code;
}

/* The base comes first, as what the variant changes. */
static int choose_paths(diff *d)
{
    const fzi_cli *cli = d->texts.cli;
    const fzi_cli_list *words = &cli->words;
    char *base = NULL, *rules;
    int code;
    d->texts.paths[0] = words->items[0];
    d->texts.paths[1] = words->items[words->count - 1];
    if (words->count == 2)
        return FZ_EXIT_OK;
    if (fz_base_of(d->context, words->items[0], &base) != FZ_OK) {
        rules = fzi_rules_text(cli, d->context, words->items[0], &code);
        if (rules) /* otherwise the mistakes in it have been reported */
            fzi_cli_complain(cli, "%s is no variant; name the game to compare it with",
                             words->items[0]);
        free(rules);
        return FZ_EXIT_USAGE;
    }
    d->texts.paths[0] = d->base = base;
    return FZ_EXIT_OK;
}

static int compare_rules(diff *d)
{
    int code = read_text(d, 0);
    if (code == FZ_EXIT_OK)
        code = read_text(d, 1);
    if (code == FZ_EXIT_OK &&
        fz_declarations_compare(d->context, d->texts.lists[0], d->texts.lists[1],
                                &d->texts.changes, &d->texts.count) != FZ_OK)
        code = fzi_cli_complain(d->texts.cli, "%s", fz_context_message(d->context));
    if (code == FZ_EXIT_OK)
        code = fzi_diff_print_rules(&d->texts);
    return code == FZ_EXIT_OK && d->texts.count ? FZ_EXIT_WRONG : code;
}

/* ---- behaviour ---- */

static int report_behaviour(const diff *d, const fz_diff *found)
{
    int code = fzi_diff_print_behaviour(&d->texts, found);
    if (code == FZ_EXIT_OK && found->record && fzi_cli_has(d->texts.cli, FZ_CLI_RECORD))
        code = fzi_file_write(d->texts.cli, d->texts.cli->values[FZ_CLI_RECORD], found->record,
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
    const fzi_cli *cli = d->texts.cli;
    const fz_watch watch = {is_interrupted, NULL};
    fzi_session sessions[2];
    fz_diff found = {0};
    uint64_t depth = fzi_cli_has(cli, FZ_CLI_DEPTH) ? cli->depth : 3;
    int code = fzi_session_open(&sessions[0], cli, d->texts.paths[0]);
    int other = fzi_session_open(&sessions[1], cli, d->texts.paths[1]);
    if (code != FZ_EXIT_OK || other != FZ_EXIT_OK)
        code = FZ_EXIT_USAGE;
    fzi_terminal_catch_interrupt();
    if (code == FZ_EXIT_OK) {
        fz_diff_task task = {.programs = {sessions[0].program, sessions[1].program},
                             .path = d->texts.paths[0], .limits = &cli->limits,
                             .seed = cli->seed, .depth = depth > 1000 ? 1000 : (unsigned)depth,
                             .games = fzi_cli_has(cli, FZ_CLI_COUNT) ? cli->count : 100,
                             .watch = &watch};
        const char *message = fz_context_message(d->context);
        if (fz_games_diff(d->context, &task, &found) != FZ_OK)
            code = fzi_cli_complain(cli, "%s%s", message, fzi_cli_hint(cli, message));
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
    diff d = {.texts = {.cli = cli}};
    d.context = fzi_session_context(cli);
    if (!d.context)
        return FZ_EXIT_USAGE;
    int code = choose_paths(&d);
    if (code == FZ_EXIT_OK)
        code = fzi_cli_has(cli, FZ_CLI_BEHAVIOUR) ? compare_behaviour(&d) : compare_rules(&d);
    fz_declaration_changes_free(d.context, d.texts.changes);
    for (unsigned side = 0; side < 2; side++)
        fz_declarations_free(d.texts.lists[side]);
    fz_text_free(d.context, d.base);
    fz_context_free(d.context);
    return code;
}
