/* Turns conditions of options into sets: the members that pass are listed as one set, and a loop
 * runs only over members for which the conditions further in can hold. gather.c calls it. */
#include "choices.h"

const fzi_node *fzi_quant_parts(const fzi_node *quant)
{
    if (!quant)
        return NULL;
    return quant->kind == N_Q_FOR   ? quant->binders
           : quant->kind == N_Q_LET ? quant->bindings
                                    : NULL;
}

/* ---- the conditions that follow a binder ---- */

static const fzi_ir *conditions_of(fzi_lower *lw, fzi_view view, const fzi_node *quant);

static const fzi_ir *conditions_of_let(fzi_lower *lw, fzi_view view, const fzi_node *quant)
{
    fzi_ir_maker *m = &lw->maker;
    fzi_local *locals[FZ_MAX_BINDINGS];
    const fzi_ir *values[FZ_MAX_BINDINGS];
    unsigned count = 0;
    for (const fzi_node *bound = quant->bindings; bound; bound = bound->next, count++) {
        if (count == FZ_MAX_BINDINGS)
            return NULL;
        values[count] = fzi_value_as(lw, view, bound->value, bound->symbol->type);
        locals[count] = fzi_local_new(lw, bound->symbol->name, bound->symbol->type);
        bool plain = fzi_is_substitutable(values[count]);
        view = fzi_view_bind(lw, view, bound->symbol,
                             plain ? values[count] : fzi_ir_local(m, locals[count]));
    }
    const fzi_ir *rest = conditions_of(lw, view, quant->next);
    while (rest && count-- > 0)
        rest = fzi_ir_let(m, locals[count], values[count], rest);
    return rest;
}

/* The condition that the quantifiers from `quant` on state, with their `let`s; NULL: there are
 * other quantifiers. */
static const fzi_ir *conditions_of(fzi_lower *lw, fzi_view view, const fzi_node *quant)
{
    fzi_ir_maker *m = &lw->maker;
    if (!quant)
        return fzi_ir_int(m, 1);
    if (quant->kind == N_Q_IF) {
        const fzi_ir *rest = conditions_of(lw, view, quant->next);
        return rest ? fzi_ir_and(m, fzi_elaborate(lw, view, quant->condition), rest) : NULL;
    }
    if (quant->kind == N_Q_LET)
        return conditions_of_let(lw, view, quant);
    return NULL;
}

/* ---- whether something further in can pass ---- */

/* These functions answer true where nothing is known. `inside`: nesting of generators. */
enum { MAX_GENERATORS = 4 };
static const fzi_ir *passes_further(fzi_lower *lw, fzi_view view, const fzi_node *option,
                                    const fzi_node *quant, const fzi_node *part, unsigned inside);

/* Can a move of a generator's or a group's options pass? */
static const fzi_ir *passes_some(fzi_lower *lw, fzi_view view, const fzi_node *options,
                                 unsigned inside)
{
    const fzi_ir *some = fzi_ir_int(&lw->maker, 0);
    for (const fzi_node *option = options; option; option = option->next)
        some = fzi_ir_or(&lw->maker, some, passes_further(lw, view, option, NULL, NULL, inside));
    return some;
}

static const fzi_ir *passes_body(fzi_lower *lw, fzi_view view, const fzi_node *body,
                                 unsigned inside)
{
    const fzi_symbol *symbol = body->symbol;
    if (body->kind == N_GROUP)
        return passes_some(lw, view, body->options, inside);
    if (body->kind != N_GENERATOR || symbol->kind != FZI_SYM_MOVES || inside == MAX_GENERATORS)
        return fzi_ir_int(&lw->maker, 1);
    fzi_view inner = {NULL, view.me};
    unsigned i = 0;
    for (const fzi_node *a = body->arguments; a && i < symbol->param_count; a = a->next, i++) {
        const fzi_ir *value = fzi_value_as(lw, view, a, symbol->params[i]->type);
        if (fzi_ir_may_fail(value)) /* the error occurs at the call, before all conditions */
            return fzi_ir_int(&lw->maker, 1);
        inner = fzi_view_bind(lw, inner, symbol->params[i], value);
    }
    return passes_some(lw, inner, symbol->node->options, inside + 1);
}

