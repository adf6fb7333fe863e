/* Calling functions of a program from C. */
#ifndef FZ_INTERP_VM_CALL_H
#define FZ_INTERP_VM_CALL_H

#include "machine.h"

/* Calls a pure function on a copy of the state (conditions of tests, `unseen`). `set` receives W
 * words; `number` and `set` may be NULL. A function that depends on `me` takes it as its first
 * argument. */
fz_status fzi_state_call(fz_machine *machine, const fz_state *state, uint32_t function,
                         const int64_t *arguments, unsigned count, int64_t *number, uint64_t *set);
/* Calls a function that writes (settings of a position) on the state itself. It must neither decide
 * nor roll. */
fz_status fzi_state_effect(fz_machine *machine, fz_state *state, uint32_t function,
                           const int64_t *arguments, unsigned count);
/* Runs a function as the body of the mover's turn, then `end` and so on. In a prepared state it is
 * the turn that is about to begin; in a waiting state it replaces the rest of the turn. */
fz_status fzi_state_do(fz_machine *machine, fz_state *state, uint32_t function);

#endif
