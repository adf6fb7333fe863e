/* Does a program remember the latest move beyond its turn? Only then are last_from and last_to part
 * of a position. A forward analysis over the functions that a game runs: at each instruction, has
 * the turn's own latest move been noted (SET_LAST_MOVE) on every way to it? Where LAST stands
 * elsewhere, it reads an earlier turn's. */

#include <string.h>

#include "data_flow.h"

enum { UNKNOWN, FRESH, OLD }; /* of ways that meet, the greater holds */

typedef struct ages {
    const fz_program *p;
    uint8_t *before;      /* by instruction */
    uint8_t *leaves;      /* by function: at its ends */
    uint8_t turn_ends;    /* at every STOP, and where the turn's function ends */
    bool changed;
} ages;

static void meet(ages *g, uint8_t *there, uint8_t age)
{
    if (age > *there) {
        *there = age;
        g->changed = true;
    }
}

static void enter(ages *g, int32_t function, uint8_t age)
{
    if (function >= 0)
        meet(g, &g->before[g->p->functions[function].start], age);
}

/* A choice leads to the effects and labels of its options; a filter's code runs when a move is
 * tried. */
static void further_ways(ages *g, const fz_code *code, uint8_t age)
{
    const fz_program *p = g->p;
    unsigned op = FZ_CODE_OP(*code);
    if (fzi_opcode_is(op, FZ_FLAG_JUDGES))
        meet(g, &g->before[p->filters[code[1]].code], FRESH);
    if (!fzi_opcode_is(op, FZ_FLAG_OPENS))
        return;
    for (uint32_t i = 0; i < p->option_count; i++) {
        if (p->options[i].choice != code[1])
            continue;
        meet(g, &g->before[p->options[i].effect], age);
        meet(g, &g->before[p->options[i].label], age);
        meet(g, &g->before[p->options[i].shown], age);
    }
}

static void step(ages *g, uint32_t function, uint32_t at)
{
    const fz_code *code = g->p->code + at;
    unsigned op = FZ_CODE_OP(*code);
    const char *more = fzi_opcode_extension(op);
    uint8_t age = g->before[at];
    if (fzi_opcode_is(op, FZ_FLAG_CALLS)) {
        enter(g, (int32_t)code[1], age);
        uint8_t after = g->leaves[code[1]]; /* UNKNOWN: no way back is known yet */
        if (after && age == FRESH)
            after = FRESH; /* whatever it is elsewhere: no call forgets a move */
        if (op == FZ_OP_TAILCALL)
            meet(g, &g->leaves[function], after);
        else if (after)
            meet(g, &g->before[at + fzi_opcode_length(op)], after);
        return;
    }
    if (op == FZ_OP_SET_LAST_MOVE)
        age = FRESH;
    if (fzi_opcode_is(op, FZ_FLAG_RETURNS))
        meet(g, &g->leaves[function], age);
    if (op == FZ_OP_STOP)
        meet(g, &g->turn_ends, age);
    for (uint32_t i = 0; more[i]; i++)
        if (more[i] == 'J')
            meet(g, &g->before[code[1 + i]], age);
    further_ways(g, code, age);
    if (!fzi_opcode_is(op, FZ_FLAG_ENDS))
        meet(g, &g->before[at + fzi_opcode_length(op)], age);
}

static void spread(ages *g)
{
    const fz_program *p = g->p;
    enter(g, p->setup, OLD);
    enter(g, p->turn, OLD);
    enter(g, p->unseen, OLD);
    enter(g, p->invisible, OLD);
    enter(g, p->owned, OLD);
    enter(g, p->payoff, OLD);
    for (uint32_t i = 0; i < p->shown_count; i++)
        enter(g, (int32_t)p->shown[i].function, OLD);
    do {
        g->changed = false;
        for (uint32_t i = 0; i < p->function_count; i++) {
            const fz_function *f = &p->functions[i];
            FZI_FOR_INSTRUCTIONS(at, p, f)
                if (g->before[at])
                    step(g, i, at);
        }
        if (p->turn >= 0)
            meet(g, &g->turn_ends, g->leaves[p->turn]);
        enter(g, p->end, g->turn_ends);
        enter(g, p->limit, g->turn_ends);
    } while (g->changed);
}

bool fzi_program_find_last(const fz_program *p, fzi_allocator allocator, uint8_t *reads)
{
    ages g = {.p = p, .before = fzi_allocate(allocator, p->code_length + 1),
              .leaves = fzi_allocate(allocator, p->function_count + 1)};
    bool done = g.before && g.leaves;
    *reads = 0;
    if (done) {
        memset(g.before, UNKNOWN, p->code_length + 1);
        memset(g.leaves, UNKNOWN, p->function_count + 1);
        spread(&g);
    }
    for (uint32_t i = 0; done && i < p->function_count; i++) {
        const fz_function *f = &p->functions[i];
        FZI_FOR_INSTRUCTIONS(at, p, f)
            *reads |= FZ_CODE_OP(p->code[at]) == FZ_OP_LAST && g.before[at] == OLD;
    }
    fzi_release(allocator, g.before);
    fzi_release(allocator, g.leaves);
    return done;
}
