/* Footprints of filters in C: their code once more, on sets that know how they may change
 * (vm/ops_footprint.h). footprint.inc.h does the same in the loop. For generate_count.c. */
#include "generate_count.h"

#include "generate_playout.h"
#include "operands.h"
#include "texts.h"

/* Instructions with sets: compiled in place, where they are called once, and wherever moves are
 * listed. */
enum { SMALL = 80, TINY = 8 };

/* ---- single instructions ---- */

/* The text of the loop computes numbers, or a set that is certain from numbers. */
enum manner { CANNOT, AS_EVER, CERTAIN, LOADS, CALLS, OWN };

static const struct {
    uint8_t manner;
    const char *text; /* UR(n): a set register */
} texts[FZ_OP_COUNT] = {
#define AS(op, manner) [FZ_OP_##op] = {manner, NULL},
#define TEXT(op, text) [FZ_OP_##op] = {OWN, text},
    AS(INT, AS_EVER) AS(COPY, AS_EVER) AS(TABLE, AS_EVER) AS(TABLE2, AS_EVER) AS(INDEX, AS_EVER)
    AS(WIDE, AS_EVER) AS(MTABLE, AS_EVER) AS(MTABLE2, AS_EVER) AS(ADD, AS_EVER) AS(ADDK, AS_EVER)
    AS(SUB, AS_EVER) AS(EQ, AS_EVER) AS(NE, AS_EVER) AS(LT, AS_EVER) AS(LE, AS_EVER)
    AS(NOT, AS_EVER) AS(MOVER, AS_EVER) AS(JUMP, AS_EVER) AS(JTRUE, AS_EVER) AS(JFALSE, AS_EVER)
    AS(JEQ, AS_EVER) AS(JNE, AS_EVER) AS(JLT, AS_EVER) AS(JLE, AS_EVER)
    AS(SNONE, CERTAIN) AS(SALL, CERTAIN) AS(SROW, CERTAIN) AS(STABLE, CERTAIN)
    AS(STABLE2, CERTAIN) AS(SBIT, CERTAIN)
    AS(LOAD, LOADS) AS(LOADX, LOADS) AS(MLOAD, LOADS) AS(MLOADX, LOADS)
    AS(CALL, CALLS)
    TEXT(IRETURN, "*number = IR(A);\nreturn true;\n")
    TEXT(FILTER_END, "found->events = f->events; found->kinds = f->kinds; "
         "found->loads = f->loads;\n*number = IR(A) != 0;\nreturn true;\n")
    TEXT(JSNONE, "AHEAD_IF(JSNONE, !foot_some(f, &UR(A)), X(1));\n")
    TEXT(JSSOME, "AHEAD_IF(JSSOME, foot_some(f, &UR(A)), X(1));\n")
    TEXT(JSHAS, "AHEAD_IF(JSHAS, foot_has(f, &UR(A), IR(B)), X(1));\n")
    TEXT(JSMISS, "AHEAD_IF(JSMISS, !foot_has(f, &UR(A), IR(B)), X(1));\n")
    TEXT(JSMEETS, "AHEAD_IF(JSMEETS, foot_meet(f, &UR(A), &UR(B)), X(1));\n")
    TEXT(JSAPART, "AHEAD_IF(JSAPART, !foot_meet(f, &UR(A), &UR(B)), X(1));\n")
    TEXT(EACH, "IR(A) = foot_take(f, &UR(B));\nAHEAD_IF(EACH, IR(A) < 0, X(1));\n")
    TEXT(EACH_ON, "IR(A) = foot_take(f, &UR(B));\nif (IR(A) >= 0) BACK_TO(X(1));\n"
                  "NEXT(EACH_ON);\n")
    TEXT(SCOPY, "UR(A) = UR(B);\nNEXT(SCOPY);\n")
    TEXT(SADD, "if (!foot_add(f, &UR(A), IR(B))) return false;\nNEXT(SADD);\n")
    TEXT(SAND, "UR(A) = foot_and(UR(B), UR(C));\nNEXT(SAND);\n")
    TEXT(SOR, "UR(A) = foot_or(UR(B), UR(C));\nNEXT(SOR);\n")
    TEXT(SSUB, "UR(A) = foot_sub(UR(B), UR(C));\nNEXT(SSUB);\n")
    TEXT(SHAS, "IR(A) = foot_has(f, &UR(C), IR(B));\nNEXT(SHAS);\n")
    TEXT(SSOME, "IR(A) = foot_some(f, &UR(B));\nNEXT(SSOME);\n")
    TEXT(SMEETS, "IR(A) = foot_meet(f, &UR(B), &UR(C));\nNEXT(SMEETS);\n")
    TEXT(STEP, "UR(A) = foot_step(PROG->topology, &UR(B), (uint64_t)IR(C) & FIXED->dir_mask);\n"
               "NEXT(STEP);\n")
    TEXT(SLIDE, "UR(A) = foot_slide(PROG->topology, &UR(B), &UR(BYTE(0)), "
                "(uint64_t)IR(C) & FIXED->dir_mask, IR(BYTE(1)));\nNEXT(SLIDE);\n")
    TEXT(LEAP, "foot_leap(f, m->program->topology, &UR(A), &UR(B), IR(C), IR(BYTE(0)));\n"
               "NEXT(LEAP);\n")
    TEXT(OWNED, "if (!foot_owned(f, &UR(A), IR(B))) return false;\nNEXT(OWNED);\n")
    TEXT(OF_KIND, "if (!foot_kind(f, &UR(A), IR(B))) return false;\nNEXT(OF_KIND);\n")
    TEXT(OF, "if (!foot_pieces(f, &UR(A), IR(B), IR(C))) return false;\nNEXT(OF);\n")
    TEXT(OF_GIVEN, "if (!foot_pieces(f, &UR(A), B, IR(C))) return false;\nNEXT(OF_GIVEN);\n")
    TEXT(OCCUPIED, "UR(A) = foot_occupied(f);\nNEXT(OCCUPIED);\n")
    TEXT(EMPTY, "UR(A) = foot_empty(f);\nNEXT(EMPTY);\n")
    TEXT(PHANTOM, "if (!foot_phantom(f, IR(B), IR(C))) return false;\nIR(A) = 0;\n"
                  "NEXT(PHANTOM);\n")
    TEXT(UNPHANTOM, "if (IR(A)) return false;\nNEXT(UNPHANTOM);\n")
#undef AS
#undef TEXT
};

