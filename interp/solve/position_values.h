/* The values of all positions of a game without hidden information. */
#ifndef FZ_INTERP_SOLVE_POSITION_VALUES_H
#define FZ_INTERP_SOLVE_POSITION_VALUES_H

#include "position_graph.h"

typedef enum fzi_solve_method {
    FZ_SOLVE_RETROGRADE,      /* wins and losses, backwards from the ends */
    FZ_SOLVE_ITERATION        /* bounds of expected values that come closer */
} fzi_solve_method;

typedef struct fzi_values {
    fzi_allocator allocator;
    fzi_solve_method method;
    /* For the first side, by position. With retrograde analysis both are the value, and `steps`
     * says in how many decisions the winner wins at most. With iteration, the value lies between
     * them: the first counts play without end as the worst for the first side, the second as the
     * best. */
    double *low, *high;
    uint32_t *steps;
    uint32_t sweeps;
} fzi_values;

/* Games of chance, with payoffs, or of more results than two are iterated until the values of the
 * first position are closer than `precision`, or for `sweeps` sweeps. False: memory is short. Clear
 * them in any case. */
bool fzi_values_make(fzi_values *values, const fzi_graph *graph, double precision, uint32_t sweeps,
                     const fz_watch *watch);
void fzi_values_clear(fzi_values *values);

#endif
