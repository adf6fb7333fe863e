/* Pieces: `piece_moves`, `moves_of`, and `attacked`, which turns the items' sets round: from a
 * target to the sites it can be reached from. */
#include "lower_choice.h"

#include <string.h>

/* ---- items ---- */

static bool item_is_plain(const fzi_node *item)
{
    if (item->kind != N_I_MOVE || item->label || item->effect)
        return false;
    for (const fzi_node *q = item->quants; q; q = q->next) {
        if (q->kind != N_Q_IF)
            return false;
    }
    return true;
}

/* The item's set, smaller by its conditions. */
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

/* Where a move item may go: `move to` not onto friends or neutral pieces, `capture to` only onto
 * enemies. */
static const fzi_ir *targets(fzi_lower *lw, fzi_view view, const fzi_node *item)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_ir *theirs = fzi_prelude(lw, view, "theirs", NULL);
    if (item->op == FZ_T_CAPTURE)
        return theirs;
    return fzi_ir_op(m, FZ_OP_SOR, fzi_ir_op(m, FZ_OP_EMPTY, NULL, NULL), theirs);
}

static const fzi_ir *pieces_on(fzi_lower *lw, const fzi_ir *on, unsigned kind)
{
    fzi_ir_maker *m = &lw->maker;
    return fzi_ir_op(m, FZ_OP_SAND, on, fzi_ir_op(m, FZ_OP_OF_KIND, fzi_ir_int(m, kind), NULL));
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
    for (const fzi_node *item = first; item; item = item->next) {
        if (!item_is_plain(item))
            continue;
        const fzi_ir *reach = item_set(lw, view, item);
        set =
            fzi_ir_op(m, FZ_OP_SOR, set, fzi_ir_op(m, FZ_OP_SAND, reach, targets(lw, view, item)));
    }
    fzi_leaf *leaf = fzi_gather_leaf(g, &way, NULL, NULL, first->span);
    leaf->here = piece->here;
    leaf->to = first->symbol;
    fzi_gather_two(g, leaf, here, from, (unsigned)here->reg, set);
    g->e->ints = ints;
    g->e->sets = sets;
}

/* An item with a label, a statement or bindings of its own: as an option `for here, to, … => …`. */
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
    const fzi_ir *set = fzi_ir_op(m, FZ_OP_SAND, fzi_expr_sites(lw, way.view, item->targets),
                                      targets(lw, way.view, item));
    way = fzi_way_bind(g, way, item->symbol, &to);
    if (!item->quants) {
        fzi_leaf *leaf = fzi_gather_leaf(g, &way, item->label, item->effect, item->span);
        leaf->here = piece->here;
        leaf->to = item->symbol;
        fzi_gather_two(g, leaf, here, from, (unsigned)here->reg, set);
    } else {
        set = fzi_tabulate(lw, set);
        binder.first = fzi_share(g, fzi_narrowed(lw, binder.first, set, here), NULL);
        set = fzi_share(g, set, here);
        fzi_node option = {.kind = N_OPTION, .span = item->span, .quants = item->quants,
                           .label = item->label,
                           .effect = item->effect ? item->effect : g->go_node};
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
        bool plain = item_is_plain(item);
        groups += plain ? !plain_done : item->kind == N_I_MOVE || item->kind == N_I_MOVES;
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
        if (item_is_plain(item)) {
            if (!plain_done)
                gather_plain(g, way, piece, item, from);
            plain_done = true;
        } else if (item->kind == N_I_MOVE) {
            gather_item(g, way, piece, item, from);
        } else if (item->kind == N_I_MOVES) {
            gather_listed(g, way, piece, item->options, from);
        }
        g->e->span = outer;
        g->e->ints = ints;
        g->e->sets = sets;
    }
}

void fzi_gather_pieces(fzi_gather *g, fzi_way way, const fzi_ir *on)
{
    fzi_game *game = g->e->lower->game;
    way.view.env = NULL;
    for (unsigned k = 0; k < game->piece_count; k++)
        gather_piece(g, way, &game->pieces[k], pieces_on(g->e->lower, on, k));
}

/* ---- attacks ---- */

typedef struct attack {
    fzi_lower *lw;
    const fzi_ir *target;      /* a site that an enemy of the attacker stands on */
} attack;

static const fzi_ir *reversed(const attack *a, const fzi_ir *set, fzi_local *here);

