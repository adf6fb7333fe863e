/* Whole lists of legal moves (prune.c). */
#ifndef FZ_INTERP_VM_PRUNE_H
#define FZ_INTERP_VM_PRUNE_H

#include "machine.h"

/* Leaves only the legal moves. The state is at its DECIDE; false: error. */
bool fzi_move_list_prune(fz_machine *machine, fzi_run *run);

#endif
