/* The moves of a choice in the C of whole games: counted where they are listed, in locals, and
 * drawn by number. What may run more than once goes to a list, which takes its place among the
 * others. For generate_playout.c. */
#include "generate_playout.h"

#include "interp/state/move_list.h"
#include "operands.h"

/* Writes the beginning of the text of one player. */
static void for_player(fzi_playout_plan *g, uint32_t at, unsigned player)
{
    if (fzi_plan_texts(g, at) > 1)
        fzi_buffer_format(g->out, "if (i0 == %u) ", player);
}

static bool is_question(const fzi_playout_plan *g, uint32_t choice)
{
    return fzi_plan_can(g->p, choice);
}

/* ---- locals ---- */

/* A set for each step of a shape: the sites moved from. */
static void step_locals(fzi_playout_plan *g, uint32_t at)
{
    fzi_buffer_text(g->out, "fzi_set ");
    for (unsigned i = 0; i < FZ_SHAPE_STEPS; i++)
        fzi_buffer_format(g->out, "%sx%u_%u = set_none()", i ? ", " : "", at, i);
    fzi_buffer_text(g->out, ";\n");
}

/* How many instructions share the rows of the one at a place. */
static unsigned sharers(const fzi_playout_plan *g, const fz_function *f, uint32_t leader)
{
    uint32_t choice = fzi_plan_lists_for(g, leader);
    unsigned count = 0;
    FZI_FOR_INSTRUCTIONS(at, g->p, f)
        count += fzi_plan_counts(g, at, choice) && fzi_plan_leader(g, at) == leader;
    return count;
}

/* The words of an instruction's moves, and how many steps or rows there are. */
static void move_words(fzi_playout_plan *g, const fz_function *f, uint32_t at)
{
    unsigned op = FZ_CODE_OP(g->p->code[at]), entry = 1u + g->p->board.words;
    unsigned entries = g->p->board.site_count; /* rows, or steps */
    if (fzi_plan_shifts(op))
        entries = fzi_plan_known_moves(g, f, at) ? FZ_MAX_STEPS : FZ_SHAPE_STEPS;
    if (op == FZ_OP_EMIT_SET)
        fzi_buffer_format(g->out, "fzi_set e%u = set_none();\n", at);
    if (op == FZ_OP_EMIT_MASK)
        fzi_buffer_format(g->out, "uint64_t e%u = 0;\n", at);
    if (fzi_plan_rows(op)) {
        fzi_buffer_format(g->out, "uint32_t before%u = 0;\n", at);
        if (fzi_plan_leader(g, at) != at)
            return;
        entries *= sharers(g, f, at);
        fzi_buffer_format(g->out, "uint32_t all%u = 0;\n", at);
    }
    if (op == FZ_OP_EMIT_SHIFTS || fzi_plan_rows(op))
        fzi_buffer_format(g->out, "uint64_t e%u[%u + PLAYOUT_ROWS * (1 + FZ_W)];\n"
                          "unsigned steps%u = 0;\n", at, entry * entries, at);
}

static void emit_locals(fzi_playout_plan *g, const fz_function *f, uint32_t at)
{
    unsigned op = FZ_CODE_OP(g->p->code[at]);
    const fz_option_info *o = &g->p->options[g->p->code[at + 1]];
    if (fzi_plan_shifts(op) && fzi_plan_known_steps(g, at))
        step_locals(g, at);
    if (op == FZ_OP_ALSO_SHIFTS)
        return;
    fzi_buffer_format(g->out, "uint32_t n%u = 0, listed%u = 0;\n", at, at);
    for (unsigned i = 0; i < o->bindings; i++)
        fzi_buffer_format(g->out, "int64_t b%u_%u = 0;\n", at, i);
    move_words(g, f, at);
}

