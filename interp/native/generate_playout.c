/* C that plays whole games of a program: its functions become functions of C with arguments,
 * registers are locals, and nothing is suspended. generate_c.c puts it beside the code that can
 * stop at every decision; vm/vm_playout.inc.h has what all games share. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "generate_playout.h"
#include "interp/vm/machine.h"
#include "native.h"
#include "operands.h"
#include "texts.h"

enum {
    SMALL = 60, /* instructions: always inlined */
    END = 100,  /* of `end` itself: the same, since every turn runs it */
    APART = 600, /* of a turn without what it calls: one function for each player */
    TURN = 400, /* of a phase with all it calls: one copy for each player */
    ASKED = 250, /* of a function that asks for the pieces of `me`: the same */
    JUDGING = 120, /* of such a function: inlined where it judges a drawn move */
    SMALL_BOARD = 12, /* sites: 4096 sets of them */
    MOST_FALLS = 256  /* of a die, each as likely */
};

/* ---- functions ---- */

static void parameters(fzi_playout_plan *g, const fz_function *f)
{
    fzi_buffer_text(g->out, "(playout *d");
    for (unsigned i = 0; i < f->int_params; i++)
        fzi_buffer_format(g->out, ", int64_t i%u", i);
    for (unsigned i = 0; i < f->set_params; i++)
        fzi_buffer_format(g->out, ", fzi_set s%u", i);
    fzi_buffer_text(g->out, ", int64_t *number, fzi_set *set)");
}

/* Is the function of a phase compiled once for each player? That pays where `me` decides on steps
 * that the compiler knows, and costs where much code makes lists. */
static bool is_copied(const fzi_playout_plan *g, int32_t function)
{
    const fz_program *p = g->p;
    if ((function != p->turn && function != p->end) || g->size[function] > TURN ||
        p->player_count > FZ_MOST_COPIES)
        return false;
    for (uint32_t i = 0; i < p->choice_count; i++)
        if (p->choices[i].function == (uint32_t)function && fzi_plan_needs_list(g, i))
            return false;
    return true;
}

/* Is it compiled once for each player, in functions of their own? */
static bool is_apart(const fzi_playout_plan *g, int32_t function)
{
    const fz_function *f = &g->p->functions[function];
    return function == g->p->turn && !is_copied(g, function) && f->int_params &&
           g->p->player_count <= FZ_MOST_COPIES && f->end - f->start <= APART;
}

static bool is_inline(const fzi_playout_plan *g, uint32_t function)
{
    const fz_function *f = &g->p->functions[function];
    bool small = f->end - f->start <= SMALL, phase = fzi_plan_phase(g->p, function);
    bool once = (int32_t)function == g->p->setup || (int32_t)function == g->p->limit;
    if (is_copied(g, (int32_t)function) || is_apart(g, (int32_t)function))
        return true;
    bool ends = (int32_t)function == g->p->end && f->end - f->start <= END;
    return phase ? ends || (small && once)
                 : (small || g->callers[function] == 1) && !fzi_plan_circle(g, function);
}

/* Does the function ask which pieces a player has who is its first parameter? Then it is compiled
 * for each player, where sets and tables have fixed places. */
static bool is_for_player(const fzi_playout_plan *g, uint32_t function)
{
    const fz_function *f = &g->p->functions[function];
    bool asks = false;
    FZI_FOR_INSTRUCTIONS(at, g->p, f) {
        const fz_code *code = g->p->code + at;
        asks = asks || (FZ_CODE_OP(*code) == FZ_OP_OF_GIVEN && FZ_CODE_C(*code) == 0) ||
               (FZ_CODE_OP(*code) == FZ_OP_OWNED && FZ_CODE_B(*code) == 0);
    }
    return asks && f->int_params && f->end - f->start <= ASKED && !is_inline(g, function) &&
           !fzi_plan_phase(g->p, function) && !fzi_plan_circle(g, function) &&
           g->p->player_count <= FZ_MOST_COPIES;
}

