/* C of a program: for each instruction the text that the loop has for it, with its operands as
 * constants and its registers as variables of C. Registers go to the state only where a frame is
 * left or looked at. */
#include "generate_count.h"
#include "native.h"
#include "operands.h"
#include "playout_plan.h"

#include <stdio.h>
#include <string.h>

#include "interp/program/data_flow.h"
#include "interp/vm/machine.h"
#include "texts.h"

typedef struct generator {
    const fz_program *p;
    fzi_buffer *out;
    bool alone;          /* without a loop beside it */
    uint8_t *wanted;     /* by function */
    uint64_t *homes; /* by function: the parts that have it, as bits; a part is a function of C */
    uint8_t *entry;      /* by place of the code: runs may go on there */
    uint8_t *calls;      /* by function: what it may be, as bits */
    fzi_live *live;
    unsigned parts, now; /* how many; the one that is being written */
    fzi_playout_plan plan;
    bool plays;          /* whole games, in a part of their own after the others */
    const fz_function *f;
} generator;

enum { IS_CALLED = 1, CALLS = 2, FILTERS = 4 };

/* ---- what is compiled ---- */

static bool calls_out(const fz_program *p, const fz_function *f)
{
    FZI_FOR_INSTRUCTIONS(at, p, f)
        if (FZ_CODE_OP(p->code[at]) == FZ_OP_NATIVE)
            return true;
    return false;
}

/* Functions that play the game, and those they call; not those that call libraries. */
static void want(generator *g, int32_t function)
{
    const fz_program *p = g->p;
    if (function < 0 || g->wanted[function] || calls_out(p, &p->functions[function]))
        return;
    const fz_function *f = &p->functions[function];
    g->wanted[function] = 1;
    FZI_FOR_INSTRUCTIONS(at, p, f) {
        unsigned op = FZ_CODE_OP(p->code[at]);
        if (fzi_opcode_is(op, FZ_FLAG_CALLS))
            want(g, (int32_t)p->code[at + 1]);
    }
}

/* Labels are for texts, which the loop makes, if there is one. */
static bool is_text(unsigned op)
{
    return fzi_opcode_is(op, FZ_FLAG_TEXT);
}

static void mark(generator *g, uint32_t at)
{
    g->entry[at] = 1;
}

static void mark_function(generator *g, uint32_t function)
{
    const fz_program *p = g->p;
    const fz_function *f = &p->functions[function];
    mark(g, f->start);
    FZI_FOR_INSTRUCTIONS(at, p, f) {
        unsigned op = FZ_CODE_OP(p->code[at]);
        if (op == FZ_OP_CALL)
            mark(g, at + fzi_opcode_length(op));
        if (fzi_opcode_is(op, FZ_FLAG_RESUMES) ||
            (op == FZ_OP_DECIDE && p->choices[p->code[at + 1]].at_once))
            mark(g, at);
    }
    for (uint32_t i = 0; i < p->option_count; i++) {
        const fz_option_info *o = &p->options[i];
        if (p->choices[o->choice].function != function)
            continue;
        mark(g, o->effect);
        if (g->alone) {
            mark(g, o->label);
            mark(g, o->shown);
        }
    }
    for (uint32_t i = 0; i < p->filter_count; i++)
        if (p->choices[p->filters[i].choice].function == function)
            mark(g, p->filters[i].code);
}

/* ---- parts ---- */

/* A compiler takes more than twice as long for twice the code in one function, but going from
 * one part to another costs some instructions. So what belongs to a turn stays together, and
 * small functions are in every part that calls them. */
enum { PART_INSTRUCTIONS = 300, SMALL_INSTRUCTIONS = 60 };

static unsigned instructions_of(const fz_program *p, const fz_function *f)
{
    unsigned count = 0;
    FZI_FOR_INSTRUCTIONS(at, p, f)
        count++;
    return count;
}

/* Puts the function into the part, with the small ones that it calls. */
static void put(generator *g, uint32_t function, unsigned part)
{
    const fz_program *p = g->p;
    const fz_function *f = &p->functions[function];
    if (!g->wanted[function] || g->homes[function] >> part & 1)
        return;
    g->homes[function] |= UINT64_C(1) << part;
    FZI_FOR_INSTRUCTIONS(at, p, f) {
        unsigned op = FZ_CODE_OP(p->code[at]);
        if (fzi_opcode_is(op, FZ_FLAG_CALLS) &&
            instructions_of(p, &p->functions[p->code[at + 1]]) <= SMALL_INSTRUCTIONS)
            put(g, p->code[at + 1], part);
    }
}

