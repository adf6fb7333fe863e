/* Shared by the commands that play many games. See sampling.h. */
#include "sampling.h"

#include "interp/play/rating.h"
#include "interp/terminal/terminal.h"

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
    fzi_estimate share = {0, 0, 1};

    if (total)
        share = fzi_wilson((double)hits / (double)total, (double)total);
    *low = share.low;
    *high = share.high;
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
