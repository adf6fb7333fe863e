/* C that counts sequences of turns (perft): the function of the turn once more, which plays all
 * moves of its decision instead of a drawn one. Everything else is the C of whole games;
 * vm/vm_count.inc.h has what surrounds a turn. */
#include "generate_count.h"

#include <stdio.h>
#include <string.h>

#include "generate_playout.h"
#include "operands.h"
#include "texts.h"

/* ---- which programs ---- */

/* The choice of the turn's one decision; UINT32_MAX: it has none, or several. */
static uint32_t turn_choice(const fzi_playout_plan *g)
{
    const fz_program *p = g->p;
    uint32_t choice = UINT32_MAX;
    if (g->decisions[p->turn] != 1 || (p->end >= 0 && g->decisions[p->end]))
        return UINT32_MAX;
    for (uint32_t i = 0; i < p->choice_count; i++)
        if (p->choices[i].function == (uint32_t)p->turn && !fzi_plan_can(p, i))
            choice = i;
    return choice;
}

static bool has_flag(const fzi_playout_plan *g, unsigned flags, bool setup)
{
    for (uint32_t i = 0; i < g->p->function_count; i++)
        if (g->seen[i] && (setup || (int32_t)i != g->p->setup))
            FZI_FOR_INSTRUCTIONS(at, g->p, &g->p->functions[i])
                if (fzi_opcode_is(FZ_CODE_OP(g->p->code[at]), flags))
                    return true;
    return false;
}

/* Does a turn ask which positions there have been? Else nobody asks in the last turn. `done`: the
 * functions that were looked at. */
static bool asks(const fzi_playout_plan *g, uint32_t function, uint8_t *done)
{
    if (done[function])
        return false;
    done[function] = 1;
    if (fzi_plan_circle(g, function))
        return true;
    FZI_FOR_INSTRUCTIONS(at, g->p, &g->p->functions[function]) {
        unsigned op = FZ_CODE_OP(g->p->code[at]);
        if (fzi_plan_repeats(op) ||
            (fzi_opcode_is(op, FZ_FLAG_CALLS) && asks(g, g->p->code[at + 1], done)))
            return true;
    }
    return false;
}

static bool has_tailcall(const fzi_playout_plan *g)
{
    FZI_FOR_INSTRUCTIONS(at, g->p, &g->p->functions[g->p->turn])
        if (FZ_CODE_OP(g->p->code[at]) == FZ_OP_TAILCALL)
            return true;
    return false;
}

static bool fits(const fzi_playout_plan *g, uint32_t choice)
{
    const fz_program *p = g->p;
    if (g->whole || g->counts || g->windows != UINT32_MAX) /* kept beside the block */
        return false;
    if (choice == UINT32_MAX || has_flag(g, FZ_FLAG_CHANCE, false) || has_tailcall(g) ||
        fzi_plan_circle(g, (uint32_t)p->turn) || !fzi_on(p, FZ_OPT_LAST))
        return false;
    const fz_choice *c = &p->choices[choice];
    for (uint32_t i = c->first_option; i < c->first_option + c->options; i++)
        if (!p->options[i].last)
            return false;
    return true;
}

/* ---- moves that need no try ---- */

/* What moves must not touch is found once for all options with the same filters. */
static bool same_filters(const fz_program *p, const fz_option_info *a, const fz_option_info *b)
{
    return a->filters == b->filters &&
           !memcmp(p->filter_lists + a->first_filter, p->filter_lists + b->first_filter,
                   a->filters * sizeof *p->filter_lists);
}

/* The option for which it is found; UINT32_MAX: every move of the option is tried. */
static uint32_t find_for(const fzi_playout_plan *g, uint32_t option)
{
    const fz_program *p = g->p;
    const fz_option_info *o = &p->options[option];
    if (!o->quiet.is || !o->filters || o->quiet.apart != (1u << o->filters) - 1 ||
        !fzi_on(p, FZ_OPT_FOOTPRINTS))
        return UINT32_MAX;
    for (unsigned f = 0; f < o->filters; f++)
        if (!g->footprint[p->filter_lists[o->first_filter + f]])
            return UINT32_MAX;
    for (uint32_t i = p->choices[o->choice].first_option;; i++)
        if (same_filters(p, &p->options[i], o))
            return i;
}

