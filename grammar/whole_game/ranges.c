/* Computes bounds of numbers from the ranges of variables, options and sizes of sets, and warns
 * about comparisons that they decide: `hand[me] >= 0` of a variable of 0..9. */
#include "whole_game.h"

/* `MAX_WORK` bounds a question: nested lets may double the work at each level. */
enum { MAX_DEPTH = 30, MAX_WORK = 1000 };

typedef struct looker {
    const fzi_checker *c;
    bool in_turn;
} looker;

typedef struct interval {
    int64_t low, high;
} interval;

static const interval any = {INT32_MIN, INT32_MAX};

static interval bounds(const looker *l, const fzi_node *node, int depth);

static interval of_type(const fzi_type *type)
{
    return type && type->kind == FZI_TYPE_INT ? (interval){type->low, type->high} : any;
}

static interval clipped(int64_t low, int64_t high)
{
    return (interval){low < INT32_MIN ? INT32_MIN : low, high > INT32_MAX ? INT32_MAX : high};
}

static interval hull(interval a, interval b)
{
    return (interval){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

static bool is_any(interval b)
{
    return b.low == INT32_MIN || b.high == INT32_MAX;
}

static interval of_primitive(const looker *l, const fzi_symbol *symbol)
{
    switch (symbol->value) {
    case FZI_PRIM_turns: return (interval){l->in_turn ? 1 : 0, INT32_MAX};
    case FZI_PRIM_repetitions: case FZI_PRIM_board_repetitions:
    case FZI_PRIM_repetitions_since: case FZI_PRIM_row: case FZI_PRIM_column:
    case FZI_PRIM_standing:
        return (interval){0, INT32_MAX};
    case FZI_PRIM_dist: case FZI_PRIM_int: return (interval){-1, INT32_MAX};
    default: return any;
    }
}

/* The range of its declaration, whatever the options in it are. */
static interval of_variable(const looker *l, const fzi_symbol *symbol, int depth)
{
    const fzi_node *type = symbol->node ? symbol->node->declared_type : NULL;
    if (!type || type->kind != N_T_RANGE)
        return of_type(symbol->type);
    return (interval){bounds(l, type->low, depth + 1).low, bounds(l, type->high, depth + 1).high};
}

static interval of_name(const looker *l, const fzi_node *node, int depth)
{
    const fzi_symbol *symbol = node->symbol;
    if (!symbol)
        return any;
    const fzi_option *option =
        symbol->kind == FZI_SYM_OPTION ? fzi_find_option(l->c->unit, symbol->name) : NULL;
    if (option && option->kind == FZ_OPTION_NUMBER)
        return (interval){option->low, option->high};
    if (symbol->kind == FZI_SYM_PRIMITIVE && symbol->value < FZI_PIECE_MOVES)
        return of_primitive(l, symbol);
    if (symbol->kind == FZI_SYM_LET && !symbol->node->params && symbol->node->value &&
        symbol->type && symbol->type->kind == FZI_TYPE_INT)
        return bounds(l, symbol->node->value, depth + 1);
    if (symbol->kind == FZI_SYM_VAR && !symbol->index_count)
        return of_variable(l, symbol, depth);
    if (symbol->kind == FZI_SYM_LOCAL && symbol->local == FZI_LOCAL_LET && symbol->node &&
        symbol->node->value && symbol->node->kind == N_BOUND)
        return bounds(l, symbol->node->value, depth + 1);
    /* A loop over a range with an option at its end has the bounds of this compile only. */
    return any;
}

/* The number of sites and players may depend on options. */
static interval of_size(const fzi_node *set)
{
    const fzi_type *type = set->type;
    int64_t most = INT32_MAX;
    if (type && type->kind == FZI_TYPE_SET && type->element->kind != FZI_TYPE_SITE &&
        type->element->kind != FZI_TYPE_INT && fzi_type_size(type->element))
        most = fzi_type_size(type->element);
    return (interval){0, most};
}

static interval of_binary(const looker *l, const fzi_node *node, int depth)
{
    interval a = bounds(l, node->left, depth + 1), b = bounds(l, node->right, depth + 1);
    switch (node->op) {
    case FZ_T_PLUS:
        return (interval){a.low == INT32_MIN || b.low == INT32_MIN ? INT32_MIN : a.low + b.low,
                            a.high == INT32_MAX || b.high == INT32_MAX ? INT32_MAX
                                                                      : a.high + b.high};
    case FZ_T_MINUS:
        return (interval){a.low == INT32_MIN || b.high == INT32_MAX ? INT32_MIN
                                                                     : a.low - b.high,
                            a.high == INT32_MAX || b.low == INT32_MIN ? INT32_MAX
                                                                     : a.high - b.low};
    case FZ_T_TIMES:
        if (a.low < 0 || b.low < 0)
            return any;
        return is_any(a) || is_any(b) ? (interval){0, INT32_MAX}
                                      : clipped(a.low * b.low, a.high * b.high);
    case FZ_T_MODULO:
        return b.low > 0 ? (interval){0, b.high == INT32_MAX ? INT32_MAX : b.high - 1} : any;
    default:
        return any;
    }
}

static interval of_over(const looker *l, const fzi_node *node, int depth)
{
    const interval zero = {0, 0};
    interval body = bounds(l, node->body, depth + 1);
    switch (node->op) {
    case FZ_T_COUNT: return (interval){0, INT32_MAX};
    case FZ_T_SUM: return body.low >= 0 ? (interval){0, INT32_MAX} : any;
    case FZ_T_MAX: case FZ_T_MIN: return hull(body, zero); /* 0 for the empty set */
    default: return any;
    }
}

static interval of_call(const looker *l, const fzi_node *node, int depth)
{
    const fzi_symbol *symbol = node->symbol;
    if (!symbol)
        return any;
    if (symbol->kind != FZI_SYM_PRIMITIVE || symbol->value >= FZI_PIECE_MOVES)
        return of_type(symbol->type);
    bool most = symbol->value == FZI_PRIM_max, least = symbol->value == FZI_PRIM_min;
    if (!most && !least)
        return of_primitive(l, symbol);
    interval a = bounds(l, node->arguments, depth + 1),
               b = bounds(l, node->arguments->next, depth + 1);
    if (most)
        return (interval){a.low > b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
    return (interval){a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
}

static interval bounds(const looker *l, const fzi_node *node, int depth)
{
    if (depth > MAX_DEPTH || !*l->c->work_left)
        return any;
    --*l->c->work_left;
    switch (node->kind) {
    case N_E_INT: return (interval){node->number, node->number};
    case N_E_NAME: return of_name(l, node, depth);
    case N_E_INDEX:
        return node->primary->symbol && node->primary->symbol->kind == FZI_SYM_VAR
                   ? of_variable(l, node->primary->symbol, depth)
                   : any;
    case N_E_UNARY:
        if (node->op == FZ_T_HASH)
            return of_size(node->operand);
        if (node->op == FZ_T_MINUS) {
            interval inner = bounds(l, node->operand, depth + 1);
            return is_any(inner) ? any : (interval){-inner.high, -inner.low};
        }
        return any;
    case N_E_BINARY: return of_binary(l, node, depth);
    case N_E_IF:
        return hull(bounds(l, node->then, depth + 1), bounds(l, node->otherwise, depth + 1));
    case N_E_OVER: return of_over(l, node, depth);
    case N_E_CALL: return of_call(l, node, depth);
    case N_E_AS: return bounds(l, node->body, depth + 1);
    default: return any;
    }
}

static interval bounds_of(const fzi_checker *c, const fzi_node *node, bool in_turn)
{
    *c->work_left = MAX_WORK;
    return bounds(&(looker){c, in_turn}, node, 0);
}

/* 1 always, 0 never, -1 unknown. */
static int answer(int op, interval a, interval b)
{
    switch (op) {
    case FZ_T_LT: return a.high < b.low ? 1 : a.low >= b.high ? 0 : -1;
    case FZ_T_LE: return a.high <= b.low ? 1 : a.low > b.high ? 0 : -1;
    case FZ_T_GT: return answer(FZ_T_LT, b, a);
    case FZ_T_GE: return answer(FZ_T_LE, b, a);
    case FZ_T_EQ: return a.high < b.low || a.low > b.high ? 0 : -1;
    case FZ_T_NE: return a.high < b.low || a.low > b.high ? 1 : -1;
    default: return -1;
    }
}

static bool is_number(const fzi_node *node)
{
    return node->type && node->type->kind == FZI_TYPE_INT;
}

/* Options can change, so a comparison that only options decide gets no warning. */
static bool is_changeable(const fzi_checker *c, const fzi_node *node)
{
    const fzi_symbol *symbol = node->kind == N_E_NAME ? node->symbol : NULL;
    return symbol && (symbol->kind == FZI_SYM_OPTION ||
                      (symbol->kind == FZI_SYM_LET && symbol->node->value &&
                       (symbol->node->value->kind == N_E_INT ||
                        is_changeable(c, symbol->node->value))));
}

void fzi_check_comparison(fzi_checker *c, const fzi_node *node, bool in_turn)
{
    if (!is_number(node->left) || !is_number(node->right) ||
        (is_changeable(c, node->left) && is_changeable(c, node->right)))
        return;
    interval a = bounds_of(c, node->left, in_turn),
               b = bounds_of(c, node->right, in_turn);
    int always = answer(node->op, a, b);
    if (always < 0 || (a.low == a.high && b.low == b.high))
        return; /* constants have a check of their own */
    fzi_diag *diag = fzi_error(c->diags, node->span, FZ_W_CONSTANT_CONDITION,
                               always ? "true" : "false");
    const fzi_node *side = a.low == a.high ? node->right : node->left;
    interval known = a.low == a.high ? b : a;
    if (known.high != INT32_MAX && known.low != INT32_MIN)
        fzi_hint_add(diag, "%s is a number from %lld to %lld", fzi_quote(c, side),
                     (long long)known.low, (long long)known.high);
    else if (known.low != INT32_MIN)
        fzi_hint_add(diag, "%s is at least %lld", fzi_quote(c, side), (long long)known.low);
}