void fzi_moves_locals(fzi_playout_plan *g, const fz_function *f)
{
    const fz_program *p = g->p;
    for (uint32_t i = 0; i < p->choice_count; i++)
        if (p->choices[i].function == g->now && is_question(g, i))
            fzi_buffer_format(g->out, "bool some%u = false;\n", i);
    FZI_FOR_INSTRUCTIONS(at, p, f)
        if (fzi_plan_loose(g, at) && !is_question(g, fzi_plan_lists_for(g, at)))
            emit_locals(g, f, at);
}

/* ---- listing ---- */

static void reset_loose(fzi_playout_plan *g, uint32_t at)
{
    unsigned op = FZ_CODE_OP(g->p->code[at]);
    if (op != FZ_OP_ALSO_SHIFTS)
        fzi_buffer_format(g->out, "n%u = listed%u = 0;\n", at, at);
    if (fzi_plan_leader(g, at) == at)
        fzi_buffer_format(g->out, "all%u = steps%u = 0;\n", at, at);
    if (fzi_plan_shifts(op) && fzi_plan_known_steps(g, at))
        for (unsigned i = 0; i < FZ_SHAPE_STEPS; i++)
            fzi_buffer_format(g->out, "x%u_%u = set_none();\n", at, i);
}

void fzi_choose_text(fzi_playout_plan *g, uint32_t at)
{
    uint32_t choice = g->p->code[at + 1];
    const fz_function *f = &g->p->functions[g->now];
    fzi_buffer_text(g->out, "PLAYER_CHECK(IR(A));\nif (SPEND(8) < 0) goto exhausted;\n"
                    "H->decider = (int8_t)IR(A);\n");
    if (fzi_plan_needs_list(g, choice))
        fzi_buffer_text(g->out, "if (!LIST && !SET_LIST(fzi_move_list_push(m))) goto failed;\n"
                        "fzi_move_list_clear(LIST, X(1));\n");
    FZI_FOR_INSTRUCTIONS(emit, g->p, f)
        if (fzi_plan_loose(g, emit) && fzi_plan_lists_for(g, emit) == choice)
            reset_loose(g, emit);
    fzi_buffer_text(g->out, "NEXT(CHOOSE);\n");
}

/* Keeps the bindings that the instruction does not supply itself. */
static void keep_bindings(fzi_playout_plan *g, uint32_t at, unsigned own)
{
    const fz_option_info *o = &g->p->options[g->p->code[at + 1]];
    for (unsigned i = 0; i + own < o->bindings; i++)
        fzi_buffer_format(g->out, "b%u_%u = i%u; ", at, i, o->first + i);
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

void fzi_join_text(fzi_playout_plan *g, const fz_function *f, uint32_t place)
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
            if (g->counting || !fzi_plan_known_moves(g, f, place))
                fzi_buffer_format(g->out, "e%u[%u] = (uint64_t)INT64_C(%lld); ", place,
                                  steps * (1 + w), (long long)delta);
            fzi_buffer_format(g->out, "set_write(e%u + %u, all); n%u += set_count(all); }\n",
                              place, steps * (1 + w) + 1, place);
            steps++;
        }
        fzi_buffer_format(g->out, "steps%u = %u; }\n", place, steps);
    }
}

/* Opens a block where the rows or steps of register C are at `valid`, if there are some. */
static void open_table(fzi_playout_plan *g, unsigned op)
{
    if (op == FZ_OP_EMIT_SLIDES) {
        fzi_buffer_text(g->out, "{\n");
        return;
    }
    bool rows = op == FZ_OP_EMIT_ROWS;
    fzi_buffer_format(g->out,
                      "if (set_some(SR(A)) && IR(C) != -1) {\n"
                      "const fzi_set_rows *t = &FIXED->set_rows[X(%u)];\n"
                      "uint64_t c = (uint64_t)IR(C);\n"
                      "if (c > t->count || c * %s >= t->count) goto no_index;\n"
                      "const uint64_t *valid = t->at + c * %s * FZ_W;\n",
                      rows ? 2 : 3, rows ? "X(3) + (uint64_t)set_last(SR(A))" : "FZ_SHAPE_STEPS",
                      rows ? "X(3)" : "FZ_SHAPE_STEPS");
}

