/* ferz playout: random games, and how they end. */
#include "cli.h"

typedef struct playout_run {
    fzi_session *session;
    const fz_lineup *lineup;      /* NULL: random moves */
    fzi_shard shard;          /* all playouts, without --shard */
    fz_archive *archive;      /* of --db; NULL */
    uint64_t whole;           /* playouts of all processes */
    fz_tally before, tally;   /* what the archive had, and all */
    fzi_wanted wanted;        /* of --records */
    fzi_processes *processes; /* of which this is one */
} playout_run;

static fz_status play(playout_run *r)
{
    fzi_progress progress;
    fz_watch watch = fzi_progress_begin(&progress, "playouts");
    fzi_setup setup = fzi_session_setup(r->session);

    setup.options.watch = &watch;
    if (r->processes->count > 1 && !setup.options.threads)
        setup.options.threads = 1;
    fz_sums_tally(&r->shard.sums, &r->before);
    fzi_terminal_catch_interrupt();
    fz_status status = fzi_shard_play(&setup, r->lineup, r->archive, &r->shard, &r->tally);
    fzi_progress_end(&progress);
    return status;
}

/* ---- the processes of a job ---- */

/* Plays this process's part. The first process then has the sums of all. */
static int play_part(playout_run *r, fz_status *status)
{
    unsigned rank = (unsigned)r->processes->rank, count = (unsigned)r->processes->count;
    uint64_t first = r->shard.first;
    double seconds;
    char *text;
    int code;

    r->whole = r->shard.count;
    r->shard.first += (uint64_t)((fz_uint128)r->whole * rank / count);
    r->shard.count = first + (uint64_t)((fz_uint128)r->whole * (rank + 1) / count) - r->shard.first;
    *status = play(r);
    if (rank > 0) {
        r->shard.count = fzi_shard_played(&r->shard);
        fzi_shard_text(&r->shard, r->session->context, &text);
        fzi_processes_send(r->processes, text, strlen(text));
        fz_text_free(r->session->context, text);
        return FZ_EXIT_OK;
    }
    seconds = r->tally.seconds;
    code = fzi_processes_add_parts(r->processes, r->session->cli, r->session->context, &r->shard,
                                   r->whole);
    r->shard.count = r->whole;
    fz_sums_tally(&r->shard.sums, &r->tally);
    r->tally.seconds = seconds;
    return code;
}

/* ---- reporting ---- */

/* Writes the shard's file. Sums that are not complete are of no use to `ferz merge`. */
static int write_shard(playout_run *r)
{
    const fzi_cli *cli = r->session->cli;
    const char *path = cli->values[FZ_CLI_OUTPUT];

    if (fzi_shard_played(&r->shard) < r->shard.count) {
        fzi_cli_complain(cli, "%s was not written: only %" PRIu64 " of %" PRIu64
                         " playouts were played", path, fzi_shard_played(&r->shard),
                         r->shard.count);
        return FZ_EXIT_WRONG;
    }
    return fzi_report_shard(cli, r->session->context, &r->shard);
}

static int print(playout_run *r)
{
    const fzi_cli *cli = r->session->cli;
    char part[128];

    snprintf(part, sizeof part, "shard %.40s: playouts %" PRIu64 " to %" PRIu64 " of %" PRIu64,
             fzi_cli_has(cli, FZ_CLI_SHARD) ? cli->values[FZ_CLI_SHARD] : "", r->shard.first + 1,
             r->shard.first + r->shard.count, cli->count);
    return fzi_report_print(cli, &r->shard, fzi_cli_has(cli, FZ_CLI_SHARD) ? part : NULL);
}

/* Plays and prints the results. */
static int play_and_report(playout_run *r)
{
    const fzi_cli *cli = r->session->cli;
    fz_status status;
    int code = play_part(r, &status);

    if (code == FZ_EXIT_OK && r->archive && r->archive->failed)
        code = fzi_cli_failed(cli, r->session->context, FZ_BAD_INPUT, NULL);
    if (code != FZ_EXIT_OK || r->processes->rank > 0)
        return code;
    if (status == FZ_NO_MEMORY) /* the sums may lack a part of a game */
        return fzi_cli_failed(cli, r->session->context, status, NULL);
    code = fzi_cli_has(cli, FZ_CLI_OUTPUT) ? write_shard(r) : print(r);
    if (cli->format == FZ_CLI_TEXT && !fzi_cli_has(cli, FZ_CLI_OUTPUT))
        fzi_report_rates(r->tally.playouts - r->before.playouts, r->tally.plies - r->before.plies,
                         r->tally.seconds);
    if (fzi_terminal_interrupted())
        fprintf(stderr, "interrupted after %" PRIu64 " of %" PRIu64 " playouts\n",
                fzi_shard_played(&r->shard), r->shard.count);
    if (code == FZ_EXIT_OK && fzi_cli_has(cli, FZ_CLI_RECORDS) && fzi_cli_has(cli, FZ_CLI_RECORD))
        code = fzi_record_wanted(r->session, r->lineup, &r->wanted, r->shard.first, &r->tally);
    if (r->tally.failed)
        return fzi_session_playouts_failed(r->session, &r->tally, r->lineup,
                                           r->shard.sums.message);
    if (status == FZ_OK || fzi_terminal_interrupted())
        return code;
    return fzi_cli_failed(cli, r->session->context, status, NULL);
}

