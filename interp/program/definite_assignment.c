/* Is every register written before it is read? The loop would read what an earlier frame left
 * there, which may have bits beyond the last site; native code keeps registers in variables and
 * would read something else.
 *
 * A forward analysis over the code of one function: for each instruction the registers that are
 * written on every way to it. */
#include "data_flow.h"
#include "verify.h"

typedef struct flow {
    const fz_program *p;
    const fz_function *f;
    fzi_live *before; /* by instruction, from f->start */
    bool *reached;
    bool changed, good;
    uint32_t at; /* of the instruction that reads too early */
} flow;

/* There is a way to `at` on which `written` are. */
static void merge(flow *l, uint32_t at, const fzi_live *written)
{
    fzi_live *there = &l->before[at - l->f->start];
    if (!l->reached[at - l->f->start]) {
        l->reached[at - l->f->start] = true;
        *there = *written;
        l->changed = true;
        return;
    }
    for (unsigned i = 0; i < FZ_LIVE_WORDS; i++) {
        l->changed = l->changed || (there->w[i] & ~written->w[i]);
        there->w[i] &= written->w[i];
    }
}

/* A move that is chosen writes its bindings, then runs the option's effect, or its label. */
static void merge_options(flow *l, const fz_choice *choice, const fzi_live *written)
{
    for (uint32_t i = 0; i < choice->options; i++) {
        const fz_option_info *o = &l->p->options[choice->first_option + i];
        fzi_live chosen = *written;
        fzi_live_add(&chosen, false, o->first, o->bindings);
        merge(l, o->effect, &chosen);
        merge(l, o->label, &chosen);
        merge(l, o->shown, &chosen);
    }
}

static void step(flow *l, uint32_t at)
{
    const fz_code *code = l->p->code + at;
    unsigned op = FZ_CODE_OP(*code);
    int64_t jump = fzi_opcode_jump(code);
    fzi_live after = l->before[at - l->f->start], reads = {{0}}, writes = {{0}};
    fzi_live_uses(l->p, at, &reads, &writes);
    for (unsigned i = 0; i < FZ_LIVE_WORDS; i++) {
        if (l->good && (reads.w[i] & ~after.w[i])) {
            l->good = false;
            l->at = at;
        }
        after.w[i] |= writes.w[i];
    }
    if (jump != FZ_NO_JUMP)
        merge(l, (uint32_t)jump, &after);
    if (fzi_opcode_is(op, FZ_FLAG_OPENS))
        merge_options(l, &l->p->choices[code[1]], &after);
    if (fzi_opcode_is(op, FZ_FLAG_JUDGES)) /* the filter's code runs anywhere from here on */
        merge(l, l->p->filters[code[1]].code, &after);
    if (!fzi_opcode_is(op, FZ_FLAG_ENDS))
        merge(l, at + fzi_opcode_length(op), &after);
}

static void check_function(flow *l)
{
    const fz_function *f = l->f;
    fzi_live params = {{0}};
    memset(l->reached, 0, f->end - f->start);
    fzi_live_add(&params, false, 0, f->int_params);
    fzi_live_add(&params, true, 0, f->set_params);
    merge(l, f->start, &params);
    while (l->changed && l->good) {
        l->changed = false;
        FZI_FOR_INSTRUCTIONS(at, l->p, f)
            if (l->reached[at - f->start])
                step(l, at);
    }
}

bool fzi_registers_assigned(const fz_program *p, fzi_allocator allocator, uint32_t *at)
{
    flow l = {.p = p, .good = true, .at = UINT32_MAX};
    uint32_t longest = 1;
    for (uint32_t i = 0; i < p->function_count; i++)
        if (p->functions[i].end - p->functions[i].start > longest)
            longest = p->functions[i].end - p->functions[i].start;
    l.before = fzi_allocate(allocator, longest * sizeof *l.before);
    l.reached = fzi_allocate(allocator, longest * sizeof *l.reached);
    bool memory = l.before && l.reached;
    for (uint32_t i = 0; memory && l.good && i < p->function_count; i++) {
        l.f = &p->functions[i];
        check_function(&l);
    }
    FZI_RELEASE(allocator, l.before, l.reached);
    *at = l.at;
    return memory && l.good;
}