/* Is this the first option of the choice for which something is found? */
static bool is_first(const fzi_playout_plan *g, const fz_choice *c, uint32_t option)
{
    for (uint32_t i = c->first_option; i < c->first_option + c->options; i++)
        if (g->found[i] == option)
            return true;
    return false;
}

static bool has_filter(const fz_program *p, const fz_option_info *o, uint32_t filter)
{
    for (unsigned f = 0; f < o->filters; f++)
        if (p->filter_lists[o->first_filter + f] == filter)
            return true;
    return false;
}

static bool finds(const fzi_playout_plan *g, const fz_choice *c, uint32_t filter)
{
    for (uint32_t i = c->first_option; i < c->first_option + c->options; i++)
        if (has_filter(g->p, &g->p->options[i], filter) && g->found[i] != UINT32_MAX)
            return true;
    return false;
}

/* Where the choice begins. */
static void find_text(fzi_playout_plan *g, const fz_choice *c)
{
    const fz_program *p = g->p;
    char name[24], verdict[24];
    fzi_buffer_text(g->out, "if (c->left == 1 && (uint64_t)IR(A) < FIXED->player_count) {\n");
    for (uint32_t f = 0; f < p->filter_count; f++) {
        if (!finds(g, c, f) || fzi_footprint_asks(g, f))
            continue;
        fzi_buffer_format(g->out, "fzi_found found%1$u = {.m = k, .block = block, .player = IR(A)};"
                          "\nint64_t fine%1$u = 0;\nbool known%1$u = ", f);
        snprintf(name, sizeof name, "&found%u", f);
        snprintf(verdict, sizeof verdict, "&fine%u", f);
        fzi_footprint_call(g, f, name, verdict);
        fzi_buffer_text(g->out, ";\n");
    }
    for (uint32_t i = c->first_option; i < c->first_option + c->options; i++) {
        if (!is_first(g, c, i))
            continue;
        fzi_buffer_format(g->out, "u%u = count_nothing(k, block, IR(A));\n", i);
        for (unsigned f = 0; f < p->options[i].filters; f++)
            if (!fzi_footprint_asks(g, p->filter_lists[p->options[i].first_filter + f]))
                fzi_buffer_format(g->out, "count_filter(&u%1$u, known%2$u, fine%2$u, "
                                  "&found%2$u);\n", i,
                                  p->filter_lists[p->options[i].first_filter + f]);
    }
    fzi_buffer_text(g->out, "}\n");
}

/* The kind of the piece that an instruction's moves bring. */
static void piece_text(fzi_playout_plan *g, const fz_option_info *o, unsigned inner,
                       const char *movers)
{
    const fz_quiet *q = &o->quiet;
    int outer = o->bindings - (int)inner;
    if (q->piece >= 0)
        fzi_buffer_format(g->out, "%d", q->piece);
    else if (q->piece == FZ_PIECE_BOUND && q->kind < outer)
        fzi_buffer_format(g->out, "i%u", o->first + (unsigned)q->kind);
    else if (q->piece == FZ_PIECE_SAME && q->from >= 0 && q->from < outer)
        fzi_buffer_format(g->out, "(uint64_t)i%1$u < FIXED->site_count ? count_piece(k, block, "
                          "set_one((uint64_t)i%1$u)) : -1", o->first + (unsigned)q->from);
    else if (q->piece == FZ_PIECE_SAME && q->from >= 0)
        fzi_buffer_format(g->out, "count_piece(k, block, %s)", movers);
    else
        fzi_buffer_text(g->out, "-1");
}

/* Begins a block of C in which `u` is what the moves of an instruction must not touch. A filter
 * that rejects them says it alone, and before the last turn too. `inner`: bindings that the
 * instruction supplies. `movers`: the sites that they begin on, if they do. */
