/* Generates the gathering of a choice's options; generators are expanded. docs/design.md,
 * "Decisions". */
#include "lower_choice.h"

#include <string.h>

#include "interp/program/opcodes.h"
#include "constant_tables.h"
#include "elaborate_call.h"
#include "lower_condition.h"
#include "lower_effect.h"
#include "lower_emit.h"
#include "lower_filter.h"
#include "lower_hoist.h"
#include "lower_items.h"
#include "lower_limit.h"
#include "lower_narrow.h"
#include "lower_piece.h"
#include "lower_reason.h"
#include "lower_rules.h"
#include "lower_stmt.h"

static bool children_mention(const fzi_node *node, const fzi_symbol *symbol)
{
    for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
        if (fzi_tree_mentions(node->children[i], symbol))
            return true;
    return false;
}

bool fzi_tree_mentions(const fzi_node *list, const fzi_symbol *symbol)
{
    for (const fzi_node *node = list; node; node = node->next) {
        if (node->symbol == symbol && node->kind != N_BINDER && node->kind != N_BOUND)
            return true;
        if (children_mention(node, symbol))
            return true;
    }
    return false;
}

bool fzi_node_mentions(const fzi_node *node, const fzi_symbol *symbol)
{
    return node && (node->symbol == symbol || children_mention(node, symbol));
}

/* ---- the way ---- */

static void extend(fzi_gather *g, fzi_way *way, const fzi_symbol *symbol, fzi_local *local,
                   const fzi_ir *value)
{
    fzi_path *path = FZI_NEW(g->e->b->arena, fzi_path);
    path->outer = way->path;
    path->symbol = symbol;
    path->local = local;
    path->value = value;
    way->path = path;
}

fzi_way fzi_way_bind(fzi_gather *g, fzi_way way, const fzi_symbol *symbol, fzi_local **local)
{
    fzi_lower *lw = g->e->lower;
    *local = fzi_local_new(lw, symbol->name, symbol->type);
    (*local)->may_be_absent = false;
    if (way.bound == FZ_MAX_BINDINGS) {
        if (!lw->build.failed)
            fzi_error(lw->game->diags, g->e->span, FZ_E_TOO_MANY_BINDINGS);
        lw->build.failed = true;
        way.bound--;
    }
    (*local)->reg = (int)(g->base + way.bound++);
    extend(g, &way, symbol, *local, NULL);
    way.view = fzi_view_bind(lw, way.view, symbol, fzi_ir_local(&lw->maker, *local));
    return way;
}

/* Cheap values that do not depend on the state are inlined. */
bool fzi_is_substitutable(const fzi_ir *ir)
{
    return !ir->chance && !ir->state && (ir->cost <= 3 || ir->kind == FZI_IR_OP);
}

fzi_way fzi_way_let(fzi_gather *g, fzi_way way, const fzi_symbol *symbol, const fzi_ir *value,
                    bool gather)
{
    fzi_lower *lw = g->e->lower;
    value = fzi_tabulate(lw, value);
    if (fzi_is_substitutable(value)) {
        way.view = fzi_view_bind(lw, way.view, symbol, value);
        return way;
    }
    fzi_local *local = fzi_local_new(lw, symbol->name, symbol->type);
    local->reg = (int)(local->is_set ? fzi_new_set(g->e) : fzi_new_int(g->e));
    if (gather && local->is_set)
        fzi_gen_set_to(g->e, value, (unsigned)local->reg);
    else if (gather)
        fzi_gen_int_to(g->e, value, (unsigned)local->reg);
    extend(g, &way, symbol, local, value);
    way.view = fzi_view_bind(lw, way.view, symbol, fzi_ir_local(&lw->maker, local));
    return way;
}