static void heading(fzi_playout_plan *g, uint32_t function)
{
    bool always = is_inline(g, function) || is_for_player(g, function);
    fzi_buffer_format(g->out, "static %splayout_flow f%u", always ? "FZ_ALWAYS " : "", function);
    parameters(g, &g->p->functions[function]);
}

static void body_heading(fzi_playout_plan *g, uint32_t function)
{
    fzi_buffer_format(g->out, "static FZ_ALWAYS playout_flow f%u_body", function);
    parameters(g, &g->p->functions[function]);
}

/* Returns what a copy of the function gives. `copy`: what its name ends in, `me`: its first
 * argument. */
static void return_copy(fzi_playout_plan *g, uint32_t function, const char *copy, const char *me)
{
    const fz_function *f = &g->p->functions[function];
    fzi_buffer_format(g->out, "return f%u_%s(d, %s", function, copy, me);
    for (unsigned i = 1; i < f->int_params; i++)
        fzi_buffer_format(g->out, ", i%u", i);
    for (unsigned i = 0; i < f->set_params; i++)
        fzi_buffer_format(g->out, ", s%u", i);
    fzi_buffer_text(g->out, ", number, set);\n");
}

/* The function whose body is `f…_body`: copies for each player, and a choice among them. */
static void copies_for_players(fzi_playout_plan *g, uint32_t function)
{
    const fz_function *f = &g->p->functions[function];
    char copy[16];
    for (unsigned q = 0; q <= g->p->player_count; q++) {
        bool any = q == g->p->player_count;
        snprintf(copy, sizeof copy, any ? "any" : "%u", q);
        fzi_buffer_format(g->out, "static __attribute__((noinline%s)) playout_flow f%u_%s",
                          any ? ", cold" : "", function, copy);
        parameters(g, f);
        fzi_buffer_text(g->out, "\n{\n(void)i0;\n");
        return_copy(g, function, "body", any ? "i0" : copy);
        fzi_buffer_text(g->out, "}\n");
    }
    heading(g, function);
    fzi_buffer_text(g->out, "\n{\nswitch (i0) {\n");
    for (unsigned q = 0; q < g->p->player_count; q++) {
        snprintf(copy, sizeof copy, "%u", q);
        fzi_buffer_format(g->out, "case %u: ", q);
        return_copy(g, function, copy, copy);
    }
    fzi_buffer_text(g->out, "default: ");
    return_copy(g, function, "any", "i0");
    fzi_buffer_text(g->out, "}\n}\n");
}

void fzi_playout_locals(fzi_playout_plan *g, const fz_function *f)
{
    for (unsigned i = 0; i < f->int_params; i++)
        fzi_buffer_format(g->out, "(void)i%u;\n", i);
    for (unsigned i = 0; i < f->set_params; i++)
        fzi_buffer_format(g->out, "(void)s%u;\n", i);
    unsigned ints = 0, sets = 0;
    for (uint32_t i = 0; i < g->p->function_count; i++) {
        const fz_function *other = &g->p->functions[i];
        ints = other->ints > ints ? other->ints : ints;
        sets = other->sets > sets ? other->sets : sets;
    }
    for (unsigned i = f->int_params; i < ints; i++)
        fzi_buffer_format(g->out, "int64_t i%u = 0;\n", i);
    for (unsigned i = f->set_params; i < sets; i++)
        fzi_buffer_format(g->out, "fzi_set s%u = set_none();\n", i);
}

/* ---- the texts of single instructions ---- */

static void return_text(fzi_playout_plan *g, unsigned op)
{
    fzi_buffer_text(g->out, op == FZ_OP_IRETURN ? "PLAYOUT_RETURN(*number = IR(A));\n"
                            : op == FZ_OP_SRETURN ? "PLAYOUT_RETURN(*set = SR(A));\n"
                                                  : "PLAYOUT_RETURN((void)0);\n");
}

