/* The model of reconstructions: priors, preferences, the likelihood of wear. See reconstruct.h. */
#include "reconstruct.h"

static void *room_for(const fz_study *study, size_t count, size_t size)
{
    return fzi_arena_alloc(study->arena, (count + 1) * size);
}

bool fzi_reconstruct_stopped(const fzi_reconstruction *x)
{
    return fzi_study_cancelled(x->study);
}

/* ---- priors ---- */

const char *fzi_ruleset_value(const fzi_reconstruction *x, size_t ruleset, const char *option)
{
    const json_t *all = json_object_get(x->rulesets[ruleset]->cell->experiment, "options");
    const json_t *value = json_object_get(all, option);

    return json_is_string(value) ? json_string_value(value) : NULL;
}

/* Finds the value of each ruleset. Each needs a weight, and each weight a ruleset. */
static fz_status find_values(const fzi_reconstruction *x, size_t number)
{
    const fz_study *study = x->study;
    const fzi_prior *prior = &study->file.evidence.priors[number];
    bool *used = room_for(study, prior->count, sizeof *used);

    memset(used, 0, prior->count * sizeof *used);
    for (size_t r = 0; r < x->ruleset_count; r++) {
        const char *value = fzi_ruleset_value(x, r, prior->option);
        const char *name = x->rulesets[r]->cell->name;
        size_t i = 0;
        if (!value)
            return fzi_context_fail(study->context, FZ_BAD_INPUT, "%s:%u: the game of ruleset '%s' "
                                    "has no option '%s'", study->file.path, prior->line, name,
                                    prior->option);
        while (i < prior->count && strcmp(prior->values[i].value, value) != 0)
            i++;
        if (i == prior->count)
            return fzi_context_fail(study->context, FZ_BAD_INPUT, "%s:%u: the prior of %s has no "
                                    "weight for %s, which ruleset '%s' has", study->file.path,
                                    prior->line, prior->option, value, name);
        x->has[number][r] = i;
        used[i] = true;
    }
    for (size_t i = 0; i < prior->count; i++)
        if (!used[i] && prior->values[i].weight > 0)
            return fzi_context_fail(study->context, FZ_BAD_INPUT, "%s:%u: no ruleset has %s=%s",
                                    study->file.path, prior->line, prior->option,
                                    prior->values[i].value);
    return FZ_OK;
}

/* Multiplies the probabilities so that each value has its share; returns the greatest change of a
 * share. `sums` has room for one number for each value. */
static double fit_prior(const fzi_reconstruction *x, size_t number, double *sums, double *p)
{
    const fzi_prior *prior = &x->study->file.evidence.priors[number];
    const size_t *has = x->has[number];
    double all = 0, change = 0;

    for (size_t i = 0; i < prior->count; i++) {
        all += prior->values[i].weight;
        sums[i] = 0;
    }
    for (size_t r = 0; r < x->ruleset_count; r++)
        sums[has[r]] += p[r];
    for (size_t i = 0; i < prior->count; i++) {
        double wanted = all > 0 ? prior->values[i].weight / all : 0;
        change = fmax(change, fabs(sums[i] - wanted));
        sums[i] = sums[i] > 0 ? wanted / sums[i] : 0;
    }
    for (size_t r = 0; r < x->ruleset_count; r++)
        p[r] *= sums[has[r]];
    return change;
}

/* Iterative proportional fitting (Deming and Stephan, 1940): of all distributions whose values have
 * the given shares, the one with the greatest entropy. */
fz_status fzi_reconstruct_prior(const fzi_reconstruction *x, size_t without, double *prior)
{
    enum { MOST_ROUNDS = 1000 };
    const fzi_evidence *evidence = &x->study->file.evidence;
    double change = 1, *sums;
    size_t most = 0;

    for (size_t i = 0; i < evidence->prior_count; i++)
        most = evidence->priors[i].count > most ? evidence->priors[i].count : most;
    sums = room_for(x->study, most, sizeof *sums);
    for (size_t r = 0; r < x->ruleset_count; r++)
        prior[r] = 1.0 / (double)x->ruleset_count;
    for (int round = 0; round < MOST_ROUNDS && change > 1e-9; round++) {
        if (fzi_reconstruct_stopped(x))
            return fzi_context_fail(x->study->context, FZ_REFUSED, "stopped in the priors");
        change = 0;
        for (size_t i = 0; i < evidence->prior_count; i++)
            if (i != without)
                change = fmax(change, fit_prior(x, i, sums, prior));
    }
    if (change <= 1e-6)
        return FZ_OK;
    return fzi_context_fail(x->study->context, FZ_BAD_INPUT, "%s: all these priors at once "
                            "contradict each other, or leave a ruleset no probability",
                            x->study->file.path);
}

