/* Shared by the commands that play many games. See sampling.h. */
#include "sampling.h"

#include "terminal.h"

#include <math.h>
#include <unistd.h>

unsigned fzi_threads(const fzi_cli *cli)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);

    return cli->threads ? (unsigned)cli->threads : cores > 0 ? (unsigned)cores : 1;
}

static bool watch_stop(void *user, uint64_t done, uint64_t total)
{
    fzi_progress_update(user, done, total);
    return fzi_terminal_interrupted();
}

fz_watch fzi_watch(fzi_progress *progress)
{
    return (fz_watch){watch_stop, progress};
}

void fzi_interval(uint64_t hits, uint64_t total, double *low, double *high)
{
    const double z = 1.959963984540054;
    double n = (double)total, p = n > 0 ? (double)hits / n : 0;
    double centre, half;

    if (total == 0) {
        *low = 0;
        *high = 1;
        return;
    }
    centre = (p + z * z / (2 * n)) / (1 + z * z / n);
    half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    *low = fmax(0, centre - half);
    *high = fmin(1, centre + half);
}

void fzi_mean_interval(double mean, double deviation, uint64_t count, double *low, double *high)
{
    double half = count ? 1.959963984540054 * deviation / sqrt((double)count) : 0;

    *low = mean - half;
    *high = mean + half;
}

uint64_t fzi_finished(const fz_tally *tally)
{
    return tally->playouts - tally->stopped;
}
