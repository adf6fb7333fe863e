/* C that plays whole games of a program: its functions become functions of C with arguments,
 * registers are locals, and nothing is suspended. generate_c.c puts it beside the code that can
 * stop at every decision; vm/vm_playout.inc.h has what all games share. */
#include <stdio.h>
#include <string.h>

#include "interp/vm/machine.h"
#include "native.h"
#include "operands.h"
#include "playout_plan.h"
#include "texts.h"

enum {
    SMALL = 60, /* instructions: always inlined */
    TURN = 400  /* of a phase with all it calls: one copy for each player */
};

/* What stands before the text of one player. */
static void for_player(fzi_playout_plan *g, uint32_t at, unsigned player)
{
    if (fzi_plan_texts(g, at) > 1)
        fzi_buffer_format(g->out, "if (i0 == %u) ", player);
}

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

static void heading(fzi_playout_plan *g, uint32_t function)
{
    const fz_program *p = g->p;
    const fz_function *f = &p->functions[function];
    bool copied = is_copied(g, (int32_t)function);
    bool small = (f->end - f->start <= SMALL || g->callers[function] == 1) &&
                 !fzi_plan_phase(p, function);
    fzi_buffer_format(g->out, "static %splayout_flow f%u", copied || small ? "FZ_ALWAYS " : "",
                      function);
    parameters(g, f);
}

static void locals(fzi_playout_plan *g, const fz_function *f)
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

/* A set for each step of a shape: the sites moved from. */
static void step_locals(fzi_playout_plan *g, uint32_t at)
{
    fzi_buffer_text(g->out, "fzi_set ");
    for (unsigned i = 0; i < FZ_SHAPE_STEPS; i++)
        fzi_buffer_format(g->out, "%sx%u_%u = set_none()", i ? ", " : "", at, i);
    fzi_buffer_text(g->out, ";\n");
}

/* The locals of instructions that list moves without a list, by their place. */
static void loose_locals(fzi_playout_plan *g, const fz_function *f)
{
    FZI_FOR_INSTRUCTIONS(at, g->p, f) {
        uint32_t choice = fzi_plan_lists_for(g, at);
        if (choice == UINT32_MAX || fzi_plan_needs_list(g, choice))
            continue;
        unsigned op = FZ_CODE_OP(g->p->code[at]);
        const fz_option_info *o = &g->p->options[g->p->code[at + 1]];
        if (fzi_plan_shifts(op) && fzi_plan_known_steps(g, at))
            step_locals(g, at);
        if (op == FZ_OP_ALSO_SHIFTS)
            continue;
        fzi_buffer_format(g->out, "uint32_t n%u = 0;\n", at);
        for (unsigned i = 0; i < o->bindings; i++)
            fzi_buffer_format(g->out, "int64_t b%u_%u = 0;\n", at, i);
        if (op == FZ_OP_EMIT_SET)
            fzi_buffer_format(g->out, "fzi_set e%u = set_none();\n", at);
        if (op == FZ_OP_EMIT_MASK)
            fzi_buffer_format(g->out, "uint64_t e%u = 0;\n", at);
        if (op == FZ_OP_EMIT_SHIFTS)
            fzi_buffer_format(g->out, "uint64_t e%u[%u * (1 + FZ_W)];\nunsigned steps%u = 0;\n", at,
                              fzi_plan_known_moves(g, f, at) ? FZ_MAX_STEPS : FZ_SHAPE_STEPS, at);
    }
}

/* ---- the texts of single instructions ---- */

static void return_text(fzi_playout_plan *g, unsigned op)
{
    fzi_buffer_text(g->out, op == FZ_OP_IRETURN ? "PLAYOUT_RETURN(*number = IR(A));\n"
                            : op == FZ_OP_SRETURN ? "PLAYOUT_RETURN(*set = SR(A));\n"
                                                  : "PLAYOUT_RETURN((void)0);\n");
}

