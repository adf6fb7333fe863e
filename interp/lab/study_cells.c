/* The cells of a study. See lab.h. */
#include "lab.h"

#include "grammar/compile.h"

enum { MOST_CELLS = 100000, MOST_VALUES = 100000, NAME_SIZE = 1024 };

/* ---- values of options ---- */

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
            *FZI_MORE(arena, axis->values, axis->count, axis->capacity) =
                fzi_arena_printf(arena, "%s", value->name);
    } else if (option->kind == FZ_OPTION_SWITCH) {
        *FZI_MORE(arena, axis->values, axis->count, axis->capacity) = "false";
        *FZI_MORE(arena, axis->values, axis->count, axis->capacity) = "true";
    } else if (option->high - option->low >= MOST_VALUES) {
        return fzi_context_fail(study->context, FZ_USAGE, "option %s has too many values for "
                                "`all`", axis->option);
    } else {
        for (int64_t i = option->low; i <= option->high; i++)
            *FZI_MORE(arena, axis->values, axis->count, axis->capacity) =
                fzi_arena_printf(arena, "%" PRId64, i);
    }
    return FZ_OK;
}

static fz_status fill_axes(const fzi_study_file *study, fzi_study_game *game)
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
        if (!analysis)
            return fzi_context_no_memory(study->context);
        option = find_option(analysis, axis->option);
        status = option ? add_all_values(study, axis, option)
                        : fzi_context_fail(study->context, FZ_USAGE, "%s:%u: %s has no option "
                                           "'%s'", study->path, axis->line ? axis->line
                                                                           : game->line,
                                           game->path, axis->option);
    }
    fzi_analysis_free(analysis);
    return status;
}

/* ---- cells ---- */

static void add_setting(const fz_study *study, fzi_settings *settings, fz_setting setting)
{
    *FZI_MORE(study->arena, settings->items, settings->count, settings->capacity) = setting;
}

static fz_status check_twice(const fz_study *study, const fzi_study_cell *cell)
{
    const fzi_settings *s = &cell->settings;

    for (size_t i = 0; i < s->count; i++)
        for (size_t k = i + 1; k < s->count; k++)
            if (strcmp(s->items[i].name, s->items[k].name) == 0)
                return fzi_context_fail(study->context, FZ_BAD_INPUT, "%s:%u: ruleset '%s': option "
                                        "%s is set twice", study->file.path, cell->line,
                                        cell->name, s->items[i].name);
    return FZ_OK;
}

/* The ruleset with the values number `point` of the axes. */
static fz_status add_cell(fz_study *study, const fzi_study_game *game,
                          const fzi_study_ruleset *ruleset, size_t point,
                          const fzi_study_lineup *lineup)
{
    char name[NAME_SIZE];
    size_t used = (size_t)snprintf(name, sizeof name, "%s", ruleset->name ? ruleset->name : "");

    if (study->count == MOST_CELLS)
        return fzi_context_fail(study->context, FZ_BAD_INPUT,
                                "%s: the study has more than %d cells", study->file.path,
                                MOST_CELLS);
    fzi_study_cell *cell = FZI_MORE(study->arena, study->cells, study->count, study->capacity);
    *cell = (fzi_study_cell){.game = game, .line = ruleset->name ? ruleset->line : game->line,
                       .agents = lineup->agents, .playouts = lineup->playouts};
    for (size_t i = 0; i < game->settings.count; i++)
        add_setting(study, &cell->settings, game->settings.items[i]);
    for (size_t i = 0; i < ruleset->settings.count; i++)
        add_setting(study, &cell->settings, ruleset->settings.items[i]);
    for (size_t i = game->axis_count; i-- > 0;) { /* the last axis is the fastest */
        const fzi_axis *axis = &game->axes[i];
        add_setting(study, &cell->settings,
                    (fz_setting){axis->option, axis->values[point % axis->count]});
        point /= axis->count;
    }
    for (size_t i = 0; i < game->axis_count && used < sizeof name; i++) {
        const fz_setting *s = &cell->settings.items[cell->settings.count - 1 - i];
        used += (size_t)snprintf(name + used, sizeof name - used, "%s%s=%s", used ? ", " : "",
                                 s->name, s->value);
    }
    cell->name = fzi_arena_printf(study->arena, "%s", used ? name : "(default)");
    return check_twice(study, cell);
}

fz_status fzi_study_expand(fz_study *study, fzi_study_game *game)
{
    const fzi_study_ruleset plain = {0};
    size_t points = 1;
    fz_status status = fill_axes(&study->file, game);

    for (size_t i = 0; i < game->axis_count && points <= MOST_CELLS; i++)
        points *= game->axes[i].count;
    for (size_t r = 0; r < game->ruleset_count || (r == 0 && !game->ruleset_count); r++)
        for (size_t point = 0; point < points; point++)
            for (size_t a = 0; a < study->file.lineup_count && status == FZ_OK; a++)
                status = add_cell(study, game,
                                  game->ruleset_count ? &game->rulesets[r] : &plain, point,
                                  &study->file.lineups[a]);
    return status;
}

bool fzi_cells_share_lines(const fzi_study_cell *one, const fzi_study_cell *other)
{
    if (one->line_count != other->line_count)
        return false;
    for (uint32_t i = 0; i < one->line_count; i++)
        if (strcmp(one->line_names[i], other->line_names[i]) != 0)
            return false;
    return true;
}
