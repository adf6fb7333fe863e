/* Measures the games of the command line. See cli.h. */
#include "cli.h"

typedef int printer(const fzi_cli *cli, const fzi_measure_run *run);

/* An archive says itself which games they are. */
static int check_options(const fzi_cli *cli)
{
    static const enum fzi_cli_option only[] = {FZ_CLI_CHOICE, FZ_CLI_POSITION, FZ_CLI_FEN,
                                               FZ_CLI_PLAY, FZ_CLI_SEED, FZ_CLI_COUNT,
                                               FZ_CLI_AGENTS, FZ_CLI_SKILL, FZ_CLI_LIMIT};

    if (cli->words.count)
        return fzi_cli_complain(cli, "the games are those of a script or of --db, not of both");
    for (size_t i = 0; i < sizeof only / sizeof only[0]; i++)
        if (fzi_cli_has(cli, only[i]))
            return fzi_cli_complain(cli, "--%s does not go with --db: the archive says which games "
                                    "they are", fzi_cli_option_at(only[i]).name);
    return FZ_EXIT_OK;
}

static void set_options(fzi_measure_run *run, const fzi_cli *cli, bool example)
{
    /* More rollouts are refused. */
    *run = (fzi_measure_run){
        .options = {.rollouts = cli->rollouts < UINT32_MAX ? (unsigned)cli->rollouts : UINT32_MAX,
                    .influence = fzi_cli_has(cli, FZ_CLI_INFLUENCE),
                    .strategic_depth = cli->values[FZ_CLI_STRATEGIC_DEPTH]},
        .wants_example = example,
        .stored = fzi_cli_has(cli, FZ_CLI_STORED)};
}

/* Complains about what went wrong and prints the page, if there is one. */
static int finish(const fzi_cli *cli, fzi_measure_run *run, fz_status status, printer *print)
{
    int code = FZ_EXIT_OK;

    if (fzi_terminal_interrupted())
        fprintf(stderr, "interrupted after %" PRIu64 " of %" PRIu64 " games\n",
                run->page.measures.games, run->count);
    if (status != FZ_OK)
        code = fzi_cli_failed(cli, run->setup.context, status, NULL);
    if (fzi_measure_has_page(run, status)) {
        int printed = print(cli, run);
        code = code == FZ_EXIT_OK ? printed : code;
    }
    fzi_measure_clear(run);
    return code;
}

/* Plays the games with each agent of a range of efforts. The page is that of the strongest, with
 * the course of its measures. */
static int measure_skill(const fzi_cli *cli, fzi_setup *setup, printer *print)
{
    fzi_skill *skill = fzi_cli_allocate(NULL, sizeof *skill);
    fz_status status = fzi_skill_read(skill, setup->context, cli->values[FZ_CLI_SKILL]);
    int code = FZ_EXIT_OK;
    bool last = false;

    fzi_terminal_catch_interrupt();
    if (status != FZ_OK)
        code = fzi_cli_failed(cli, setup->context, status, NULL);
    for (unsigned i = 0; i < skill->efforts && code == FZ_EXIT_OK && !last; i++) {
        fzi_progress progress;
        fz_watch watch = fzi_progress_begin(&progress, "games");
        fzi_measure_run run;
        set_options(&run, cli, false);
        setup->options.watch = &watch;
        setup->options.agents = skill->agents[i];
        setup->options.seed = cli->seed + skill->efforts - 1 - i; /* independent games */
        status = fzi_measure_play(&run, setup);
        fzi_progress_end(&progress);
        last = i + 1 == skill->efforts || status != FZ_OK || fzi_terminal_interrupted();
        if (status == FZ_OK)
            fzi_skill_note(skill, i, &run.page);
        if (i + 1 == skill->efforts && status == FZ_OK && !fzi_terminal_interrupted()) {
            fzi_skill_extrapolate(skill);
            run.page.skill = skill;
        }
        code = last ? finish(cli, &run, status, print) : FZ_EXIT_OK;
        if (!last)
            fzi_measure_clear(&run);
    }
    free(skill);
    return code;
}

/* Plays and measures those of the archive, or of the setup. */
static int measure(const fzi_cli *cli, fzi_setup *setup, fzi_archived_run *archived,
                   bool example, printer *print)
{
    fzi_progress progress;
    fz_watch watch = fzi_progress_begin(&progress, "games");
    fzi_measure_run run;
    fz_status status;

    set_options(&run, cli, example);
    setup->options.watch = &watch;
    fzi_terminal_catch_interrupt();
    status = archived ? fzi_measure_archived(&run, archived)
                      : fzi_measure_play(&run, setup);
    fzi_progress_end(&progress);
    return finish(cli, &run, status, print);
}

static int measure_archive(const fzi_cli *cli, bool example, printer *print)
{
    fz_context *context = fzi_session_context(cli);
    fzi_archived_run archived;
    int code;

    if (!context)
        return FZ_EXIT_USAGE;
    fz_status status = fzi_archived_open(&archived, context, cli->values[FZ_CLI_DB], cli->run);
    if (status == FZ_OK) {
        fzi_session_engine(cli, context, archived.setup.program);
        archived.setup.options.threads = (unsigned)cli->threads;
        code = measure(cli, &archived.setup, &archived, example, print);
        fzi_session_say_engine(cli, archived.setup.program, NULL);
    } else {
        code = fzi_cli_failed(cli, context, status, archived.report);
        archived.report = NULL;
    }
    fzi_archived_close(&archived);
    fz_context_free(context);
    return code;
}

static int measure_script(const fzi_cli *cli, bool example, printer *print)
{
    fzi_session session;
    int code = fzi_session_open(&session, cli, cli->words.items[0]);

    if (code == FZ_EXIT_OK)
        code = fzi_session_begin(&session, FZ_CHANCE_ASK);
    if (code == FZ_EXIT_OK) {
        fzi_setup setup = fzi_session_setup(&session);
        code = fzi_cli_has(cli, FZ_CLI_SKILL) ? measure_skill(cli, &setup, print)
                                              : measure(cli, &setup, NULL, example, print);
    }
    fzi_session_clear(&session);
    return code;
}

int fzi_measure_games(const fzi_cli *cli, bool example, printer *print)
{
    int code;

    if (fzi_cli_has(cli, FZ_CLI_DB)) {
        code = check_options(cli);
        return code == FZ_EXIT_OK ? measure_archive(cli, example, print) : code;
    }
    if (fzi_cli_has(cli, FZ_CLI_RUN) || fzi_cli_has(cli, FZ_CLI_STORED))
        return fzi_cli_complain(cli, "--%s needs an archive: --db FILE",
                                fzi_cli_has(cli, FZ_CLI_RUN) ? "run" : "stored");
    if (!cli->words.count)
        return fzi_cli_complain(cli, "name a script, or an archive with --db");
    if (fzi_cli_has(cli, FZ_CLI_SKILL) && fzi_cli_has(cli, FZ_CLI_AGENTS))
        return fzi_cli_complain(cli, "--skill says which agents play; leave out --agents");
    return measure_script(cli, example, print);
}