static void divide(generator *g)
{
    const fz_program *p = g->p;
    const int32_t phases[] = {p->turn, p->end};
    unsigned filled = 0;
    g->parts = 1;
    for (unsigned i = 0; i < sizeof phases / sizeof *phases; i++)
        if (phases[i] >= 0) {
            put(g, (uint32_t)phases[i], 0);
            filled += instructions_of(p, &p->functions[phases[i]]);
        }
    for (uint32_t i = 0; i < p->function_count; i++) {
        if (!g->wanted[i] || g->homes[i])
            continue;
        unsigned size = instructions_of(p, &p->functions[i]);
        if (filled && filled + size > PART_INSTRUCTIONS && g->parts < FZ_NATIVE_PARTS - 1) {
            g->parts++;
            filled = 0;
        }
        filled += size;
        put(g, i, g->parts - 1);
    }
}

static bool is_here(const generator *g, uint32_t function)
{
    return g->homes[function] >> g->now & 1;
}

/* ---- phases ---- */

static void note_calls(generator *g)
{
    const fz_program *p = g->p;
    for (uint32_t i = 0; i < p->function_count; i++)
        FZI_FOR_INSTRUCTIONS(at, p, &p->functions[i]) {
            unsigned op = FZ_CODE_OP(p->code[at]);
            if (fzi_opcode_is(op, FZ_FLAG_CALLS)) {
                g->calls[i] |= CALLS;
                g->calls[p->code[at + 1]] |= IS_CALLED;
            }
            if (op == FZ_OP_PEND || op == FZ_OP_GROUP)
                g->calls[i] |= FILTERS;
        }
}

/* The label where the phase ends whose function this is; NULL: it is not, or is called too. What
 * is only the function of a phase always has the lowest frame. */
static const char *phase_end(const generator *g, const fz_function *f)
{
    const fz_program *p = g->p;
    int32_t number = (int32_t)(f - p->functions);
    if (g->calls[number] & IS_CALLED)
        return NULL;
    return number == p->turn ? "turn_end" : number == p->end ? "end_end" : NULL;
}

/* Is the frame of this function of a phase looked at only where its registers are spilled? Then
 * it is made there. */
static bool frames_late(const generator *g, const fz_function *f)
{
    return phase_end(g, f) && !g->calls[f - g->p->functions];
}

static void write_frame(generator *g, const fz_function *f)
{
    fzi_buffer_format(g->out, "ONLY_FRAME(%u, %u, %u, 0, 0); ", (unsigned)(f - g->p->functions),
                      fzi_frame_size(f, g->p->board.words), f->ints);
}

/* ---- one instruction ---- */

static uint32_t function_number(const generator *g, uint32_t at)
{
    return (uint32_t)(fzi_program_function_at(g->p, at) - g->p->functions);
}

/* Frame to registers or back, for those that are live at a place. */
static void move_registers(generator *g, const fz_function *f, uint32_t at, bool spill)
{
    const fzi_live *live = &g->live[at];
    bool any = false;
    for (unsigned r = 0; r < 256; r++)
        any =
            any || (r < f->ints && fzi_live_int(live, r)) || (r < f->sets && fzi_live_set(live, r));
    if (!any)
        return;
    fzi_buffer_format(g->out, "int64_t *fi = (int64_t *)(void *)((uint64_t *)(void *)(block + "
                      "constant.layout.frames) + H->frame + FZ_FRAME_HEADER); "
                      "fzi_set *fs = (fzi_set *)(void *)(fi + %u); (void)fs; ", f->ints);
    for (unsigned r = 0; r < f->ints; r++)
        if (fzi_live_int(live, r))
            fzi_buffer_format(g->out, spill ? "fi[%u] = i%u; " : "i%2$u = fi[%1$u]; ", r, r);
    for (unsigned r = 0; r < f->sets; r++)
        if (fzi_live_set(live, r))
            fzi_buffer_format(g->out, spill ? "fs[%u] = s%u; " : "s%2$u = fs[%1$u]; ", r, r);
}