static void untouched_text(fzi_playout_plan *g, const fz_option_info *o, uint32_t found,
                           unsigned inner, const char *movers)
{
    const fz_program *p = g->p;
    if (!o->quiet.last) {
        fzi_buffer_format(g->out, "{ const untouched *const u = &u%u;\n", found);
        return;
    }
    fzi_buffer_format(g->out, "{ untouched these = u%u, *const u = &these;\nbool alone = false;\n"
                      "const fzi_moved moved = {true, %d, (int32_t)(", found, o->quiet.from >= 0);
    piece_text(g, o, inner, movers);
    fzi_buffer_text(g->out, ")};\n");
    for (unsigned i = 0; i < o->filters; i++) {
        uint32_t f = p->filter_lists[o->first_filter + i];
        if (!fzi_footprint_asks(g, f))
            continue;
        fzi_buffer_format(g->out, "if (!alone && (u->known || %d)) { fzi_found found = "
                          "{.m = k, .block = block, .player = H->decider, .moved = moved};\n"
                          "int64_t fine = 0;\nbool known = ", fzi_footprint_tiny(g, f));
        fzi_footprint_call(g, f, "&found", "&fine");
        fzi_buffer_text(g->out, ";\nif ((alone = known && !fine)) these = count_nothing(k, block, "
                        "H->decider);\ncount_filter(u, known, fine, &found); }\n");
    }
}

/* Is what has been found of use to this option? */
static void condition_text(fzi_playout_plan *g, const fz_option_info *o, unsigned inner)
{
    const fz_quiet *q = &o->quiet;
    fzi_buffer_format(g->out, "u->known && !(u->loads & UINT64_C(%1$llu)) && "
                      "!(u->kinds & UINT64_C(%2$llu))", (unsigned long long)q->stores,
                      (unsigned long long)q->kinds);
    if (q->mine)
        fzi_buffer_text(g->out, " && i0 == H->decider");
    if (q->kind >= 0 && q->kind < (int)(o->bindings - inner))
        fzi_buffer_format(g->out, " && (uint64_t)i%1$u < 63 && !(u->kinds >> i%1$u & 1)",
                          o->first + (unsigned)q->kind);
}

/* Does an outer binding's site touch something? */
static void touches_text(fzi_playout_plan *g, const fz_option_info *o, int binding,
                         const char *set)
{
    if (binding < 0)
        fzi_buffer_text(g->out, "false");
    else
        fzi_buffer_format(g->out, "((uint64_t)i%1$u >= FIXED->site_count || "
                          "set_has(&u->%2$s, (uint64_t)i%1$u))", o->first + (unsigned)binding,
                          set);
}

static void count_set_text(fzi_playout_plan *g, const fz_option_info *o, uint32_t found)
{
    const fz_quiet *q = &o->quiet;
    int last = o->bindings - 1;
    bool arrives = q->to == last;
    if (q->kind == last || (!arrives && q->from != last))
        return;
    untouched_text(g, o, found, 1, "SR(A)");
    fzi_buffer_text(g->out, "if (");
    condition_text(g, o, 1);
    fzi_buffer_text(g->out, ") {\nfzi_set rest = count_set(u, &sure, SR(A), ");
    touches_text(g, o, arrives ? q->from : q->to, arrives ? "from" : "to");
    fzi_buffer_format(g->out, ", u->%s);\nLIST_DONE(EMIT_SET, op_emit_set(LIST, "
                      "&FIXED->options[X(1)], BOUND(), rest));\n}\n}\n", arrives ? "to" : "from");
}

