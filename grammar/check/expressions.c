/* Checks expressions: gives each one a type. */
#include "expressions.h"

/* Maximum nesting of expressions, counting the lets that they use. */
enum { MAX_CHECK_DEPTH = 1600 };

static const fzi_type *poison(const fzi_checker *c)
{
    return c->game->type_poison;
}

/* `off` and `{}` have the type of what they stand beside. */
static void settle(const fzi_checker *c, fzi_node *node, const fzi_type *type)
{
    if (node->type->kind == FZI_TYPE_NOTHING)
        node->type = type;
    else if (node->type->kind == FZI_TYPE_OFF)
        node->type = type->kind == FZI_TYPE_SET   ? type->element
                     : type->kind == FZI_TYPE_OFF ? c->game->type_site
                                                  : type;
}

/* ---- what is wanted ---- */

/* Reports a constant outside of the range of the expected type. */
static bool check_bounds(fzi_checker *c, const fzi_node *node, const fzi_type *type)
{
    int64_t value;
    if (type->kind != FZI_TYPE_INT || type == c->game->type_int || !fzi_constant(c, node, &value) ||
        (value >= type->low && value <= type->high))
        return true;
    fzi_error(c->diags, node->span, FZ_E_OUT_OF_RANGE, (long long)value, type->text);
    return false;
}

/* Does it have several parameters, so that an argument may stand in the wrong place? */
static bool takes_several(const fzi_symbol *callee)
{
    unsigned least, most = callee->param_count;
    if (callee->kind == FZI_SYM_PRIMITIVE && callee->value < FZI_PIECE_MOVES)
        fzi_primitive_count(fzi_primitive_at(callee->value)->parameters, &least, &most);
    return most > 1;
}

/* `row(8)`, where the sites of a row are meant. */
static void hint_row_number(fzi_checker *c, fzi_diag *diag, const fzi_node *node)
{
    bool row = c->callee->kind == FZI_SYM_PRIMITIVE && c->callee->value == FZI_PRIM_row;
    bool column = c->callee->kind == FZI_SYM_PRIMITIVE && c->callee->value == FZI_PRIM_column;
    if (row || column)
        fzi_hint_add(diag, "the sites of a %s are %s(%s)", row ? "row" : "column",
                     row ? "rank" : "file", fzi_quote(c, node));
    else
        fzi_hint_add(diag, "%s", fzi_signature(c, c->callee));
}

/* Suggests a comparison. */
static void hint_comparison(fzi_checker *c, fzi_diag *diag, const fzi_node *node)
{
    const char *nothing = node->type->kind == FZI_TYPE_INT    ? "0"
                          : node->type->kind == FZI_TYPE_SITE ? "off"
                                                              : "{}";
    const char *rest = fzi_arena_printf(c->arena, " %s %s", c->negated ? "==" : "!=", nothing);
    if (c->negated) /* the 'not' must be removed, too */
        fzi_hint_add(diag, "compare it: '%s%s'", fzi_quote(c, node), rest);
    else
        fzi_hint_wrap(diag, node, "", rest, "compare it: '%s%s'", fzi_quote(c, node), rest);
}

