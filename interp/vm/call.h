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
/* Asks `end` about a prepared state, as if the player before had just finished a turn. If it gives
 * a result, the state is over, and else it is as it was. */
fz_status fzi_state_end(fz_machine *machine, fz_state *state, bool *over);
/* Runs a function as the body of the mover's turn: of the turn about to begin in a prepared state,
 * instead of what is left of it in a waiting one; then `end` and so on. */
fz_status fzi_state_do(fz_machine *machine, fz_state *state, uint32_t function);

#endif