static void count_mask_text(fzi_playout_plan *g, const fz_option_info *o, uint32_t found)
{
    const fz_quiet *q = &o->quiet;
    if (q->kind != o->bindings - 1)
        return;
    untouched_text(g, o, found, 1, "set_none()");
    fzi_buffer_text(g->out, "if (");
    condition_text(g, o, 1);
    fzi_buffer_text(g->out, " && !((uint64_t)IR(A) & (u->kinds | UINT64_C(1) << 63)) && !");
    touches_text(g, o, q->from, "from");
    fzi_buffer_text(g->out, " && !");
    touches_text(g, o, q->to, "to");
    fzi_buffer_text(g->out, ") {\nif (u->legal) sure += (uint64_t)__builtin_popcountll("
                    "(uint64_t)IR(A));\nNEXT(EMIT_MASK);\n}\n}\n");
}

static bool leads(const fz_option_info *o)
{
    return o->quiet.from == o->bindings - 2 && o->quiet.to == o->bindings - 1;
}

static void count_rows_text(fzi_playout_plan *g, const fz_option_info *o, uint32_t found,
                            unsigned op)
{
    if (!leads(o))
        return;
    untouched_text(g, o, found, 2, "SR(A)");
    fzi_buffer_text(g->out, "if (");
    condition_text(g, o, 2);
    fzi_buffer_text(g->out, ") {\n");
    if (op == FZ_OP_EMIT_ROWS)
        fzi_buffer_text(g->out, "const fzi_set_rows *t = &FIXED->set_rows[X(2)];\n"
                        "uint64_t row = (uint64_t)IR(C);\n"
                        "if (IR(C) == -1 || !set_some(SR(A))) NEXT(EMIT_ROWS);\n"
                        "if (row > t->count || row * X(3) + (uint64_t)set_last(SR(A)) >= t->count) "
                        "goto no_index;\n");
    fzi_buffer_format(g->out, "LIST_DONE(EMIT_ROWS, count_%s(u, &sure, LIST, "
                      "&FIXED->options[X(1)], BOUND(), SR(A), SR(B), %s));\n}\n}\n",
                      op == FZ_OP_EMIT_ROWS ? "rows" : "slides",
                      op == FZ_OP_EMIT_ROWS ? "t->at + row * X(3) * FZ_W"
                                            : "(uint64_t)IR(C) & FIXED->dir_mask, SR(BYTE2(0))");
}

/* Stands before the text of the loop, which lists all moves. */
static void count_text(fzi_playout_plan *g, uint32_t at)
{
    unsigned op = FZ_CODE_OP(g->p->code[at]);
    const fz_option_info *o = &g->p->options[g->p->code[at + 1]];
    uint32_t found = g->found[g->p->code[at + 1]];
    if (found == UINT32_MAX)
        return;
    if (op == FZ_OP_EMIT_SET)
        count_set_text(g, o, found);
    if (op == FZ_OP_EMIT_MASK)
        count_mask_text(g, o, found);
    if (fzi_plan_rows(op))
        count_rows_text(g, o, found, op);
}

static bool asks_last(const fz_program *p, const fz_choice *c)
{
    for (uint32_t i = c->first_option; i < c->first_option + c->options; i++)
        if (p->options[i].quiet.last)
            return true;
    return false;
}

/* Are the steps that begin with an instruction in locals, until all of them are known? */
static bool keeps_steps(const fzi_playout_plan *g, const fz_function *f, uint32_t at)
{
    const fz_code *code = g->p->code + at;
    return FZ_CODE_OP(*code) == FZ_OP_EMIT_SHIFTS && g->p->options[code[1]].bindings == 2 &&
           fzi_plan_known_moves(g, f, at);
}

/* Joins these, counts those that touch nothing, and lists the others. */
static void kept_steps_text(fzi_playout_plan *g, uint32_t choice, bool always)
{
    const fz_function *f = &g->p->functions[g->now];
    char movers[48];
    FZI_FOR_INSTRUCTIONS(at, g->p, f) {
        if (!fzi_plan_counts(g, at, choice))
            continue;
        uint32_t option = g->p->code[at + 1], found = g->found[option];
        const fz_option_info *o = &g->p->options[option];
        fzi_join_text(g, f, at);
        if (found != UINT32_MAX && leads(o) && o->quiet.kind < 0) {
            snprintf(movers, sizeof movers, "count_movers(e%u, steps%u)", at, at);
            fzi_buffer_format(g->out, "if (c->left == 1 || %d)\n", always);
            untouched_text(g, o, found, 2, movers);
            fzi_buffer_text(g->out, "if (");
            condition_text(g, o, 2);
            fzi_buffer_format(g->out, ") count_steps(u, &sure, e%u, steps%u);\n}\n", at, at);
        }
        fzi_buffer_format(g->out, "if (!count_list_steps(LIST, %u, e%u, steps%u)) "
                          "goto list_full;\n", option, at, at);
    }
}