static bool is_reversible(const fzi_board *board)
{
    for (unsigned d = 0; d < board->dir_count; d++) {
        unsigned back = board->opposite[d];
        if (back >= board->dir_count)
            return false;
        for (unsigned s = 0; s < board->site_count; s++) {
            int to = board->next[d * board->site_count + s];
            if (to >= 0 && board->next[back * board->site_count + (unsigned)to] != (int)s)
                return false;
        }
    }
    return true;
}

/* The directions back, of a mask that may depend on who attacks. */
static const fzi_ir *opposite_mask(fzi_lower *lw, const fzi_ir *dirs)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_board *board = lw->game->board;
    const fzi_ir *back = fzi_ir_int(m, 0);
    for (unsigned d = 0; d < board->dir_count; d++) {
        const fzi_ir *has = fzi_ir_op(m, FZ_OP_MHAS, fzi_ir_int(m, d), dirs);
        const fzi_ir *bit = fzi_ir_int(m, (int64_t)1 << board->opposite[d]);
        back = fzi_ir_op(m, FZ_OP_MOR, back, fzi_ir_if(m, has, bit, fzi_ir_int(m, 0)));
    }
    return back;
}

static const fzi_ir *reversed_slide(const attack *a, const fzi_ir *set, const fzi_local *here)
{
    fzi_ir_maker *m = &a->lw->maker;
    const fzi_ir *start = set->args[0];
    if (start->kind != FZI_IR_OP || start->op != FZ_OP_SBIT ||
        start->args[0]->kind != FZI_IR_LOCAL || start->args[0]->local != here ||
        !is_reversible(a->lw->game->board))
        return NULL;
    for (unsigned i = 1; i < 4; i++) {
        if (fzi_ir_mentions(set->args[i], here))
            return NULL;
    }
    return fzi_ir_op4(m, FZ_OP_SLIDE, fzi_ir_op(m, FZ_OP_SBIT, a->target, NULL),
                        opposite_mask(a->lw, set->args[1]), set->args[2], set->args[3]);
}

/* Is the target in a set that does not depend on where the attacker stands? It is occupied. */
static const fzi_ir *target_in(const attack *a, const fzi_ir *set)
{
    fzi_ir_maker *m = &a->lw->maker;
    if (set->kind == FZI_IR_OP) {
        switch (set->op) {
        case FZ_OP_EMPTY: return fzi_ir_int(m, 0);
        case FZ_OP_OCCUPIED: return fzi_ir_int(m, 1);
        case FZ_OP_SOR: return fzi_ir_or(m, target_in(a, set->args[0]), target_in(a, set->args[1]));
        case FZ_OP_SAND:
            return fzi_ir_and(m, target_in(a, set->args[0]), target_in(a, set->args[1]));
        case FZ_OP_SSUB:
            return fzi_ir_and(m, target_in(a, set->args[0]),
                                fzi_ir_not(m, target_in(a, set->args[1])));
        case FZ_OP_SNOT: return fzi_ir_not(m, target_in(a, set->args[0]));
        default: break;
        }
    }
    return fzi_ir_op(m, FZ_OP_SHAS, a->target, set);
}

/* What neither the state nor anything but the two sites decides: a table of rows turned round. */
static const fzi_ir *reversed_table(const attack *a, const fzi_ir *set, fzi_local *here)
{
    fzi_ir_maker *m = &a->lw->maker;
    fzi_local *from = fzi_local_new(a->lw, "here", a->lw->game->type_site);
    from->may_be_absent = false;
    fzi_binder binder = {from, FZI_DOMAIN_SITES, fzi_ir_all(m), NULL};
    const fzi_ir *reach = fzi_ir_replace(m, set, here, fzi_ir_local(m, from));
    return fzi_ir_over(m, FZI_OVER_THOSE, &binder, 1, fzi_ir_op(m, FZ_OP_SHAS, a->target, reach),
                         NULL, true, 0);
}

/* The first set where the second, which does not depend on the attacker's site, leaves the
 * target in it. */
static const fzi_ir *reversed_within(const attack *a, const fzi_ir *set, fzi_local *here)
{
    fzi_ir_maker *m = &a->lw->maker;
    const fzi_ir *in = target_in(a, set->args[1]);
    if (set->op == FZ_OP_SSUB)
        in = fzi_ir_not(m, in);
    if (fzi_ir_is_int(in, 0))
        return fzi_ir_none(m);
    const fzi_ir *all = reversed(a, set->args[0], here);
    return all ? fzi_ir_if(m, in, all, fzi_ir_none(m)) : NULL;
}

