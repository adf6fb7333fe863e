/* The items of pieces as options of a choice: `piece_moves` and `moves_of`. */
#include "lower_piece.h"

#include <string.h>

#include "constant_tables.h"
#include "elaborate_call.h"
#include "lower_choice.h"
#include "lower_emit.h"
#include "lower_hoist.h"
#include "lower_reason.h"
#include "lower_rules.h"

/* Its set can be united with those of other plain items. In programs that explain or step every
 * item is an option of its own. */
static bool item_is_plain(const fzi_gather *g, const fzi_node *item)
{
    return fzi_item_is_plain(item) && !g->explains && !g->e->lower->steps;
}

/* An item's set for a piece on `here`, conditions of plain items included. */
static const fzi_ir *item_set(fzi_lower *lw, fzi_view view, const fzi_node *item)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_ir *set = fzi_expr_sites(lw, view, item->targets);
    for (const fzi_node *q = item->quants; q; q = q->next) {
        if (q->kind != N_Q_IF)
            continue;
        if (!item->symbol || !fzi_tree_mentions(q->condition, item->symbol)) {
            set = fzi_ir_if(m, fzi_expr(lw, view, q->condition), set, fzi_ir_none(m));
            continue;
        }
        fzi_local *to = fzi_local_new(lw, "to", lw->game->type_site);
        to->may_be_absent = false;
        fzi_binder binder = {to, FZI_DOMAIN_SITES, set, NULL};
        fzi_view inner = fzi_view_bind(lw, view, item->symbol, fzi_ir_local(m, to));
        set = fzi_ir_over(m, FZI_OVER_THOSE, &binder, 1, fzi_expr(lw, inner, q->condition), NULL,
                          true, 0);
    }
    return set;
}


const fzi_ir *fzi_pieces_on(fzi_lower *lw, const fzi_ir *on, unsigned kind)
{
    fzi_ir_maker *m = &lw->maker;
    return fzi_ir_op(m, FZ_OP_SAND, on, fzi_ir_op(m, FZ_OP_OF_KIND, fzi_ir_int(m, kind), NULL));
}

/* On which sites the members of a set can be, as far as its operations say. */
enum { ON_EMPTY = 1, ON_PIECES = 2, ANYWHERE = 3 };
static unsigned region_of(const fzi_ir_maker *m, const fzi_ir *set)
{
    if (fzi_ir_is_none(set, m->words))
        return 0;
    if (set->kind == FZI_IR_IF)
        return region_of(m, set->args[1]) | region_of(m, set->args[2]);
    if (set->kind == FZI_IR_LET)
        return region_of(m, set->args[1]);
    if (set->kind == FZI_IR_OVER && set->op == FZI_OVER_THOSE)
        return region_of(m, set->binders[0].first);
    if (set->kind == FZI_IR_OVER && set->op == FZI_OVER_UNION)
        return region_of(m, set->args[1]);
    if (set->kind != FZI_IR_OP)
        return ANYWHERE;
    switch (set->op) {
    case FZ_OP_EMPTY: return ON_EMPTY;
    case FZ_OP_OWNED: case FZ_OP_OF_KIND: case FZ_OP_OF: case FZ_OP_OCCUPIED: return ON_PIECES;
    case FZ_OP_SAND: return region_of(m, set->args[0]) & region_of(m, set->args[1]);
    case FZ_OP_SSUB: return region_of(m, set->args[0]);
    case FZ_OP_SOR: return region_of(m, set->args[0]) | region_of(m, set->args[1]);
    default: return ANYWHERE;
    }
}

/* Where a move item may go: `move to` not onto friends or neutral pieces, `capture to` only onto
 * enemies; none of them outside `within`. */
