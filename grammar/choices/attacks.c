/* Generates the function of `attacked`: reverses the sets of pieces' items, from a target to the
 * sites from which it can be reached. docs/design.md, "Attacks". Elaboration calls it. */
#include "choices.h"

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

/* The opposite directions of a mask, which may depend on the attacking player. */
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

/* A way that leads over several sites, taken back: the sites `here` from which `set` leads into
 * `goal`. Steps and slides are taken one after the other; a condition on a site between narrows the
 * goal. `loose`: leaves out what depends on the state, so that others may be among the sites. NULL:
 * `set` has another form. */
typedef struct way_back {
    const attack *attack;
    fzi_local *here;
    bool loose;
} way_back;

static const fzi_ir *sources_of(const way_back *w, const fzi_ir *set, const fzi_ir *goal);

static const fzi_ir *sources_within(const way_back *w, const fzi_ir *set, const fzi_ir *goal)
{
    fzi_ir_maker *m = &w->attack->lw->maker;
    unsigned other = set->op == FZ_OP_SAND && !fzi_ir_mentions(set->args[0], w->here) ? 0 : 1;
    const fzi_ir *condition = set->args[other];
    if (fzi_ir_mentions(condition, w->here))
        return NULL;
    if (!w->loose || !condition->state)
        goal = fzi_ir_op(m, set->op, goal, condition);
    return sources_of(w, set->args[1 - other], goal);
}

static const fzi_ir *sources_of_op(const way_back *w, const fzi_ir *set, const fzi_ir *goal)
{
    fzi_lower *lw = w->attack->lw;
    fzi_ir_maker *m = &lw->maker;
    const fzi_ir *x, *y, *through;
    switch (set->op) {
    case FZ_OP_SBIT:
        return fzi_ir_is_local(set->args[0], w->here) ? goal : NULL;
    case FZ_OP_SAND: case FZ_OP_SSUB:
        return sources_within(w, set, goal);
    case FZ_OP_SOR:
        x = sources_of(w, set->args[0], goal);
        y = sources_of(w, set->args[1], goal);
        return x && y ? fzi_ir_op(m, FZ_OP_SOR, x, y) : NULL;
    case FZ_OP_STEP: case FZ_OP_SLIDE:
        for (unsigned i = 1; i < set->arg_count; i++)
            if (fzi_ir_mentions(set->args[i], w->here))
                return NULL;
        if (!is_reversible(lw->game->board))
            return NULL;
        y = opposite_mask(lw, set->args[1]);
        if (set->op == FZ_OP_STEP)
            return sources_of(w, set->args[0], fzi_ir_op(m, FZ_OP_STEP, goal, y));
        through = w->loose && set->args[2]->state ? fzi_ir_all(m) : set->args[2];
        return sources_of(w, set->args[0],
                          fzi_ir_op4(m, FZ_OP_SLIDE, goal, y, through, set->args[3]));
    default:
        return NULL;
    }
}

/* A value that has a name, such as the argument of a function, keeps it. A way that is loose has
 * none: the name would hide that the value depends on the state. */
static const fzi_ir *sources_of_let(const way_back *w, const fzi_ir *set, const fzi_ir *goal)
{
    fzi_ir_maker *m = &w->attack->lw->maker;
    if (w->loose || fzi_ir_mentions(set->args[0], w->here))
        return sources_of(w, fzi_ir_replace(m, set->args[1], set->local, set->args[0]), goal);
    const fzi_ir *body = sources_of(w, set->args[1], goal);
    return body ? fzi_ir_let(m, set->local, set->args[0], body) : NULL;
}

static const fzi_ir *sources_of(const way_back *w, const fzi_ir *set, const fzi_ir *goal)
{
    if (set->kind == FZI_IR_OP)
        return sources_of_op(w, set, goal);
    if (set->kind == FZI_IR_LET)
        return sources_of_let(w, set, goal);
    if (set->kind != FZI_IR_AGG || set->op != FZI_AGG_UNION || set->args[0])
        return NULL;
    for (unsigned i = 0; i < set->binder_count; i++)
        if (fzi_ir_mentions(set->binders[i].first, w->here) ||
            (set->binders[i].last && fzi_ir_mentions(set->binders[i].last, w->here)))
            return NULL;
    const fzi_ir *body = sources_of(w, set->args[1], goal);
    return body ? fzi_ir_aggregate_like(&w->attack->lw->maker, set, set->binders, NULL, body)
                : NULL;
}