/* ---- preferences ---- */

/* The logarithm of the mean of e^(-W d^2 / 2) over what the figure may be: two halves of normal
 * distributions, on each side as wide as the interval. So few games cannot rule a ruleset out. */
static double log_weight(const fzi_preference *p, fzi_estimate figure)
{
    enum { POINTS = 25 };
    bool known = isfinite(figure.high - figure.low);
    double logs[POINTS], most = -INFINITY, sum = 0, weights = 0;

    if (isnan(figure.value))
        return 0;
    for (int i = 0; i < POINTS; i++) {
        double z = (i - POINTS / 2) / 4.0;
        double side = known ? (z < 0 ? figure.value - figure.low : figure.high - figure.value) : 0;
        double at = figure.value + z * side / FZ_NORMAL_95;
        double beyond = fmax(0, fmax(p->low - at, at - p->high)) / (p->high - p->low);
        logs[i] = -z * z / 2 - p->weight * beyond * beyond / 2;
        most = fmax(most, logs[i]);
        weights += exp(-z * z / 2);
    }
    if (!isfinite(most))
        return most;
    /* without the greatest term, sums of rulesets that are far beyond would all be 0 */
    for (int i = 0; i < POINTS; i++)
        sum += exp(logs[i] - most);
    return most + log(sum / weights);
}

static double quality_of(const fz_study *study, const fzi_study_cell *cell)
{
    const fzi_evidence *evidence = &study->file.evidence;
    double quality = 0;

    for (size_t i = 0; i < evidence->preference_count; i++) {
        const fzi_preference *p = &evidence->preferences[i];
        if (p->weight > 0)
            quality += log_weight(p, fzi_judged_figure(&cell->judged, p->figure));
    }
    return quality;
}

/* ---- profiles ---- */

/* `shares` have any sum. */
static void take_logs(const double *shares, uint32_t lines, double *logs, double *variances)
{
    double least = INFINITY;

    for (uint32_t i = 0; i < lines; i++)
        if (shares[i] > 0)
            least = fmin(least, shares[i]);
    for (uint32_t i = 0; i < lines; i++) {
        logs[i] = log(shares[i] > 0 ? shares[i] : least / 2);
        variances[i] += shares[i] > 0 ? 0 : 1;
    }
}

static fzi_profile profile_with_room(const fz_study *study, uint32_t lines)
{
    fzi_profile profile = {.logs = room_for(study, lines, sizeof(double)),
                           .variances = room_for(study, lines, sizeof(double))};

    memset(profile.variances, 0, lines * sizeof(double));
    return profile;
}

void fzi_profile_wear(fzi_profile *profile, const double *wear, uint32_t lines)
{
    memset(profile->variances, 0, lines * sizeof(double));
    take_logs(wear, lines, profile->logs, profile->variances);
}

fzi_profile fzi_profile_of_wear(const fz_study *study, const double *wear, uint32_t lines)
{
    fzi_profile profile = profile_with_room(study, lines);

    fzi_profile_wear(&profile, wear, lines);
    return profile;
}

/* What the other groups have of a line. False: nothing of any. */
static bool leave_out(const double *sums, const double *group, uint32_t lines, double *rest)
{
    bool any = false;

    for (uint32_t i = 0; i < lines; i++) {
        rest[i] = sums[i] - group[i];
        any |= rest[i] > 0;
    }
    return any;
}

/* The variance of the logarithm of each share, less their mean: a jackknife, which leaves out each
 * group once. If one group has all of the use, little is known. `room` has four numbers for each
 * line. */
static double find_chance(const fzi_study_cell *cell, const double *sums, const unsigned *groups,
                          unsigned count, double *room, double *chance)
{
    uint32_t lines = cell->line_count;
    double *sum = room, *squares = sum + lines, *logs = squares + lines, *rest = logs + lines;
    double used = 0;

    memset(sum, 0, 2 * lines * sizeof(double));
    for (unsigned k = 0; k < count; k++) {
        double mean = 0;
        if (groups[k] >= cell->games_used)
            continue;
        if (!leave_out(sums, cell->groups[groups[k]], lines, rest)) {
            used = 0;
            break;
        }
        take_logs(rest, lines, logs, rest);
        for (uint32_t i = 0; i < lines; i++)
            mean += logs[i] / lines;
        for (uint32_t i = 0; i < lines; i++) {
            sum[i] += logs[i] - mean;
            squares[i] += (logs[i] - mean) * (logs[i] - mean);
        }
        used++;
    }
    for (uint32_t i = 0; i < lines; i++)
        chance[i] = used > 1 ? fmax(0, squares[i] - sum[i] * sum[i] / used) * (used - 1) / used : 1;
    return fmax(1, used - 1);
}

