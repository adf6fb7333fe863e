/* Games that are played and measured. See measure_run.h. */
#include "measure_run.h"

#include "archive_replay.h"
#include "lineup.h"
#include "sampling.h"
#include "sums_json.h"
#include "interp/terminal/progress.h"
#include "interp/terminal/terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/agents/agent.h"
#include "interp/play/match.h"
#include "interp/measures/measure_games.h"
#include "interp/measures/archived_measures.h"

/* ---- strategic depth ---- */

typedef struct doubling {
    const fzi_session *session;
    const char *descriptions[2];
} doubling;

static fz_status make_agent(void *user, unsigned which, fz_decider *decider, char *message)
{
    const doubling *d = user;

    return fzi_agent_decide(d->session, d->descriptions[which], decider, message);
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
                       .threads = fzi_threads(cli->threads), .watch = &watch};
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

static int measure_games(fzi_measure_run *run, const fzi_measuring *task, fzi_progress *progress)
{
    char message[256];
    fz_tally tally = {0};
    fz_status status;

    fzi_progress_begin(progress, "games");
    status = fzi_measure(task, &run->lines, &run->page.measures, &tally.failed_stream, message);
    fzi_progress_end(progress); /* before anything is said */
    if (fzi_terminal_interrupted())
        fprintf(stderr, "interrupted after %" PRIu64 " of %" PRIu64 " games\n",
                run->page.measures.games, run->count);
    if (status == FZ_OK || (status == FZ_USAGE && fzi_terminal_interrupted()))
        return FZ_EXIT_OK;
    tally.failed = status == FZ_RUNTIME;
    return fzi_session_playouts_failed(run->session, &tally, task->sample.cast, message);
}

/* Of a game with a board, the board says more. */
static void note_example(fzi_measure_run *run, const fz_state *from, const fz_lineup *cast)
{
    fzi_session *session = run->session;
    char *text = NULL;

    if (!run->wants_example || session->program->board.site_count > 1)
        return;
    if (fzi_session_record_playout(session, from, cast, run->first, &text) == FZ_OK &&
        fz_record_read(session->context, text, &run->example) != FZ_OK)
        run->example = (fz_record){0};
    fz_text_free(session->context, text);
    fz_machine_set_chance(session->machine, FZ_CHANCE_ASK);
}

static int play_as(fzi_measure_run *run, const fz_lineup *cast, const fz_lineup *influence)
{
    fzi_session *session = run->session;
    const fzi_cli *cli = session->cli;
    const fz_state *from = fzi_session_begins_elsewhere(cli) ? session->state : NULL;
    fzi_progress progress;
    fz_watch watch = fzi_watch(&progress);
    fzi_measuring task = {.sample = {.program = session->program, .limits = &cli->limits,
                                     .from = from, .cast = cast, .seed = cli->seed,
                                     .first = run->first, .count = run->count,
                                     .threads = fzi_threads(cli->threads), .watch = &watch,
                                     .sums = &run->sums},
                          .rollouts = (unsigned)cli->rollouts, .influence = influence,
                          .payoffs = run->payoffs};
    int code = FZ_EXIT_OK;

    fzi_terminal_catch_interrupt();
    if (fzi_cli_has(cli, FZ_CLI_STRATEGIC_DEPTH)) {
        run->page.has_depth = true;
        code = measure_depth(session, from, &run->page.depth);
    }
    if (code == FZ_EXIT_OK)
        code = measure_games(run, &task, &progress);
    if (code == FZ_EXIT_OK && !fzi_terminal_interrupted())
        note_example(run, from, cast);
    return code;
}

/* `cast`: the lineup of --agents; may be NULL. */
static int prepare(fzi_measure_run *run, const fzi_lineup *cast)
{
    fzi_session *session = run->session;
    fzi_allocator allocator = run->lines.allocator;

    if (fzi_session_begins_elsewhere(session->cli) &&
        fz_state_waiting(session->state) == FZ_GAME_OVER)
        return fzi_cli_complain(session->cli, "the game is over in this position");
    run->experiment = run->archived ? json_deep_copy(run->archived->experiment)
                                    : fzi_experiment_of(session, cast);
    if (!run->experiment)
        return FZ_EXIT_USAGE;
    fzi_experiment_measures(run->experiment, session->cli);
    if (fzi_cli_has(session->cli, FZ_CLI_SHARD))
        snprintf(run->part, sizeof run->part, "shard %.40s: games %" PRIu64 " to %" PRIu64
                 " of %" PRIu64, session->cli->values[FZ_CLI_SHARD], run->first + 1,
                 run->first + run->count, run->wanted);
    run->page.part = *run->part ? run->part : NULL;
    run->page.experiment = run->experiment;
    if (!fzi_lines_init(&run->lines, session->program, allocator) ||
        !fzi_measures_init(&run->page.measures, session->program, &run->lines,
                           session->cli->rollouts > 0, allocator))
        return fzi_cli_complain(session->cli, "out of memory");
    run->page.names = fzi_measures_names(session->program, &run->lines,
                                         session->cli->rollouts > 0);
    if (run->wants_example && fz_program_has_payoffs(session->program)) {
        size_t size = (size_t)fz_program_players(session->program) * sizeof *run->payoffs;
        run->payoffs = fzi_cli_allocate(NULL, size);
        memset(run->payoffs, 0, size);
    }
    return FZ_EXIT_OK;
}

