/* Hoists sets out of gathering: sets that are needed more than once (`empty`, `theirs`), or that a
 * loop would compute again for every piece, are computed once, into registers. */
#include "choices.h"

#include "interp/program/opcodes.h"

/* Registers of bindings change from move to move. */
static bool depends_on_binding(const fzi_gathering *g, const fzi_ir *ir)
{
    if (ir->many_free)
        return true;
    for (unsigned i = 0; i < ir->free_count; i++) {
        const fzi_local *local = ir->free[i];
        if (local->reg < 0 || (!local->is_set && (unsigned)local->reg >= g->base) ||
            (local->is_set && (unsigned)local->reg >= g->hoisted_sets + FZ_MAX_HOISTED))
            return true;
    }
    return false;
}

static bool is_hoistable(const fzi_gathering *g, const fzi_ir *ir)
{
    return ir->kind == FZI_IR_OP && ir->is_set && ir->state && !ir->chance &&
           !depends_on_binding(g, ir);
}

static const fzi_ir *hoisted(fzi_gathering *g, const fzi_ir *ir);

/* Hoists parts that other sets probably share. */
static const fzi_ir *hoist_parts(fzi_gathering *g, const fzi_ir *ir)
{
    fzi_ir_maker *m = &g->e->lower->maker;
    if (ir->kind != FZI_IR_OP || ir->arg_count != 2 ||
        (ir->op != FZ_OP_SAND && ir->op != FZ_OP_SOR && ir->op != FZ_OP_SSUB &&
         ir->op != FZ_OP_STEP_BACK))
        return ir;
    const fzi_ir *parts[2];
    for (unsigned i = 0; i < 2; i++) {
        const fzi_ir *part = ir->args[i];
        bool common = part->kind == FZI_IR_OP &&
                      (part->op == FZ_OP_EMPTY || part->op == FZ_OP_OCCUPIED ||
                       (part->op == FZ_OP_OWNED && part->args[0]->kind == FZI_IR_OP));
        parts[i] = common && is_hoistable(g, part) ? hoisted(g, part) : hoist_parts(g, part);
    }
    return parts[0] == ir->args[0] && parts[1] == ir->args[1]
               ? ir
           : ir->op == FZ_OP_STEP_BACK
               ? fzi_ir_opk(m, ir->op, parts[0], parts[1], ir->k[0], ir->k[1])
               : fzi_ir_op(m, ir->op, parts[0], parts[1]);
}

static const fzi_ir *hoisted(fzi_gathering *g, const fzi_ir *ir)
{
    fzi_ir_maker *m = &g->e->lower->maker;
    for (unsigned i = 0; i < g->hoisted_count; i++) {
        if (fzi_ir_same(m, g->hoisted[i].ir, ir))
            return fzi_ir_local(m, g->hoisted[i].local);
    }
    if (g->hoisted_count == FZ_MAX_HOISTED)
        return ir;
    const fzi_ir *value = hoist_parts(g, ir);
    if (g->hoisted_count == FZ_MAX_HOISTED)
        return value;
    fzi_local *local = FZI_NEW(g->e->b->arena, fzi_local);
    local->name = "shared";
    local->is_set = true;
    local->reg = (int)(g->hoisted_sets + g->hoisted_count);
    fzi_gen_to(g->e, value, (unsigned)local->reg);
    g->hoisted[g->hoisted_count].ir = ir;
    g->hoisted[g->hoisted_count++].local = local;
    return fzi_ir_local(m, local);
}

/* When is the value needed: always, in a loop, or perhaps never? The less certain, the cheaper it
 * must be to be hoisted. */
enum need { NEEDED, LOOPED, MAYBE };
enum { CHEAP = 3, SIMPLE = 12 };

static bool is_simple(const fzi_ir *ir)
{
    bool simple = ir->kind != FZI_IR_IF && ir->kind != FZI_IR_LET && ir->kind != FZI_IR_AGG &&
                  ir->kind != FZI_IR_CALL;
    if (ir->kind == FZI_IR_OP && !fzi_opcode_is(ir->op, FZ_FLAG_CHEAP))
        return false;
    for (unsigned i = 0; i < ir->arg_count; i++)
        simple = simple && is_simple(ir->args[i]);
    return simple;
}

static bool is_worth(const fzi_ir *ir, enum need need)
{
    return need == NEEDED || (ir->cost <= (need == LOOPED ? SIMPLE : CHEAP) && is_simple(ir));
}

static const fzi_ir *hoist_where(fzi_gathering *g, const fzi_ir *ir, const fzi_local *x,
                                 enum need need);

static const fzi_ir *hoist_let(fzi_gathering *g, const fzi_ir *ir, const fzi_local *x,
                               enum need need)
{
    const fzi_ir *value = hoist_where(g, ir->args[0], x, need);
    ir->local->reg = -1; /* forget the register of other code */
    return fzi_ir_let(&g->e->lower->maker, ir->local, value, hoist_where(g, ir->args[1], x, need));
}

static const fzi_ir *hoist_aggregate(fzi_gathering *g, const fzi_ir *ir, const fzi_local *x,
                                     enum need need)
{
    fzi_binder binders[FZ_MAX_BINDINGS];
    const fzi_ir *parts[2] = {NULL, NULL};
    for (unsigned i = 0; i < ir->binder_count; i++) {
        binders[i] = ir->binders[i];
        binders[i].local->reg = -1;
    }
    for (unsigned i = 0; i < ir->binder_count; i++) {
        binders[i].first = hoist_where(g, binders[i].first, x, i == 0 ? need : MAYBE);
        if (binders[i].last)
            binders[i].last = hoist_where(g, binders[i].last, x, i == 0 ? need : MAYBE);
    }
    for (unsigned i = 0; i < 2; i++)
        if (ir->args[i])
            parts[i] = hoist_where(g, ir->args[i], x, need == MAYBE ? MAYBE : LOOPED);
    return fzi_ir_aggregate_like(&g->e->lower->maker, ir, binders, parts[0], parts[1]);
}

static const fzi_ir *hoist_where(fzi_gathering *g, const fzi_ir *ir, const fzi_local *x,
                                 enum need need)
{
    const fzi_ir *args[4] = {NULL, NULL, NULL, NULL};
    if (!ir->state || ir->arg_count > 4 || ir->kind == FZI_IR_CALL ||
        !fzi_uses(g->e->lower, FZ_OPT_SHARED))
        return ir;
    if (is_hoistable(g, ir) && !(x && fzi_ir_mentions(ir, x)) && is_worth(ir, need))
        return hoisted(g, ir);
    if (ir->kind == FZI_IR_LET)
        return hoist_let(g, ir, x, need);
    if (ir->kind == FZI_IR_AGG)
        return hoist_aggregate(g, ir, x, need);
    bool changed = false, is_if = ir->kind == FZI_IR_IF;
    for (unsigned i = 0; i < ir->arg_count; i++) {
        args[i] = hoist_where(g, ir->args[i], x, is_if && i > 0 ? MAYBE : need);
        changed |= args[i] != ir->args[i];
    }
    if (!changed)
        return ir;
    return fzi_ir_with(&g->e->lower->maker, ir, args);
}

const fzi_ir *fzi_hoist_set(fzi_gathering *g, const fzi_ir *ir, const fzi_local *x)
{
    return hoist_where(g, ir, x, NEEDED);
}
