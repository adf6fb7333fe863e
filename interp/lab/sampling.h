/* Threads, intervals and counts of samples of games, for all that play many games. */
#ifndef FZ_INTERP_LAB_SAMPLING_H
#define FZ_INTERP_LAB_SAMPLING_H

#include "ferz.h"

/* As many threads as wanted; 0: one for each core. */
unsigned fzi_threads(uint64_t wanted);
/* Wilson's 95 % interval of a share, which is right near 0 and 1 too. */
void fzi_interval(uint64_t hits, uint64_t total, double *low, double *high);
/* The usual 95 % interval of a mean, from the deviation of single values. */
void fzi_mean_interval(double mean, double deviation, uint64_t count, double *low, double *high);
/* The games that count for shares: those that a rule ended. `playouts` leaves out failed games. */
uint64_t fzi_finished(const fz_tally *tally);

/* "s" for every number but 1. */
static inline const char *fzi_plural(uint64_t number)
{
    return number == 1 ? "" : "s";
}

/* "1,234,567" into `text` (32 bytes). */
const char *fzi_grouped(unsigned long long number, char *text);

#endif