/* Does the call judge a drawn move, in most turns, by a short function with copies for players? */
static bool judges(const fzi_playout_plan *g, const fz_code *code)
{
    const fz_program *p = g->p;
    const fz_function *f = &p->functions[code[1]];
    uint32_t at = (uint32_t)(code - p->code);
    bool so = false;
    for (uint32_t i = 0; i < p->filter_count; i++)
        so = so || (p->choices[p->filters[i].choice].function == g->now &&
                    !fzi_plan_can(p, p->filters[i].choice) && at >= p->filters[i].code &&
                    at < fzi_filter_verdict(p, i));
    return so && !g->counting && fzi_plan_phase(p, g->now) && f->end - f->start <= JUDGING &&
           is_for_player(g, code[1]);
}

static void arguments(fzi_playout_plan *g, const fz_code *code, const char *number, const char *set)
{
    const fz_function *to = &g->p->functions[code[1]];
    fzi_buffer_format(g->out, "PLAYOUT_CALL(%d, f%u%s(d", FZ_CODE_OP(*code) == FZ_OP_CALL, code[1],
                      judges(g, code) ? "_body" : "");
    for (unsigned i = 0; i < to->int_params; i++)
        fzi_buffer_format(g->out, ", i%u", FZ_CODE_A(*code) + i);
    for (unsigned i = 0; i < to->set_params; i++)
        fzi_buffer_format(g->out, ", s%u", FZ_CODE_B(*code) + i);
    fzi_buffer_format(g->out, ", %s, %s));\n", number, set);
}

/* A function that ends by calling itself begins again. */
static void again_text(fzi_playout_plan *g, const fz_code *code)
{
    const fz_function *f = &g->p->functions[g->now];
    fzi_buffer_text(g->out, "{ if (SPEND(4) < 0) goto exhausted;\nPLAYOUT_DEPTH();\n");
    for (unsigned i = 0; i < f->int_params; i++)
        fzi_buffer_format(g->out, "int64_t p%u = i%u; ", i, FZ_CODE_A(*code) + i);
    for (unsigned i = 0; i < f->set_params; i++)
        fzi_buffer_format(g->out, "fzi_set q%u = s%u; ", i, FZ_CODE_B(*code) + i);
    for (unsigned i = 0; i < f->int_params; i++)
        fzi_buffer_format(g->out, "i%u = p%u; ", i, i);
    for (unsigned i = 0; i < f->set_params; i++)
        fzi_buffer_format(g->out, "s%u = q%u; ", i, i);
    fzi_buffer_format(g->out, "goto L%u; }\n", f->start);
}

static void call_text(fzi_playout_plan *g, const fz_code *code)
{
    if (FZ_CODE_OP(*code) == FZ_OP_TAILCALL && code[1] == g->now) {
        again_text(g, code);
        return;
    }
    if (FZ_CODE_OP(*code) == FZ_OP_TAILCALL) {
        arguments(g, code, "number", "set");
        fzi_buffer_text(g->out, "return FLOW_ON;\n");
        return;
    }
    unsigned result = g->p->functions[code[1]].result;
    fzi_buffer_text(g->out, "{ int64_t got = 0; fzi_set gotten = set_none(); ");
    arguments(g, code, "&got", "&gotten");
    if (result == 1)
        fzi_buffer_text(g->out, "IR(C) = got; ");
    if (result == 2)
        fzi_buffer_text(g->out, "SR(C) = gotten; ");
    fzi_buffer_text(g->out, "NEXT(CALL); }\n");
}

/* A result is written once the game is counted: many games that end alike are looked up once. */
static bool result_text(fzi_playout_plan *g, uint32_t at)
{
    unsigned op = FZ_CODE_OP(g->p->code[at]);
    if (!fzi_plan_result(g, at)) {
        fzi_buffer_text(g->out, "d->ended = FZ_OP_RANK; d->slot = 0;\n");
        return false;
    }
    if (op != FZ_OP_DRAW)
        fzi_buffer_text(g->out, "PLAYER_CHECK(IR(A));\n");
    fzi_buffer_format(g->out, "PLAYOUT_RESULT(%s, %u, %s);\n", fzi_opcode_name(op),
                      fzi_plan_results(g, at), op == FZ_OP_DRAW ? "0" : "IR(A)");
    return true;
}