bool fzi_require_type(fzi_checker *c, fzi_node *node, const fzi_type *type)
{
    if (node->type->kind == FZI_TYPE_POISON || type->kind == FZI_TYPE_POISON)
        return true;
    if (fzi_type_fits(node->type, type)) {
        if (type->kind != FZI_TYPE_OFF)
            settle(c, node, type);
        return check_bounds(c, node, type);
    }
    fzi_diag *diag = fzi_error(c->diags, node->span, FZ_E_WRONG_TYPE, type->text, node->type->text);
    fzi_hint_hidden(c, diag, node);
    bool sized = node->type->kind == FZI_TYPE_SET || node->type->kind == FZI_TYPE_SITE;
    bool names_type = node->kind == N_E_NAME && node->symbol &&
                      node->symbol->kind == FZI_SYM_TYPE;
    const fzi_type *member = type->kind == FZI_TYPE_SET ? type->element : NULL;
    if (member && fzi_type_same(node->type, member))
        fzi_hint_wrap(diag, node, "{", "}", "write braces for a set with one member: { }");
    else if (node->type->kind == FZI_TYPE_SITE && type->kind == FZI_TYPE_PLAYER)
        fzi_hint_wrap(diag, node, "owner(", ")", "owner(...) is the owner of the piece on a site");
    else if (node->type->kind == FZI_TYPE_SITE && type->kind == FZI_TYPE_KIND)
        fzi_hint_wrap(diag, node, "kind(", ")", "kind(...) is the kind of the piece on a site");
    else if (names_type && type->kind == FZI_TYPE_PLAYER)
        fzi_hint_add(diag, "'me' is the player whose rules these are, 'mover' whose turn it is");
    else if (node->type->kind == FZI_TYPE_KIND && fzi_type_is_set(type, FZI_TYPE_SITE))
        fzi_hint_wrap(diag, node, "pieces(", ")",
                      "pieces(%s) are the sites with this piece, pieces(%s, me) those of me",
                      fzi_quote(c, node), fzi_quote(c, node));
    else if (node->type->kind == FZI_TYPE_PLAYER && fzi_type_is_set(type, FZI_TYPE_SITE))
        fzi_hint_wrap(diag, node, "owned(", ")",
                      "owned(%s) are the sites with this player's pieces", fzi_quote(c, node));
    else if (type->kind == FZI_TYPE_BOOL && (node->type->kind == FZI_TYPE_INT || sized))
        hint_comparison(c, diag, node);
    else if (node->type->kind == FZI_TYPE_SET && fzi_type_same(node->type->element, type))
        fzi_hint_wrap(diag, node, "the(", ")",
                      "the(...) is a set's only member, first(...) its smallest");
    else if (node->type->kind == FZI_TYPE_SET && type->kind == FZI_TYPE_INT)
        fzi_hint_wrap(diag, node, "#(", ")", "'#' before a set is the number of its members");
    else if (c->callee && node->type->kind == FZI_TYPE_INT && type->kind == FZI_TYPE_SITE)
        hint_row_number(c, diag, node);
    else if (c->callee && takes_several(c->callee))
        fzi_hint_add(diag, "%s", fzi_signature(c, c->callee));
    return false;
}

const fzi_type *fzi_check_as(fzi_checker *c, fzi_node *node, const fzi_type *type)
{
    fzi_check_expr(c, node, type);
    fzi_require_type(c, node, type);
    return type;
}

const fzi_type *fzi_check_value(fzi_checker *c, fzi_node *node, const fzi_type *type)
{
    if (node->kind != N_E_CALL)
        fzi_check_expr(c, node, type);
    else
        fzi_check_call(c, node, type, true);
    if (type)
        fzi_require_type(c, node, type);
    return node->type;
}

const fzi_type *fzi_check_set(fzi_checker *c, fzi_node *node, const fzi_type *want)
{
    const fzi_type *type = fzi_check_expr(c, node, want);
    const fzi_type *member = fzi_type_member(c->game, type);
    if (member) {
        if (type->kind == FZI_TYPE_OFF)
            node->type = c->game->type_site;
        return member;
    }
    fzi_diag *diag = fzi_error(c->diags, node->span, FZ_E_WRONG_TYPE, "a set", type->text);
    if (type->kind == FZI_TYPE_INT)
        fzi_hint_wrap(diag, node, "1..", "", "write 1..n for the numbers from 1 to n");
    return poison(c);
}

/* Checks two operands. One operand's type is the other's expected type. */
static void check_pair(fzi_checker *c, fzi_node *a, fzi_node *b, const fzi_type *want)
{
    if (fzi_needs_context(c, a) && !fzi_needs_context(c, b)) {
        const fzi_type *type = fzi_check_expr(c, b, want);
        fzi_check_expr(c, a, type->kind == FZI_TYPE_POISON ? want : type);
    } else {
        const fzi_type *type = fzi_check_expr(c, a, want);
        fzi_check_expr(c, b, type->kind == FZI_TYPE_POISON || type->kind == FZI_TYPE_NOTHING ||
                                     type->kind == FZI_TYPE_OFF
                                 ? want
                                 : type);
    }
}

static bool either_poison(const fzi_node *node)
{
    return node->left->type->kind == FZI_TYPE_POISON || node->right->type->kind == FZI_TYPE_POISON;
}

