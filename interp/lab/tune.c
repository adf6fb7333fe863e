/* Variants of a game that meet targets: ranks, the frontier, tables, pictures. See study.h. */
#include "study.h"

#include "interp/picture/plot.h"

/* ---- how far a variant is from its targets ---- */

/* In this unit the distances from targets are compared: parts as they are, others as shares of the
 * number that is aimed at. */
static double unit_of(const fzi_preference *t)
{
    double aim = fabs(isfinite(t->high) ? t->high : t->low);

    return fzi_figure_is_part(t->figure) || aim <= 0 ? 1 : aim;
}

static double gap_at(const fzi_preference *t, double value)
{
    return fmax(0, fmax(t->low - value, value - t->high)) / unit_of(t);
}

/* The distance from a target, and the least and the greatest one within the interval. */
static fzi_estimate gap_of(const fzi_study_cell *cell, const fzi_preference *t)
{
    if (cell->failed)
        return (fzi_estimate){INFINITY, INFINITY, INFINITY};
    fzi_estimate e = fzi_judged_figure(&cell->judged, t->figure);
    if (isnan(e.value))
        return (fzi_estimate){INFINITY, 0, INFINITY};
    double low = gap_at(t, e.low), high = gap_at(t, e.high);
    bool across = e.low <= t->high && e.high >= t->low;
    if (!isfinite(e.high - e.low))
        return (fzi_estimate){gap_at(t, e.value), 0, INFINITY};
    return (fzi_estimate){gap_at(t, e.value), across ? 0 : fmin(low, high), fmax(low, high)};
}

/* Is one nearer to a target beyond the intervals? */
static bool surely_nearer(const fzi_estimate *one, const fzi_estimate *other, size_t targets)
{
    bool nearer = false;

    for (size_t i = 0; i < targets; i++)
        nearer |= one[i].high < other[i].low;
    return nearer;
}

/* ---- ranks ---- */

typedef struct variant {
    size_t number;
    const fzi_estimate *gaps;
    double sum;                 /* of the distances */
} variant;

