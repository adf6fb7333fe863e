/* Chains that reach a goal, in the C of whole games: FLOOD whose set is only compared with constant
 * goals (`flood(last_to, mine) & side(1) != {}`). For each goal and player, what is connected to it
 * is kept; a new stone adds to it. For generate_playout.c. */
#include "generate_playout.h"

#include "interp/board/topology.h"
#include "interp/support/words.h"
#include "operands.h"

static unsigned op_at(const fzi_playout_plan *g, uint32_t at)
{
    return FZ_CODE_OP(g->p->code[at]);
}

/* The other set that the instruction compares with this one, if it is a constant one. */
static bool asks(const fzi_playout_plan *g, uint32_t at, unsigned set, unsigned *goal)
{
    unsigned a = FZ_CODE_A(g->p->code[at]), b = FZ_CODE_B(g->p->code[at]);
    uint32_t before = fzi_plan_before(g, at);
    if (op_at(g, at) != FZ_OP_JSAPART || a == b || (a != set && b != set) || before == UINT32_MAX)
        return false;
    unsigned op = op_at(g, before);
    *goal = a == set ? b : a;
    return (op == FZ_OP_SROW || op == FZ_OP_STABLE || op == FZ_OP_STABLE2) &&
           FZ_CODE_A(g->p->code[before]) == *goal;
}

/* May the register be read where the instruction jumps to? */
static bool lives_on(const fzi_playout_plan *g, uint32_t at, unsigned set)
{
    const char *more = fzi_opcode_extension(op_at(g, at));
    for (unsigned i = 0; more[i]; i++)
        if (more[i] == 'J' && fzi_live_set(&g->live[g->p->code[at + 1 + i]], set))
            return true;
    return false;
}

/* Is all that is asked about the FLOOD's set whether it meets goals? */
static bool is_asked(const fzi_playout_plan *g, uint32_t flood)
{
    const fz_function *f = fzi_program_function_at(g->p, flood);
    unsigned set = FZ_CODE_A(g->p->code[flood]), goal, count = 0;
    for (uint32_t at = flood + fzi_opcode_length(FZ_OP_FLOOD); at < f->end;
         at += fzi_opcode_length(op_at(g, at))) {
        fzi_live reads = {0}, writes = {0};
        if (fzi_plan_before(g, at) == UINT32_MAX)
            return count && !fzi_live_set(&g->live[at], set);
        fzi_live_uses(g->p, at, &reads, &writes);
        if (fzi_live_set(&reads, set) && !asks(g, at, set, &goal))
            return false;
        count += fzi_live_set(&reads, set);
        if (fzi_live_set(&writes, set))
            return count;
        if (lives_on(g, at, set))
            return false;
    }
    return count;
}

/* The FLOOD whose set the instruction asks about; UINT32_MAX: there is none, or more is asked. */
static uint32_t flood_of(const fzi_playout_plan *g, uint32_t at, unsigned *goal)
{
    unsigned regs[] = {FZ_CODE_A(g->p->code[at]), FZ_CODE_B(g->p->code[at])};
    for (unsigned i = 0; i < 2 && g->both_ways && !g->counting; i++) {
        if (!asks(g, at, regs[i], goal))
            continue;
        for (uint32_t from = fzi_plan_before(g, at); from != UINT32_MAX;
             from = fzi_plan_before(g, from)) {
            fzi_live reads = {0}, writes = {0};
            fzi_live_uses(g->p, from, &reads, &writes);
            if (fzi_live_set(&writes, regs[i]))
                return op_at(g, from) == FZ_OP_FLOOD && is_asked(g, from) ? from : UINT32_MAX;
        }
    }
    return UINT32_MAX;
}

/* How many questions stand before the place. */
static uint32_t questions(const fzi_playout_plan *g, uint32_t place)
{
    uint32_t count = 0;
    unsigned goal;
    for (uint32_t i = 0; i < g->p->function_count; i++)
        FZI_FOR_INSTRUCTIONS(at, g->p, &g->p->functions[i])
            count += g->seen[i] && at < place && op_at(g, at) == FZ_OP_JSAPART &&
                     flood_of(g, at, &goal) != UINT32_MAX;
    return count;
}

static bool leads_back(const fzi_topology *t, const uint64_t *around)
{
    bool back = true;
    for (unsigned a = 0; a < t->site_count; a++)
        FZI_FOR_SITES(b, around + (size_t)a * t->words, t->words)
            back = back && fzi_words_has(around + (size_t)b * t->words, a);
    return back;
}

void fzi_reaches_plan(fzi_playout_plan *g)
{
    const fzi_topology *t = g->p->topology;
    g->both_ways = leads_back(t, t->around[0]) && leads_back(t, t->around[1]);
    fzi_define_number(g->out, "PLAYOUT_REACHES",
                      questions(g, g->p->code_length) * g->p->player_count);
}

void fzi_reaches_locals(fzi_playout_plan *g, const fz_function *f)
{
    FZI_FOR_INSTRUCTIONS(at, g->p, f)
        if (op_at(g, at) == FZ_OP_FLOOD && g->both_ways && !g->counting && is_asked(g, at))
            fzi_buffer_format(g->out, "fzi_set from%u = set_none(), within%u = set_none();\n"
                              "uint64_t dirs%u = 0;\n", at, at, at);
}

bool fzi_reaches_text(fzi_playout_plan *g, uint32_t at)
{
    unsigned goal;
    if (op_at(g, at) == FZ_OP_FLOOD) {
        if (!g->both_ways || g->counting || !is_asked(g, at))
            return false;
        fzi_buffer_format(g->out, "(void)SPEND(PROG->board.site_count / 16);\nfrom%u = SR(B); "
                          "within%u = SR(C); dirs%u = (uint64_t)IR(BYTE(0)) & FIXED->dir_mask;\n"
                          "NEXT(FLOOD);\n", at, at, at);
        return true;
    }
    uint32_t flood = flood_of(g, at, &goal);
    if (flood == UINT32_MAX)
        return false;
    fzi_buffer_format(g->out,
                      "AHEAD_IF(JSAPART, !playout_reaches(d->reaches + %u + H->mover, dirs%u, "
                      "from%u, within%u, s%u), X(1));\n",
                      questions(g, at) * g->p->player_count, flood, flood, flood, goal);
    return true;
}
