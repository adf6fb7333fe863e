/* Playouts where they decide: successive halving (Z. Karnin, T. Koren, O. Somekh, ICML 2013). Each
 * round has the same part of the budget, shared evenly by the candidates that are still in. After a
 * round, the better half of them stays. Nothing here knows what a candidate is. */
#ifndef FZ_INTERP_LAB_ALLOCATION_H
#define FZ_INTERP_LAB_ALLOCATION_H

#include "interp/support/context.h"

enum {
    FZI_FINALISTS = 16,         /* so many play the last round, if there are more candidates */
    FZI_LEAST_GAMES = 2         /* of a candidate in a round, from each of its cells */
};

typedef struct fzi_allocation {
    fzi_allocator allocator;
    size_t *order;              /* all candidates: those that play first, then who left last */
    size_t count, in;           /* in: how many play this round */
    unsigned *left;             /* by number: the candidate's last round; 0: it is in */
    unsigned round, rounds;     /* round: from 1 on */
    double budget, full;        /* games: in all; of a candidate at most */
    double share;               /* of `full` that those that are in have at the end of the round */
} fzi_allocation;

/* The least budget for so many candidates, of which each has so many times as many games as its
 * smallest cell. */
double fzi_allocation_least(size_t count, double cells);
/* False: memory is short. Clear it in any case. */
bool fzi_allocation_begin(fzi_allocation *a, fzi_allocator allocator, size_t count, double budget,
                          double full);
void fzi_allocation_clear(fzi_allocation *a);
/* Begins the next round. Before that, those of the last one (a->order, a->in) are ordered, best
 * first: the better half stays. False: there is no further round, or all games are played. */
bool fzi_allocation_next(fzi_allocation *a);

#endif
