/* Results of games: the ranks of the players. */
#ifndef FZ_INTERP_VM_RESULTS_H
#define FZ_INTERP_VM_RESULTS_H

#include "machine.h"

void fzi_result_win(fz_machine *machine, fz_state *state, int64_t player);
/* false: not two sides */
bool fzi_result_lose(fz_machine *machine, fz_state *state, int64_t player);
void fzi_result_draw(fz_machine *machine, fz_state *state);
void fzi_result_rank(fz_machine *machine, fz_state *state, unsigned keys);

#endif