const fzi_ir *fzi_way_value(fzi_gather *g, fzi_way *way, const fzi_ir *value, const fzi_type *type)
{
    fzi_lower *lw = g->e->lower;
    value = fzi_tabulate(lw, value);
    if (fzi_is_substitutable(value))
        return value;
    fzi_local *local = fzi_local_new(lw, "value", type);
    local->reg = (int)fzi_new_int(g->e);
    extend(g, way, NULL, local, value);
    return fzi_ir_local(&lw->maker, local);
}

static fzi_way way_as(fzi_gather *g, fzi_way way, const fzi_node *player)
{
    fzi_lower *lw = g->e->lower;
    const fzi_ir *ir = fzi_tabulate(lw, fzi_expr(lw, way.view, player));
    if (ir->kind != FZI_IR_LOCAL && ir->kind != FZI_IR_INT) {
        fzi_local *local = fzi_me_new(lw);
        local->reg = (int)fzi_new_int(g->e);
        fzi_gen_int_to(g->e, ir, (unsigned)local->reg);
        extend(g, &way, NULL, local, ir);
        ir = fzi_ir_local(&lw->maker, local);
    }
    way.view = fzi_view_me(way.view, ir);
    return way;
}

fzi_way fzi_way_then(fzi_gather *g, fzi_way way, const fzi_node *then)
{
    fzi_closer *closer = FZI_NEW(g->e->b->arena, fzi_closer);
    closer->outer = way.closers;
    closer->then = then;
    closer->view = way.view;
    closer->named = way.named;
    way.closers = closer;
    return way;
}

static fzi_way way_prefix(fzi_gather *g, fzi_way way, const fzi_node *label)
{
    fzi_prefix *prefix = FZI_NEW(g->e->b->arena, fzi_prefix);
    prefix->outer = way.prefix;
    prefix->label = label;
    prefix->view = way.view;
    way.prefix = prefix;
    return way;
}

/* ---- leaves ---- */

/* The largest number of leaves of one option of the text; *span: that option. */
static unsigned most_copied(const fzi_gather *g, fzi_span *span)
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

/* The error is at the choice's own use of a generator; a note shows the option with most leaves. */
static void too_many_options(fzi_gather *g, const fzi_leaf *leaf)
{
    fzi_diags *diags = g->e->b->game->diags;
    fzi_span span = leaf->span, copied = span;
    if (g->e->b->failed)
        return;
    g->e->b->failed = true;
    for (const fzi_generators *inside = leaf->way.inside; inside; inside = inside->outer)
        span = inside->span;
    fzi_diag *diag = fzi_error(diags, span, FZ_E_TOO_MANY_OPTIONS, FZ_MAX_OPTIONS);
    unsigned copies = most_copied(g, &copied);
    if (copies > 1)
        fzi_note_at(diags, diag, copied, "it contains this option %u times so far", copies);
}

fzi_leaf *fzi_gather_leaf(fzi_gather *g, const fzi_way *way, const fzi_node *label,
                          const fzi_node *effect, fzi_span span)
{
    fzi_leaf *leaf = FZI_NEW(g->e->b->arena, fzi_leaf);
    leaf->way = *way;
    leaf->label = label;
    leaf->effect = effect == g->go_node ? NULL : effect;
    leaf->here = g->here;
    leaf->to = g->to;
    leaf->span = span;
    leaf->ints = g->e->ints;
    leaf->sets = g->e->sets;
    leaf->option = g->count++;
    fzi_option_met(g, span);
    if (g->last)
        g->last->next = leaf;
    else
        g->first = leaf;
    g->last = leaf;
    if (g->count > FZ_MAX_OPTIONS)
        too_many_options(g, leaf);
    return leaf;
}

static void gather_one(fzi_gather *g, fzi_leaf *leaf)
{
    if (g->test) {
        fzi_gen_jump(g->e, &g->found);
        return;
    }
    fzi_gen(g->e, FZ_OP_EMIT, 0, 0, 0);
    fzi_gen_word(g->e, leaf->option);
    fzi_gather_ask(g, leaf);
}

