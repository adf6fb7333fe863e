/* Sets that gathering needs more than once (what is empty, what is theirs) and what a loop would work out
 * again for every piece: into registers, once. */
#include "lower_choice.h"

/* Bindings are in registers of their own, which change from move to move. */
static bool depends_on_binding(const fzi_gather *g, const fzi_core *core)
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

static bool is_shareable(const fzi_gather *g, const fzi_core *core)
{
    return core->kind == FZI_CORE_OP && core->is_set && core->state && !core->chance &&
           !depends_on_binding(g, core);
}

static const fzi_core *shared(fzi_gather *g, const fzi_core *core);

/* Parts that others will want too, and that cost more than reading a register. */
static const fzi_core *share_parts(fzi_gather *g, const fzi_core *core)
{
    fzi_core_maker *m = &g->e->lower->maker;
    if (core->kind != FZI_CORE_OP || core->arg_count != 2 ||
        (core->op != FZ_OP_SAND && core->op != FZ_OP_SOR && core->op != FZ_OP_SSUB &&
         core->op != FZ_OP_STEP_BACK))
        return core;
    const fzi_core *parts[2];
    for (unsigned i = 0; i < 2; i++) {
        const fzi_core *part = core->args[i];
        bool common = part->kind == FZI_CORE_OP &&
                      (part->op == FZ_OP_EMPTY || part->op == FZ_OP_OCCUPIED ||
                       (part->op == FZ_OP_OWNED && part->args[0]->kind == FZI_CORE_OP));
        parts[i] = common && is_shareable(g, part) ? shared(g, part) : share_parts(g, part);
    }
    return parts[0] == core->args[0] && parts[1] == core->args[1]
               ? core
           : core->op == FZ_OP_STEP_BACK
               ? fzi_core_opk(m, core->op, parts[0], parts[1], core->k[0], core->k[1])
               : fzi_core_op(m, core->op, parts[0], parts[1]);
}

static const fzi_core *shared(fzi_gather *g, const fzi_core *core)
{
    fzi_core_maker *m = &g->e->lower->maker;
    for (unsigned i = 0; i < g->shared_count; i++) {
        if (fzi_core_same(m, g->shared[i].core, core))
            return fzi_core_local(m, g->shared[i].local);
    }
    if (g->shared_count == FZI_SHARED)
        return core;
    const fzi_core *value = share_parts(g, core);
    if (g->shared_count == FZI_SHARED)
        return value;
    fzi_local *local = FZI_NEW(g->e->b->arena, fzi_local);
    local->name = "shared";
    local->is_set = true;
    local->reg = (int)(g->shared_sets + g->shared_count);
    fzi_gen_set_to(g->e, value, (unsigned)local->reg);
    g->shared[g->shared_count].core = core;
    g->shared[g->shared_count++].local = local;
    return fzi_core_local(m, local);
}

const fzi_core *fzi_share(fzi_gather *g, const fzi_core *core, const fzi_local *x)
{
    fzi_core_maker *m = &g->e->lower->maker;
    const fzi_core *args[4] = {NULL, NULL, NULL, NULL};
    if (core->kind != FZI_CORE_OP || !core->state || !fzi_uses(g->e->lower, FZ_OPT_SHARED))
        return core;
    if (is_shareable(g, core) && !(x && fzi_core_mentions(core, x)))
        return shared(g, core);
    if (core->arg_count > 4)
        return core;
    bool changed = false;
    for (unsigned i = 0; i < core->arg_count; i++) {
        args[i] = fzi_share(g, core->args[i], x);
        changed |= args[i] != core->args[i];
    }
    if (!changed)
        return core;
    if (core->arg_count > 2)
        return fzi_core_op4(m, core->op, args[0], args[1], args[2], args[3]);
    if (core->k[0] || core->k[1])
        return fzi_core_opk(m, core->op, args[0], args[1], core->k[0], core->k[1]);
    return fzi_core_op(m, core->op, args[0], args[1]);
}
