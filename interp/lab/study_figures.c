/* Figures of a study from its cells: results, differences, distances. See study.h. */
#include "study.h"

static double ratio(uint64_t hits, uint64_t total)
{
    return total ? (double)hits / (double)total : 0;
}

static void put(json_t *row, const char *member, double value)
{
    json_object_set_new(row, member, fzi_number_json(value));
}

static bool same_agents(const fzi_study_cell *a, const fzi_study_cell *b)
{
    return strcmp(a->agents, b->agents) == 0;
}

/* ---- results ---- */

static unsigned most_players(const fz_study *study)
{
    unsigned most = 1;

    for (size_t i = 0; i < study->count; i++) {
        unsigned players = fzi_experiment_players(study->cells[i].experiment);
        most = players > most ? players : most;
    }
    return most;
}

static json_t *result_row(const fz_study *study, const fzi_study_cell *cell, unsigned players)
{
    const fz_tally *t = &cell->tally;
    uint64_t finished = fzi_finished(t);
    json_t *row = json_pack(
        "{s:s, s:s*, s:s, s:I}", "ruleset", cell->name, "game",
        study->file.game_count > 1 ? fzi_experiment_text(cell->experiment, "game") : NULL, "agents",
        cell->agents, "games", (json_int_t)t->playouts);
    fzi_estimate mean = fzi_decisions_estimate(&cell->sums, t);
    char name[24];

    for (unsigned p = 0; p < players; p++) {
        snprintf(name, sizeof name, "wins %u", p + 1);
        put(row, name, p < fzi_experiment_players(cell->experiment)
                           ? ratio(t->wins[p], finished) : NAN);
    }
    if (players > 2)
        put(row, "shared", ratio(t->shared, finished));
    put(row, "draws", ratio(t->draws, finished));
    put(row, "stopped", ratio(t->stopped, t->playouts));
    put(row, "decisions", mean.value);
    put(row, "low", mean.low);
    put(row, "high", mean.high);
    return row;
}

static json_t *all_results(const fz_study *study)
{
    json_t *rows = json_array();
    unsigned players = most_players(study);

    for (size_t i = 0; i < study->count; i++)
        json_array_append_new(rows, result_row(study, &study->cells[i], players));
    return rows;
}

static json_t *all_lines(const fz_study *study)
{
    json_t *rows = json_array();

    for (size_t i = 0; i < study->count; i++) {
        const fzi_study_cell *cell = &study->cells[i];
        for (uint32_t k = 0; k < cell->line_count; k++) {
            fzi_estimate e = fzi_sum_estimate(&cell->lines[k], FZ_AS_PART);
            json_array_append_new(
                rows, json_pack("{s:s, s:s, s:s, s:o?, s:o?, s:o?}", "ruleset", cell->name,
                                "agents", cell->agents, "line", cell->line_names[k], "share",
                                json_real(e.value), "low", json_real(e.low), "high",
                                json_real(e.high)));
        }
    }
    return rows;
}

/* ---- differences ---- */

/* All figures that are adjusted together. */
typedef struct family {
    fzi_contrast *figures;
    size_t count, room;
} family;

static void add_figure(const fz_study *study, family *f, const fzi_study_cell *one,
                       const fzi_study_cell *other, const fzi_contrast *figure)
{
    fzi_contrast *into = FZI_MORE(study->arena, f->figures, f->count, f->room);

    *into = *figure;
    into->of[0] = one;
    into->of[1] = other;
}

static double error_of(fzi_estimate e, uint64_t games)
{
    return (e.high - e.low) / 2 / fzi_student_95((double)games - 1);
}

static void add_lines(const fz_study *study, family *f, const fzi_study_cell *one,
                      const fzi_study_cell *other)
{
    for (uint32_t i = 0; i < one->line_count; i++) {
        /* Not FZ_AS_PART: an interval that ends at 0 says less about the error. */
        fzi_estimate a = fzi_sum_estimate(&one->lines[i], FZ_AS_RATIO);
        fzi_estimate b = fzi_sum_estimate(&other->lines[i], FZ_AS_RATIO);
        char name[FZI_CONTRAST_NAME];
        fzi_contrast figure;
        if (!isfinite(a.high - a.low) || !isfinite(b.high - b.low))
            continue;
        snprintf(name, sizeof name, "line %.100s", one->line_names[i]);
        figure = fzi_contrast_of(name, a.value, error_of(a, one->lines[i].games),
                                 one->lines[i].games, b.value,
                                 error_of(b, other->lines[i].games), other->lines[i].games);
        add_figure(study, f, one, other, &figure);
    }
}

