/* Finds the moves that a playout may try by playing them: the filters are judged on the way, on the
 * state itself, and a copy from before is there to go back to (vm_turn.inc.h, DECIDE, FILTER_BEGIN,
 * FILTER_END). No filter of the choice may be a `keeping`, nothing up to the last FILTER_BEGIN may
 * end, suspend or decide anything, and the filters' code must leave the registers alone that are
 * read after it. */
#include "quiet_effects.h"

typedef struct trials {
    const fz_program *p;
    uint8_t *loud;        /* by function: it may do what a trial must not */
    uint8_t *wanted;      /* by function: live registers are known */
    fzi_live *live;       /* by place of the code */
    uint32_t *seen;       /* by place of the code: the last walk that came there */
    uint32_t *todo;
    uint32_t walks;
    uint64_t *stores;     /* by function */
} trials;

/* It may end, suspend or decide something, or nobody knows. */
static bool is_loud_here(const trials *t, const fz_code *code)
{
    unsigned op = FZ_CODE_OP(*code);
    return fzi_opcode_is(op, FZ_FLAG_OVER | FZ_FLAG_CHANCE | FZ_FLAG_DECIDES | FZ_FLAG_OUTSIDE) ||
           (fzi_opcode_is(op, FZ_FLAG_CALLS) && t->loud[code[1]]);
}

static void find_loud(trials *t)
{
    const fz_program *p = t->p;
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < p->function_count; i++)
            FZI_FOR_INSTRUCTIONS(at, p, &p->functions[i])
                if (!t->loud[i])
                    changed |= t->loud[i] = is_loud_here(t, &p->code[at]);
    }
}

/* ---- ways through the code ---- */

static void come(trials *t, uint32_t *count, uint32_t at)
{
    if (t->seen[at] == t->walks)
        return;
    t->seen[at] = t->walks;
    t->todo[(*count)++] = at;
}

static void come_behind(trials *t, uint32_t *count, uint32_t at)
{
    const fz_code *code = t->p->code + at;
    unsigned op = FZ_CODE_OP(*code);
    int64_t jump = fzi_opcode_jump(code);
    if (jump != FZ_NO_JUMP)
        come(t, count, (uint32_t)jump);
    if (!fzi_opcode_is(op, FZ_FLAG_ENDS))
        come(t, count, at + fzi_opcode_length(op));
}

/* Does the instruction write what is live? */
static bool overwrites(const fz_program *p, uint32_t at, const fzi_live *live)
{
    fzi_live reads = {{0}}, writes = {{0}};
    fzi_live_uses(p, at, &reads, &writes);
    for (unsigned i = 0; i < FZ_LIVE_WORDS; i++)
        if (writes.w[i] & live->w[i])
            return true;
    return false;
}

/* Is the filter's code quiet, and does it write nothing that is live after the FILTER_BEGIN? The
 * verifier has seen that it leads nowhere but to its FILTER_END. */
static bool leaves_alone(const trials *t, uint32_t filter, uint32_t behind)
{
    const fz_program *p = t->p;
    FZI_FOR_CODE (at, p, p->filters[filter].code, fzi_filter_verdict(p, filter))
        if (overwrites(p, at, &t->live[behind]) || is_loud_here(t, &p->code[at]))
            return false;
    return true;
}

/* The FILTER_BEGIN of the outermost filter ends the walk; `judges` receives all on the way. */
static bool effect_is_quiet(trials *t, const fz_option_info *o, uint32_t *judges,
                            unsigned *judge_count)
{
    const fz_program *p = t->p;
    uint32_t outermost = p->filter_lists[o->first_filter + o->filters - 1u], count = 0;
    *judge_count = 0;
    t->walks++;
    come(t, &count, o->effect);
    while (count) {
        uint32_t at = t->todo[--count];
        unsigned op = FZ_CODE_OP(p->code[at]);
        if (is_loud_here(t, &p->code[at]) || (fzi_opcode_is(op, FZ_FLAG_ENDS) && op != FZ_OP_JUMP))
            return false;
        if (op == FZ_OP_FILTER_BEGIN) {
            if (*judge_count == FZ_MAX_PENDING)
                return false;
            judges[(*judge_count)++] = at;
            if (p->code[at + 1] == outermost)
                continue;
        }
        come_behind(t, &count, at);
    }
    return true;
}

static bool option_may(trials *t, const fz_option_info *o)
{
    const fz_program *p = t->p;
    uint32_t judges[FZ_MAX_PENDING], function = p->choices[o->choice].function;
    unsigned count;
    if (!o->filters || !effect_is_quiet(t, o, judges, &count))
        return false;
    if (!t->wanted[function]) {
        t->wanted[function] = 1;
        fzi_live_find(p, function, t->live);
    }
    for (unsigned i = 0; i < count; i++) {
        uint32_t filter = p->code[judges[i] + 1];
        if (!leaves_alone(t, filter, judges[i] + fzi_opcode_length(FZ_OP_FILTER_BEGIN)))
            return false;
    }
    return true;
}

static bool has_keeping(const fz_program *p, const fz_option_info *o)
{
    for (unsigned i = 0; i < o->filters; i++)
        if (p->filters[p->filter_lists[o->first_filter + i]].kind != FZ_FILTER_ENSURING)
            return true;
    return false;
}

static void look_at(trials *t, fz_choice *c, fz_option_info *options)
{
    if (!c->filtered)
        return;
    for (uint32_t i = 0; i < c->options; i++)
        if (has_keeping(t->p, &options[i]))
            return;
    for (uint32_t i = 0; i < c->options; i++) {
        if ((options[i].at_once = option_may(t, &options[i]))) {
            c->at_once = true;
            fzi_quiet_option(t->p, t->stores, t->live, &options[i]);
        }
    }
}

bool fzi_program_find_trials(const fz_program *p, fzi_allocator allocator, fz_choice *choices,
                             fz_option_info *options)
{
    size_t places = p->code_length + 1u, functions = p->function_count + 1u;
    bool any = false;
    for (uint32_t i = 0; i < p->option_count; i++)
        options[i].at_once = options[i].quiet.is = false;
    for (uint32_t i = 0; i < p->choice_count; i++) {
        choices[i].at_once = false;
        any = any || choices[i].filtered;
    }
    if (!any)
        return true;
    trials t = {.p = p,
                .loud = fzi_allocate_zeroed(allocator, functions),
                .wanted = fzi_allocate_zeroed(allocator, functions),
                .live = fzi_allocate_zeroed(allocator, places * sizeof *t.live),
                .seen = fzi_allocate_zeroed(allocator, places * sizeof *t.seen),
                .todo = fzi_allocate(allocator, places * sizeof *t.todo),
                .stores = fzi_allocate_zeroed(allocator, functions * sizeof *t.stores)};
    bool done = t.stores && t.loud && t.wanted && t.live && t.seen && t.todo;
    if (done) {
        find_loud(&t);
        fzi_quiet_functions(p, t.stores);
        for (uint32_t i = 0; i < p->choice_count; i++)
            look_at(&t, &choices[i], options + choices[i].first_option);
    }
    FZI_RELEASE(allocator, t.loud, t.wanted, t.live, t.seen, t.todo, t.stores);
    return done;
}
