/* Which moves are legal: tries of candidates (filter.c). */
#ifndef FZ_INTERP_VM_FILTER_H
#define FZ_INTERP_VM_FILTER_H

#include "machine.h"

/* Keys of a `keeping`, of the same number: above 0 if `a` is better. */
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
/* At DECIDE, whenever the plain way in the loop does not do. */
fzi_decision fzi_decide(fz_machine *machine, fzi_run *run, uint32_t choice);
/* Is the move just drawn legal? -1: error. If it is not, or not known to be, it is taken out of the list. */
int fzi_drawn(fz_machine *machine, fzi_run *run, uint32_t segment, const fz_move *move);
/* Before a drawn move is played on the state itself to try it: keeps a copy. False: the fault is set. */
bool fzi_trial_begin(fz_machine *machine, const fzi_run *run);
/* Its filters refuse it: the state is again as it was, and the move is taken out of the list. */
void fzi_trial_refuse(fz_machine *machine, fzi_run *run);
/* When the list is empty: are there moves all the same, of those laid aside? Then they are in it. */
bool fzi_draw_again(fz_machine *machine, fzi_run *run);
/* The chance, result, end of turn or foreign decision that judges all pending filters of a try. */
fzi_end fzi_judge_all(fz_machine *machine, fzi_run *run);
/* JUDGE of the newest pending filter in a try: FZ_END_RETURN means go on. */
fzi_end fzi_judge(fz_machine *machine, fzi_run *run);
/* May the filter's code run in its frame? */
bool fzi_pending_sound(const fz_machine *machine, const fz_state *state, fzi_pending pending);
bool fzi_group_end(fz_machine *machine, fzi_run *run, uint32_t filter);
/* Is some move of the list legal? -1: error. */
int fzi_can(fz_machine *machine, fzi_run *run);
/* The same before the list is complete; when none is, it is emptied. */
int fzi_can_yet(fz_machine *machine, fzi_run *run);
/* Is this candidate of the list, in that segment, legal? -1: error. Keepings have been pruned. */
int fzi_move_legal(fz_machine *machine, fzi_run *run, uint32_t segment, const fz_move *move);
/* Is this one of the legal moves of the list, which may be pruned on the way? -1: error. */
int fzi_move_list_allows(fz_machine *machine, fzi_run *run, const fz_move *move);
/* Prunes by the keepings only. */
bool fzi_move_list_keep(fz_machine *machine, fzi_run *run);

#endif
