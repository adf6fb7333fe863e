/* Adds `ensuring` and `keeping` to the way from a choice to its options. lower_effect.c generates
 * the code of their conditions. */
#include "lower_filter.h"

#include "constant_tables.h"
#include "lower_choice.h"
#include "lower_limit.h"

static uint8_t filter_kind(int op)
{
    return op == FZ_T_ENSURING ? FZ_FILTER_ENSURING
           : op == FZ_T_MAX    ? FZ_FILTER_KEEP_MAX
                               : FZ_FILTER_KEEP_MIN;
}

/* What is true whatever happens filters nothing: trying moves for it would cost and change
 * nothing. */
static bool is_idle(fzi_gather *g, fzi_view view, const fzi_node *filter)
{
    fzi_lower *lw = g->e->lower;
    return filter->op == FZ_T_ENSURING &&
           fzi_ir_is_int(fzi_tabulate(lw, fzi_expr(lw, view, filter->condition)), 1);
}

/* Bounds that depend on the state are computed before the effect changes it. */
static fzi_way way_bounds(fzi_gather *g, fzi_way way, const fzi_node *filter, fzi_closer *closer)
{
    fzi_lower *lw = g->e->lower;
    for (const fzi_node *bound = filter->limits; bound && closer->bound_count < FZ_MAX_KEYS;
         bound = bound->next)
        closer->bounds[closer->bound_count++] =
            fzi_way_value(g, &way, fzi_expr(lw, way.view, bound), lw->game->type_int);
    return way;
}

const fzi_node *fzi_filter_values(const fzi_node *filter)
{
    return filter->op == FZ_T_ENSURING ? filter->condition : filter->keys;
}

/* `ensuring` is judged before `keeping`, so it lies further in. */
fzi_way fzi_way_filters(fzi_gather *g, fzi_way way, const fzi_node *filters, bool own)
{
    fzi_build *b = g->e->b;
    for (int keeping = 1; keeping >= 0; keeping--) {
        for (const fzi_node *f = filters; f; f = f->next) {
            if ((f->op != FZ_T_ENSURING) != keeping || is_idle(g, way.view, f))
                continue;
            unsigned keys = (unsigned)fzi_list_length(fzi_filter_values(f));
            fzi_at_most(b->game, f->span, "this", keys, "keys", FZ_MAX_KEYS);
            fz_filter filter = {.choice = g->choice, .kind = filter_kind(f->op),
                                .keys = (uint8_t)keys, .bounded = f->limits != NULL};
            fzi_closer *closer = FZI_NEW(b->arena, fzi_closer);
            closer->outer = way.closers;
            closer->view = way.view;
            closer->condition = f;
            closer->own = own;
            closer->filter = fzi_array_add(b, &b->filters, &filter);
            way = way_bounds(g, way, f, closer);
            way.closers = closer;
            g->filtered = true;
        }
    }
    return way;
}

const fzi_closer *fzi_keeping_of(const fzi_closer *closers, const fzi_node *filters)
{
    for (const fzi_node *f = filters; f; f = f->next) {
        if (f->op == FZ_T_ENSURING)
            continue;
        while (closers && closers->condition != f)
            closers = closers->outer;
        return closers;
    }
    return NULL;
}

void fzi_own_filters(fzi_gather *g, const fzi_closer *closers)
{
    fzi_build *b = g->e->b;
    fz_choice *choice = FZI_ITEM(b->choices, fz_choice, g->choice);
    choice->filter = (uint32_t)b->filter_lists.count;
    for (const fzi_closer *c = closers; c; c = c->outer) {
        fzi_array_add(b, &b->filter_lists, &c->filter);
        choice->filters++;
    }
}

void fzi_gather_ask(fzi_gather *g, const fzi_leaf *leaf)
{
    for (const fzi_closer *c = leaf->way.closers; c; c = c->outer) {
        if (!c->then && c->condition->op != FZ_T_ENSURING) /* it needs the whole list */
            return;
    }
    if (!g->question || !fzi_uses(g->e->lower, FZ_OPT_QUESTIONS))
        return;
    fzi_gen(g->e, FZ_OP_CAN_TEST, 0, 0, 0);
    fzi_gen_word(g->e, g->choice);
    fzi_label_use(g->e, &g->found);
}
