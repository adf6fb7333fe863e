/* Gathers the moves of a choice: walks its tree, expands generators and pieces, and generates the
 * code that lists the moves. docs/design.md, "Decisions". grammar/emit/choose.c and can.c call it.
 * */
#include "choices.h"

#include <string.h>

#include "interp/program/opcodes.h"

/* ---- quantifiers, one after the other ---- */

static void gather_rest(fzi_gathering *g, fzi_option_context context, const fzi_node *option,
                        const fzi_node *quant, const fzi_node *part);

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

static void gather_inner_for(fzi_gathering *g, fzi_option_context context, const fzi_node *option,
                             const fzi_node *quant, const fzi_node *node)
{
    fzi_local *local;
    fzi_view outer = context.view;
    fzi_registers used = g->e->used;
    context = fzi_bind_loop(g, context, node->symbol, &local);
    fzi_note_domain(&context, outer, node->set, FZI_ONTO_ANY, 0);
    fzi_binder binder = fzi_binder_make(g->e->lower, outer, node->set, local);
    context = fzi_bind_after_last(g, context, quant);
    fzi_leaf *leaf = fzi_option_leaf(g, context, option);
    fzi_emit_inner_for(g, leaf, &binder);
    g->e->used = used;
}

/* Handles an option that ends with two `for`s over sites; false: it is another option. */
static bool gather_nested_for(fzi_gathering *g, fzi_option_context context, const fzi_node *option,
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
    fzi_view outer = context.view;
    fzi_registers used = g->e->used;
    fzi_option_context inner = fzi_bind_loop(g, context, node->symbol, &x);
    fzi_note_domain(&inner, outer, node->set, FZI_ONTO_ANY, 0);
    fzi_binder from = fzi_binder_make(lw, outer, node->set, x);
    fzi_view middle = inner.view;
    inner = fzi_bind_loop(g, inner, second->symbol, &y);
    fzi_note_domain(&inner, middle, second->set, FZI_ONTO_ANY, 0);
    fzi_binder to = fzi_binder_make(lw, middle, second->set, y);
    if (from.domain != FZI_DOMAIN_SITES || to.domain != FZI_DOMAIN_SITES)
        return false;
    inner = fzi_bind_after_last(g, inner, second_quant);
    fzi_leaf *leaf = fzi_option_leaf(g, inner, option);
    fzi_emit_nested_for(g, leaf, x, from.first, (unsigned)x->reg, to.first);
    g->e->used = used;
    return true;
}

static void gather_for(fzi_gathering *g, fzi_option_context context, const fzi_node *option,
                       const fzi_node *quant, const fzi_node *node)
{
    if (is_last(option, quant, node)) {
        gather_inner_for(g, context, option, quant, node);
        return;
    }
    bool narrows = fzi_uses(g->e->lower, FZ_OPT_NARROWED) && !g->explains;
    if (narrows && fzi_emit_passing(g, context, option, quant, node))
        return;
    if (gather_nested_for(g, context, option, quant, node))
        return;
    fzi_local *local;
    fzi_loop loop;
    fzi_view outer = context.view;
    fzi_registers used = g->e->used;
    context = fzi_bind_loop(g, context, node->symbol, &local);
    fzi_note_domain(&context, outer, node->set, FZI_ONTO_ANY, 0);
    fzi_binder binder = fzi_binder_of(g->e->lower, outer, node->set, local);
    unsigned hoisted = g->hoisted_count;
    fzi_label none = FZI_LABEL;
    if (narrows && binder.domain == FZI_DOMAIN_SITES)
        hoisted = fzi_prefilter_sources(g, outer, option, quant, node, &binder, &none);
    fzi_loop_begin(g->e, &loop, &binder, (unsigned)local->reg);
    gather_rest(g, context, option, quant, node->next);
    fzi_loop_end(g->e, &loop);
    fzi_label_place(g->e, &none);
    g->hoisted_count = hoisted;
    g->e->used = used;
}

