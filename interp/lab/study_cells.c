/* The cells of a study. See study.h. */
#include "study.h"

#include "grammar/compile.h"
#include "interp/support/chance.h"

/* THINNED: values of a number with more, where nobody says which are to be tried. */
enum { MOST_CELLS = 100000, MOST_VALUES = 100000, NAME_SIZE = 1024, THINNED = 16 };

/* ---- values of options ---- */

static const fzi_option *find_option(const fzi_analysis *analysis, const char *name)
{
    for (size_t i = 0; analysis->unit && i < analysis->unit->option_count; i++)
        if (strcmp(analysis->unit->options[i].name, name) == 0)
            return &analysis->unit->options[i];
    return NULL;
}

static void add_number(fzi_arena *arena, fzi_axis *axis, int64_t number)
{
    *FZI_MORE(arena, axis->values, axis->count, axis->capacity) =
        fzi_arena_printf(arena, "%" PRId64, number);
}

/* Numbers at equal distances, and the one that the script has. */
static void add_thinned(fzi_arena *arena, fzi_axis *axis, const fzi_option *option)
{
    int64_t initial = option->initial, before = INT64_MIN;
    uint64_t width = (uint64_t)option->high - (uint64_t)option->low;

    for (unsigned i = 0; i < THINNED; i++) {
        int64_t number = option->low + (int64_t)((fz_uint128)width * i / (THINNED - 1));
        if (initial > before && initial < number)
            add_number(arena, axis, initial);
        add_number(arena, axis, number);
        before = number;
    }
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
    } else if (axis->thin && (uint64_t)option->high - (uint64_t)option->low >= THINNED) {
        add_thinned(arena, axis, option);
    } else if (option->high - option->low >= MOST_VALUES) {
        return fzi_context_fail(study->context, FZ_USAGE, "option %s has too many values for "
                                "`all`", axis->option);
    } else {
        for (int64_t i = option->low; i <= option->high; i++)
            add_number(arena, axis, i);
    }
    return FZ_OK;
}

/* Makes an axis of each option of the game. */
static fz_status add_options(const fzi_study_file *study, const fzi_analysis *analysis,
                             fzi_study_game *game)
{
    for (size_t i = 0; analysis->unit && i < analysis->unit->option_count; i++)
        *FZI_MORE(study->arena, game->axes, game->axis_count, game->axis_capacity) =
            (fzi_axis){.option = fzi_arena_printf(study->arena, "%s",
                                                  analysis->unit->options[i].name),
                       .all = true, .thin = true};
    return game->axis_count || !analysis->unit
               ? FZ_OK
               : fzi_context_fail(study->context, FZ_USAGE, "%s: no rule can vary: the game has no "
                                  "`option`", game->path);
}

static fz_status fill_axes(const fzi_study_file *study, fzi_study_game *game, bool all_options)
{
    fzi_analysis *analysis = NULL;
    fz_status status = FZ_OK;

    if (all_options) {
        analysis = fzi_analyse_game(study->context, game->path, NULL, 0);
        status = analysis ? add_options(study, analysis, game)
                          : fzi_context_no_memory(study->context);
    }
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
        if (option)
            status = add_all_values(study, axis, option);
        else if (axis->line)
            status = fzi_context_fail(study->context, FZ_USAGE, "%s:%u: %s has no option '%s'",
                                      study->path, axis->line, game->path, axis->option);
        else
            status = fzi_context_fail(study->context, FZ_USAGE, "grid: %s has no option '%s'",
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

/* Number i of the points in an order by chance: a Feistel network of numbers with twice so many
 * bits as `half`, walked until it arrives at a point. */
static uint64_t shuffled(uint64_t key, uint64_t points, uint64_t i)
{
    unsigned half = 1;

    while (UINT64_C(1) << 2 * half < points)
        half++;
    const uint64_t mask = (UINT64_C(1) << half) - 1;
    do {
        uint64_t left = i >> half, right = i & mask;
        for (uint64_t round = 0; round < 4; round++) {
            uint64_t mixed = left ^ (fzi_chance_mix(key + (right << 2 | round)) & mask);
            left = right;
            right = mixed;
        }
        i = left << half | right;
    } while (i >= points);
    return i;
}

/* How many combinations of values there are. False: more than numbers of 60 bits count. */
static bool count_points(const fzi_study_game *game, uint64_t *points)
{
    *points = 1;
    for (size_t i = 0; i < game->axis_count; i++) {
        fz_uint128 more = (fz_uint128)*points * game->axes[i].count;
        if (more >> 60)
            return false;
        *points = (uint64_t)more;
    }
    return true;
}

/* The variants of a search: all, or as many as it may have. */
static fz_status add_variants(fz_study *study, const fzi_study_game *game)
{
    enum { USUAL = 1000 };
    const fzi_study_ruleset plain = {0};
    uint64_t most = study->options.variants ? study->options.variants : USUAL;
    uint64_t key = fzi_chance_key(study->file.seed, UINT64_MAX); /* no game has this number */
    fz_status status = FZ_OK;

    if (!count_points(game, &study->possible))
        return fzi_context_fail(study->context, FZ_USAGE, "%s: there are too many variants: name "
                                "the options that may vary", game->path);
    bool all = study->possible <= most;
    for (uint64_t i = 0; i < (all ? study->possible : most) && status == FZ_OK; i++)
        status = add_cell(study, game, &plain, all ? i : shuffled(key, study->possible, i),
                          &study->file.lineups[0]);
    return status;
}

fz_status fzi_study_expand(fz_study *study, fzi_study_game *game)
{
    const fzi_study_ruleset plain = {0};
    size_t points = 1;
    fz_status status = fill_axes(&study->file, game, study->options.target && !game->axis_count);

    if (status == FZ_OK && study->options.target)
        return add_variants(study, game);
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