/* On a small board every set is a number, and one bit for each tells whether it covers a row. */
static bool covers_text(fzi_playout_plan *g, const fz_code *code)
{
    const fz_program *p = g->p;
    const fz_set_table *t = &p->set_tables[code[1]];
    uint32_t sites = p->board.site_count;
    if (sites > SMALL_BOARD || t->rows < 2)
        return false;
    fzi_buffer_text(g->out, "{ static const uint64_t covers[] = {\n");
    for (uint32_t set = 0; set < UINT32_C(1) << sites; set += 64) {
        uint64_t bits = 0;
        for (unsigned i = 0; i < 64; i++)
            for (uint32_t row = 0; row < t->rows; row++)
                bits |= (uint64_t)!(p->set_pool[t->first + row] & ~(uint64_t)(set + i)) << i;
        fzi_buffer_format(g->out, "0x%llxu,\n", (unsigned long long)bits);
    }
    fzi_buffer_format(g->out, "};\nuint64_t set = SR(B).w[0] & %uu;\n"
                      "IR(A) = covers[set / 64] >> set %% 64 & 1;\n"
                      "(void)SPEND(FIXED->set_rows[X(1)].count / 16);\nNEXT(COVERS); }\n",
                      (unsigned)((UINT32_C(1) << sites) - 1));
    return true;
}

/* A die with few ways to fall: a table of them, since chance would decide each comparison. */
static bool roll_text(fzi_playout_plan *g, uint32_t at)
{
    const fz_die *die = &g->p->dice[g->p->code[at + 1]];
    const fz_face *faces = g->p->faces + die->first;
    uint64_t total = 0;
    for (uint32_t i = 0; i < die->faces; i++)
        total += faces[i].weight;
    if (!total || total > MOST_FALLS)
        return false;
    fzi_buffer_text(g->out, "{ static const int32_t falls[] = {");
    for (uint32_t i = 0; i < die->faces; i++)
        for (uint64_t j = 0; j < faces[i].weight; j++)
            fzi_buffer_format(g->out, "%" PRId64 ",", (int64_t)faces[i].value);
    fzi_buffer_format(g->out, "};\nGIVE_NEXT(ROLL, falls[fzi_chance_below(H->key, &H->counter, "
                      "%u)]); }\n", (unsigned)total);
    return true;
}

/* A site that is added to a set if another set has a site: without a branch, which chance would
 * decide. Sites that are none are left to the text that follows. */
static void add_if_has(fzi_playout_plan *g, uint32_t at)
{
    const fz_code *code = g->p->code + at;
    uint32_t next = at + fzi_opcode_length(FZ_OP_JSMISS);
    const fz_code *add = g->p->code + next;
    if (FZ_CODE_OP(*add) != FZ_OP_SADD || code[1] != next + fzi_opcode_length(FZ_OP_SADD) ||
        fzi_plan_before(g, next) != at)
        return;
    fzi_buffer_format(g->out,
                      "if ((uint64_t)IR(B) + 1 <= FIXED->site_count && (uint64_t)i%1$u < "
                      "FIXED->site_count) {\nuint64_t on = IR(B) >= 0, "
                      "of = on ? (uint64_t)IR(B) : 0;\n"
                      "s%2$u.w[(uint64_t)i%1$u / 64] |= (SR(A).w[of / 64] >> of %% 64 & on) << "
                      "(uint64_t)i%1$u %% 64;\ngoto L%3$u;\n}\n",
                      FZ_CODE_B(*add), FZ_CODE_A(*add), code[1]);
}

