/* Shared by the commands that play many games. */
#ifndef FZ_INTERP_LAB_SAMPLING_H
#define FZ_INTERP_LAB_SAMPLING_H

#include "interp/cli/options.h"
#include "interp/terminal/progress.h"

/* --threads, or as many as there are cores. */
unsigned fzi_threads(const fzi_cli *cli);
/* Draws the progress, and stops when the user interrupts. */
fz_watch fzi_watch(fzi_progress *progress);
/* Wilson's 95 % interval of a share: right also near 0 and 1, where the usual one is not. */
void fzi_interval(uint64_t hits, uint64_t total, double *low, double *high);
/* The usual 95 % interval of a mean, from the deviation of single values. */
void fzi_mean_interval(double mean, double deviation, uint64_t count, double *low, double *high);
/* The games that count for shares: those that a rule ended. `playouts` leaves out failed games. */
uint64_t fzi_finished(const fz_tally *tally);

#endif