/* ---- operators ---- */

/* Both operands must be of `type`. If they are sets, the operator is wrong: one message, and the
 * result fits everywhere. */
static const fzi_type *require_operands(fzi_checker *c, fzi_node *node, const fzi_type *type,
                            const fzi_type *want)
{
    const fzi_type *a = fzi_check_expr(c, node->left, type),
                   *b = fzi_check_expr(c, node->right, type);
    bool neither = !fzi_type_fits(a, type) && !fzi_type_fits(b, type) &&
                   a->kind != FZI_TYPE_POISON && b->kind != FZI_TYPE_POISON;
    if (neither || (a->kind == FZI_TYPE_SET && b->kind != FZI_TYPE_POISON))
        return fzi_wrong_operands(c, node, want);
    bool right = fzi_require_type(c, node->left, type) && a->kind != FZI_TYPE_POISON;
    return fzi_require_type(c, node->right, type) && right && b->kind != FZI_TYPE_POISON ? type
                                                                                   : poison(c);
}

static bool has_order(const fzi_type *type)
{
    return type->kind >= FZI_TYPE_INT && type->kind <= FZI_TYPE_NAMED;
}

static const fzi_type *comparison(fzi_checker *c, fzi_node *node)
{
    check_pair(c, node->left, node->right, NULL);
    if (either_poison(node))
        return c->game->type_bool;
    const fzi_type *a = node->left->type, *b = node->right->type;
    const fzi_type *common = fzi_type_common(c->game, a, b);
    if (!common || common->kind == FZI_TYPE_VOID) {
        fzi_hint_compared(c, fzi_error(c->diags, node->span, FZ_E_COMPARED_TYPES, a->text, b->text),
                          node);
        return c->game->type_bool;
    }
    bool equality = node->op == FZ_T_EQ || node->op == FZ_T_NE;
    bool subset = node->op == FZ_T_LE || node->op == FZ_T_GE;
    bool is_set = common->kind == FZI_TYPE_SET || common->kind == FZI_TYPE_NOTHING;
    if (!equality && !(is_set ? subset : has_order(common)) && common->kind != FZI_TYPE_OFF) {
        fzi_wrong_operands(c, node, NULL);
        return c->game->type_bool;
    }
    fzi_require_type(c, node->left, common);
    fzi_require_type(c, node->right, common);
    return c->game->type_bool;
}

static const fzi_type *membership(fzi_checker *c, fzi_node *node)
{
    const fzi_type *want = NULL;
    if (!fzi_needs_context(c, node->left)) {
        const fzi_type *type = fzi_check_expr(c, node->left, NULL);
        want = fzi_type_size(type) || type->kind == FZI_TYPE_INT ? fzi_type_set_of(c->game,
                                                                                   type) : NULL;
    }
    const fzi_type *member = fzi_check_set(c, node->right, want);
    if (!node->left->type)
        fzi_check_expr(c, node->left, member);
    if (!either_poison(node) && !fzi_type_fits(node->left->type, member)) {
        fzi_diag *diag = fzi_error(c->diags, node->span, FZ_E_OPERAND_TYPES, "in",
                                   node->left->type->text, node->right->type->text);
        if (node->left->type->kind == FZI_TYPE_SET)
            fzi_hint_add(diag, "whether all members of a set are in another is asked with '<='");
    }
    return c->game->type_bool;
}

static bool names_site(const fzi_checker *c, const fzi_node *node)
{
    return node->kind == N_E_NAME && !fzi_locals_find(&c->locals, node->name) &&
           fzi_find_global(c, node->name, node->span.source, 1u << FZI_SYM_SITE);
}

