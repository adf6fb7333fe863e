/* Games that are played and measured. See measure_run.h. */
#include "measure_run.h"

#include "cast.h"
#include "sampling.h"
#include "terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "interp/agents/agent.h"
#include "interp/analysis/match.h"
#include "interp/measures/measuring.h"

/* ---- strategic depth ---- */

typedef struct doubling {
    const fzi_session *session;
    const char *descriptions[2];
} doubling;

static fz_status make_agent(void *user, unsigned which, fz_decider *decider, char *message)
{
    const doubling *d = user;
    fz_agent *agent;
    fz_status status = fzi_agent_make(d->session, d->descriptions[which], &agent, message);

    if (status == FZ_OK)
        *decider = fz_agent_decider(agent);
    return status;
}

/* The difference in Elo between an agent with twice its effort and itself. */
static int measure_depth(const fzi_session *session, const fz_state *from, fzi_estimate *elo)
{
    const fzi_cli *cli = session->cli;
    const char *description = cli->values[FZ_CLI_STRATEGIC_DEPTH];
    char twice[256], message[256];
    doubling d = {session, {twice, description}};
    fzi_progress progress;
    fz_watch watch = fzi_watch(&progress);
    fzi_match match = {.program = session->program, .limits = &cli->limits, .from = from,
                       .make = make_agent, .user = &d, .logs = fz_program_hides(session->program),
                       .seed = cli->seed, .pairs = cli->count / 2 + cli->count % 2,
                       .threads = fzi_threads(cli), .watch = &watch};
    fzi_match_result result;
    uint64_t failed;
    fz_status status;

    if (!fzi_agent_doubled(description, twice, sizeof twice))
        return fzi_cli_complain(cli, "--strategic-depth takes an agent whose effort can be "
                                "doubled, such as mcts:100 or flat:100, not '%s'", description);
    fzi_progress_begin(&progress, "games of twice the effort");
    status = fzi_match_play(&match, &result, &failed, message);
    fzi_progress_end(&progress);
    *elo = fzi_pairs_elo(&result.pairs);
    return status == FZ_OK ? FZ_EXIT_OK : fzi_cli_complain(cli, "%s", message);
}

/* ---- measuring ---- */

static int measure_games(fzi_measure_run *run, const fzi_measuring *task)
{
    char message[256];
    fz_tally tally = {0};
    fz_status status = fzi_measure(task, &run->lines, &run->page.measures, &tally.failed_stream,
                                   message);

    if (fzi_terminal_interrupted())
        fprintf(stderr, "interrupted after %" PRIu64 " of %" PRIu64 " games\n",
                run->page.measures.games, run->count);
    if (status == FZ_OK || (status == FZ_USAGE && fzi_terminal_interrupted()))
        return FZ_EXIT_OK;
    tally.failed = status == FZ_RUNTIME;
    return fzi_session_playouts_failed(run->session, &tally, task->sample.cast, message);
}

static int play_as(fzi_measure_run *run, const fz_cast *cast, const fz_cast *influence)
{
    fzi_session *session = run->session;
    const fzi_cli *cli = session->cli;
    const fz_state *from = fzi_session_begins_elsewhere(cli) ? session->state : NULL;
    fzi_progress progress;
    fz_watch watch = fzi_watch(&progress);
    fzi_measuring task = {.sample = {.program = session->program, .limits = &cli->limits,
                                     .from = from, .cast = cast, .seed = cli->seed,
                                     .first = run->first, .count = run->count,
                                     .threads = fzi_threads(cli), .watch = &watch,
                                     .sums = &run->sums},
                          .rollouts = (unsigned)cli->rollouts, .influence = influence};
    int code = FZ_EXIT_OK;

    fzi_terminal_catch_interrupt();
    if (fzi_cli_has(cli, FZ_CLI_STRATEGIC_DEPTH)) {
        run->page.has_depth = true;
        code = measure_depth(session, from, &run->page.depth);
    }
    fzi_progress_begin(&progress, "games");
    if (code == FZ_EXIT_OK)
        code = measure_games(run, &task);
    fzi_progress_end(&progress);
    return code;
}

/* `cast`: of --agents; NULL. */
static int prepare(fzi_measure_run *run, const fzi_cast *cast)
{
    fzi_session *session = run->session;
    fzi_allocator allocator = run->lines.allocator;

    if (fzi_session_begins_elsewhere(session->cli) &&
        fz_state_waiting(session->state) == FZ_GAME_OVER)
        return fzi_cli_complain(session->cli, "the game is over in this position");
    run->experiment = fzi_experiment_of(session, cast);
    if (!run->experiment)
        return FZ_EXIT_USAGE;
    fzi_experiment_measures(run->experiment, session->cli);
    run->page.experiment = run->experiment;
    if (!fzi_lines_init(&run->lines, session->program, allocator) ||
        !fzi_measures_init(&run->page.measures, session->program, &run->lines, allocator))
        return fzi_cli_complain(session->cli, "out of memory");
    run->page.names = fzi_measures_names(session->program, &run->lines);
    return FZ_EXIT_OK;
}

int fzi_measure_run_play(fzi_measure_run *run, fzi_session *session, uint64_t first,
                         uint64_t count)
{
    const fzi_cli *cli = session->cli;
    bool agents = fzi_cli_has(cli, FZ_CLI_AGENTS), influence = fzi_cli_has(cli, FZ_CLI_INFLUENCE);
    fzi_cast cast;
    int code;

    *run = (fzi_measure_run){.session = session, .first = first, .count = count};
    run->lines.allocator = run->page.measures.allocator = (fzi_allocator){fzi_cli_resize, NULL};
    fz_sums_init(&run->sums, fzi_cli_resize, NULL);
    if (cli->rollouts > 100000)
        return fzi_cli_complain(cli, "--rollouts takes a number up to 100000");
    if (!agents && !influence) {
        code = prepare(run, NULL);
        return code == FZ_EXIT_OK ? play_as(run, NULL, NULL) : code;
    }
    /* The players of --influence need streams of their own, which random moves do not have. */
    code = fzi_cast_read(&cast, session, agents ? cli->values[FZ_CLI_AGENTS] : "random");
    if (code != FZ_EXIT_OK)
        return code;
    code = prepare(run, agents ? &cast : NULL);
    if (code == FZ_EXIT_OK)
        code = play_as(run, agents ? &cast.cast : NULL, influence ? &cast.cast : NULL);
    fzi_cast_clear(&cast);
    return code;
}

void fzi_measure_run_clear(fzi_measure_run *run)
{
    json_decref(run->experiment);
    json_decref(run->page.names);
    fz_sums_clear(&run->sums);
    fzi_measures_clear(&run->page.measures);
    fzi_lines_clear(&run->lines);
}
