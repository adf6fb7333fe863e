/* The leaves of a choice's tree: makes them, and generates the instruction that lists the moves of
 * one. gather.c, nested_for.c and prefilter_sources.c call it. */
#include "choices.h"

/* The largest number of leaves of one option of the text; *span: that option. */
static unsigned most_copied(const fzi_gathering *g, fzi_span *span)
{
    unsigned most = 0;
    for (const fzi_leaf *leaf = g->first; leaf; leaf = leaf->next) {
        unsigned copies = 0;
        for (const fzi_leaf *other = leaf; other; other = other->next)
            copies +=
                other->span.source == leaf->span.source && other->span.start == leaf->span.start;
        if (copies > most) {
            most = copies;
            *span = leaf->span;
        }
    }
    return most;
}

/* Reports the error at the choice's own use of a generator. A note shows the option with most
 * leaves. */
static void too_many_options(fzi_gathering *g, const fzi_leaf *leaf)
{
    fzi_diags *diags = g->e->b->game->diags;
    fzi_span span = leaf->span, copied = span;
    if (g->e->b->failed)
        return;
    g->e->b->failed = true;
    for (const fzi_generators *inside = leaf->context.inside; inside; inside = inside->outer)
        span = inside->span;
    fzi_diag *diag = fzi_error(diags, span, FZ_E_TOO_MANY_OPTIONS, FZ_MAX_OPTIONS);
    unsigned copies = most_copied(g, &copied);
    if (copies > 1)
        fzi_note_at(diag, copied, "it contains this option %u times so far", copies);
}

void fzi_mark_option(const fzi_gathering *g, fzi_span span)
{
    if (!g->test && !g->question)
        fzi_mark_rule(g->e->lower, span);
}

fzi_leaf *fzi_gather_leaf(fzi_gathering *g, const fzi_option_context *context,
                          const fzi_node *label, const fzi_node *effect, fzi_span span)
{
    fzi_leaf *leaf = FZI_NEW(g->e->b->arena, fzi_leaf);
    leaf->context = *context;
    leaf->label = label;
    leaf->effect = effect == g->go_node ? NULL : effect;
    leaf->here = g->here;
    leaf->to = g->to;
    leaf->span = span;
    leaf->used = g->e->used;
    leaf->option = g->count++;
    fzi_mark_option(g, span);
    if (g->last)
        g->last->next = leaf;
    else
        g->first = leaf;
    g->last = leaf;
    if (g->count > FZ_MAX_OPTIONS)
        too_many_options(g, leaf);
    return leaf;
}

void fzi_emit_question(fzi_gathering *g, const fzi_leaf *leaf)
{
    for (const fzi_continuation *c = leaf->context.continuations; c; c = c->outer) {
        if (!c->then && c->condition->op != FZ_T_ENSURING) /* it needs the whole list */
            return;
    }
    if (!g->question || !fzi_uses(g->e->lower, FZ_OPT_QUESTIONS))
        return;
    fzi_gen_with(g->e, FZ_OP_CAN_TEST, 0, 0, 0, g->choice);
    fzi_label_use(g->e, &g->found);
}

fzi_leaf *fzi_option_leaf(fzi_gathering *g, fzi_option_context context, const fzi_node *option)
{
    if (option->then_effect)
        context = fzi_add_then(g, context, option->then_effect);
    return fzi_gather_leaf(g, &context, option->label, option->effect, option->span);
}

void fzi_emit_option(fzi_gathering *g, fzi_leaf *leaf)
{
    if (g->test) {
        fzi_gen_jump(g->e, &g->found);
        return;
    }
    fzi_gen_with(g->e, FZ_OP_EMIT, 0, 0, 0, leaf->option);
    fzi_emit_question(g, leaf);
}

void fzi_emit_inner_for(fzi_gathering *g, fzi_leaf *leaf, const fzi_binder *binder)
{
    fzi_codegen *e = g->e;
    fzi_ir_maker *m = &e->lower->maker;
    fzi_registers used = e->used;
    const fzi_ir *domain = binder->first;
    bool range = binder->domain == FZI_DOMAIN_RANGE;
    bool small = range && domain->kind == FZI_IR_INT && binder->last->kind == FZI_IR_INT &&
                 domain->value >= 0 && binder->last->value < 64;
    if (range && !small) {
        fzi_loop loop;
        fzi_loop_begin(e, &loop, binder, (unsigned)binder->local->reg);
        fzi_emit_option(g, leaf);
        fzi_loop_end(e, &loop);
    } else {
        if (small)
            domain = fzi_ir_op(m, FZ_OP_MRANGE, domain, binder->last);
        domain = fzi_hoist_set(g, fzi_fold_to_table(e->lower, domain), NULL);
        bool is_set = binder->domain == FZI_DOMAIN_SITES;
        unsigned reg = fzi_gen_value(e, domain);
        if (g->test) {
            fzi_gen_jump_if(e, is_set ? FZ_OP_JSSOME : FZ_OP_JTRUE, reg, 0, &g->found);
        } else {
            fzi_gen_with(e, is_set ? FZ_OP_EMIT_SET : FZ_OP_EMIT_MASK, reg, 0, 0, leaf->option);
            fzi_emit_question(g, leaf);
        }
    }
    e->used = used;
}
