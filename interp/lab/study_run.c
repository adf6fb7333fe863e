/* Studies: the public functions. See study.h. */
#include "study.h"

static fz_status play_cells(fz_study *study, fz_report **report)
{
    fz_status status = FZ_OK;

    for (size_t i = 0; i < study->count; i++)
        study->all += study->cells[i].playouts;
    for (size_t i = 0; i < study->count && status == FZ_OK; i++) {
        status = fzi_study_play_cell(study, &study->cells[i], study->cells[i].playouts, report);
        if (status == FZ_OK && fzi_study_stop(study, 0, 0))
            return fzi_context_fail(study->context, FZ_RUNTIME, "interrupted in cell %zu of %zu",
                                    i + 1, study->count);
    }
    return status;
}

/* ---- public functions ---- */

static fz_status read_file(fz_study *study, const char *text, size_t length)
{
    fz_context *context = study->context;
    char *own = NULL;
    fz_status status = FZ_OK;

    if (!text) {
        status = fzi_context_read_file(context, study->file.path, &own, &length);
        text = own;
    }
    if (status == FZ_OK)
        status = fzi_study_file_read(&study->file, text, length, &study->options);
    fzi_release(context->allocator, own);
    for (size_t i = 0; i < study->file.game_count && status == FZ_OK; i++)
        status = fzi_study_expand(study, &study->file.games[i]);
    return status;
}

static fz_status open_study(fz_study *study, const char *path, const char *text, size_t length)
{
    const fz_study_options *o = &study->options;

    if (setjmp(*fzi_arena_handler(study->arena)))
        return fzi_context_no_memory(study->context);
    study->file = (fzi_study_file){.context = study->context, .arena = study->arena,
                                   .path = fzi_arena_printf(study->arena, "%s", path)};
    study->theme = o->theme ? fzi_theme_called(o->theme) : 0;
    if (study->theme < 0)
        return fzi_context_fail(study->context, FZ_USAGE, "there is no theme '%s'", o->theme);
    if (o->target)
        return fzi_study_open_search(study);
    fz_status status = read_file(study, text, length);
    if (status == FZ_OK && !o->archive && (o->run.resume || o->run.shard))
        return fzi_context_fail(study->context, FZ_USAGE, "%s needs an archive",
                                o->run.resume ? "continuing a study" : "a shard of a study");
    if (status == FZ_OK && o->budget)
        status = fzi_study_begin_search(study);
    return status;
}

fz_status fz_study_open(fz_context *context, const char *path, const char *text, size_t length,
                        const fz_study_options *options, fz_study **result)
{
    fzi_allocator allocator = context->allocator;
    fz_study *study = fzi_allocate(allocator, sizeof *study);
    fz_status status;

    if (result)
        *result = NULL;
    if (!study)
        return fzi_context_no_memory(context);
    *study = (fz_study){.context = context};
    if (options)
        study->options = *options;
    study->arena = fzi_arena_new(allocator.resize, allocator.user, 0);
    status = study->arena ? open_study(study, path, text, length)
                          : fzi_context_no_memory(context);
    if (status == FZ_OK && result)
        *result = study;
    else
        fz_study_free(study);
    return status;
}

fz_status fz_study_play(fz_study *study, fz_report **report)
{
    const char *path = study->options.archive ? study->options.archive : fzi_archive_in_memory;
    fz_status status = FZ_OK;

    if (report)
        *report = NULL;
    if (study->played)
        return fzi_context_fail(study->context, FZ_USAGE, "the study was played already");
    if (setjmp(*fzi_arena_handler(study->arena)))
        return fzi_context_no_memory(study->context);
    status = fzi_archive_open(&study->archive, study->context, path, true);
    if (status == FZ_OK)
        status = study->allocation.order ? fzi_study_search(study, report)
                                         : play_cells(study, report);
    fzi_study_clear_player(&study->player);
    study->played = status == FZ_OK;
    return status;
}

void fz_study_free(fz_study *study)
{
    if (!study)
        return;
    fzi_study_clear_player(&study->player);
    for (size_t i = 0; i < study->count; i++) {
        if (!study->cells[i].experiment)
            continue;
        json_decref(study->cells[i].experiment);
        fz_sums_clear(&study->cells[i].sums);
    }
    fzi_allocation_clear(&study->allocation);
    fzi_archive_clear(&study->archive);
    if (study->arena)
        fzi_arena_free(study->arena);
    fzi_release(study->context->allocator, study);
}
