/* Stopping early: one object says whether long work shall end, and everything that takes long asks
 * it (fz_cancel, ferz.h). */
#ifndef FZ_INTERP_SUPPORT_CANCEL_H
#define FZ_INTERP_SUPPORT_CANCEL_H

#include "interp/ferz.h"
#include "threads.h"

/* NULL is never cancelled. Reads the clock only where there is a deadline. */
static inline bool fzi_cancelled(const fz_cancel *cancel)
{
    for (; cancel; cancel = cancel->outer)
        if (__atomic_load_n(&cancel->now, __ATOMIC_RELAXED) ||
            (cancel->deadline > 0 && fzi_seconds() >= cancel->deadline))
            return true;
    return false;
}

/* The same for work that somebody may watch. */
static inline bool fzi_watch_stops(const fz_watch *watch, const fz_cancel *cancel, uint64_t done,
                                   uint64_t total)
{
    return (watch && watch->stop && watch->stop(watch->user, done, total)) || fzi_cancelled(cancel);
}

#endif
