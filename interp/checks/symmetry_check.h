/* Games of two players that begin with a mirrored set-up should treat them alike. */
#ifndef FZ_INTERP_CHECKS_SYMMETRY_CHECK_H
#define FZ_INTERP_CHECKS_SYMMETRY_CHECK_H

#include "ferz_tools.h"

typedef struct fzi_mirror {
    fz_context *context;
    const fz_program *program;
    fz_machine *machine;
    /* Ways of mirroring: the rows in reverse order, and a half turn. */
    bool fits[2];        /* the set-up is the same for the other player */
    bool differs[2];     /* a position has been found that treats the players unequally */
    fz_state *ours, *theirs;
    fz_moves *moves;
    char note[200];      /* the latest difference */
} fzi_mirror;

/* Finds out whether the beginning of the game is mirrored. */
void fzi_mirror_begin(fzi_mirror *mirror, fz_context *context, const fz_program *program,
                      fz_machine *machine, const fz_state *start);
/* Compares the position, at the beginning of a turn, with its mirror image. True, once: every way
 * of mirroring has been found unequal; `note` says how. */
bool fzi_mirror_compare(fzi_mirror *mirror, const fz_state *state);
void fzi_mirror_end(fzi_mirror *mirror);

#endif