/* True: the instruction has a text of its own here. */
static bool special(fzi_playout_plan *g, uint32_t at)
{
    const fz_code *code = g->p->code + at;
    unsigned op = FZ_CODE_OP(*code);
    switch (op) {
    case FZ_OP_RETURN: case FZ_OP_IRETURN: case FZ_OP_SRETURN:
        return_text(g, op);
        return true;
    case FZ_OP_CALL: case FZ_OP_TAILCALL:
        call_text(g, code);
        return true;
    case FZ_OP_CHOOSE:
        fzi_choose_text(g, at);
        return true;
    case FZ_OP_MOVER:
        if (fzi_plan_me(g, at))
            fzi_buffer_text(g->out, "GIVE_NEXT(MOVER, i0);\n");
        return fzi_plan_me(g, at);
    case FZ_OP_DECIDE:
        fzi_decide_text(g, at);
        return true;
    case FZ_OP_CAN:
        fzi_buffer_format(g->out, "some%u = false;\n", code[1]);
        if (!fzi_plan_needs_list(g, code[1]))
            fzi_buffer_text(g->out, "NEXT(CAN);\n");
        return !fzi_plan_needs_list(g, code[1]);
    case FZ_OP_CAN_TEST: case FZ_OP_CAN_END:
        fzi_question_text(g, at);
        return true;
    case FZ_OP_STOP:
        fzi_buffer_text(g->out, "d->at = PC; return FLOW_STOP;\n");
        return true;
    case FZ_OP_PEND:
        fzi_pend_text(g, at);
        return true;
    case FZ_OP_FILTER_BEGIN:
        fzi_judge_text(g, at);
        return true;
    case FZ_OP_FILTER_END:
        fzi_verdict_text(g, at);
        return true;
    case FZ_OP_COVERS:
        return covers_text(g, code);
    case FZ_OP_EACH:
        fzi_preimage_text(g, at);
        return false;
    case FZ_OP_JSMISS:
        add_if_has(g, at);
        return false;
    case FZ_OP_WIN: case FZ_OP_LOSE: case FZ_OP_DRAW: case FZ_OP_RANK:
        return result_text(g, at);
    case FZ_OP_PUT1: case FZ_OP_PUT1_GIVEN:
        fzi_drawn_put_text(g, at);
        fzi_kept_put_text(g);
        return false;
    case FZ_OP_MOVE:
        if (fzi_drawn_move_text(g, at))
            return true;
        fzi_note_sites_text(g, at);
        return false;
    case FZ_OP_TAKE: case FZ_OP_TAKE1: case FZ_OP_BECOME:
        fzi_note_sites_text(g, at);
        return false;
    case FZ_OP_ROLL:
        return roll_text(g, at);
    case FZ_OP_FLOOD: case FZ_OP_JSAPART:
        return fzi_reaches_text(g, at);
    default:
        return fzi_emit_text(g, at) || fzi_kept_text(g, at);
    }
}

bool fzi_playout_begin(fzi_playout_plan *g, uint32_t at)
{
    unsigned op = FZ_CODE_OP(g->p->code[at]);
    fzi_buffer_format(g->out, "L%u: __attribute__((unused));\n", at);
    if (fzi_opcode_is(op, FZ_FLAG_TEXT)) { /* labels run elsewhere */
        fzi_buffer_text(g->out, "return FLOW_FAIL;\n");
        return false;
    }
    fzi_define_operands(g->out, g->p, at, at + fzi_opcode_length(op));
    fzi_buffer_format(g->out, "at = %u;\n", at);
    return true;
}

void fzi_playout_instruction(fzi_playout_plan *g, uint32_t at)
{
    if (!special(g, at))
        fzi_buffer_text(g->out, fzi_native_instructions[FZ_CODE_OP(g->p->code[at])]);
}