void fzi_gather_last(fzi_gather *g, fzi_leaf *leaf, const fzi_binder *binder)
{
    fzi_codegen *e = g->e;
    fzi_ir_maker *m = &e->lower->maker;
    unsigned ints = e->ints, sets = e->sets;
    const fzi_ir *domain = binder->first;
    bool range = binder->domain == FZI_DOMAIN_RANGE;
    bool small = range && domain->kind == FZI_IR_INT && binder->last->kind == FZI_IR_INT &&
                 domain->value >= 0 && binder->last->value < 64;
    if (range && !small) {
        fzi_loop loop;
        fzi_loop_begin(e, &loop, binder, (unsigned)binder->local->reg);
        gather_one(g, leaf);
        fzi_loop_end(e, &loop);
    } else {
        if (small)
            domain = fzi_ir_op(m, FZ_OP_MRANGE, domain, binder->last);
        domain = fzi_share(g, fzi_tabulate(e->lower, domain), NULL);
        bool is_set = binder->domain == FZI_DOMAIN_SITES;
        unsigned reg = is_set ? fzi_gen_set(e, domain) : fzi_gen_int(e, domain);
        if (g->test) {
            fzi_gen(e, is_set ? FZ_OP_JSSOME : FZ_OP_JTRUE, reg, 0, 0);
            fzi_label_use(e, &g->found);
        } else {
            fzi_gen(e, is_set ? FZ_OP_EMIT_SET : FZ_OP_EMIT_MASK, reg, 0, 0);
            fzi_gen_word(e, leaf->option);
            fzi_gather_ask(g, leaf);
        }
    }
    e->ints = ints;
    e->sets = sets;
}

/* ---- quantifiers, one after the other ---- */

static void gather_rest(fzi_gather *g, fzi_way way, const fzi_node *option, const fzi_node *quant,
                        const fzi_node *part);

/* Is the value needed to list the moves, or only to play them? */
static bool gathering_mentions(const fzi_node *option, const fzi_node *quant, const fzi_node *part,
                               const fzi_symbol *symbol)
{
    for (const fzi_node *p = part; p; p = p->next) {
        if (fzi_node_mentions(p, symbol))
            return true;
    }
    for (const fzi_node *q = quant->next; q; q = q->next) {
        if (fzi_node_mentions(q, symbol))
            return true;
    }
    const fzi_node *body = option->effect;
    return body && (body->kind == N_GENERATOR || body->kind == N_GROUP) &&
           fzi_node_mentions(body, symbol);
}

static bool is_last(const fzi_node *option, const fzi_node *quant, const fzi_node *binder)
{
    if (binder->next || option->effect->kind == N_GENERATOR || option->effect->kind == N_GROUP)
        return false;
    for (const fzi_node *q = quant->next; q; q = q->next) {
        if (q->kind != N_Q_LET && q->kind != N_Q_AS)
            return false;
    }
    return true;
}

/* Lets and points of view behind the last binder are only for the effect. */
static fzi_way way_after_last(fzi_gather *g, fzi_way way, const fzi_node *quant)
{
    for (const fzi_node *q = quant->next; q; q = q->next) {
        if (q->kind == N_Q_AS) {
            fzi_lower *lw = g->e->lower;
            fzi_local *local = fzi_me_new(lw);
            local->reg = (int)fzi_new_int(g->e);
            extend(g, &way, NULL, local, fzi_tabulate(lw, fzi_expr(lw, way.view, q->player)));
            way.view = fzi_view_me(way.view, fzi_ir_local(&lw->maker, local));
            continue;
        }
        for (const fzi_node *bound = q->bindings; bound; bound = bound->next)
            way = fzi_way_let(g, way, bound->symbol,
                              fzi_expr_as(g->e->lower, way.view, bound->value, bound->symbol->type),
                              false);
    }
    return way;
}