/* Can a move of the option pass, from `part` of `quant` on? */
static const fzi_ir *passes_further(fzi_lower *lw, fzi_view view, const fzi_node *option,
                                    const fzi_node *quant, const fzi_node *part, unsigned inside)
{
    fzi_ir_maker *m = &lw->maker;
    if (!part) {
        quant = quant ? quant->next : option->quants;
        if (!quant)
            return passes_body(lw, view, option->effect, inside);
        if (quant->kind == N_Q_IF)
            return fzi_ir_and(m, fzi_elaborate(lw, view, quant->condition),
                              passes_further(lw, view, option, quant, NULL, inside));
        if (quant->kind != N_Q_FOR && quant->kind != N_Q_LET)
            return fzi_ir_int(m, 1);
        part = fzi_quant_parts(quant);
    }
    fzi_local *local = fzi_local_new(lw, part->symbol->name, part->symbol->type);
    const fzi_ir *own = fzi_ir_local(m, local);
    if (quant->kind == N_Q_LET) {
        const fzi_ir *value = fzi_value_as(lw, view, part->value, part->symbol->type);
        if (!fzi_is_substitutable(value)) /* nothing is known of it */
            return fzi_ir_int(m, 1);
        return passes_further(lw, fzi_view_bind(lw, view, part->symbol, value), option, quant,
                              part->next, inside);
    }
    local->may_be_absent = false;
    fzi_binder binder = fzi_binder_make(lw, view, part->set, local);
    fzi_view inner = fzi_view_bind(lw, view, part->symbol, own);
    const fzi_ir *passes = passes_further(lw, inner, option, quant, part->next, inside);
    return fzi_ir_aggregate(m, FZI_AGG_ANY, &binder, 1, NULL, passes, false, 0);
}

/* ---- as sets ---- */

/* All sites x for which the condition holds. If there may be others in the set, `exact` becomes
 * false. NULL: nothing is known, or evaluating the set could add or drop an error. */
static const fzi_ir *where(fzi_lower *lw, const fzi_ir *ir, const fzi_local *x, bool *exact)
{
    fzi_ir_maker *m = &lw->maker;
    fzi_shifts shape;
    if (!fzi_ir_mentions(ir, x) || ir->chance)
        return NULL;
    if (ir->kind == FZI_IR_IF && fzi_ir_is_int(ir->args[2], 0)) {
        const fzi_ir *a = where(lw, ir->args[0], x, exact);
        const fzi_ir *b = fzi_ir_may_fail(ir->args[0]) ? NULL : where(lw, ir->args[1], x, exact);
        *exact = *exact && a && b;
        return !a ? b : !b ? a : fzi_ir_op(m, FZ_OP_SAND, a, b);
    }
    if (ir->kind == FZI_IR_IF && fzi_ir_is_int(ir->args[1], 1)) {
        const fzi_ir *a = where(lw, ir->args[0], x, exact), *b = where(lw, ir->args[2], x, exact);
        return a && b ? fzi_ir_op(m, FZ_OP_SOR, a, b) : NULL;
    }
    if (ir->kind == FZI_IR_AGG && ir->op == FZI_AGG_ANY && ir->binder_count == 1 && !ir->args[0]) {
        fzi_binder binder = ir->binders[0];
        const fzi_ir *set = where(lw, ir->args[1], x, exact);
        if (!set || fzi_ir_mentions(binder.first, x) ||
            (binder.last && fzi_ir_mentions(binder.last, x)) || fzi_ir_may_fail(binder.first) ||
            (binder.last && fzi_ir_may_fail(binder.last)))
            return NULL;
        return fzi_ir_aggregate(m, FZI_AGG_UNION, &binder, 1, NULL, set, true, 0);
    }
    if (!fzi_ir_is_op(ir, FZ_OP_SHAS) || fzi_ir_mentions(ir->args[1], x) ||
        fzi_ir_may_fail(ir->args[1]))
        return NULL;
    const fzi_ir *site = fzi_fold_to_table(lw, ir->args[0]);
    if (site->kind == FZI_IR_LOCAL)
        return ir->args[1];
    return fzi_shape_of_entry(lw, site, x, &shape) ? fzi_shape_back(lw, &shape, ir->args[1]) : NULL;
}

