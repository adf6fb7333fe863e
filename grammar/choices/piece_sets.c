/* The sets of pieces' items: where an item leads, and on which sites. gather.c lists moves with
 * them, attacks.c reverses them, and coverage asks for them item by item. */
#include "choices.h"

const fzi_ir *fzi_item_set(fzi_lower *lw, fzi_view view, const fzi_node *item)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_ir *set = fzi_elaborate_sites(lw, view, item->targets);
    for (const fzi_node *q = item->quants; q; q = q->next) {
        if (q->kind != N_Q_IF)
            continue;
        if (!item->symbol || !fzi_tree_mentions(q->condition, item->symbol)) {
            set = fzi_ir_if(m, fzi_elaborate(lw, view, q->condition), set, fzi_ir_none(m));
            continue;
        }
        fzi_local *to = fzi_present_local(lw, "to", lw->game->type_site);
        fzi_binder binder = {to, FZI_DOMAIN_SITES, set, NULL};
        fzi_view inner = fzi_view_bind(lw, view, item->symbol, fzi_ir_local(m, to));
        set = fzi_ir_aggregate(m, FZI_AGG_FILTER, &binder, 1,
                               fzi_elaborate(lw, inner, q->condition), NULL, true, 0);
    }
    return set;
}

/* The condition of a piece of this kind on `site`. */
static const fzi_ir *with_kind(fzi_ir_maker *m, const fzi_ir *ir, const fzi_local *site,
                               unsigned kind)
{
    const fzi_ir *args[FZI_IR_ARGS];
    if ((ir->kind != FZI_IR_OP && ir->kind != FZI_IR_IF && ir->kind != FZI_IR_LET) ||
        ir->arg_count > FZI_IR_ARGS || !fzi_ir_mentions(ir, site))
        return ir;
    if (ir->kind == FZI_IR_OP && ir->op == FZ_OP_KIND && fzi_ir_is_local(ir->args[0], site))
        return fzi_ir_int(m, kind);
    for (unsigned i = 0; i < ir->arg_count; i++)
        args[i] = with_kind(m, ir->args[i], site, kind);
    return fzi_ir_with(m, ir, args);
}

static bool is_pieces_of_player(const fzi_ir *set)
{
    const fzi_ir *player = fzi_ir_is_op(set, FZ_OP_OWNED) ? set->args[0] : NULL;
    return player && player->kind == FZI_IR_LOCAL && player->local->finite &&
           !player->local->may_be_absent;
}

/* Does the condition of `{for s in set if condition}` ask for no more than the kind of a piece, and
 * has an answer for each kind? */
static bool asks_kinds(fzi_lower *lw, const fzi_ir *filter)
{
    const fzi_binder *b = &filter->binders[0];
    if (fzi_occupancy_of(&lw->maker, b->first) != FZI_ON_PIECES ||
        (fzi_ir_may_fail(b->first) && !is_pieces_of_player(b->first)))
        return false;
    for (unsigned k = 0; k < lw->game->piece_count; k++)
        if (fzi_fold_to_table(lw, with_kind(&lw->maker, filter->args[0], b->local, k))->kind !=
            FZI_IR_INT)
            return false;
    return true;
}

const fzi_ir *fzi_pieces_on(fzi_lower *lw, const fzi_ir *on, unsigned kind)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_ir *placed = fzi_ir_op(m, FZ_OP_OF_KIND, fzi_ir_int(m, kind), NULL);
    bool filter = on->kind == FZI_IR_AGG && on->op == FZI_AGG_FILTER && on->is_set &&
                  on->binder_count == 1 && on->args[0] && !on->chance &&
                  fzi_uses(lw, FZ_OPT_LOOPS) && asks_kinds(lw, on);
    if (!filter)
        return fzi_ir_op(m, FZ_OP_SAND, on, placed);
    const fzi_ir *passes =
        fzi_fold_to_table(lw, with_kind(m, on->args[0], on->binders[0].local, kind));
    return passes->value ? fzi_pieces_on(lw, on->binders[0].first, kind) : fzi_ir_none(m);
}

