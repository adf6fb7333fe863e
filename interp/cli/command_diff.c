/* ferz diff: what two games say differently, or how they play differently. */
#include "cli.h"

typedef struct diff {
    fz_context *context;
    fzi_diff_texts texts;
} diff;

static int read_rules(diff *d, unsigned side)
{
    const fzi_cli *cli = d->texts.cli;
    fz_report *report = NULL;
    fz_status status = fz_declarations_read(d->context, d->texts.paths[side], cli->settings,
                                            cli->setting_count, &d->texts.lists[side], &report);
    if (report)
        fputs(fz_report_text(report, cli->error_colour ? FZ_TEXT_COLOUR : FZ_TEXT), stderr);
    else if (status != FZ_OK)
        fzi_cli_complain(cli, "%s", fz_context_message(d->context));
    fz_report_free(report);
    return status == FZ_OK ? FZ_EXIT_OK : FZ_EXIT_USAGE;
}

/* The base comes first, since the variant changes it. */
static int choose_paths(diff *d)
{
    const fzi_cli_list *words = &d->texts.cli->words;
    d->texts.paths[0] = words->items[0];
    d->texts.paths[1] = words->items[words->count - 1];
    if (words->count == 2)
        return FZ_EXIT_OK;
    int code = read_rules(d, 1);
    if (code == FZ_EXIT_OK && !d->texts.lists[1]->base)
        return fzi_cli_complain(d->texts.cli,
                                "%s is no variant; name the game to compare it with",
                                words->items[0]);
    if (code == FZ_EXIT_OK)
        d->texts.paths[0] = d->texts.lists[1]->base;
    return code;
}

static int compare_rules(diff *d)
{
    int code = read_rules(d, 0);
    if (code == FZ_EXIT_OK && !d->texts.lists[1])
        code = read_rules(d, 1);
    return code == FZ_EXIT_OK ? fzi_diff_print_rules(&d->texts) : code;
}

/* ---- behaviour ---- */

static int report_behaviour(const fzi_session sessions[2], const fz_diff *found)
{
    const fzi_cli *cli = sessions->cli;
    int code = fzi_diff_print_behaviour(sessions, found);
    if (code == FZ_EXIT_OK && found->record && fzi_cli_has(cli, FZ_CLI_RECORD))
        code = fzi_file_write(cli, cli->values[FZ_CLI_RECORD], found->record,
                              strlen(found->record));
    return code == FZ_EXIT_OK && found->differs ? FZ_EXIT_WRONG : code;
}

static int compare_behaviour(diff *d)
{
    const fzi_cli *cli = d->texts.cli;
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
                             .games = fzi_cli_has(cli, FZ_CLI_COUNT) ? cli->count : 100};
        const char *message = fz_context_message(d->context);
        if (fz_games_diff(d->context, &task, &found) != FZ_OK)
            code = fzi_cli_complain(cli, "%s%s", message, fzi_cli_hint(cli, message));
    }
    if (code == FZ_EXIT_OK)
        code = report_behaviour(sessions, &found);
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
    for (unsigned side = 0; side < 2; side++)
        fz_declarations_free(d.context, d.texts.lists[side]);
    fz_context_free(d.context);
    return code;
}