static const fzi_type *range(fzi_checker *c, fzi_node *node)
{
    int64_t low = INT32_MIN, high = INT32_MAX;
    if (names_site(c, node->left) || names_site(c, node->right)) {
        fzi_check_expr(c, node->left, NULL);
        fzi_check_expr(c, node->right, NULL);
        if (node->left->type->kind != FZI_TYPE_SITE || node->right->type->kind != FZI_TYPE_SITE)
            return fzi_wrong_operands(c, node, NULL);
        fzi_hint_row(c, fzi_error(c->diags, node->span, FZ_E_OPERAND_TYPES, "..", "site", "site"),
                     node);
        return c->game->type_poison;
    }
    fzi_check_as(c, node->left, c->game->type_int);
    fzi_check_as(c, node->right, c->game->type_int);
    if (node->left->type->kind == FZI_TYPE_INT)
        low = node->left->type->low;
    if (node->right->type->kind == FZI_TYPE_INT)
        high = node->right->type->high;
    bool known_low = fzi_constant(c, node->left, &low),
         known_high = fzi_constant(c, node->right, &high);
    if (known_low && known_high && low > high)
        return fzi_type_set_of(c->game, c->game->type_int); /* an empty set is allowed */
    if (low == INT32_MIN || high == INT32_MAX || low > high)
        return fzi_type_set_of(c->game, c->game->type_int);
    return fzi_type_set_of(c->game, fzi_type_range(c->game, low, high));
}

static bool goes_round(const fzi_type *type)
{
    return type->kind == FZI_TYPE_PLAYER || type->kind == FZI_TYPE_DIR ||
           type->kind == FZI_TYPE_NAMED ||
           fzi_type_is_set(type, FZI_TYPE_DIR);
}

/* `|`, `&`, `-` of sets. NULL: an operand is no set. */
static const fzi_type *set_operation(fzi_checker *c, fzi_node *node)
{
    const fzi_type *a = fzi_type_as_set(c->game, node->left->type);
    const fzi_type *b = fzi_type_as_set(c->game, node->right->type);
    if (!a && b && fzi_type_fits(node->left->type, b))
        a = b;
    if (!b && a && fzi_type_fits(node->right->type, a))
        b = a;
    if (!a || !b)
        return NULL;
    const fzi_type *common = fzi_type_common(c->game, a, b);
    if (!common)
        return NULL;
    settle(c, node->left, common);
    settle(c, node->right, common);
    bool narrows = node->op != FZ_T_UNITE && a->kind == FZI_TYPE_SET;
    return narrows ? a : common;
}

static const fzi_type *sum(fzi_checker *c, fzi_node *node)
{
    const fzi_game *game = c->game;
    bool shifts = node->op == FZ_T_PLUS;
    fzi_check_expr(c, node->left, NULL);
    const fzi_type *a = node->left->type, *want = a;
    if (a->kind == FZI_TYPE_SITE || a->kind == FZI_TYPE_OFF || fzi_type_is_set(a, FZI_TYPE_SITE))
        want = shifts ? game->type_dir : game->type_sites;
    fzi_check_expr(c, node->right, want);
    const fzi_type *b = node->right->type;
    if (either_poison(node))
        return a->kind == FZI_TYPE_INT || b->kind == FZI_TYPE_INT ? poison(c) : a;
    if (a->kind == FZI_TYPE_INT && b->kind == FZI_TYPE_INT)
        return game->type_int;
    if (goes_round(a) && b->kind == FZI_TYPE_INT)
        return a;
    if (shifts && (a->kind == FZI_TYPE_SITE || a->kind == FZI_TYPE_OFF) &&
        b->kind == FZI_TYPE_DIR) {
        node->left->type = game->type_site;
        return game->type_site;
    }
    if (shifts && fzi_type_is_set(a, FZI_TYPE_SITE) && b->kind == FZI_TYPE_DIR)
        return a;
    const fzi_type *sets = shifts ? NULL : set_operation(c, node);
    return sets ? sets : fzi_wrong_operands(c, node, NULL);
}

static const fzi_type *binary(fzi_checker *c, fzi_node *node, const fzi_type *want)
{
    switch (node->op) {
    case FZ_T_AND: case FZ_T_OR:
        return require_operands(c, node, c->game->type_bool, want);
    case FZ_T_EQ: case FZ_T_NE: case FZ_T_LT: case FZ_T_LE: case FZ_T_GT: case FZ_T_GE:
        return comparison(c, node);
    case FZ_T_IN:
        return membership(c, node);
    case FZ_T_RANGE:
        return range(c, node);
    case FZ_T_PLUS:
        return sum(c, node);
    case FZ_T_MINUS:
        if (fzi_needs_context(c, node->left) && !fzi_needs_context(c, node->right))
            break;
        return sum(c, node);
    case FZ_T_TIMES: case FZ_T_DIVIDE: case FZ_T_MODULO:
        return require_operands(c, node, c->game->type_int, want);
    default:
        break;
    }
    check_pair(c, node->left, node->right, want);
    if (either_poison(node))
        return poison(c);
    const fzi_type *sets = set_operation(c, node);
    return sets ? sets : fzi_wrong_operands(c, node, want);
}