static void gather_last_for(fzi_gather *g, fzi_way way, const fzi_node *option,
                            const fzi_node *quant, const fzi_node *node)
{
    fzi_local *local;
    fzi_view outer = way.view;
    unsigned ints = g->e->ints, sets = g->e->sets;
    way = fzi_way_bind(g, way, node->symbol, &local);
    fzi_way_domain(&way, outer, node->set, FZI_ONTO_ANY, 0);
    fzi_binder binder = fzi_binder_make(g->e->lower, outer, node->set, local);
    way = way_after_last(g, way, quant);
    fzi_leaf *leaf = fzi_gather_leaf(g, &way, option->label, option->effect, option->span);
    if (option->then_effect)
        leaf->way = fzi_way_then(g, way, option->then_effect);
    fzi_gather_last(g, leaf, &binder);
    g->e->ints = ints;
    g->e->sets = sets;
}

/* for x in A, y in f(x) at the end of an option, both sites: the coarse forms. */
static bool gather_two_fors(fzi_gather *g, fzi_way way, const fzi_node *option,
                            const fzi_node *quant, const fzi_node *node)
{
    const fzi_node *second = node->next, *second_quant = quant;
    if (!second && quant->next && quant->next->kind == N_Q_FOR) {
        second_quant = quant->next;
        second = second_quant->binders;
    }
    if (!second || !is_last(option, second_quant, second) || g->test)
        return false;
    fzi_lower *lw = g->e->lower;
    fzi_local *x, *y;
    fzi_view outer = way.view;
    unsigned ints = g->e->ints, sets = g->e->sets;
    fzi_way inner = fzi_way_bind(g, way, node->symbol, &x);
    fzi_way_domain(&inner, outer, node->set, FZI_ONTO_ANY, 0);
    fzi_binder from = fzi_binder_make(lw, outer, node->set, x);
    fzi_view middle = inner.view;
    inner = fzi_way_bind(g, inner, second->symbol, &y);
    fzi_way_domain(&inner, middle, second->set, FZI_ONTO_ANY, 0);
    fzi_binder to = fzi_binder_make(lw, middle, second->set, y);
    if (from.domain != FZI_DOMAIN_SITES || to.domain != FZI_DOMAIN_SITES)
        return false;
    inner = way_after_last(g, inner, second_quant);
    fzi_leaf *leaf = fzi_gather_leaf(g, &inner, option->label, option->effect, option->span);
    if (option->then_effect)
        leaf->way = fzi_way_then(g, inner, option->then_effect);
    fzi_gather_two(g, leaf, x, from.first, (unsigned)x->reg, to.first);
    g->e->ints = ints;
    g->e->sets = sets;
    return true;
}

static void gather_for(fzi_gather *g, fzi_way way, const fzi_node *option, const fzi_node *quant,
                       const fzi_node *node)
{
    if (is_last(option, quant, node)) {
        gather_last_for(g, way, option, quant, node);
        return;
    }
    bool narrows = fzi_uses(g->e->lower, FZ_OPT_NARROWED) && !g->explains;
    if (narrows && fzi_gather_passing(g, way, option, quant, node))
        return;
    if (gather_two_fors(g, way, option, quant, node))
        return;
    fzi_local *local;
    fzi_loop loop;
    fzi_view outer = way.view;
    unsigned ints = g->e->ints, sets = g->e->sets;
    way = fzi_way_bind(g, way, node->symbol, &local);
    fzi_way_domain(&way, outer, node->set, FZI_ONTO_ANY, 0);
    fzi_binder binder = fzi_binder_make(g->e->lower, outer, node->set, local);
    binder.first = fzi_tabulate(g->e->lower, binder.first);
    if (binder.last)
        binder.last = fzi_tabulate(g->e->lower, binder.last);
    unsigned shared = g->shared_count;
    fzi_label none;
    fzi_label_init(&none);
    if (narrows && binder.domain == FZI_DOMAIN_SITES)
        shared = fzi_gather_narrowed(g, outer, option, quant, node, &binder, &none);
    fzi_loop_begin(g->e, &loop, &binder, (unsigned)local->reg);
    gather_rest(g, way, option, quant, node->next);
    fzi_loop_end(g->e, &loop);
    fzi_label_place(g->e, &none);
    g->shared_count = shared;
    g->e->ints = ints;
    g->e->sets = sets;
}

