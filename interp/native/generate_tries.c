/* Filters in the C of whole games: a drawn move is tried by playing it, and taken back when its
 * filters reject it. A question (`can`) tries the moves of its list one after the other. For
 * generate_playout.c. */
#include "generate_playout.h"

#include "operands.h"

enum { MOVED_SITES = 2 }; /* that a MOVE changes */

static bool is_question_place(const fzi_playout_plan *g, uint32_t at, uint32_t choice)
{
    unsigned op = FZ_CODE_OP(g->p->code[at]);
    return (op == FZ_OP_CAN_TEST || op == FZ_OP_CAN_END) && g->p->code[at + 1] == choice;
}

/* Are registers kept here, to begin again with them after a try? */
static bool keeps(const fzi_playout_plan *g, uint32_t at)
{
    unsigned op = FZ_CODE_OP(g->p->code[at]);
    return (op == FZ_OP_DECIDE || op == FZ_OP_CAN_TEST || op == FZ_OP_CAN_END) &&
           (fzi_plan_filtered(g->p, g->p->code[at + 1]) || (op == FZ_OP_DECIDE && g->counting));
}

/* ---- what a try changes ---- */

/* Most tries only move pieces. Then the sites that change are noted with what was there, and no
 * block is copied. */

static bool is_harmless(const fzi_playout_plan *g, uint32_t start, uint32_t end);

/* Does the instruction leave the state as it is, or change back what it changes? */
static bool leaves_state(const fzi_playout_plan *g, uint32_t at)
{
    const fz_code *code = g->p->code + at;
    unsigned op = FZ_CODE_OP(*code);
    if (fzi_opcode_is(op, FZ_FLAG_CALLS)) {
        const fz_function *f = &g->p->functions[code[1]];
        return !fzi_plan_circle(g, code[1]) && is_harmless(g, f->start, f->end);
    }
    return op == FZ_OP_PHANTOM || op == FZ_OP_UNPHANTOM ||
           !fzi_opcode_is(op, FZ_FLAG_WRITE | FZ_FLAG_CHANCE | FZ_FLAG_LIST | FZ_FLAG_DECIDES |
                                  FZ_FLAG_OPENS | FZ_FLAG_JUDGES | FZ_FLAG_OVER | FZ_FLAG_OUTSIDE);
}

static bool is_harmless(const fzi_playout_plan *g, uint32_t start, uint32_t end)
{
    FZI_FOR_CODE(at, g->p, start, end)
        if (!leaves_state(g, at))
            return false;
    return true;
}

/* How many sites an instruction may change; UINT32_MAX: it changes something else. */
static uint32_t sites_changed(const fzi_playout_plan *g, uint32_t at)
{
    unsigned op = FZ_CODE_OP(g->p->code[at]);
    switch (op) {
    case FZ_OP_PEND: case FZ_OP_FILTER_BEGIN: case FZ_OP_SET_LAST_MOVE:
        return 0;
    case FZ_OP_MOVE:
        return MOVED_SITES;
    case FZ_OP_BECOME: case FZ_OP_TAKE1:
        return 1;
    case FZ_OP_TAKE:
        return g->p->board.site_count;
    default:
        return leaves_state(g, at) && !fzi_opcode_is(op, FZ_FLAG_FLOW) ? 0 : UINT32_MAX;
    }
}

/* Where the last filter of an option begins, if its effect runs straight there; `sites`: how many
 * it changes. UINT32_MAX: it does not, or changes something else. */
static uint32_t judged_at(const fzi_playout_plan *g, const fz_option_info *o, uint32_t *sites)
{
    const fz_function *f = &g->p->functions[g->p->choices[o->choice].function];
    unsigned left = o->filters;
    *sites = 0;
    FZI_FOR_CODE(at, g->p, o->effect, f->end) {
        uint32_t more = sites_changed(g, at);
        left -= FZ_CODE_OP(g->p->code[at]) == FZ_OP_FILTER_BEGIN;
        if (more == UINT32_MAX || !left)
            return left ? UINT32_MAX : at;
        *sites += more;
    }
    return UINT32_MAX;
}

