/* Calling functions of a program. See call.h. */
#include "call.h"

#include <string.h>

#include "fault.h"
#include "scratch.h"

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
    uint64_t *words = fzi_stack_of(state) + top;
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
