/* Threads that share a task, and the clock. */
#ifndef FZ_INTERP_SUPPORT_THREADS_H
#define FZ_INTERP_SUPPORT_THREADS_H

#include <stdint.h>

/* The number of threads to use: as many as wanted; 0: one for each core. */
unsigned fzi_threads(uint64_t wanted);
/* Runs the task in so many threads, of which this one is the first; those that cannot be had are
 * done without. */
void fzi_threads_run(unsigned threads, void *(*work)(void *task), void *task);
/* Seconds of a clock that never goes back. */
double fzi_seconds(void);

#endif
