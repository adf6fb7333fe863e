/* The tables of a reconstruction. See reconstruct.h. */
#include "reconstruct.h"

#include "interp/support/chance.h"

static const double credible[2] = {0.5, 0.95};
static const char stopped[] = "stopped before all tables were made";

static double *numbers(const fzi_reconstruction *x, size_t count)
{
    double *all = fzi_arena_alloc(x->study->arena, (count + 1) * sizeof *all);

    memset(all, 0, (count + 1) * sizeof *all);
    return all;
}

static fzi_reconstruct_how usual(const fzi_reconstruction *x)
{
    return (fzi_reconstruct_how){.prior = x->prior, .error = 1, .worn_by = INFINITY,
                                 .preferred = true};
}

/* The probability of each ruleset, whoever plays it. */
static void by_ruleset(const fzi_reconstruction *x, const double *posterior, double *p)
{
    memset(p, 0, x->ruleset_count * sizeof *p);
    for (size_t i = 0; i < x->count; i++)
        p[x->hypotheses[i].ruleset] += posterior[i];
}

/* In bits: how many questions with two answers are open. */
static double entropy(const double *p, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum -= p[i] > 0 ? p[i] * log2(p[i]) : 0;
    return sum;
}

/* ---- credible sets ---- */

typedef struct ranked {
    size_t number;
    double p;
} ranked;

static int by_probability(const void *a, const void *b)
{
    const ranked *x = a, *y = b;

    return x->p != y->p ? (x->p < y->p) - (x->p > y->p)
                        : (x->number > y->number) - (x->number < y->number);
}

static ranked *rank(const fzi_reconstruction *x, const double *p, ranked *into)
{
    for (size_t i = 0; i < x->ruleset_count; i++)
        into[i] = (ranked){i, p[i]};
    qsort(into, x->ruleset_count, sizeof *into, by_probability);
    return into;
}

/* How many of the most probable have the share together. */
static size_t set_size(const ranked *all, size_t count, double share)
{
    double sum = 0;
    size_t i = 0;

    while (i < count && sum < share * (1 - 1e-12))
        sum += all[i++].p;
    return i;
}

static ranked *ranked_room(const fzi_reconstruction *x)
{
    return fzi_arena_alloc(x->study->arena, (x->ruleset_count + 1) * sizeof(ranked));
}

/* ---- rulesets, values, lineups ---- */

static uint64_t games_of(const fzi_reconstruction *x, size_t ruleset)
{
    uint64_t games = 0;

    for (size_t i = 0; i < x->count; i++)
        games += x->hypotheses[i].ruleset == ruleset ? x->hypotheses[i].cell->tally.playouts : 0;
    return games;
}

static json_t *ruleset_rows(const fzi_reconstruction *x, const double *p)
{
    ranked *all = rank(x, p, ranked_room(x));
    size_t sizes[2];
    json_t *rows = json_array();

    for (int k = 0; k < 2; k++)
        sizes[k] = set_size(all, x->ruleset_count, credible[k]);
    for (size_t i = 0; i < x->ruleset_count; i++) {
        size_t r = all[i].number;
        const fzi_study_cell *cell = x->rulesets[r]->cell;
        json_t *row = json_pack("{s:I, s:s, s:s*, s:f, s:f, s:s}", "rank", (json_int_t)i + 1,
                                "ruleset", cell->name, "game",
                                x->study->file.game_count > 1 ? cell->game->path : NULL, "prior",
                                x->prior[r], "posterior", p[r], "set",
                                i < sizes[0] ? "50 %" : i < sizes[1] ? "95 %" : "");
        if (x->study->options.budget)
            json_object_set_new(row, "games", json_integer((json_int_t)games_of(x, r)));
        json_array_append_new(rows, row);
    }
    return rows;
}

static double member(const json_t *row, const char *name)
{
    return json_number_value(json_object_get(row, name));
}