/* The value of the last binding; the others stand in their registers. */
static void define_bind(generator *g, const fz_option_info *o)
{
    fzi_buffer_format(
        g->out,
        "#undef BIND\n#define BIND(option, value) do { i%u = (int64_t)(value); goto L%u; } "
        "while (0)\n",
        o->bindings ? o->first + o->bindings - 1u : 0u, o->effect);
}

static void define_pass(generator *g, const fz_code *code)
{
    const fz_function *to = &g->p->functions[code[1]];
    fzi_buffer_text(g->out, "#undef PASS\n#define PASS(f, ints, sets) do { ");
    for (unsigned i = 0; i < to->int_params; i++)
        fzi_buffer_format(g->out, "(ints)[%u] = (uint64_t)i%u; ", i, FZ_CODE_A(*code) + i);
    for (unsigned i = 0; i < to->set_params; i++)
        fzi_buffer_format(g->out, "(sets)[%u] = s%u; ", i, FZ_CODE_B(*code) + i);
    fzi_buffer_text(g->out, "} while (0)\n");
}

/* To a function that is known. */
static void define_enter(generator *g, uint32_t function)
{
    uint32_t start = g->p->functions[function].start;
    if (is_here(g, function))
        fzi_buffer_format(g->out,
                          "#undef ENTER\n#define ENTER(pc) do { RELOAD(); goto E%u; } while (0)\n",
                          start);
    else
        fzi_buffer_format(g->out, "#undef ENTER\n#define ENTER(pc) do { to = %u; goto elsewhere; } "
                          "while (0)\n", start);
}

static void define_keys(generator *g, const fz_code *code, unsigned count)
{
    fzi_buffer_text(g->out, "#undef KEYS\n#define KEYS(keys, count) do { ");
    for (unsigned i = 0; i < count; i++)
        fzi_buffer_format(g->out, "(keys)[%u] = i%u; ", i, FZ_CODE_A(*code) + i);
    fzi_buffer_text(g->out, "} while (0)\n");
}

/* Defines the continuation of a verdict: most JUDGEs are followed by a JUMP to the same place. */
static void define_behind(generator *g)
{
    const fz_program *p = g->p;
    fzi_buffer_text(
        g->out, "#undef AFTER_FILTER_BEGIN\n#define AFTER_FILTER_BEGIN(place) switch (place) { ");
    FZI_FOR_INSTRUCTIONS(at, p, g->f)
        if (FZ_CODE_OP(p->code[at]) == FZ_OP_FILTER_BEGIN &&
            p->choices[p->filters[p->code[at + 1]].choice].at_once)
            fzi_buffer_format(g->out, "case %u: goto L%u; ", at,
                              at + fzi_opcode_length(FZ_OP_FILTER_BEGIN));
    fzi_buffer_text(g->out, "default: FAULT(\"a verdict that nobody asked for\"); }\n");
}

static void define_spill(generator *g, uint32_t at)
{
    fzi_buffer_text(g->out, "#undef SPILL\n#define SPILL() do { ");
    if (frames_late(g, g->f))
        write_frame(g, g->f);
    move_registers(g, g->f, at, true);
    fzi_buffer_text(g->out, "} while (0)\n");
}

static void define_after(generator *g, uint32_t next)
{
    fzi_buffer_format(g->out, "#undef AFTER\n#define AFTER(name) FZ_OP_%s\n",
                      fzi_opcode_name(FZ_CODE_OP(g->p->code[next])));
}