static const fzi_type *unary(fzi_checker *c, fzi_node *node, const fzi_type *want)
{
    const fzi_type *type;
    switch (node->op) {
    case FZ_T_NOT:
        fzi_check_expr(c, node->operand, c->game->type_bool);
        c->negated = true;
        fzi_require_type(c, node->operand, c->game->type_bool);
        c->negated = false;
        return c->game->type_bool;
    case FZ_T_MINUS:
        return fzi_check_as(c, node->operand, c->game->type_int);
    case FZ_T_HASH:
        fzi_check_set(c, node->operand, NULL);
        return c->game->type_int;
    default:
        break;
    }
    type = fzi_type_as_set(c->game, fzi_check_expr(c, node->operand, want));
    if (type && type->kind == FZI_TYPE_NOTHING)
        return node->operand->type =
                   want && want->kind == FZI_TYPE_SET ? want : c->game->type_sites;
    if (type && !fzi_type_is_set(type, FZI_TYPE_INT))
        return type;
    fzi_error(c->diags, node->span, FZ_E_OPERAND_TYPE, "~", node->operand->type->text);
    return poison(c);
}

/* ---- sets and loops ---- */

/* `none`, `nobody` or `off` by name. (A variable may be `off`: then it adds nothing to the set.) */
static bool names_nothing(const fzi_node *node)
{
    if (node->kind != N_E_NAME || !node->symbol)
        return false;
    if (node->symbol->kind == FZI_SYM_VALUE)
        return node->symbol->value < 0;
    return node->symbol->kind == FZI_SYM_PRIMITIVE && node->symbol->value >= FZI_PRIM_off &&
           node->symbol->value <= FZI_PRIM_none;
}

/* One member; the common type with those before it. */
static const fzi_type *add_member(fzi_checker *c, fzi_node *member, const fzi_type *common,
                                  const fzi_type *hint)
{
    const fzi_type *type = fzi_check_expr(c, member, common ? common : hint);
    if (type->kind == FZI_TYPE_SET || type->kind == FZI_TYPE_NOTHING ||
        type->kind == FZI_TYPE_VOID) {
        fzi_diag *diag = fzi_error(c->diags, member->span, FZ_E_NOT_A_MEMBER, type->text);
        if (type->kind != FZI_TYPE_VOID)
            fzi_hint_add(diag, "use '|' to unite sets");
        return poison(c);
    }
    if (names_nothing(member)) {
        fzi_diag *diag = fzi_error(c->diags, member->span, FZ_E_NOT_A_MEMBER,
                                   fzi_arena_printf(c->arena, "'%s'", member->name));
        fzi_hint_add(diag, "compare with it on its own: 'x in {...} or x == %s'", member->name);
    }
    const fzi_type *joined = common ? fzi_type_common(c->game, common, type) : type;
    if (!joined)
        fzi_error(c->diags, member->span, FZ_E_NO_COMMON_TYPE, common->text, type->text);
    return joined ? joined : poison(c);
}

/* The range from the least to the greatest possible member. */
static const fzi_type *bounds_of(fzi_checker *c, const fzi_node *members)
{
    int64_t low = INT32_MAX, high = INT32_MIN;
    for (const fzi_node *member = members; member; member = member->next) {
        int64_t least = member->type->low, most = member->type->high, value;
        if (fzi_constant(c, member, &value))
            least = most = value;
        low = least < low ? least : low;
        high = most > high ? most : high;
    }
    return fzi_type_range(c->game, low, high);
}