static void function(fzi_playout_plan *g, uint32_t number)
{
    const fz_function *f = &g->p->functions[number];
    bool copied = is_for_player(g, number);
    g->now = number;
    if (copied)
        body_heading(g, number);
    else
        heading(g, number);
    fzi_buffer_text(g->out, "\n{\nPLAYOUT_FUNCTION\n(void)number; (void)set;\n");
    fzi_playout_locals(g, f);
    fzi_moves_locals(g, f);
    fzi_tries_locals(g, f);
    fzi_reaches_locals(g, f);
    FZI_FOR_INSTRUCTIONS(at, g->p, f)
        if (fzi_playout_begin(g, at))
            fzi_playout_instruction(g, at);
    fzi_buffer_text(g->out, "return FLOW_ON;\nPLAYOUT_FAULTS\n}\n");
    if (copied)
        copies_for_players(g, number);
}

/* ---- phases ---- */

static void phase_call(fzi_playout_plan *g, int32_t function, const char *mover)
{
    const fz_function *f = &g->p->functions[function];
    fzi_buffer_format(g->out, "f%d(d", function);
    if (f->int_params)
        fzi_buffer_format(g->out, ", %s", mover);
    for (unsigned i = 0; i < f->set_params; i++)
        fzi_buffer_text(g->out, ", set_none()");
    fzi_buffer_text(g->out, ", NULL, NULL)");
}

/* For each player a copy of its own, if it is small. */
static void phase(fzi_playout_plan *g, const char *name, int32_t function)
{
    char mover[16];
    bool apart = function >= 0 && is_apart(g, function);
    for (unsigned q = 0; apart && q < g->p->player_count; q++) {
        snprintf(mover, sizeof mover, "%u", q);
        fzi_buffer_format(g->out, "static __attribute__((noinline)) playout_flow playout_%s%u("
                          "playout *d)\n{\nreturn ", name, q);
        phase_call(g, function, mover);
        fzi_buffer_text(g->out, ";\n}\n");
    }
    fzi_buffer_format(g->out, "static FZ_ALWAYS playout_flow playout_%s(playout *d, int64_t mover)"
                      "\n{\n(void)mover;\n", name);
    if (function < 0) {
        fzi_buffer_text(g->out, "(void)d;\nreturn FLOW_ON;\n}\n");
        return;
    }
    if (apart || is_copied(g, function)) {
        fzi_buffer_text(g->out, "switch (mover) {\n");
        for (unsigned q = 0; q < g->p->player_count; q++) {
            snprintf(mover, sizeof mover, "%u", q);
            fzi_buffer_format(g->out, "case %u: return ", q);
            if (apart)
                fzi_buffer_format(g->out, "playout_%s%u(d)", name, q);
            else
                phase_call(g, function, mover);
            fzi_buffer_text(g->out, ";\n");
        }
        fzi_buffer_text(g->out, "default: __builtin_unreachable();\n}\n}\n");
        return;
    }
    fzi_buffer_text(g->out, "return ");
    phase_call(g, function, "mover");
    fzi_buffer_text(g->out, ";\n}\n");
}

static void phases(fzi_playout_plan *g)
{
    phase(g, "setup", g->p->setup);
    phase(g, "turn", g->p->turn);
    phase(g, "end", g->p->end);
    phase(g, "limit", g->p->limit);
}

/* ---- the whole ---- */

static bool has_opcode(const fzi_playout_plan *g, unsigned op)
{
    bool found = false;
    for (uint32_t i = 0; i < g->p->function_count; i++)
        FZI_FOR_INSTRUCTIONS(at, g->p, &g->p->functions[i])
            found = found || (g->seen[i] && FZ_CODE_OP(g->p->code[at]) == op);
    return found;
}

/* May positions be counted in another function than that of `end`? */
static bool counts_before_end(const fzi_playout_plan *g)
{
    bool counts = false;
    for (uint32_t i = 0; i < g->p->function_count; i++)
        FZI_FOR_INSTRUCTIONS(at, g->p, &g->p->functions[i])
            counts = counts || (g->seen[i] && (int32_t)i != g->p->end &&
                                fzi_plan_repeats(FZ_CODE_OP(g->p->code[at])));
    return counts;
}

