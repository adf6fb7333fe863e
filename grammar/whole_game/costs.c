/* Finds loops over more values than a decision has instructions: such a script could be compiled,
 * but not played. Bounds are from below, since conditions leave out what follows them, and the
 * compiler tabulates what depends on few values. */
#include "whole_game.h"

#include "interp/program/program.h"

/* What takes fewer instructions for all of its values, of which there are few, may become a table
 * (constant_tables.c). */
enum { MOST_TABULATED = 30 * 1000 * 1000, MOST_ROWS = 1 << 17 };
enum { MOST_VISITED = 100 * 1000, MOST_VISITED_IN_ALL = 2 * 1000 * 1000, DEEPEST = 8 };

/* A local number: the least that it can be, and how many values it goes through. */
typedef struct ranged {
    const fzi_symbol *local;
    int64_t least;
    uint64_t values;
    const struct ranged *outer;
} ranged;

typedef struct costs {
    fzi_checker *c;
    uint64_t most;        /* instructions of a decision */
    unsigned left;        /* nodes that may still be visited for one bound, */
    unsigned left_in_all; /* and for all */
    unsigned depth;       /* of declarations */
    const ranged *locals; /* innermost */
} costs;

static uint64_t times(uint64_t a, uint64_t b)
{
    return a && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

static uint64_t plus(uint64_t a, uint64_t b)
{
    return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

static const ranged *find_local(const costs *k, const fzi_symbol *symbol)
{
    const ranged *r = k->locals;
    while (r && r->local != symbol)
        r = r->outer;
    return symbol ? r : NULL;
}

/* The least value of a constant, or of a local whose range is known. */
static bool least_value(const costs *k, const fzi_node *node, int64_t *value)
{
    const ranged *r = node->kind == N_E_NAME ? find_local(k, node->symbol) : NULL;
    if (r)
        *value = r->least;
    return r || fzi_constant(k->c, node, value);
}

/* The least number of members, for sets that do not depend on the position; 0: of others. */
static uint64_t members(const costs *k, const fzi_node *set)
{
    int64_t low, high;
    set = fzi_let_value(set);
    const fzi_symbol *symbol = set->kind == N_E_NAME ? set->symbol : NULL;
    if (symbol && (symbol->kind == FZI_SYM_TYPE || symbol->kind == FZI_SYM_ENUM))
        return symbol->type ? (uint64_t)fzi_type_size(symbol->type) : 0;
    bool is_range = set->kind == N_E_BINARY && set->op == FZ_T_RANGE &&
                    fzi_constant(k->c, set->left, &low) && least_value(k, set->right, &high);
    return is_range && high >= low ? (uint64_t)(high - low) + 1 : 0;
}

/* Adds the names of the binders, of which the caller has room for as many as there are. */
static void enter_locals(costs *k, const fzi_node *binders, ranged *room, unsigned most)
{
    for (const fzi_node *b = binders; b && most; b = b->next, room++, most--) {
        const fzi_node *set = fzi_let_value(b->set);
        *room = (ranged){b->symbol, 0, members(k, b->set), k->locals};
        bool is_known = set->kind == N_E_BINARY && set->op == FZ_T_RANGE &&
                        fzi_constant(k->c, set->left, &room->least);
        if (is_known)
            k->locals = room;
    }
}

static bool names_local(const fzi_node *node, const void *local)
{
    return node->kind == N_E_NAME && node->symbol == local;
}

/* Does it depend on locals of so many values that it can be no table? */
static bool has_many_rows(const costs *k, const fzi_node *node)
{
    uint64_t rows = 1;
    for (const ranged *r = k->locals; r; r = r->outer)
        if (fzi_below_any(node, names_local, r->local))
            rows = times(rows, r->values);
    return rows > MOST_ROWS;
}

/* All combinations of the members; 0 if the number of one is not known. */
static uint64_t combinations(const costs *k, const fzi_node *binders)
{
    uint64_t count = 1;
    for (const fzi_node *b = binders; b; b = b->next)
        count = times(count, b->set ? members(k, b->set) : 0);
    return count;
}

static bool is_outer_local(const fzi_node *node, const void *data)
{
    const fzi_node *whole = data;
    const fzi_symbol *local = node->kind == N_E_NAME ? node->symbol : NULL;
    return local && local->kind == FZI_SYM_LOCAL &&
           !(local->span.start >= whole->span.start && local->span.end <= whole->span.end);
}

/* Is it evaluated once, when the script is compiled? */
static bool is_constant(const fzi_node *node)
{
    return !(node->effects & (FZI_READS_STATE | FZI_CHANCE | FZI_USES_ME)) &&
           !fzi_below_any(node, is_outer_local, node);
}

static bool leaves(const fzi_node *node, const void *data)
{
    (void)data;
    return node->kind == N_S_RETURN || node->kind == N_S_STOP ||
           node->effects & (FZI_ENDS | FZI_STOPS);
}

/* ---- bounds ---- */

static uint64_t bound(costs *k, const fzi_node *node);

static uint64_t bound_of_list(costs *k, const fzi_node *list)
{
    uint64_t sum = 0;
    for (; list; list = list->next)
        sum = plus(sum, bound(k, list));
    return sum;
}

/* Does the value depend on all names? Else it is computed once for the values of the others. */
static bool needs_all(const fzi_node *node)
{
    for (const fzi_node *b = node->binders; b; b = b->next)
        if (!names_local(node->body, b->symbol) &&
            !fzi_below_any(node->body, names_local, b->symbol))
            return false;
    return true;
}

static uint64_t bound_of_loop(costs *k, const fzi_node *node)
{
    const uint64_t count = needs_all(node) ? combinations(k, node->binders) : 1;
    if (node->op == FZ_T_ANY || node->op == FZ_T_ALL || node->op == FZ_T_FIRST)
        return 0; /* may end early */
    const ranged *outer = k->locals;
    ranged room[FZ_MAX_BINDINGS];
    enter_locals(k, node->binders, room, FZ_MAX_BINDINGS);
    const uint64_t each = bound(k, node->condition ? node->condition : node->body);
    k->locals = outer;
    const uint64_t all = times(count, each ? each : 1);
    bool may_be_table =
        !(node->effects & FZI_READS_STATE) && all <= MOST_TABULATED && !has_many_rows(k, node);
    return may_be_table || is_constant(node) ? 0 : all;
}

static const fzi_node *body_of(const costs *k, const fzi_node *use)
{
    const fzi_symbol *symbol = use->symbol;
    bool has_body =
        symbol && symbol->node && !symbol->recursive &&
        (symbol->kind == FZI_SYM_FN || symbol->kind == FZI_SYM_PROC || symbol->kind == FZI_SYM_LET);
    if (!has_body || !(symbol->effects & FZI_READS_STATE || has_many_rows(k, use)))
        return NULL; /* of other values there may be tables */
    return symbol->node->kind == N_D_PROC ? symbol->node->body
           : symbol->node->value          ? symbol->node->value
                                          : symbol->node->body;
}

static uint64_t bound_of_call(costs *k, const fzi_node *use)
{
    const fzi_node *body = k->depth < DEEPEST ? body_of(k, use) : NULL;
    const uint64_t count = bound_of_list(k, use->arguments);
    if (!body)
        return count;
    const ranged *outer = k->locals;
    const fzi_node *argument = use->kind == N_E_NAME ? NULL : use->arguments;
    ranged room[FZ_MAX_BINDINGS];
    for (unsigned i = 0; argument && i < use->symbol->param_count && i < FZ_MAX_BINDINGS; i++) {
        const ranged *r = argument->kind == N_E_NAME ? find_local(k, argument->symbol) : NULL;
        room[i] = (ranged){use->symbol->params[i], 0, r ? r->values : 1, k->locals};
        if (least_value(k, argument, &room[i].least))
            k->locals = &room[i];
        argument = argument->next;
    }
    k->depth++;
    const uint64_t inside = bound(k, body);
    k->depth--;
    k->locals = outer;
    return plus(count, inside);
}

/* Of statements that run one after the other; none after one that may leave. */
static uint64_t bound_of_block(costs *k, const fzi_node *stmts)
{
    uint64_t sum = 0;
    for (; stmts; stmts = stmts->next) {
        sum = plus(sum, bound(k, stmts));
        if (leaves(stmts, NULL) || fzi_below_any(stmts, leaves, NULL))
            break;
    }
    return sum;
}

/* Do all parts of the condition need the innermost value, so that none of them is looked at before
 * it is known? */
static bool all_need(const fzi_node *condition, const fzi_symbol *local)
{
    if (condition->kind == N_E_BINARY && condition->op == FZ_T_AND)
        return all_need(condition->left, local) && all_need(condition->right, local);
    return names_local(condition, local) || fzi_below_any(condition, names_local, local);
}

/* May the compiler list the members that pass without looking at each? It makes sets of conditions
 * on sites (prefilter_sources.c), and tables of what depends on few values. */
static bool may_be_set(const costs *k, const fzi_node *condition, const fzi_symbol *local)
{
    bool is_table = !(condition->effects & FZI_READS_STATE) && !has_many_rows(k, condition);
    return is_table || (local->type && local->type->kind == FZI_TYPE_SITE);
}

/* Of listing the moves of an option: the `for`s up to the first condition. */
static uint64_t bound_of_quantifiers(costs *k, const fzi_node *option)
{
    uint64_t count = 1, last = 1;
    ranged room[FZ_MAX_BINDINGS], *next = room;
    const fzi_symbol *innermost = NULL;
    for (const fzi_node *q = option->quants; q; q = q->next) {
        if (q->kind == N_Q_IF && innermost && all_need(q->condition, innermost) &&
            !may_be_set(k, q->condition, innermost))
            return times(count, plus(bound(k, q->condition), 1));
        if (q->kind == N_Q_IF)
            return count / last;
        for (const fzi_node *b = q->kind == N_Q_FOR ? q->binders : NULL; b; b = b->next) {
            last = members(k, b->set);
            if (!last)
                return count;
            count = times(count, last);
            innermost = b->symbol;
            fzi_node alone = *b;
            alone.next = NULL;
            if (next < room + FZ_MAX_BINDINGS)
                enter_locals(k, &alone, next++, 1);
        }
    }
    return count / last; /* the moves of a set are listed at once */
}

static uint64_t bound_of_option(costs *k, const fzi_node *option)
{
    const ranged *outer = k->locals;
    const uint64_t count = bound_of_quantifiers(k, option);
    k->locals = outer;
    return count;
}

static uint64_t bound_of_for(costs *k, const fzi_node *stmt)
{
    const ranged *outer = k->locals;
    ranged room[FZ_MAX_BINDINGS];
    if (fzi_below_any(stmt, leaves, NULL))
        return 0;
    enter_locals(k, stmt->binders, room, FZ_MAX_BINDINGS);
    const uint64_t each = bound(k, stmt->body);
    k->locals = outer;
    return times(combinations(k, stmt->binders), each ? each : 1);
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* At least so many combinations are gone through; 0 without a loop. */
static uint64_t bound(costs *k, const fzi_node *node)
{
    uint64_t sum = 0;
    if (!node || k->left == 0)
        return 0;
    k->left--;
    switch (node->kind) {
    case N_E_OVER: return bound_of_loop(k, node);
    case N_E_CALL:
    case N_E_NAME:
    case N_S_CALL: return bound_of_call(k, node);
    case N_E_IF:
    case N_S_IF:
        return plus(bound(k, node->condition),
                    node->otherwise ? least(bound(k, node->then), bound(k, node->otherwise)) : 0);
    case N_S_BLOCK: return bound_of_block(k, node->stmts);
    case N_S_FOR: return bound_of_for(k, node);
    case N_OPTION: return bound_of_option(k, node);
    case N_S_CHOOSE: return bound_of_list(k, node->options);
    case N_S_LET:
    case N_S_WHILE:
    case N_S_TOGETHER:
    case N_E_SET_FOR: return 0;
    case N_E_BINARY:
        if (node->op == FZ_T_AND || node->op == FZ_T_OR)
            return bound(k, node->left);
        break;
    default: break;
    }
    for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
        sum = plus(sum, bound_of_list(k, node->children[i]));
    return sum;
}

/* ---- the check ---- */

static bool check(costs *k, const fzi_node *node);

static bool check_list(costs *k, const fzi_node *list)
{
    bool found = false;
    for (; list; list = list->next)
        found |= check(k, list);
    return found;
}

/* Are the moves of an option never listed, as with `if Large` and another value of the option? */
static bool is_left_out(const costs *k, const fzi_node *option)
{
    int64_t holds = 1;
    for (const fzi_node *q = option->quants; q && holds; q = q->next)
        if (q->kind == N_Q_IF && !fzi_constant(k->c, q->condition, &holds))
            holds = 1;
    return !holds;
}

/* Reports the innermost loops that cost too much, where they may run. True: there was one. */
static bool check(costs *k, const fzi_node *node)
{
    int64_t holds;
    bool found = false, is_if = node->kind == N_S_IF || node->kind == N_E_IF;
    if (is_if && fzi_constant(k->c, node->condition, &holds))
        return check_list(k, holds ? node->then : node->otherwise);
    if (node->kind == N_OPTION && is_left_out(k, node))
        return false;
    for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
        found |= check_list(k, node->children[i]);
    bool is_loop = node->kind == N_E_OVER || node->kind == N_S_FOR || node->kind == N_OPTION;
    if (found || !is_loop)
        return found;
    const unsigned may_visit = k->left_in_all < MOST_VISITED ? k->left_in_all : MOST_VISITED;
    k->left = may_visit;
    const uint64_t cost = bound(k, node);
    k->left_in_all -= may_visit - k->left;
    if (cost <= k->most)
        return false;
    const fzi_node *place = node->kind == N_OPTION ? node->quants : node->binders;
    fzi_error(k->c->diags, place->span, FZ_E_COSTLY_LOOP, (unsigned long long)cost,
              (unsigned long long)k->most);
    return true;
}

/* The instructions of a decision, as the script or the limits say. */
static uint64_t most_instructions(const fzi_checker *c)
{
    static const uint32_t usual[] = {
#define LIMIT(field, name, number, most, part) number,
#include "interp/program/limits.def"
    };
    int64_t stated;
    for (const fzi_node *decl = c->unit->decls; decl; decl = decl->next)
        if (decl->kind == N_D_BOUND && strcmp(decl->names->name, "instructions") == 0 &&
            fzi_constant(c, decl->value, &stated) && stated > 0)
            return (uint64_t)stated;
    return usual[FZ_LIMIT_instructions];
}

void fzi_check_costs(fzi_checker *c)
{
    costs k = {.c = c, .most = most_instructions(c), .left_in_all = MOST_VISITED_IN_ALL};
    if (c->diags->errors)
        return;
    for (const fzi_node *decl = c->unit->decls; decl; decl = decl->next)
        if (decl->kind != N_D_TEST)
            check(&k, decl);
}
