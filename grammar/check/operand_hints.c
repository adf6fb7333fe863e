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

/* Does the expression stand alone in the braces of a set? */
static bool is_only_member(const fzi_checker *c, const fzi_node *node)
{
    const fzi_source *source = fzi_source_at(c->game->sources, node->span.source);
    uint32_t before = node->span.start, after = node->span.end;
    while (source && before > 0 && source->text[before - 1] == ' ')
        before--;
    while (source && after < source->length && source->text[after] == ' ')
        after++;
    return source && before > 0 && source->text[before - 1] == '{' && after < source->length &&
           source->text[after] == '}';
}

/* How many steps lead from one site to the other in the direction, up to `most`; 0: none do. */
static unsigned steps_between(const fzi_board *board, unsigned dir, int from, int to, unsigned most)
{
    for (unsigned steps = 1; steps <= most; steps++) {
        from = board->next[dir * board->site_count + (unsigned)from];
        if (from < 0)
            return 0;
        if (from == to)
            return steps;
    }
    return 0;
}

/* The sites from one to the other in some direction, "a1, b1, c1"; NULL: no short line leads
 * there. */
static const char *row_between(fzi_checker *c, int from, int to)
{
    enum { LONGEST = 31 };
    const fzi_board *board = c->game->board;
    if (from == to)
        return board->site_names[from];
    for (unsigned d = 0; d < board->dir_count; d++) {
        unsigned steps = steps_between(board, d, from, to, LONGEST);
        const char *names = board->site_names[from];
        for (int at = from; steps > 0; steps--) {
            at = board->next[d * board->site_count + (unsigned)at];
            names = fzi_arena_printf(c->arena, "%s, %s", names, board->site_names[at]);
            if (steps == 1)
                return names;
        }
    }
    return NULL;
}

void fzi_hint_row(fzi_checker *c, fzi_diag *diag, const fzi_node *range)
{
    const fzi_board *board = c->game->board;
    const char *names = row_between(c, fzi_board_site(board, range->left->name),
                                    fzi_board_site(board, range->right->name));
    if (!names)
        fzi_hint_add(diag, "'..' is for numbers: list the sites, as in {%s, %s}", range->left->name,
                     range->right->name);
    else
        fzi_hint_replace(diag, &range->span,
                         is_only_member(c, range) ? names
                                                  : fzi_arena_printf(c->arena, "{%s}", names),
                         "'..' is for numbers: list the sites, as in {%s}", names);
}

/* A variable or table by player that is the only argument of max or min; NULL. */
static const fzi_node *table_by_player(fzi_checker *c, const fzi_node *call)
{
    const fzi_node *table = call && call->kind == N_E_CALL && call->arguments &&
                                    !call->arguments->next
                                ? call->arguments
                                : NULL;
    bool is_extreme = table && (strcmp(call->name, "max") == 0 || strcmp(call->name, "min") == 0);
    if (!is_extreme || table->kind != N_E_NAME)
        return NULL;
    const fzi_symbol *symbol = fzi_find_global(c, table->name, table->span.source,
                                               1u << FZI_SYM_VAR | 1u << FZI_SYM_LET);
    const fzi_node *decl = symbol ? symbol->node : NULL;
    const fzi_node *index = decl && decl->kind == N_D_VAR ? decl->index_types : NULL;
    bool is_player = index && !index->next && index->name && strcmp(index->name, "player") == 0;
    return is_player ? table : NULL;
}

void fzi_hint_extreme(fzi_checker *c, fzi_diag *diag, const fzi_node *call)
{
    const fzi_node *table = table_by_player(c, call);
    if (table)
        fzi_hint_replace(diag, &call->span,
                         fzi_arena_printf(c->arena, "(%s p in player : %s[p])", call->name,
                                          table->name),
                         "of all players: '%s p in player : %s[p]'", call->name, table->name);
}

bool fzi_hint_result(fzi_checker *c, fzi_diag *diag, const fzi_node *stmt, const fzi_node *value)
{
    const fzi_node *table = table_by_player(c, value);
    const char *text = NULL;
    if (table)
        text = fzi_arena_printf(c->arena, "rank p by %s%s[p];", *value->name == 'm' &&
                                value->name[1] == 'i' ? "-" : "", table->name);
    else if (stmt->kind == N_S_ASSIGN)
        text = fzi_arena_printf(c->arena, "%s %s;",
                                strcmp(stmt->name, "loser") == 0 ? "lose" : "win",
                                fzi_quote(c, value));
    if (!text)
        return false;
    if (!diag)
        diag = fzi_error(c->diags, value->span, FZ_E_WRONG_TYPE, "player", "int");
    fzi_hint_replace(diag, &stmt->span, text, table ? "to rank the players by it, write '%s'"
                                                    : "a result is a statement: '%s'", text);
    return true;
}