uint32_t fzi_tries_sites(const fzi_playout_plan *g, uint32_t choice)
{
    const fz_program *p = g->p;
    const fz_choice *c = &p->choices[choice];
    uint32_t most = 0, sites;
    if (!p->layout.at || p->layout.stacks || g->carries || !c->filtered)
        return 0;
    for (uint32_t i = c->first_option; i < c->first_option + c->options; i++) {
        if (p->options[i].filters && judged_at(g, &p->options[i], &sites) == UINT32_MAX)
            return 0;
        most = p->options[i].filters && sites > most ? sites : most;
    }
    for (uint32_t i = 0; i < p->filter_count; i++)
        if (p->filters[i].choice == choice &&
            !is_harmless(g, p->filters[i].code, fzi_filter_verdict(p, i)))
            return 0;
    return most;
}

/* Are the sites that tries of the choice change noted? */
static bool notes_sites(const fzi_playout_plan *g, uint32_t choice)
{
    return g->tried[choice] && !g->counting;
}

/* The choice in whose tries the instruction changes the board; UINT32_MAX: none whose sites are
 * noted. `sites`: how many all of the effect changes. */
static uint32_t tried_at(const fzi_playout_plan *g, uint32_t place, uint32_t *sites)
{
    const fz_program *p = g->p;
    for (uint32_t i = 0; i < p->option_count; i++) {
        const fz_option_info *o = &p->options[i];
        if (p->choices[o->choice].function == g->now && notes_sites(g, o->choice) && o->filters &&
            place >= o->effect && place < judged_at(g, o, sites))
            return o->choice;
    }
    return UINT32_MAX;
}

uint32_t fzi_only_move(const fzi_playout_plan *g, uint32_t place)
{
    uint32_t sites, choice = tried_at(g, place, &sites);
    return choice != UINT32_MAX && sites == MOVED_SITES ? choice : UINT32_MAX;
}

void fzi_note_sites_text(fzi_playout_plan *g, uint32_t place)
{
    unsigned op = FZ_CODE_OP(g->p->code[place]);
    uint32_t sites, c = tried_at(g, place, &sites);
    if (c == UINT32_MAX)
        return;
    if (op == FZ_OP_TAKE)
        fzi_buffer_format(g->out, "for (fzi_set all = SR(A); set_some(all);)\n"
                          "noted%1$u = playout_note_site(was%1$u, noted%1$u, block, "
                          "set_take(&all));\n", c);
    else
        fzi_buffer_format(g->out, "noted%1$u = playout_note_site(was%1$u, noted%1$u, block, "
                          "IR(A));\n", c);
    if (op == FZ_OP_MOVE)
        fzi_buffer_format(g->out, "noted%1$u = playout_note_site(was%1$u, noted%1$u, block, "
                          "IR(B));\n", c);
}

/* ---- registers and blocks ---- */

static void registers(fzi_playout_plan *g, uint32_t at, const char *ints, const char *sets)
{
    const fz_function *f = &g->p->functions[g->now];
    for (unsigned r = 0; r < f->ints; r++)
        if (fzi_live_int(&g->live[at], r))
            fzi_buffer_format(g->out, ints, at, r);
    for (unsigned r = 0; r < f->sets; r++)
        if (fzi_live_set(&g->live[at], r))
            fzi_buffer_format(g->out, sets, at, r);
}

void fzi_tries_locals(fzi_playout_plan *g, const fz_function *f)
{
    for (uint32_t i = 0; i < g->p->choice_count; i++) {
        if (g->p->choices[i].function != g->now || !fzi_plan_filtered(g->p, i))
            continue;
        if (notes_sites(g, i))
            fzi_buffer_format(g->out, "uint32_t was%1$u[%2$u];\n"
                              "unsigned noted%1$u = 0, moved%1$u = 0;\n"
                              "int64_t moved_from%1$u, moved_to%1$u;\n"
                              "int16_t last_from%1$u, last_to%1$u;\n", i, g->tried[i]);
        else
            fzi_buffer_format(g->out, "_Alignas(32) uint8_t kept%u[PLAYOUT_BYTES];\n", i);
        fzi_buffer_format(
                g->out, "unsigned pending%1$u = 0;\n"
                "uint32_t behind%1$u, drawn%1$u, place%1$u, segment%1$u;\nunsigned row%1$u;\n"
                "uint64_t drawn_at%1$u;\nint64_t from%1$u, to%1$u;\n"
                "fz_move move%1$u;\nfzi_cursor cursor%1$u;\n", i);
    }
    FZI_FOR_INSTRUCTIONS(at, g->p, f)
        if (keeps(g, at))
            registers(g, at, "int64_t ki%u_%u;\n", "fzi_set ks%u_%u;\n");
}