/* What knowing the option would tell, on the average: the entropy of its values. */
static void add_bits(json_t *rows)
{
    double bits = 0;
    size_t i;
    json_t *row;

    json_array_foreach(rows, i, row) {
        double p = member(row, "posterior");
        bits -= p > 0 ? p * log2(p) : 0;
    }
    json_array_foreach(rows, i, row)
        json_object_set_new(row, "bits", json_real(fmax(0, bits)));
}

static void add_to(json_t *row, const char *name, double number)
{
    json_object_set_new(row, name, json_real(member(row, name) + number));
}

/* Rows of an option, if rulesets differ in it: the sums of the rulesets that have each value. */
static void add_option(const fzi_reconstruction *x, const double *p, const char *option,
                       json_t *rows)
{
    json_t *seen = json_object(), *own = json_array();

    for (size_t r = 0; r < x->ruleset_count; r++) {
        const char *value = fzi_ruleset_value(x, r, option);
        json_t *row = value ? json_object_get(seen, value) : NULL;
        if (!value)
            continue;
        if (!row) {
            row = json_pack("{s:s, s:s, s:f, s:f}", "option", option, "value", value, "prior", 0.0,
                            "posterior", 0.0);
            json_object_set(seen, value, row);
            json_array_append_new(own, row);
        }
        add_to(row, "prior", x->prior[r]);
        add_to(row, "posterior", p[r]);
    }
    if (json_array_size(own) > 1) {
        add_bits(own);
        json_array_extend(rows, own);
    }
    json_decref(seen);
    json_decref(own);
}

static json_t *value_rows(const fzi_reconstruction *x, const double *p)
{
    json_t *rows = json_array(), *done = json_object();

    for (size_t r = 0; r < x->ruleset_count; r++) {
        json_t *options = json_object_get(x->rulesets[r]->cell->experiment, "options");
        const char *option;
        json_t *value;
        json_object_foreach(options, option, value) {
            if (!json_object_get(done, option))
                add_option(x, p, option, rows);
            json_object_set_new(done, option, json_true());
        }
    }
    json_decref(done);
    return rows;
}

static json_t *lineup_rows(const fzi_reconstruction *x, const double *posterior)
{
    json_t *rows = json_array();

    for (size_t k = 0; k < x->lineup_count; k++) {
        double sum = 0;
        for (size_t i = 0; i < x->count; i++)
            sum += x->hypotheses[i].lineup == k ? posterior[i] : 0;
        json_array_append_new(rows, json_pack("{s:s, s:f, s:f}", "agents", x->lineups[k], "prior",
                                              1.0 / (double)x->lineup_count, "posterior", sum));
    }
    return rows;
}

/* ---- sensitivity: one thing is changed ---- */

static void add_change(fzi_reconstruction *x, const char *change, const fzi_reconstruct_how *how,
                       const fzi_evidence_wear *wear, const double *usually, json_t *rows)
{
    double *posterior = numbers(x, x->count), *p = numbers(x, x->ruleset_count), distance = 0;
    size_t best = 0;

    if (!fzi_reconstruct(x, how, wear, posterior)) {
        json_array_append_new(rows, json_pack("{s:s, s:s, s:n, s:n}", "change", change, "best", "",
                                              "posterior", "distance"));
        return;
    }
    by_ruleset(x, posterior, p);
    for (size_t r = 0; r < x->ruleset_count; r++) {
        distance += fabs(p[r] - usually[r]) / 2;
        best = p[r] > p[best] ? r : best;
    }
    json_array_append_new(rows, json_pack("{s:s, s:s, s:f, s:f}", "change", change, "best",
                                          x->rulesets[best]->cell->name, "posterior", p[best],
                                          "distance", distance));
}

