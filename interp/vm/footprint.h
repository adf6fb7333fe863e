/* The footprint of a filter: the sites that its verdict depends on. */
#ifndef FZ_INTERP_VM_FOOTPRINT_H
#define FZ_INTERP_VM_FOOTPRINT_H

#include "machine.h"

/* Computes the footprint of an `ensuring`. True: it accepts the state as it is, and still accepts
 * it after any piece of the decider has moved from a site outside of `sites` to another such site.
 * False: it rejects, or the answer is unknown. The state is at DECIDE; `option` is the one whose
 * bindings move. */
bool fzi_footprint(const fz_machine *machine, const fz_state *state, const fz_option_info *option,
                   uint32_t filter, uint64_t *sites);
bool fzi_footprint_w1(const fz_machine *machine, const fz_state *state,
                      const fz_option_info *option, uint32_t filter, uint64_t *sites);

#endif