static const fzi_ir *targets(fzi_gather *g, fzi_view view, const fzi_node *item)
{
    fzi_lower *lw = g->e->lower;
    fzi_ir_maker *m = &lw->maker;
    const fzi_ir *theirs = fzi_prelude(lw, view, "theirs", NULL);
    bool onto_pieces = item->op == FZ_T_CAPTURE ||
                       (g->within && !(region_of(m, g->within) & ON_EMPTY));
    const fzi_ir *on =
        onto_pieces ? theirs
                    : fzi_ir_op(m, FZ_OP_SOR, fzi_ir_op(m, FZ_OP_EMPTY, NULL, NULL), theirs);
    return g->within && !fzi_ir_same(m, on, g->within) ? fzi_ir_op(m, FZ_OP_SAND, on, g->within)
                                                       : on;
}

/* The sites of an `at` item that take their moves away from the plain items. */
static const fzi_ir *taken_by_at(fzi_lower *lw, fzi_view view, const fzi_piece *piece)
{
    const fzi_ir *set = fzi_ir_none(&lw->maker);
    for (const fzi_node *item = piece->items; item; item = item->next)
        if (item->kind == N_I_AT && item->op != FZ_T_OR)
            set = fzi_ir_op(&lw->maker, FZ_OP_SOR, set, fzi_expr_sites(lw, view, item->targets));
    return set;
}

/* A set cut down to a region, which is joined to the parts that do not depend on the state:
 * together they are a table. */
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

/* The set in whatever state: parts that depend on the state become all sites. */
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
        fzi_local *here = fzi_local_new(lw, "here", lw->game->type_site);
        here->may_be_absent = false;
        fzi_view view = {NULL, fzi_ir_int(m, p)};
        view = fzi_view_bind(lw, view, piece->here, fzi_ir_local(m, here));
        const fzi_ir *region = at_most(m, fzi_expr_sites(lw, view, at->targets));
        const fzi_ir *set = fzi_ir_op(m, FZ_OP_SAND, at_most(m, item_set(lw, view, item)), region);
        fzi_binder binder = {here, FZI_DOMAIN_SITES, fzi_ir_all(m), NULL};
        set = fzi_tabulate(lw, fzi_ir_over(m, FZI_OVER_UNION, &binder, 1, NULL, set, true, 0));
        if (!fzi_ir_is_none(set, m->words))
            return true;
    }
    return false;
}

/* Where the plain items lead inside the sites `region` of an `at` item. */
static const fzi_ir *reach_of_plain(fzi_gather *g, fzi_view view, const fzi_piece *piece,
                                    const fzi_node *at, const fzi_ir *region)
{
    fzi_lower *lw = g->e->lower;
    fzi_ir_maker *m = &lw->maker;
    const fzi_ir *set = fzi_ir_none(m);
    for (const fzi_node *item = piece->items; item; item = item->next)
        if (fzi_item_is_plain(item) && may_reach(lw, piece, item, at))
            set = fzi_ir_op(m, FZ_OP_SOR, set,
                            fzi_ir_op(m, FZ_OP_SAND,
                                      cut_to(lw, item_set(lw, view, item), region),
                                      targets(g, view, item)));
    return set;
}

const fzi_ir *fzi_item_reach(fzi_codegen *e, fzi_view view, const fzi_piece *piece,
                             const fzi_node *item)
{
    fzi_ir_maker *m = &e->lower->maker;
    fzi_gather everywhere = {.e = e};
    const fzi_ir *set = item_set(e->lower, view, item), *on = targets(&everywhere, view, item);
    if (!(region_of(m, set) & region_of(m, on)))
        return NULL;
    return fzi_ir_op(m, FZ_OP_SSUB, fzi_ir_op(m, FZ_OP_SAND, set, on),
                     taken_by_at(e->lower, view, piece));
}

