/* The values that a piece carries on its site. See carried.h. */
#include "instructions.h"

#include <string.h>

#include "interp/program/layout.h"
#include "interp/support/words.h"

/* The bytes that belong to a site; a `bool` array kept as a set has a bit instead. */
static void *carried_at(const fz_machine *m, const fz_state *state, const fzi_carried *c,
                        unsigned site, size_t *size)
{
    const fzi_cell *cell = &m->cells[c->variable];
    size_t element = cell->is_set ? m->program->board.words * 8u : cell->is_wide ? 8u : 4u;
    *size = element * c->stride;
    return state->block + cell->offset + *size * site;
}

void fzi_carried_reset(const fz_machine *m, fz_state *state, unsigned site)
{
    if (m->layout.stacks)
        memset(fzi_stack_of(m->program, state->block, site), 0, m->program->stack_limit);
    for (uint32_t i = 0; i < m->carried_count; i++) {
        const fzi_cell *cell = &m->cells[m->carried[i].variable];
        const uint8_t *initial = m->program->initial + (cell->offset - m->layout.own);
        size_t size;
        if (cell->is_bits) {
            uint64_t *set = fzi_sets_at(state, cell->offset);
            fzi_words_drop(set, site);
            if (fzi_words_has((const uint64_t *)(const void *)initial, site))
                fzi_words_add(set, site);
            continue;
        }
        void *at = carried_at(m, state, &m->carried[i], site, &size);
        memcpy(at, initial + size * site, size);
    }
}

void fzi_carried_reset_set(const fz_machine *m, fz_state *state, const uint64_t *sites)
{
    FZI_FOR_SITES (site, sites, m->program->board.words)
        fzi_carried_reset(m, state, site);
}

void fzi_carried_move(const fz_machine *m, fz_state *state, unsigned from, unsigned to)
{
    fzi_carried_swap(m, state, from, to);
    fzi_carried_reset(m, state, from);
}

static void swap_bytes(uint8_t *a, uint8_t *b, size_t size)
{
    for (size_t n = 0; n < size; n++) {
        uint8_t keep = a[n];
        a[n] = b[n];
        b[n] = keep;
    }
}

void fzi_carried_swap(const fz_machine *m, fz_state *state, unsigned one, unsigned other)
{
    if (m->layout.stacks)
        swap_bytes(fzi_stack_of(m->program, state->block, one),
                   fzi_stack_of(m->program, state->block, other), m->program->stack_limit);
    for (uint32_t i = 0; i < m->carried_count; i++) {
        const fzi_cell *cell = &m->cells[m->carried[i].variable];
        size_t size;
        if (cell->is_bits) {
            uint64_t *set = fzi_sets_at(state, cell->offset);
            bool a = fzi_words_has(set, one), b = fzi_words_has(set, other);
            if (a != b) {
                set[one / 64] ^= UINT64_C(1) << one % 64;
                set[other / 64] ^= UINT64_C(1) << other % 64;
            }
            continue;
        }
        uint8_t *a = carried_at(m, state, &m->carried[i], one, &size);
        uint8_t *b = carried_at(m, state, &m->carried[i], other, &size);
        swap_bytes(a, b, size);
    }
}
