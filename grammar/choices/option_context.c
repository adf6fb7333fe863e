/* The context of an option while the tree of a choice is walked: what is bound on the way to it,
 * and what follows its effect. gather.c extends it at every quantifier, filter and generator. */
#include "choices.h"

/* ---- names in the tree ---- */

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

/* ---- bindings ---- */

static void extend(fzi_gathering *g, fzi_option_context *context, const fzi_symbol *symbol,
                   fzi_local *local, const fzi_ir *value)
{
    fzi_bindings *bindings = FZI_NEW(g->e->b->arena, fzi_bindings);
    bindings->outer = context->bindings;
    bindings->symbol = symbol;
    bindings->local = local;
    bindings->value = value;
    context->bindings = bindings;
}

fzi_option_context fzi_bind_loop(fzi_gathering *g, fzi_option_context context,
                                 const fzi_symbol *symbol, fzi_local **local)
{
    fzi_lower *lw = g->e->lower;
    *local = fzi_local_new(lw, symbol->name, symbol->type);
    (*local)->may_be_absent = false;
    if (context.bound == FZ_MAX_BINDINGS) {
        fzi_give_up(&lw->build, g->e->span, FZ_E_TOO_MANY_BINDINGS, NULL);
        context.bound--;
    }
    (*local)->reg = (int)(g->base + context.bound++);
    extend(g, &context, symbol, *local, NULL);
    context.view = fzi_view_bind(lw, context.view, symbol, fzi_ir_local(&lw->maker, *local));
    return context;
}

/* Cheap values that do not depend on the state are inlined. */
bool fzi_is_substitutable(const fzi_ir *ir)
{
    return !ir->chance && !ir->state && (ir->cost <= 3 || ir->kind == FZI_IR_OP);
}

fzi_option_context fzi_bind_let(fzi_gathering *g, fzi_option_context context,
                                const fzi_symbol *symbol, const fzi_ir *value, bool gather)
{
    fzi_lower *lw = g->e->lower;
    value = fzi_fold_to_table(lw, value);
    if (fzi_is_substitutable(value)) {
        context.view = fzi_view_bind(lw, context.view, symbol, value);
        return context;
    }
    fzi_local *local = fzi_local_new(lw, symbol->name, symbol->type);
    local->reg = (int)fzi_new_reg(g->e, local->is_set);
    if (gather)
        fzi_gen_to(g->e, value, (unsigned)local->reg);
    extend(g, &context, symbol, local, value);
    context.view = fzi_view_bind(lw, context.view, symbol, fzi_ir_local(&lw->maker, local));
    return context;
}

static const fzi_ir *bind_value(fzi_gathering *g, fzi_option_context *context, const fzi_ir *value,
                             const fzi_type *type)
{
    fzi_lower *lw = g->e->lower;
    value = fzi_fold_to_table(lw, value);
    if (fzi_is_substitutable(value))
        return value;
    fzi_local *local = fzi_local_new(lw, "value", type);
    local->reg = (int)fzi_new_int(g->e);
    extend(g, context, NULL, local, value);
    return fzi_ir_local(&lw->maker, local);
}

fzi_option_context fzi_bind_me(fzi_gathering *g, fzi_option_context context, const fzi_node *player)
{
    fzi_lower *lw = g->e->lower;
    const fzi_ir *ir = fzi_value_of(lw, context.view, player);
    if (ir->kind != FZI_IR_LOCAL && ir->kind != FZI_IR_INT) {
        fzi_local *local = fzi_me_new(lw);
        local->reg = (int)fzi_new_int(g->e);
        fzi_gen_to(g->e, ir, (unsigned)local->reg);
        extend(g, &context, NULL, local, ir);
        ir = fzi_ir_local(&lw->maker, local);
    }
    context.view = fzi_view_me(context.view, ir);
    return context;
}

fzi_option_context fzi_add_then(fzi_gathering *g, fzi_option_context context, const fzi_node *then)
{
    fzi_continuation *continuation = FZI_NEW(g->e->b->arena, fzi_continuation);
    continuation->outer = context.continuations;
    continuation->then = then;
    continuation->view = context.view;
    continuation->named = context.named;
    context.continuations = continuation;
    return context;
}

fzi_option_context fzi_add_prefix(fzi_gathering *g, fzi_option_context context,
                                  const fzi_node *label)
{
    fzi_prefix *prefix = FZI_NEW(g->e->b->arena, fzi_prefix);
    prefix->outer = context.prefix;
    prefix->label = label;
    prefix->view = context.view;
    context.prefix = prefix;
    return context;
}

