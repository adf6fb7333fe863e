/* The meaning of names in the constants that the checker needs: ends of ranges, dice, conditions
 * that never hold. Lowering evaluates all other constants. */
#include "checker.h"

static bool value_of(fzi_constants *e, const fzi_symbol *symbol, fzi_known *result)
{
    int kind = symbol->type ? symbol->type->kind : FZI_TYPE_POISON;
    switch (symbol->kind) {
    case FZI_SYM_OPTION: case FZI_SYM_VALUE: case FZI_SYM_PLAYER: case FZI_SYM_TEAM:
    case FZI_SYM_KIND: case FZI_SYM_SITE: case FZI_SYM_DIR:
        *result = (fzi_known){kind == FZI_TYPE_INT    ? FZI_NUMBER
                              : kind == FZI_TYPE_BOOL ? FZI_TRUTH
                                                      : FZI_NAMED,
                              symbol->value, symbol->type};
        return true;
    case FZI_SYM_PRIMITIVE:
        *result = (fzi_known){FZI_TRUTH, symbol->value == FZI_PRIM_true, NULL};
        return symbol->value == FZI_PRIM_true || symbol->value == FZI_PRIM_false;
    case FZI_SYM_LET:
        return !symbol->node->params && fzi_known_value(e, symbol->node->value, result);
    default:
        return false;
    }
}

static bool size_of(const fzi_checker *c, const fzi_node *node, fzi_known *result)
{
    if (node->kind != N_E_NAME)
        return false;
    const fzi_symbol *symbol = node->symbol;
    if (!symbol)
        symbol = fzi_find_global(c, node->name, node->span.source, FZI_KINDS_TYPE);
    if (!symbol || !(FZI_KINDS_TYPE >> symbol->kind & 1) || symbol->kind == FZI_SYM_OPTION ||
        !symbol->type)
        return false;
    *result = (fzi_known){FZI_NUMBER, fzi_type_size(symbol->type), NULL};
    return result->number > 0;
}

/* A name without a symbol is a global: locals occur in checked expressions only. */
static bool meaning(fzi_constants *e, const fzi_node *node, fzi_known *result)
{
    const fzi_checker *c = e->user;
    if (node->kind == N_E_UNARY)
        return size_of(c, node->operand, result);
    if (node->symbol || node->kind == N_E_MEMBER)
        return node->symbol && value_of(e, node->symbol, result);
    uint32_t from = node->span.source;
    const fzi_entry *entry = fzi_scope_find(c->scope, node->name, from);
    return entry && !fzi_scope_next(c->scope, entry, node->name, from) &&
           !fzi_is_callable(&entry->symbol) && value_of(e, &entry->symbol, result);
}

bool fzi_constant(const fzi_checker *c, const fzi_node *node, int64_t *value)
{
    fzi_constants e = {.meaning = meaning, .user = c};
    fzi_known known;
    bool found = fzi_known_value(&e, node, &known);
    if (found)
        *value = known.number;
    return found;
}

bool fzi_need_constant(fzi_checker *c, const fzi_node *node, const char *what, int64_t *value)
{
    if (fzi_constant(c, node, value))
        return true;
    if (!node->type || node->type->kind != FZI_TYPE_POISON)
        fzi_error(c->diags, node->span, FZ_E_CONSTANT_WANTED, what);
    return false;
}
