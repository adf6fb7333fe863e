/* Scratch states and lists of a machine. Setting scratch_depth or list_depth back pops them. */
#ifndef FZ_INTERP_VM_SCRATCH_H
#define FZ_INTERP_VM_SCRATCH_H

#include "machine.h"

/* A state that is not on the stack. NULL: memory is short, and the fault is set. */
fz_state *fzi_scratch_new(fz_machine *machine);
/* NULL: too deep, or memory is short; the fault is set. */
fz_state *fzi_scratch_push(fz_machine *machine);
fzi_move_list *fzi_move_list_push(fz_machine *machine);
/* Pushes a copy of `from`, which borrows its history. */
fz_state *fzi_scratch_copy(fz_machine *machine, const fz_state *from);

#endif