/* `let`s and points of view after the last `for` matter only to the effect. */
fzi_option_context fzi_bind_after_last(fzi_gathering *g, fzi_option_context context,
                                       const fzi_node *quant)
{
    for (const fzi_node *q = quant->next; q; q = q->next) {
        if (q->kind == N_Q_AS) {
            fzi_lower *lw = g->e->lower;
            fzi_local *local = fzi_me_new(lw);
            local->reg = (int)fzi_new_int(g->e);
            extend(g, &context, NULL, local, fzi_value_of(lw, context.view, q->player));
            context.view = fzi_view_me(context.view, fzi_ir_local(&lw->maker, local));
            continue;
        }
        for (const fzi_node *bound = q->kind == N_Q_LET ? q->bindings : NULL; bound;
             bound = bound->next)
            context = fzi_bind_let(
                g, context, bound->symbol,
                fzi_elaborate_as(g->e->lower, context.view, bound->value, bound->symbol->type),
                false);
    }
    return context;
}

void fzi_note_domain(fzi_option_context *context, fzi_view view, const fzi_node *domain,
                     unsigned onto, unsigned kind)
{
    fzi_bindings *bindings = (fzi_bindings *)context->bindings;
    bindings->domain = domain;
    bindings->domain_view = view;
    bindings->onto = (uint8_t)onto;
    bindings->kind = (uint8_t)kind;
}

/* ---- filters ---- */

static uint8_t filter_kind(int op)
{
    return op == FZ_T_ENSURING ? FZ_FILTER_ENSURING
           : op == FZ_T_MAX    ? FZ_FILTER_KEEP_MAX
                               : FZ_FILTER_KEEP_MIN;
}

/* A condition that is always true needs no filter: trying moves for it would only cost time. */
static bool is_idle(fzi_gathering *g, fzi_view view, const fzi_node *filter)
{
    fzi_lower *lw = g->e->lower;
    return filter->op == FZ_T_ENSURING &&
           fzi_ir_is_int(fzi_value_of(lw, view, filter->condition), 1);
}

/* Bounds that depend on the state are computed before the effect changes it. */
static fzi_option_context add_bounds(fzi_gathering *g, fzi_option_context context,
                                     const fzi_node *filter, fzi_continuation *continuation)
{
    fzi_lower *lw = g->e->lower;
    for (const fzi_node *bound = filter->limits; bound && continuation->bound_count < FZ_MAX_KEYS;
         bound = bound->next)
        continuation->bounds[continuation->bound_count++] =
            bind_value(g, &context, fzi_elaborate(lw, context.view, bound), lw->game->type_int);
    return context;
}

const fzi_node *fzi_filter_values(const fzi_node *filter)
{
    return filter->op == FZ_T_ENSURING ? filter->condition : filter->keys;
}

static unsigned filters_of(const fzi_continuation *continuations)
{
    unsigned count = 0;
    for (; continuations; continuations = continuations->outer)
        count += !continuations->then;
    return count;
}

/* `ensuring` is judged before `keeping`, so it is added last. */
fzi_option_context fzi_add_filters(fzi_gathering *g, fzi_option_context context,
                                   const fzi_node *filters, bool own)
{
    fzi_build *b = g->e->b;
    for (int keeping = 1; keeping >= 0; keeping--) {
        for (const fzi_node *f = filters; f; f = f->next) {
            if ((f->op != FZ_T_ENSURING) != keeping || is_idle(g, context.view, f))
                continue;
            unsigned keys = (unsigned)fzi_list_length(fzi_filter_values(f));
            fzi_at_most(b->game, f->span, "this", keys, "keys", FZ_MAX_KEYS);
            if (!fzi_at_most(b->game, f->span, "this", filters_of(context.continuations) + 1,
                             "filters with those around it", FZ_MAX_PENDING))
                return context;
            fz_filter filter = {.choice = g->choice, .kind = filter_kind(f->op),
                                .keys = (uint8_t)keys, .bounded = f->limits != NULL};
            fzi_continuation *continuation = FZI_NEW(b->arena, fzi_continuation);
            continuation->outer = context.continuations;
            continuation->view = context.view;
            continuation->condition = f;
            continuation->own = own;
            continuation->filter = fzi_array_add(b, &b->filters, &filter);
            context = add_bounds(g, context, f, continuation);
            context.continuations = continuation;
            g->filtered = true;
        }
    }
    return context;
}

const fzi_continuation *fzi_keeping_among(const fzi_continuation *continuations,
                                          const fzi_node *filters)
{
    for (const fzi_node *f = filters; f; f = f->next) {
        if (f->op == FZ_T_ENSURING)
            continue;
        while (continuations && continuations->condition != f)
            continuations = continuations->outer;
        return continuations;
    }
    return NULL;
}

