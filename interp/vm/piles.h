/* Stacks of pieces. The board (own, kinds, at) knows the top of each; the pieces under it are
 * bytes of layout.piles. */
#ifndef FZ_INTERP_VM_PILES_H
#define FZ_INTERP_VM_PILES_H

#include "machine.h"

/* The instructions STACK, TUCK and PUT_ON. Both sites are on the board. False: more pieces than
 * a site holds. */
bool fzi_pile_stack(const fz_machine *machine, fz_state *state, unsigned from, unsigned to,
                    int64_t count);
bool fzi_pile_tuck(const fz_machine *machine, fz_state *state, unsigned from, unsigned to,
                   int64_t count);
bool fzi_pile_put(const fz_machine *machine, fz_state *state, const uint64_t *sites, int64_t kind,
                  int64_t owner);
/* PULL. */
void fzi_pile_pull(const fz_machine *machine, fz_state *state, unsigned site, int64_t place);

#endif
