/* Calling functions of a program. See game.h. */
#include "game.h"

#include <string.h>

#include "fault.h"
#include "machine.h"

static fz_status call(fz_machine *m, fz_state *state, uint32_t function, const int64_t *arguments,
                      unsigned count, int64_t *number, uint64_t *set)
{
    const fz_program *p = m->program;
    const fz_function *f = &p->functions[function];
    fzi_head *head = fzi_head_of(state);
    uint32_t frame = head->frame, top = head->top, pc = head->pc;
    uint32_t size = fzi_frame_size(f, p->board.words);
    if (!fzi_state_grow(state, top + size))
        return fzi_fault(m, NULL), fzi_machine_fail(m);
    head = fzi_head_of(state);
    uint64_t *words = fzi_frames_of(state) + top;
    memset(words, 0, size * sizeof *words);
    words[0] = function;
    words[1] = frame | (uint64_t)f->ints << 40;
    for (unsigned i = 0; i < count && i < f->int_params; i++)
        words[FZ_FRAME_HEADER + i] = (uint64_t)arguments[i];
    head->frame = top;
    head->top = top + size;
    head->pc = f->start;
    head->depth++;
    fzi_run run = fzi_run_of(m, state, FZ_RUN_CALL);
    run.floor = top;
    run.set = set;
    fzi_end end = fzi_machine_run(m, &run);
    head = fzi_head_of(state);
    head->frame = frame;
    head->top = top;
    head->pc = pc;
    head->depth--;
    if (number)
        *number = run.number;
    return end == FZ_END_RETURN ? FZ_OK : fzi_machine_fail(m);
}

fz_status fzi_state_call(fz_machine *m, const fz_state *state, uint32_t function,
                         const int64_t *arguments, unsigned count, int64_t *number, uint64_t *set)
{
    fzi_machine_begin(m);
    m->scratch_depth = state->scratch; /* fzi_evaluate's is the first */
    fz_state *scratch = fzi_scratch_copy(m, state);
    if (!scratch)
        return fzi_machine_fail(m);
    fz_status status = call(m, scratch, function, arguments, count, number, set);
    m->scratch_depth = 0;
    return status;
}

fz_status fzi_state_effect(fz_machine *m, fz_state *state, uint32_t function,
                           const int64_t *arguments, unsigned count)
{
    fzi_machine_begin(m);
    return call(m, state, function, arguments, count, NULL, NULL);
}

/* The player whose turn came before that of `mover`. */
static int player_before(const fz_state *state, int mover)
{
    const fzi_head *head = fzi_head_of(state);
    int count = (int)state->program->player_count, before = mover;
    do
        before = before ? before - 1 : count - 1;
    while (before != mover && (head->out >> before & 1));
    return before;
}

/* The only frame is one of `end`, of the player whose turn is over. */
static void enter_end(fz_state *state, int before)
{
    const fz_program *p = state->program;
    const fz_function *f = &p->functions[p->end];
    fzi_head *head = fzi_head_of(state);
    uint64_t *words = fzi_frames_of(state);
    memset(words, 0, fzi_frame_size(f, p->board.words) * sizeof *words);
    words[0] = (uint64_t)p->end;
    words[1] = (uint64_t)f->ints << 40;
    if (f->int_params)
        words[FZ_FRAME_HEADER] = (uint64_t)before;
    head->phase = FZ_PHASE_END;
    head->mover = (int8_t)before;
    head->frame = 0;
    head->top = fzi_frame_size(f, p->board.words);
    head->depth = 1;
    head->decided = 1;
    head->pc = f->start;
}

fz_status fzi_state_end(fz_machine *m, fz_state *state, bool *over)
{
    const fz_program *p = state->program;
    fzi_head *head = fzi_head_of(state);
    *over = false;
    if (p->end < 0)
        return FZ_OK;
    fz_state *scratch = fz_state_clone(state);
    if (!scratch ||
        !fzi_state_grow(scratch, fzi_frame_size(&p->functions[p->end], p->board.words))) {
        fz_state_free(scratch);
        return fzi_machine_no_memory(m);
    }
    fzi_machine_begin(m);
    enter_end(scratch, player_before(state, head->next_mover));
    fzi_run run = fzi_run_of(m, scratch, FZ_RUN_PLAY);
    run.log = NULL;
    run.turn_stop = 0;
    /* An error of `end` is no verdict: the turn begins, and brings the error where it belongs. */
    *over = fzi_machine_run(m, &run) == FZ_END_OVER && !fzi_head_of(scratch)->stopped;
    fzi_machine_begin(m);
    fz_status status = *over ? fz_state_copy(state, scratch) : FZ_OK;
    fz_state_free(scratch);
    return status;
}

fz_status fzi_state_do(fz_machine *m, fz_state *state, uint32_t function)
{
    fzi_head *head = fzi_head_of(state);
    fzi_machine_begin(m);
    if (head->phase != FZ_PHASE_READY) { /* the turn begins again, with another body */
        if (head->history)
            head->history--;
        fzi_state_prepare(state, head->mover, head->turns);
    }
    if (!fzi_state_grow(state,
                        fzi_frame_size(&m->program->functions[function], m->program->board.words)))
        return fzi_fault(m, NULL), fzi_machine_fail(m);
    fzi_run run = fzi_run_of(m, state, FZ_RUN_PLAY);
    run.body = (int32_t)function;
    return fzi_run_status(m, &run);
}
