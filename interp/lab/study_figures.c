/* What the cells of a study say: results, differences, distances. See study.h. */
#include "study.h"

#include "comparisons.h"
#include "sampling.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/play/rating.h"

static double ratio(uint64_t hits, uint64_t total)
{
    return total ? (double)hits / (double)total : 0;
}

/* NAN is null. */
static void put(json_t *row, const char *member, double value)
{
    json_object_set_new(row, member, isfinite(value) ? json_real(value) : json_null());
}

static bool same_agents(const fzi_study_cell *a, const fzi_study_cell *b)
{
    return strcmp(a->agents, b->agents) == 0;
}

/* ---- results ---- */

static unsigned most_players(const fzi_study *study)
{
    unsigned most = 1;

    for (size_t i = 0; i < study->count; i++) {
        unsigned players = fzi_experiment_players(study->cells[i].experiment);
        most = players > most ? players : most;
    }
    return most;
}

json_t *fzi_study_results(const fzi_study *study)
{
    json_t *rows = json_array();
    unsigned players = most_players(study);

    for (size_t i = 0; i < study->count; i++) {
        const fzi_study_cell *cell = &study->cells[i];
        const fz_tally *t = &cell->tally;
        uint64_t finished = fzi_finished(t);
        json_t *row = json_object();
        double low, high;
        char name[24];
        json_object_set_new(row, "ruleset", json_string(cell->name));
        if (study->file.game_count > 1)
            json_object_set_new(row, "game",
                                json_string(fzi_experiment_text(cell->experiment, "game")));
        json_object_set_new(row, "agents", json_string(cell->agents));
        json_object_set_new(row, "games", json_integer((long long)t->playouts));
        for (unsigned p = 0; p < players; p++) {
            snprintf(name, sizeof name, "wins %u", p + 1);
            put(row, name, p < fzi_experiment_players(cell->experiment)
                               ? ratio(t->wins[p], finished) : NAN);
        }
        put(row, "draws", ratio(t->draws, finished));
        put(row, "stopped", ratio(t->stopped, t->playouts));
        fzi_mean_interval(t->mean, t->deviation, t->playouts, &low, &high);
        put(row, "decisions", t->mean);
        put(row, "low", low);
        put(row, "high", high);
        json_array_append_new(rows, row);
    }
    return rows;
}

json_t *fzi_study_lines(const fzi_study *study)
{
    json_t *rows = json_array();

    for (size_t i = 0; i < study->count; i++) {
        const fzi_study_cell *cell = &study->cells[i];
        for (uint32_t k = 0; k < cell->line_count; k++) {
            fzi_estimate e = fzi_sum_estimate(&cell->lines[k], FZ_AS_PART);
            json_t *row = json_object();
            json_object_set_new(row, "ruleset", json_string(cell->name));
            json_object_set_new(row, "agents", json_string(cell->agents));
            json_object_set_new(row, "line", json_string(cell->line_names[k]));
            put(row, "share", e.value);
            put(row, "low", e.low);
            put(row, "high", e.high);
            json_array_append_new(rows, row);
        }
    }
    return rows;
}

/* ---- differences ---- */

typedef struct family {
    fzi_contrast *figures;
    const fzi_study_cell **pairs;      /* two for each figure */
    size_t count;
} family;

static void add_figures(family *f, const fzi_study_cell *one, const fzi_study_cell *other,
                        const fzi_contrast *figures, size_t count)
{
    f->figures = fzi_cli_allocate(f->figures, (f->count + count + 1) * sizeof *f->figures);
    f->pairs = fzi_cli_allocate(f->pairs, 2 * (f->count + count + 1) * sizeof *f->pairs);
    for (size_t i = 0; i < count; i++) {
        f->pairs[2 * f->count] = one;
        f->pairs[2 * f->count + 1] = other;
        f->figures[f->count++] = figures[i];
    }
}

static double error_of(fzi_estimate e)
{
    return (e.high - e.low) / 2 / FZ_NORMAL_95;
}

static void add_lines(family *f, const fzi_study_cell *one, const fzi_study_cell *other)
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
        figure = fzi_contrast_of(name, " %", 100 * a.value, 100 * error_of(a), 100 * b.value,
                               100 * error_of(b));
        add_figures(f, one, other, &figure, 1);
    }
}

static void add_pair(const fzi_study *study, family *f, const fzi_study_cell *one,
                     const fzi_study_cell *other)
{
    fzi_contrast figures[FZI_MOST_CONTRASTS];
    const fzi_contrast_side a = {.tally = &one->tally, .experiment = one->experiment};
    const fzi_contrast_side b = {.tally = &other->tally, .experiment = other->experiment};

    add_figures(f, one, other, figures, fzi_contrasts_make(&a, &b, figures));
    if (fzi_cli_has(study->cli, FZ_CLI_LINES) && fzi_cells_share_lines(one, other))
        add_lines(f, one, other);
}