static const fzi_type *set_of_members(fzi_checker *c, fzi_node *node, const fzi_type *want)
{
    bool known = want && want->kind == FZI_TYPE_SET;
    const fzi_type *common = NULL;
    if (!node->members)
        return known ? want : c->game->type_nothing;
    fzi_span outer = c->diags->list;
    c->diags->list = node->span;
    /* Members whose type is clear come first: it is the expected type of the others. */
    for (int pass = 0; pass < 2; pass++)
        for (fzi_node *member = node->members; member; member = member->next)
            if (fzi_needs_context(c, member) == (pass == 1))
                common = add_member(c, member, common, known ? want->element : NULL);
    c->diags->list = outer;
    if (common->kind == FZI_TYPE_OFF)
        common = c->game->type_site;
    for (fzi_node *member = node->members; member; member = member->next)
        if (member->type->kind == FZI_TYPE_OFF)
            member->type = common;
    if (common->kind == FZI_TYPE_INT)
        common = bounds_of(c, node->members);
    return fzi_type_set_of(c->game, common);
}

void fzi_check_binders(fzi_checker *c, fzi_node *list)
{
    for (fzi_node *binder = list; binder; binder = binder->next) {
        const fzi_type *member = fzi_check_set(c, binder->set, NULL);
        if (binder->set->type->kind == FZI_TYPE_NOTHING)
            fzi_error(c->diags, binder->set->span, FZ_E_UNKNOWN_SET);
        fzi_bind(c, binder, FZI_LOCAL_FOR, member);
    }
}

static const fzi_type *those(fzi_checker *c, fzi_node *node, const fzi_type *want)
{
    fzi_mark mark = fzi_enter(c);
    const fzi_type *member = fzi_check_set(c, node->set, want);
    fzi_bind(c, node, FZI_LOCAL_FOR, member);
    if (node->condition)
        fzi_check_as(c, node->condition, c->game->type_bool);
    fzi_leave(c, mark);
    return fzi_type_set_of(c->game, member);
}

static const fzi_type *union_body(fzi_checker *c, fzi_node *body, const fzi_type *want)
{
    const fzi_type *type = fzi_type_as_set(c->game, fzi_check_expr(c, body, want));
    if (!type) {
        fzi_error(c->diags, body->span, FZ_E_WRONG_TYPE, "a set", body->type->text);
        return poison(c);
    }
    if (body->type->kind == FZI_TYPE_OFF)
        body->type = c->game->type_site;
    return type;
}

static fzi_span inside_parentheses(const fzi_checker *c, fzi_span span)
{
    const fzi_source *source = fzi_source_at(c->game->sources, span.source);
    while (source && span.start < span.end && strchr("( \t\n", source->text[span.start]))
        span.start++;
    return span;
}

static const fzi_type *over_body(fzi_checker *c, fzi_node *node, const fzi_type *want)
{
    const fzi_game *game = c->game;
    switch (node->op) {
    case FZ_T_ANY: case FZ_T_ALL:
        return fzi_check_as(c, node->body, game->type_bool);
    case FZ_T_COUNT:
        fzi_check_as(c, node->body, game->type_bool);
        return game->type_int;
    case FZ_T_SUM:
        if (fzi_check_expr(c, node->body, game->type_int)->kind == FZI_TYPE_BOOL) {
            fzi_diag *diag = fzi_error(c->diags, node->body->span, FZ_E_WRONG_TYPE, "int", "bool");
            fzi_span word = inside_parentheses(c, node->span);
            word.end = word.start + (uint32_t)strlen(fzi_op_text(node->op));
            fzi_hint_replace(diag, &word, "count",
                             "'count' counts the members that meet a condition");
        } else {
            fzi_require_type(c, node->body, game->type_int);
        }
        return game->type_int;
    case FZ_T_MAX: case FZ_T_MIN:
        return fzi_check_as(c, node->body, game->type_int);
    case FZ_T_UNION:
        return union_body(c, node->body, want);
    default:
        fzi_check_as(c, node->body, node->op == FZ_T_FIRST ? game->type_bool : game->type_int);
        return node->binders->symbol->type;
    }
}

static const fzi_type *over(fzi_checker *c, fzi_node *node, const fzi_type *want)
{
    if (node->op == FZ_T_RANDOM && c->at.no_chance)
        fzi_error(c->diags, node->span, FZ_E_CHANCE_HERE, c->at.no_chance);
    const char *no_chance = c->at.no_chance;
    if (node->op == FZ_T_RANDOM && !no_chance)
        c->at.no_chance = "a 'random' with weights";
    fzi_mark mark = fzi_enter(c);
    fzi_check_binders(c, node->binders);
    if (node->condition)
        fzi_check_as(c, node->condition, c->game->type_bool);
    const fzi_type *type = over_body(c, node, want);
    fzi_leave(c, mark);
    c->at.no_chance = no_chance;
    return type;
}