static const fzi_ir *reversed_way(const attack *a, const fzi_ir *set, fzi_local *here, bool loose)
{
    way_back w = {a, here, loose};
    return sources_of(&w, set, fzi_ir_op(&a->lw->maker, FZ_OP_SBIT, a->target, NULL));
}

/* Is the target in a set that does not depend on the attacker's site? Uses that the target is
 * occupied. */
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

/* Reverses a set that depends only on the site: transposes its table. */
static const fzi_ir *reversed_table(const attack *a, const fzi_ir *set, fzi_local *here)
{
    fzi_ir_maker *m = &a->lw->maker;
    fzi_local *from = fzi_present_local(a->lw, "here", a->lw->game->type_site);
    fzi_binder binder = {from, FZI_DOMAIN_SITES, fzi_ir_all(m), NULL};
    const fzi_ir *reach = fzi_ir_replace(m, set, here, fzi_ir_local(m, from));
    return fzi_ir_aggregate(m, FZI_AGG_FILTER, &binder, 1,
                            fzi_ir_op(m, FZ_OP_SHAS, a->target, reach), NULL, true, 0);
}

/* Reverses `a & b` or `a - b` where b does not depend on the attacker's site: a, if b lets the
 * target pass. */
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
    case FZ_OP_SLIDE: case FZ_OP_STEP:
        return set->state ? reversed_way(a, set, here, false) : NULL;
    default:
        return NULL;
    }
}

/* Reverses `set`: exactly the sites `here` for which it contains the target. NULL: it cannot be
 * reversed, so the set of every attacker is computed. */
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
    if (set->kind == FZI_IR_AGG || set->kind == FZI_IR_LET)
        return reversed_way(a, set, here, false);
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
    const fzi_ir *any;         /* attacks found so far, without slides */
    const fzi_ir *sources;     /* from which pieces of the current kind attack, without slides */
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

/* Is any of the pieces on a site of `sources`? `near`, which does not depend on the state, has all
 * of these sites, so few pieces need the dearer question. */
static const fzi_ir *some_attack(fzi_lower *lw, const fzi_ir *pieces, const fzi_ir *near,
                                 const fzi_ir *sources)
{
    fzi_ir_maker *m = &lw->maker;
    fzi_local *local = fzi_local_new(lw, "near", lw->game->type_sites);
    const fzi_ir *some = fzi_ir_local(m, local);
    const fzi_ir *hit = fzi_ir_op(m, FZ_OP_SAND, some, sources);
    const fzi_ir *both =
        fzi_ir_and(m, fzi_ir_op(m, FZ_OP_SSOME, some, NULL), fzi_ir_op(m, FZ_OP_SSOME, hit, NULL));
    return fzi_ir_let(m, local, fzi_ir_op(m, FZ_OP_SAND, pieces, near), both);
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

/* Adds the attacks of an item. For the item's own `for`s, some value must attack. */
static void item_attacks(attackers *all, const fzi_piece *piece, const fzi_node *item,
                         const fzi_ir *from)
{
    attack *a = &all->attack;
    fzi_lower *lw = a->lw;
    fzi_ir_maker *m = &lw->maker;
    fzi_local *here = fzi_present_local(lw, "here", lw->game->type_site);
    fzi_view view = item_view(lw, all->me, piece, here);
    const fzi_ir *set = fzi_elaborate_sites(lw, view, item->targets), *condition = NULL;
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
                                 fzi_elaborate_as(lw, view, b->value, b->symbol->type));
        if (q->kind == N_Q_IF) {
            const fzi_ir *c = fzi_elaborate(lw, view, q->condition);
            condition = condition ? fzi_ir_and(m, condition, c) : c;
        }
    }
    if (condition)
        condition = fzi_fold_to_table(lw, condition);
    if (condition && condition->kind == FZI_IR_INT) { /* decided by an option of the game */
        if (!condition->value)
            return;
        condition = NULL;
    }
    const fzi_ir *sources = reversed(a, set, here);
    const fzi_ir *near = sources && sources->state && !condition && !is_shared_slide(sources)
                             ? reversed_way(a, set, here, true)
                             : NULL;
    if (near && !near->state) {
        add_attack(all, some_attack(lw, from, near, sources));
        return;
    }
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
    add_attack(all,
               fzi_ir_aggregate(m, FZI_AGG_ANY, binders, count + 1, NULL, condition, false, 0));
}