static void define_special(generator *g, uint32_t at, uint32_t next)
{
    const fz_code *code = g->p->code + at;
    switch (FZ_CODE_OP(*code)) {
    case FZ_OP_DECIDE:
        fzi_define_take(g->out, g->p, &g->p->choices[code[1]]);
        define_spill(g, at);
        break;
    case FZ_OP_CALL:
        define_pass(g, code);
        define_spill(g, next);
        define_enter(g, code[1]);
        break;
    case FZ_OP_TAILCALL:
        define_pass(g, code);
        define_enter(g, code[1]);
        break;
    case FZ_OP_CHECK_BOUND:
        define_keys(g, code, 2 * FZ_CODE_B(*code));
        define_spill(g, at);
        break;
    case FZ_OP_FILTER_END:
        define_keys(g, code, FZ_CODE_B(*code));
        define_behind(g);
        break;
    case FZ_OP_EMIT_SET: {
        define_after(g, next);
        define_bind(g, &g->p->options[code[1]]);
        break;
    }
    case FZ_OP_RETURN: {
        const char *end = phase_end(g, g->f);
        fzi_define(g->out, "IS_LOWEST()", end ? "1" : "(H->frame <= run->floor)");
        fzi_define(g->out, "PHASE_END", end ? end : "phase_end");
        define_spill(g, at);
        break;
    }
    case FZ_OP_IRETURN:
    case FZ_OP_SRETURN:
        fzi_define(g->out, "IS_LOWEST()", "(H->frame <= run->floor)");
        fzi_define(g->out, "PHASE_END", "phase_end");
        define_spill(g, at);
        break;
    case FZ_OP_EMIT_SHIFTS: case FZ_OP_ALSO_SHIFTS:
        define_after(g, next);
        break;
    case FZ_OP_FILTER_BEGIN:
        fzi_buffer_format(g->out, "#undef GO\n#define GO(pc) goto L%u\n",
                          g->p->filters[code[1]].code);
        define_spill(g, at);
        break;
    case FZ_OP_RANDOM_WEIGHED:
        define_spill(g, code[2]);
        break;
    default:
        define_spill(g, at);
        break;
    }
}

static bool instruction(generator *g, uint32_t at)
{
    unsigned op = FZ_CODE_OP(g->p->code[at]);
    uint32_t next = at + fzi_opcode_length(op);
    fzi_buffer_format(g->out, "L%u: __attribute__((unused));\n", at);
    if (is_text(op) && !g->alone) {
        fzi_buffer_format(g->out, "to = %u; goto elsewhere;\n", at);
        return true;
    }
    if (!fzi_native_instructions[op])
        return false;
    fzi_define_operands(g->out, g->p, at, next);
    define_special(g, at, next);
    fzi_buffer_format(g->out, "at = %u;\n", at);
    if (is_text(op)) /* the constants leave names out */
        fzi_define(g->out, "PROG", "(m->program)");
    fzi_buffer_text(g->out, fzi_native_instructions[op]);
    if (is_text(op))
        fzi_define(g->out, "PROG", "p");
    if (fzi_opcode_is(op, FZ_FLAG_CALLS))
        fzi_define(g->out, "ENTER(pc)", "do { to = (uint32_t)(pc); goto enter; } while (0)");
    return true;
}

/* ---- the whole ---- */

static const char engine[] =
    "#define IR(n) IR_(n)\n#define IR_(n) i##n\n#define SR(n) SR_(n)\n#define SR_(n) s##n\n"
    "#define X(n) X_##n\n#define BYTE(n) BYTE_##n\n#define BYTE2(n) BYTE2_##n\n"
    "#define AT at\n#define CASE(name)\n"
    "#define PROG p\n#define FIXED k\n#define STATE state\n#define LIST list\n"
    "#define LABEL(n) LABEL_(n)\n#define LABEL_(n) L##n\n"
    "#define NEXT(name) goto LABEL(FOLLOWING)\n"
    "#define JUMP(target) do { if (BACK && SPEND(BACK) < 0) goto exhausted; "
    "goto LABEL(TARGET); } while (0)\n"
    "#define BACK_TO(target) JUMP(target)\n#define AHEAD(target) goto LABEL(TARGET)\n"
    "#define START(phase) START_##phase\n"
    "#define ENTER(pc) do { to = (uint32_t)(pc); goto enter; } while (0)\n"
    "#define ENTER_CALLEE(f, frame, sets) ENTER((f)->start)\n"
    "#define SYNC() do { H->pc = PC; SPILL(); } while (0)\n"
    "#define RELOAD_HEAD() do { block = state->block; H = (fzi_head *)(void *)block; } while (0)\n"
    "#define RELOAD() RELOAD_HEAD()\n#define SET_LIST(to) (run->list = list = (to))\n"
    "static __attribute__((noinline, unused)) uint32_t ferz_pick(const fzi_move_list *list, "
    "uint32_t index, fz_move *move)\n"
    "{\nreturn fzi_move_list_pick(list, index, FZ_W, move);\n}\n"
    "#define GO_ON ((fzi_end)(FZ_END_VERDICT + 1))\n#define BEGIN UINT32_MAX\n";