/* With the agents of the command line. */
static int play(fzi_measure_run *run)
{
    const fzi_cli *cli = run->session->cli;
    bool agents = fzi_cli_has(cli, FZ_CLI_AGENTS), influence = fzi_cli_has(cli, FZ_CLI_INFLUENCE);
    fzi_lineup cast;
    int code;

    if (!agents && !influence) {
        code = prepare(run, NULL);
        return code == FZ_EXIT_OK ? play_as(run, NULL, NULL) : code;
    }
    /* The players of --influence need streams of their own, which random moves do not have. */
    code = fzi_lineup_read(&cast, run->session, agents ? cli->values[FZ_CLI_AGENTS] : "random");
    if (code != FZ_EXIT_OK)
        return code;
    code = prepare(run, agents ? &cast : NULL);
    if (code == FZ_EXIT_OK)
        code = play_as(run, agents ? &cast.cast : NULL, influence ? &cast.cast : NULL);
    fzi_lineup_clear(&cast);
    return code;
}

/* ---- archives ---- */

/* Agents of an archive run only if they are Ferz's own: it may come from anywhere. */
static int replay(fzi_measure_run *run)
{
    const fzi_archived_run *archived = run->archived;
    const fzi_cli *cli = run->session->cli;
    const char *agents = cli->values[FZ_CLI_AGENTS];
    fz_lineup cast;
    int code;

    if (!agents)
        return play(run);
    if (archived->recorded && !fzi_cli_has(cli, FZ_CLI_INFLUENCE)) {
        cast = fzi_archived_cast(run->archived);
        code = prepare(run, NULL);
        return code == FZ_EXIT_OK ? play_as(run, &cast, NULL) : code;
    }
    if (strstr(agents, "pipe:") || !fzi_experiment_is(archived->experiment, "repeatable"))
        return fzi_cli_complain(cli, archived->recorded
                                    ? "%s: --influence needs more games of the agents of run %lld, "
                                      "which cannot be repeated"
                                    : "%s: the games of run %lld can be repeated only from their "
                                      "records, and it was made without --records all; --stored "
                                      "measures what the archive has",
                                archived->archive.path, archived->archive.run);
    return play(run);
}

static bool take_stored(void *user, const fz_game_row *row, const uint32_t *line_steps,
                        const uint32_t *site_moves)
{
    fzi_measure_run *run = user;

    if (run->payoffs)
        fzi_histogram_add_payoffs(run->payoffs, run->session->program, row);
    return fzi_measures_add_row(&run->page.measures, run->session->program, &run->lines, row,
                                line_steps, site_moves);
}

/* Plays nothing: the rows of the archive, which has the use of the board if a study has played. */
static int read_stored(fzi_measure_run *run)
{
    fzi_archive *a = &run->archived->archive;
    const fzi_cli *cli = run->session->cli;
    int code;

    if (cli->rollouts || fzi_cli_has(cli, FZ_CLI_INFLUENCE) ||
        fzi_cli_has(cli, FZ_CLI_STRATEGIC_DEPTH))
        return fzi_cli_complain(cli, "--rollouts, --influence and --strategic-depth need the games "
                                "themselves: leave --stored out");
    code = prepare(run, NULL);
    if (code != FZ_EXIT_OK)
        return code;
    if (json_is_array(json_object_get(run->archived->experiment, "lines")))
        a->lines = &run->lines;
    fzi_archive_forget(a);
    a->done = 0;
    code = fzi_archive_load(a, &run->sums, take_stored, run);
    a->lines = NULL;
    return code;
}

/* Are the games that were measured those of the archive? */
static int check_sums(const fzi_measure_run *run)
{
    const fzi_archived_run *archived = run->archived;
    unsigned players = fzi_experiment_players(run->experiment);
    json_t *here = fzi_sums_json(&run->sums, players);
    json_t *there = fzi_sums_json(&archived->sums, players);
    const char *version;
    bool same, old;

    json_object_del(here, "branched"); /* archives need not have it */
    json_object_del(there, "branched");
    same = json_equal(here, there);
    json_decref(here);
    json_decref(there);
    if (same)
        return FZ_EXIT_OK;
    version = fzi_experiment_text(archived->experiment, "ferz");
    old = strcmp(version, FZ_VERSION) != 0;
    fzi_cli_complain(run->session->cli, "%s: the games of run %lld, played again, differ from "
                     "those in the archive%s%s", archived->archive.path, archived->archive.run,
                     old ? ", which were played by Ferz " : "", old ? version : "");
    return FZ_EXIT_WRONG;
}