static const fzi_ir *slide_towards(fzi_ir_maker *m, const fzi_ir *slide, int64_t dirs,
                                   const fzi_ir *through)
{
    return fzi_ir_op4(m, FZ_OP_SLIDE, slide->args[0], fzi_ir_int(m, dirs), through, slide->args[3]);
}

/* Asks a table first whether a rider is in line with the target; then looks at the sites
 * between. */
static const fzi_ir *riders_attack(fzi_lower *lw, const fzi_ir *slide, int64_t dirs,
                                   const fzi_ir *pieces)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_ir *lines = slide_towards(m, slide, dirs, fzi_ir_all(m));
    if (lines->state)
        return fzi_ir_op(m, FZ_OP_SSOME, fzi_ir_op(m, FZ_OP_SAND, pieces, slide), NULL);
    return some_attack(lw, pieces, lines, slide_towards(m, slide, dirs, slide->args[2]));
}

static bool ride_alike(const fzi_ir_maker *m, const fzi_ir *a, const fzi_ir *b)
{
    return fzi_ir_same(m, a->args[0], b->args[0]) && fzi_ir_same(m, a->args[2], b->args[2]) &&
           fzi_ir_same(m, a->args[3], b->args[3]);
}

/* Merges directions ridden by the same kinds into one slide. */
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

/* Does any item attack the target? */
static const fzi_ir *any_attack(fzi_lower *lw, const fzi_ir *target, const fzi_ir *me)
{
    fzi_ir_maker *m = &lw->maker;
    attackers all = {.attack = {lw, target}, .me = me, .any = fzi_ir_int(m, 0)};
    for (unsigned k = 0; k < lw->game->piece_count; k++) {
        const fzi_piece *piece = &lw->game->pieces[k];
        fzi_view view = {NULL, me};
        const fzi_ir *own = fzi_prelude(lw, view, "owned", me);
        const fzi_ir *from = fzi_pieces_on(lw, own, k);
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
    fzi_label next = FZI_LABEL;
    fzi_ir_maker *m = &lw->maker;
    if (lw->choices->attack_function >= 0)
        return (uint32_t)lw->choices->attack_function;
    uint32_t index = fzi_build_function(&lw->build, "attacked");
    lw->choices->attack_function = (int32_t)index;
    fzi_span outer = m->span;
    fzi_view view = fzi_begin_function(lw, &e, index, 1);
    fzi_local *target = fzi_local_new(lw, "target", lw->game->type_site);
    fzi_local *sites = fzi_local_new(lw, "sites", lw->game->type_sites);
    target->may_be_absent = false;
    fzi_take_parameter(&e, sites);
    unsigned enemy = fzi_new_int(&e), saved = fzi_new_int(&e), answer = fzi_new_int(&e);
    fzi_gen_to(&e, fzi_fold_to_table(lw, fzi_prelude(lw, view, "foe", NULL)), enemy);
    fzi_binder binder = {target, FZI_DOMAIN_SITES, fzi_ir_local(m, sites), NULL};
    fzi_loop_begin(&e, &loop, &binder, fzi_new_int(&e));
    fzi_gen(&e, FZ_OP_PHANTOM, saved, (unsigned)target->reg, enemy);
    const fzi_ir *any = any_attack(lw, fzi_ir_local(m, target), view.me);
    fzi_gen_to(&e, fzi_fold_to_table(lw, any), answer);
    fzi_gen(&e, FZ_OP_UNPHANTOM, saved, (unsigned)target->reg, 0);
    fzi_gen_jump_if(&e, FZ_OP_JFALSE, answer, 0, &next);
    fzi_gen(&e, FZ_OP_IRETURN, answer, 0, 0);
    fzi_label_place(&e, &next);
    fzi_loop_end(&e, &loop);
    fzi_end_function(&e);
    m->span = outer;
    return index;
}