/* The text for a filter that asks for the latest move: it may be among the numbers. */
static const char *text_of_move(unsigned op)
{
    switch (op) {
    case FZ_OP_LAST: return "if (!foot_last(f, &IR(A), &IR(B))) return false;\nNEXT(LAST);\n";
    case FZ_OP_KIND: return "if (!foot_kind_at(f, IR(B), &IR(A))) return false;\nNEXT(KIND);\n";
    case FZ_OP_SHAS:
        return "if (!foot_has_site(f, &UR(C), IR(B), &has)) return false;\nIR(A) = has;\n"
               "NEXT(SHAS);\n";
    case FZ_OP_JSHAS:
        return "if (!foot_has_site(f, &UR(A), IR(B), &has)) return false;\n"
               "AHEAD_IF(JSHAS, has, X(1));\n";
    case FZ_OP_JSMISS:
        return "if (!foot_has_site(f, &UR(A), IR(B), &has)) return false;\n"
               "AHEAD_IF(JSMISS, !has, X(1));\n";
    default: return NULL;
    }
}

/* No other instruction but COPY reads it. */
static void only_numbers(fzi_playout_plan *g, uint32_t at)
{
    fzi_live reads = {{0}}, writes = {{0}};
    if (FZ_CODE_OP(g->p->code[at]) == FZ_OP_COPY)
        return;
    fzi_live_uses(g->p, at, &reads, &writes);
    for (unsigned i = 0; i < 256; i++)
        if (fzi_live_int(&reads, i))
            fzi_buffer_format(g->out, "if (foot_is_move(i%u)) return false;\n", i);
}

static bool can_do(const fzi_playout_plan *g, uint32_t start, uint32_t end);

static bool can_call(const fzi_playout_plan *g, uint32_t number)
{
    const fz_function *f = &g->p->functions[number];
    return !fzi_plan_circle(g, number) && can_do(g, f->start, f->end);
}

static void call_text(fzi_playout_plan *g, const fz_code *code)
{
    const fz_function *to = &g->p->functions[code[1]];
    if (!can_call(g, code[1])) {
        fzi_buffer_text(g->out, "return false;\n");
        return;
    }
    fzi_buffer_format(g->out, "{ int64_t got = 0;\nif (SPEND(4) < 0 || !foot_f%u(d, f",
                      code[1]);
    for (unsigned i = 0; i < to->int_params; i++)
        fzi_buffer_format(g->out, ", i%u", FZ_CODE_A(*code) + i);
    for (unsigned i = 0; i < to->set_params; i++)
        fzi_buffer_format(g->out, ", u%u", FZ_CODE_B(*code) + i);
    fzi_buffer_text(g->out, ", &got)) return false;\nIR(C) = got; NEXT(CALL); }\n");
}

static bool is_possible(const fzi_playout_plan *g, const fz_code *code)
{
    unsigned manner = texts[FZ_CODE_OP(*code)].manner;
    return manner != CANNOT && !(manner == LOADS && g->p->variables[code[1]].carried);
}