static void gather_let(fzi_gather *g, fzi_way way, const fzi_node *option, const fzi_node *quant,
                       const fzi_node *bound)
{
    fzi_lower *lw = g->e->lower;
    unsigned ints = g->e->ints, sets = g->e->sets;
    const fzi_ir *value = fzi_expr_as(lw, way.view, bound->value, bound->symbol->type);
    bool needed = gathering_mentions(option, quant, bound->next, bound->symbol);
    way = fzi_way_let(g, way, bound->symbol, value, needed);
    gather_rest(g, way, option, quant, bound->next);
    g->e->ints = ints;
    g->e->sets = sets;
}

static void gather_if(fzi_gather *g, fzi_way way, const fzi_node *option, const fzi_node *quant)
{
    fzi_label skip;
    const fzi_ir *condition =
        fzi_tabulate(g->e->lower, fzi_expr(g->e->lower, way.view, quant->condition));
    if (fzi_ir_is_int(condition, 0) && !g->explains)
        return;
    if (fzi_way_condition(g, &way, quant->condition)) {
        gather_rest(g, way, option, quant, NULL);
        return;
    }
    fzi_label_init(&skip);
    condition = fzi_share(g, condition, NULL);
    unsigned shared = g->shared_count;
    fzi_gen_branch(g->e, condition, false, &skip);
    gather_rest(g, way, option, quant, NULL);
    fzi_label_place(g->e, &skip);
    g->shared_count = shared;
}

/* ---- generators ---- */

static bool is_inside(const fzi_generators *inside, const fzi_symbol *symbol)
{
    for (; inside; inside = inside->outer) {
        if (inside->symbol == symbol)
            return true;
    }
    return false;
}

/* Within a generator's own text a parameter is what its options and filters name. */
static bool generator_mentions(const fzi_node *decl, const fzi_symbol *param)
{
    for (const fzi_node *option = decl->options; option; option = option->next) {
        if (fzi_tree_mentions(option->quants, param) ||
            ((option->effect->kind == N_GENERATOR || option->effect->kind == N_GROUP) &&
             fzi_node_mentions(option->effect, param)))
            return true;
    }
    return false;
}

static void gather_named(fzi_gather *g, fzi_way way, const fzi_symbol *symbol,
                         const fzi_node *arguments)
{
    fzi_lower *lw = g->e->lower;
    const fzi_node *decl = symbol->node;
    if (is_inside(way.inside, symbol)) {
        if (!lw->build.failed)
            fzi_error(lw->game->diags, g->e->span, FZ_E_GENERATOR_IN_ITSELF, symbol->name);
        lw->build.failed = true;
        return;
    }
    fzi_generators *inside = FZI_NEW(lw->build.arena, fzi_generators);
    inside->outer = way.inside;
    inside->symbol = symbol;
    inside->span = g->e->span;
    fzi_view outer = way.view;
    way.inside = inside;
    way.named = true;
    way.view.env = NULL;
    unsigned i = 0;
    for (const fzi_node *a = arguments; a && i < symbol->param_count; a = a->next, i++) {
        const fzi_symbol *param = symbol->params[i];
        way = fzi_way_let(g, way, param, fzi_expr_as(lw, outer, a, param->type),
                          generator_mentions(decl, param));
    }
    way = fzi_way_filters(g, way, decl->filters, false);
    const fzi_closer *keeping = fzi_keeping_of(way.closers, decl->filters);
    bool group = keeping && !g->test;
    if (group) {
        fzi_gen(g->e, FZ_OP_GROUP, 0, 0, 0);
        fzi_gen_word(g->e, keeping->filter);
    }
    fzi_gather_options(g, way, decl->options);
    if (group) {
        fzi_gen(g->e, FZ_OP_END_GROUP, 0, 0, 0);
        fzi_gen_word(g->e, keeping->filter);
    }
}