void fzi_keep_text(fzi_playout_plan *g, uint32_t at)
{
    registers(g, at, "ki%1$u_%2$u = i%2$u; ", "ks%1$u_%2$u = s%2$u; ");
}

void fzi_restore_text(fzi_playout_plan *g, uint32_t at)
{
    registers(g, at, "i%2$u = ki%1$u_%2$u; ", "s%2$u = ks%1$u_%2$u; ");
}

/* Writes what a rejected move restores: registers and the block, all but its stream of chance. */
void fzi_before_tries_text(fzi_playout_plan *g, uint32_t at)
{
    uint32_t choice = g->p->code[at + 1];
    if (notes_sites(g, choice))
        fzi_buffer_format(g->out, "noted%1$u = moved%1$u = 0; last_from%1$u = H->last_from; "
                          "last_to%1$u = H->last_to;\n", choice);
    else
        fzi_buffer_format(g->out, "playout_copy(kept%u, block + PLAYOUT_KEPT);\n", choice);
    fzi_keep_text(g, at);
}

static void restore_block(fzi_playout_plan *g, uint32_t choice)
{
    if (notes_sites(g, choice))
        fzi_buffer_format(g->out,
                          "if (moved%1$u)\nplayout_move_back(block, (uint64_t)moved_from%1$u, "
                          "(uint64_t)moved_to%1$u, i0, (uint8_t)(moved%1$u - 1));\n"
                          "else\nplayout_sites_back(was%1$u, noted%1$u, block);\n"
                          "noted%1$u = moved%1$u = 0; "
                          "H->last_from = last_from%1$u; H->last_to = last_to%1$u;\n", choice);
    else
        fzi_buffer_format(g->out, "playout_copy(block + PLAYOUT_KEPT, kept%u);\n", choice);
    fzi_buffer_format(g->out, "pending%u = 0;\n", choice);
}

void fzi_trial_text(fzi_playout_plan *g, uint32_t choice)
{
    if (!fzi_plan_can(g->p, choice))
        fzi_buffer_text(g->out, "if (PLAYOUT_LOOPS && H->plies - H->begun >= m->limits.decisions) "
                        "FAULT(\"too many decisions in one turn\");\n");
    fzi_buffer_text(g->out, "if (SPEND(16) < 0) goto exhausted;\n");
}

/* ---- questions ---- */

static void question_end(fzi_playout_plan *g, bool answer)
{
    fzi_buffer_format(g->out, "IR(A) = %u;\n", answer);
    if (fzi_plan_needs_list(g, g->p->code[g->at + 1]))
        fzi_buffer_text(g->out, "SET_LIST(LIST->outer);\nm->list_depth--;\n");
    fzi_buffer_text(g->out, "NEXT(CAN_END);\n");
}

/* The answer is known as soon as a move is legal; else the list is empty. */
static void answer_text(fzi_playout_plan *g, bool answer)
{
    uint32_t choice = g->p->code[g->at + 1];
    if (FZ_CODE_OP(g->p->code[g->at]) == FZ_OP_CAN_END) {
        question_end(g, answer);
        return;
    }
    if (answer)
        fzi_buffer_format(g->out, "some%u = true;\n", choice);
    if (fzi_plan_needs_list(g, choice))
        fzi_buffer_text(g->out, "fzi_move_list_clear(LIST, X(1));\n");
    fzi_buffer_text(g->out, answer ? "AHEAD(X(2));\n" : "NEXT(CAN_TEST);\n");
}

