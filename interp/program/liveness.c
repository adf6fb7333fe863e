/* Live registers: backwards over the code, until nothing changes. */
#include "data_flow.h"

uint32_t fzi_filter_verdict(const fz_program *p, uint32_t filter)
{
    uint32_t end = p->functions[p->choices[p->filters[filter].choice].function].end;
    uint32_t at = p->filters[filter].code;

    while (at < end && FZ_CODE_OP(p->code[at]) != FZ_OP_FILTER_END)
        at += fzi_opcode_length(FZ_CODE_OP(p->code[at]));
    return at;
}

typedef struct finder {
    const fz_program *p;
    const fz_function *f;
    uint32_t function;
    fzi_live *live;
    fzi_live filters;   /* what the function's filters read: they are run whenever one is pending */
    bool brings;        /* a move that is made brings the values of its option's `for`s */
    bool changed;
} finder;

static void unite(fzi_live *into, const fzi_live *from)
{
    for (unsigned i = 0; i < FZ_LIVE_WORDS; i++)
        into->w[i] |= from->w[i];
}

/* ---- where an instruction may go on ---- */

static void join(finder *f, fzi_live *out, uint32_t pc)
{
    unite(out, &f->live[pc]);
}

/* `brings`: the option's `for`s get their values there. */
static void join_option(finder *f, fzi_live *out, const fz_option_info *o, bool brings)
{
    fzi_live reads = {{0}};

    join(f, &reads, o->effect);
    join(f, &reads, o->label);
    join(f, &reads, o->shown);
    for (unsigned reg = o->first; brings && reg < (unsigned)o->first + o->bindings; reg++)
        reads.w[reg / 64] &= ~(UINT64_C(1) << reg % 64);
    unite(out, &reads);
}

static void join_options(finder *f, fzi_live *out, uint32_t number, bool brings)
{
    const fz_choice *choice = &f->p->choices[number];
    for (uint32_t i = 0; i < choice->options; i++)
        join_option(f, out, &f->p->options[choice->first_option + i], brings);
    join(f, out, choice->start);
}

static void ways_on(finder *f, uint32_t pc, fzi_live *out)
{
    const fz_program *p = f->p;
    const fz_code *code = p->code + pc;
    unsigned op = FZ_CODE_OP(*code);
    int64_t jump = fzi_opcode_jump(code);
    if (!fzi_opcode_is(op, FZ_FLAG_ENDS) && pc + fzi_opcode_length(op) < f->f->end)
        join(f, out, pc + fzi_opcode_length(op));
    if (jump != FZ_NO_JUMP)
        join(f, out, (uint32_t)jump);
    if (op == FZ_OP_DECIDE || op == FZ_OP_CAN_TEST || op == FZ_OP_CAN_END)
        join_options(f, out, code[1], f->brings && op == FZ_OP_DECIDE);
    else if (op == FZ_OP_GROUP || op == FZ_OP_END_GROUP)
        join_options(f, out, p->filters[code[1]].choice, false);
    else if (op == FZ_OP_FILTER_BEGIN)
        join(f, out, p->filters[code[1]].code);
    unite(out, &f->filters);
}

/* ---- what it reads and writes ---- */

static void operand(char letter, unsigned reg, fzi_live *reads, fzi_live *writes)
{
    switch (letter) {
    case 'I': case 'm': fzi_live_add(reads, false, reg, 1); break;
    case 'S': case 'w': fzi_live_add(reads, true, reg, 1); break;
    case 'i': fzi_live_add(writes, false, reg, 1); break;
    case 's': fzi_live_add(writes, true, reg, 1); break;
    default: break;
    }
}

static void special(const fz_program *p, const fz_code *code, fzi_live *reads, fzi_live *writes)
{
    unsigned op = FZ_CODE_OP(*code), a = FZ_CODE_A(*code), b = FZ_CODE_B(*code);
    switch (op) {
    case FZ_OP_CALL: case FZ_OP_TAILCALL: {
        const fz_function *to = &p->functions[code[1]];
        fzi_live_add(reads, false, a, to->int_params);
        fzi_live_add(reads, true, b, to->set_params);
        if (op == FZ_OP_CALL && to->result)
            fzi_live_add(writes, to->result == 2, FZ_CODE_C(*code), 1);
        break;
    }
    case FZ_OP_EMIT: case FZ_OP_EMIT_SET: case FZ_OP_EMIT_MASK: case FZ_OP_EMIT_ROWS:
    case FZ_OP_EMIT_SLIDES: case FZ_OP_EMIT_SHIFTS: case FZ_OP_ALSO_SHIFTS: {
        const fz_option_info *o = &p->options[code[1]];
        fzi_live_add(reads, false, o->first, o->bindings - fzi_opcode_binds(op));
        if (op == FZ_OP_EMIT_SLIDES)
            fzi_live_add(reads, true, code[2] & 0xff, 1);
        break;
    }
    case FZ_OP_CHECK_BOUND:
        fzi_live_add(reads, false, a, 2 * b);
        break;
    case FZ_OP_FILTER_END:
        fzi_live_add(reads, false, a, b);
        break;
    case FZ_OP_NATIVE:
        fzi_live_add(reads, false, b, p->natives[code[1]].int_params);
        fzi_live_add(reads, true, FZ_CODE_C(*code), p->natives[code[1]].set_params);
        break;
    default:
        break;
    }
}

