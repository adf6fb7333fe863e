/* Estimates with their intervals. See play.h; docs/measures.md says how often they hold. */
#include "play.h"

#include <math.h>

double fzi_student_95(double freedom)
{
    const double z = FZ_NORMAL_95, w = z * z, v = freedom;

    if (v < 3)
        return v < 2 ? 12.706204736 : 4.302652730;
    /* Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5. */
    return z * (1 + (w + 1) / (4 * v) + ((5 * w + 16) * w + 3) / (96 * v * v) +
                (((3 * w + 19) * w + 17) * w - 15) / (384 * v * v * v) +
                ((((79 * w + 776) * w + 1482) * w - 1920) * w - 945) / (92160 * v * v * v * v));
}

/* ---- shares ---- */

/* Below three hits Wilson's lower bound is too high: that of a Poisson mean, which is exact for
 * rare hits (L. Brown, T. Cai, A. DasGupta, Statistical Science 16, 2001). From three hits to four
 * it goes over to Wilson's. */
static double lower_bound(double wilson, double hits, double n)
{
    static const double poisson[] = {0, 0.0253178, 0.2422093, 0.6186721};
    int whole = (int)fmin(hits, 4);

    if (whole >= 4 || hits > n / 2)
        return wilson;
    double next = whole == 3 ? wilson : poisson[whole + 1] / n;
    return fmin(wilson, poisson[whole] / n + (hits - whole) * (next - poisson[whole] / n));
}

fzi_estimate fzi_wilson(double share, double n)
{
    const double z = FZ_NORMAL_95;
    double centre = (share + z * z / (2 * n)) / (1 + z * z / n);
    double half = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n));

    return (fzi_estimate){share, share > 0 ? lower_bound(centre - half, share * n, n) : 0,
                          share < 1 ? 1 - lower_bound(1 - centre - half, (1 - share) * n, n) : 1};
}

fzi_estimate fzi_share_estimate(uint64_t hits, uint64_t total)
{
    return total ? fzi_wilson((double)hits / (double)total, (double)total)
                 : (fzi_estimate){NAN, NAN, NAN};
}

fzi_estimate fzi_part_estimate(double part, double squared_error, double count)
{
    double t = fzi_student_95(count - 1) / FZ_NORMAL_95;

    if (count < 1)
        return (fzi_estimate){NAN, NAN, NAN};
    if (squared_error > 0 && part > 0 && part < 1)
        return fzi_wilson(part, part * (1 - part) / squared_error / (t * t));
    /* All are alike; others may be anything, but are seldom. */
    double others = fzi_wilson(0, count).high;
    return (fzi_estimate){part, part - others * part, part + others * (1 - part)};
}

/* ---- means ---- */

/* The inverse of Hall's cubic, which takes the skewness out of Student's statistic. */
static double undo(double x, double skewness, double count)
{
    return fabs(skewness) < 1e-6
               ? x : 3 / skewness * (cbrt(1 + skewness * (x - skewness / (6 * count))) - 1);
}

fzi_estimate fzi_skewed_estimate(double mean, double deviation, double skewness, uint64_t count)
{
    double n = (double)count, step = fzi_student_95(n - 1) / sqrt(n);

    if (count < 2)
        return (fzi_estimate){count ? mean : NAN, NAN, NAN};
    return (fzi_estimate){mean, mean - deviation * undo(step, skewness, n),
                          mean - deviation * undo(-step, skewness, n)};
}

fzi_estimate fzi_mean_estimate(double mean, double deviation, uint64_t count)
{
    return fzi_skewed_estimate(mean, deviation, 0, count);
}

fzi_estimate fzi_payoff_estimate(const fz_tally *tally, unsigned player)
{
    return fzi_mean_estimate(tally->payoff_mean[player], tally->payoff_deviation[player],
                             fzi_finished(tally));
}

fzi_estimate fzi_decisions_estimate(const fz_sums *sums, const fz_tally *tally)
{
    double n = (double)tally->playouts, cubes = 0;

    for (uint64_t i = 0; n > 0 && i <= sums->longest; i++) {
        double d = ((double)i - tally->mean) / (tally->deviation > 0 ? tally->deviation : 1);
        cubes += (double)sums->lengths[i] * d * d * d;
    }
    return fzi_skewed_estimate(tally->mean, tally->deviation, cubes / n, tally->playouts);
}