static int by_sum(const void *a, const void *b)
{
    const variant *x = a, *y = b;

    if (x->sum < y->sum || y->sum < x->sum)
        return x->sum < y->sum ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static variant *make_variants(const fz_study *study, const size_t *numbers, size_t count)
{
    size_t targets = study->target_count;
    variant *all = fzi_arena_alloc(study->arena, (count + 1) * sizeof *all);
    fzi_estimate *gaps = fzi_arena_alloc(study->arena, (count * targets + 1) * sizeof *gaps);

    for (size_t i = 0; i < count; i++, gaps += targets) {
        all[i] = (variant){.number = numbers[i], .gaps = gaps};
        for (size_t t = 0; t < targets; t++) {
            gaps[t] = gap_of(&study->cells[numbers[i]], &study->targets[t]);
            all[i].sum += gaps[t].value;
        }
    }
    qsort(all, count, sizeof *all, by_sum);
    return all;
}

/* Is there no other finalist that is surely nearer to a target, and surely farther from none? */
static bool on_frontier(const fz_study *study, const variant *finalists, const variant *v)
{
    size_t targets = study->target_count;

    for (size_t i = 0; i < study->allocation.in; i++)
        if (surely_nearer(finalists[i].gaps, v->gaps, targets) &&
            !surely_nearer(v->gaps, finalists[i].gaps, targets))
            return false;
    return true;
}

void fzi_tune_rank(const fz_study *study, size_t *variants, size_t count)
{
    const variant *all = make_variants(study, variants, count);

    for (size_t i = 0; i < count; i++)
        variants[i] = all[i].number;
}

/* ---- pictures ---- */

/* Bars of the figure for which the target is, with their intervals; dark where it is surely met. */
static fz_status draw_target(const fz_study *study, const variant *all, size_t target)
{
    const fzi_preference *t = &study->targets[target];
    const char *figure = fzi_figure_name(t->figure);
    fzi_plot_bar bars[FZI_FINALISTS];
    size_t count = 0;
    fzi_scene scene;

    for (size_t i = 0; i < study->allocation.in; i++) {
        const fzi_study_cell *cell = &study->cells[all[i].number];
        if (cell->failed || !on_frontier(study, all, &all[i]))
            continue;
        fzi_estimate e = fzi_judged_figure(&cell->judged, t->figure);
        bool met = all[i].gaps[target].high <= 0;
        if (!isnan(e.value))
            bars[count++] = (fzi_plot_bar){.name = cell->name, .value = e.value, .low = e.low,
                                           .paint = met ? FZI_PAINT_BLUE : FZI_PAINT_NOBODY,
                                           .high = e.high};
    }
    fzi_scene_init(&scene, study->context->allocator);
    fzi_plot_values(&scene, bars, count, figure);
    fz_status status = count ? fzi_study_paint(study, &scene,
                                               fzi_arena_printf(study->arena, "frontier-%zu.svg",
                                                                target + 1))
                             : FZ_OK;
    fzi_scene_clear(&scene);
    return status;
}

fz_status fzi_tune_draw(const fz_study *study)
{
    const fzi_allocation *a = &study->allocation;
    const variant *all = make_variants(study, a->order, a->in);
    fz_status status = FZ_OK;

    for (size_t t = 0; t < study->target_count && status == FZ_OK; t++)
        status = draw_target(study, all, t);
    return status;
}

/* ---- tables ---- */

/* Does it meet all targets? "yes" and "no" are sure, as far as intervals are. */
static const char *met(const fz_study *study, const variant *v)
{
    bool all = true;

    for (size_t t = 0; t < study->target_count; t++) {
        if (v->gaps[t].low > 0)
            return "no";
        all = all && v->gaps[t].high <= 0;
    }
    return all ? "yes" : "perhaps";
}

/* Games that count: all, or those of the last round. */
static json_t *variant_row(const fz_study *study, const variant *v, size_t rank, bool front)
{
    const fzi_study_cell *cell = &study->cells[v->number];
    unsigned left = study->allocation.left[v->number];
    json_t *row = json_pack("{s:I, s:s, s:s, s:b, s:I, s:I}", "rank", (json_int_t)rank, "variant",
                            cell->name, "met", met(study, v), "frontier", front, "round",
                            (json_int_t)(left ? left : study->allocation.round), "games",
                            (json_int_t)cell->judged.length.games);

    for (size_t t = 0; t < study->target_count; t++) {
        fzi_estimate e = fzi_judged_figure(&cell->judged, study->targets[t].figure);
        const char *name = fzi_figure_name(study->targets[t].figure);
        char text[64];
        json_object_set_new(row, name, fzi_number_json(e.value));
        snprintf(text, sizeof text, "%s low", name);
        json_object_set_new(row, text, fzi_number_json(e.low));
        snprintf(text, sizeof text, "%s high", name);
        json_object_set_new(row, text, fzi_number_json(e.high));
    }
    json_object_set_new(row, "run",
                        fzi_experiment_trace(cell->experiment, cell->judged.from,
                                             cell->played - cell->judged.from));
    return row;
}

/* Finalists by rank, then the others, those that stayed longer first. Only finalists have games
 * that nobody chose them by, so the frontier is of these. */
static json_t *variant_rows(const fz_study *study)
{
    const fzi_allocation *a = &study->allocation;
    json_t *rows = json_array();
    size_t rank = 0;

    for (size_t from = 0, count = a->in; from < a->count; from += count, count = 0) {
        const unsigned left = a->left[a->order[from]];
        while (from + count < a->count && a->left[a->order[from + count]] == left)
            count++;
        const variant *all = make_variants(study, a->order + from, count);
        for (size_t i = 0; i < count; i++)
            if (!study->cells[all[i].number].failed)
                json_array_append_new(rows, variant_row(study, &all[i], ++rank,
                                                        from == 0 &&
                                                            on_frontier(study, all, &all[i])));
    }
    return rows;
}

static json_t *failures(const fz_study *study)
{
    json_t *rows = json_array();

    for (size_t i = 0; i < study->count; i++)
        if (study->cells[i].failed)
            json_array_append_new(rows, json_pack("{s:s, s:s}", "variant", study->cells[i].name,
                                                  "failed", study->cells[i].failed));
    return rows;
}

json_t *fzi_study_tuning(const fz_study *study)
{
    if (!study->options.target) {
        fzi_context_fail(study->context, FZ_USAGE, "the study has no target");
        return NULL;
    }
    return json_pack("{s:s, s:I, s:I, s:I, s:o, s:o}", "target", study->options.target, "rounds",
                     (json_int_t)study->allocation.rounds, "possible", (json_int_t)study->possible,
                     "tried", (json_int_t)study->count, "variants", variant_rows(study), "failed",
                     failures(study));
}