static void gather_let(fzi_gathering *g, fzi_option_context context, const fzi_node *option,
                       const fzi_node *quant, const fzi_node *bound)
{
    fzi_lower *lw = g->e->lower;
    fzi_registers used = g->e->used;
    const fzi_ir *value = fzi_elaborate_as(lw, context.view, bound->value, bound->symbol->type);
    bool needed = gathering_mentions(option, quant, bound->next, bound->symbol);
    context = fzi_bind_let(g, context, bound->symbol, value, needed);
    gather_rest(g, context, option, quant, bound->next);
    g->e->used = used;
}

static void gather_if(fzi_gathering *g, fzi_option_context context, const fzi_node *option,
                      const fzi_node *quant)
{
    fzi_label skip = FZI_LABEL;
    const fzi_ir *condition = fzi_value_of(g->e->lower, context.view, quant->condition);
    if (fzi_ir_is_int(condition, 0) && !g->explains)
        return;
    if (fzi_add_condition(g, &context, quant->condition)) {
        gather_rest(g, context, option, quant, NULL);
        return;
    }
    condition = fzi_hoist_set(g, condition, NULL);
    unsigned hoisted = g->hoisted_count;
    fzi_gen_branch(g->e, condition, false, &skip);
    gather_rest(g, context, option, quant, NULL);
    fzi_label_place(g->e, &skip);
    g->hoisted_count = hoisted;
}

/* ---- pieces ---- */

/* Plain items become one option. In programs that explain or step, every item is an option of its
 * own. */
static bool item_is_plain(const fzi_gathering *g, const fzi_node *item)
{
    return fzi_item_is_plain(item) && !g->explains && !g->e->lower->choices->items_apart;
}

static void gather_plain(fzi_gathering *g, fzi_option_context context, const fzi_piece *piece,
                         const fzi_node *first, const fzi_ir *from)
{
    fzi_lower *lw = g->e->lower;
    fzi_ir_maker *m = &lw->maker;
    fzi_local *here, *to;
    fzi_registers used = g->e->used;
    context = fzi_bind_loop(g, context, piece->here, &here);
    fzi_view view = context.view;
    context = fzi_bind_loop(g, context, first->symbol, &to);
    const fzi_ir *set = fzi_ir_none(m);
    const fzi_ir *taken = fzi_taken_by_at(lw, view, piece);
    fzi_span span = {0};
    for (const fzi_node *item = first; item; item = item->next) {
        if (!item_is_plain(g, item))
            continue;
        const fzi_ir *reach = fzi_item_set(lw, view, item),
                     *on = fzi_targets(lw, view, item, g->within);
        if (fzi_occupancy_of(m, reach) & fzi_occupancy_of(m, on)) {
            fzi_mark_option(g, item->span);
            span = span.source ? span : item->span;
        }
        set = fzi_ir_op(m, FZ_OP_SOR, set, fzi_ir_op(m, FZ_OP_SAND, reach, on));
    }
    if (!fzi_ir_is_none(taken, m->words))
        set = fzi_ir_op(m, FZ_OP_SSUB, set, taken);
    /* The option's place in the text is the first item that can have moves. */
    fzi_leaf *leaf = fzi_gather_leaf(g, &context, NULL, NULL, span.source ? span : first->span);
    leaf->here = piece->here;
    leaf->to = first->symbol;
    leaf->plain = piece;
    fzi_emit_nested_for(g, leaf, here, from, (unsigned)here->reg, set);
    g->e->used = used;
}

/* An item with a label, a statement or bindings of its own: the option `for here, to, … => …`. The
 * statement of an `at` item runs after the move. */
