/* Which functions may read a set register before they have written it. Only in such a function must
 * the loop empty a frame's sets when it makes one; compiled code has none, damaged code may. What a
 * register holds by chance could have bits beyond the last site, and geometry would then read
 * outside its tables.
 *
 * A forward analysis over the code of one function: for each instruction the registers that are
 * written on every way to it. */

#include <string.h>

#include "data_flow.h"

enum { MASK_WORDS = 4 };

typedef struct registers {
    uint64_t w[MASK_WORDS];
} registers;

typedef struct flow {
    const fz_program *p;
    const fz_function *f;
    registers *before;     /* by instruction, from f->start */
    bool *reached;
    bool changed, unsafe;
} flow;

static bool has(const registers *r, unsigned number)
{
    return r->w[number / 64] >> number % 64 & 1;
}

static void add(registers *r, unsigned number)
{
    r->w[number / 64] |= UINT64_C(1) << number % 64;
}

/* There is a way to `at` on which `r` are written. */
static void merge(flow *l, uint32_t at, const registers *r)
{
    registers *there = &l->before[at - l->f->start];
    if (!l->reached[at - l->f->start]) {
        l->reached[at - l->f->start] = true;
        *there = *r;
        l->changed = true;
        return;
    }
    for (unsigned i = 0; i < MASK_WORDS; i++) {
        l->changed = l->changed || (there->w[i] & ~r->w[i]);
        there->w[i] &= r->w[i];
    }
}

static void reads(flow *l, const registers *r, unsigned first, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        l->unsafe = l->unsafe || !has(r, first + i);
}

static void operand(flow *l, char letter, unsigned value, const registers *before, registers *after)
{
    if (letter == 'S' || letter == 'w')
        reads(l, before, value, 1);
    if (letter == 's' || letter == 'w')
        add(after, value);
}

/* What the letters do not say of calls. */
static void call(flow *l, const fz_code *code, const registers *before, registers *after)
{
    const fz_program *p = l->p;
    unsigned op = FZ_CODE_OP(*code);
    if (fzi_opcode_is(op, FZ_FLAG_CALLS)) {
        const fz_function *to = &p->functions[code[1]];
        reads(l, before, FZ_CODE_B(*code), to->set_params);
        if (op == FZ_OP_CALL && to->result == 2)
            add(after, FZ_CODE_C(*code));
    } else if (op == FZ_OP_NATIVE) {
        reads(l, before, FZ_CODE_C(*code), p->natives[code[1]].set_params);
    }
}

/* A choice leads to the effects and labels of its options, a pending filter to its code. */
static void further_ways(flow *l, const fz_code *code, const registers *r)
{
    const fz_program *p = l->p;
    unsigned op = FZ_CODE_OP(*code);
    for (uint32_t i = 0; fzi_opcode_is(op, FZ_FLAG_OPENS) && i < p->option_count; i++)
        if (p->options[i].choice == code[1]) {
            merge(l, p->options[i].effect, r);
            merge(l, p->options[i].label, r);
            merge(l, p->options[i].shown, r);
        }
    if (fzi_opcode_is(op, FZ_FLAG_JUDGES))
        merge(l, p->filters[code[1]].code, r);
}

static void step(flow *l, uint32_t at)
{
    const fz_code *code = l->p->code + at;
    unsigned op = FZ_CODE_OP(*code);
    const char *letters = fzi_opcode_operands(op), *more = fzi_opcode_extension(op);
    registers before = l->before[at - l->f->start], after = before;
    operand(l, letters[0], FZ_CODE_A(*code), &before, &after);
    operand(l, letters[1], FZ_CODE_B(*code), &before, &after);
    operand(l, letters[2], FZ_CODE_C(*code), &before, &after);
    call(l, code, &before, &after);
    for (uint32_t i = 0; more[i]; i++) {
        const char *bytes = fzi_opcode_bytes(op);
        for (unsigned b = 0; more[i] == '4' && b < 4; b++)
            operand(l, bytes[b], code[1 + i] >> (8 * b) & 0xff, &before, &after);
        if (more[i] == 'J')
            merge(l, code[1 + i], &after);
    }
    further_ways(l, code, &after);
    if (!fzi_opcode_is(op, FZ_FLAG_ENDS))
        merge(l, at + fzi_opcode_length(op), &after);
}

static bool safe(const fz_program *p, const fz_function *f, registers *before, bool *reached)
{
    flow l = {.p = p, .f = f, .before = before, .reached = reached};
    registers params = {{0}};
    memset(reached, 0, f->end - f->start);
    for (unsigned i = 0; i < f->set_params; i++)
        add(&params, i);
    merge(&l, f->start, &params);
    while (l.changed && !l.unsafe) {
        l.changed = false;
        for (uint32_t at = f->start; at < f->end; at += fzi_opcode_length(FZ_CODE_OP(p->code[at])))
            if (reached[at - f->start])
                step(&l, at);
    }
    return !l.unsafe;
}

bool fzi_find_clears(const fz_program *p, fzi_allocator allocator, uint8_t *clears)
{
    uint32_t longest = 1;
    for (uint32_t i = 0; i < p->function_count; i++)
        if (p->functions[i].end - p->functions[i].start > longest)
            longest = p->functions[i].end - p->functions[i].start;
    registers *before = fzi_allocate(allocator, longest * sizeof *before);
    bool *reached = fzi_allocate(allocator, longest * sizeof *reached);
    for (uint32_t i = 0; before && reached && i < p->function_count; i++) {
        const fz_function *f = &p->functions[i];
        clears[i] = f->sets == f->set_params || safe(p, f, before, reached) ? 0 : f->sets;
    }
    bool done = before && reached;
    fzi_release(allocator, before);
    fzi_release(allocator, reached);
    return done;
}