/* ---- the command ---- */

static int measure_and_tell(fzi_measure_run *run, int (*tell)(const fzi_measure_run *run))
{
    const fzi_cli *cli = run->session->cli;
    int code;

    run->lines.allocator = run->page.measures.allocator = (fzi_allocator){fzi_cli_resize, NULL};
    fz_sums_init(&run->sums, fzi_cli_resize, NULL);
    if (cli->rollouts > 100000)
        code = fzi_cli_complain(cli, "--rollouts takes a number up to 100000");
    else
        code = fzi_cli_has(cli, FZ_CLI_STORED) ? read_stored(run)
               : run->archived ? replay(run) : play(run);
    if (run->archived && run->page.names && !fzi_terminal_interrupted() &&
        (code == FZ_EXIT_OK || run->archived->sums.failed)) {
        int checked = check_sums(run);
        code = code == FZ_EXIT_OK ? checked : code;
        if (checked != FZ_EXIT_OK)
            fzi_measures_clear(&run->page.measures);
    }
    if (run->page.names && (code == FZ_EXIT_OK || run->page.measures.games)) {
        int told = tell(run);
        code = code == FZ_EXIT_OK ? told : code;
    }
    fz_record_free(run->session->context, &run->example);
    free(run->payoffs);
    json_decref(run->experiment);
    json_decref(run->page.names);
    fz_sums_clear(&run->sums);
    fzi_measures_clear(&run->page.measures);
    fzi_lines_clear(&run->lines);
    return code;
}

static int measure_archive(const fzi_cli *cli, bool example,
                           int (*tell)(const fzi_measure_run *run))
{
    fzi_archived_run archived;
    fzi_measure_run run = {.session = &archived.session, .archived = &archived,
                           .wants_example = example};
    int code = fzi_archived_open(&archived, cli, cli->values[FZ_CLI_DB], cli->run);

    run.command = archived.command;
    run.first = archived.archive.first;
    run.count = archived.archive.done;
    run.wanted = archived.archive.count;
    if (code == FZ_EXIT_OK)
        code = fzi_session_begin(&archived.session, FZ_CHANCE_ASK);
    if (code == FZ_EXIT_OK)
        code = measure_and_tell(&run, tell);
    fzi_archived_close(&archived);
    return code;
}

/* What an archive says itself. */
static int check_options(const fzi_cli *cli)
{
    static const enum fzi_cli_option only[] = {FZ_CLI_CHOICE, FZ_CLI_POSITION, FZ_CLI_FEN,
                                               FZ_CLI_PLAY, FZ_CLI_SEED, FZ_CLI_COUNT,
                                               FZ_CLI_AGENTS, FZ_CLI_LIMIT, FZ_CLI_SHARD};

    if (cli->words.count)
        return fzi_cli_complain(cli, "the games are those of a script or of --db, not of both");
    for (size_t i = 0; i < sizeof only / sizeof only[0]; i++)
        if (fzi_cli_has(cli, only[i]))
            return fzi_cli_complain(cli, "--%s does not go with --db: the archive says which games "
                                    "they are", fzi_cli_option_at(only[i]).name);
    return FZ_EXIT_OK;
}

int fzi_measure_games(const fzi_cli *cli, bool example, int (*tell)(const fzi_measure_run *run))
{
    fzi_session session;
    fzi_measure_run run = {.session = &session, .count = cli->count, .wanted = cli->count,
                           .wants_example = example};
    int code;

    if (fzi_cli_has(cli, FZ_CLI_DB)) {
        code = check_options(cli);
        return code == FZ_EXIT_OK ? measure_archive(cli, example, tell) : code;
    }
    code = fzi_shard_range(cli, cli->count, &run.first, &run.count);
    if (code != FZ_EXIT_OK)
        return code;
    if (fzi_cli_has(cli, FZ_CLI_RUN) || fzi_cli_has(cli, FZ_CLI_STORED))
        return fzi_cli_complain(cli, "--%s needs an archive: --db FILE",
                                fzi_cli_has(cli, FZ_CLI_RUN) ? "run" : "stored");
    if (!cli->words.count)
        return fzi_cli_complain(cli, "name a script, or an archive with --db");
    code = fzi_session_open(&session, cli, cli->words.items[0]);
    if (code == FZ_EXIT_OK)
        code = fzi_session_begin(&session, FZ_CHANCE_ASK);
    if (code == FZ_EXIT_OK)
        code = measure_and_tell(&run, tell);
    fzi_session_clear(&session);
    return code;
}
