/* Elo differences, sequential tests, ratings. See play.h. */
#include "play.h"

#include <math.h>

double fzi_elo_of_score(double score)
{
    if (score <= 0 || score >= 1)
        return score <= 0 ? -INFINITY : INFINITY;
    return 400 * log10(score / (1 - score));
}

double fzi_score_of_elo(double elo)
{
    return 1 / (1 + pow(10, -elo / 400));
}

/* ---- two players ---- */

typedef struct moments {
    double pairs, mean, variance; /* of a pair's score per game */
} moments;

static moments moments_of(const fzi_pairs *p)
{
    moments m = {0};
    double squares = 0;

    for (unsigned k = 0; k < 5; k++) {
        m.pairs += (double)p->counts[k];
        m.mean += (double)p->counts[k] * k / 4;
        squares += (double)p->counts[k] * k * k / 16;
    }
    if (m.pairs > 0)
        m.mean /= m.pairs;
    if (m.pairs > 1)
        m.variance = fmax(0, (squares - m.pairs * m.mean * m.mean) / (m.pairs - 1));
    return m;
}

fzi_estimate fzi_pairs_score(const fzi_pairs *pairs)
{
    moments m = moments_of(pairs);

    return fzi_part_estimate(m.mean, m.variance / fmax(1, m.pairs), m.pairs);
}

fzi_estimate fzi_results_score(const uint64_t results[3])
{
    double drawn = (double)results[1], won = (double)results[2];
    double n = (double)results[0] + drawn + won, mean = n > 0 ? (won + drawn / 2) / n : 0;
    double variance = n > 1 ? fmax(0, won + drawn / 4 - n * mean * mean) / (n - 1) : 0;

    return fzi_part_estimate(mean, variance / fmax(1, n), n);
}

fzi_estimate fzi_elo_estimate(fzi_estimate score)
{
    return (fzi_estimate){fzi_elo_of_score(score.value), fzi_elo_of_score(score.low),
                          fzi_elo_of_score(score.high)};
}

/* ---- the sequential test ---- */

/* Results that have not occurred count this little, so that every mean is possible. */
static const double NEVER_SEEN = 1e-3;

/* The most likely distribution with this mean has weights p / (1 + x (a - mean)); finds x. */
static double tilt(const double *p, double mean)
{
    double low = -1 / (1 - mean), high = 1 / mean;

    for (unsigned i = 0; i < 200; i++) {
        double x = (low + high) / 2, sum = 0;
        for (unsigned k = 0; k < 5; k++) {
            double d = k / 4.0 - mean;
            sum += p[k] * d / (1 + x * d);
        }
        if (sum > 0)
            low = x;
        else
            high = x;
    }
    return (low + high) / 2;
}

double fzi_sprt_ratio(const fzi_sprt *test, const fzi_pairs *pairs)
{
    double mean0 = fzi_score_of_elo(test->elo0), mean1 = fzi_score_of_elo(test->elo1);
    double counts[5], sum = 0;

    if (moments_of(pairs).pairs <= 0)
        return 0;
    for (unsigned k = 0; k < 5; k++)
        counts[k] = pairs->counts[k] ? (double)pairs->counts[k] : NEVER_SEEN;
    double x0 = tilt(counts, mean0);
    double x1 = tilt(counts, mean1);
    for (unsigned k = 0; k < 5; k++)
        sum += counts[k] * log((1 + x0 * (k / 4.0 - mean0)) / (1 + x1 * (k / 4.0 - mean1)));
    return sum;
}

void fzi_sprt_bounds(const fzi_sprt *test, double *lower, double *upper)
{
    *lower = log(test->beta / (1 - test->alpha));
    *upper = log((1 - test->beta) / test->alpha);
}

int fzi_sprt_verdict(const fzi_sprt *test, const fzi_pairs *pairs)
{
    double lower, upper, ratio = fzi_sprt_ratio(test, pairs);

    fzi_sprt_bounds(test, &lower, &upper);
    return ratio >= upper ? 1 : ratio <= lower ? -1 : 0;
}

/* ---- several players ---- */

typedef double matrix[FZ_MAX_RATED][FZ_MAX_RATED];

/* Hunter's iteration; strengths with the geometric mean 1. */
static void iterate_strengths(unsigned count, matrix points, matrix games, double *strengths)
{
    double change = 1;

    for (unsigned round = 0; round < 100000 && change > 1e-12; round++) {
        double mean = 0;
        change = 0;
        for (unsigned i = 0; i < count; i++) {
            double won = 0, expected = 0, before = strengths[i];
            for (unsigned j = 0; j < count; j++) {
                if (i == j || games[i][j] <= 0)
                    continue;
                won += points[i][j] + 0.5;
                expected += (games[i][j] + 1) / (strengths[i] + strengths[j]);
            }
            if (expected > 0)
                strengths[i] = won / expected;
            change = fmax(change, fabs(log(strengths[i] / before)));
        }
        for (unsigned i = 0; i < count; i++)
            mean += log(strengths[i]) / count;
        for (unsigned i = 0; i < count; i++)
            strengths[i] /= exp(mean);
    }
}

/* Inverts a symmetric positive matrix in place (Gauss and Jordan); its pivots are positive. */
static void invert(unsigned count, matrix m)
{
    for (unsigned k = 0; k < count; k++) {
        double pivot = m[k][k];
        m[k][k] = 1;
        for (unsigned j = 0; j < count; j++)
            m[k][j] /= pivot;
        for (unsigned i = 0; i < count; i++) {
            double factor = m[i][k];
            if (i == k)
                continue;
            m[i][k] = 0;
            for (unsigned j = 0; j < count; j++)
                m[i][j] -= factor * m[k][j];
        }
    }
}

void fzi_ratings(unsigned count, double points[][FZ_MAX_RATED], double games[][FZ_MAX_RATED],
                 fzi_estimate *ratings)
{
    const double unit = log(10) / 400;
    double strengths[FZ_MAX_RATED];
    matrix information = {{0}};

    for (unsigned i = 0; i < count; i++)
        strengths[i] = 1;
    iterate_strengths(count, points, games, strengths);
    for (unsigned i = 0; i < count; i++) {
        for (unsigned j = 0; j < count; j++) {
            double p = strengths[i] / (strengths[i] + strengths[j]);
            double known = i == j || games[i][j] <= 0
                               ? 0 : (games[i][j] + 1) * p * (1 - p) * unit * unit;
            information[i][i] += known;
            information[i][j] -= known;
        }
    }
    /* Only differences are known. The same number everywhere makes the matrix invertible; it is the
     * variance of the mean, which is taken out again. */
    for (unsigned i = 0; i < count; i++)
        for (unsigned j = 0; j < count; j++)
            information[i][j] += unit * unit;
    invert(count, information);
    for (unsigned i = 0; i < count; i++) {
        double value = log(strengths[i]) / unit;
        double mean = 1 / (unit * unit * count * count);
        double half = FZ_NORMAL_95 * sqrt(fmax(0, information[i][i] - mean));
        double met = 0;
        for (unsigned j = 0; j < count; j++)
            met += games[i][j];
        ratings[i] = met > 0 ? (fzi_estimate){value, value - half, value + half}
                             : (fzi_estimate){NAN, NAN, NAN};
    }
}