static void constants(fzi_playout_plan *g)
{
    const fz_program *p = g->p;
    bool copied = is_copied(g, p->turn) || (p->end >= 0 && is_copied(g, p->end));
    fzi_define_number(g->out, "PLAYOUT_MOVERS", copied ? p->player_count : 0);
    fzi_define_number(g->out, "PLAYOUT_OUT", has_opcode(g, FZ_OP_OUT));
    fzi_define_number(g->out, "PLAYOUT_STACK", p->layout.frames);
    fzi_define_number(g->out, "PLAYOUT_COPIES", g->copies);
    fzi_define_number(g->out, "PLAYOUT_NOTES", fz_program_history_bytes(p) > 0);
    fzi_define_number(g->out, "PLAYOUT_STILL", g->still && fz_program_history_bytes(p) > 0);
    fzi_define_number(g->out, "PLAYOUT_FORGETS", counts_before_end(g));
    fzi_define_number(g->out, "PLAYOUT_LOOPS", g->loops);
    fzi_define_number(g->out, "PLAYOUT_DECISIONS", g->loops ? FZ_MOST_DECISIONS
                                                                   : g->turn_decisions);
    fzi_define_number(g->out, "PLAYOUT_FRAMES", g->most_depth + 1);
    fzi_define_number(g->out, "PLAYOUT_RECURSES", g->recurses);
    fzi_define_number(g->out, "PLAYOUT_MOVES", g->moves);
    fzi_define_number(g->out, "PLAYOUT_TRIES", g->tries);
    fzi_define_number(g->out, "PLAYOUT_SMALL", g->instructions <= FZ_SMALL_PROGRAM);
    fzi_define_number(g->out, "PLAYOUT_COST", g->cost);
    fzi_define_number(g->out, "PLAYOUT_RESULTS", fzi_plan_results(g, p->code_length) *
                                                     p->player_count);
    fzi_buffer_text(g->out, "#define FZ_ALWAYS inline __attribute__((always_inline))\n");
}

static void count_moves(fzi_playout_plan *g)
{
    for (uint32_t i = 0; i < g->p->choice_count; i++) {
        uint32_t most = 0;
        if (!g->seen[g->p->choices[i].function])
            continue;
        FZI_FOR_INSTRUCTIONS(at, g->p, &g->p->functions[g->p->choices[i].function])
            if (fzi_plan_loose(g, at) && fzi_plan_lists_for(g, at) == i)
                most += fzi_plan_most_moves(g, at);
        g->moves = most > g->moves ? most : g->moves;
    }
}

static bool write_all(fzi_playout_plan *g)
{
    const fz_program *p = g->p;
    count_moves(g);
    for (uint32_t i = 0; i < p->function_count; i++)
        if (g->seen[i]) {
            fzi_live_find(p, i, g->live);
            fzi_live_keep(p, i, g->live);
        }
    constants(g);
    fzi_reaches_plan(g);
    if (!fzi_kept_tables(g))
        return false;
    fzi_buffer_text(g->out, fzi_native_playout);
    for (uint32_t i = 0; i < p->function_count; i++)
        if (g->seen[i]) {
            heading(g, i);
            fzi_buffer_text(g->out, ";\n");
            if (is_for_player(g, i)) {
                body_heading(g, i);
                fzi_buffer_text(g->out, ";\n");
            }
        }
    for (uint32_t i = 0; i < p->function_count; i++)
        if (g->seen[i])
            function(g, i);
    phases(g);
    return true;
}

static void *zeros(fzi_allocator a, size_t count, size_t size)
{
    void *memory = fzi_allocate(a, count * size);
    if (memory)
        memset(memory, 0, count * size);
    return memory;
}

