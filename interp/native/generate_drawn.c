/* What is known of the sites of a move that has just been drawn: that a site is empty, or has a
 * piece of the mover. The code says so where a piece is put or moved, and the compiler drops what
 * asks for it. For generate_playout.c. */
#include "generate_playout.h"

#include "interp/vm/machine.h"

/* ---- where the sites come from ---- */

/* Does the effect of the option begin at the place, its own or an equal one? */
static bool begins_at(const fzi_playout_plan *g, uint32_t option, uint32_t place)
{
    return g->p->options[option].effect == place || fzi_plan_effect(g, option) == place;
}

/* Can control come into the places after `from`, up to `to`, only from one of them or from `from`?
 */
static bool is_closed(const fzi_playout_plan *g, uint32_t from, uint32_t to)
{
    const fz_program *p = g->p;
    FZI_FOR_INSTRUCTIONS(at, p, &p->functions[g->now])
        if ((at < from || at > to) && fzi_plan_jumps(g, at, from + 1, to))
            return false;
    return true;
}

/* Do the instructions from a place up to another leave the board as it is, and an integer register?
 * `reg` -1: none. */
static bool is_quiet(const fzi_playout_plan *g, uint32_t from, uint32_t to, int reg)
{
    FZI_FOR_INSTRUCTIONS(at, g->p, &g->p->functions[g->now]) {
        unsigned op = FZ_CODE_OP(g->p->code[at]);
        if (at < from || at >= to)
            continue;
        if ((reg >= 0 && fzi_plan_writes(g, at, (unsigned)reg)) || fzi_plan_changes_board(op) ||
            (fzi_opcode_is(op, FZ_FLAG_CALLS) && g->writes[g->p->code[at + 1]]))
            return false;
    }
    return true;
}

/* Does control come to the place only from the choice of a move? */
static bool follows_draw(const fzi_playout_plan *g, uint32_t place)
{
    const fz_program *p = g->p;
    bool so = true;
    FZI_FOR_INSTRUCTIONS(at, p, &p->functions[g->now]) {
        unsigned op = FZ_CODE_OP(p->code[at]);
        so = so && fzi_opcode_jump(&p->code[at]) != place &&
             (at + fzi_opcode_length(op) != place || fzi_opcode_is(op, FZ_FLAG_ENDS));
    }
    return so && place != p->functions[g->now].start;
}

/* The place where the effect begins in which an instruction stands; UINT32_MAX: there is none, or
 * the board or the register may have changed since. */
static uint32_t effect_of(const fzi_playout_plan *g, uint32_t place, unsigned site)
{
    const fz_function *f = &g->p->functions[g->now];
    uint32_t effect = UINT32_MAX;
    for (uint32_t i = 0; i < g->p->option_count; i++) {
        uint32_t start = g->p->options[i].effect;
        if (start >= f->start && start <= place && (effect == UINT32_MAX || start > effect))
            effect = start;
    }
    return effect != UINT32_MAX && follows_draw(g, effect) && is_closed(g, effect, place) &&
                   is_quiet(g, effect, place, (int)site) ? effect : UINT32_MAX;
}

/* Do all instructions that list moves with the effect list them so? `site` is the register of one
 * of the bindings, the last but `behind` of them. */
static bool all_list(const fzi_playout_plan *g, uint32_t effect, unsigned site, unsigned behind,
                     bool (*so)(const fzi_playout_plan *g, uint32_t at))
{
    const fz_program *p = g->p;
    unsigned count = 0;
    FZI_FOR_INSTRUCTIONS(at, p, &p->functions[g->now]) {
        if (*fzi_opcode_extension(FZ_CODE_OP(p->code[at])) != 'O' ||
            !begins_at(g, p->code[at + 1], effect))
            continue;
        const fz_option_info *o = &p->options[p->code[at + 1]];
        count++;
        if (fzi_plan_own_bindings(FZ_CODE_OP(p->code[at])) <= behind ||
            o->first + o->bindings - 1u - behind != site || !so(g, at))
            return false;
    }
    return count > 0;
}

static bool lists_empty(const fzi_playout_plan *g, uint32_t at)
{
    return FZ_CODE_OP(g->p->code[at]) == FZ_OP_EMIT_SET && fzi_kept_reads_empty(g, at);
}

/* ---- pieces of the mover ---- */

enum { MOST_STEPS = 16 }; /* that are followed back */

/* Instructions that add to a set or take from it, in a loop. */
static bool changes_a_site(unsigned op)
{
    return op == FZ_OP_SADD || op == FZ_OP_EACH || op == FZ_OP_EACH_ON;
}

/* The last instruction before a place that gives a register of sites a value. */
static uint32_t giver(const fzi_playout_plan *g, uint32_t place, unsigned reg)
{
    uint32_t last = UINT32_MAX;
    FZI_FOR_INSTRUCTIONS(at, g->p, &g->p->functions[g->now]) {
        fzi_live read = {0}, written = {0};
        if (at == place)
            break;
        fzi_live_uses(g->p, at, &read, &written);
        if (fzi_live_set(&written, reg) && !changes_a_site(FZ_CODE_OP(g->p->code[at])))
            last = at;
    }
    return last != UINT32_MAX && is_closed(g, last, place) ? last : UINT32_MAX;
}