static void gather_item(fzi_gathering *g, fzi_option_context context, const fzi_piece *piece,
                        const fzi_node *item, const fzi_ir *from)
{
    fzi_lower *lw = g->e->lower;
    fzi_ir_maker *m = &lw->maker;
    fzi_local *here, *to;
    fzi_loop loop, to_loop;
    fzi_registers used = g->e->used;
    context = fzi_bind_loop(g, context, piece->here, &here);
    fzi_binder binder = {here, FZI_DOMAIN_SITES, fzi_fold_to_table(lw, from), NULL};
    fzi_view view = context.view;
    const fzi_ir *set = fzi_own_targets(lw, view, piece, item, g->within);
    const fzi_node *then = item->kind == N_I_AT ? item->effect : NULL;
    const fzi_node *effect = then ? NULL : item->effect;
    if (g->within && !fzi_occupancy_of(m, set)) {
        g->e->used = used;
        return;
    }
    context = fzi_bind_loop(g, context, item->symbol, &to);
    if (item->kind == N_I_MOVE)
        fzi_note_domain(&context, view, item->targets,
                        item->op == FZ_T_CAPTURE ? FZI_ONTO_CAPTURE : FZI_ONTO_MOVE,
                        1 + (unsigned)piece->symbol->value);
    if (!item->quants) {
        if (then)
            context = fzi_add_then(g, context, then);
        fzi_leaf *leaf = fzi_gather_leaf(g, &context, item->label, effect, item->span);
        leaf->here = piece->here;
        leaf->to = item->symbol;
        fzi_emit_nested_for(g, leaf, here, from, (unsigned)here->reg, set);
    } else {
        set = fzi_fold_to_table(lw, set);
        binder.first = fzi_hoist_set(g, fzi_prefilter_set(lw, binder.first, set, here), NULL);
        set = fzi_hoist_set(g, set, here);
        fzi_node option = {.kind = N_OPTION, .span = item->span, .quants = item->quants,
                           .label = item->label,
                           .effect = effect ? (fzi_node *)effect : g->go_node,
                           .then_effect = (fzi_node *)then};
        fzi_node *kept = fzi_arena_copy(g->e->b->arena, &option, sizeof option);
        unsigned hoisted = g->hoisted_count;
        fzi_loop_begin(g->e, &loop, &binder, (unsigned)here->reg);
        fzi_binder to_binder = {to, FZI_DOMAIN_SITES, set, NULL};
        fzi_loop_begin(g->e, &to_loop, &to_binder, (unsigned)to->reg);
        const fzi_symbol *outer_here = g->here, *outer_to = g->to;
        g->here = piece->here;
        g->to = item->symbol;
        fzi_gather_options(g, context, kept);
        g->here = outer_here;
        g->to = outer_to;
        fzi_loop_end(g->e, &to_loop);
        fzi_loop_end(g->e, &loop);
        g->hoisted_count = hoisted;
    }
    g->e->used = used;
}

/* `moves { … }` in a piece: options with `here` bound. */
static void gather_listed(fzi_gathering *g, fzi_option_context context, const fzi_piece *piece,
                          const fzi_node *options, const fzi_ir *from)
{
    fzi_local *here;
    fzi_loop loop;
    fzi_registers used = g->e->used;
    context = fzi_bind_loop(g, context, piece->here, &here);
    fzi_binder binder = {here, FZI_DOMAIN_SITES, fzi_fold_to_table(g->e->lower, from), NULL};
    unsigned hoisted = g->hoisted_count;
    fzi_loop_begin(g->e, &loop, &binder, (unsigned)here->reg);
    fzi_gather_options(g, context, options);
    fzi_loop_end(g->e, &loop);
    g->hoisted_count = hoisted;
    g->e->used = used;
}

static void gather_piece(fzi_gathering *g, fzi_option_context context, const fzi_piece *piece,
                         const fzi_ir *from)
{
    bool plain_done = false;
    unsigned groups = 0;
    if (fzi_ir_is_none(from, g->e->lower->maker.words) && !g->explains &&
        !g->e->lower->choices->items_apart)
        return;
    context.named = true;
    for (const fzi_node *item = piece->items; item; item = item->next) {
        bool plain = item_is_plain(g, item);
        groups += plain ? !plain_done : item->kind == N_I_MOVE || item->kind == N_I_MOVES ||
                                               item->kind == N_I_AT;
        plain_done |= plain;
    }
    plain_done = false;
    if (groups > 1)
        from = fzi_hoist_set(g, fzi_fold_to_table(g->e->lower, from), NULL);
    for (const fzi_node *item = piece->items; item; item = item->next) {
        if (item->kind == N_I_AFTER)
            context = fzi_add_then(g, context, item->effect);
    }
    for (const fzi_node *item = piece->items; item; item = item->next) {
        fzi_registers used = g->e->used;
        fzi_span outer = g->e->span;
        g->e->span = g->e->lower->maker.span = item->span;
        if (item_is_plain(g, item)) {
            if (!plain_done)
                gather_plain(g, context, piece, item, from);
            plain_done = true;
        } else if (item->kind == N_I_MOVE || item->kind == N_I_AT) {
            gather_item(g, context, piece, item, from);
        } else if (item->kind == N_I_MOVES && !g->within) {
            gather_listed(g, context, piece, item->options, from);
        }
        g->e->span = g->e->lower->maker.span = outer;
        g->e->used = used;
    }
}