void fzi_own_filters(fzi_gathering *g, const fzi_continuation *continuations)
{
    fzi_build *b = g->e->b;
    fz_choice *choice = FZI_ITEM(b->choices, fz_choice, g->choice);
    choice->filter = (uint32_t)b->filter_lists.count;
    for (const fzi_continuation *c = continuations; c; c = c->outer) {
        fzi_array_add(b, &b->filter_lists, &c->filter);
        choice->filters++;
    }
}

/* ---- conditions of explaining programs ---- */

/* In an explaining program an `if` of an option becomes filters that are judged before the effect.
 * The legal moves stay the same. A list without filters then contains the moves that a false
 * condition excludes, and trying such a move finds the condition. */

enum { MAX_CONDITIONS = 10 }; /* of an option; FZ_MAX_PENDING limits all its filters */

/* `place`: the place of the conjunct in the option. */
static void add_condition(fzi_gathering *g, fzi_option_context *context, fzi_view view,
                          const fzi_node *condition, uint32_t place)
{
    fzi_build *b = g->e->b;
    fzi_node *node = fzi_node_new(b->arena, N_FILTER, condition->span);
    node->op = FZ_T_ENSURING;
    node->condition = fzi_arena_copy(b->arena, condition, sizeof *condition);
    node->condition->next = NULL;
    fz_filter filter = {.choice = g->choice, .kind = FZ_FILTER_ENSURING, .keys = 1,
                        .condition = place + 1};
    fzi_continuation *continuation = FZI_NEW(b->arena, fzi_continuation);
    continuation->outer = context->conditions;
    continuation->view = view;
    continuation->condition = node;
    continuation->before_effect = true;
    continuation->filter = fzi_array_add(b, &b->filters, &filter);
    context->conditions = continuation;
    g->filtered = true;
}

static bool is_and(const fzi_node *node)
{
    return node->kind == N_E_BINARY && node->op == FZ_T_AND;
}

static void add_conjuncts(fzi_gathering *g, fzi_option_context *context, fzi_view view,
                          const fzi_node *condition, uint32_t place)
{
    if (!is_and(condition)) {
        add_condition(g, context, view, condition, place);
        return;
    }
    add_conjuncts(g, context, view, condition->left, place);
    add_conjuncts(g, context, view, condition->right, place);
}

static unsigned conjuncts(const fzi_node *node)
{
    return is_and(node) ? conjuncts(node->left) + conjuncts(node->right) : 1;
}

/* The `let` that a conjunct names, if its value is a conjunction. */
static const fzi_symbol *named_conjunction(const fzi_node *node)
{
    const fzi_symbol *symbol = node->kind == N_E_INDEX  ? node->primary->symbol
                               : node->kind == N_E_NAME ? node->symbol
                                                        : NULL;
    return symbol && symbol->kind == FZI_SYM_LET && symbol->node && symbol->node->value &&
                   is_and(symbol->node->value)
               ? symbol
               : NULL;
}

static void add_written(fzi_gathering *g, fzi_option_context *context, const fzi_node *condition)
{
    fzi_lower *lw = g->e->lower;
    if (is_and(condition)) {
        add_written(g, context, condition->left);
        add_written(g, context, condition->right);
        return;
    }
    uint32_t place = fzi_build_place(g->e->b, condition->span);
    const fzi_symbol *let = named_conjunction(condition);
    if (!let || filters_of(context->conditions) + conjuncts(let->node->value) > MAX_CONDITIONS) {
        add_condition(g, context, context->view, condition, place);
        return;
    }
    fzi_view inner = {NULL, context->view.me};
    const fzi_node *index = condition->kind == N_E_INDEX ? condition->indexes : NULL;
    for (unsigned i = 0; index && i < let->param_count; index = index->next, i++)
        inner = fzi_view_bind(lw, inner, let->params[i], fzi_elaborate(lw, context->view, index));
    add_conjuncts(g, context, inner, let->node->value, place);
}

bool fzi_add_condition(fzi_gathering *g, fzi_option_context *context, const fzi_node *condition)
{
    unsigned count = filters_of(context->conditions) + conjuncts(condition);
    if (!g->explains || count > MAX_CONDITIONS ||
        count + filters_of(context->continuations) > FZ_MAX_PENDING / 2 + MAX_CONDITIONS / 2)
        return false;
    add_written(g, context, condition);
    return true;
}

const fzi_continuation *fzi_all_continuations(fzi_gathering *g, const fzi_option_context *context)
{
    const fzi_continuation *continuations = context->continuations;
    for (const fzi_continuation *c = context->conditions; c; c = c->outer) {
        fzi_continuation *copy = fzi_arena_copy(g->e->b->arena, c, sizeof *c);
        copy->outer = continuations;
        continuations = copy;
    }
    return continuations;
}