void fzi_profile_fill(const fzi_reconstruction *x, const fzi_study_cell *cell,
                      const unsigned *groups, unsigned count, fzi_profile *profile)
{
    uint32_t lines = cell->line_count;
    double *sums = x->room, all = 0;

    for (uint32_t i = 0; i < lines; i++) {
        sums[i] = profile->variances[i] = 0;
        for (unsigned k = 0; k < count; k++)
            sums[i] += cell->groups[groups[k]][i];
        all += sums[i];
    }
    profile->used = all > 0;
    if (!profile->used)
        return;
    take_logs(sums, lines, profile->logs, profile->variances);
    profile->freedom = find_chance(cell, sums, groups, count, x->room + lines, profile->chance);
}

static fzi_profile profile_of_use(const fz_study *study, const fzi_study_cell *cell)
{
    fzi_profile profile = profile_with_room(study, cell->line_count);

    profile.chance = room_for(study, cell->line_count, sizeof(double));
    return profile;
}

/* ---- the likelihood of wear ---- */

/* The logarithm of Student's density, but for a constant. */
static double log_student(double x, double variance, double freedom)
{
    if (freedom > 1e4)
        return -(x * x / variance + log(variance)) / 2;
    return lgamma((freedom + 1) / 2) - lgamma(freedom / 2) - log(freedom * variance / 2) / 2 -
           (freedom + 1) / 2 * log1p(x * x / (variance * freedom));
}

/* The wear of a line is its use times a common factor, which may be anything, times e^(dz), where z
 * is normal. `spread` multiplies the variance by chance: 1, and more if the wear, too, is that of
 * finitely many games. Constants are left out. */
static double log_fit(const double *wear, const double *wear_variances, const fzi_profile *use,
                      uint32_t lines, double error, double spread)
{
    const double least = error * error + 1e-9;
    double weights = 0, mean = 0, fit = 0;

    for (uint32_t i = 0; i < lines; i++) {
        double variance = least + wear_variances[i] + use->variances[i] + spread * use->chance[i];
        weights += 1 / variance;
        mean += (wear[i] - use->logs[i]) / variance;
    }
    mean /= weights;
    for (uint32_t i = 0; i < lines; i++) {
        double chance = spread * use->chance[i];
        double variance = least + wear_variances[i] + use->variances[i] + chance;
        double part = chance / variance; /* freedom by Satterthwaite, 1946 */
        fit += log_student(wear[i] - use->logs[i] - mean, variance,
                           part > 0 ? use->freedom / (part * part) : INFINITY);
    }
    return fit - log(weights) / 2;
}

/* log(e^a + e^b) */
static double log_add(double a, double b)
{
    double high = fmax(a, b), low = fmin(a, b);

    return low == -INFINITY ? high : high + log1p(exp(low - high));
}

/* The mean over the mirror images of the board and the errors, each as probable as the others. */
static double log_likelihood(const fzi_reconstruction *x, const fzi_hypothesis *c,
                             const fzi_reconstruct_how *how, const fzi_evidence_wear *wear)
{
    const fzi_profile *use = how->half ? &c->half : &c->use;
    uint32_t lines = c->cell->line_count;
    double *logs = x->room, *variances = logs + lines;
    double games = (double)c->cell->games_used / (how->half ? 2 : 1);
    double spread = 1 + games / how->worn_by, all = -INFINITY, count = 0;

    if (!use->used || !fzi_cells_share_lines(c->cell, wear->lines))
        return -INFINITY;
    for (unsigned m = 0; m < 1u << FZ_REFLECTIONS; m++) {
        if (!fzi_cell_mirrored(c->cell, m, wear->profile.logs, logs))
            continue;
        fzi_cell_mirrored(c->cell, m, wear->profile.variances, variances);
        for (unsigned e = 0; e < x->error_count; e++, count++)
            all = log_add(all, log_fit(logs, variances, use, lines, how->error * x->errors[e],
                                       spread));
    }
    return all - log(count);
}

