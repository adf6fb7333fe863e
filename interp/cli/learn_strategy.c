/* ferz learn of a game that hides something: a strategy, learned by self-play. */
#include "cli.h"

#include "interp/lab/strategy_learning.h"

enum { ROWS = 10 };           /* of the report */
static const size_t MEMORY = (size_t)1 << 30;

typedef struct run {
    json_t *rows;
    bool stopped;
    uint64_t failed;          /* games */
    char *why;                /* of the first that failed; to be freed */
} run;

static int read_sampling(const fzi_cli *cli, fzi_sampling *sampling)
{
    const char *given = cli->values[FZ_CLI_SAMPLING];

    *sampling = FZ_SAMPLING_OUTCOME;
    for (unsigned i = 0; given && fzi_sampling_names[i]; i++)
        if (strcmp(given, fzi_sampling_names[i]) == 0) {
            *sampling = (fzi_sampling)i;
            return FZ_EXIT_OK;
        }
    return given ? fzi_cli_complain(cli, "--sampling is outcome, external or chance, not '%s'",
                                    given)
                 : FZ_EXIT_OK;
}

/* Plays up to the number of --count, earlier games included. */
static fz_status play(fzi_regret_learning *y, uint64_t count, const fz_watch *watch, run *all)
{
    uint64_t begun = y->games, total = count > begun ? count - begun : 0;
    fz_status status = FZ_OK;

    for (uint64_t i = 0; i < total; i++) {
        all->stopped = fzi_watch_stops(watch, y->machine->limits.cancel, i, total);
        if (all->stopped)
            break;
        status = fzi_regrets_play(y);
        if (status == FZ_RUNTIME && !all->failed++)
            all->why = fzi_cli_text("%s", fz_context_message(y->setup->context));
        if (status != FZ_OK && status != FZ_RUNTIME)
            break;
        status = FZ_OK;
        if ((fz_uint128)(i + 1) * ROWS / total != (fz_uint128)i * ROWS / total)
            json_array_append_new(all->rows,
                                  json_pack("{s:I, s:I}", "games", (json_int_t)y->games,
                                            "information_sets", (json_int_t)y->strategy->count));
    }
    if (status != FZ_NOT_FOUND)
        return status;
    all->stopped = true; /* in the middle of a game */
    return FZ_OK;
}

static int report(const fzi_session *session, const fzi_regret_learning *y, const run *all,
                  const char *path)
{
    const char *title = fz_program_title(session->program);
    const char *sampling = fzi_sampling_names[y->sampling];
    char sets[32];

    if (session->cli->format == FZ_CLI_JSON)
        return fzi_json_print(json_pack(
            "{s:s, s:s, s:I, s:I, s:s, s:I, s:I, s:b, s:O, s:o}", "game", title, "file", path,
            "games", (json_int_t)y->games, "failed", (json_int_t)all->failed, "sampling", sampling,
            "information_sets", (json_int_t)y->set_count, "full", (json_int_t)y->full,
            "stopped", all->stopped, "course", all->rows, "run", fzi_session_trace(session)));
    printf("%s: %" PRIu64 " games of seed %" PRIu64, title, y->games, y->seed);
    if (all->failed)
        printf(" (%" PRIu64 " failed)", all->failed);
    printf(", %s information sets, %s sampling\n\n", fzi_grouped(y->set_count, sets),
           sampling);
    fzi_json_print_rows(all->rows, false, NULL);
    if (y->full)
        printf("\nmemory was full: nothing was learned of %" PRIu64 " decisions "
               "(--limit memory=N allows more)\n", y->full);
    printf("\nwritten to %s%s\n", path,
           all->stopped ? "; stopped early, --resume continues" : "");
    return FZ_EXIT_OK;
}

static int learn(fzi_session *session, fzi_sampling sampling, const char *path, bool there)
{
    const fzi_cli *cli = session->cli;
    fzi_setup setup = fzi_session_setup(session);
    size_t most = cli->limits.memory ? cli->limits.memory : MEMORY;
    fzi_regret_learning y;
    fzi_progress progress;
    run all = {.rows = json_array()};
    char *text = NULL;

    fzi_terminal_catch_interrupt();
    fz_watch watch = fzi_progress_begin(&progress, "games");
    fz_status status = fzi_regrets_begin(&y, &setup, there ? path : NULL, sampling, most);
    if (status == FZ_OK)
        status = play(&y, cli->count, &watch, &all);
    fzi_progress_end(&progress);
    fzi_terminal_begin_saving();
    if (status == FZ_OK)
        status = fzi_strategy_text(&y, &text);
    int code = status == FZ_NOT_FOUND && fzi_terminal_interrupted()
                   ? fzi_cli_complain(cli, "interrupted: nothing is learned")
                   : fzi_cli_write(cli, session->context, status, text, path);
    if (code == FZ_EXIT_OK && strcmp(path, "-") != 0)
        code = report(session, &y, &all, path);
    if (code == FZ_EXIT_OK && all.failed) {
        fzi_cli_say(cli, all.why);
        code = FZ_EXIT_WRONG;
    }
    fzi_regrets_clear(&y);
    json_decref(all.rows);
    free(all.why);
    return code;
}

int fzi_cli_learn_strategy(fzi_session *session, const char *path, bool there)
{
    fzi_sampling sampling;
    int code = read_sampling(session->cli, &sampling);

    return code == FZ_EXIT_OK ? learn(session, sampling, path, there) : code;
}
