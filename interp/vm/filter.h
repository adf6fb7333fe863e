/* Tries of candidates, to find which moves are legal (filter.c). */
#ifndef FZ_INTERP_VM_FILTER_H
#define FZ_INTERP_VM_FILTER_H

#include "machine.h"

/* Compares `keys` keys of a `keeping`: above 0 if `a` is better. */
static inline int fzi_keys_compare(const int64_t *a, const int64_t *b, unsigned keys, bool least)
{
    for (unsigned i = 0; i < keys; i++)
        if (a[i] != b[i])
            return (a[i] < b[i]) != least ? -1 : 1;
    return 0;
}

typedef enum fzi_decision {
    FZ_DECIDE_ERROR,
    FZ_DECIDE_OTHERWISE, /* no legal move: go on there */
    FZ_DECIDE_DRAW,      /* draw candidates of the list until one is legal */
    FZ_DECIDE_WAIT,      /* there is a legal move; none is to be drawn */
    FZ_DECIDE_PASS, FZ_DECIDE_FAIL /* TRY: the run is over */
} fzi_decision;
/* At DECIDE, when the fast path of the loop does not apply. */
fzi_decision fzi_decide(fz_machine *machine, fzi_run *run, uint32_t choice);
/* Is the drawn move legal? -1: error. Takes it out of the list when it is not legal, or laid
 * aside. */
int fzi_drawn(fz_machine *machine, fzi_run *run, uint32_t segment, const fz_move *move);
/* Keeps a copy before a drawn move is tried on the state itself. False: the fault is set. */
bool fzi_trial_begin(fz_machine *machine, const fzi_run *run);
/* After its filters have rejected the move: restores the state and takes the move out of the
 * list. */
void fzi_trial_refuse(fz_machine *machine, fzi_run *run);
/* When the list is empty: puts the best moves that were laid aside back. False: there are none. */
bool fzi_draw_again(fz_machine *machine, fzi_run *run);
/* Judges all pending filters of a try: at chance, a result, the end of the turn or a decision of
 * another player. */
fzi_end fzi_judge_all(fz_machine *machine, fzi_run *run);
/* Judges the newest pending filter of a try. FZ_END_RETURN: go on. */
fzi_end fzi_judge(fz_machine *machine, fzi_run *run);
bool fzi_group_end(fz_machine *machine, fzi_run *run, uint32_t filter);
/* Is some move of the list legal? -1: error. */
int fzi_can(fz_machine *machine, fzi_run *run);
/* The same before the list is complete. Empties the list when no move is legal. */
int fzi_can_yet(fz_machine *machine, fzi_run *run);
/* Is this candidate of the segment legal? -1: error. Every `keeping` has been applied. */
int fzi_move_legal(fz_machine *machine, fzi_run *run, uint32_t segment, const fz_move *move);
/* Is this one of the legal moves of the list? -1: error. May prune the list. */
int fzi_move_list_allows(fz_machine *machine, fzi_run *run, const fz_move *move);
/* Applies every `keeping`, but no `ensuring`. */
bool fzi_move_list_keep(fz_machine *machine, fzi_run *run);

/* ---- prune.c: whole lists of legal moves ---- */

/* Leaves only the legal moves. The state is at its DECIDE; false: error. */
bool fzi_move_list_prune(fz_machine *machine, fzi_run *run);

#endif