/* What is looked for back from a place: `since` is the first place that was needed. */
typedef struct search {
    const fzi_playout_plan *g;
    unsigned left; /* steps back */
    uint32_t since;
} search;

static bool is_own(search *s, uint32_t place, unsigned reg);

/* Is the site in an integer register always one of a loop over pieces of the mover? */
static bool runs_over_own(search *s, uint32_t from, uint32_t to, unsigned reg)
{
    const fz_program *p = s->g->p;
    bool any = false;
    FZI_FOR_INSTRUCTIONS(at, p, &p->functions[s->g->now]) {
        unsigned op = FZ_CODE_OP(p->code[at]);
        if (at < from || at >= to || !fzi_plan_writes(s->g, at, reg))
            continue;
        any = true;
        if ((op != FZ_OP_EACH && op != FZ_OP_EACH_ON) || !is_own(s, at, FZ_CODE_B(p->code[at])))
            return false;
    }
    return any;
}

static bool adds_own(search *s, uint32_t from, uint32_t to, unsigned reg)
{
    const fz_program *p = s->g->p;
    FZI_FOR_INSTRUCTIONS(at, p, &p->functions[s->g->now])
        if (at > from && at < to && FZ_CODE_OP(p->code[at]) == FZ_OP_SADD &&
            FZ_CODE_A(p->code[at]) == reg && !runs_over_own(s, from, to, FZ_CODE_B(p->code[at])))
            return false;
    return true;
}

/* Has every site that the register can hold at the place a piece of the mover, who is in
 * register 0? */
static bool is_own(search *s, uint32_t place, unsigned reg)
{
    uint32_t last = giver(s->g, place, reg);
    if (last == UINT32_MAX || !s->left || !adds_own(s, last, place, reg))
        return false;
    const fz_code *code = s->g->p->code + last;
    s->left--;
    s->since = last < s->since ? last : s->since;
    switch (FZ_CODE_OP(*code)) {
    case FZ_OP_SNONE:
        return true;
    case FZ_OP_OF_GIVEN:
        return FZ_CODE_C(*code) == 0 && fzi_plan_me(s->g, last);
    case FZ_OP_OWNED:
        return FZ_CODE_B(*code) == 0 && fzi_plan_me(s->g, last);
    case FZ_OP_SCOPY: case FZ_OP_SSUB:
        return is_own(s, last, FZ_CODE_B(*code));
    case FZ_OP_SAND:
        return is_own(s, last, FZ_CODE_B(*code)) || is_own(s, last, FZ_CODE_C(*code));
    default:
        return false;
    }
}

/* Do the moves begin on sites with pieces of the mover? */
static bool lists_own(const fzi_playout_plan *g, uint32_t at)
{
    const fz_code *code = g->p->code + at;
    unsigned op = FZ_CODE_OP(*code);
    search s = {.g = g, .left = MOST_STEPS, .since = at};
    return (fzi_plan_shifts(op) || fzi_plan_rows(op) || op == FZ_OP_EMIT_SET) &&
           is_own(&s, at, FZ_CODE_A(*code)) &&
           is_quiet(g, s.since, fzi_plan_decide(g, fzi_plan_lists_for(g, at)), -1);
}

/* Do they lead to sites of the board? */
static bool lists_steps(const fzi_playout_plan *g, uint32_t at)
{
    unsigned op = FZ_CODE_OP(g->p->code[at]);
    return fzi_plan_shifts(op) || fzi_plan_rows(op);
}

/* ---- texts ---- */

void fzi_drawn_put_text(fzi_playout_plan *g, uint32_t at)
{
    unsigned site = FZ_CODE_A(g->p->code[at]);
    if (!g->p->layout.empty)
        return;
    uint32_t effect = effect_of(g, at, site);
    if (effect != UINT32_MAX && all_list(g, effect, site, 0, lists_empty))
        fzi_buffer_text(g->out, "if (!set_has(board_empty(FIXED, block), (uint64_t)IR(A))) "
                        "__builtin_unreachable();\n");
}

bool fzi_drawn_move_text(fzi_playout_plan *g, uint32_t at)
{
    unsigned from = FZ_CODE_A(g->p->code[at]), to = FZ_CODE_B(g->p->code[at]);
    uint32_t effect = effect_of(g, at, from), tried = fzi_only_move(g, at);
    if (g->p->layout.stacks || effect == UINT32_MAX ||
        !(all_list(g, effect, from, 0, lists_own) || all_list(g, effect, from, 1, lists_own)))
        return false;
    fzi_buffer_text(g->out, "{ int64_t from = IR(A), to = IR(B);\n");
    if (effect_of(g, at, to) != effect || !all_list(g, effect, to, 0, lists_steps))
        fzi_buffer_text(g->out, "SITE_OR(to, NEXT(MOVE));\n");
    if (tried == UINT32_MAX)
        fzi_note_sites_text(g, at);
    else
        fzi_buffer_format(g->out, "moved_from%1$u = from; moved_to%1$u = to;\n"
                          "moved%1$u = 1u + FZ_BLOCK_AT(FIXED, block, to);\n", tried);
    fzi_buffer_text(g->out, "playout_move_own(block, (uint64_t)from, (uint64_t)to, i0);\n"
                    "if (FIXED->carries && from != to)\n"
                    "fzi_carried_move(m, STATE, (unsigned)from, (unsigned)to);\nNEXT(MOVE); }\n");
    return true;
}