static void add_pair(const fz_study *study, family *f, const fzi_study_cell *one,
                     const fzi_study_cell *other, bool lines)
{
    fzi_contrast figures[FZI_MOST_CONTRASTS];
    const fzi_contrast_side a = {.tally = &one->tally, .experiment = one->experiment};
    const fzi_contrast_side b = {.tally = &other->tally, .experiment = other->experiment};
    size_t count = fzi_contrasts_make(&a, &b, figures);

    for (size_t i = 0; i < count; i++)
        add_figure(study, f, one, other, &figures[i]);
    if (lines && fzi_cells_share_lines(one, other))
        add_lines(study, f, one, other);
}

static json_t *figure_row(const fzi_contrast *figure)
{
    const fzi_study_cell *one = figure->of[0], *other = figure->of[1];

    return json_pack("{s:s, s:s, s:s, s:s, s:o?, s:o?, s:o?, s:o?, s:o?, s:o?, s:b}",
                     "first", one->name, "second", other->name, "agents", one->agents, "figure",
                     figure->name, "one", json_real(figure->one), "other",
                     json_real(figure->other), "difference",
                     json_real(figure->other - figure->one), "low", json_real(figure->low), "high",
                     json_real(figure->high), "p", json_real(figure->p), "differs",
                     fzi_contrast_differs(figure));
}

static bool is_called(const fzi_study_cell *cell, const char *name)
{
    return strcmp(name, "all") == 0 || strcmp(cell->name, name) == 0;
}

static json_t *all_differences(const fz_study *study, const char *with, bool lines)
{
    bool all = strcmp(with, "all") == 0, found = all;
    family f = {0};

    for (size_t i = 0; i < study->count; i++) {
        const fzi_study_cell *one = &study->cells[i];
        if (!is_called(one, with))
            continue;
        found = true;
        for (size_t k = 0; k < study->count; k++) {
            const fzi_study_cell *other = &study->cells[k];
            bool before = k <= i && is_called(other, with); /* that pair is there already */
            /* Different games differ anyway, and each row costs the others power. */
            bool asked = !all || one->game == other->game;
            if (!before && asked && same_agents(one, other))
                add_pair(study, &f, one, other, lines);
        }
    }
    if (!found) {
        fzi_context_fail(study->context, FZ_USAGE, "rulesets are compared with `all` or with one "
                         "of them; there is no '%s'", with);
        return NULL;
    }
    if (!fzi_contrasts_adjust(f.figures, f.count, study->context->allocator)) {
        fzi_context_no_memory(study->context);
        return NULL;
    }
    json_t *rows = json_array();
    for (size_t i = 0; i < f.count; i++)
        json_array_append_new(rows, figure_row(&f.figures[i]));
    return rows;
}

/* ---- distances ---- */

/* The total variation distance between the results of two runs. */
static double results_distance(const fz_tally *a, const fz_tally *b)
{
    double sum = fabs(ratio(a->draws, a->playouts) - ratio(b->draws, b->playouts)) +
                 fabs(ratio(a->shared, a->playouts) - ratio(b->shared, b->playouts)) +
                 fabs(ratio(a->stopped, a->playouts) - ratio(b->stopped, b->playouts)) +
                 fabs(ratio(a->losses, a->playouts) - ratio(b->losses, b->playouts));

    for (unsigned p = 0; p < 16; p++)
        sum += fabs(ratio(a->wins[p], a->playouts) - ratio(b->wins[p], b->playouts));
    return sum / 2;
}

/* The greatest difference of the shares of games up to a length: Kolmogorov and Smirnov. */
static double lengths_distance(const fz_sums *a, const fz_sums *b)
{
    double most = 0;
    uint64_t below = 0, other_below = 0;

    for (size_t i = 0; i < a->length_capacity || i < b->length_capacity; i++) {
        below += i < a->length_capacity ? a->lengths[i] : 0;
        other_below += i < b->length_capacity ? b->lengths[i] : 0;
        most = fmax(most, fabs(ratio(below, a->playouts) - ratio(other_below, b->playouts)));
    }
    return most;
}

static double sum_of(const double *shares, uint32_t count)
{
    double sum = 0;

    for (uint32_t i = 0; i < count; i++)
        sum += shares[i];
    return sum;
}

/* Total variation; lines or sites that one of the two does not have have no share there. NULL: one
 * of the two has no shares. */
static json_t *shares_distance(const double *one, char *const *names, uint32_t count,
                               const double *other, char *const *other_names, uint32_t other_count)
{
    double sum = 0, matched = 0, all = sum_of(other, other_count);

    if (all <= 0 || sum_of(one, count) <= 0)
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = i < other_count && strcmp(names[i], other_names[i]) == 0 ? i : 0;
        while (k < other_count && strcmp(names[i], other_names[k]) != 0)
            k++;
        sum += fabs(one[i] - (k < other_count ? other[k] : 0));
        matched += k < other_count ? other[k] : 0;
    }
    return json_real((sum + all - matched) / 2);
}

