/* What moves with the piece that stands on a site, and goes with it: carried values, and the pieces
 * under it. */
#ifndef FZ_INTERP_VM_CARRIED_H
#define FZ_INTERP_VM_CARRIED_H

#include "machine.h"

void fzi_carried_reset(const fz_machine *machine, fz_state *state, unsigned site);
void fzi_carried_reset_set(const fz_machine *machine, fz_state *state, const uint64_t *sites);
void fzi_carried_move(const fz_machine *machine, fz_state *state, unsigned from, unsigned to);
void fzi_carried_swap(const fz_machine *machine, fz_state *state, unsigned one, unsigned other);

#endif
