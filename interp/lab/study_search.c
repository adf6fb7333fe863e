/* Searches: studies with a budget. The rulesets that matter get most of the games. See study.h. */
#include "study.h"

static size_t lineups_of(const fz_study *study)
{
    return study->file.lineup_count;
}

fz_status fzi_study_open_search(fz_study *study)
{
    const fz_study_options *o = &study->options;
    fzi_study_file *file = &study->file;

    file->title = "";
    file->seed = o->sets_seed ? o->run.seed : 1;
    *FZI_MORE(study->arena, file->games, file->game_count, file->game_capacity) =
        (fzi_study_game){.path = fzi_arena_printf(study->arena, "%s", file->path)};
    const char *agents = o->run.agents ? o->run.agents : "random";
    agents = fzi_arena_printf(study->arena, "%s", agents);
    fzi_study_add_lineup(file, (fzi_study_lineup){.agents = agents});
    fz_status status = fzi_study_read_target(study);
    if (status == FZ_OK && o->grid)
        status = fzi_study_add_grid(file, o->grid);
    if (status == FZ_OK)
        status = fzi_study_expand(study, &file->games[0]);
    return status == FZ_OK ? fzi_study_begin_search(study) : status;
}

fz_status fzi_study_begin_search(fz_study *study)
{
    enum { USUAL = 100 };
    const fz_study_options *o = &study->options;
    size_t lineups = lineups_of(study), count = study->count / lineups;
    uint64_t budget = o->budget ? o->budget : USUAL * (uint64_t)count;
    double full = 0, fewest = INFINITY;

    for (size_t i = 0; i < study->count && o->target; i++)
        study->cells[i].playouts = budget;
    for (size_t i = 0; i < lineups; i++) {
        double playouts = (double)study->cells[i].playouts;
        full += playouts;
        fewest = playouts > 0 ? fmin(fewest, playouts) : fewest;
    }
    full = fmax(1, full);
    double least = fzi_allocation_least(count, fmax(1, full / fewest));
    if (o->run.shard)
        return fzi_context_fail(study->context, FZ_USAGE, "a budget cannot be divided into shards");
    if ((double)budget < least)
        return fzi_context_fail(study->context, FZ_USAGE, "a budget of %" PRIu64 " games is too "
                                "small: %zu %s need at least %.0f", budget, count,
                                o->target ? "variants" : "rulesets", least);
    study->all = budget;
    return fzi_allocation_begin(&study->allocation, study->context->allocator, count,
                                (double)budget, full)
               ? FZ_OK : fzi_context_no_memory(study->context);
}

/* How many games the cell has at the end of the round. */
static uint64_t games_of(const fz_study *study, const fzi_study_cell *cell)
{
    const fzi_allocation *a = &study->allocation;
    uint64_t games = (uint64_t)(a->share * (double)cell->playouts + 1e-6); /* never above it */
    uint64_t least = (uint64_t)a->round * FZI_LEAST_GAMES;

    games = games > least ? games : least;
    return games < cell->playouts ? games : cell->playouts;
}

/* Not every combination of values needs to make a game. Whatever else fails ends the search. */
static fz_status leave_out(fz_study *study, fzi_study_cell *cell, fz_status status,
                           fz_report **report)
{
    bool own = status == FZ_INVALID || status == FZ_RUNTIME;

    if (!study->options.target || !own || study->stopped || study->archive.failed ||
        fzi_study_cancelled(study))
        return status;
    const char *errors = report && *report ? fz_report_text(*report, FZ_TEXT) : NULL;
    const char *why = errors ? errors : fz_context_message(study->context);
    cell->failed = fzi_arena_printf(study->arena, "%.*s", (int)strcspn(why, "\n"), why);
    if (report) {
        fz_report_free(*report);
        *report = NULL;
    }
    return FZ_OK;
}

static fz_status play(fz_study *study, fzi_study_cell *cell, fz_report **report)
{
    const fzi_allocation *a = &study->allocation;
    uint64_t games = games_of(study, cell);

    if (cell->failed || (cell->experiment && games <= cell->played))
        return FZ_OK;
    /* What a variant was chosen by says too much good of it, so its last games alone count. */
    if (study->options.target && a->round == a->rounds)
        cell->judged.from = cell->played;
    fz_status status = fzi_study_play_cell(study, cell, games, report);
    return status == FZ_OK ? FZ_OK : leave_out(study, cell, status, report);
}

static fz_status play_round(fz_study *study, fz_report **report)
{
    const fzi_allocation *a = &study->allocation;
    size_t lineups = lineups_of(study);
    fz_status status = FZ_OK;

    for (size_t i = 0; i < study->count && status == FZ_OK; i++) {
        if (a->left[i / lineups])
            continue;
        status = play(study, &study->cells[i], report);
        if (status == FZ_OK && fzi_study_stop(study, 0, 0))
            status = fzi_context_fail(study->context, FZ_RUNTIME, "interrupted in round %u of %u",
                                      a->round, a->rounds);
    }
    return status;
}

/* A search in which nothing can be played fails as the first variant did. */
static fz_status any_played(fz_study *study)
{
    for (size_t i = 0; i < study->count; i++)
        if (!study->cells[i].failed)
            return FZ_OK;
    return fzi_context_fail(study->context, FZ_INVALID, "no variant can be played; '%s': %s",
                            study->cells[0].name, study->cells[0].failed);
}

fz_status fzi_study_search(fz_study *study, fz_report **report)
{
    fzi_allocation *a = &study->allocation;
    fz_status status = FZ_OK;

    while (status == FZ_OK && fzi_allocation_next(a)) {
        status = play_round(study, report);
        if (status == FZ_OK)
            status = any_played(study);
        if (status == FZ_OK && study->options.target)
            fzi_tune_rank(study, a->order, a->in);
        else if (status == FZ_OK)
            status = fzi_reconstruct_rank(study, a->order, a->in);
    }
    if (status == FZ_OK && study->options.target && study->options.picture)
        status = fzi_tune_draw(study);
    return status;
}