static json_t *figure_row(const family *f, size_t i)
{
    const fzi_contrast *figure = &f->figures[i];
    json_t *row = json_object();

    json_object_set_new(row, "first", json_string(f->pairs[2 * i]->name));
    json_object_set_new(row, "second", json_string(f->pairs[2 * i + 1]->name));
    json_object_set_new(row, "agents", json_string(f->pairs[2 * i]->agents));
    json_object_set_new(row, "figure", json_string(figure->name));
    put(row, "one", figure->one);
    put(row, "other", figure->other);
    put(row, "difference", figure->other - figure->one);
    put(row, "low", figure->low);
    put(row, "high", figure->high);
    put(row, "p", figure->p);
    json_object_set_new(row, "differs", json_boolean(fzi_contrast_differs(figure)));
    return row;
}

static bool is_called(const fzi_study_cell *cell, const char *name)
{
    return strcmp(name, "all") == 0 || strcmp(cell->name, name) == 0;
}

json_t *fzi_study_differences(const fzi_study *study, const char *with)
{
    bool found = strcmp(with, "all") == 0;
    family f = {0};
    json_t *rows = json_array();

    for (size_t i = 0; i < study->count; i++) {
        const fzi_study_cell *one = &study->cells[i];
        if (!is_called(one, with))
            continue;
        found = true;
        for (size_t k = 0; k < study->count; k++) {
            const fzi_study_cell *other = &study->cells[k];
            bool before = k <= i && is_called(other, with); /* that pair is there already */
            if (!before && same_agents(one, other))
                add_pair(study, &f, one, other);
        }
    }
    fzi_contrasts_adjust(f.figures, f.count);
    for (size_t i = 0; i < f.count; i++)
        json_array_append_new(rows, figure_row(&f, i));
    free(f.figures);
    free(f.pairs);
    if (found)
        return rows;
    json_decref(rows);
    fzi_cli_complain(study->cli, "--compare takes `all` or the name of a ruleset; there is no '%s'",
                     with);
    return NULL;
}

/* ---- distances ---- */

/* Of what can happen to a game: total variation. */
static double results_distance(const fz_tally *a, const fz_tally *b)
{
    double sum = fabs(ratio(a->draws, a->playouts) - ratio(b->draws, b->playouts)) +
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

/* Total variation; lines or sites that one of the two does not have have no share there. */
static double shares_distance(const double *one, char *const *names, uint32_t count,
                              const double *other, char *const *other_names, uint32_t other_count)
{
    double sum = 0, matched = 0, all = 0;

    for (uint32_t k = 0; k < other_count; k++)
        all += other[k];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = i < other_count && strcmp(names[i], other_names[i]) == 0 ? i : 0;
        while (k < other_count && strcmp(names[i], other_names[k]) != 0)
            k++;
        sum += fabs(one[i] - (k < other_count ? other[k] : 0));
        matched += k < other_count ? other[k] : 0;
    }
    return (sum + all - matched) / 2;
}

typedef struct shares {
    double *lines, *sites;
} shares;

static shares *all_shares(const fzi_study *study)
{
    shares *all = fzi_cli_allocate(NULL, (study->count + 1) * sizeof *all);

    for (size_t i = 0; i < study->count; i++) {
        const fzi_study_cell *cell = &study->cells[i];
        all[i].lines = fzi_cli_allocate(NULL, (cell->line_count + 1) * sizeof(double));
        all[i].sites = fzi_cli_allocate(NULL, (cell->site_count + 1) * sizeof(double));
        fzi_cell_line_shares(cell, all[i].lines);
        fzi_cell_site_shares(cell, all[i].sites);
    }
    return all;
}

static json_t *distance_row(const fzi_study_cell *one, const shares *a, const fzi_study_cell *other,
                            const shares *b)
{
    json_t *row = json_object();

    json_object_set_new(row, "first", json_string(one->name));
    json_object_set_new(row, "second", json_string(other->name));
    json_object_set_new(row, "agents", json_string(one->agents));
    put(row, "results", results_distance(&one->tally, &other->tally));
    put(row, "lengths", lengths_distance(&one->sums, &other->sums));
    put(row, "moves", shares_distance(a->sites, one->site_names, one->site_count, b->sites,
                                      other->site_names, other->site_count));
    put(row, "lines", shares_distance(a->lines, one->line_names, one->line_count, b->lines,
                                      other->line_names, other->line_count));
    return row;
}

json_t *fzi_study_distances(const fzi_study *study)
{
    shares *all = all_shares(study);
    json_t *rows = json_array();

    for (size_t i = 0; i < study->count; i++)
        for (size_t k = i + 1; k < study->count; k++)
            if (same_agents(&study->cells[i], &study->cells[k]))
                json_array_append_new(rows, distance_row(&study->cells[i], &all[i],
                                                         &study->cells[k], &all[k]));
    for (size_t i = 0; i < study->count; i++) {
        free(all[i].lines);
        free(all[i].sites);
    }
    free(all);
    return rows;
}