/* `asks`: the filter asks for the latest move. */
static void instruction(fzi_playout_plan *g, uint32_t at, bool asks)
{
    const fz_code *code = g->p->code + at;
    unsigned op = FZ_CODE_OP(*code);
    fzi_buffer_format(g->out, "L%u: __attribute__((unused));\n", at);
    fzi_define_operands(g->out, g->p, at, at + fzi_opcode_length(op));
    if (asks && text_of_move(op)) {
        fzi_buffer_text(g->out, text_of_move(op));
        return;
    }
    if (asks)
        only_numbers(g, at);
    if (texts[op].manner == CALLS) {
        call_text(g, code);
        return;
    }
    if (!is_possible(g, code)) {
        fzi_buffer_text(g->out, "return false;\n");
        return;
    }
    if (texts[op].manner == CERTAIN)
        fzi_buffer_text(g->out, "UR(A) = foot_sure(set_none());\n");
    if (texts[op].manner == LOADS)
        fzi_buffer_format(g->out, "f->loads |= FZ_QUIET_BIT(%u);\n", code[1]);
    fzi_buffer_text(g->out, texts[op].text ? texts[op].text : fzi_native_instructions[op]);
}

/* ---- what can be done ---- */

/* A filter or function that cannot begin is not worth its code. What else cannot be done may lie on
 * a way that is rarely gone: functions that call themselves would need a depth. */
static bool can_do(const fzi_playout_plan *g, uint32_t start, uint32_t end)
{
    FZI_FOR_CODE(at, g->p, start, end) {
        const fz_code *code = g->p->code + at;
        int64_t jump = fzi_opcode_jump(code);
        if ((at == start && !is_possible(g, code) && FZ_CODE_OP(*code) != FZ_OP_LAST) ||
            (at == start && FZ_CODE_OP(*code) == FZ_OP_CALL && !can_call(g, code[1])) ||
            (jump != FZ_NO_JUMP && (jump < start || jump >= end)))
            return false;
    }
    return true;
}

bool fzi_footprint_asks(const fzi_playout_plan *g, uint32_t filter)
{
    FZI_FOR_CODE(at, g->p, g->p->filters[filter].code, fzi_filter_verdict(g->p, filter))
        if (FZ_CODE_OP(g->p->code[at]) == FZ_OP_LAST)
            return true;
    return false;
}

/* The registers that the code of a filter reads and does not set. */
static fzi_live inputs(const fzi_playout_plan *g, uint32_t filter)
{
    uint32_t start = g->p->filters[filter].code, end = fzi_filter_verdict(g->p, filter);
    fzi_live read = {{0}}, written = {{0}};
    FZI_FOR_CODE(at, g->p, start, end + 1)
        fzi_live_uses(g->p, at, &read, &written);
    for (unsigned i = 0; i < FZ_LIVE_WORDS; i++)
        read.w[i] &= g->live[start].w[i];
    return read;
}

static unsigned size_of(const fzi_playout_plan *g, uint32_t start, uint32_t end)
{
    unsigned size = 0;
    FZI_FOR_CODE(at, g->p, start, end)
        size += texts[FZ_CODE_OP(g->p->code[at])].manner == OWN;
    return size;
}

bool fzi_footprint_tiny(const fzi_playout_plan *g, uint32_t filter)
{
    uint32_t start = g->p->filters[filter].code, end = fzi_filter_verdict(g->p, filter);
    FZI_FOR_CODE(at, g->p, start, end)
        if (FZ_CODE_OP(g->p->code[at]) == FZ_OP_CALL)
            return false;
    return size_of(g, start, end) <= TINY;
}

/* Is this place in the code of a filter? */
static bool in_filter(const fz_program *p, uint32_t at)
{
    for (uint32_t i = 0; i < p->filter_count; i++)
        if (at >= p->filters[i].code && at <= fzi_filter_verdict(p, i))
            return true;
    return false;
}

bool fzi_footprint_fits(const fzi_playout_plan *g, uint32_t filter)
{
    const fz_program *p = g->p;
    const fz_choice *c = &p->choices[p->filters[filter].choice];
    const fz_function *f = &p->functions[c->function];
    fzi_live read = inputs(g, filter);
    if (p->filters[filter].kind != FZ_FILTER_ENSURING ||
        !can_do(g, p->filters[filter].code, fzi_filter_verdict(p, filter) + 1))
        return false;
    FZI_FOR_CODE(at, p, c->start, f->end) { /* they hold at CHOOSE what they hold in the end */
        fzi_live reads = {{0}}, writes = {{0}};
        fzi_live_uses(p, at, &reads, &writes);
        for (unsigned i = 0; i < FZ_LIVE_WORDS; i++)
            if (writes.w[i] & read.w[i] && !in_filter(p, at))
                return false;
    }
    return true;
}

/* ---- functions ---- */