void fzi_gather_pieces(fzi_gathering *g, fzi_option_context context, const fzi_ir *on,
                       const fzi_ir *within)
{
    fzi_game *game = g->e->lower->game;
    const fzi_ir *outer = g->within;
    context.view.env = NULL;
    g->within = within;
    for (unsigned k = 0; k < game->piece_count; k++)
        gather_piece(g, context, &game->pieces[k], fzi_pieces_on(g->e->lower, on, k));
    g->within = outer;
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

/* Do the options of a generator need the parameter to list moves? */
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

static void gather_named(fzi_gathering *g, fzi_option_context context, const fzi_symbol *symbol,
                         const fzi_node *arguments)
{
    fzi_lower *lw = g->e->lower;
    const fzi_node *decl = symbol->node;
    if (is_inside(context.inside, symbol)) {
        fzi_give_up(&lw->build, g->e->span, FZ_E_GENERATOR_IN_ITSELF, symbol->name);
        return;
    }
    fzi_generators *inside = FZI_NEW(lw->build.arena, fzi_generators);
    inside->outer = context.inside;
    inside->symbol = symbol;
    inside->span = g->e->span;
    fzi_view outer = context.view;
    context.inside = inside;
    context.named = true;
    context.view.env = NULL;
    unsigned i = 0;
    for (const fzi_node *a = arguments; a && i < symbol->param_count; a = a->next, i++) {
        const fzi_symbol *param = symbol->params[i];
        context = fzi_bind_let(g, context, param, fzi_elaborate_as(lw, outer, a, param->type),
                               generator_mentions(decl, param));
    }
    context = fzi_add_filters(g, context, decl->filters, false);
    const fzi_continuation *keeping = fzi_keeping_among(context.continuations, decl->filters);
    bool group = keeping && !g->test;
    if (group)
        fzi_gen_with(g->e, FZ_OP_GROUP, 0, 0, 0, keeping->filter);
    fzi_gather_options(g, context, decl->options);
    if (group)
        fzi_gen_with(g->e, FZ_OP_END_GROUP, 0, 0, 0, keeping->filter);
}

/* moves_of(S), moves_of(S, T) */
static void gather_moves_of(fzi_gathering *g, fzi_option_context context, const fzi_node *arguments)
{
    fzi_lower *lw = g->e->lower;
    const fzi_ir *within = arguments->next ? fzi_sites_of(lw, context.view, arguments->next) : NULL;
    fzi_gather_pieces(g, context, fzi_elaborate_sites(lw, context.view, arguments), within);
}

static void gather_generator(fzi_gathering *g, fzi_option_context context,
                             const fzi_node *generator)
{
    fzi_lower *lw = g->e->lower;
    const fzi_symbol *symbol = generator->symbol;
    fzi_registers used = g->e->used;
    g->e->span = generator->span;
    if (symbol->kind == FZI_SYM_MOVES)
        gather_named(g, context, symbol, generator->arguments);
    else if (symbol->value == FZI_PIECE_MOVES)
        fzi_gather_pieces(g, context, fzi_prelude(lw, context.view, "mine", NULL), NULL);
    else
        gather_moves_of(g, context, generator->arguments);
    g->e->used = used;
}

/* The part of an option after its quantifiers. */
static void gather_body(fzi_gathering *g, fzi_option_context context, const fzi_node *option)
{
    const fzi_node *body = option->effect;
    fzi_mark_option(g, option->span);
    if (body->kind != N_GENERATOR && body->kind != N_GROUP) {
        fzi_emit_option(g, fzi_option_leaf(g, context, option));
        return;
    }
    if (option->then_effect)
        context = fzi_add_then(g, context, option->then_effect);
    if (option->label)
        context = fzi_add_prefix(g, context, option->label);
    if (body->kind == N_GENERATOR)
        gather_generator(g, context, body);
    else
        fzi_gather_options(g, context, body->options);
}

/* Gathers from `part` on (the remaining binders or `let`s of `quant`), then the next quantifier. */
static void gather_rest(fzi_gathering *g, fzi_option_context context, const fzi_node *option,
                        const fzi_node *quant, const fzi_node *part)
{
    g->e->lower->at = option->span;
    if (!fzi_lower_enter(g->e->lower, option->span))
        return;
    if (!part) {
        quant = quant ? quant->next : option->quants;
        part = fzi_quant_parts(quant);
    }
    if (!quant)
        gather_body(g, context, option);
    else if (quant->kind == N_Q_FOR)
        gather_for(g, context, option, quant, part);
    else if (quant->kind == N_Q_LET)
        gather_let(g, context, option, quant, part);
    else if (quant->kind == N_Q_IF)
        gather_if(g, context, option, quant);
    else
        gather_rest(g, fzi_bind_me(g, context, quant->player), option, quant, NULL);
    fzi_lower_leave(g->e->lower);
}

void fzi_gather_options(fzi_gathering *g, fzi_option_context context, const fzi_node *options)
{
    fzi_codegen *e = g->e;
    for (const fzi_node *option = options; option && !e->b->failed; option = option->next) {
        fzi_registers used = e->used;
        fzi_span outer = e->span;
        e->span = e->lower->maker.span = option->span;
        gather_rest(g, context, option, NULL, NULL);
        e->span = outer;
        e->used = used;
    }
}

/* ---- choices ---- */

void fzi_gather_begin(fzi_gathering *g, fzi_codegen *e, fzi_span span, bool test)
{
    fz_choice choice = {0};
    memset(g, 0, sizeof *g);
    g->e = e;
    g->found = (fzi_label)FZI_LABEL;
    g->go_node = fzi_node_new(e->b->arena, N_S_BLOCK, span);
    g->base = fzi_new_ints(e, FZ_MAX_BINDINGS);
    g->hoisted_sets = fzi_new_sets(e, FZ_MAX_HOISTED);
    g->test = test;
    if (test)
        return;
    choice.function = e->code.index;
    choice.start = fzi_code_here(&e->code);
    choice.place = fzi_build_place(e->b, span);
    g->choice = fzi_array_add(e->b, &e->b->choices, &choice);
}

void fzi_gather_number(fzi_gathering *g, uint32_t from)
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
    for (uint32_t at = from; at < g->e->code.code.count;) {
        fz_code word = *FZI_ITEM(g->e->code.code, fz_code, at++);
        for (const char *x = fzi_opcode_extension(FZ_CODE_OP(word)); *x; x++, at++) {
            if (*x == 'O')
                *FZI_ITEM(g->e->code.code, fz_code, at) += first;
        }
    }
}

void fzi_gather_choice(fzi_gathering *g, fzi_codegen *e, fzi_view view, const fzi_node *choose,
                       bool explains)
{
    fzi_option_context context = {.view = view};
    unsigned decider = fzi_new_int(e);
    if (choose->player)
        fzi_gen_to(e, fzi_value_of(e->lower, view, choose->player), decider);
    else
        fzi_gen(e, FZ_OP_MOVER, decider, 0, 0);
    fzi_gather_begin(g, e, choose->span, false);
    g->explains = explains;
    context = fzi_add_filters(g, context, choose->filters, true);
    const fzi_continuation *own = context.continuations;
    uint32_t start = fzi_code_here(&e->code);
    fzi_gen_with(e, FZ_OP_CHOOSE, decider, 0, 0, g->choice);
    fzi_gather_options(g, context, choose->options);
    fzi_gather_number(g, start);
    fzi_own_filters(g, own);
}
