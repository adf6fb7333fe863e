/* What the verdict of a filter depends on (footprint.inc.h). */
#ifndef FZ_INTERP_VM_FOOTPRINT_H
#define FZ_INTERP_VM_FOOTPRINT_H

#include "machine.h"

/* Does the filter, an `ensuring`, say yes as things stand, and still whatever piece of the decider goes from a
 * site outside of `sites` to another? The state is at the DECIDE; `option` is the one whose bindings move.
 * False: it says no, or it is not known (footprint.inc.h). */
bool fzi_footprint(const fz_machine *machine, const fz_state *state, const fz_option_info *option,
                   uint32_t filter, uint64_t *sites);
bool fzi_footprint_w1(const fz_machine *machine, const fz_state *state, const fz_option_info *option,
                      uint32_t filter, uint64_t *sites);

#endif