static const fzi_ir *reversed_op(const attack *a, const fzi_ir *set, fzi_local *here)
{
    fzi_ir_maker *m = &a->lw->maker;
    const fzi_ir *x, *y;
    switch (set->op) {
    case FZ_OP_SOR: case FZ_OP_SAND: case FZ_OP_SSUB:
        if (set->op != FZ_OP_SOR && !fzi_ir_mentions(set->args[1], here))
            return reversed_within(a, set, here);
        x = reversed(a, set->args[0], here);
        y = reversed(a, set->args[1], here);
        if (set->op == FZ_OP_SAND && ((x && fzi_ir_is_none(x, m->words)) ||
                                      (y && fzi_ir_is_none(y, m->words))))
            return fzi_ir_none(m);
        return x && y ? fzi_ir_op(m, set->op, x, y) : NULL;
    case FZ_OP_SLIDE:
        return reversed_slide(a, set, here);
    default:
        return NULL;
    }
}

/* The sites of attackers whose `set` holds the target: a set that contains every such site of a
 * piece, exactly. NULL: it cannot be turned round, and every attacker's set is worked out. */
static const fzi_ir *reversed(const attack *a, const fzi_ir *set, fzi_local *here)
{
    fzi_ir_maker *m = &a->lw->maker;
    if (!fzi_uses(a->lw, FZ_OPT_ATTACKS))
        return NULL;
    if (!fzi_ir_mentions(set, here)) {
        const fzi_ir *in = target_in(a, set);
        return fzi_ir_if(m, in, fzi_ir_all(m), fzi_ir_none(m));
    }
    const fzi_ir *turned = set->kind == FZI_IR_OP ? reversed_op(a, set, here) : NULL;
    if (turned)
        return turned;
    if (!set->state)
        return reversed_table(a, set, here);
    if (set->kind == FZI_IR_IF && !fzi_ir_mentions(set->args[0], here)) {
        const fzi_ir *yes = reversed(a, set->args[1], here), *no = reversed(a, set->args[2], here);
        return yes && no ? fzi_ir_if(m, set->args[0], yes, no) : NULL;
    }
    return NULL;
}

static fzi_view item_view(fzi_lower *lw, const fzi_ir *me, const fzi_piece *piece, fzi_local *here)
{
    fzi_view view = {NULL, me};
    return fzi_view_bind(lw, view, piece->here, fzi_ir_local(&lw->maker, here));
}

/* Kinds that ride in the same directions share one slide back from the target. */
typedef struct rider {
    const fzi_ir *slide;       /* back from the target */
    const fzi_ir *pieces;
} rider;

enum { MAX_RIDERS = 32 };

typedef struct attackers {
    attack attack;
    const fzi_ir *me;
    const fzi_ir *any;         /* attacks so far that hold for themselves */
    const fzi_ir *sources;     /* of the kind at hand: where its pieces attack from, slides apart */
    rider riders[MAX_RIDERS];
    unsigned rider_count;
} attackers;

static void add_attack(attackers *all, const fzi_ir *hit)
{
    fzi_ir_maker *m = &all->attack.lw->maker;
    if (!fzi_ir_is_int(hit, 0))
        all->any = fzi_ir_is_int(all->any, 0) ? hit : fzi_ir_or(m, all->any, hit);
}

static bool is_shared_slide(const fzi_ir *set)
{
    return set->kind == FZI_IR_OP && set->op == FZ_OP_SLIDE && set->args[1]->kind == FZI_IR_INT;
}

static void add_sources(attackers *all, const fzi_ir *pieces, const fzi_ir *sources)
{
    fzi_ir_maker *m = &all->attack.lw->maker;
    if (sources->kind == FZI_IR_OP && sources->op == FZ_OP_SOR) {
        add_sources(all, pieces, sources->args[0]);
        add_sources(all, pieces, sources->args[1]);
    } else if (is_shared_slide(sources) && all->rider_count < MAX_RIDERS) {
        all->riders[all->rider_count++] = (rider){sources, pieces};
    } else {
        all->sources = fzi_ir_op(m, FZ_OP_SOR, all->sources, sources);
    }
}

/* Does an item of the piece attack the target? Bindings of the item's own exist if some value
 * does. */