unsigned fzi_occupancy_of(const fzi_ir_maker *m, const fzi_ir *set)
{
    if (fzi_ir_is_none(set, m->words))
        return 0;
    if (set->kind == FZI_IR_IF)
        return fzi_occupancy_of(m, set->args[1]) | fzi_occupancy_of(m, set->args[2]);
    if (set->kind == FZI_IR_LET)
        return fzi_occupancy_of(m, set->args[1]);
    if (set->kind == FZI_IR_AGG && set->op == FZI_AGG_FILTER)
        return fzi_occupancy_of(m, set->binders[0].first);
    if (set->kind == FZI_IR_AGG && set->op == FZI_AGG_UNION)
        return fzi_occupancy_of(m, set->args[1]);
    if (set->kind != FZI_IR_OP)
        return FZI_ANYWHERE;
    switch (set->op) {
    case FZ_OP_EMPTY: return FZI_ON_EMPTY;
    case FZ_OP_OWNED: case FZ_OP_OF_KIND: case FZ_OP_OF: case FZ_OP_OCCUPIED: return FZI_ON_PIECES;
    case FZ_OP_SAND: return fzi_occupancy_of(m, set->args[0]) & fzi_occupancy_of(m, set->args[1]);
    case FZ_OP_SSUB: return fzi_occupancy_of(m, set->args[0]);
    case FZ_OP_SOR: return fzi_occupancy_of(m, set->args[0]) | fzi_occupancy_of(m, set->args[1]);
    default: return FZI_ANYWHERE;
    }
}

const fzi_ir *fzi_targets(fzi_lower *lw, fzi_view view, const fzi_node *item, const fzi_ir *within)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_ir *theirs = fzi_prelude(lw, view, "theirs", NULL);
    bool onto_pieces =
        item->op == FZ_T_CAPTURE || (within && !(fzi_occupancy_of(m, within) & FZI_ON_EMPTY));
    const fzi_ir *on =
        onto_pieces ? theirs
                    : fzi_ir_op(m, FZ_OP_SOR, fzi_ir_op(m, FZ_OP_EMPTY, NULL, NULL), theirs);
    return within && !fzi_ir_same(m, on, within) ? fzi_ir_op(m, FZ_OP_SAND, on, within) : on;
}

const fzi_ir *fzi_taken_by_at(fzi_lower *lw, fzi_view view, const fzi_piece *piece)
{
    const fzi_ir *set = fzi_ir_none(&lw->maker);
    for (const fzi_node *item = piece->items; item; item = item->next)
        if (item->kind == N_I_AT && item->op != FZ_T_OR)
            set =
                fzi_ir_op(&lw->maker, FZ_OP_SOR, set, fzi_elaborate_sites(lw, view, item->targets));
    return set;
}

/* The set within a region. The region is joined to the parts that do not depend on the state, so
 * both become one table. */
static const fzi_ir *cut_to(fzi_lower *lw, const fzi_ir *set, const fzi_ir *region)
{
    fzi_ir_maker *m = &lw->maker;
    bool op = set->kind == FZI_IR_OP;
    if (op && set->op == FZ_OP_SOR)
        return fzi_ir_op(m, FZ_OP_SOR, cut_to(lw, set->args[0], region),
                         cut_to(lw, set->args[1], region));
    if (op && (set->op == FZ_OP_SSUB || (set->op == FZ_OP_SAND && !set->args[0]->state)))
        return fzi_ir_op(m, set->op, cut_to(lw, set->args[0], region), set->args[1]);
    if (op && set->op == FZ_OP_SAND && !set->args[1]->state)
        return fzi_ir_op(m, FZ_OP_SAND, set->args[0], cut_to(lw, set->args[1], region));
    return fzi_ir_op(m, FZ_OP_SAND, set, region);
}