/* The arguments of playout_shifts, playout_rows and playout_slides: what the moves lead from and
 * into, and by what. */
static const char *ways(unsigned op)
{
    return op == FZ_OP_EMIT_ROWS ? "SR(A), SR(B), valid)"
           : op == FZ_OP_EMIT_SLIDES
               ? "SR(A), SR(B), (uint64_t)IR(C) & FIXED->dir_mask, SR(BYTE2(0)))"
               : "SR(A), SR(B), FIXED->int_rows[X(2)].at + c * FZ_SHAPE_STEPS, valid)";
}

static const char *ways_name(unsigned op)
{
    return op == FZ_OP_EMIT_ROWS ? "rows" : op == FZ_OP_EMIT_SLIDES ? "slides" : "shifts";
}

/* In a question: is there a move? */
static void some_text(fzi_playout_plan *g, uint32_t at)
{
    unsigned op = FZ_CODE_OP(g->p->code[at]);
    uint32_t choice = fzi_plan_lists_for(g, at);
    if (op == FZ_OP_EMIT)
        fzi_buffer_format(g->out, "some%u = true;\n", choice);
    if (op == FZ_OP_EMIT_SET)
        fzi_buffer_format(g->out, "some%u |= set_some(SR(A));\n", choice);
    if (op == FZ_OP_EMIT_MASK)
        fzi_buffer_format(g->out, "some%u |= IR(A) != 0;\n", choice);
    if (fzi_plan_own_bindings(op) == 2) {
        open_table(g, op);
        fzi_buffer_format(g->out, "some%u |= playout_some_%s(%s;\n}\n", choice, ways_name(op),
                          ways(op));
    }
}

static void count_text(fzi_playout_plan *g, uint32_t at)
{
    unsigned op = FZ_CODE_OP(g->p->code[at]);
    if (op == FZ_OP_EMIT)
        fzi_buffer_format(g->out, "n%u = 1;\n", at);
    if (fzi_kept_empty(g, at))
        fzi_buffer_format(g->out, "n%u = playout_empty_count(d);\n", at);
    else if (op == FZ_OP_EMIT_SET)
        fzi_buffer_format(g->out, "e%u = SR(A); n%u = set_count(e%u);\n", at, at, at);
    if (op == FZ_OP_EMIT_MASK)
        fzi_buffer_format(g->out, "e%u = (uint64_t)IR(A); n%u = (uint32_t)__builtin_popcountll("
                          "e%u);\n", at, at, at);
    if (fzi_plan_own_bindings(op) != 2)
        return;
    uint32_t leader = fzi_plan_leader(g, at);
    if (fzi_plan_leads_rows(g, at))
        fzi_buffer_format(g->out, "before%u = all%u;\n", at, leader);
    open_table(g, op);
    if (fzi_plan_rows(op))
        fzi_buffer_format(g->out, "all%2$u = playout_%3$s(e%2$u, &steps%2$u, all%2$u, %4$s;\n"
                          "n%1$u = all%2$u - before%1$u;\n}\n",
                          fzi_plan_rows_of(g, at), leader, ways_name(op), ways(op));
    else
        fzi_buffer_format(g->out, "n%u = playout_%s(e%u, &steps%u, %s;\n}\n", at, ways_name(op),
                          at, at, ways(op));
}

