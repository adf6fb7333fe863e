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
                 : (fzi_estimate){0, 0, 1};
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
