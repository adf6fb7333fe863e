/* The limit of estimates that lie on a line. See play.h. */
#include "play.h"

#include <math.h>

/* The share of chi-square values above `value`; Abramowitz and Stegun, 26.4.4 and 26.4.5. */
static double chi_square_p(double value, unsigned freedom)
{
    double half = value / 2, sum = freedom % 2 ? erfc(sqrt(half)) : exp(-half), term;

    for (double k = freedom % 2 ? 0.5 : 1; k < freedom / 2.0; k++) {
        term = exp(k * log(half) - half - lgamma(k + 1));
        sum += half > 0 ? term : 0;
    }
    return fmin(sum, 1);
}

static double error_of(fzi_estimate e)
{
    return (e.high - e.low) / (2 * FZ_NORMAL_95);
}

/* Differences from the means are summed: sums of squares lose all digits where one interval is much
 * narrower than the others. */
fzi_estimate fzi_limit_estimate(const double *x, const fzi_estimate *y, unsigned count,
                                double *fit)
{
    double sum = 0, mean_x = 0, mean_y = 0, xx = 0, xy = 0, misfit = 0;

    *fit = NAN;
    for (unsigned i = 0; i < count; i++) {
        double error = error_of(y[i]), weight = 1 / (error * error);
        if (!(error > 0) || isinf(error))
            return (fzi_estimate){NAN, NAN, NAN};
        sum += weight;
        mean_x += (x[i] - mean_x) * weight / sum;
        mean_y += (y[i].value - mean_y) * weight / sum;
    }
    for (unsigned i = 0; i < count; i++) {
        double scaled = (x[i] - mean_x) / error_of(y[i]);
        xx += scaled * scaled;
        xy += scaled * (y[i].value - mean_y) / error_of(y[i]);
    }
    double slope = xy / xx, limit = mean_y - slope * mean_x;
    double half = FZ_NORMAL_95 * sqrt(1 / sum + mean_x * mean_x / xx);
    for (unsigned i = 0; i < count; i++)
        misfit += pow((y[i].value - limit - slope * x[i]) / error_of(y[i]), 2);
    *fit = chi_square_p(misfit, count - 2);
    return *fit < 0.01 ? (fzi_estimate){NAN, NAN, NAN}
                       : (fzi_estimate){limit, limit - half, limit + half};
}