static json_t *sensitivity_rows(fzi_reconstruction *x, const fzi_evidence_wear *wear,
                                const double *usually)
{
    const fzi_evidence *evidence = &x->study->file.evidence;
    fzi_reconstruct_how how = usual(x);
    json_t *rows = json_array();
    fzi_arena *arena = x->study->arena;

    add_change(x, "", &how, wear, usually, rows);
    for (size_t i = 0; i < evidence->prior_count; i++) {
        double *prior = numbers(x, x->ruleset_count);
        how.prior = prior;
        if (fzi_reconstruct_prior(x, i, prior) == FZ_OK)
            add_change(x, fzi_arena_printf(arena, "no prior of %s", evidence->priors[i].option),
                       &how, wear, usually, rows);
    }
    how = usual(x);
    how.preferred = false;
    if (evidence->preference_count)
        add_change(x, "no preferences", &how, wear, usually, rows);
    for (size_t k = 0; k < x->lineup_count && x->lineup_count > 1; k++) {
        how = usual(x);
        how.lineup = x->lineups[k];
        add_change(x, fzi_arena_printf(arena, "only %s", x->lineups[k]), &how, wear, usually,
                   rows);
    }
    for (int k = 0; k < 2 && wear->lines; k++) {
        how = usual(x);
        how.error = k ? 2 : 0.5;
        add_change(x, k ? "twice the error" : "half the error", &how, wear, usually, rows);
    }
    return rows;
}

/* ---- calibration: a ruleset that is known wears the lines ---- */

enum { NOISE = 0x7265636f }; /* no game has this number */

typedef struct trials {
    fzi_reconstruction *x;
    const char *lineup;         /* who wears the lines */
    fzi_reconstruct_how how;
    unsigned worn;              /* groups of games that wear them */
    unsigned groups[FZI_USE_GROUPS]; /* these first; the second half predicts */
    uint64_t key, counter;
    const double *chances;      /* of each hypothesis to be the truth */
    double *wear, *posterior, *p;
    fzi_profile profile;        /* of the wear */
    ranked *ranked;
    unsigned count, found, inside[2];
    double truth, bits, size, games; /* sums */
} trials;

static double uniform(trials *t)
{
    return (fzi_chance_at(t->key, t->counter++) + 0.5) / 4294967296.0;
}

/* A hypothesis whose lines are used, by its chance; NULL: there is none. */
static const fzi_hypothesis *draw_truth(trials *t)
{
    const fzi_reconstruction *x = t->x;
    double sum = 0, at;

    for (int pass = 0; pass < 2; pass++) {
        at = pass ? uniform(t) * sum : 0;
        for (size_t i = 0; i < x->count; i++) {
            const fzi_hypothesis *c = &x->hypotheses[i];
            if (strcmp(c->cell->agents, t->lineup) != 0 || !c->use.used || t->chances[i] <= 0)
                continue;
            if (pass == 0)
                sum += t->chances[i];
            else if ((at -= t->chances[i]) <= 0)
                return c;
        }
    }
    return NULL;
}

/* Chance divides the games, so that each trial has others. */
static void divide_games(trials *t)
{
    fzi_reconstruction *x = t->x;

    for (unsigned g = 0; g < FZI_USE_GROUPS; g++) {
        unsigned k = (unsigned)(uniform(t) * (g + 1));
        t->groups[g] = t->groups[k];
        t->groups[k] = g;
    }
    for (size_t i = 0; i < x->count; i++)
        fzi_profile_fill(x, x->hypotheses[i].cell, t->groups + FZI_USE_GROUPS / 2,
                         FZI_USE_GROUPS / 2, &x->hypotheses[i].half);
}

/* False: the games did not use the lines. */
static bool wear_lines(trials *t, const fzi_study_cell *cell)
{
    size_t which = (size_t)(uniform(t) * t->x->error_count);
    double error = t->how.error * t->x->errors[which], all = 0, games = 0;

    for (uint32_t i = 0; i < cell->line_count; i++) {
        t->wear[i] = 0;
        for (unsigned k = 0; k < t->worn; k++)
            t->wear[i] += cell->groups[t->groups[k]][i];
        t->wear[i] *= exp(error * fzi_wear_noise(t->key, &t->counter));
        all += t->wear[i];
    }
    for (unsigned k = 0; k < t->worn; k++)
        games += (double)((cell->games_used + FZI_USE_GROUPS - 1 - t->groups[k]) / FZI_USE_GROUPS);
    t->games += games;
    t->how.worn_by = games;
    return all > 0;
}