/* moves_of(S), moves_of(S, T) */
static void gather_moves_of(fzi_gather *g, fzi_way way, const fzi_node *arguments)
{
    fzi_lower *lw = g->e->lower;
    const fzi_ir *within =
        arguments->next ? fzi_tabulate(lw, fzi_expr_sites(lw, way.view, arguments->next)) : NULL;
    fzi_gather_pieces(g, way, fzi_expr_sites(lw, way.view, arguments), within);
}

static void gather_generator(fzi_gather *g, fzi_way way, const fzi_node *generator)
{
    fzi_lower *lw = g->e->lower;
    const fzi_symbol *symbol = generator->symbol;
    unsigned ints = g->e->ints, sets = g->e->sets;
    g->e->span = generator->span;
    if (symbol->kind == FZI_SYM_MOVES)
        gather_named(g, way, symbol, generator->arguments);
    else if (symbol->value == FZI_PIECE_MOVES)
        fzi_gather_pieces(g, way, fzi_prelude(lw, way.view, "mine", NULL), NULL);
    else
        gather_moves_of(g, way, generator->arguments);
    g->e->ints = ints;
    g->e->sets = sets;
}

/* What follows the quantifiers. */
static void gather_body(fzi_gather *g, fzi_way way, const fzi_node *option)
{
    const fzi_node *body = option->effect;
    fzi_option_met(g, option->span);
    if (body->kind != N_GENERATOR && body->kind != N_GROUP) {
        if (option->then_effect)
            way = fzi_way_then(g, way, option->then_effect);
        gather_one(g, fzi_gather_leaf(g, &way, option->label, body, option->span));
        return;
    }
    if (option->then_effect)
        way = fzi_way_then(g, way, option->then_effect);
    if (option->label)
        way = way_prefix(g, way, option->label);
    if (body->kind == N_GENERATOR)
        gather_generator(g, way, body);
    else
        fzi_gather_options(g, way, body->options);
}

const fzi_node *fzi_quant_parts(const fzi_node *quant)
{
    if (!quant)
        return NULL;
    return quant->kind == N_Q_FOR   ? quant->binders
           : quant->kind == N_Q_LET ? quant->bindings
                                    : NULL;
}

/* Goes on with `part` (binders or lets of `quant` that are left), then with the next quantifier. */
static void gather_rest(fzi_gather *g, fzi_way way, const fzi_node *option, const fzi_node *quant,
                        const fzi_node *part)
{
    g->e->lower->at = option->span;
    if (!fzi_lower_enter(g->e->lower, option->span))
        return;
    if (!part) {
        quant = quant ? quant->next : option->quants;
        part = fzi_quant_parts(quant);
    }
    if (!quant)
        gather_body(g, way, option);
    else if (quant->kind == N_Q_FOR)
        gather_for(g, way, option, quant, part);
    else if (quant->kind == N_Q_LET)
        gather_let(g, way, option, quant, part);
    else if (quant->kind == N_Q_IF)
        gather_if(g, way, option, quant);
    else
        gather_rest(g, way_as(g, way, quant->player), option, quant, NULL);
    fzi_lower_leave(g->e->lower);
}

void fzi_gather_options(fzi_gather *g, fzi_way way, const fzi_node *options)
{
    fzi_codegen *e = g->e;
    for (const fzi_node *option = options; option && !e->b->failed; option = option->next) {
        unsigned ints = e->ints, sets = e->sets;
        fzi_span outer = e->span;
        e->span = e->lower->maker.span = option->span;
        gather_rest(g, way, option, NULL, NULL);
        e->span = outer;
        e->ints = ints;
        e->sets = sets;
    }
}

/* ---- choices ---- */