static void item_attacks(attackers *all, const fzi_piece *piece, const fzi_node *item,
                         const fzi_ir *from)
{
    attack *a = &all->attack;
    fzi_lower *lw = a->lw;
    fzi_ir_maker *m = &lw->maker;
    fzi_local *here = fzi_local_new(lw, "here", lw->game->type_site);
    here->may_be_absent = false;
    fzi_view view = item_view(lw, all->me, piece, here);
    const fzi_ir *set = fzi_expr_sites(lw, view, item->targets), *condition = NULL;
    fzi_binder binders[FZ_MAX_BINDINGS];
    unsigned count = 0;
    if (item->symbol)
        view = fzi_view_bind(lw, view, item->symbol, a->target);
    for (const fzi_node *q = item->kind == N_I_MOVE ? item->quants : NULL; q; q = q->next) {
        for (const fzi_node *b = q->kind == N_Q_FOR ? q->binders : NULL; b && count < 6;
             b = b->next) {
            fzi_local *local = fzi_local_new(lw, b->name, b->symbol->type);
            binders[++count] = fzi_binder_make(lw, view, b->set, local);
            view = fzi_view_bind(lw, view, b->symbol, fzi_ir_local(m, local));
        }
        for (const fzi_node *b = q->kind == N_Q_LET ? q->bindings : NULL; b; b = b->next)
            view = fzi_view_bind(lw, view, b->symbol,
                                 fzi_expr_as(lw, view, b->value, b->symbol->type));
        if (q->kind == N_Q_IF) {
            const fzi_ir *c = fzi_expr(lw, view, q->condition);
            condition = condition ? fzi_ir_and(m, condition, c) : c;
        }
    }
    if (condition)
        condition = fzi_tabulate(lw, condition);
    if (condition && condition->kind == FZI_IR_INT) { /* an option of the game decides */
        if (!condition->value)
            return;
        condition = NULL;
    }
    const fzi_ir *sources = reversed(a, set, here);
    if (sources && !condition) {
        add_sources(all, from, sources);
        return;
    }
    if (sources)
        from = fzi_ir_op(m, FZ_OP_SAND, from, sources);
    else
        condition = condition ? fzi_ir_and(m, fzi_ir_op(m, FZ_OP_SHAS, a->target, set), condition)
                              : fzi_ir_op(m, FZ_OP_SHAS, a->target, set);
    binders[0].local = here;
    binders[0].domain = FZI_DOMAIN_SITES;
    binders[0].first = from;
    binders[0].last = NULL;
    add_attack(all, fzi_ir_over(m, FZI_OVER_ANY, binders, count + 1, NULL, condition, false, 0));
}

static const fzi_ir *slide_towards(fzi_ir_maker *m, const fzi_ir *slide, int64_t dirs,
                                     const fzi_ir *through)
{
    return fzi_ir_op4(m, FZ_OP_SLIDE, slide->args[0], fzi_ir_int(m, dirs), through, slide->args[3]);
}

/* First whether one of them is in line at all, which a table tells; then what stands between. */
static const fzi_ir *riders_attack(fzi_lower *lw, const fzi_ir *slide, int64_t dirs,
                                     const fzi_ir *pieces)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_ir *lines = slide_towards(m, slide, dirs, fzi_ir_all(m));
    if (lines->state)
        return fzi_ir_op(m, FZ_OP_SSOME, fzi_ir_op(m, FZ_OP_SAND, pieces, slide), NULL);
    fzi_local *near = fzi_local_new(lw, "riders", lw->game->type_sites);
    const fzi_ir *some = fzi_ir_local(m, near);
    const fzi_ir *hit =
        fzi_ir_op(m, FZ_OP_SAND, some, slide_towards(m, slide, dirs, slide->args[2]));
    const fzi_ir *both = fzi_ir_and(m, fzi_ir_op(m, FZ_OP_SSOME, some, NULL),
                                        fzi_ir_op(m, FZ_OP_SSOME, hit, NULL));
    return fzi_ir_let(m, near, fzi_ir_op(m, FZ_OP_SAND, pieces, lines), both);
}

static bool ride_alike(const fzi_ir_maker *m, const fzi_ir *a, const fzi_ir *b)
{
    return fzi_ir_same(m, a->args[0], b->args[0]) && fzi_ir_same(m, a->args[2], b->args[2]) &&
           fzi_ir_same(m, a->args[3], b->args[3]);
}

/* Directions that the same kinds ride in, under the same conditions, are one slide: those of a
 * rider that every other has, or has not, as it has the first of them. */