/* ---- the rest ---- */

static const fzi_type *condition(fzi_checker *c, fzi_node *node, const fzi_type *want)
{
    fzi_check_as(c, node->condition, c->game->type_bool);
    check_pair(c, node->then, node->otherwise, want);
    const fzi_type *a = node->then->type, *b = node->otherwise->type;
    const fzi_type *common = fzi_type_common(c->game, a, b);
    if (!common) {
        fzi_diag *diag =
            fzi_error(c->diags, node->span, FZ_E_NO_COMMON_TYPE, a->text, b->text);
        fzi_hint_nothing(diag, node->then, b);
        fzi_hint_nothing(diag, node->otherwise, a);
        return poison(c);
    }
    if (common->kind == FZI_TYPE_OFF)
        common = c->game->type_site;
    settle(c, node->then, common);
    settle(c, node->otherwise, common);
    return common;
}

void fzi_check_list(fzi_checker *c, fzi_node *list, const fzi_type *type)
{
    for (; list; list = list->next) {
        fzi_check_expr(c, list, type);
        if (type)
            fzi_require_type(c, list, type);
    }
}

void fzi_check_indexes(fzi_checker *c, fzi_node *list, const fzi_symbol *array, fzi_span place)
{
    unsigned found = (unsigned)fzi_list_length(list), wanted = array->index_count, i = 0;
    if (found != wanted) {
        const char *count = fzi_arena_printf(c->arena, "%u index%s", wanted,
                                             wanted == 1 ? "" : "es");
        fzi_error(c->diags, place, FZ_E_INDEX_COUNT, array->name, count, found,
                  fzi_signature(c, array));
        fzi_check_list(c, list, NULL);
        return;
    }
    for (; list; list = list->next)
        fzi_check_as(c, list, array->index[i++]);
}

/* name[a][b] */
static const fzi_type *chained_indexes(fzi_checker *c, fzi_node *node)
{
    fzi_node *array = node->primary, *name = array->primary;
    fzi_node inner = {.span = fzi_span_join(array->indexes->span,
                                            fzi_list_last(array->indexes)->span)};
    const fzi_type *type = fzi_check_name(c, name, NULL, true);
    fzi_check_list(c, array->indexes, NULL);
    fzi_check_list(c, node->indexes, NULL);
    array->type = type;
    if (type->kind == FZI_TYPE_POISON)
        return type;
    fzi_diag *diag = fzi_error(c->diags, node->span, FZ_E_NOT_INDEXED, "this", "a value");
    fzi_hint_add(diag, "several indexes stand in one pair of brackets: %s[%s, %s]", name->name,
                 fzi_quote(c, &inner), fzi_quote(c, node->indexes));
    return name->symbol && name->symbol->index_count ? type : poison(c);
}

/* A `let` whose index is missing. The error is reported at its declaration. */
static bool is_table_without_index(const fzi_symbol *symbol)
{
    return symbol && symbol->kind == FZI_SYM_LET && !symbol->index_count && symbol->node &&
           symbol->node->value && symbol->node->value->kind == N_E_KEYS;
}

static const fzi_type *element(fzi_checker *c, fzi_node *node)
{
    fzi_node *array = node->primary;
    fzi_symbol *symbol = NULL;
    if (array->kind == N_E_INDEX && array->primary->kind == N_E_NAME)
        return chained_indexes(c, node);
    if (array->kind == N_E_NAME) {
        fzi_check_name(c, array, NULL, true);
        symbol = array->symbol;
    } else {
        fzi_check_expr(c, array, NULL);
    }
    bool indexed = symbol && (symbol->kind == FZI_SYM_LET || symbol->kind == FZI_SYM_VAR);
    if ((array->type->kind == FZI_TYPE_POISON && !(indexed && symbol->index_count)) ||
        is_table_without_index(symbol)) { /* reported at the declaration */
        fzi_check_list(c, node->indexes, NULL);
        return poison(c);
    }
    if (!indexed || !symbol->index_count) {
        fzi_diag *diag = fzi_error(c->diags, node->span, FZ_E_NOT_INDEXED,
                                   symbol ? symbol->name : "this",
                                   symbol ? fzi_symbol_sort(symbol) : "a value");
        if (array->type->kind == FZI_TYPE_SET)
            fzi_hint_add(diag, "use 'in' to test whether a set contains a value");
        fzi_check_list(c, node->indexes, NULL);
        return poison(c);
    }
    fzi_check_indexes(c, node->indexes, symbol, node->span);
    return array->type;
}

