/* What experiments report of samples of games. See sampling.h. */
#include "sampling.h"

#include "interp/play/play.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

unsigned fzi_threads(uint64_t wanted)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);

    return wanted ? (unsigned)wanted : cores > 0 ? (unsigned)cores : 1;
}

void fzi_interval(uint64_t hits, uint64_t total, double *low, double *high)
{
    fzi_estimate share = {0, 0, 1};

    if (total)
        share = fzi_wilson((double)hits / (double)total, (double)total);
    *low = share.low;
    *high = share.high;
}

void fzi_mean_interval(double mean, double deviation, uint64_t count, double *low, double *high)
{
    double half = count ? FZ_NORMAL_95 * deviation / sqrt((double)count) : 0;

    *low = mean - half;
    *high = mean + half;
}

uint64_t fzi_finished(const fz_tally *tally)
{
    return tally->playouts - tally->stopped;
}

const char *fzi_grouped(unsigned long long number, char *text)
{
    char digits[32];
    int length = snprintf(digits, sizeof digits, "%llu", number);
    char *out = text;

    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            *out++ = ',';
        *out++ = digits[i];
    }
    *out = '\0';
    return text;
}