static void try_once(trials *t)
{
    fzi_reconstruction *x = t->x;
    const fzi_hypothesis *truth = draw_truth(t);

    divide_games(t);
    if (!truth || !wear_lines(t, truth->cell))
        return;
    fzi_profile_wear(&t->profile, t->wear, truth->cell->line_count);
    const fzi_evidence_wear wear = {truth->cell, t->profile};
    if (!fzi_reconstruct(x, &t->how, &wear, t->posterior))
        return;
    by_ruleset(x, t->posterior, t->p);
    rank(x, t->p, t->ranked);
    t->count++;
    t->found += t->ranked[0].number == truth->ruleset;
    t->truth += t->p[truth->ruleset];
    t->bits += entropy(t->p, x->ruleset_count);
    for (int k = 0; k < 2; k++) {
        size_t size = set_size(t->ranked, x->ruleset_count, credible[k]);
        for (size_t i = 0; i < size; i++)
            t->inside[k] += t->ranked[i].number == truth->ruleset;
        t->size += k ? (double)size : 0;
    }
}

/* The middle one of the errors. */
static double error_of(const fzi_reconstruction *x)
{
    return sqrt(x->errors[0] * x->errors[x->error_count - 1]);
}

static json_t *calibration_row(const trials *t)
{
    double n = t->count;
    fzi_estimate in = fzi_share_estimate(t->inside[1], t->count);

    return json_pack("{s:s, s:I, s:f, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "agents",
                     t->lineup, "games", (json_int_t)round(t->games / n), "error",
                     t->how.error * error_of(t->x), "trials", (json_int_t)t->count, "found",
                     t->found / n, "in 50 %", t->inside[0] / n, "in 95 %", t->inside[1] / n, "low",
                     in.low, "high", in.high, "size", t->size / n, "truth", t->truth / n, "bits",
                     t->bits / n);
}

/* Of what the study says before there is wear, so rulesets that it prefers are the truth more
 * often. */
static json_t *calibration_rows(fzi_reconstruction *x, unsigned count)
{
    static const struct {
        unsigned groups;
        double error;
    } worn[] = {{FZI_USE_GROUPS / 2, 1}, {1, 1}, {FZI_USE_GROUPS / 2, 0.5}};
    const fzi_evidence_wear nothing = {0};
    double *chances = numbers(x, x->count);
    fzi_reconstruct_how how = usual(x);
    json_t *rows = json_array();

    if (!fzi_reconstruct(x, &how, &nothing, chances))
        return rows;
    how.half = true;
    for (size_t k = 0; k < x->lineup_count; k++)
        for (size_t w = 0; w < sizeof worn / sizeof *worn; w++) {
            trials t = {.x = x, .lineup = x->lineups[k], .how = how, .worn = worn[w].groups,
                        .key = fzi_chance_key(x->study->file.seed, NOISE + 8 * k + w),
                        .chances = chances, .wear = numbers(x, x->lines),
                        .posterior = numbers(x, x->count), .p = numbers(x, x->ruleset_count),
                        .ranked = ranked_room(x)};
            t.profile = fzi_profile_of_wear(x->study, t.wear, x->lines);
            t.how.error = worn[w].error;
            for (unsigned i = 0; i < count; i++) {
                if (fzi_reconstruct_stopped(x))
                    return rows;
                try_once(&t);
            }
            if (t.count)
                json_array_append_new(rows, calibration_row(&t));
        }
    return rows;
}

/* ---- all tables ---- */