/* Are steps of the option listed at once? */
static bool lists_steps(const fzi_playout_plan *g, uint32_t option)
{
    FZI_FOR_INSTRUCTIONS(at, g->p, &g->p->functions[g->now])
        if (fzi_plan_shifts(FZ_CODE_OP(g->p->code[at])) && g->p->code[at + 1] == option &&
            !fzi_plan_loose(g, at))
            return true;
    return false;
}

/* Steps are counted where all of them are known. */
static void count_shifts_text(fzi_playout_plan *g, const fz_choice *c)
{
    bool any = false;
    for (uint32_t i = c->first_option; i < c->first_option + c->options; i++) {
        const fz_option_info *o = &g->p->options[i];
        uint32_t found = g->found[i];
        if (found == UINT32_MAX || !leads(o) || o->quiet.kind >= 0 || !lists_steps(g, i))
            continue;
        if (!any)
            fzi_buffer_format(g->out, "if (c->left == 1 || %d)\n"
                              "for (uint32_t i = 0; i < LIST->segment_count; i++) {\n"
                              "fzi_segment *s = &LIST->segments[i];\n"
                              "if (s->kind == FZ_SEGMENT_SHIFTS) switch (s->option) {\n",
                              asks_last(g->p, c));
        any = true;
        fzi_buffer_format(g->out, "case %u: ", i);
        untouched_text(g, o, found, 2, "count_movers(LIST->words + s->data + s->values, s->steps)");
        fzi_buffer_text(g->out, "if (");
        condition_text(g, o, 2);
        fzi_buffer_text(g->out, ") count_shifts(u, &sure, LIST, s); break; }\n");
    }
    if (any)
        fzi_buffer_text(g->out, "}\n}\n");
}

/* ---- the decision ---- */

static void locals(fzi_playout_plan *g, uint32_t choice)
{
    const fz_choice *c = &g->p->choices[choice];
    for (uint32_t i = c->first_option; i < c->first_option + c->options; i++)
        if (is_first(g, c, i))
            fzi_buffer_format(g->out, "untouched u%u = {0};\n", i);
    if (!fzi_plan_filtered(g->p, choice))
        fzi_buffer_format(g->out, "_Alignas(32) uint8_t kept%u[PLAYOUT_BYTES];\nfz_move move%u;\n"
                          "fzi_cursor cursor%u;\n", choice, choice, choice);
    fzi_buffer_text(g->out, "const unsigned lists = m->list_depth;\nunsigned own = lists;\n"
                    "bool trying = false, any = false;\n(void)own;\n"
                    "uint64_t sure = 0; /* legal moves of the last turn, without a try */\n");
}

/* Goes to the effect of the next move. Without a filter, a move of the last turn counts at once. */
static void take_text(fzi_playout_plan *g, uint32_t choice)
{
    const fz_choice *c = &g->p->choices[choice];
    fzi_buffer_format(g->out, "switch (move%u.option) {\n", choice);
    for (uint32_t n = c->first_option; n < c->first_option + c->options; n++) {
        const fz_option_info *o = &g->p->options[n];
        fzi_buffer_format(g->out, "case %u: ", n);
        if (!o->filters)
            fzi_buffer_text(g->out, "any = true; if (c->left == 1) { c->nodes++; goto next; } "
                            "DECIDED(); ");
        for (unsigned i = 0; i < o->bindings; i++)
            fzi_buffer_format(g->out, "i%u = move%u.values[%u]; ", o->first + i, choice, i);
        fzi_buffer_format(g->out, "goto L%u;\n", o->effect);
    }
    fzi_buffer_text(g->out, "default: FAULT(\"a move of another choice\"); }\n");
}