static json_t *distance_row(const fzi_study_cell *a, const fzi_study_cell *b)
{
    return json_pack(
        "{s:s, s:s, s:s, s:o?, s:o?, s:o?, s:o?}", "first", a->name, "second", b->name, "agents",
        a->agents, "results", json_real(results_distance(&a->tally, &b->tally)), "lengths",
        json_real(lengths_distance(&a->sums, &b->sums)), "moves",
        shares_distance(a->site_shares, a->site_names, a->site_count, b->site_shares,
                        b->site_names, b->site_count), "lines",
        shares_distance(a->line_shares, a->line_names, a->line_count, b->line_shares,
                        b->line_names, b->line_count));
}

static json_t *all_distances(const fz_study *study)
{
    json_t *rows = json_array();

    for (size_t i = 0; i < study->count; i++)
        for (size_t k = i + 1; k < study->count; k++)
            if (same_agents(&study->cells[i], &study->cells[k]))
                json_array_append_new(rows, distance_row(&study->cells[i], &study->cells[k]));
    return rows;
}

/* ---- public: all tables ---- */

/* What made the numbers of each cell. */
static json_t *all_runs(const fz_study *study)
{
    json_t *runs = json_array();

    for (size_t i = 0; i < study->count; i++)
        if (study->cells[i].experiment)
            json_array_append_new(runs,
                                  fzi_experiment_trace(study->cells[i].experiment, 0,
                                                       study->cells[i].tally.playouts));
    return runs;
}

static json_t *study_facts(const fz_study *study)
{
    char seed[24];

    snprintf(seed, sizeof seed, "%" PRIu64, study->file.seed);
    return json_pack("{s:s, s:s, s:I}", "study", study->file.title, "seed", seed, "cells",
                     (json_int_t)study->count);
}

/* The use of each line in each cell's games: a shorter form of the table "lines". */
static json_t *use_of_lines(const fz_study *study)
{
    json_t *cells = json_array();

    for (size_t i = 0; i < study->count; i++) {
        const fzi_study_cell *cell = &study->cells[i];
        json_t *lines = json_object();
        for (uint32_t k = 0; k < cell->line_count; k++)
            put(lines, cell->line_names[k], fzi_sum_estimate(&cell->lines[k], FZ_AS_PART).value);
        json_array_append_new(cells, json_pack("{s:s, s:s, s:s, s:o}", "ruleset", cell->name,
                                               "agents", cell->agents, "seed",
                                               fzi_experiment_text(cell->experiment, "seed"),
                                               "lines", lines));
    }
    return cells;
}

static json_t *reconstruction(const fz_study *study, const char *argument)
{
    enum { MOST = 1000000 };
    uint64_t trials;

    if (fzi_number_read(argument, &trials) && trials <= MOST)
        return fzi_study_reconstruct(study, (unsigned)trials);
    fzi_context_fail(study->context, FZ_USAGE, "the number of trials is from 0 to %d, not '%s'",
                     MOST, argument);
    return NULL;
}

static json_t *table_called(const fz_study *study, const char *name, const char *argument)
{
    const char *with = argument ? argument : "all";

    if (strcmp(name, "study") == 0)
        return study_facts(study);
    if (strcmp(name, "results") == 0)
        return all_results(study);
    if (strcmp(name, "runs") == 0)
        return all_runs(study);
    if (strcmp(name, "use") == 0)
        return use_of_lines(study);
    if (strcmp(name, "lines") == 0)
        return all_lines(study);
    if (strcmp(name, "differences") == 0)
        return all_differences(study, with, false);
    if (strcmp(name, "line differences") == 0)
        return all_differences(study, with, true);
    if (strcmp(name, "distances") == 0)
        return all_distances(study);
    if (strcmp(name, "wear") == 0)
        return fzi_study_wear(study, argument ? argument : "");
    if (strcmp(name, "recovery") == 0)
        return fzi_study_recover(study, argument ? argument : "0");
    if (strcmp(name, "reconstruction") == 0)
        return reconstruction(study, argument ? argument : "200");
    if (strcmp(name, "tuning") == 0)
        return fzi_study_tuning(study);
    fzi_context_fail(study->context, FZ_USAGE, "studies have no table '%s'", name);
    return NULL;
}

fz_status fz_study_table(fz_study *study, const char *table, const char *argument, char **json)
{
    if (json)
        *json = NULL;
    if (!study->played)
        return fzi_context_fail(study->context, FZ_USAGE, "the study was not played");
    if (setjmp(*fzi_arena_handler(study->arena)))
        return fzi_context_no_memory(study->context);
    json_t *value = table_called(study, table, argument);
    return value ? fzi_json_text(study->context, value, json) : study->context->failed;
}