/* Reads the wear, and finds a cell that has its lines. */
static fz_status read_wear(const fz_study *study, fzi_evidence_wear *wear)
{
    const char *path = study->file.evidence.wear;
    fzi_wear worn = {0};
    fz_status status = path ? fzi_wear_read(study, path, &worn) : FZ_OK;

    for (size_t i = 0; i < study->count && path && status == FZ_OK && !wear->lines; i++) {
        const fzi_study_cell *cell = &study->cells[i];
        double *shares = fzi_arena_alloc(study->arena, (cell->line_count + 1) * sizeof *shares);
        if (cell->line_count && fzi_wear_of(&worn, cell, shares))
            *wear = (fzi_evidence_wear){cell,
                                        fzi_profile_of_wear(study, shares, cell->line_count)};
    }
    return path && status == FZ_OK && !wear->lines ? fzi_wear_unfit(study, path, &worn) : status;
}

static bool any_use(const fzi_reconstruction *x)
{
    for (size_t i = 0; i < x->count; i++)
        if (x->hypotheses[i].use.used)
            return true;
    return false;
}

static json_t *impossible(const fzi_reconstruction *x, const fzi_evidence_wear *wear)
{
    const fz_study *study = x->study;

    if (fzi_reconstruct_stopped(x))
        fzi_context_fail(study->context, FZ_REFUSED, "%s", stopped);
    else
        fzi_context_fail(study->context, FZ_BAD_INPUT, "%s: %s", study->file.path,
                         wear->lines && !any_use(x)
                             ? "no game used a line, so that nothing is known of their wear"
                             : "no ruleset is possible by its priors, preferences and wear");
    return NULL;
}

fz_status fzi_reconstruct_rank(const fz_study *study, size_t *rulesets, size_t count)
{
    fzi_reconstruction x;
    fzi_evidence_wear wear = {0};
    fz_status status = fzi_reconstruct_begin(&x, study);

    if (status == FZ_OK)
        status = read_wear(study, &wear);
    if (status != FZ_OK)
        return status;
    const fzi_reconstruct_how how = usual(&x);
    double *posterior = numbers(&x, x.count), *p = numbers(&x, x.ruleset_count);
    if (!fzi_reconstruct(&x, &how, &wear, posterior)) {
        impossible(&x, &wear);
        return study->context->failed;
    }
    by_ruleset(&x, posterior, p);
    ranked *all = ranked_room(&x);
    for (size_t i = 0; i < count; i++)
        all[i] = (ranked){rulesets[i], p[rulesets[i]]};
    qsort(all, count, sizeof *all, by_probability);
    for (size_t i = 0; i < count; i++)
        rulesets[i] = all[i].number;
    return FZ_OK;
}

json_t *fzi_study_reconstruct(const fz_study *study, unsigned count)
{
    fzi_reconstruction x;
    fzi_evidence_wear wear = {0};

    if (fzi_reconstruct_begin(&x, study) != FZ_OK || read_wear(study, &wear) != FZ_OK)
        return NULL;
    const fzi_reconstruct_how how = usual(&x);
    double *posterior = numbers(&x, x.count), *p = numbers(&x, x.ruleset_count);
    if (!fzi_reconstruct(&x, &how, &wear, posterior))
        return impossible(&x, &wear);
    by_ruleset(&x, posterior, p);
    json_t *sensitivity = sensitivity_rows(&x, &wear, p);
    json_t *calibration = calibration_rows(&x, count);
    if (fzi_reconstruct_stopped(&x)) {
        json_decref(calibration);
        json_decref(sensitivity);
        fzi_context_fail(study->context, FZ_REFUSED, "%s", stopped);
        return NULL;
    }
    return json_pack("{s:f, s:f, s:f, s:f, s:o, s:o, s:o, s:o, s:o}", "error", error_of(&x),
                     "chance", fzi_reconstruct_chance(&x), "bits before",
                     entropy(x.prior, x.ruleset_count), "bits", entropy(p, x.ruleset_count),
                     "rulesets", ruleset_rows(&x, p), "values", value_rows(&x, p), "lineups",
                     lineup_rows(&x, posterior), "sensitivity", sensitivity, "calibration",
                     calibration);
}
