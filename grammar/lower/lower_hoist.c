/* Sets that gathering needs more than once (what is empty, what is theirs) and what a loop would work out
 * again for every piece: into registers, once. */
#include "lower_choice.h"
#include "interp/program/opcodes.h"

/* Bindings are in registers of their own, which change from move to move. */
static bool depends_on_binding(const fzi_gather *g, const fzi_ir *core)
{
    if (core->many_free)
        return true;
    for (unsigned i = 0; i < core->free_count; i++) {
        const fzi_local *local = core->free[i];
        if (local->reg < 0 || (!local->is_set && (unsigned)local->reg >= g->base) ||
            (local->is_set && (unsigned)local->reg >= g->shared_sets + FZI_SHARED))
            return true;
    }
    return false;
}

static bool is_shareable(const fzi_gather *g, const fzi_ir *core)
{
    return core->kind == FZI_IR_OP && core->is_set && core->state && !core->chance &&
           !depends_on_binding(g, core);
}

static const fzi_ir *shared(fzi_gather *g, const fzi_ir *core);

/* Parts that others will want too, and that cost more than reading a register. */
static const fzi_ir *share_parts(fzi_gather *g, const fzi_ir *core)
{
    fzi_ir_maker *m = &g->e->lower->maker;
    if (core->kind != FZI_IR_OP || core->arg_count != 2 ||
        (core->op != FZ_OP_SAND && core->op != FZ_OP_SOR && core->op != FZ_OP_SSUB &&
         core->op != FZ_OP_STEP_BACK))
        return core;
    const fzi_ir *parts[2];
    for (unsigned i = 0; i < 2; i++) {
        const fzi_ir *part = core->args[i];
        bool common = part->kind == FZI_IR_OP &&
                      (part->op == FZ_OP_EMPTY || part->op == FZ_OP_OCCUPIED ||
                       (part->op == FZ_OP_OWNED && part->args[0]->kind == FZI_IR_OP));
        parts[i] = common && is_shareable(g, part) ? shared(g, part) : share_parts(g, part);
    }
    return parts[0] == core->args[0] && parts[1] == core->args[1]
               ? core
           : core->op == FZ_OP_STEP_BACK
               ? fzi_ir_opk(m, core->op, parts[0], parts[1], core->k[0], core->k[1])
               : fzi_ir_op(m, core->op, parts[0], parts[1]);
}

static const fzi_ir *shared(fzi_gather *g, const fzi_ir *core)
{
    fzi_ir_maker *m = &g->e->lower->maker;
    for (unsigned i = 0; i < g->shared_count; i++) {
        if (fzi_ir_same(m, g->shared[i].core, core))
            return fzi_ir_local(m, g->shared[i].local);
    }
    if (g->shared_count == FZI_SHARED)
        return core;
    const fzi_ir *value = share_parts(g, core);
    if (g->shared_count == FZI_SHARED)
        return value;
    fzi_local *local = FZI_NEW(g->e->b->arena, fzi_local);
    local->name = "shared";
    local->is_set = true;
    local->reg = (int)(g->shared_sets + g->shared_count);
    fzi_gen_set_to(g->e, value, (unsigned)local->reg);
    g->shared[g->shared_count].core = core;
    g->shared[g->shared_count++].local = local;
    return fzi_ir_local(m, local);
}

/* What may not be needed is shared only if it costs next to nothing; what loops need, if it is simple. */
enum need { NEEDED, LOOPED, MAYBE };
enum { CHEAP = 3, SIMPLE = 12 };

static bool is_simple(const fzi_ir *core)
{
    bool simple = core->kind != FZI_IR_IF && core->kind != FZI_IR_LET && core->kind != FZI_IR_OVER &&
                  core->kind != FZI_IR_CALL;
    if (core->kind == FZI_IR_OP && !fzi_opcode_is(core->op, FZ_FLAG_CHEAP))
        return false;
    for (unsigned i = 0; i < core->arg_count; i++)
        simple = simple && is_simple(core->args[i]);
    return simple;
}

static bool is_worth(const fzi_ir *core, enum need need)
{
    return need == NEEDED || (core->cost <= (need == LOOPED ? SIMPLE : CHEAP) && is_simple(core));
}

static const fzi_ir *share_where(fzi_gather *g, const fzi_ir *core, const fzi_local *x, enum need need);

static const fzi_ir *share_let(fzi_gather *g, const fzi_ir *core, const fzi_local *x, enum need need)
{
    const fzi_ir *value = share_where(g, core->args[0], x, need);
    core->local->reg = -1; /* none yet, whatever other code gave it */
    return fzi_ir_let(&g->e->lower->maker, core->local, value, share_where(g, core->args[1], x, need));
}

static const fzi_ir *share_over(fzi_gather *g, const fzi_ir *core, const fzi_local *x, enum need need)
{
    fzi_binder binders[FZ_MAX_BINDINGS];
    const fzi_ir *parts[2] = {NULL, NULL};
    for (unsigned i = 0; i < core->binder_count; i++) {
        binders[i] = core->binders[i];
        binders[i].local->reg = -1;
    }
    for (unsigned i = 0; i < core->binder_count; i++) {
        binders[i].first = share_where(g, binders[i].first, x, i == 0 ? need : MAYBE);
        if (binders[i].last)
            binders[i].last = share_where(g, binders[i].last, x, i == 0 ? need : MAYBE);
    }
    for (unsigned i = 0; i < 2; i++)
        if (core->args[i])
            parts[i] = share_where(g, core->args[i], x, need == MAYBE ? MAYBE : LOOPED);
    return fzi_ir_over_like(&g->e->lower->maker, core, binders, parts[0], parts[1]);
}

static const fzi_ir *share_where(fzi_gather *g, const fzi_ir *core, const fzi_local *x, enum need need)
{
    fzi_ir_maker *m = &g->e->lower->maker;
    const fzi_ir *args[4] = {NULL, NULL, NULL, NULL};
    if (!core->state || core->arg_count > 4 || core->kind == FZI_IR_CALL || !fzi_uses(g->e->lower, FZ_OPT_SHARED))
        return core;
    if (is_shareable(g, core) && !(x && fzi_ir_mentions(core, x)) && is_worth(core, need))
        return shared(g, core);
    if (core->kind == FZI_IR_LET)
        return share_let(g, core, x, need);
    if (core->kind == FZI_IR_OVER)
        return share_over(g, core, x, need);
    bool changed = false, is_if = core->kind == FZI_IR_IF;
    for (unsigned i = 0; i < core->arg_count; i++) {
        args[i] = share_where(g, core->args[i], x, is_if && i > 0 ? MAYBE : need);
        changed |= args[i] != core->args[i];
    }
    if (!changed)
        return core;
    if (is_if)
        return fzi_ir_if(m, args[0], args[1], args[2]);
    if (core->arg_count > 2)
        return fzi_ir_op4(m, core->op, args[0], args[1], args[2], args[3]);
    if (core->k[0] || core->k[1])
        return fzi_ir_opk(m, core->op, args[0], args[1], core->k[0], core->k[1]);
    return fzi_ir_op(m, core->op, args[0], args[1]);
}

const fzi_ir *fzi_share(fzi_gather *g, const fzi_ir *core, const fzi_local *x)
{
    return share_where(g, core, x, NEEDED);
}