static const char apart[] =
    "#define FZ_NATIVE 1\n#ifdef FERZ_PART\n#define PART(n) (FERZ_PART == n)\n"
    "#define SHARED __attribute__((visibility(\"hidden\")))\nextern SHARED void *const *fz_api;\n"
    "#else\n#define PART(n) 1\n#define SHARED static __attribute__((noinline))\nstatic void *const "
    "*fz_api;\n#endif\n";
/* Texts of the loop are compiled where their labels, values and conditions may be of no use. */
static const char among_others[] =
    "#define PART(n) 1\n#define SHARED static __attribute__((noinline))\n"
    "#pragma GCC diagnostic ignored \"-Wunused-label\"\n"
    "#pragma GCC diagnostic ignored \"-Wunused-variable\"\n"
    "#pragma GCC diagnostic ignored \"-Wunused-but-set-variable\"\n"
    "#pragma GCC diagnostic ignored \"-Wtype-limits\"\n"
    "#pragma GCC diagnostic ignored \"-Wmissing-field-initializers\"\n";

static void head(generator *g)
{
    if (!g->alone) {
        fzi_buffer_format(g->out, "/* Made by ferz. */\n#define FZ_W %u\n", g->p->board.words);
        fzi_native_block(g->p, g->plan.whole ? g->parts : 0, g->out);
    }
    fzi_buffer_text(g->out, g->alone ? among_others : apart);
    if (!g->alone)
        fzi_buffer_text(g->out, fzi_native_headers);
    fzi_buffer_text(g->out, "enum {\n#define OP(name, operands, extension, flags, meaning) "
                    "FZ_LENGTH_##name = (int)sizeof(extension),\n");
    fzi_buffer_text(g->out, fzi_native_opcodes);
    fzi_buffer_text(g->out, "#undef OP\nFZ_LENGTH_NONE\n};\n");
    fzi_buffer_text(g->out, fzi_native_macros);
    fzi_buffer_text(g->out, engine);
}

/* Declares as many variables as any function has: a text may name a register that its instruction
 * does not use. */
static void variables(generator *g)
{
    unsigned ints = 0, sets = 0;
    for (uint32_t i = 0; i < g->p->function_count; i++) {
        const fz_function *f = &g->p->functions[i];
        ints = f->ints > ints ? f->ints : ints;
        sets = f->sets > sets ? f->sets : sets;
    }
    for (unsigned i = 0; i < ints; i++)
        fzi_buffer_format(g->out, "int64_t i%u = 0;\n", i);
    for (unsigned i = 0; i < sets; i++)
        fzi_buffer_format(g->out, "fzi_set s%u = set_none();\n", i);
}

/* Is this place of the code an entry of the part that is being written? */
static bool enters(const generator *g, uint32_t at)
{
    return g->entry[at] && is_here(g, function_number(g, at));
}

static void jump_table(generator *g)
{
    fzi_buffer_text(g->out, "static const void *const entries[] = {\n");
    for (uint32_t at = 0; at < g->p->code_length; at++)
        if (enters(g, at))
            fzi_buffer_format(g->out, "[%u] = &&E%u,\n", at, at);
    fzi_buffer_format(g->out, "[%u] = &&elsewhere};\n", g->p->code_length);
}

/* In the part that has the phase's function, the registers that it begins with are set, not its
 * frame's. */
static void define_start(generator *g, const char *phase, int32_t function)
{
    const fz_function *f = function < 0 ? NULL : &g->p->functions[function];
    fzi_buffer_format(g->out, "#undef START_%s\n#define START_%s do { ", phase, phase);
    if (f && is_here(g, (uint32_t)function)) {
        if (!frames_late(g, f))
            write_frame(g, f);
        if (f->int_params)
            fzi_buffer_text(g->out, "i0 = H->mover; ");
        for (unsigned r = 0; r < f->sets; r++)
            if (fzi_live_set(&g->live[f->start], r))
                fzi_buffer_format(g->out, "s%u = set_none(); ", r);
        fzi_buffer_format(g->out, "goto L%u; } while (0)\n", f->start);
    } else {
        fzi_buffer_format(g->out, "FIRST_FRAME(PROG->%s); to = %u; goto elsewhere; } while (0)\n",
                          phase, f ? f->start : 0);
    }
}