bool fzi_reconstruct(fzi_reconstruction *x, const fzi_reconstruct_how *how,
                     const fzi_evidence_wear *wear, double *posterior)
{
    double most = -INFINITY, sum = 0;

    for (size_t i = 0; i < x->count; i++) {
        const fzi_hypothesis *c = &x->hypotheses[i];
        if (wear->lines && fzi_reconstruct_stopped(x))
            return false;
        bool plays = !how->lineup || strcmp(how->lineup, c->cell->agents) == 0;
        posterior[i] = plays ? log(how->prior[c->ruleset]) : -INFINITY;
        posterior[i] += how->preferred ? c->quality : 0;
        if (wear->lines && posterior[i] > -INFINITY)
            posterior[i] += log_likelihood(x, c, how, wear);
        most = fmax(most, posterior[i]);
    }
    for (size_t i = 0; i < x->count && most > -INFINITY; i++) {
        posterior[i] = exp(posterior[i] - most);
        sum += posterior[i];
    }
    for (size_t i = 0; i < x->count && sum > 0; i++)
        posterior[i] /= sum;
    return sum > 0;
}

/* ---- the beginning ---- */

/* Without an `error`, the wear is wrong by about a tenth. A range becomes errors of which each is
 * the same multiple of the one before. */
static void set_errors(fzi_reconstruction *x)
{
    const double *error = x->study->file.evidence.error;
    double low = error[0] > 0 ? error[0] : 0.1, high = error[0] > 0 ? error[1] : 0.1;

    x->error_count = high > low ? FZI_MOST_ERRORS : 1;
    for (unsigned i = 0; i < x->error_count; i++)
        x->errors[i] = low * pow(high / low, x->error_count > 1 ? i / (x->error_count - 1.0) : 0);
}

static bool same_ruleset(const fzi_study_cell *a, const fzi_study_cell *b)
{
    return a->game == b->game && strcmp(a->name, b->name) == 0;
}

/* Gives the hypothesis the numbers of its ruleset and its agents. The cells of a ruleset follow
 * each other. */
static void number(fzi_reconstruction *x, fzi_hypothesis *c)
{
    size_t last = x->ruleset_count;

    if (last == 0 || !same_ruleset(x->rulesets[last - 1]->cell, c->cell))
        x->rulesets[x->ruleset_count++] = c;
    c->ruleset = x->ruleset_count - 1;
    while (c->lineup < x->lineup_count &&
           strcmp(x->lineups[c->lineup], c->cell->agents) != 0)
        c->lineup++;
    if (c->lineup == x->lineup_count)
        x->lineups[x->lineup_count++] = c->cell->agents;
}

double fzi_reconstruct_chance(const fzi_reconstruction *x)
{
    double sum = 0, count = 0;

    for (size_t i = 0; i < x->count; i++) {
        const fzi_hypothesis *c = &x->hypotheses[i];
        for (uint32_t k = 0; k < c->cell->line_count && c->use.used; k++, count++)
            sum += c->use.chance[k];
    }
    return count > 0 ? sqrt(sum / count) : 0;
}

static void make_hypotheses(fzi_reconstruction *x)
{
    unsigned groups[FZI_USE_GROUPS];

    for (unsigned g = 0; g < FZI_USE_GROUPS; g++)
        groups[g] = g;
    for (size_t i = 0; i < x->count; i++) {
        const fzi_study_cell *cell = &x->study->cells[i];
        x->hypotheses[i] = (fzi_hypothesis){.cell = cell, .quality = quality_of(x->study, cell),
                                           .use = profile_of_use(x->study, cell),
                                           .half = profile_of_use(x->study, cell)};
        fzi_profile_fill(x, cell, groups, FZI_USE_GROUPS, &x->hypotheses[i].use);
        number(x, &x->hypotheses[i]);
    }
}

fz_status fzi_reconstruct_begin(fzi_reconstruction *x, const fz_study *study)
{
    const fzi_evidence *evidence = &study->file.evidence;
    fz_status status = FZ_OK;

    *x = (fzi_reconstruction){.study = study, .count = study->count};
    for (size_t i = 0; i < study->count; i++)
        x->lines = study->cells[i].line_count > x->lines ? study->cells[i].line_count : x->lines;
    x->hypotheses = room_for(study, study->count, sizeof *x->hypotheses);
    x->rulesets = room_for(study, study->count, sizeof *x->rulesets);
    x->lineups = room_for(study, study->count, sizeof *x->lineups);
    x->has = room_for(study, evidence->prior_count, sizeof *x->has);
    x->room = room_for(study, 5 * (size_t)x->lines, sizeof(double));
    make_hypotheses(x);
    x->prior = room_for(study, x->ruleset_count, sizeof(double));
    set_errors(x);
    for (size_t i = 0; i < evidence->prior_count && status == FZ_OK; i++) {
        x->has[i] = room_for(study, x->ruleset_count, sizeof **x->has);
        status = find_values(x, i);
    }
    return status == FZ_OK ? fzi_reconstruct_prior(x, SIZE_MAX, x->prior) : status;
}
