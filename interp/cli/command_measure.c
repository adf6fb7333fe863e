/* ferz measure: what games say about a game. */
#include "cast.h"
#include "measures_output.h"
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

static int measure_games(fzi_session *session, const fzi_measuring *task, const fzi_lines *lines,
                         fzi_measures *measures)
{
    char message[256];
    fz_tally tally = {0};
    fz_status status = fzi_measure(task, lines, measures, &tally.failed_stream, message);

    if (fzi_terminal_interrupted())
        fprintf(stderr, "interrupted after %" PRIu64 " of %" PRIu64 " games\n", measures->games,
                session->cli->count);
    if (status == FZ_OK || (status == FZ_USAGE && fzi_terminal_interrupted()))
        return FZ_EXIT_OK;
    tally.failed = status == FZ_RUNTIME;
    return fzi_session_playouts_failed(session, &tally, task->sample.cast, message);
}

static int measure_as(fzi_session *session, const fz_cast *cast, const fz_cast *influence)
{
    const fzi_cli *cli = session->cli;
    const fz_state *from = fzi_session_begins_elsewhere(cli) ? session->state : NULL;
    fzi_progress progress;
    fz_watch watch = fzi_watch(&progress);
    fzi_measuring task = {.sample = {.program = session->program, .limits = &cli->limits,
                                     .from = from, .cast = cast, .seed = cli->seed,
                                     .count = cli->count, .threads = fzi_threads(cli),
                                     .watch = &watch},
                          .rollouts = (unsigned)cli->rollouts, .influence = influence};
    fzi_measures_page page = {.session = session, .rollouts = task.rollouts};
    fz_config config = {.resize = fzi_cli_resize};
    fzi_allocator allocator = {config.resize, NULL};
    int code = FZ_EXIT_OK;

    if (from && fz_state_waiting(from) == FZ_GAME_OVER)
        return fzi_cli_complain(cli, "the game is over in this position");
    if (!fzi_lines_init(&page.lines, session->program, allocator) ||
        !fzi_measures_init(&page.measures, session->program, &page.lines, allocator))
        return fzi_cli_complain(cli, "out of memory");
    fzi_terminal_catch_interrupt();
    if (fzi_cli_has(cli, FZ_CLI_STRATEGIC_DEPTH)) {
        page.has_depth = true;
        code = measure_depth(session, from, &page.depth);
    }
    fzi_progress_begin(&progress, "games");
    if (code == FZ_EXIT_OK)
        code = measure_games(session, &task, &page.lines, &page.measures);
    fzi_progress_end(&progress);
    if (code == FZ_EXIT_OK || page.measures.games) {
        int printed = fzi_measures_print(&page);
        code = code == FZ_EXIT_OK ? printed : code;
    }
    fzi_measures_clear(&page.measures);
    fzi_lines_clear(&page.lines);
    return code;
}

static int run(fzi_session *session)
{
    const fzi_cli *cli = session->cli;
    bool agents = fzi_cli_has(cli, FZ_CLI_AGENTS), influence = fzi_cli_has(cli, FZ_CLI_INFLUENCE);
    fzi_cast cast;
    int code;

    if (cli->rollouts > 100000)
        return fzi_cli_complain(cli, "--rollouts takes a number up to 100000");
    if (!agents && !influence)
        return measure_as(session, NULL, NULL);
    /* The players of --influence need streams of their own, which random moves do not have. */
    code = fzi_cast_read(&cast, session, agents ? cli->values[FZ_CLI_AGENTS] : "random");
    if (code != FZ_EXIT_OK)
        return code;
    code = measure_as(session, agents ? &cast.cast : NULL, influence ? &cast.cast : NULL);
    fzi_cast_clear(&cast);
    return code;
}

int fzi_cli_measure(const fzi_cli *cli)
{
    return fzi_session_run(cli, FZ_CHANCE_ASK, run);
}