static void entries(generator *g)
{
    for (uint32_t at = 0; at < g->p->code_length; at++) {
        if (!enters(g, at))
            continue;
        fzi_buffer_format(g->out, "E%u: { ", at);
        move_registers(g, fzi_program_function_at(g->p, at), at, false);
        fzi_buffer_format(g->out, "goto L%u; }\n", at);
    }
}

/* One function of C: what of the code is in this part, and the phases. Where to go on is in *go,
 * also when it ends with GO_ON; a run begins in the first part. */
static bool part(generator *g)
{
    const fz_program *p = g->p;
    fzi_buffer_format(g->out, "#if PART(%u)\nSHARED fzi_end part_%u(fz_machine *m, fzi_run *run, "
                      "uint32_t *go)\n{\n", g->now, g->now);
    jump_table(g);
    /* What every turn does has it in place, for others it would be most of what the compiler
     * reads. */
    fzi_define(g->out, "PICK(index, move)",
           g->now ? "ferz_pick(list, index, move)" : "fzi_move_list_pick(list, index, FZ_W, move)");
    define_start(g, "setup", p->setup);
    define_start(g, "turn", p->turn);
    define_start(g, "end", p->end);
    define_start(g, "limit", p->limit);
    fzi_buffer_text(
        g->out, "const fz_program *const p = &program;\n"
                "const fz_machine *const k = &constant;\nfz_state *const state = run->state;\n"
                "fzi_move_list *list = run->list;\nuint8_t *block;\nfzi_head *H;\nfz_move move;\n"
                "uint32_t start, to = *go, at = 0;\n");
    variables(g);
    fzi_buffer_text(g->out, "RELOAD();\n");
    if (g->now == 0) {
        fzi_buffer_text(g->out, "if (to != BEGIN) goto enter;\n");
        fzi_buffer_text(g->out, fzi_native_begin);
        fzi_buffer_text(g->out, "to = H->pc;\n");
    }
    fzi_buffer_text(g->out,
                    "enter:\nRELOAD();\nif (!entries[to]) goto elsewhere;\ngoto *entries[to];\n"
                    "elsewhere:\nrun->list = list;\n*go = to;\nreturn GO_ON;\n");
    entries(g);
    for (uint32_t i = 0; i < p->function_count; i++) {
        g->f = &p->functions[i];
        FZI_FOR_INSTRUCTIONS(at, p, g->f)
            if (is_here(g, i) && !instruction(g, at))
                return false;
    }
    fzi_define(g->out, "PC", "at");
    fzi_define(g->out, "SPILL()", "((void)0)");
    fzi_buffer_text(g->out, fzi_native_phases);
    fzi_buffer_text(g->out, "}\n#endif\n");
    return true;
}

static void part_table(generator *g)
{
    fzi_buffer_text(g->out, "static const uint8_t parts[] = {\n");
    for (uint32_t at = 0; at < g->p->code_length; at++)
        if (g->entry[at])
            fzi_buffer_format(
                g->out, "[%u] = %u,\n", at,
                1u + (unsigned)__builtin_ctzll(g->homes[function_number(g, at)]));
    fzi_buffer_format(g->out, "[%u] = 0};\n", g->p->code_length);
}

/* From part to part; to the loop where no part has code. */
static void run_function(generator *g)
{
    part_table(g);
    if (g->plays)
        fzi_buffer_text(g->out, "SHARED fzi_end ferz_playout(fz_machine *m, fzi_run *run);\n");
    fzi_buffer_text(g->out, "fzi_end ferz_native_run(fz_machine *m, fzi_run *run)\n{\n"
                    "uint32_t to = BEGIN;\nfzi_end end;\n");
    if (g->plays)
        fzi_buffer_text(g->out,
                        "if ((end = ferz_playout(m, run)) != FZ_END_VERDICT) return end;\n");
    fzi_buffer_text(g->out, "end = part_0(m, run, &to);\n"
                    "while (end == GO_ON) {\nswitch (parts[to]) {\n");
    for (unsigned i = 0; i < g->parts; i++)
        fzi_buffer_format(g->out, "case %u: end = part_%u(m, run, &to); break;\n", i + 1, i);
    fzi_buffer_text(g->out, "default:\nfzi_head_of(run->state)->pc = to;\n");
    fzi_buffer_text(g->out, g->alone ? "return fzi_fault(m, \"this code is not here\");\n"
                                     : "return m->interpret(m, run);\n");
    fzi_buffer_text(g->out, "}\n}\nreturn end;\n}\n");
}