void fzi_live_uses(const fz_program *p, uint32_t pc, fzi_live *reads, fzi_live *writes)
{
    const fz_code *code = p->code + pc;
    unsigned op = FZ_CODE_OP(*code);
    const char *letters = fzi_opcode_operands(op), *bytes = fzi_opcode_bytes(op);
    for (unsigned i = 0; i < 3; i++)
        operand(letters[i], *code >> (8 + 8 * i) & 0xff, reads, writes);
    if (op != FZ_OP_EMIT_SLIDES)
        for (unsigned i = 0; i < 4; i++)
            if (bytes[i] != '_')
                operand(bytes[i], code[1] >> (8 * i) & 0xff, reads, writes);
    special(p, code, reads, writes);
}

static void instruction(finder *f, uint32_t pc)
{
    fzi_live out = {{0}}, reads = {{0}}, writes = {{0}};
    fzi_live_uses(f->p, pc, &reads, &writes);
    ways_on(f, pc, &out);
    for (unsigned i = 0; i < FZ_LIVE_WORDS; i++) {
        out.w[i] = (out.w[i] & ~writes.w[i]) | reads.w[i];
        f->changed |= (out.w[i] & ~f->live[pc].w[i]) != 0;
        f->live[pc].w[i] |= out.w[i];
    }
}

/* From the last instruction to the first; code has no way to be read backwards. */
static void pass(finder *f, uint32_t pc)
{
    enum { RUN = 64 };
    uint32_t starts[RUN], count = 0;
    uint32_t at = pc;
    for (; at < f->f->end && count < RUN; at += fzi_opcode_length(FZ_CODE_OP(f->p->code[at])))
        starts[count++] = at;
    if (at < f->f->end)
        pass(f, at);
    while (count)
        instruction(f, starts[--count]);
}

static void find(const fz_program *program, uint32_t function, bool brings, fzi_live *live)
{
    finder f = {.p = program, .f = &program->functions[function], .function = function,
                .live = live, .brings = brings};
    do {
        f.changed = false;
        for (uint32_t n = 0; n < program->filter_count; n++)
            if (program->choices[program->filters[n].choice].function == function)
                unite(&f.filters, &live[program->filters[n].code]);
        pass(&f, f.f->start);
    } while (f.changed);
}

void fzi_live_find(const fz_program *program, uint32_t function, fzi_live *live)
{
    find(program, function, false, live);
}

/* To every place of the filter's code, which has no other filter's in it. */
static void add_to_filter(const fz_program *p, uint32_t filter, const fzi_live *more,
                          fzi_live *live)
{
    FZI_FOR_CODE (at, p, p->filters[filter].code, fzi_filter_verdict(p, filter) + 1)
        unite(&live[at], more);
}

void fzi_live_keep(const fz_program *program, uint32_t function, fzi_live *live)
{
    FZI_FOR_INSTRUCTIONS(at, program, &program->functions[function]) {
        const fz_code *code = program->code + at;
        if (FZ_CODE_OP(*code) == FZ_OP_FILTER_BEGIN &&
            program->choices[program->filters[code[1]].choice].at_once)
            add_to_filter(program, code[1], &live[at + fzi_opcode_length(FZ_OP_FILTER_BEGIN)],
                          live);
    }
}

/* ---- all functions ---- */

void fzi_live_all(const fz_program *p, fzi_live *live, fzi_live *choosing)
{
    for (uint32_t i = 0; i < p->function_count; i++)
        fzi_live_find(p, i, live);
    memset(choosing, 0, ((size_t)p->code_length + 1) * sizeof *choosing);
    for (uint32_t i = 0; i < p->function_count; i++)
        find(p, i, true, choosing);
}