void fzi_question_text(fzi_playout_plan *g, uint32_t at)
{
    uint32_t choice = g->p->code[at + 1];
    g->at = at;
    fzi_buffer_format(g->out, "if (some%u) {\nyes%u: __attribute__((unused));\n", choice, at);
    answer_text(g, true);
    fzi_buffer_text(g->out, "}\n");
    if (fzi_plan_filtered(g->p, choice)) {
        fzi_define_take(g->out, g->p, &g->p->choices[choice]);
        fzi_buffer_format(g->out, "cursor%u = FZI_CURSOR_AT(0);\n", choice);
        fzi_before_tries_text(g, at);
        fzi_buffer_format(
            g->out, "drawn_at%2$u = H->counter;\nnext%1$u:\n"
            "if (fzi_move_list_next(LIST, &cursor%2$u, UINT32_MAX, &move%2$u)) {\n"
            "if (!PROG->options[move%2$u.option].filters) goto yes%1$u;\n", at, choice);
        fzi_trial_text(g, choice);
        fzi_buffer_format(g->out, "drawn%u = %u;\nTAKE(option, &move%u);\n}\n", choice, at, choice);
    }
    answer_text(g, false);
}

/* ---- taking out ---- */

/* A row's move, and what each instruction that shares the rows has counted: that is asked for where
 * a list may have moves between theirs. */
static void drop_row(fzi_playout_plan *g, uint32_t leader, uint32_t choice)
{
    fzi_buffer_format(g->out, "all%1$u--; playout_drop_row(e%1$u, steps%1$u, row%2$u, to%2$u);\n",
                      leader, choice);
    if (!fzi_plan_needs_list(g, choice))
        return;
    fzi_buffer_text(g->out, "if (__builtin_expect(LIST->total != 0, 0)) {\n");
    FZI_FOR_INSTRUCTIONS(at, g->p, &g->p->functions[g->now])
        if (fzi_plan_counts(g, at, choice) && fzi_plan_leader(g, at) == leader &&
            fzi_plan_leads_rows(g, at))
            fzi_buffer_format(g->out, "n%1$u -= place%2$u - before%1$u < n%1$u; "
                              "before%1$u -= place%2$u < before%1$u;\n", at, choice);
    fzi_buffer_text(g->out, "}\n");
}

static void drop_loose(fzi_playout_plan *g, uint32_t at, uint32_t choice)
{
    unsigned op = FZ_CODE_OP(g->p->code[at]);
    if (fzi_plan_rows(op) && fzi_plan_leader(g, at) != at)
        return;
    fzi_buffer_format(g->out, "case %u: ", at);
    if (fzi_plan_rows(op))
        drop_row(g, at, choice);
    else
        fzi_buffer_format(g->out, "n%u--; ", at);
    if (op == FZ_OP_EMIT_SET)
        fzi_buffer_format(g->out, "e%u.w[to%u / 64] &= ~(UINT64_C(1) << to%u %% 64); ", at, choice,
                          choice);
    if (op == FZ_OP_EMIT_MASK)
        fzi_buffer_format(g->out, "e%u &= ~(UINT64_C(1) << to%u); ", at, choice);
    if (op == FZ_OP_EMIT_SHIFTS)
        fzi_buffer_format(g->out, "playout_drop_step(e%u, row%u, from%u); ", at, choice, choice);
    fzi_buffer_text(g->out, "break;\n");
}

/* Takes out the move that was drawn last. */
static void drop_text(fzi_playout_plan *g, uint32_t choice)
{
    const fz_function *f = &g->p->functions[g->now];
    fzi_buffer_format(g->out, "switch (drawn%u) {\n", choice);
    FZI_FOR_INSTRUCTIONS(at, g->p, f)
        if (fzi_plan_counts(g, at, choice))
            drop_loose(g, at, choice);
    if (fzi_plan_needs_list(g, choice)) {
        fzi_buffer_format(g->out,
                          "default: { fzi_cursor cursor = fzi_move_list_cursor(LIST, segment%1$u, "
                          "&move%1$u); fzi_move_list_drop(LIST, &cursor); }\n", choice);
        FZI_FOR_INSTRUCTIONS(at, g->p, f)
            if (fzi_plan_counts(g, at, choice) && fzi_plan_leads_run(g, at))
                fzi_buffer_format(g->out, "listed%u -= listed%u > place%u;\n", at, at, choice);
    }
    fzi_buffer_text(g->out, "}\n");
}

/* ---- judgements ---- */

void fzi_pend_text(fzi_playout_plan *g, uint32_t at)
{
    fzi_buffer_format(g->out, "pending%u++; NEXT(PEND);\n",
                      g->p->filters[g->p->code[at + 1]].choice);
}

