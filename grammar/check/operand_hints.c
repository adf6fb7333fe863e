/* Hints for operands that do not fit their operator. Called by expressions.c. */
#include "expressions.h"

/* `none`, `nobody` or `off` where another of them is meant. */
void fzi_hint_nothing(fzi_diag *diag, const fzi_node *node, const fzi_type *type)
{
    if (node->kind != N_E_NAME || !node->symbol || node->symbol->kind != FZI_SYM_PRIMITIVE ||
        node->symbol->value < FZI_PRIM_off || node->symbol->value > FZI_PRIM_none)
        return;
    const char *word = type->kind == FZI_TYPE_SITE || type->kind == FZI_TYPE_DIR ? "off"
                       : type->kind == FZI_TYPE_PLAYER                          ? "nobody"
                       : type->kind == FZI_TYPE_KIND                            ? "none"
                       : type->kind == FZI_TYPE_SET                             ? "{}"
                                                                                : NULL;
    if (word)
        fzi_hint_replace(diag, &node->span, word, "no %s is written '%s'", type->text, word);
}

static void hint_single_values(fzi_diag *diag, const fzi_node *node)
{
    fzi_span between;
    bool unites = node->op == FZ_T_UNITE && fzi_operator_span(diag->all->sources, node, &between);
    fzi_hint_wrap(diag, node, unites ? "{" : "", unites ? "}" : "",
                  "write braces for a set of single values: {a, b}");
    if (!unites)
        return;
    between.start = node->left->span.end; /* includes the blank before the operator */
    fzi_hint_edit(diag, &between, ",");
}

/* `and` and `or` of sets: a condition asks whether they have members. */
static void hint_sets_as_conditions(fzi_checker *c, fzi_diag *diag, const fzi_node *node,
                                    const fzi_type *want)
{
    const fzi_node *sides[] = {node->left, node->right};
    bool sets = fzi_type_as_set(c->game, sides[0]->type) && fzi_type_as_set(c->game,
                                                                             sides[1]->type);
    if (sets && !(want && want->kind == FZI_TYPE_BOOL)) {
        const char *sign = node->op == FZ_T_AND ? "&" : "|";
        fzi_hint_operator(diag, node, sign, "sets are combined with '%s'", sign);
        return;
    }
    for (unsigned i = 0; i < 2; i++)
        if (sides[i]->type->kind == FZI_TYPE_SET)
            fzi_hint_wrap(diag, sides[i], "", " != {}",
                          "whether a set has members is asked with '%s != {}'",
                          fzi_quote(c, sides[i]));
}

/* Arithmetic with a set instead of the number of its members. */
static bool hint_number_of_members(fzi_checker *c, fzi_diag *diag, const fzi_node *node)
{
    bool arithmetic = node->op == FZ_T_PLUS || node->op == FZ_T_MINUS || node->op == FZ_T_TIMES ||
                      node->op == FZ_T_DIVIDE || node->op == FZ_T_MODULO;
    const fzi_node *set = node->left->type->kind == FZI_TYPE_SET ? node->left : node->right;
    const fzi_node *other = set == node->left ? node->right : node->left;
    if (!arithmetic || set->type->kind != FZI_TYPE_SET || other->type->kind != FZI_TYPE_INT)
        return false;
    fzi_hint_wrap(diag, set, "#(", ")", "the number of a set's members is written '#%s'",
                  fzi_quote(c, set));
    return true;
}

const fzi_type *fzi_wrong_operands(fzi_checker *c, const fzi_node *node, const fzi_type *want)
{
    const fzi_type *a = node->left->type, *b = node->right->type;
    if (a->kind == FZI_TYPE_POISON || b->kind == FZI_TYPE_POISON)
        return c->game->type_poison;
    fzi_diag *diag = fzi_error(c->diags, node->span, FZ_E_OPERAND_TYPES, fzi_op_text(node->op),
                               a->text, b->text);
    fzi_hint_hidden(c, diag, node->left);
    fzi_hint_hidden(c, diag, node->right);
    bool sets = node->op == FZ_T_UNITE || node->op == FZ_T_MEET || node->op == FZ_T_MINUS;
    bool words = node->op == FZ_T_AND || node->op == FZ_T_OR;
    if (words)
        hint_sets_as_conditions(c, diag, node, want);
    else if (hint_number_of_members(c, diag, node))
        return c->game->type_poison;
    else if (sets && node->op != FZ_T_MINUS &&
             (a->kind == FZI_TYPE_BOOL || b->kind == FZI_TYPE_BOOL))
        fzi_hint_operator(diag, node, node->op == FZ_T_UNITE ? "or" : "and",
                          "'and' and 'or' combine conditions");
    else if (sets && fzi_type_same(a, b) && fzi_type_size(a))
        hint_single_values(diag, node);
    else if (node->op == FZ_T_LT || node->op == FZ_T_GT)
        fzi_hint_operator(diag, node, node->op == FZ_T_LT ? "<=" : ">=",
                          "'<=' tests whether one set is a subset of the other");
    else if (node->op == FZ_T_PLUS && fzi_type_is_set(b, FZI_TYPE_DIR))
        fzi_hint_add(diag, "one step in each of several directions is step(sites, dirs)");
    else if (node->op == FZ_T_PLUS && fzi_type_as_set(c->game, a) && fzi_type_as_set(c->game, b))
        fzi_hint_operator(diag, node, "|", "'|' unites sets");
    return c->game->type_poison;
}

/* Suggests the piece on a site where the site itself does not fit. */
static void hint_content(fzi_checker *c, fzi_diag *diag, const fzi_node *site, const fzi_type *type)
{
    bool kind = type->kind == FZI_TYPE_KIND;
    fzi_hint_wrap(diag, site, kind ? "kind(" : "owner(", ")",
                  kind ? "the kind of the piece there is 'kind(%s)'"
                       : "the owner of the piece there is 'owner(%s)'",
                  fzi_quote(c, site));
}

void fzi_hint_compared(fzi_checker *c, fzi_diag *diag, const fzi_node *node)
{
    const fzi_type *a = node->left->type, *b = node->right->type;
    if (a->kind == FZI_TYPE_SET && fzi_type_same(a->element, b))
        fzi_hint_add(diag, "use 'in' to test whether a set contains a value");
    else if (a->kind == FZI_TYPE_SET && b->kind == FZI_TYPE_INT)
        fzi_hint_wrap(diag, node->left, "#(", ")", "the number of a set's members is written '#%s'",
                      fzi_quote(c, node->left));
    else if (b->kind == FZI_TYPE_SET && a->kind == FZI_TYPE_INT)
        fzi_hint_wrap(diag, node->right, "#(", ")",
                      "the number of a set's members is written '#%s'", fzi_quote(c, node->right));
    else if (a->kind == FZI_TYPE_INT && b->kind == FZI_TYPE_NOTHING)
        fzi_hint_replace(diag, &node->right->span, "0", "no members is '%s %s 0'",
                         fzi_quote(c, node->left), fzi_op_text(node->op));
    else if (a->kind == FZI_TYPE_SITE && (b->kind == FZI_TYPE_KIND || b->kind == FZI_TYPE_PLAYER))
        hint_content(c, diag, node->left, b);
    else if (b->kind == FZI_TYPE_SITE && (a->kind == FZI_TYPE_KIND || a->kind == FZI_TYPE_PLAYER))
        hint_content(c, diag, node->right, a);
    fzi_hint_nothing(diag, node->left, b);
    fzi_hint_nothing(diag, node->right, a);
}