unsigned fzi_prefilter_sources(fzi_gathering *g, fzi_view view, const fzi_node *option,
                               const fzi_node *quant, const fzi_node *node, fzi_binder *binder,
                               fzi_label *none)
{
    fzi_lower *lw = g->e->lower;
    bool exact = true;
    fzi_local *x = fzi_present_local(lw, node->symbol->name, node->symbol->type);
    fzi_view inner = fzi_view_bind(lw, view, node->symbol, fzi_ir_local(&lw->maker, x));
    const fzi_ir *can = passes_further(lw, inner, option, quant, node->next, 0);
    const fzi_ir *set = can ? where(lw, can, x, &exact) : NULL;
    binder->first = fzi_hoist_set(g, binder->first, NULL);
    unsigned hoisted = g->hoisted_count;
    if (!set)
        return hoisted;
    unsigned from = fzi_gen_value(g->e, binder->first);
    fzi_local *whole = FZI_NEW(lw->build.arena, fzi_local);
    *whole = (fzi_local){.name = "from", .is_set = true, .reg = (int)from};
    fzi_gen_jump_if(g->e, FZ_OP_JSNONE, from, 0, none);
    set = fzi_hoist_set(g, fzi_fold_to_table(lw, set), NULL);
    binder->first = fzi_ir_op(&lw->maker, FZ_OP_SAND, fzi_ir_local(&lw->maker, whole), set);
    return hoisted;
}

/* ---- members that pass ---- */

bool fzi_emit_passing(fzi_gathering *g, fzi_option_context context, const fzi_node *option,
                      const fzi_node *quant, const fzi_node *node)
{
    fzi_lower *lw = g->e->lower;
    if (node->next || !quant->next || g->test || option->effect->kind == N_GENERATOR ||
        option->effect->kind == N_GROUP)
        return false;
    fzi_view outer = context.view;
    fzi_local *tried = fzi_local_new(lw, node->symbol->name, node->symbol->type), *local;
    tried->may_be_absent = false;
    fzi_binder binder = fzi_binder_make(lw, outer, node->set, tried);
    if (binder.domain == FZI_DOMAIN_RANGE)
        return false;
    const fzi_ir *own = fzi_ir_local(&lw->maker, tried);
    const fzi_ir *condition =
        conditions_of(lw, fzi_view_bind(lw, outer, node->symbol, own), quant->next);
    if (!condition || condition->chance)
        return false;
    condition = fzi_fold_to_table(lw, condition);
    if (fzi_ir_is_int(condition, 0))
        return true;
    bool sites = binder.domain == FZI_DOMAIN_SITES;
    bool exact = true;
    const fzi_ir *set = sites ? where(lw, condition, tried, &exact) : NULL;
    if (set)
        binder.first = fzi_ir_op(&lw->maker, FZ_OP_SAND, binder.first, set);
    const fzi_ir *passing = set && exact ? binder.first
                                         : fzi_ir_aggregate(&lw->maker, FZI_AGG_FILTER, &binder, 1,
                                                            condition, NULL, sites, 0);
    fzi_registers used = g->e->used;
    context = fzi_bind_loop(g, context, node->symbol, &local);
    fzi_leaf *leaf = fzi_option_leaf(g, fzi_bind_after_last(g, context, quant), option);
    binder.local = local;
    binder.first = passing;
    fzi_emit_inner_for(g, leaf, &binder);
    g->e->used = used;
    return true;
}