static bool allocate(fzi_playout_plan *g, fzi_allocator a)
{
    size_t functions = g->p->function_count + 1u, length = g->p->code_length + 1u;
    g->seen = zeros(a, functions, 1);
    g->callers = zeros(a, functions, sizeof *g->callers);
    g->size = zeros(a, functions, sizeof *g->size);
    g->decisions = zeros(a, functions, sizeof *g->decisions);
    g->depth = zeros(a, functions, sizeof *g->depth);
    g->order = zeros(a, functions, sizeof *g->order);
    g->runs = zeros(a, functions, sizeof *g->runs);
    g->live = zeros(a, length, sizeof *g->live);
    g->writes = zeros(a, functions, 1);
    g->loose = zeros(a, length, 1);
    g->lists = zeros(a, g->p->choice_count + 1u, 1);
    g->tried = zeros(a, g->p->choice_count + 1u, sizeof *g->tried);
    return g->seen && g->callers && g->size && g->decisions && g->depth && g->order && g->runs &&
           g->live && g->writes && g->loose && g->lists && g->tried;
}

/* The deepest call and the decisions of a turn, over all phases. */
static void add_phases(fzi_playout_plan *g)
{
    const int32_t entry[] = {g->p->setup, g->p->turn, g->p->end, g->p->limit};
    for (unsigned i = 0; i < sizeof entry / sizeof *entry; i++)
        if (entry[i] >= 0) {
            g->most_depth = g->depth[entry[i]] > g->most_depth ? g->depth[entry[i]] : g->most_depth;
            g->turn_decisions += g->decisions[entry[i]];
        }
    g->loops = g->turn_decisions >= FZ_MOST_DECISIONS;
}

/* Is everything one function of C, so that the parts of the block can be locals? */
static bool is_whole(const fzi_playout_plan *g)
{
    bool whole = g->p->board.words >= FZ_MANY_WORDS && g->copies &&
                 !g->tries && !g->loops && !g->recurses && !g->p->layout.stacks;
    for (uint32_t i = 0; i < g->p->function_count; i++)
        whole = whole && (!g->seen[i] || is_inline(g, i));
    return whole;
}

bool fzi_playout_plan_make(fzi_playout_plan *g, const fz_machine *machine)
{
    const fz_program *p = machine->program;
    *g = (fzi_playout_plan){.p = p, .fits = p->turn >= 0,
                            .carries = machine->carries,
                            .copies = !machine->carries && !fz_program_history_bytes(p)};
    if (!allocate(g, fzi_program_allocator(p)))
        return false;
    fzi_plan_visit(g, p->setup);
    fzi_plan_visit(g, p->turn);
    fzi_plan_visit(g, p->end);
    fzi_plan_visit(g, p->limit);
    g->fits = fzi_plan_fits(g) && fzi_on(p, FZ_OPT_PLAYOUTS);
    if (!g->fits)
        return true;
    for (uint32_t i = 0; i < p->function_count; i++)
        if (g->seen[i])
            fzi_plan_find_loose(g, i);
    for (uint32_t i = 0; i < p->choice_count; i++)
        g->tried[i] = g->seen[p->choices[i].function] ? fzi_tries_sites(g, i) : 0;
    add_phases(g);
    uint8_t *runs = zeros(fzi_program_allocator(p), p->code_length + 1u, 1);
    if (!runs)
        return false;
    g->still = fzi_plan_still(g, runs);
    fzi_release(fzi_program_allocator(p), runs);
    g->whole = is_whole(g);
    fzi_plan_cost(g);
    fzi_kept_plan(g);
    return true;
}

void fzi_playout_plan_free(fzi_playout_plan *g)
{
    if (g->p)
        FZI_RELEASE(fzi_program_allocator(g->p), g->seen, g->callers, g->size, g->decisions,
                    g->depth, g->order, g->runs, g->writes, g->loose, g->lists, g->tried,
                    g->live);
}

bool fzi_native_playout_c(fzi_playout_plan *g, fzi_buffer *out)
{
    g->out = out;
    return write_all(g);
}