bool fzi_emit_text(fzi_playout_plan *g, uint32_t at)
{
    unsigned op = FZ_CODE_OP(g->p->code[at]);
    if (!fzi_plan_loose(g, at))
        return false;
    if (is_question(g, fzi_plan_lists_for(g, at))) {
        some_text(g, at);
    } else {
        if (op != FZ_OP_ALSO_SHIFTS)
            keep_bindings(g, at, fzi_plan_own_bindings(op));
        if (op != FZ_OP_ALSO_SHIFTS && fzi_plan_leads_run(g, at) &&
            fzi_plan_needs_list(g, fzi_plan_lists_for(g, at)))
            fzi_buffer_format(g->out, "listed%u = LIST->total;\n", at);
        if (fzi_plan_shifts(op) && fzi_plan_known_steps(g, at))
            known_steps_text(g, at);
        else
            count_text(g, at);
    }
    fzi_buffer_text(g->out, "goto LABEL(FOLLOWING);\n");
    return true;
}

/* ---- drawing ---- */

/* What a known step adds: by arithmetic if the steps are as far apart, else from a table. */
static void add_known_step(fzi_playout_plan *g, uint32_t at, unsigned player, unsigned to)
{
    const fz_function *f = &g->p->functions[g->now];
    int64_t deltas[FZ_MAX_STEPS];
    unsigned count = 0;
    bool even = true;
    for (int64_t last = INT64_MIN; count < FZ_MAX_STEPS &&
                                   next_step(g, f, at, player, last, &deltas[count]);
         last = deltas[count++])
        even = even && (count < 2 || deltas[count] - last == deltas[1] - deltas[0]);
    if (even && count) {
        fzi_buffer_format(g->out, "i%u += %lld + (int64_t)step * %lld;\n", to,
                          (long long)deltas[0], count > 1 ? (long long)(deltas[1] - deltas[0]) : 0);
        return;
    }
    fzi_buffer_text(g->out, "{ static const int32_t adds[] = {");
    for (unsigned i = 0; i < count; i++)
        fzi_buffer_format(g->out, "%lld, ", (long long)deltas[i]);
    fzi_buffer_format(g->out, "};\ni%u += adds[step]; }\n", to);
}

static void take_step(fzi_playout_plan *g, uint32_t at, unsigned from, unsigned to)
{
    uint32_t choice = fzi_plan_lists_for(g, at);
    const fz_function *f = &g->p->functions[g->now];
    bool known = fzi_plan_known_moves(g, f, at);
    fzi_buffer_format(g->out, "{ unsigned step;\n"
                      "i%u = fzi_shifts_find(e%u, steps%u, n%u, index, FZ_W, &step); i%u = i%u;\n",
                      from, at, at, at, to, from);
    for (unsigned q = 0; known && q < fzi_plan_texts(g, at); q++) {
        for_player(g, at, q);
        add_known_step(g, at, q, to);
    }
    if (!known)
        fzi_buffer_format(g->out, "i%u += (int32_t)e%u[step * (1 + FZ_W)];\n", to, at);
    if (fzi_plan_filtered(g->p, choice))
        fzi_buffer_format(g->out, "row%u = step; ", choice);
    fzi_buffer_text(g->out, "} ");
}

/* Goes to the effect of the move with that index among those of one instruction, or of all that
 * share its rows. */
static void take_loose(fzi_playout_plan *g, uint32_t at, uint32_t choice)
{
    unsigned op = FZ_CODE_OP(g->p->code[at]), own = fzi_plan_own_bindings(op);
    uint32_t option = g->p->code[at + 1];
    const fz_option_info *o = &g->p->options[option];
    unsigned last = o->first + o->bindings - 1u;
    bool filtered = fzi_plan_filtered(g->p, choice);
    for (unsigned i = 0; i + own < o->bindings; i++)
        fzi_buffer_format(g->out, "i%u = b%u_%u; ", o->first + i, at, i);
    if (fzi_kept_empty(g, at))
        fzi_buffer_format(g->out, "i%u = playout_empty_site(d, index); ", last);
    else if (op == FZ_OP_EMIT_SET)
        fzi_buffer_format(g->out, "i%u = fzi_words_select(e%u.w, index, FZ_W); ", last, at);
    if (op == FZ_OP_EMIT_MASK)
        fzi_buffer_format(g->out, "i%u = fzi_bit_select(e%u, index); ", last, at);
    if (op == FZ_OP_EMIT_SHIFTS)
        take_step(g, at, last - 1, last);
    if (fzi_plan_rows(op) && filtered)
        fzi_buffer_format(g->out, "place%u = index; row%u = ", choice, choice);
    if (fzi_plan_rows(op))
        fzi_buffer_format(g->out, "playout_row(e%u, steps%u, index, &i%u, &i%u); ", at, at,
                          last - 1, last);
    if (filtered) {
        if (own)
            fzi_buffer_format(g->out, "to%u = i%u; ", choice, last);
        if (own == 2)
            fzi_buffer_format(g->out, "from%u = i%u; ", choice, last - 1);
        fzi_buffer_format(g->out, "drawn%u = %u;\n", choice, at);
        if (o->filters)
            fzi_trial_text(g, choice);
        else
            fzi_buffer_text(g->out, "DECIDED();\n");
    }
    fzi_buffer_format(g->out, "goto L%u;\n", fzi_plan_effect(g, option));
}