static void gather_plain(fzi_gather *g, fzi_way way, const fzi_piece *piece, const fzi_node *first,
                         const fzi_ir *from)
{
    fzi_lower *lw = g->e->lower;
    fzi_ir_maker *m = &lw->maker;
    fzi_local *here, *to;
    unsigned ints = g->e->ints, sets = g->e->sets;
    way = fzi_way_bind(g, way, piece->here, &here);
    fzi_view view = way.view;
    way = fzi_way_bind(g, way, first->symbol, &to);
    const fzi_ir *set = fzi_ir_none(m);
    const fzi_ir *taken = taken_by_at(lw, view, piece);
    fzi_span span = {0};
    for (const fzi_node *item = first; item; item = item->next) {
        if (!item_is_plain(g, item))
            continue;
        const fzi_ir *reach = item_set(lw, view, item), *on = targets(g, view, item);
        if (region_of(m, reach) & region_of(m, on)) {
            fzi_option_met(g, item->span);
            span = span.source ? span : item->span;
        }
        set = fzi_ir_op(m, FZ_OP_SOR, set, fzi_ir_op(m, FZ_OP_SAND, reach, on));
    }
    if (!fzi_ir_is_none(taken, m->words))
        set = fzi_ir_op(m, FZ_OP_SSUB, set, taken);
    /* The option is the first item that can have moves. */
    fzi_leaf *leaf = fzi_gather_leaf(g, &way, NULL, NULL, span.source ? span : first->span);
    leaf->here = piece->here;
    leaf->to = first->symbol;
    leaf->plain = piece;
    fzi_gather_two(g, leaf, here, from, (unsigned)here->reg, set);
    g->e->ints = ints;
    g->e->sets = sets;
}

/* The targets of an item with moves of its own. In an explaining program this may be a plain item,
 * from which `at` takes sites. */
static const fzi_ir *own_targets(fzi_gather *g, fzi_view view, const fzi_piece *piece,
                                 const fzi_node *item)
{
    fzi_lower *lw = g->e->lower;
    fzi_ir_maker *m = &lw->maker;
    const fzi_ir *set = fzi_expr_sites(lw, view, item->targets);
    if (item->kind == N_I_AT)
        return reach_of_plain(g, view, piece, item, set);
    set = fzi_ir_op(m, FZ_OP_SAND, set, targets(g, view, item));
    const fzi_ir *taken = taken_by_at(lw, view, piece);
    return fzi_item_is_plain(item) && !fzi_ir_is_none(taken, m->words)
               ? fzi_ir_op(m, FZ_OP_SSUB, set, taken)
               : set;
}

/* An item with a label, a statement or bindings of its own: the option `for here, to, … => …`.
 * The statement of an `at` item follows the move. */
static void gather_item(fzi_gather *g, fzi_way way, const fzi_piece *piece, const fzi_node *item,
                        const fzi_ir *from)
{
    fzi_lower *lw = g->e->lower;
    fzi_ir_maker *m = &lw->maker;
    fzi_local *here, *to;
    fzi_loop loop, to_loop;
    unsigned ints = g->e->ints, sets = g->e->sets;
    way = fzi_way_bind(g, way, piece->here, &here);
    fzi_binder binder = {here, FZI_DOMAIN_SITES, fzi_tabulate(lw, from), NULL};
    fzi_view view = way.view;
    const fzi_ir *set = own_targets(g, view, piece, item);
    const fzi_node *then = item->kind == N_I_AT ? item->effect : NULL;
    const fzi_node *effect = then ? NULL : item->effect;
    if (g->within && !region_of(m, set)) {
        g->e->ints = ints;
        g->e->sets = sets;
        return;
    }
    way = fzi_way_bind(g, way, item->symbol, &to);
    if (item->kind == N_I_MOVE)
        fzi_way_domain(&way, view, item->targets,
                       item->op == FZ_T_CAPTURE ? FZI_ONTO_CAPTURE : FZI_ONTO_MOVE,
                       1 + (unsigned)piece->symbol->value);
    if (!item->quants) {
        if (then)
            way = fzi_way_then(g, way, then);
        fzi_leaf *leaf = fzi_gather_leaf(g, &way, item->label, effect, item->span);
        leaf->here = piece->here;
        leaf->to = item->symbol;
        fzi_gather_two(g, leaf, here, from, (unsigned)here->reg, set);
    } else {
        set = fzi_tabulate(lw, set);
        binder.first = fzi_share(g, fzi_narrowed(lw, binder.first, set, here), NULL);
        set = fzi_share(g, set, here);
        fzi_node option = {.kind = N_OPTION, .span = item->span, .quants = item->quants,
                           .label = item->label,
                           .effect = effect ? (fzi_node *)effect : g->go_node,
                           .then_effect = (fzi_node *)then};
        fzi_node *kept = fzi_arena_copy(g->e->b->arena, &option, sizeof option);
        unsigned shared = g->shared_count;
        fzi_loop_begin(g->e, &loop, &binder, (unsigned)here->reg);
        fzi_binder to_binder = {to, FZI_DOMAIN_SITES, set, NULL};
        fzi_loop_begin(g->e, &to_loop, &to_binder, (unsigned)to->reg);
        const fzi_symbol *outer_here = g->here, *outer_to = g->to;
        g->here = piece->here;
        g->to = item->symbol;
        fzi_gather_options(g, way, kept);
        g->here = outer_here;
        g->to = outer_to;
        fzi_loop_end(g->e, &to_loop);
        fzi_loop_end(g->e, &loop);
        g->shared_count = shared;
    }
    g->e->ints = ints;
    g->e->sets = sets;
}

