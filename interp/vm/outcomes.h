/* Values of chance and their weights: WEIGH collects them; a machine that asks for chance lists
 * them as outcomes. */
#ifndef FZ_INTERP_VM_OUTCOMES_H
#define FZ_INTERP_VM_OUTCOMES_H

#include "machine.h"

bool fzi_weigh(fz_machine *machine, int64_t value, int64_t weight);
/* The total of the weighed values; -1: too large. */
int64_t fzi_weigh_total(const fz_machine *machine);
int64_t fzi_weigh_pick(const fz_machine *machine, uint64_t number);
bool fzi_outcome_add(fz_machine *machine, int64_t value, uint64_t weight);
bool fzi_outcomes_of_die(fz_machine *machine, uint32_t die);

#endif
