/* Evaluates the constants that the checker needs: ends of ranges, dice, conditions that never hold.
 * Lowering evaluates all other constants. */
#include "checker.h"

/* `left` bounds the work: nested lets may double it at each level. */
typedef struct evaluation {
    const fzi_checker *c;
    unsigned left;
    unsigned depth;
} evaluation;

enum { FZ_CONSTANT_WORK = 20000, FZ_CONSTANT_DEPTH = 1500 };

static bool evaluate(evaluation *e, const fzi_node *node, int64_t *value);

static bool fits_int(int64_t value)
{
    return value >= INT32_MIN && value <= INT32_MAX;
}

static int64_t floor_div(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

static bool arithmetic(int op, int64_t a, int64_t b, int64_t *value)
{
    switch (op) {
    case FZ_T_PLUS: *value = a + b; break;
    case FZ_T_MINUS: *value = a - b; break;
    case FZ_T_TIMES: *value = a * b; break;
    case FZ_T_DIVIDE:
        if (b == 0)
            return false;
        *value = floor_div(a, b);
        break;
    case FZ_T_MODULO:
        if (b == 0)
            return false;
        *value = a - b * floor_div(a, b);
        break;
    case FZ_T_EQ: *value = a == b; break;
    case FZ_T_NE: *value = a != b; break;
    case FZ_T_LT: *value = a < b; break;
    case FZ_T_LE: *value = a <= b; break;
    case FZ_T_GT: *value = a > b; break;
    case FZ_T_GE: *value = a >= b; break;
    default: return false;
    }
    return fits_int(*value);
}

static bool is_number(const fzi_type *type)
{
    return !type || type->kind == FZI_TYPE_INT || type->kind == FZI_TYPE_BOOL;
}

static bool binary(evaluation *e, const fzi_node *node, int64_t *value)
{
    int64_t a, b;
    bool known_a = evaluate(e, node->left, &a);
    if (node->op == FZ_T_AND || node->op == FZ_T_OR) {
        int64_t decides = node->op == FZ_T_OR;
        bool known_b = evaluate(e, node->right, &b);
        *value = decides;
        if ((known_a && a == decides) || (known_b && b == decides))
            return true;
        *value = !decides;
        return known_a && known_b;
    }
    if (!known_a || !evaluate(e, node->right, &b))
        return false;
    bool compares = node->op >= FZ_T_EQ && node->op <= FZ_T_GE;
    if (!compares && !is_number(node->left->type))
        return false; /* wraps around in a finite type */
    return arithmetic(node->op, a, b, value);
}

static bool constant_symbol(evaluation *e, const fzi_symbol *symbol, int64_t *value)
{
    switch (symbol->kind) {
    case FZI_SYM_OPTION: case FZI_SYM_VALUE: case FZI_SYM_PLAYER: case FZI_SYM_TEAM:
    case FZI_SYM_KIND: case FZI_SYM_SITE: case FZI_SYM_DIR:
        *value = symbol->value;
        return true;
    case FZI_SYM_PRIMITIVE:
        *value = symbol->value == FZI_PRIM_true;
        return symbol->value == FZI_PRIM_true || symbol->value == FZI_PRIM_false;
    case FZI_SYM_LET:
        return !symbol->node->params && evaluate(e, symbol->node->value, value);
    default:
        return false;
    }
}

/* A name without a symbol is a global: locals occur in checked expressions only. */
static bool name(evaluation *e, const fzi_node *node, int64_t *value)
{
    if (node->symbol)
        return constant_symbol(e, node->symbol, value);
    fzi_entry *entry = fzi_scope_find(e->c->scope, node->name);
    if (!entry || entry->namesake || fzi_is_callable(&entry->symbol))
        return false;
    return constant_symbol(e, &entry->symbol, value);
}

static bool size_of(evaluation *e, const fzi_node *node, int64_t *value)
{
    if (node->kind != N_E_NAME)
        return false;
    const fzi_symbol *symbol = node->symbol ? node->symbol
                                            : fzi_find_global(e->c, node->name, FZI_KINDS_TYPE);
    if (!symbol || !(FZI_KINDS_TYPE >> symbol->kind & 1) || symbol->kind == FZI_SYM_OPTION ||
        !symbol->type)
        return false;
    *value = fzi_type_size(symbol->type);
    return *value > 0;
}

static bool unary(evaluation *e, const fzi_node *node, int64_t *value)
{
    if (node->op == FZ_T_HASH)
        return size_of(e, node->operand, value);
    if (node->op == FZ_T_TILDE || !evaluate(e, node->operand, value))
        return false;
    *value = node->op == FZ_T_NOT ? !*value : -*value;
    return fits_int(*value);
}

static bool evaluate_deeper(evaluation *e, const fzi_node *node, int64_t *value)
{
    int64_t condition;
    switch (node->kind) {
    case N_E_INT:
        *value = node->number;
        return true;
    case N_E_NAME:
        return name(e, node, value);
    case N_E_MEMBER:
        return node->symbol && constant_symbol(e, node->symbol, value);
    case N_E_BINARY:
        return binary(e, node, value);
    case N_E_UNARY:
        return unary(e, node, value);
    case N_E_IF:
        return evaluate(e, node->condition, &condition) &&
               evaluate(e, condition ? node->then : node->otherwise, value);
    case N_E_AS:
        return evaluate(e, node->body, value);
    default:
        return false;
    }
}

static bool evaluate(evaluation *e, const fzi_node *node, int64_t *value)
{
    if (e->left == 0 || e->depth == FZ_CONSTANT_DEPTH)
        return false;
    e->left--;
    e->depth++;
    bool known = evaluate_deeper(e, node, value);
    e->depth--;
    return known;
}

bool fzi_constant(const fzi_checker *c, const fzi_node *node, int64_t *value)
{
    evaluation e = {.c = c, .left = FZ_CONSTANT_WORK};
    return evaluate(&e, node, value);
}

bool fzi_need_constant(fzi_checker *c, const fzi_node *node, const char *what, int64_t *value)
{
    if (fzi_constant(c, node, value))
        return true;
    if (!node->type || node->type->kind != FZI_TYPE_POISON)
        fzi_error(c->diags, node->span, FZ_E_CONSTANT_WANTED, what);
    return false;
}