static void tail(generator *g)
{
    if (g->alone)
        return;
    fzi_buffer_format(g->out, "const unsigned long ferz_native_check = %luu;\n"
                      "void ferz_native_bind(void *const *api) { fz_api = api; }\n"
                      "#ifdef FERZ_PART\nvoid *const *fz_api;\n#endif\n",
                      fzi_native_check());
}

static bool generate(generator *g, const fz_machine *m)
{
    const fz_program *p = g->p;
    want(g, p->setup);
    want(g, p->turn);
    want(g, p->end);
    want(g, p->limit);
    want(g, p->payoff);
    for (uint32_t i = 0; i < p->function_count; i++)
        if (g->wanted[i]) {
            mark_function(g, i);
            if (fzi_on(p, FZ_OPT_LIVE)) {
                fzi_live_find(p, i, g->live);
                fzi_live_keep(p, i, g->live);
            }
        }
    if (!fzi_on(p, FZ_OPT_LIVE))
        memset(g->live, UINT8_MAX, p->code_length * sizeof *g->live);
    divide(g);
    if (!fzi_playout_plan_make(&g->plan, m))
        return false;
    g->plays = g->plan.fits;
    head(g);
    fzi_native_data(m, g->out);
    for (g->now = 0; g->now < g->parts; g->now++)
        fzi_buffer_format(
            g->out, "SHARED fzi_end part_%u(fz_machine *m, fzi_run *run, uint32_t *go);\n", g->now);
    bool good = true;
    for (g->now = 0; g->now < g->parts; g->now++)
        good = good && part(g);
    fzi_buffer_format(g->out, "#if PART(%u)\n", g->parts);
    good = good && (!g->plays || (fzi_native_playout_c(&g->plan, g->out) &&
                                  (g->alone || fzi_count_c(&g->plan))));
    fzi_buffer_text(g->out, "#endif\n#if PART(0)\n");
    run_function(g);
    tail(g);
    fzi_buffer_text(g->out, "#endif\n");
    return good && !g->out->failed;
}

static bool generate_with(generator *g)
{
    const fz_program *program = g->p;
    fzi_allocator a = fzi_program_allocator(program);
    fz_machine *m = fz_machine_new(program, NULL);
    uint32_t length = program->code_length;
    g->wanted = fzi_allocate_zeroed(a, program->function_count + 1u);
    g->homes = fzi_allocate_zeroed(a, (program->function_count + 1u) * sizeof *g->homes);
    g->entry = fzi_allocate_zeroed(a, length + 1u);
    g->live = fzi_allocate_zeroed(a, (length + 1u) * sizeof *g->live);
    g->calls = fzi_allocate_zeroed(a, program->function_count + 1u);
    bool good = m && g->wanted && g->homes && g->entry && g->live && g->calls;
    if (good) {
        note_calls(g);
        good = generate(g, m);
    }
    FZI_RELEASE(a, g->wanted, g->homes, g->entry, g->live, g->calls);
    fzi_playout_plan_free(&g->plan);
    fz_machine_free(m);
    return good;
}

bool fzi_native_generate(const fz_program *program, fzi_buffer *out, unsigned *parts,
                         unsigned *playouts, bool *small)
{
    generator g = {.p = program, .out = out};
    bool good = generate_with(&g);
    *small = g.plan.instructions <= FZ_SMALL_PROGRAM;
    *playouts = g.plays ? g.parts : 0;
    *parts = g.parts + g.plays;
    return good;
}

bool fzi_native_generate_alone(const fz_program *program, fzi_buffer *out)
{
    generator g = {.p = program, .out = out, .alone = true};
    return generate_with(&g);
}

bool fzi_native_calls_out(const fz_program *program)
{
    for (uint32_t i = 0; i < program->function_count; i++)
        if (calls_out(program, &program->functions[i]))
            return true;
    return false;
}
