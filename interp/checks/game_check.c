/* Checks a game: compiles it, plays it, and collects what is suspicious. The command `check`,
 * Python and other programs call fz_check_game. */
#include "checks.h"

/* A game that fails does not keep the deep check from running. */
static fz_status play(fz_check *check, const fz_check_options *options, const fz_setting *settings,
                      size_t setting_count)
{
    fz_status played = FZ_OK, deep = FZ_OK;

    if (options->playouts)
        played = fzi_check_playouts(check, options);
    if (options->deep && (played == FZ_OK || played == FZ_RUNTIME))
        deep = fzi_check_deep(check, options, settings, setting_count);
    if (played == FZ_NO_MEMORY || deep == FZ_NO_MEMORY || check->no_memory)
        return fzi_context_no_memory(check->context);
    return played;
}

fz_status fz_check_game(fz_context *context, const char *path, const char *text, size_t length,
                        const fz_setting *settings, size_t setting_count,
                        const fz_check_options *options, fz_check **result)
{
    static const fz_check_options none = {.playouts = 0};
    fz_check *check = fzi_allocate(context->allocator, sizeof *check);
    bool covers = context->covers;
    fz_status status;

    if (result)
        *result = NULL;
    if (!check)
        return fzi_context_no_memory(context);
    *check = (fz_check){.context = context};
    check->path = fzi_copy_text(context->allocator, path, strlen(path));
    options = options ? options : &none;
    context->covers |= options->playouts || options->deep;
    status = check->path ? fz_compile(context, path, text, length, settings, setting_count,
                                      &check->program, &check->report)
                         : fzi_context_no_memory(context);
    context->covers = covers;
    /* A library makes no program and is valid all the same. */
    if (status == FZ_INVALID && check->report && fz_report_errors(check->report) == 0)
        status = FZ_OK;
    if (check->program)
        status = play(check, options, settings, setting_count);
    if (result)
        *result = check;
    else
        fz_check_free(check);
    return status;
}

void fz_check_free(fz_check *check)
{
    if (!check)
        return;
    for (size_t i = 0; i < check->count; i++)
        fz_text_free(check->context, check->findings[i].record);
    FZI_RELEASE(check->context->allocator, check->findings, check->path);
    fz_coverage_free(&check->coverage);
    fz_report_free(check->report);
    if (check->program)
        fz_program_release(check->program);
    fzi_release(check->context->allocator, check);
}
