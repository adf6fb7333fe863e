/* Scratch states and lists of a machine: what is pushed is popped by setting the depth back. */
#ifndef FZ_INTERP_VM_SCRATCH_H
#define FZ_INTERP_VM_SCRATCH_H

#include "machine.h"

fz_state *fzi_scratch_new(fz_machine *machine);  /* pushed nowhere; NULL, with the fault set: no memory */
fz_state *fzi_scratch_push(fz_machine *machine); /* NULL, with the fault set: too deep, or memory */
fzi_move_list *fzi_move_list_push(fz_machine *machine);
/* A scratch state that is `from`, looking at its history. */
fz_state *fzi_scratch_copy(fz_machine *machine, const fz_state *from);

#endif
