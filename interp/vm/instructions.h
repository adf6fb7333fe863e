/* The functions that the text of the instructions (vm_*.inc.h, ops_*.h) calls. The loop and
 * generated C include this header; native/api.def lists the functions that generated C reaches
 * through pointers. */
#ifndef FZ_INTERP_VM_INSTRUCTIONS_H
#define FZ_INTERP_VM_INSTRUCTIONS_H

#include "fault.h"
#include "filter.h"
#include "interp/board/topology.h"
#include "interp/program/values.h"
#include "interp/state/history.h"
#include "interp/support/chance.h"
#include "machine.h"

/* ---- carried.c: what moves with the piece on a site: carried values, the pieces under it ---- */

void fzi_carried_reset(const fz_machine *machine, fz_state *state, unsigned site);
void fzi_carried_reset_set(const fz_machine *machine, fz_state *state, const uint64_t *sites);
void fzi_carried_move(const fz_machine *machine, fz_state *state, unsigned from, unsigned to);
void fzi_carried_swap(const fz_machine *machine, fz_state *state, unsigned one, unsigned other);

/* ---- outcomes.c: values of chance and their weights ---- */

bool fzi_weigh(fz_machine *machine, int64_t value, int64_t weight);
/* The total of the weighed values; -1: too large. */
int64_t fzi_weigh_total(const fz_machine *machine);
int64_t fzi_weigh_pick(const fz_machine *machine, uint64_t number);
bool fzi_outcome_add(fz_machine *machine, int64_t value, uint64_t weight);
bool fzi_outcomes_of_die(fz_machine *machine, uint32_t die);

/* ---- stacks.c: stacks of pieces ---- */

/* STACK and TUCK: the top `count` pieces of `from` go on or under those of `to`, in the same order.
 * PUT_ON. All sites are on the board. False: more pieces than a site holds. */
bool fzi_stack_move(const fz_machine *machine, fz_state *state, unsigned from, unsigned to,
                    int64_t count, bool under);
bool fzi_stack_put(const fz_machine *machine, fz_state *state, const uint64_t *sites, int64_t kind,
                  int64_t owner);
/* PULL. */
void fzi_stack_pull(const fz_machine *machine, fz_state *state, unsigned site, int64_t place);

/* ---- results.c: the ranks of the players ---- */

void fzi_result_win(fz_machine *machine, fz_state *state, int64_t player);
/* false: not two sides */
bool fzi_result_lose(fz_machine *machine, fz_state *state, int64_t player);
void fzi_result_draw(fz_machine *machine, fz_state *state);
void fzi_result_rank(fz_machine *machine, fz_state *state, unsigned keys);

#endif
