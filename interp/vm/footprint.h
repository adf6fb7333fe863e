/* The footprint of a filter: the sites that its verdict depends on. */
#ifndef FZ_INTERP_VM_FOOTPRINT_H
#define FZ_INTERP_VM_FOOTPRINT_H

#include "machine.h"

/* The verdict on the position as it is, and what may change it: a piece of the decider's that
 * leaves a site of `left`, one that arrives at a site of `filled`, where none of the decider's is,
 * one more piece of one of `kinds`, or a change of one of the variables `loads` (FZ_QUIET_BIT). */
typedef struct fzi_footprint {
    bool verdict;
    uint64_t kinds, loads;
    uint64_t left[FZ_MAX_WORDS], filled[FZ_MAX_WORDS];
} fzi_footprint;

/* Finds the footprint of an `ensuring` that reads no register that moves set. The state is at
 * DECIDE. False: unknown. */
bool fzi_footprint_find(const fz_machine *machine, const fz_state *state, uint32_t filter,
                        fzi_footprint *found);
bool fzi_footprint_find_w1(const fz_machine *machine, const fz_state *state, uint32_t filter,
                           fzi_footprint *found);

#endif