static void decide_text(fzi_playout_plan *g, uint32_t at)
{
    uint32_t choice = g->p->code[at + 1];
    fzi_buffer_text(g->out, "if (__builtin_expect(!LIST || LIST->choice != X(1), 0)) "
                    "FAULT(\"a choice without a list\");\nif (trying) goto failed;\n"
                    "own = m->list_depth;\n");
    if (fzi_plan_filtered(g->p, choice))
        count_shifts_text(g, &g->p->choices[choice]);
    kept_steps_text(g, choice, asks_last(g->p, &g->p->choices[choice]));
    fzi_buffer_text(g->out, "if (c->left == 1) {\n");
    if (!fzi_plan_filtered(g->p, choice))
        fzi_buffer_text(g->out, "sure = LIST->total;\nLIST->total = LIST->segment_count = 0;\n");
    fzi_buffer_text(g->out, "if (sure + LIST->total > LIST->limit) goto failed;\n"
                    "c->nodes += sure;\nany = sure > 0;\n"
                    "if (any && !LIST->total) { m->list_depth = lists; return FLOW_ON; }\n}\n");
    fzi_buffer_format(g->out, "memcpy(kept%u, block, PLAYOUT_BYTES);\n", choice);
    fzi_keep_text(g, at);
    fzi_buffer_format(g->out, "cursor%1$u = (fzi_cursor){0};\nnext:\n"
                      "if (count_next(LIST, &cursor%1$u, &move%1$u)) {\n"
                      "if (SPEND(16) < 0) goto exhausted;\ntrying = true;\n", choice);
    take_text(g, choice);
    fzi_buffer_text(g->out, "}\ntrying = false;\n"
                    "if (any) { m->list_depth = lists; return FLOW_ON; }\n"
                    "H->no_legal_move = 1;\nAHEAD(X(2));\n");
}

/* The turn is over, after a move or without one; the next move. */
static void back_text(fzi_playout_plan *g, uint32_t choice)
{
    uint32_t decide = fzi_plan_decide(g, choice);
    fzi_buffer_text(g->out,
                    "done: __attribute__((unused));\n"
                    "if (count_on(c) == FLOW_FAIL) return FLOW_FAIL;\n"
                    "over: __attribute__((unused));\n"
                    "if (!trying) { m->list_depth = lists; return FLOW_ON; }\n"
                    "d->list = list;\nm->list_depth = own;\n"
                    "m->budget = (int64_t)m->limits.instructions;\n"
                    "back: __attribute__((unused));\n");
    fzi_buffer_format(g->out, "memcpy(block, kept%u, PLAYOUT_BYTES);\n", choice);
    if (fzi_plan_filtered(g->p, choice))
        fzi_buffer_format(g->out, "pending%u = 0;\n", choice);
    fzi_restore_text(g, decide);
    fzi_buffer_text(g->out, "goto next;\n");
}

static void verdict_text(fzi_playout_plan *g, uint32_t choice)
{
    fzi_buffer_format(g->out, "if (!IR(A)) goto back;\nif (!--pending%u) { any = true; "
                      "if (c->left == 1) { c->nodes++; goto back; } DECIDED(); }\n", choice);
    fzi_behind_text(g, choice);
}

/* ---- the function ---- */

/* True: the instruction has a text of its own here. */
static bool special(fzi_playout_plan *g, uint32_t at, uint32_t choice)
{
    const fz_code *code = g->p->code + at;
    switch (FZ_CODE_OP(*code)) {
    case FZ_OP_STOP:
        fzi_buffer_text(g->out, "d->at = PC; goto done;\n");
        return true;
    case FZ_OP_CHOOSE:
        find_text(g, &g->p->choices[choice]);
        return false;
    case FZ_OP_DECIDE:
        decide_text(g, at);
        return true;
    case FZ_OP_FILTER_END:
        if (fzi_judged_choice(g, at) != choice)
            return false;
        verdict_text(g, choice);
        return true;
    default:
        if (fzi_plan_lists_for(g, at) == choice)
            count_text(g, at);
        return false;
    }
}