/* With --db: the games go there, after those that it has. */
static int play_into_archive(playout_run *r)
{
    const fzi_cli *cli = r->session->cli;
    const fzi_setup setup = fzi_session_setup(r->session);
    fz_archive archive;
    fz_status status = fzi_archive_open(&archive, setup.context, cli->values[FZ_CLI_DB], true);
    int code;

    if (status == FZ_OK)
        status = fzi_archive_begin(&archive, &setup, &r->shard);
    r->archive = &archive;
    code = status == FZ_OK ? play_and_report(r) : fzi_cli_failed(cli, setup.context, status, NULL);
    fzi_archive_clear(&archive);
    return code;
}

/* Complains about options that cannot be combined. An exit code. */
static int check_options(const fzi_cli *cli, const fzi_processes *processes)
{
    bool db = fzi_cli_has(cli, FZ_CLI_DB), several = processes->count > 1;

    if (processes->rank > 0) /* the first one complains */
        return several && db ? FZ_EXIT_USAGE : FZ_EXIT_OK;
    if (db && several)
        return fzi_cli_complain(cli, "--db is for one process; start `ferz playout --shard` for "
                                "each, with archives of their own");
    if (!db && fzi_cli_has(cli, FZ_CLI_RESUME))
        return fzi_cli_complain(cli, "--resume needs an archive: --db FILE");
    return FZ_EXIT_OK;
}

static int run_as(fzi_session *session, const fzi_lineup *lineup, fzi_processes *processes)
{
    const fzi_cli *cli = session->cli;
    playout_run r = {.session = session, .lineup = lineup->games, .processes = processes};
    const fzi_setup setup = fzi_session_setup(session);

    fzi_setup_range(&setup, &r.shard.first, &r.shard.count);
    if (setup.options.from && fz_state_waiting(session->state) == FZ_GAME_OVER)
        return fzi_cli_complain(cli, "the game is over in this position");
    r.shard.experiment = fzi_experiment_of(&setup, !lineup->timed);
    if (!r.shard.experiment)
        return fzi_cli_failed(cli, session->context, FZ_RUNTIME, NULL);
    fz_sums_init(&r.shard.sums, fzi_cli_resize, NULL);
    int code = check_options(cli, processes);
    if (code == FZ_EXIT_OK && fzi_cli_has(cli, FZ_CLI_RECORDS))
        code = fzi_records_read(session, &r.wanted);
    else if (code == FZ_EXIT_OK && fzi_cli_has(cli, FZ_CLI_RECORD) && processes->rank == 0)
        code = fzi_record_first(session, r.lineup, r.shard.first);
    if (code == FZ_EXIT_OK)
        code = fzi_cli_has(cli, FZ_CLI_DB) ? play_into_archive(&r) : play_and_report(&r);
    fzi_shard_clear(&r.shard);
    return code;
}

static int run(fzi_session *session, fzi_processes *processes)
{
    const fzi_setup setup = fzi_session_setup(session);
    fzi_lineup lineup;
    fz_status status = fzi_lineup_read(&lineup, &setup, setup.options.agents);
    int code = status == FZ_OK ? run_as(session, &lineup, processes)
                               : fzi_cli_failed(session->cli, session->context, status, NULL);

    fzi_lineup_clear(&lineup);
    return code;
}

int fzi_cli_playout(const fzi_cli *cli)
{
    fzi_processes processes;
    fzi_session session = {.cli = cli, .path = cli->words.items[0]};
    int code = fzi_processes_begin(&processes, cli);

    if (code != FZ_EXIT_OK)
        return code;
    code = fzi_session_compile(&session, processes.rank == 0);
    if (code == FZ_EXIT_OK)
        code = fzi_session_begin(&session, FZ_CHANCE_ASK);
    if (code == FZ_EXIT_OK)
        code = run(&session, &processes);
    fzi_session_clear(&session);
    fzi_processes_end(&processes, code);
    return code;
}
