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

fzi_estimate fzi_limit_estimate(const double *x, const fzi_estimate *y, unsigned count,
                                double *fit)
{
    double s = 0, sx = 0, sxx = 0, sy = 0, sxy = 0, misfit = 0;

    *fit = NAN;
    for (unsigned i = 0; i < count; i++) {
        double error = (y[i].high - y[i].low) / (2 * FZ_NORMAL_95), w = 1 / (error * error);
        if (!(error > 0) || isinf(error))
            return (fzi_estimate){NAN, NAN, NAN};
        s += w;
        sx += w * x[i];
        sxx += w * x[i] * x[i];
        sy += w * y[i].value;
        sxy += w * x[i] * y[i].value;
    }
    double size = s * sxx - sx * sx;
    double limit = (sxx * sy - sx * sxy) / size, slope = (s * sxy - sx * sy) / size;
    double half = FZ_NORMAL_95 * sqrt(sxx / size);
    for (unsigned i = 0; i < count; i++) {
        double error = (y[i].high - y[i].low) / (2 * FZ_NORMAL_95);
        misfit += pow((y[i].value - limit - slope * x[i]) / error, 2);
    }
    *fit = chi_square_p(misfit, count - 2);
    return *fit < 0.01 ? (fzi_estimate){NAN, NAN, NAN}
                       : (fzi_estimate){limit, limit - half, limit + half};
}
