/* Games that are played and measured. See lab.h. */
#include "lab.h"

#include "interp/agents/agent.h"

/* The caller's watch, which also notes that it has stopped the run. */
static bool stop(void *user, uint64_t done, uint64_t total)
{
    fzi_measure_run *run = user;
    const fz_watch *watch = run->setup.options.watch;
    bool stops = watch && watch->stop(watch->user, done, total);

    if (stops)
        __atomic_store_n(&run->stopped, true, __ATOMIC_RELAXED);
    return stops;
}

/* ---- strategic depth ---- */

/* The difference in Elo between an agent with twice its effort and itself. */
static fz_status measure_depth(fzi_measure_run *run, const fz_watch *watch)
{
    const fzi_setup *setup = &run->setup;
    const fz_run_options *o = &setup->options;
    const char *description = run->options.strategic_depth;
    char twice[256], message[256];
    fzi_lineup pair = {.setup = *setup, .descriptions = {twice, description}, .count = 2};
    fzi_match match = {.program = setup->program, .limits = o->limits, .from = o->from,
                       .make = fzi_lineup_agent, .user = &pair,
                       .logs = fz_program_hides(setup->program),
                       .seed = o->seed, .pairs = o->count / 2 + o->count % 2,
                       .threads = fzi_threads(o->threads), .watch = watch};
    fzi_match_result result;
    uint64_t failed;

    if (!fzi_agent_doubled(description, twice, sizeof twice))
        return fzi_context_fail(setup->context, FZ_USAGE, "strategic depth needs an agent whose "
                                "effort can be doubled, such as mcts:100 or flat:100, not '%s'",
                                description);
    fz_status status = fzi_match_play(&match, &result, &failed, message);
    run->page.has_depth = true;
    run->page.depth = fzi_elo_estimate(fzi_match_score(&result));
    return status == FZ_OK ? FZ_OK : fzi_context_fail(setup->context, FZ_USAGE, "%s", message);
}

/* ---- measuring ---- */

/* The board of a game with more than one site says more than an example. */
static void note_example(fzi_measure_run *run, const fz_lineup *lineup)
{
    const fzi_setup *setup = &run->setup;
    char *text = NULL;

    if (!run->wants_example || setup->program->board.site_count > 1)
        return;
    if (fzi_setup_record(setup, lineup, run->first, &text) == FZ_OK &&
        fz_record_read(setup->context, text, &run->example) != FZ_OK)
        run->example = (fz_record){0};
    fz_text_free(setup->context, text);
}

static fz_status play_as(fzi_measure_run *run, const fz_lineup *lineup, const fz_lineup *influence)
{
    const fzi_setup *setup = &run->setup;
    const fz_run_options *o = &setup->options;
    const fz_watch watch = {stop, run};
    fzi_measuring task = {.sample = {.program = setup->program, .limits = o->limits,
                                     .from = o->from, .lineup = lineup, .seed = o->seed,
                                     .first = run->first, .count = run->count,
                                     .threads = fzi_threads(o->threads), .watch = &watch,
                                     .sums = &run->sums},
                          .rollouts = run->options.rollouts, .influence = influence};
    fz_tally tally = {0};
    char message[256];
    fz_status status = run->options.strategic_depth ? measure_depth(run, &watch) : FZ_OK;

    if (status != FZ_OK)
        return status;
    status = fzi_measure(&task, &run->lines, &run->page.measures, &tally.failed_stream, message);
    if (status == FZ_NO_MEMORY)
        return fzi_context_no_memory(setup->context);
    if (status != FZ_OK && !(status == FZ_USAGE && run->stopped)) {
        tally.failed = status == FZ_RUNTIME;
        return fzi_setup_playouts_failed(setup, &tally, lineup, message, NULL);
    }
    if (!run->stopped)
        note_example(run, lineup);
    return FZ_OK;
}

/* The page without games. */
static fz_status prepare(fzi_measure_run *run, bool repeatable)
{
    const fzi_setup *setup = &run->setup;
    const fz_run_options *o = &setup->options;
    fzi_allocator allocator = setup->context->allocator;
    bool rollouts = run->options.rollouts > 0;

    if (o->from && fz_state_waiting(o->from) == FZ_GAME_OVER)
        return fzi_context_fail(setup->context, FZ_USAGE, "the game is over in this position");
    run->experiment = run->archived ? json_incref(run->archived->experiment)
                                    : fzi_experiment_of(setup, repeatable);
    if (!run->experiment)
        return FZ_USAGE;
    run->page.experiment = run->experiment;
    if (!fzi_lines_init(&run->lines, setup->program, allocator) ||
        !fzi_measures_init(&run->page.measures, setup->program, &run->lines, rollouts, allocator))
        return fzi_context_no_memory(setup->context);
    run->page.program = setup->program;
    run->page.lines = &run->lines;
    run->page.rollouts = run->options.rollouts;
    return FZ_OK;
}

/* With the agents of the options. */
static fz_status play(fzi_measure_run *run)
{
    const char *agents = run->setup.options.agents;
    bool influence = run->options.influence;
    fzi_lineup lineup;
    /* The players of companions need streams of their own, which random moves do not have. */
    fz_status status = fzi_lineup_read(&lineup, &run->setup,
                                       agents || !influence ? agents : "random");

    if (status == FZ_OK)
        status = prepare(run, !agents || !lineup.timed);
    if (status == FZ_OK)
        status = play_as(run, agents ? lineup.games : NULL, influence ? lineup.games : NULL);
    fzi_lineup_clear(&lineup);
    return status;
}