void fzi_gather_begin(fzi_gather *g, fzi_codegen *e, fzi_span span, bool test)
{
    fz_choice choice = {0};
    memset(g, 0, sizeof *g);
    g->e = e;
    fzi_label_init(&g->found);
    g->go_node = fzi_node_new(e->b->arena, N_S_BLOCK, span);
    g->base = fzi_new_ints(e, FZ_MAX_BINDINGS);
    g->shared_sets = e->sets;
    for (unsigned i = 0; i < FZ_MAX_SHARED; i++)
        fzi_new_set(e);
    g->test = test;
    if (test)
        return;
    choice.function = e->code.index;
    choice.start = fzi_code_here(&e->code);
    choice.place = fzi_build_place(e->b, span);
    g->choice = fzi_array_add(e->b, &e->b->choices, &choice);
}

void fzi_gather_number(fzi_gather *g, uint32_t from)
{
    fzi_build *b = g->e->b;
    fz_option_info empty = {0};
    uint32_t first = (uint32_t)b->options.count;
    fz_choice *choice = FZI_ITEM(b->choices, fz_choice, g->choice);
    choice->first_option = first;
    choice->options = g->count;
    choice->filtered = g->filtered;
    for (unsigned i = 0; i < g->count; i++)
        fzi_array_add(b, &b->options, &empty);
    for (fzi_leaf *leaf = g->first; leaf; leaf = leaf->next)
        leaf->option += first;
    if (g->e->lower->covers)
        fzi_tell_items_apart(g);
    for (uint32_t at = from; at < g->e->code.code.count;) {
        fz_code word = *FZI_ITEM(g->e->code.code, fz_code, at++);
        for (const char *x = fzi_opcode_extension(FZ_CODE_OP(word)); *x; x++, at++) {
            if (*x == 'O')
                *FZI_ITEM(g->e->code.code, fz_code, at) += first;
        }
    }
}

void fzi_gather_choice(fzi_gather *g, fzi_codegen *e, fzi_view view, const fzi_node *choose,
                       bool explains, fzi_label *otherwise)
{
    fzi_way way = {.view = view};
    unsigned decider = fzi_new_int(e);
    if (choose->player)
        fzi_gen_int_to(e, fzi_tabulate(e->lower, fzi_expr(e->lower, view, choose->player)),
                       decider);
    else
        fzi_gen(e, FZ_OP_MOVER, decider, 0, 0);
    fzi_gather_begin(g, e, choose->span, false);
    g->explains = explains;
    way = fzi_way_filters(g, way, choose->filters, true);
    const fzi_closer *own = way.closers;
    uint32_t start = fzi_code_here(&e->code);
    fzi_gen(e, FZ_OP_CHOOSE, decider, 0, 0);
    fzi_gen_word(e, g->choice);
    fzi_gather_options(g, way, choose->options);
    fzi_gather_number(g, start);
    fzi_own_filters(g, own);
    for (const fzi_leaf *leaf = explains ? g->first : NULL; leaf && !e->b->failed;
         leaf = leaf->next)
        fzi_reasons_of_leaf(g, leaf);
    e->span = choose->span;
    fzi_gen(e, FZ_OP_DECIDE, 0, 0, 0);
    fzi_gen_word(e, g->choice);
    fzi_label_use(e, otherwise);
}

void fzi_lower_choose(fzi_codegen *e, fzi_view view, const fzi_node *choose, bool tail)
{
    fzi_gather g;
    fzi_label otherwise, after;
    unsigned ints = e->ints, sets = e->sets;
    fzi_label_init(&otherwise);
    fzi_label_init(&after);
    fzi_gather_choice(&g, e, view, choose, e->lower->explains, &otherwise);
    fzi_lower_leaves(&g, &after, tail, false);
    e->ints = ints;
    e->sets = sets;
    fzi_label_place(e, &otherwise);
    if (choose->otherwise)
        fzi_lower_stmt(e, view, choose->otherwise, tail);
    fzi_label_place(e, &after);
}