/* A move of the list. */
static void take_listed(fzi_playout_plan *g, uint32_t at, uint32_t choice)
{
    fzi_define_take(g->out, g->p, &g->p->choices[choice]);
    fzi_buffer_format(g->out, "list%u: __attribute__((unused));\n", at);
    if (!fzi_plan_filtered(g->p, choice)) {
        fzi_buffer_text(g->out, "PICK(index, &move);\nTAKE(option, &move);\n");
        return;
    }
    fzi_buffer_format(g->out,
                      "place%u = index;\ndrawn%u = 0;\nsegment%u = PICK(index, &move%u);\n"
                      "if (!PROG->options[move%u.option].filters) { DECIDED(); } else {\n",
                      choice, choice, choice, choice, choice);
    fzi_trial_text(g, choice);
    fzi_buffer_format(g->out, "}\nTAKE(option, &move%u);\n", choice);
}

/* Rows that several instructions share are drawn from at once, unless a list may have moves between
 * theirs. */
static void draw_rows(fzi_playout_plan *g, uint32_t leader, uint32_t choice)
{
    fzi_buffer_format(g->out, "if (%s) {\nif (index < all%u) {\nrows%u: __attribute__((unused));\n",
                      fzi_plan_needs_list(g, choice) ? "__builtin_expect(!LIST->total, 1)" : "true",
                      leader, leader);
    take_loose(g, leader, choice);
    fzi_buffer_format(g->out, "}\nindex -= all%u; goto behind_rows%u; }\n", leader, leader);
}

static void draw_counted(fzi_playout_plan *g, const fz_function *f, uint32_t at, uint32_t choice)
{
    uint32_t leader = fzi_plan_leader(g, at);
    if (leader == UINT32_MAX) {
        fzi_buffer_format(g->out, "if (index < n%u) { ", at);
        take_loose(g, at, choice);
        fzi_buffer_format(g->out, "}\nindex -= n%u;\n", at);
        return;
    }
    if (fzi_plan_leads_rows(g, at))
        fzi_buffer_format(g->out, "if (index < n%u) { index += before%u; goto rows%u; }\n"
                          "index -= n%u;\n", at, at, leader, at);
    uint32_t next = leader;
    FZI_FOR_INSTRUCTIONS(other, g->p, f)
        if (fzi_plan_counts(g, other, choice) && fzi_plan_leader(g, other) == leader)
            next = other;
    if (next == at)
        fzi_buffer_format(g->out, "behind_rows%u: __attribute__((unused));\n", leader);
}

/* Moves are numbered as they are listed. `passed` counts those of the list that come before; an
 * instruction that did not run knows of none. */