static void slides_attack(attackers *all)
{
    fzi_ir_maker *m = &all->attack.lw->maker;
    int64_t left[MAX_RIDERS];
    for (unsigned i = 0; i < all->rider_count; i++)
        left[i] = all->riders[i].slide->args[1]->value;
    for (unsigned i = 0; i < all->rider_count;) {
        const fzi_ir *slide = all->riders[i].slide, *pieces = NULL;
        int64_t dirs = left[i], lowest = left[i] & -left[i];
        if (!dirs) {
            i++;
            continue;
        }
        for (unsigned j = i; j < all->rider_count; j++)
            if (ride_alike(m, slide, all->riders[j].slide))
                dirs &= left[j] & lowest ? left[j] : ~left[j];
        for (unsigned j = i; j < all->rider_count; j++) {
            const fzi_ir *more = all->riders[j].pieces;
            if (!(left[j] & lowest) || !ride_alike(m, slide, all->riders[j].slide))
                continue;
            pieces = pieces ? fzi_ir_op(m, FZ_OP_SOR, pieces, more) : more;
            left[j] &= ~dirs;
        }
        add_attack(all, riders_attack(all->attack.lw, slide, dirs, pieces));
    }
}

/* One condition for all items. */
static const fzi_ir *any_attack(fzi_lower *lw, const fzi_ir *target, const fzi_ir *me)
{
    fzi_ir_maker *m = &lw->maker;
    attackers all = {.attack = {lw, target}, .me = me, .any = fzi_ir_int(m, 0)};
    for (unsigned k = 0; k < lw->game->piece_count; k++) {
        const fzi_piece *piece = &lw->game->pieces[k];
        fzi_view view = {NULL, me};
        const fzi_ir *own = fzi_prelude(lw, view, "owned", me);
        const fzi_ir *from = pieces_on(lw, own, k);
        all.sources = fzi_ir_none(m);
        for (const fzi_node *item = piece->items; item; item = item->next) {
            if (item->kind == N_I_MOVE || item->kind == N_I_ATTACKS)
                item_attacks(&all, piece, item, from);
        }
        add_attack(&all,
                   fzi_ir_op(m, FZ_OP_SSOME, fzi_ir_op(m, FZ_OP_SAND, from, all.sources), NULL));
    }
    slides_attack(&all);
    return all.any;
}

uint32_t fzi_lower_attacked(fzi_lower *lw)
{
    fzi_codegen e;
    fzi_loop loop;
    fzi_label next;
    fzi_ir_maker *m = &lw->maker;
    if (lw->attack_function >= 0)
        return (uint32_t)lw->attack_function;
    uint32_t index = fzi_build_function(&lw->build, "attacked");
    lw->attack_function = (int32_t)index;
    fz_function *f = FZI_ITEM(lw->build.functions, fz_function, index);
    f->int_params = f->set_params = f->result = 1;
    unsigned depth = lw->depth;
    fzi_span outer = m->span;
    lw->depth = 0;
    fzi_emit_begin(lw, &e, index);
    e.result = 1;
    fzi_local *me = fzi_me_new(lw);
    fzi_local *target = fzi_local_new(lw, "target", lw->game->type_site);
    fzi_local *sites = fzi_local_new(lw, "sites", lw->game->type_sites);
    target->may_be_absent = false;
    me->reg = (int)fzi_new_int(&e);
    sites->reg = (int)fzi_new_set(&e);
    const fzi_ir *attacker = fzi_ir_local(m, me);
    fzi_view view = {NULL, attacker};
    unsigned enemy = fzi_new_int(&e), saved = fzi_new_int(&e), answer = fzi_new_int(&e);
    fzi_gen_int_to(&e, fzi_tabulate(lw, fzi_prelude(lw, view, "foe", NULL)), enemy);
    fzi_binder binder = {target, FZI_DOMAIN_SITES, fzi_ir_local(m, sites), NULL};
    fzi_loop_begin(&e, &loop, &binder, fzi_new_int(&e));
    fzi_gen(&e, FZ_OP_PHANTOM, saved, (unsigned)target->reg, enemy);
    const fzi_ir *any = any_attack(lw, fzi_ir_local(m, target), attacker);
    fzi_gen_int_to(&e, fzi_tabulate(lw, any), answer);
    fzi_gen(&e, FZ_OP_UNPHANTOM, saved, (unsigned)target->reg, 0);
    fzi_label_init(&next);
    fzi_gen(&e, FZ_OP_JFALSE, answer, 0, 0);
    fzi_label_use(&e, &next);
    fzi_gen(&e, FZ_OP_IRETURN, answer, 0, 0);
    fzi_label_place(&e, &next);
    fzi_loop_end(&e, &loop);
    fzi_lower_end_function(&e);
    lw->depth = depth;
    m->span = outer;
    return index;
}