static const fzi_type *as_player(fzi_checker *c, fzi_node *node, const fzi_type *want)
{
    fzi_check_as(c, node->player, c->game->type_player);
    return fzi_check_expr(c, node->body, want);
}

/* The index of a table: the type of its first key, if that is a name with one meaning. */
static const fzi_type *index_of_keys(fzi_checker *c, fzi_node *table)
{
    bool declares = c->at.owner && c->at.owner->symbol.kind == FZI_SYM_LET;
    fzi_node *first = declares && table->kind == N_E_KEYS ? table->entries : NULL;
    if (!first || first->kind != N_KEY || first->key->kind != N_E_NAME || first->key->type ||
        fzi_needs_context(c, first->key))
        return NULL;
    const fzi_type *type = fzi_check_expr(c, first->key, NULL);
    return type->kind == FZI_TYPE_POISON || type->kind == FZI_TYPE_SET ? NULL : type;
}

static const fzi_type *stray_table(fzi_checker *c, fzi_node *node)
{
    fzi_node *list = node->entries;
    fzi_diag *diag = fzi_error(c->diags, node->span, FZ_E_TABLE_HERE);
    const fzi_type *index = index_of_keys(c, node);
    if (index)
        fzi_hint_add(diag, "a table needs an index after its name: [i: %s]", index->text);
    else if (node->kind == N_E_LIST)
        fzi_hint_add(diag, "write braces for a set: {a, b}");
    else if (list && list->kind == N_KEY && list->key->kind == N_E_BINARY &&
             list->key->op == FZ_T_IN)
        fzi_hint_add(diag,
                     "write {for x in set if condition} for the members that meet a condition");
    for (; list; list = list->next) {
        if (list->kind == N_KEY) {
            if (!list->key->type)
                list->key->type = poison(c);
            fzi_check_expr(c, list->value, NULL);
        } else {
            fzi_check_expr(c, list, NULL);
        }
    }
    return poison(c);
}

static const fzi_type *check_deeper(fzi_checker *c, fzi_node *node, const fzi_type *want)
{
    switch (node->kind) {
    case N_E_INT: return c->game->type_int;
    case N_E_NAME: return fzi_check_name(c, node, want, false);
    case N_E_MEMBER: return fzi_check_member(c, node);
    case N_E_INDEX: return element(c, node);
    case N_E_CALL: return fzi_check_call(c, node, want, false);
    case N_E_SET: return set_of_members(c, node, want);
    case N_E_SET_FOR: return those(c, node, want);
    case N_E_BINARY: return binary(c, node, want);
    case N_E_UNARY: return unary(c, node, want);
    case N_E_IF: return condition(c, node, want);
    case N_E_OVER: return over(c, node, want);
    case N_E_AS: return as_player(c, node, want);
    case N_E_KEYS: case N_E_LIST:
        return stray_table(c, node);
    case N_E_GRAPH:
        fzi_error(c->diags, node->span, FZ_E_WRONG_TYPE, "a value", "a board");
        return poison(c);
    case N_PART:
        fzi_error(c->diags, node->name_span, FZ_E_PREFIX_HERE, node->name);
        return poison(c);
    default:
        return poison(c);
    }
}

const fzi_type *fzi_check_expr(fzi_checker *c, fzi_node *node, const fzi_type *want)
{
    if (c->depth >= MAX_CHECK_DEPTH) {
        fzi_error(c->diags, node->span, FZ_E_NESTED_TOO_DEEPLY);
        return node->type = poison(c);
    }
    c->depth++;
    node->type = check_deeper(c, node, want);
    c->depth--;
    return node->type;
}