static void locals_and_code(fzi_playout_plan *g, const fz_function *f, uint32_t start,
                            uint32_t end, const fzi_live *given, bool asks)
{
    if (asks)
        fzi_buffer_text(g->out, "bool has = false;\n(void)has;\n");
    for (unsigned i = 0; i < f->ints; i++)
        if (!fzi_live_int(given, i))
            fzi_buffer_format(g->out, "int64_t i%u = 0;\n", i);
    for (unsigned i = 0; i < f->sets; i++)
        if (!fzi_live_set(given, i))
            fzi_buffer_format(g->out, "fzi_unsure u%u;\n", i);
    FZI_FOR_CODE(at, g->p, start, end)
        instruction(g, at, asks);
    fzi_buffer_text(g->out, "FOOTPRINT_FAULTS\n}\n");
}

/* Something for each of the registers. */
static void for_registers(fzi_playout_plan *g, const fzi_live *live, const char *ints,
                          const char *sets)
{
    for (unsigned i = 0; i < 256; i++)
        if (fzi_live_int(live, i))
            fzi_buffer_format(g->out, ints, i);
    for (unsigned i = 0; i < 256; i++)
        if (fzi_live_set(live, i))
            fzi_buffer_format(g->out, sets, i);
}

static void callee(fzi_playout_plan *g, uint32_t number, uint8_t *done);

static void callees(fzi_playout_plan *g, uint32_t start, uint32_t end, uint8_t *done)
{
    FZI_FOR_CODE(at, g->p, start, end)
        if (FZ_CODE_OP(g->p->code[at]) == FZ_OP_CALL && can_call(g, g->p->code[at + 1]))
            callee(g, g->p->code[at + 1], done);
}

/* How often filters call the function. */
static unsigned calls_of(const fzi_playout_plan *g, uint32_t number)
{
    unsigned calls = 0;
    for (uint32_t f = 0; f < g->p->filter_count; f++)
        if (g->footprint[f])
            FZI_FOR_CODE(at, g->p, g->p->filters[f].code, fzi_filter_verdict(g->p, f))
                calls += FZ_CODE_OP(g->p->code[at]) == FZ_OP_CALL && g->p->code[at + 1] == number;
    return calls;
}

static void callee(fzi_playout_plan *g, uint32_t number, uint8_t *done)
{
    const fz_function *f = &g->p->functions[number];
    fzi_live given = {{0}};
    if (done[number])
        return;
    done[number] = 1;
    callees(g, f->start, f->end, done);
    fzi_live_add(&given, false, 0, f->int_params);
    fzi_live_add(&given, true, 0, f->set_params);
    fzi_buffer_format(g->out, "static %sbool foot_f%u(playout *d, fzi_found *f",
                      size_of(g, f->start, f->end) <= SMALL && calls_of(g, number) < 2
                          ? "FZ_ALWAYS " : "__attribute__((noinline)) ", number);
    for_registers(g, &given, ", int64_t i%u", ", fzi_unsure u%u");
    fzi_buffer_text(g->out, ", int64_t *number)\n{\nFOOTPRINT_FUNCTION\n");
    locals_and_code(g, f, f->start, f->end, &given, false);
}

void fzi_footprint_function(fzi_playout_plan *g, uint32_t filter, uint8_t *done)
{
    const fz_program *p = g->p;
    uint32_t start = p->filters[filter].code, end = fzi_filter_verdict(p, filter) + 1;
    const fz_function *f = &p->functions[p->choices[p->filters[filter].choice].function];
    fzi_live given = inputs(g, filter);
    callees(g, start, end, done);
    bool asks = fzi_footprint_asks(g, filter);
    fzi_buffer_format(g->out, "static %s bool foot_filter%u(playout *d, fzi_found *found",
                      asks && fzi_footprint_tiny(g, filter) ? "FZ_ALWAYS"
                                                            : "__attribute__((noinline))", filter);
    for_registers(g, &given, ", int64_t i%u", ", fzi_set s%u");
    fzi_buffer_text(g->out, ", int64_t *number)\n{\nFOOTPRINT_FUNCTION\n"
                    "fzi_found here = {.m = k, .block = block, .player = found->player, "
                    ".moved = found->moved}, *const f = &here;\n");
    for_registers(g, &given, "", "fzi_unsure u%1$u = foot_sure(s%1$u);\n");
    locals_and_code(g, f, start, end, &given, asks);
}

void fzi_footprint_call(fzi_playout_plan *g, uint32_t filter, const char *found,
                        const char *number)
{
    fzi_live given = inputs(g, filter);
    fzi_buffer_format(g->out, "foot_filter%u(d, %s", filter, found);
    for_registers(g, &given, ", i%u", ", s%u");
    fzi_buffer_format(g->out, ", %s)", number);
}