void fzi_judge_text(fzi_playout_plan *g, uint32_t at)
{
    const fz_filter *filter = &g->p->filters[g->p->code[at + 1]];
    fzi_buffer_format(g->out, "if (pending%u) { behind%u = PC; goto L%u; } NEXT(FILTER_BEGIN);\n",
                      filter->choice, filter->choice, filter->code);
}

uint32_t fzi_judged_choice(const fzi_playout_plan *g, uint32_t at)
{
    for (uint32_t i = 0; i < g->p->filter_count; i++)
        if (g->p->choices[g->p->filters[i].choice].function == g->now &&
            fzi_filter_verdict(g->p, i) == at)
            return g->p->filters[i].choice;
    return UINT32_MAX;
}

/* Where the code goes on after a FILTER_BEGIN. */
static uint32_t behind(const fzi_playout_plan *g, uint32_t at)
{
    at += fzi_opcode_length(FZ_OP_FILTER_BEGIN);
    return FZ_CODE_OP(g->p->code[at]) == FZ_OP_JUMP ? g->p->code[at + 1] : at;
}

static bool begins_filter(const fzi_playout_plan *g, uint32_t at, uint32_t choice)
{
    return FZ_CODE_OP(g->p->code[at]) == FZ_OP_FILTER_BEGIN &&
           g->p->filters[g->p->code[at + 1]].choice == choice;
}

/* Most options often go on at one place: then nothing has to be predicted. */
void fzi_behind_text(fzi_playout_plan *g, uint32_t choice)
{
    const fz_function *f = &g->p->functions[g->now];
    uint32_t last = UINT32_MAX;
    FZI_FOR_INSTRUCTIONS(at, g->p, f)
        if (begins_filter(g, at, choice))
            last = behind(g, at);
    fzi_buffer_format(g->out, "switch (behind%u) { ", choice);
    FZI_FOR_INSTRUCTIONS(at, g->p, f)
        if (begins_filter(g, at, choice) && behind(g, at) != last)
            fzi_buffer_format(g->out, "case %u: goto L%u; ", at, behind(g, at));
    if (last == UINT32_MAX)
        fzi_buffer_text(g->out, "default: __builtin_unreachable(); }\n");
    else
        fzi_buffer_format(g->out, "default: goto L%u; }\n", last);
}

/* A rejected move: the position before it, and the next draw without it. */
static void refuse_text(fzi_playout_plan *g, uint32_t choice)
{
    uint32_t decide = fzi_plan_decide(g, choice);
    restore_block(g, choice);
    drop_text(g, choice);
    fzi_restore_text(g, decide);
    fzi_buffer_format(g->out, "goto again%u;\n", decide);
}

/* The position before the try, and the answer or the next move. */
static void answer_verdict(fzi_playout_plan *g, uint32_t choice)
{
    const fz_function *f = &g->p->functions[g->now];
    restore_block(g, choice);
    fzi_buffer_format(g->out, "H->counter = drawn_at%u;\nswitch (drawn%u) {\n", choice, choice);
    FZI_FOR_INSTRUCTIONS(at, g->p, f) {
        if (!is_question_place(g, at, choice))
            continue;
        fzi_buffer_format(g->out, "case %u: ", at);
        fzi_restore_text(g, at);
        fzi_buffer_format(g->out, "if (fine) goto yes%u; goto next%u;\n", at, at);
    }
    fzi_buffer_text(g->out, "default: __builtin_unreachable(); }\n");
}

void fzi_verdict_text(fzi_playout_plan *g, uint32_t at)
{
    uint32_t choice = fzi_judged_choice(g, at);
    if (choice == UINT32_MAX) { /* of no filter: nothing leads here */
        fzi_buffer_text(g->out, "__builtin_unreachable();\n");
        return;
    }
    if (fzi_plan_can(g->p, choice)) {
        fzi_buffer_format(g->out, "{ bool fine = IR(A) != 0;\nif (fine && --pending%u) {\n",
                          choice);
        fzi_behind_text(g, choice);
        fzi_buffer_text(g->out, "}\n");
        answer_verdict(g, choice);
        fzi_buffer_text(g->out, "}\n");
        return;
    }
    fzi_buffer_text(g->out, "if (__builtin_expect(!IR(A), 0)) {\n");
    refuse_text(g, choice);
    fzi_buffer_format(g->out, "}\nif (!--pending%u) { DECIDED(); }\n", choice);
    fzi_behind_text(g, choice);
}
