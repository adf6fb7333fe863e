/* ferz learn of a game that hides something: a strategy, learned by self-play. */
#include "cli.h"

#include "interp/lab/strategy_learning.h"

enum { ROWS = 10 };           /* of the report */

typedef struct course {
    fzi_learn_run games;
    fzi_regret_learning *y;
    json_t *rows;
} course;

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

static fz_status play_game(void *user, uint64_t number, uint64_t total)
{
    const course *all = user;
    fz_status status = fzi_regrets_play(all->y);
    bool ends = (fz_uint128)(number + 1) * ROWS / total != (fz_uint128)number * ROWS / total;

    if (ends && (status == FZ_OK || status == FZ_RUNTIME))
        json_array_append_new(all->rows,
                              json_pack("{s:I, s:I}", "games", (json_int_t)all->y->games,
                                        "information_sets",
                                        (json_int_t)all->y->strategy->count));
    return status;
}

static int report(const fzi_session *session, const fzi_regret_learning *y, const course *all,
                  const char *path)
{
    const char *title = fz_program_title(session->program);
    const char *sampling = fzi_sampling_names[y->sampling];
    char sets[32];

    if (session->cli->format == FZ_CLI_JSON)
        return fzi_json_print(json_pack(
            "{s:s, s:s, s:I, s:I, s:s, s:I, s:I, s:b, s:O, s:o}", "game", title, "file", path,
            "games", (json_int_t)y->games, "failed", (json_int_t)all->games.failed, "sampling",
            sampling, "information_sets", (json_int_t)y->set_count, "full", (json_int_t)y->full,
            "stopped", all->games.stopped, "course", all->rows, "run", fzi_session_trace(session)));
    printf("%s: %" PRIu64 " games of seed %" PRIu64, title, y->games, y->seed);
    if (all->games.failed)
        printf(" (%" PRIu64 " failed)", all->games.failed);
    printf(", %s information sets, %s sampling\n\n", fzi_grouped(y->set_count, sets),
           sampling);
    fzi_json_print_rows(all->rows, false, NULL);
    if (y->full)
        printf("\nmemory was full: nothing was learned of %" PRIu64 " decisions "
               "(--limit memory=N allows more)\n", y->full);
    printf("\nwritten to %s%s\n", path,
           all->games.stopped ? "; stopped early, --resume continues" : "");
    return FZ_EXIT_OK;
}

static int learn(fzi_session *session, fzi_sampling sampling, const char *path, bool there)
{
    fzi_setup setup = fzi_session_setup(session);
    fzi_regret_learning y;
    fzi_progress progress;
    course all = {.y = &y, .rows = json_array()};
    char *text = NULL;

    fzi_terminal_catch_interrupt();
    fz_watch watch = fzi_progress_begin(&progress, "games");
    fz_status status = fzi_regrets_begin(&y, &setup, there ? path : NULL, sampling,
                                         fzi_cli_memory(session->cli));
    if (status == FZ_OK)
        status = fzi_learn_games(&all.games, session, y.machine, y.games, &watch, play_game, &all);
    fzi_progress_end(&progress);
    fzi_terminal_end_slowly();
    if (status == FZ_OK)
        status = fzi_strategy_text(&y, &text);
    int code = fzi_learn_write(session, status, text, path);
    if (code == FZ_EXIT_OK && strcmp(path, "-") != 0)
        code = report(session, &y, &all, path);
    fzi_regrets_clear(&y);
    json_decref(all.rows);
    return fzi_learn_end(session, &all.games, code);
}

int fzi_cli_learn_strategy(fzi_session *session, const char *path, bool there)
{
    fzi_sampling sampling;
    int code = read_sampling(session->cli, &sampling);

    return code == FZ_EXIT_OK ? learn(session, sampling, path, there) : code;
}