static void draw_text(fzi_playout_plan *g, uint32_t at, uint32_t choice)
{
    const fz_function *f = &g->p->functions[g->now];
    bool lists = fzi_plan_needs_list(g, choice), listed = false;
    if (lists)
        fzi_buffer_text(g->out, "uint32_t passed = 0;\n");
    FZI_FOR_INSTRUCTIONS(emit, g->p, f) {
        listed |= fzi_plan_lists_for(g, emit) == choice && !fzi_plan_loose(g, emit);
        if (!fzi_plan_counts(g, emit, choice))
            continue;
        if (fzi_plan_leader(g, emit) == emit)
            draw_rows(g, emit, choice);
        if (listed && fzi_plan_leads_run(g, emit))
            fzi_buffer_format(g->out,
                              "if (listed%1$u > passed) {\nif (index < listed%1$u - passed) "
                              "{ index += passed; goto list%2$u; }\n"
                              "index -= listed%1$u - passed; passed = listed%1$u; }\n", emit, at);
        draw_counted(g, f, emit, choice);
    }
    if (!lists) {
        fzi_buffer_text(g->out, "__builtin_unreachable();\n");
        return;
    }
    fzi_buffer_text(g->out, "index += passed;\n");
    take_listed(g, at, choice);
}

static void total_text(fzi_playout_plan *g, uint32_t choice)
{
    const fz_function *f = &g->p->functions[g->now];
    fzi_buffer_format(g->out, "uint32_t total = %s",
                      fzi_plan_needs_list(g, choice) ? "LIST->total" : "0");
    FZI_FOR_INSTRUCTIONS(at, g->p, f)
        if (fzi_plan_counts(g, at, choice) &&
            (fzi_plan_leader(g, at) == UINT32_MAX || fzi_plan_leader(g, at) == at))
            fzi_buffer_format(g->out, fzi_plan_leader(g, at) == at ? " + all%u" : " + n%u", at);
    fzi_buffer_text(g->out, ";\n");
}

void fzi_decide_text(fzi_playout_plan *g, uint32_t at)
{
    const fz_function *f = &g->p->functions[g->now];
    uint32_t choice = g->p->code[at + 1];
    bool filtered = fzi_plan_filtered(g->p, choice);
    fzi_buffer_text(g->out, "{\n");
    if (g->loops)
        fzi_buffer_text(g->out, "if (!d->left) return FLOW_WAIT;\n");
    if (fzi_plan_needs_list(g, choice))
        fzi_buffer_text(g->out, "if (__builtin_expect(!LIST || LIST->choice != X(1), 0)) "
                        "FAULT(\"a choice without a list\");\n");
    FZI_FOR_INSTRUCTIONS(emit, g->p, f)
        if (fzi_plan_counts(g, emit, choice) && FZ_CODE_OP(g->p->code[emit]) == FZ_OP_EMIT_SHIFTS &&
            fzi_plan_known_steps(g, emit))
            fzi_join_text(g, f, emit);
    FZI_FOR_INSTRUCTIONS(emit, g->p, f)
        if (fzi_plan_counts(g, emit, choice) && fzi_plan_leader(g, emit) == emit)
            fzi_buffer_format(g->out, "playout_end_rows(e%1$u, steps%1$u);\n", emit);
    if (filtered) {
        fzi_buffer_format(g->out, "drawn_at%u = H->counter;\n", choice);
        fzi_before_tries_text(g, at);
        fzi_buffer_format(g->out, "again%u: __attribute__((unused));\n", at);
    }
    total_text(g, choice);
    fzi_buffer_text(g->out, "if (!total) {\n");
    if (filtered)
        fzi_buffer_format(g->out, "H->counter = drawn_at%u;\n", choice);
    fzi_buffer_text(g->out, "H->no_legal_move = 1;\nAHEAD(X(2));\n}\n");
    if (!filtered)
        fzi_buffer_text(g->out, "d->branched += total;\n");
    fzi_buffer_text(g->out, "uint32_t index = fzi_chance_below(H->key, &H->counter, total);\n");
    if (!filtered)
        fzi_buffer_text(g->out, "DECIDED();\n");
    draw_text(g, at, choice);
    fzi_buffer_text(g->out, "}\n");
}