static void arguments(fzi_playout_plan *g, const fz_code *code, const char *number, const char *set)
{
    const fz_function *to = &g->p->functions[code[1]];
    fzi_buffer_format(g->out, "PLAYOUT_CALL(f%u(d", code[1]);
    for (unsigned i = 0; i < to->int_params; i++)
        fzi_buffer_format(g->out, ", i%u", FZ_CODE_A(*code) + i);
    for (unsigned i = 0; i < to->set_params; i++)
        fzi_buffer_format(g->out, ", s%u", FZ_CODE_B(*code) + i);
    fzi_buffer_format(g->out, ", %s, %s));\n", number, set);
}

static void call_text(fzi_playout_plan *g, const fz_code *code)
{
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

static void reset_loose(fzi_playout_plan *g, uint32_t at)
{
    unsigned op = FZ_CODE_OP(g->p->code[at]);
    if (op != FZ_OP_ALSO_SHIFTS)
        fzi_buffer_format(g->out, "n%u = 0;\n", at);
    if (fzi_plan_shifts(op) && fzi_plan_known_steps(g, at))
        for (unsigned i = 0; i < FZ_SHAPE_STEPS; i++)
            fzi_buffer_format(g->out, "x%u_%u = set_none();\n", at, i);
}

static void choose_text(fzi_playout_plan *g, uint32_t at)
{
    uint32_t choice = g->p->code[at + 1];
    const fz_function *f = &g->p->functions[g->now];
    fzi_buffer_text(g->out, "PLAYER_CHECK(IR(A));\nif ((m->budget -= 8) < 0) goto exhausted;\n"
                    "H->decider = (int8_t)IR(A);\n");
    if (fzi_plan_needs_list(g, choice)) {
        fzi_buffer_text(g->out, "if (!LIST && !SET_LIST(fzi_move_list_push(m))) goto failed;\n"
                        "fzi_move_list_clear(LIST, X(1));\n");
    } else {
        FZI_FOR_INSTRUCTIONS(emit, g->p, f)
            if (fzi_plan_lists_for(g, emit) == choice)
                reset_loose(g, emit);
    }
    fzi_buffer_text(g->out, "NEXT(CHOOSE);\n");
}

/* Keeps the bindings that the instruction does not supply itself. */
static void keep_bindings(fzi_playout_plan *g, uint32_t at, unsigned own)
{
    const fz_option_info *o = &g->p->options[g->p->code[at + 1]];
    for (unsigned i = 0; i + own < o->bindings; i++)
        fzi_buffer_format(g->out, "b%u_%u = i%u; ", at, i, o->first + i);
}

static unsigned own_bindings(unsigned op)
{
    return op == FZ_OP_EMIT ? 0 : op == FZ_OP_EMIT_SHIFTS ? 2 : 1;
}

static void known_steps_text(fzi_playout_plan *g, uint32_t at)
{
    const int32_t *deltas;
    uint32_t first;
    for (unsigned q = 0; q < fzi_plan_texts(g, at); q++) {
        unsigned count = fzi_plan_steps(g, at, q, &deltas, &first);
        for_player(g, at, q);
        fzi_buffer_text(g->out, "{ ");
        for (unsigned i = 0; i < count; i++)
            fzi_buffer_format(g->out, "x%u_%u = set_stepped_back(SR(B), %d, set_and(SR(A), "
                              "set_at(set_pool + %u)));\n", at, i, deltas[i],
                              first + i * g->p->board.words);
        fzi_buffer_text(g->out, "}\n");
    }
    fzi_buffer_text(g->out, "goto LABEL(FOLLOWING);\n");
}

/* For the moves that begin with this instruction, for a player: the next larger thing that a step
 * adds after `last`, and the sets of sites moved from. False: there is none. */
static bool next_step(fzi_playout_plan *g, const fz_function *f, uint32_t place, unsigned player,
                      int64_t last, int64_t *delta)
{
    const int32_t *deltas;
    uint32_t first;
    *delta = INT64_MAX;
    for (uint32_t at = place; at < f->end; at = fzi_plan_also(g, f, at)) {
        unsigned count = fzi_plan_steps(g, at, player, &deltas, &first);
        for (unsigned i = 0; i < count; i++)
            if (deltas[i] > last && deltas[i] < *delta)
                *delta = deltas[i];
    }
    return *delta != INT64_MAX;
}

/* Joins the steps of all instructions that add to the same moves. */
static void join_steps(fzi_playout_plan *g, const fz_function *f, uint32_t place)
{
    const int32_t *deltas;
    uint32_t first;
    unsigned w = g->p->board.words;
    for (unsigned q = 0; q < fzi_plan_texts(g, place); q++) {
        unsigned steps = 0;
        for_player(g, place, q);
        fzi_buffer_text(g->out, "{\n");
        for (int64_t delta, last = INT64_MIN; next_step(g, f, place, q, last, &delta);
             last = delta) {
            fzi_buffer_text(g->out, "{ fzi_set all = set_none();\n");
            for (uint32_t at = place; at < f->end; at = fzi_plan_also(g, f, at)) {
                unsigned count = fzi_plan_steps(g, at, q, &deltas, &first);
                for (unsigned i = 0; i < count; i++)
                    if (deltas[i] == delta)
                        fzi_buffer_format(g->out, "all = set_or(all, x%u_%u);\n", at, i);
            }
            fzi_buffer_format(g->out,
                              "e%u[%u] = (uint64_t)INT64_C(%lld); set_write(e%u + %u, all); "
                              "n%u += set_count(all); }\n",
                              place, steps * (1 + w), (long long)delta, place, steps * (1 + w) + 1,
                              place);
            steps++;
        }
        fzi_buffer_format(g->out, "steps%u = %u; }\n", place, steps);
    }
}

static void loose_text(fzi_playout_plan *g, uint32_t at)
{
    unsigned op = FZ_CODE_OP(g->p->code[at]);
    if (op != FZ_OP_ALSO_SHIFTS)
        keep_bindings(g, at, own_bindings(op));
    if (fzi_plan_shifts(op) && fzi_plan_known_steps(g, at)) {
        known_steps_text(g, at);
        return;
    }
    if (op == FZ_OP_EMIT)
        fzi_buffer_format(g->out, "n%u = 1;\n", at);
    if (op == FZ_OP_EMIT_SET)
        fzi_buffer_format(g->out, "e%u = SR(A); n%u = set_count(e%u);\n", at, at, at);
    if (op == FZ_OP_EMIT_MASK)
        fzi_buffer_format(g->out, "e%u = (uint64_t)IR(A); n%u = (uint32_t)__builtin_popcountll("
                          "e%u);\n", at, at, at);
    if (op == FZ_OP_EMIT_SHIFTS)
        fzi_buffer_format(
            g->out, "{ const fzi_set_rows *t = &FIXED->set_rows[X(3)];\n"
            "uint64_t c = (uint64_t)IR(C);\n"
            "if (set_some(SR(A)) && IR(C) != -1) {\n"
            "if (c >= t->count || c * FZ_SHAPE_STEPS >= t->count) goto no_index;\n"
            "n%u = playout_shifts(e%u, &steps%u, SR(A), SR(B), FIXED->int_rows[X(2)].at + "
            "c * FZ_SHAPE_STEPS, t->at + c * FZ_SHAPE_STEPS * FZ_W);\n} }\n", at, at, at);
    fzi_buffer_format(g->out, "goto LABEL(FOLLOWING);\n");
}

/* Goes to the effect of the move with that index among those of one instruction. */
static void take_loose(fzi_playout_plan *g, uint32_t at)
{
    unsigned op = FZ_CODE_OP(g->p->code[at]), own = own_bindings(op);
    const fz_option_info *o = &g->p->options[g->p->code[at + 1]];
    unsigned last = o->first + o->bindings - 1u;
    for (unsigned i = 0; i + own < o->bindings; i++)
        fzi_buffer_format(g->out, "i%u = b%u_%u; ", o->first + i, at, i);
    if (op == FZ_OP_EMIT_SET)
        fzi_buffer_format(g->out, "i%u = fzi_words_select(e%u.w, index, FZ_W); ", last, at);
    if (op == FZ_OP_EMIT_MASK)
        fzi_buffer_format(g->out, "i%u = fzi_bit_select(e%u, index); ", last, at);
    if (op == FZ_OP_EMIT_SHIFTS)
        fzi_buffer_format(g->out,
                          "{ int32_t from, to; fzi_shifts_select(e%u, steps%u, n%u, index, "
                          "FZ_W, &from, &to); i%u = from; i%u = to; } ",
                          at, at, at, last - 1, last);
    fzi_buffer_format(g->out, "goto L%u; }\n", o->effect);
}

static void decide_loose(fzi_playout_plan *g, uint32_t choice)
{
    const fz_function *f = &g->p->functions[g->now];
    FZI_FOR_INSTRUCTIONS(at, g->p, f)
    if (fzi_plan_lists_for(g, at) == choice && FZ_CODE_OP(g->p->code[at]) == FZ_OP_EMIT_SHIFTS &&
        fzi_plan_known_steps(g, at))
        join_steps(g, f, at);
    fzi_buffer_text(g->out, "uint32_t total = 0");
    FZI_FOR_INSTRUCTIONS(at, g->p, f)
        if (fzi_plan_lists_for(g, at) == choice && FZ_CODE_OP(g->p->code[at]) != FZ_OP_ALSO_SHIFTS)
            fzi_buffer_format(g->out, " + n%u", at);
    fzi_buffer_text(g->out, ";\nif (!total) { H->no_legal_move = 1; AHEAD(X(2)); }\n"
                    "d->branched += total;\n"
                    "uint32_t index = fzi_chance_below(H->key, &H->counter, total);\nDECIDED();\n");
    FZI_FOR_INSTRUCTIONS(at, g->p, f) {
        if (fzi_plan_lists_for(g, at) != choice || FZ_CODE_OP(g->p->code[at]) == FZ_OP_ALSO_SHIFTS)
            continue;
        fzi_buffer_format(g->out, "if (index < n%u) { ", at);
        take_loose(g, at);
        fzi_buffer_format(g->out, "index -= n%u;\n", at);
    }
    fzi_buffer_text(g->out, "__builtin_unreachable();\n");
}

/* What a rejected move may have changed, and the next draw needs. */
static void keep_registers(fzi_playout_plan *g, const fz_function *f, uint32_t at, bool restore)
{
    for (unsigned r = 0; r < f->ints; r++)
        if (fzi_live_int(&g->live[at], r))
            fzi_buffer_format(g->out, restore ? "i%1$u = ki%2$u_%1$u; "
                                              : "ki%2$u_%1$u = i%1$u; ", r, at);
    for (unsigned r = 0; r < f->sets; r++)
        if (fzi_live_set(&g->live[at], r))
            fzi_buffer_format(g->out, restore ? "s%1$u = ks%2$u_%1$u; "
                                              : "ks%2$u_%1$u = s%1$u; ", r, at);
}

static void trial_locals(fzi_playout_plan *g, const fz_function *f)
{
    bool any = false;
    FZI_FOR_INSTRUCTIONS(at, g->p, f) {
        if (FZ_CODE_OP(g->p->code[at]) != FZ_OP_DECIDE ||
            !fzi_plan_filtered(g->p, g->p->code[at + 1]))
            continue;
        any = true;
        for (unsigned r = 0; r < f->ints; r++)
            if (fzi_live_int(&g->live[at], r))
                fzi_buffer_format(g->out, "int64_t ki%u_%u = 0;\n", at, r);
        for (unsigned r = 0; r < f->sets; r++)
            if (fzi_live_set(&g->live[at], r))
                fzi_buffer_format(g->out, "fzi_set ks%u_%u = set_none();\n", at, r);
    }
    if (any)
        fzi_buffer_text(g->out, "_Alignas(32) uint8_t before[PLAYOUT_BYTES];\n"
                        "unsigned pending = 0;\nuint32_t behind = 0, segment = 0;\n"
                        "uint64_t drawn_at = 0;\n");
}

static void decide_listed(fzi_playout_plan *g, uint32_t at)
{
    const fz_function *f = &g->p->functions[g->now];
    uint32_t choice = g->p->code[at + 1];
    fzi_define_take(g->out, g->p, &g->p->choices[choice]);
    fzi_buffer_text(g->out, "if (__builtin_expect(!LIST || LIST->choice != X(1), 0)) "
                    "FAULT(\"a choice without a list\");\n");
    if (!fzi_plan_filtered(g->p, choice)) {
        fzi_buffer_text(g->out, "if (!LIST->total) { H->no_legal_move = 1; AHEAD(X(2)); }\n"
                        "d->branched += LIST->total;\n"
                        "PICK(fzi_chance_below(H->key, &H->counter, LIST->total), &move);\n"
                        "DECIDED();\nTAKE(option, &move);\n");
        return;
    }
    fzi_buffer_text(g->out, "drawn_at = H->counter;\n");
    keep_registers(g, f, at, false);
    fzi_buffer_format(g->out,
                      "again%u:\nif (!LIST->total) { H->counter = drawn_at; H->no_legal_move = 1; "
                      "AHEAD(X(2)); }\n"
                      "segment = PICK(fzi_chance_below(H->key, &H->counter, LIST->total), &move);\n"
                      "if (!PROG->options[move.option].filters) { DECIDED(); } else {\n"
                      "if (H->plies - H->begun >= m->limits.decisions) "
                      "FAULT(\"too many decisions in one turn\");\n"
                      "if ((m->budget -= 16) < 0) goto exhausted;\n"
                      "memcpy(before, block, PLAYOUT_BYTES); }\nTAKE(option, &move);\n",
                      at);
}

static void decide_text(fzi_playout_plan *g, uint32_t at)
{
    fzi_buffer_text(g->out, "{\n");
    if (g->loops)
        fzi_buffer_text(g->out, "if (!d->left) return FLOW_WAIT;\n");
    if (fzi_plan_needs_list(g, g->p->code[at + 1]))
        decide_listed(g, at);
    else
        decide_loose(g, g->p->code[at + 1]);
    fzi_buffer_text(g->out, "}\n");
}

/* A rejected move: the position before it, and the next draw without it. */
static void refuse_text(fzi_playout_plan *g, uint32_t decide)
{
    const fz_function *f = &g->p->functions[g->now];
    fzi_buffer_text(g->out,
                    "{ uint64_t counter = H->counter; memcpy(block, before, PLAYOUT_BYTES); "
                    "H->counter = counter;\n"
                    "fzi_cursor cursor = fzi_move_list_cursor(LIST, segment, &move); "
                    "fzi_move_list_drop(LIST, &cursor);\npending = 0;\n");
    keep_registers(g, f, decide, true);
    fzi_buffer_format(g->out, "goto again%u; }\n", decide);
}

/* The choice whose filters end here. */
static uint32_t judged_choice(const fzi_playout_plan *g, uint32_t at)
{
    for (uint32_t i = 0; i < g->p->filter_count; i++)
        if (g->p->choices[g->p->filters[i].choice].function == g->now &&
            fzi_filter_verdict(g->p, i) == at)
            return g->p->filters[i].choice;
    return UINT32_MAX;
}

static void verdict_text(fzi_playout_plan *g, uint32_t at)
{
    const fz_function *f = &g->p->functions[g->now];
    uint32_t choice = judged_choice(g, at);
    if (choice == UINT32_MAX) { /* of no filter: nothing leads here */
        fzi_buffer_text(g->out, "__builtin_unreachable();\n");
        return;
    }
    fzi_buffer_text(g->out, "if (!IR(A)) ");
    refuse_text(g, fzi_plan_decide(g, choice));
    fzi_buffer_text(g->out, "if (!--pending) { DECIDED(); }\nswitch (behind) { ");
    for (uint32_t i = f->start, next; i < f->end; i = next) {
        next = i + fzi_opcode_length(FZ_CODE_OP(g->p->code[i]));
        if (FZ_CODE_OP(g->p->code[i]) == FZ_OP_FILTER_BEGIN)
            fzi_buffer_format(g->out, "case %u: goto L%u; ", i, next);
    }
    fzi_buffer_text(g->out, "default: __builtin_unreachable(); }\n");
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
        choose_text(g, at);
        return true;
    case FZ_OP_DECIDE:
        decide_text(g, at);
        return true;
    case FZ_OP_STOP:
        fzi_buffer_text(g->out, "d->at = PC; return FLOW_STOP;\n");
        return true;
    case FZ_OP_PEND:
        fzi_buffer_text(g->out, "pending++; NEXT(PEND);\n");
        return true;
    case FZ_OP_FILTER_BEGIN:
        fzi_buffer_format(g->out, "if (pending) { behind = PC; goto L%u; } NEXT(FILTER_BEGIN);\n",
                          g->p->filters[code[1]].code);
        return true;
    case FZ_OP_FILTER_END:
        verdict_text(g, at);
        return true;
    default:
        if (fzi_plan_lists_for(g, at) == UINT32_MAX ||
            fzi_plan_needs_list(g, fzi_plan_lists_for(g, at)))
            return false;
        loose_text(g, at);
        return true;
    }
}

