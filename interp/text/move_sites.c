/* The sites from which and to which a move leads. Drawings, measures and agents ask. */
#include "interp/vm/game.h"
#include "interp/vm/machine.h"

/* The one site that a piece of the player (-1: any piece) has left, and the one that one has come
 * to. Where none has come, one that changed on its site, or on a stack, is taken for it. */
static void find_changes(const fz_state *before, const fz_state *after, int player, int *from,
                         int *to)
{
    unsigned left = 0, come = 0, changed = 0;
    int site = FZ_NOT_THERE;

    for (int s = 0; s < before->program->board.site_count; s++) {
        int kind, owner, new_kind, new_owner;
        fz_state_piece(before, s, &kind, &owner);
        fz_state_piece(after, s, &new_kind, &new_owner);
        bool was = kind >= 0 && (player < 0 || owner == player);
        bool is = new_kind >= 0 && (player < 0 || new_owner == player);
        if (was && !is) {
            *from = s;
            left++;
        } else if (is && !was) {
            *to = s;
            come++;
        } else if (is && (kind != new_kind || owner != new_owner ||
                          fz_state_height(after, s) > fz_state_height(before, s))) {
            site = s;
            changed++;
        }
    }
    *from = left == 1 ? *from : FZ_NOT_THERE;
    *to = come == 1 ? *to : come == 0 && changed == 1 ? site : FZ_NOT_THERE;
}

/* Runs the effect: it notes the latest move, or the board shows where a piece went. `from` and `to`
 * keep what is known of them. */
static void find_by_effect(fz_machine *m, const fz_state *state, const fz_move *move, int *from,
                           int *to)
{
    fz_state *scratch = fzi_scratch_copy(m, state);
    int left = FZ_NOT_THERE, come = FZ_NOT_THERE;

    if (!scratch)
        return;
    fzi_move_apply(m, scratch, move);
    fzi_run run = fzi_run_of(m, scratch, FZ_RUN_SITES);
    run.number = *from;
    run.other = *to;
    if (fzi_machine_run(m, &run) == FZ_END_ERROR)
        return;
    *from = *from < 0 ? (int)run.number : *from;
    *to = (int)run.other;
    /* Nobody may read from a move what it does to hidden pieces, or after sealed decisions. */
    if (*to >= 0 || fz_program_hides(m->program))
        return;
    find_changes(state, scratch, fzi_head_of(state)->decider, &left, &come);
    if (left < 0 && come < 0)
        find_changes(state, scratch, -1, &left, &come);
    *from = *from < 0 ? left : *from;
    *to = come;
}

/* Sites that the move names, the first and the last: a pit that is sown, for example. */
static void find_named(const fz_program *p, const fz_move *move, int *from, int *to)
{
    const fz_option_info *option = &p->options[move->option];

    for (unsigned i = 0; i < move->count; i++)
        if (p->types[option->types[i]].kind == FZ_VALUE_SITE) {
            *from = *from < 0 ? move->values[i] : *from;
            *to = move->values[i];
        }
}

void fz_move_sites(fz_machine *m, const fz_state *state, const fz_move *move, int *from, int *to)
{
    int unused[2];
    from = from ? from : &unused[0];
    to = to ? to : &unused[1];
    *from = *to = FZ_NOT_THERE;
    fzi_machine_begin(m);
    if (!fzi_move_fits(m->program, state, move))
        return;
    const fz_option_info *option = &m->program->options[move->option];
    if (option->from >= 0 && option->from < move->count)
        *from = move->values[option->from];
    if (option->to >= 0 && option->to < move->count)
        *to = move->values[option->to];
    if (*from < 0 || *to < 0)
        find_by_effect(m, state, move, from, to);
    if (*from < 0 && *to < 0)
        find_named(m->program, move, from, to);
    /* A damaged program may say anything. */
    if (*from >= m->program->board.site_count)
        *from = FZ_NOT_THERE;
    if (*to >= m->program->board.site_count)
        *to = FZ_NOT_THERE;
}