/* `moves { … }` in a piece: options with `here` bound. */
static void gather_listed(fzi_gather *g, fzi_way way, const fzi_piece *piece,
                          const fzi_node *options, const fzi_ir *from)
{
    fzi_local *here;
    fzi_loop loop;
    unsigned ints = g->e->ints, sets = g->e->sets;
    way = fzi_way_bind(g, way, piece->here, &here);
    fzi_binder binder = {here, FZI_DOMAIN_SITES, fzi_tabulate(g->e->lower, from), NULL};
    unsigned shared = g->shared_count;
    fzi_loop_begin(g->e, &loop, &binder, (unsigned)here->reg);
    fzi_gather_options(g, way, options);
    fzi_loop_end(g->e, &loop);
    g->shared_count = shared;
    g->e->ints = ints;
    g->e->sets = sets;
}

static void gather_piece(fzi_gather *g, fzi_way way, const fzi_piece *piece, const fzi_ir *from)
{
    bool plain_done = false;
    unsigned groups = 0;
    way.named = true;
    for (const fzi_node *item = piece->items; item; item = item->next) {
        bool plain = item_is_plain(g, item);
        groups += plain ? !plain_done : item->kind == N_I_MOVE || item->kind == N_I_MOVES ||
                                               item->kind == N_I_AT;
        plain_done |= plain;
    }
    plain_done = false;
    if (groups > 1)
        from = fzi_share(g, fzi_tabulate(g->e->lower, from), NULL);
    for (const fzi_node *item = piece->items; item; item = item->next) {
        if (item->kind == N_I_AFTER)
            way = fzi_way_then(g, way, item->effect);
    }
    for (const fzi_node *item = piece->items; item; item = item->next) {
        unsigned ints = g->e->ints, sets = g->e->sets;
        fzi_span outer = g->e->span;
        g->e->span = g->e->lower->maker.span = item->span;
        if (item_is_plain(g, item)) {
            if (!plain_done)
                gather_plain(g, way, piece, item, from);
            plain_done = true;
        } else if (item->kind == N_I_MOVE || item->kind == N_I_AT) {
            gather_item(g, way, piece, item, from);
        } else if (item->kind == N_I_MOVES && !g->within) {
            gather_listed(g, way, piece, item->options, from);
        }
        g->e->span = outer;
        g->e->ints = ints;
        g->e->sets = sets;
    }
}

void fzi_gather_pieces(fzi_gather *g, fzi_way way, const fzi_ir *on, const fzi_ir *within)
{
    fzi_game *game = g->e->lower->game;
    const fzi_ir *outer = g->within;
    way.view.env = NULL;
    g->within = within;
    for (unsigned k = 0; k < game->piece_count; k++)
        gather_piece(g, way, &game->pieces[k], fzi_pieces_on(g->e->lower, on, k));
    g->within = outer;
}
