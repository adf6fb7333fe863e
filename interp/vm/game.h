/* Playing on: what the functions of ferz.h share with text/ and analysis/. */
#ifndef FZ_INTERP_VM_GAME_H
#define FZ_INTERP_VM_GAME_H

#include "machine.h"

/* Plays so many random moves, then runs until the state waits or is over. A failure may leave the
 * state in the middle. */
fz_status fzi_state_go(fz_machine *machine, fz_state *state, uint64_t plies);
/* The same after a legal move. */
fz_status fzi_state_take_on(fz_machine *machine, fz_state *state, const fz_move *move,
                            uint64_t plies);
/* Gathers the candidates of a waiting state into `list`. Returns the scratch state that `run` used,
 * which the caller pops. NULL: failed. */
fz_state *fzi_state_gather(fz_machine *machine, const fz_state *state, fzi_move_list *list,
                           fzi_run *run);
/* Writes the move's bindings into the frame of the waiting state and sets the program counter to
 * the effect. */
void fzi_move_apply(fz_machine *machine, fz_state *state, const fz_move *move);

/* Plays a legal move on the state itself. Runs until the state waits, is over, or a turn with a
 * number above `turn_stop` would begin. */
fz_status fzi_state_take(fz_machine *machine, fz_state *state, const fz_move *move,
                         uint32_t turn_stop, bool ask);
/* The same. If the state then waits for a move, `list` holds its candidates. */
fz_status fzi_state_take_listing(fz_machine *machine, fz_state *state, const fz_move *move,
                                 uint32_t turn_stop, bool ask, fzi_move_list *list);
/* The same with a result of chance instead of a move. */
fz_status fzi_state_give_chance(fz_machine *machine, fz_state *state, int64_t value,
                                uint32_t turn_stop, bool ask);
/* Writes the possible results of chance to machine->outcomes, from outcome_mark on. */
fz_status fzi_state_ask_outcomes(fz_machine *machine, const fz_state *state);
/* Could the state that waits offer this move? Its option and the number of its values say so. */
bool fzi_move_fits(const fz_program *program, const fz_state *state, const fz_move *move);
/* The value type of what the waiting chance gives; -1: a site. */
int fzi_chance_type(const fz_machine *machine, const fz_state *state);
/* Adds the text of a move; with `shown`, as the other players see it. */
fz_status fzi_move_write(fz_machine *machine, const fz_state *state, const fz_move *move,
                         bool shown, fzi_buffer *buffer);

/* ---- call.c: calling functions of a program from C ---- */

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
