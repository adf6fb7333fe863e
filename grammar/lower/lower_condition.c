/* Explaining programs: an `if` of an option becomes filters that are judged before the effect. The
 * legal moves stay the same. A list without filters then contains the moves that a false condition
 * excludes, and trying such a move finds the condition. */
#include "lower_condition.h"

#include "lower_choice.h"

enum { MAX_CONDITIONS = 10 }; /* on the way to an option; FZ_MAX_PENDING limits all its filters */

static unsigned filters_of(const fzi_closer *closers)
{
    unsigned count = 0;
    for (; closers; closers = closers->outer)
        count += !closers->then;
    return count;
}

/* `place`: the conjunct as the option writes it. */
static void add_condition(fzi_gather *g, fzi_way *way, fzi_view view, const fzi_node *condition,
                          uint32_t place)
{
    fzi_build *b = g->e->b;
    fzi_node *node = fzi_node_new(b->arena, N_FILTER, condition->span);
    node->op = FZ_T_ENSURING;
    node->condition = fzi_arena_copy(b->arena, condition, sizeof *condition);
    node->condition->next = NULL;
    fz_filter filter = {.choice = g->choice, .kind = FZ_FILTER_ENSURING, .keys = 1,
                        .condition = place + 1};
    fzi_closer *closer = FZI_NEW(b->arena, fzi_closer);
    closer->outer = way->conditions;
    closer->view = view;
    closer->condition = node;
    closer->first = true;
    closer->filter = fzi_array_add(b, &b->filters, &filter);
    way->conditions = closer;
    g->filtered = true;
}

static bool is_and(const fzi_node *node)
{
    return node->kind == N_E_BINARY && node->op == FZ_T_AND;
}

static void add_conjuncts(fzi_gather *g, fzi_way *way, fzi_view view, const fzi_node *condition,
                          uint32_t place)
{
    if (!is_and(condition)) {
        add_condition(g, way, view, condition, place);
        return;
    }
    add_conjuncts(g, way, view, condition->left, place);
    add_conjuncts(g, way, view, condition->right, place);
}

static unsigned conjuncts(const fzi_node *node)
{
    return is_and(node) ? conjuncts(node->left) + conjuncts(node->right) : 1;
}

/* The `let` that a conjunct names, if that is a conjunction too. */
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

static void add_written(fzi_gather *g, fzi_way *way, const fzi_node *condition)
{
    fzi_lower *lw = g->e->lower;
    if (is_and(condition)) {
        add_written(g, way, condition->left);
        add_written(g, way, condition->right);
        return;
    }
    uint32_t place = fzi_build_place(g->e->b, condition->span);
    const fzi_symbol *let = named_conjunction(condition);
    if (!let || filters_of(way->conditions) + conjuncts(let->node->value) > MAX_CONDITIONS) {
        add_condition(g, way, way->view, condition, place);
        return;
    }
    fzi_view inner = {NULL, way->view.me};
    const fzi_node *index = condition->kind == N_E_INDEX ? condition->indexes : NULL;
    for (unsigned i = 0; index && i < let->param_count; index = index->next, i++)
        inner = fzi_view_bind(lw, inner, let->params[i], fzi_expr(lw, way->view, index));
    add_conjuncts(g, way, inner, let->node->value, place);
}

bool fzi_way_condition(fzi_gather *g, fzi_way *way, const fzi_node *condition)
{
    unsigned count = filters_of(way->conditions) + conjuncts(condition);
    if (!g->explains || count > MAX_CONDITIONS ||
        count + filters_of(way->closers) > FZ_MAX_PENDING / 2 + MAX_CONDITIONS / 2)
        return false;
    add_written(g, way, condition);
    return true;
}

const fzi_closer *fzi_with_conditions(fzi_gather *g, const fzi_way *way)
{
    const fzi_closer *closers = way->closers;
    for (const fzi_closer *c = way->conditions; c; c = c->outer) {
        fzi_closer *copy = fzi_arena_copy(g->e->b->arena, c, sizeof *c);
        copy->outer = closers;
        closers = copy;
    }
    return closers;
}
