/* Scratch states and lists. See scratch.h. */
#include "machine.h"

#include "fault.h"

fz_state *fzi_scratch_new(fz_machine *m)
{
    fz_state *state = fzi_allocate(m->allocator, sizeof *state);
    if (state && !fzi_state_init(state, m->program, &m->layout, m->allocator, true)) {
        fzi_release(m->allocator, state);
        state = NULL;
    }
    if (!state)
        fzi_fault(m, NULL);
    return state;
}

void fzi_scratch_free(fz_machine *m, fz_state *state)
{
    if (state)
        fzi_state_clear(state);
    fzi_release(m->allocator, state);
}

fz_state *fzi_scratch_push(fz_machine *m)
{
    if (m->scratch_depth == FZ_MAX_TRIES) {
        fzi_fault(m, "too many tries inside each other");
        return NULL;
    }
    fz_state **slot = &m->scratch[m->scratch_depth];
    if (!*slot && !(*slot = fzi_scratch_new(m)))
        return NULL;
    m->scratch_depth++;
    return *slot;
}

fz_state *fzi_scratch_copy(fz_machine *m, const fz_state *from)
{
    fz_state *state = fzi_scratch_push(m);
    if (state && !fzi_state_borrow(state, from)) {
        fzi_fault(m, NULL);
        return NULL;
    }
    return state;
}

fzi_move_list *fzi_move_list_push(fz_machine *m)
{
    if (m->list_depth == FZ_MAX_LISTS) {
        fzi_fault(m, "too many questions inside each other");
        return NULL;
    }
    fzi_move_list **slot = &m->lists[m->list_depth];
    if (!*slot) {
        fzi_move_list *list = fzi_allocate(m->allocator, sizeof *list);
        if (!list) {
            fzi_fault(m, NULL);
            return NULL;
        }
        fzi_move_list_init(list, m->allocator, m->program, m->limits.moves, &m->memory,
                      m->limits.memory);
        *slot = list;
    }
    m->list_depth++;
    (*slot)->outer = NULL;
    return *slot;
}
