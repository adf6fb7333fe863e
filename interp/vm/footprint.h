/* The footprint of a filter: the sites that its verdict depends on. */
#ifndef FZ_INTERP_VM_FOOTPRINT_H
#define FZ_INTERP_VM_FOOTPRINT_H

#include "interp/state/state.h"

/* The verdict on the position as it is, and what may change it: a piece of the decider's that
 * leaves a site of `left`, one that arrives at a site of `filled`, where none of the decider's is,
 * one more piece of one of `kinds`, or a change of one of the variables `loads` (FZ_QUIET_BIT). */
typedef struct fzi_footprint {
    bool verdict;
    bool asks_last, asks_piece; /* it depends on fzi_moved */
    uint64_t kinds, loads;
    uint64_t left[FZ_MAX_WORDS], filled[FZ_MAX_WORDS];
} fzi_footprint;

/* The facts that a filter may ask about the moves that it judges together. */
typedef struct fzi_moved {
    bool last;            /* the latest move is theirs (fz_quiet.last) */
    bool from;            /* it comes from a site */
    int32_t piece;        /* the kind of their piece; -1: they differ, or nobody knows */
} fzi_moved;

/* Finds the footprint of an `ensuring` that reads no register that moves set. The state is at
 * DECIDE. False: unknown. */
typedef bool fzi_footprint_finder(const struct fz_machine *machine, const fz_state *state,
                                  uint32_t filter, const fzi_moved *moved, fzi_footprint *found);

/* For each width of a set, as the loops. */
#define WIDTH(words) fzi_footprint_finder fzi_footprint_w##words, fzi_footprint_w##words##_fast;
#include "interp/program/widths.def"
#undef WIDTH
#ifdef FZ_STANDALONE
fzi_footprint_finder fzi_footprint_find;
#endif

#endif
