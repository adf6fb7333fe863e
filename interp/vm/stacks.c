/* Stacks of pieces, for the instructions STACK, TUCK, PULL and PUT_ON. The board (own, kinds, at)
 * knows the top of each; the pieces under it are bytes of layout.stacks. */
#include "instructions.h"

#include <string.h>

#include "interp/program/layout.h"
#include "interp/support/words.h"

/* A site as a row of codes from the bottom, the top included. */
typedef struct stack {
    uint8_t codes[UINT8_MAX];
    unsigned height;
} stack;

static stack stack_read(const fz_machine *m, const fz_state *state, unsigned site)
{
    const uint8_t *under = fzi_stack_of(m->program, state->block, site);
    uint8_t top = state->block[m->layout.at + site];
    stack p;
    p.height = top ? *under + 1u : 0;
    if (top) {
        memcpy(p.codes, under + 1, *under);
        p.codes[p.height - 1] = top;
    }
    return p;
}

/* The sets and `at` say that the piece of this code is on top; 0: that the site is empty. */
static void set_top(const fz_machine *m, fz_state *state, unsigned site, uint8_t code)
{
    const fz_layout *l = &m->layout;
    unsigned words = m->program->board.words;
    uint8_t *at = state->block + l->at + site, old = *at;
    if (old == code)
        return;
    const uint8_t codes[] = {old, code};
    for (unsigned i = 0; i < 2; i++) {
        if (!codes[i])
            continue;
        int owner = m->owner_of[codes[i]], kind = m->kind_of[codes[i]];
        unsigned holder = owner < 0 ? m->player_count : (unsigned)owner;
        void (*change)(uint64_t *, unsigned) = i ? fzi_words_add : fzi_words_drop;
        change(fzi_sets_at(state, l->own) + holder * words, site);
        if (l->kinds)
            change(fzi_sets_at(state, l->kinds) + (unsigned)kind * words, site);
    }
    if (l->empty && !code)
        fzi_words_add(fzi_sets_at(state, l->empty), site);
    else if (l->empty && !old)
        fzi_words_drop(fzi_sets_at(state, l->empty), site);
    *at = code;
}

static void stack_write(const fz_machine *m, fz_state *state, unsigned site, const stack *p)
{
    uint8_t *under = fzi_stack_of(m->program, state->block, site);
    unsigned count = p->height ? p->height - 1 : 0, before = *under;
    *under = (uint8_t)count;
    memcpy(under + 1, p->codes, count);
    if (before > count)
        memset(under + 1 + count, 0, before - count);
    set_top(m, state, site, p->height ? p->codes[count] : 0);
}

bool fzi_stack_move(const fz_machine *m, fz_state *state, unsigned from, unsigned to,
                    int64_t count, bool under)
{
    stack source = stack_read(m, state, from), target = stack_read(m, state, to);
    unsigned n = count < source.height ? (unsigned)count : source.height;
    if (count <= 0 || !n || from == to)
        return true;
    if (target.height + n > m->program->stack_limit)
        return false;
    const uint8_t *moved = source.codes + source.height - n;
    if (under)
        memmove(target.codes + n, target.codes, target.height);
    memcpy(target.codes + (under ? 0 : target.height), moved, n);
    target.height += n;
    source.height -= n;
    stack_write(m, state, from, &source);
    stack_write(m, state, to, &target);
    return true;
}

bool fzi_stack_put(const fz_machine *m, fz_state *state, const uint64_t *sites, int64_t kind,
                  int64_t owner)
{
    uint8_t code = (uint8_t)(1 + kind * (m->player_count + 1) + owner + 1);
    FZI_FOR_SITES (site, sites, m->program->board.words) {
        stack p = stack_read(m, state, (unsigned)site);
        if (p.height >= m->program->stack_limit)
            return false;
        p.codes[p.height++] = code;
        stack_write(m, state, (unsigned)site, &p);
    }
    return true;
}

void fzi_stack_pull(const fz_machine *m, fz_state *state, unsigned site, int64_t place)
{
    stack p = stack_read(m, state, site);
    if (place < 1 || place > p.height)
        return;
    memmove(p.codes + place - 1, p.codes + place, p.height - (size_t)place);
    p.height--;
    stack_write(m, state, site, &p);
}
