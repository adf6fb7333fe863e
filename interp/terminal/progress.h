/* A progress bar on stderr, if that is a terminal; otherwise nothing is written. */
#ifndef FZ_INTERP_TERMINAL_PROGRESS_H
#define FZ_INTERP_TERMINAL_PROGRESS_H

#include "ferz.h"
#include "interp/support/threads.h"

typedef struct fzi_progress {
    bool visible;
    const char *what;     /* "playouts" */
    double started, shown; /* seconds */
} fzi_progress;

/* What it returns draws the progress of a long run, and stops it when the user interrupts. */
fz_watch fzi_progress_begin(fzi_progress *progress, const char *what);
/* To be called as often as one likes; draws at most ten times a second. total 0: not known. */
void fzi_progress_update(fzi_progress *progress, uint64_t done, uint64_t total);
void fzi_progress_end(fzi_progress *progress); /* wipes the bar away */

#endif
