/* Functions of a program, called on a state from outside of a game. */
#ifndef FZ_INTERP_VM_CALL_H
#define FZ_INTERP_VM_CALL_H

#include "machine.h"

/* A pure function on a copy of the state (test conditions, `unseen`). `set` receives W words;
 * either may be NULL. A function that depends on `me` takes it as its first argument. */
fz_status fzi_state_call(fz_machine *machine, const fz_state *state, uint32_t function,
                         const int64_t *arguments, unsigned count, int64_t *number, uint64_t *set);
/* A function that writes (settings of a position), on the state itself; no decisions, no chance. */
fz_status fzi_state_effect(fz_machine *machine, fz_state *state, uint32_t function,
                           const int64_t *arguments, unsigned count);
/* Runs a function as the body of the mover's turn: of the turn about to begin in a prepared state,
 * instead of what is left of it in a waiting one; then `end` and so on. */
fz_status fzi_state_do(fz_machine *machine, fz_state *state, uint32_t function);

#endif