/* A superset for all states: parts that depend on the state become all sites. */
static const fzi_ir *at_most(fzi_ir_maker *m, const fzi_ir *set)
{
    if (!set->state)
        return set;
    if (set->kind == FZI_IR_IF)
        return fzi_ir_op(m, FZ_OP_SOR, at_most(m, set->args[1]), at_most(m, set->args[2]));
    if (set->kind != FZI_IR_OP)
        return fzi_ir_all(m);
    if (set->op == FZ_OP_SAND || set->op == FZ_OP_SOR)
        return fzi_ir_op(m, set->op, at_most(m, set->args[0]), at_most(m, set->args[1]));
    if (set->op == FZ_OP_SSUB)
        return at_most(m, set->args[0]);
    if (set->op == FZ_OP_STEP && !set->args[1]->state)
        return fzi_ir_op(m, set->op, at_most(m, set->args[0]), set->args[1]);
    return fzi_ir_all(m);
}

/* Can a plain item lead to a site of the `at` item, for some player and from somewhere? */
static bool may_reach(fzi_lower *lw, const fzi_piece *piece, const fzi_node *item,
                      const fzi_node *at)
{
    fzi_ir_maker *m = &lw->maker;
    for (unsigned p = 0; p < lw->game->player_count; p++) {
        fzi_local *here = fzi_present_local(lw, "here", lw->game->type_site);
        fzi_view view = {NULL, fzi_ir_int(m, p)};
        view = fzi_view_bind(lw, view, piece->here, fzi_ir_local(m, here));
        const fzi_ir *region = at_most(m, fzi_elaborate_sites(lw, view, at->targets));
        const fzi_ir *set =
            fzi_ir_op(m, FZ_OP_SAND, at_most(m, fzi_item_set(lw, view, item)), region);
        fzi_binder binder = {here, FZI_DOMAIN_SITES, fzi_ir_all(m), NULL};
        set = fzi_fold_to_table(lw,
                                fzi_ir_aggregate(m, FZI_AGG_UNION, &binder, 1, NULL, set, true, 0));
        if (!fzi_ir_is_none(set, m->words))
            return true;
    }
    return false;
}

/* The targets of the plain items within the sites `region` of an `at` item. */
static const fzi_ir *reach_of_plain(fzi_lower *lw, fzi_view view, const fzi_piece *piece,
                                    const fzi_node *at, const fzi_ir *region, const fzi_ir *within)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_ir *set = fzi_ir_none(m);
    for (const fzi_node *item = piece->items; item; item = item->next)
        if (fzi_item_is_plain(item) && may_reach(lw, piece, item, at))
            set =
                fzi_ir_op(m, FZ_OP_SOR, set,
                          fzi_ir_op(m, FZ_OP_SAND, cut_to(lw, fzi_item_set(lw, view, item), region),
                                    fzi_targets(lw, view, item, within)));
    return set;
}

const fzi_ir *fzi_item_reach(fzi_lower *lw, fzi_view view, const fzi_piece *piece,
                             const fzi_node *item)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_ir *set = fzi_item_set(lw, view, item), *on = fzi_targets(lw, view, item, NULL);
    if (!(fzi_occupancy_of(m, set) & fzi_occupancy_of(m, on)))
        return NULL;
    return fzi_ir_op(m, FZ_OP_SSUB, fzi_ir_op(m, FZ_OP_SAND, set, on),
                     fzi_taken_by_at(lw, view, piece));
}

const fzi_ir *fzi_own_targets(fzi_lower *lw, fzi_view view, const fzi_piece *piece,
                              const fzi_node *item, const fzi_ir *within)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_ir *set = fzi_elaborate_sites(lw, view, item->targets);
    if (item->kind == N_I_AT)
        return reach_of_plain(lw, view, piece, item, set, within);
    set = fzi_ir_op(m, FZ_OP_SAND, set, fzi_targets(lw, view, item, within));
    const fzi_ir *taken = fzi_taken_by_at(lw, view, piece);
    return fzi_item_is_plain(item) && !fzi_ir_is_none(taken, m->words)
               ? fzi_ir_op(m, FZ_OP_SSUB, set, taken)
               : set;
}