/* Sets what the run begins with. */
static fz_status begin(fzi_measure_run *run, const fzi_setup *setup)
{
    fzi_allocator allocator = setup->context->allocator;

    run->setup = *setup;
    run->lines.allocator = run->page.measures.allocator = allocator;
    fz_sums_init(&run->sums, allocator.resize, allocator.user);
    if (run->options.rollouts > 100000)
        return fzi_context_fail(setup->context, FZ_USAGE,
                                "there may be at most 100000 rollouts from a turn");
    return FZ_OK;
}

fz_status fzi_measure_play(fzi_measure_run *run, const fzi_setup *setup)
{
    fz_status status = begin(run, setup);

    run->wanted = setup->options.count;
    fzi_setup_range(setup, &run->first, &run->count);
    return status == FZ_OK ? play(run) : status;
}

/* ---- archives ---- */

/* Agents of an archive run only if they are Ferz's own: it may come from anywhere. */
static fz_status replay(fzi_measure_run *run)
{
    fzi_archived_run *archived = run->archived;
    const char *agents = run->setup.options.agents;
    fz_lineup lineup;
    fz_status status;

    if (!agents)
        return play(run);
    if (archived->recorded && !run->options.influence) {
        lineup = fzi_archived_lineup(archived);
        status = prepare(run, true);
        return status == FZ_OK ? play_as(run, &lineup, NULL) : status;
    }
    if (strstr(agents, "pipe:") || !fzi_experiment_is(archived->experiment, "repeatable"))
        return fzi_context_fail(run->setup.context, FZ_REFUSED, archived->recorded
                                    ? "%s: the influence of chance needs more games of the agents "
                                      "of run %lld, which cannot be repeated"
                                    : "%s: the games of run %lld can be repeated only from their "
                                      "records, and it was made without records of all",
                                archived->archive.path, archived->archive.run);
    return play(run);
}

static bool take_stored(void *user, const fz_game_row *row, const uint32_t *line_steps,
                        const uint32_t *site_moves)
{
    fzi_measure_run *run = user;

    return fzi_measures_add_row(&run->page.measures, run->setup.program, &run->lines, row,
                                line_steps, site_moves);
}

/* Plays nothing: the rows of the archive, which has the use of the board if a study has played. */
static fz_status read_stored(fzi_measure_run *run)
{
    fz_archive *a = &run->archived->archive;

    if (run->options.rollouts || run->options.influence || run->options.strategic_depth)
        return fzi_context_fail(a->context, FZ_USAGE, "rollouts, the influence of chance and "
                                "strategic depth need the games themselves, not what is stored");
    fz_status status = prepare(run, true);
    if (status != FZ_OK)
        return status;
    if (fzi_experiment_has_use(run->archived->experiment))
        a->lines = &run->lines;
    fzi_archive_forget(a);
    a->done = 0;
    status = fzi_archive_load(a, &run->sums, take_stored, run);
    a->lines = NULL;
    return status;
}

/* Are the games that were measured those of the archive? If not, there is nothing to report. */
static fz_status check_sums(fzi_measure_run *run, fz_status status)
{
    const fzi_archived_run *archived = run->archived;
    unsigned players = fzi_experiment_players(run->experiment);
    json_t *here = fzi_sums_json(&run->sums, players);
    json_t *there = fzi_sums_json(&archived->sums, players);
    const char *version = fzi_experiment_text(archived->experiment, "ferz");
    bool same, old = strcmp(version, FZ_VERSION) != 0;

    json_object_del(here, "branched"); /* archives need not have it */
    json_object_del(there, "branched");
    same = json_equal(here, there);
    json_decref(here);
    json_decref(there);
    if (same)
        return status;
    if (status == FZ_OK)
        fzi_context_fail(run->setup.context, FZ_RUNTIME, "%s", "");
    fzi_context_add_line(run->setup.context, "%s: the games of run %lld, played again, differ from "
                         "those in the archive%s%s", archived->archive.path, archived->archive.run,
                         old ? ", which were played by Ferz " : "", old ? version : "");
    fzi_measures_clear(&run->page.measures);
    return status == FZ_OK ? FZ_RUNTIME : status;
}

fz_status fzi_measure_archived(fzi_measure_run *run, fzi_archived_run *archived)
{
    const char *position = fzi_experiment_text(archived->experiment, "position");
    fz_status status = begin(run, &archived->setup);

    if (status == FZ_OK)
        status = fzi_setup_begin(&archived->setup, *position ? position : NULL);
    run->setup = archived->setup;
    run->archived = archived;
    run->command = archived->command;
    run->first = archived->archive.first;
    run->count = archived->archive.done;
    run->wanted = archived->archive.count;
    if (status == FZ_OK)
        status = run->stored ? read_stored(run) : replay(run);
    if (run->page.program && !run->stopped && (status == FZ_OK || archived->sums.failed))
        status = check_sums(run, status);
    return status;
}

bool fzi_measure_has_page(const fzi_measure_run *run, fz_status status)
{
    return run->page.program && (status == FZ_OK || run->page.measures.games);
}

void fzi_measure_clear(fzi_measure_run *run)
{
    if (!run->setup.context)
        return;
    fz_record_free(run->setup.context, &run->example);
    json_decref(run->experiment);
    fz_sums_clear(&run->sums);
    fzi_measures_clear(&run->page.measures);
    fzi_lines_clear(&run->lines);
}