fzi_estimate fzi_estimate_difference(fzi_estimate a, fzi_estimate b)
{
    double value = b.value - a.value;

    return (fzi_estimate){value, value - hypot(b.value - b.low, a.high - a.value),
                          value + hypot(b.high - b.value, a.value - a.low)};
}

/* ---- p values ---- */

/* The sum of the weights, relative to the weight of the most probable number, of the numbers of
 * hits on one side of it; and of those that are no more probable than `observed`. */
typedef struct tail {
    double all, extreme;
} tail;

/* Of hypergeometric numbers: `hits` of `n` in one sample and the rest of `all` in another of `m`;
 * the weight of one more, relative to this one. */
static double ratio(double hits, double all, double n, double m)
{
    return (all - hits) * (n - hits) / ((hits + 1) * (m - all + hits + 1));
}

/* From the most probable number to `to`, in one direction. */
static double weight_at(double mode, double to, double all, double n, double m)
{
    double weight = 1;

    for (double k = mode; k < to && weight > 0; k++)
        weight *= ratio(k, all, n, m);
    for (double k = mode; k > to && weight > 0; k--)
        weight /= ratio(k - 1, all, n, m);
    return weight;
}

static tail sum_tail(double from, double end, double step, double weight, double observed,
                     double all, double n, double m)
{
    tail t = {0, 0};

    for (double k = from; step > 0 ? k <= end : k >= end; k += step) {
        t.all += weight;
        if (weight <= observed * (1 + 1e-9))
            t.extreme += weight;
        if (weight < 1e-300)
            break;
        weight = step > 0 ? weight * ratio(k, all, n, m) : weight / ratio(k - 1, all, n, m);
    }
    return t;
}

double fzi_exact_p(uint64_t hits, uint64_t total, uint64_t other_hits, uint64_t other_total)
{
    double all = (double)(hits + other_hits), n = (double)total, m = (double)other_total;
    double low = fmax(0, all - m), high = fmin(all, n);
    double mode = fmin(fmax(floor((all + 1) * (n + 1) / (n + m + 2)), low), high);
    double observed = weight_at(mode, (double)hits, all, n, m);
    tail up = sum_tail(mode, high, 1, 1, observed, all, n, m);
    tail down = {0, 0};

    if (mode > low)
        down = sum_tail(mode - 1, low, -1, 1 / ratio(mode - 1, all, n, m), observed, all, n, m);
    return fmin(1, (up.extreme + down.extreme) / (up.all + down.all));
}

/* The continued fraction of the incomplete beta function (Abramowitz and Stegun, 26.5.8), by
 * Lentz's method. */
static double beta_fraction(double a, double b, double x)
{
    const double least = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1), f;

    d = 1 / (fabs(d) < least ? least : d);
    f = d;
    for (int i = 1; i < 400; i++) {
        double even = i * (b - i) * x / ((a + 2 * i - 1) * (a + 2 * i));
        double odd = -(a + i) * (a + b + i) * x / ((a + 2 * i) * (a + 2 * i + 1));
        for (int k = 0; k < 2; k++) {
            double term = k ? odd : even;
            d = 1 + term * d;
            c = 1 + term / c;
            d = 1 / (fabs(d) < least ? least : d);
            c = fabs(c) < least ? least : c;
            f *= c * d;
        }
        if (fabs(c * d - 1) < 1e-12)
            break;
    }
    return f;
}

static double incomplete_beta(double a, double b, double x)
{
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));

    return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a
                                     : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double fzi_student_p(double t, double freedom)
{
    double x = freedom / (freedom + t * t);

    return !(freedom > 0) ? 1 : x >= 1 ? 1 : x <= 0 ? 0 : incomplete_beta(freedom / 2, 0.5, x);
}

double fzi_welch_freedom(double error, double count, double other_error, double other_count)
{
    double a = error * error, b = other_error * other_error;

    return (a + b) * (a + b) / (a * a / (count - 1) + b * b / (other_count - 1));
}
