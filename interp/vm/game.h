/* Going on with a game: what ferz.h's functions about states and moves, and their other users, share. */
#ifndef FZ_INTERP_VM_GAME_H
#define FZ_INTERP_VM_GAME_H

#include "machine.h"

/* Goes on until the state waits or is over; `state` may be left in the middle when it fails. */
fz_status fzi_state_go(fz_machine *machine, fz_state *state, uint64_t plies);
/* Gathers the candidates of a waiting state into `list`, on the scratch state that is returned
 * (popped by the caller); NULL: failed. */
fz_state *fzi_state_gather(fz_machine *machine, const fz_state *state, fzi_move_list *list,
                           fzi_run *run);
/* Writes the move's bindings into the waiting state's frame and goes to its effect. */
void fzi_move_apply(fz_machine *machine, fz_state *state, const fz_move *move);

/* Takes a move that is known to be legal, on the state itself, and goes on until it waits, is over,
 * or a turn with a number above `turn_stop` would begin. The same for a chance that is waited for.
 */
fz_status fzi_state_take(fz_machine *machine, fz_state *state, const fz_move *move,
                         uint32_t turn_stop, bool ask);
/* The same; where it then waits for a move, the list holds the candidates, as gathering it there makes it. */
fz_status fzi_state_take_listing(fz_machine *machine, fz_state *state, const fz_move *move,
                                 uint32_t turn_stop, bool ask, fzi_move_list *list);
fz_status fzi_state_give_chance(fz_machine *machine, fz_state *state, int64_t value,
                                uint32_t turn_stop, bool ask);
/* Adds what may come to machine->outcomes, from outcome_mark on. */
fz_status fzi_state_ask_outcomes(fz_machine *machine, const fz_state *state);
/* The text of a move into `buffer`; `shown`: as the others see it. */
fz_status fzi_move_write(fz_machine *machine, const fz_state *state, const fz_move *move,
                           bool shown, fzi_buffer *buffer);

#endif