static void instruction(fzi_playout_plan *g, uint32_t at)
{
    unsigned op = FZ_CODE_OP(g->p->code[at]);
    fzi_buffer_format(g->out, "L%u: __attribute__((unused));\n", at);
    if (fzi_opcode_is(op, FZ_FLAG_TEXT)) { /* labels run elsewhere */
        fzi_buffer_text(g->out, "return FLOW_FAIL;\n");
        return;
    }
    fzi_define_operands(g->out, g->p, at, at + fzi_opcode_length(op));
    fzi_buffer_format(g->out, "at = %u;\n", at);
    if (!special(g, at))
        fzi_buffer_text(g->out, fzi_native_instructions[op]);
}

static void function(fzi_playout_plan *g, uint32_t number)
{
    const fz_function *f = &g->p->functions[number];
    g->now = number;
    heading(g, number);
    fzi_buffer_text(g->out, "\n{\nPLAYOUT_FUNCTION\n(void)number; (void)set;\n");
    locals(g, f);
    loose_locals(g, f);
    trial_locals(g, f);
    FZI_FOR_INSTRUCTIONS(at, g->p, f)
        instruction(g, at);
    fzi_buffer_text(g->out, "return FLOW_ON;\nPLAYOUT_FAULTS\n}\n");
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
    fzi_buffer_format(g->out, "static FZ_ALWAYS playout_flow playout_%s(playout *d)\n{\n", name);
    if (function < 0) {
        fzi_buffer_text(g->out, "(void)d;\nreturn FLOW_ON;\n}\n");
        return;
    }
    fzi_buffer_text(g->out, "fzi_head *H = (fzi_head *)(void *)d->block;\n(void)H;\n");
    if (is_copied(g, function)) {
        fzi_buffer_text(g->out, "switch (H->mover) {\n");
        for (unsigned q = 0; q < g->p->player_count; q++) {
            snprintf(mover, sizeof mover, "%u", q);
            fzi_buffer_format(g->out, "case %u: H->mover = %u; return ", q, q);
            phase_call(g, function, mover);
            fzi_buffer_text(g->out, ";\n");
        }
        fzi_buffer_text(g->out, "default: __builtin_unreachable();\n}\n}\n");
        return;
    }
    fzi_buffer_text(g->out, "return ");
    phase_call(g, function, "H->mover");
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

static void constants(fzi_playout_plan *g)
{
    const fz_program *p = g->p;
    uint32_t depth = 0, decisions = 0;
    const int32_t entry[] = {p->setup, p->turn, p->end, p->limit};
    for (unsigned i = 0; i < sizeof entry / sizeof *entry; i++)
        if (entry[i] >= 0) {
            depth = g->depth[entry[i]] > depth ? g->depth[entry[i]] : depth;
            decisions += g->decisions[entry[i]];
        }
    g->loops = decisions >= FZ_MOST_DECISIONS;
    fzi_define_number(g->out, "PLAYOUT_STACK", p->layout.stack);
    fzi_define_number(g->out, "PLAYOUT_COPIES", g->copies);
    fzi_define_number(g->out, "PLAYOUT_NOTES", fz_program_history_bytes(p) > 0);
    fzi_define_number(g->out, "PLAYOUT_LOOPS", g->loops);
    fzi_define_number(g->out, "PLAYOUT_DECISIONS", g->loops ? FZ_MOST_DECISIONS : decisions);
    fzi_define_number(g->out, "PLAYOUT_FRAMES", depth + 1);
    fzi_define_number(g->out, "PLAYOUT_MOVES", g->moves);
    fzi_define_number(g->out, "PLAYOUT_TRIES", g->tries);
    fzi_buffer_text(g->out, "#define FZ_ALWAYS inline __attribute__((always_inline))\n");
}

static void count_moves(fzi_playout_plan *g)
{
    for (uint32_t i = 0; i < g->p->choice_count; i++) {
        uint32_t most = 0;
        if (!g->seen[g->p->choices[i].function] || fzi_plan_needs_list(g, i))
            continue;
        FZI_FOR_INSTRUCTIONS(at, g->p, &g->p->functions[g->p->choices[i].function])
            if (fzi_plan_lists_for(g, at) == i)
                most += fzi_plan_most_moves(g, at);
        g->moves = most > g->moves ? most : g->moves;
    }
}

static void write_all(fzi_playout_plan *g)
{
    const fz_program *p = g->p;
    count_moves(g);
    for (uint32_t i = 0; i < p->function_count; i++)
        if (g->seen[i]) {
            fzi_live_find(p, i, g->live);
            fzi_live_keep(p, i, g->live);
        }
    constants(g);
    fzi_buffer_text(g->out, fzi_native_playout);
    for (uint32_t i = 0; i < p->function_count; i++)
        if (g->seen[i]) {
            heading(g, i);
            fzi_buffer_text(g->out, ";\n");
        }
    for (uint32_t i = 0; i < p->function_count; i++)
        if (g->seen[i])
            function(g, i);
    phases(g);
}

static bool allocate(fzi_playout_plan *g, fzi_allocator a)
{
    size_t functions = g->p->function_count + 1u, length = g->p->code_length + 1u;
    g->seen = fzi_allocate(a, functions);
    g->callers = fzi_allocate(a, functions * sizeof *g->callers);
    g->size = fzi_allocate(a, functions * sizeof *g->size);
    g->decisions = fzi_allocate(a, functions * sizeof *g->decisions);
    g->depth = fzi_allocate(a, functions * sizeof *g->depth);
    g->live = fzi_allocate(a, length * sizeof *g->live);
    if (!g->seen || !g->callers || !g->size || !g->decisions || !g->depth || !g->live)
        return false;
    memset(g->seen, 0, functions);
    memset(g->callers, 0, functions * sizeof *g->callers);
    memset(g->size, 0, functions * sizeof *g->size);
    memset(g->decisions, 0, functions * sizeof *g->decisions);
    memset(g->depth, 0, functions * sizeof *g->depth);
    memset(g->live, 0, length * sizeof *g->live);
    return true;
}

bool fzi_native_playout_c(const fz_machine *machine, fzi_buffer *out, bool *fits)
{
    const fz_program *p = machine->program;
    fzi_playout_plan g = {.p = p, .out = out, .fits = p->turn >= 0,
                   .copies = !machine->carries && !fz_program_history_bytes(p)};
    fzi_allocator a = fzi_program_allocator(p);
    bool good = allocate(&g, a);
    if (good) {
        fzi_plan_visit(&g, p->setup);
        fzi_plan_visit(&g, p->turn);
        fzi_plan_visit(&g, p->end);
        fzi_plan_visit(&g, p->limit);
        *fits = g.fits && fzi_on(p, FZ_OPT_PLAYOUTS);
        if (*fits)
            write_all(&g);
    }
    fzi_release(a, g.seen);
    fzi_release(a, g.callers);
    fzi_release(a, g.size);
    fzi_release(a, g.decisions);
    fzi_release(a, g.depth);
    fzi_release(a, g.live);
    return good && !out->failed;
}
