/* The values of options that a study varies. See lab.h. */
#include "lab.h"

#include "grammar/compile.h"

enum { MOST_VALUES = 100000 };

static const fzi_option *find_option(const fzi_analysis *analysis, const char *name)
{
    for (size_t i = 0; analysis->unit && i < analysis->unit->option_count; i++)
        if (strcmp(analysis->unit->options[i].name, name) == 0)
            return &analysis->unit->options[i];
    return NULL;
}

static fz_status add_all_values(const fzi_study_file *study, fzi_axis *axis,
                                const fzi_option *option)
{
    fzi_arena *arena = study->arena;

    if (option->kind == FZ_OPTION_NAMED) {
        for (const fzi_node *value = option->node->values; value; value = value->next)
            *FZI_GROW(arena, axis->values, axis->count, axis->capacity) =
                fzi_arena_printf(arena, "%s", value->name);
    } else if (option->kind == FZ_OPTION_SWITCH) {
        *FZI_GROW(arena, axis->values, axis->count, axis->capacity) = "false";
        *FZI_GROW(arena, axis->values, axis->count, axis->capacity) = "true";
    } else if (option->high - option->low >= MOST_VALUES) {
        return fzi_context_fail(study->context, FZ_USAGE, "option %s has too many values for "
                                "`all`", axis->option);
    } else {
        for (int64_t i = option->low; i <= option->high; i++)
            *FZI_GROW(arena, axis->values, axis->count, axis->capacity) =
                fzi_arena_printf(arena, "%" PRId64, i);
    }
    return FZ_OK;
}

fz_status fzi_study_fill_axes(const fzi_study_file *study, fzi_study_game *game)
{
    fzi_analysis *analysis = NULL;
    fz_status status = FZ_OK;

    for (size_t i = 0; i < game->axis_count && status == FZ_OK; i++) {
        fzi_axis *axis = &game->axes[i];
        const fzi_option *option;
        if (!axis->all)
            continue;
        if (!analysis)
            analysis = fzi_analyse_game(study->context, game->path, NULL, 0);
        option = analysis ? find_option(analysis, axis->option) : NULL;
        status = option ? add_all_values(study, axis, option)
                        : fzi_context_fail(study->context, FZ_USAGE, "%s:%u: %s has no option "
                                           "'%s'", study->path, axis->line ? axis->line
                                                                           : game->line,
                                           game->path, axis->option);
    }
    fzi_analysis_free(analysis);
    return status;
}