static void turn(fzi_playout_plan *g, uint32_t choice)
{
    const fz_function *f = &g->p->functions[g->p->turn];
    g->now = (uint32_t)g->p->turn;
    g->counting = true;
    uint8_t keeps = 0;
    FZI_FOR_INSTRUCTIONS(at, g->p, f) {
        if (fzi_plan_lists_for(g, at) != choice)
            continue;
        keeps = FZ_CODE_OP(g->p->code[at]) == FZ_OP_ALSO_SHIFTS ? keeps : keeps_steps(g, f, at);
        g->loose[at] = keeps;
    }
    g->lists[choice] = 1;
    fzi_buffer_text(g->out, "static playout_flow count_turn(counting *c, int64_t me)\n{\n"
                    "playout *const d = &c->game;\nint64_t *const number = NULL;\n"
                    "fzi_set *const set = NULL;\n(void)number; (void)set; (void)me;\n"
                    "PLAYOUT_FUNCTION\n");
    for (unsigned i = 0; i < f->int_params; i++)
        fzi_buffer_format(g->out, "int64_t i%u = %s;\n", i, i ? "0" : "me");
    for (unsigned i = 0; i < f->set_params; i++)
        fzi_buffer_format(g->out, "fzi_set s%u = set_none();\n", i);
    fzi_playout_locals(g, f);
    fzi_moves_locals(g, f);
    fzi_tries_locals(g, f);
    locals(g, choice);
    FZI_FOR_INSTRUCTIONS(at, g->p, f)
        if (fzi_playout_begin(g, at) && !special(g, at, choice))
            fzi_playout_instruction(g, at);
    back_text(g, choice);
    fzi_buffer_text(g->out, "PLAYOUT_FAULTS\n}\n");
}

static void footprints(fzi_playout_plan *g, uint32_t choice, uint8_t *done)
{
    for (uint32_t f = 0; f < g->p->filter_count; f++)
        if (finds(g, &g->p->choices[choice], f))
            fzi_footprint_function(g, f, done);
}

/* Finds the footprints of the options of the choice. */
static void find_all(fzi_playout_plan *g, uint32_t choice)
{
    const fz_choice *c = &g->p->choices[choice];
    for (uint32_t f = 0; f < g->p->filter_count; f++)
        g->footprint[f] = g->p->filters[f].choice == choice && fzi_footprint_fits(g, f);
    for (uint32_t i = c->first_option; i < c->first_option + c->options; i++)
        g->found[i] = find_for(g, i);
}

bool fzi_count_c(fzi_playout_plan *g)
{
    const fz_program *p = g->p;
    fzi_allocator a = fzi_program_allocator(p);
    uint32_t choice = turn_choice(g);
    if (!fits(g, choice))
        return true;
    uint8_t *done = fzi_allocate_zeroed(a, p->function_count + 1u);
    g->footprint = fzi_allocate_zeroed(a, p->filter_count + 1u);
    g->found = fzi_allocate_zeroed(a, (p->option_count + 1u) * sizeof *g->found);
    bool ok = done && g->footprint && g->found;
    if (ok) {
        find_all(g, choice);
        fzi_define_number(g->out, "COUNT_ASKS_REPETITIONS", asks(g, (uint32_t)p->turn, done));
        memset(done, 0, p->function_count + 1u);
        fzi_buffer_text(g->out, fzi_native_count);
        footprints(g, choice, done);
        fzi_buffer_text(g->out, fzi_native_count_turn);
        turn(g, choice);
    }
    fzi_release(a, done);
    fzi_release(a, g->footprint);
    fzi_release(a, g->found);
    return ok;
}
