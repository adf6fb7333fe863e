/* Shorter comparisons and values. See shorter.c. */
#include "shorter.h"

static bool is_counted(const fzi_node *node)
{
    return node->kind == N_E_UNARY && node->op == FZ_T_HASH && fzi_shorter_is_set(node->operand) &&
           (node->operand->kind == N_E_BINARY || node->operand->kind == N_E_SET_FOR);
}

/* The set of which the node says that it is empty, or not; NULL. */
static const fzi_node *told_empty(const fzi_node *node, bool *empty)
{
    const fzi_node *a = node->left, *b = node->right;
    bool none = is_number(b, 0);
    int op = node->op;

    *empty = (none && (op == FZ_T_EQ || op == FZ_T_LE)) || (is_number(b, 1) && op == FZ_T_LT);
    if (is_counted(a) && (*empty || (none && (op == FZ_T_NE || op == FZ_T_GT)) ||
                          (is_number(b, 1) && op == FZ_T_GE)))
        return a->operand;
    *empty = op == FZ_T_EQ;
    return a->kind == N_E_SET_FOR && b->kind == N_E_SET && !b->members &&
                   (op == FZ_T_EQ || op == FZ_T_NE)
               ? a
               : NULL;
}

/* `#(A & B) > 0` is `A & B != {}`, `{for x in S if C} != {}` is `any x in S : C`. */
static written told_of_set(shortening *s, const fzi_node *node)
{
    bool empty;
    const fzi_node *set = told_empty(node, &empty);

    if (!set)
        return (written){0};
    condition parts[FZ_SHORTER_PARTS];
    size_t count;
    if (set->kind == N_E_SET_FOR && set->condition && set->set->kind != N_E_SET_FOR &&
        !fzi_shorter_filters_of(set, parts, &count)) {
        const char *text = TEXT("any %s in %s : %s", set->name, s->say(s, set->set, ANY_OR),
                                s->say(s, set->condition, LOOSE));
        return empty ? (written){TEXT("not (%s)", text), ANY_NOT} : (written){text, LOOSE};
    }
    if (node->left == set)
        return (written){0}; /* as it is */
    return (written){TEXT("%s %s {}", s->say(s, set, ANY_RANGE), empty ? "==" : "!="), COMPARED};
}

/* `first(S) == off` is `S == {}`. */
static written told_by_first(shortening *s, const fzi_node *node)
{
    const fzi_node *call = node->left;

    if ((node->op != FZ_T_EQ && node->op != FZ_T_NE) || !is_name(node->right, "off") ||
        !is_call(call, "first", 1))
        return (written){0};
    return (written){TEXT("%s %s {}", s->say(s, call->arguments, ANY_RANGE), fzi_op_text(node->op)),
                     COMPARED};
}

/* `all x in S : x in A` is `S <= A`, `any x in S : x in A` is `S & A != {}`. */
written fzi_shorter_told_of_members(shortening *s, const fzi_node *node)
{
    const fzi_node *binder = node->binders, *denied = denied_membership(node->body);
    const fzi_node *in = denied ? denied : node->body;
    bool all = node->op == FZ_T_ALL;

    if ((!all && node->op != FZ_T_ANY) || binder->next || node->condition ||
        !fzi_shorter_is_set(binder->set) || !is_binary(in, FZ_T_IN) ||
        !is_name(in->left, binder->name) || !fzi_shorter_is_set(in->right) ||
        fzi_shorter_mentions(in->right, binder->name))
        return (written){0};
    const char *a = s->say(s, binder->set, all && !denied ? ANY_RANGE : SIGNED);
    const char *b = s->say(s, in->right, all && !denied ? ANY_RANGE : SIGNED);
    if (all && !denied)
        return (written){TEXT("%s <= %s", a, b), COMPARED};
    return (written){TEXT("%s %s %s %s {}", a, !all && denied ? "-" : "&", b, all ? "==" : "!="),
                     COMPARED};
}

/* `(count i in 1..3 : C) >= 3` is `all i in 1..3 : C`. */
static written all_of_range(shortening *s, const fzi_node *node)
{
    const fzi_node *over = node->left, *binder = over->kind == N_E_OVER ? over->binders : NULL;

    if (node->op != FZ_T_GE || !binder || binder->next || over->op != FZ_T_COUNT ||
        over->condition || !is_binary(binder->set, FZ_T_RANGE))
        return (written){0};
    const fzi_node *low = binder->set->left, *high = binder->set->right;
    if (low->kind != N_E_INT || high->kind != N_E_INT || high->number < low->number ||
        !is_number(node->right, high->number - low->number + 1))
        return (written){0};
    return (written){TEXT("all %s in %s : %s", binder->name, s->say(s, binder->set, LOOSE),
                          s->say(s, over->body, LOOSE)),
                     LOOSE};
}

/* `sum x in S if C : 1` is `count x in S : C`. */
written fzi_shorter_count(shortening *s, const fzi_node *node)
{
    const fzi_node *binder = node->binders;

    if (node->op != FZ_T_SUM || binder->next || !node->condition || !is_number(node->body, 1))
        return (written){0};
    return (written){TEXT("count %s in %s : %s", binder->name, s->say(s, binder->set, LOOSE),
                          s->say(s, node->condition, LOOSE)),
                     LOOSE};
}

static int swapped(int op)
{
    switch (op) {
    case FZ_T_LT: return FZ_T_GT;
    case FZ_T_LE: return FZ_T_GE;
    case FZ_T_GT: return FZ_T_LT;
    case FZ_T_GE: return FZ_T_LE;
    default: return op;
    }
}

/* `3 == n` is `n == 3`. */
static written number_last(shortening *s, const fzi_node *node)
{
    if (node->left->kind != N_E_INT || node->right->kind == N_E_INT)
        return (written){0};
    return (written){TEXT("%s %s %s", s->say(s, node->right, ANY_RANGE),
                          fzi_op_text(swapped(node->op)), s->say(s, node->left, ANY_RANGE)),
                     COMPARED};
}

/* `not (n == 3)` is `n != 3`. */
written fzi_shorter_denied(shortening *s, const fzi_node *node)
{
    const fzi_node *inner = node->operand;
    bool in = is_binary(inner, FZ_T_IN), equal = is_binary(inner, FZ_T_EQ);

    if (node->op != FZ_T_NOT || (!in && !equal && !is_binary(inner, FZ_T_NE)) ||
        inner->span.start == node->span.start)
        return (written){0};
    return (written){TEXT("%s %s %s", s->say(s, inner->left, ANY_RANGE),
                          in      ? "not in"
                          : equal ? "!="
                                  : "==",
                          s->say(s, inner->right, ANY_RANGE)),
                     COMPARED};
}

static written arithmetic(shortening *s, const fzi_node *node)
{
    const fzi_node *a = node->left, *b = node->right;
    const int64_t most = 1000000;

    if (a->kind != N_E_INT || b->kind != N_E_INT || a->number > most || b->number > most)
        return (written){0};
    int64_t x = a->number, y = b->number;
    int64_t result = node->op == FZ_T_PLUS              ? x + y
                     : node->op == FZ_T_MINUS           ? x - y
                     : node->op == FZ_T_TIMES           ? x * y
                     : node->op == FZ_T_DIVIDE && y > 0 ? x / y
                     : node->op == FZ_T_MODULO && y > 0 ? x % y
                                                        : -1;
    return result < 0 ? (written){0} : (written){TEXT("%lld", (long long)result), WHOLE};
}

static size_t operands_of(const fzi_node *node, int op, const fzi_node **operands, size_t count)
{
    if (is_binary(node, op)) {
        count = operands_of(node->left, op, operands, count);
        return operands_of(node->right, op, operands, count);
    }
    if (count < FZ_SHORTER_PARTS)
        operands[count] = node;
    return count + 1;
}

/* `A & B & A` is `A & B`, `occupied & mine` is `mine`, `(site - A) & B` is `B - A`. */
static written without_repeats(shortening *s, const fzi_node *node)
{
    const fzi_node *operands[FZ_SHORTER_PARTS], *left_out = node->left;
    size_t count = operands_of(node, node->op, operands, 0), left = 0;

    if (count > FZ_SHORTER_PARTS)
        return (written){0};
    if (node->op == FZ_T_MEET && is_binary(left_out, FZ_T_MINUS) && is_name(left_out->left, "site"))
        return (written){
            TEXT("%s - %s", s->say(s, node->right, SIGNED), s->say(s, left_out->right, SIGNED)),
            ADDED};
    bool owned = false;
    for (size_t i = 0; i < count && node->op == FZ_T_MEET; i++)
        owned = owned || is_name(operands[i], "mine") || is_name(operands[i], "theirs");
    for (size_t i = 0; i < count; i++) {
        size_t n = 0;
        while (n < left && !fzi_same_tree(operands[n], operands[i]))
            n++;
        if (n == left && !(owned && is_name(operands[i], "occupied")))
            operands[left++] = operands[i];
    }
    if (left == count)
        return (written){0};
    fzi_growing text = {0};
    for (size_t i = 0; i < left; i++)
        fzi_grow_z(s->arena, &text,
                   TEXT("%s%s",
                        i == 0                  ? ""
                        : node->op == FZ_T_MEET ? " & "
                                                : " | ",
                        s->say(s, operands[i], SIGNED)));
    return (written){text.text, left > 1 ? tightness_of(node) : SIGNED};
}

written fzi_shorter_binary(shortening *s, const fzi_node *node)
{
    switch (node->op) {
    case FZ_T_OR:
    case FZ_T_AND: return fzi_shorter_joined_memberships(s, node);
    case FZ_T_EQ:
    case FZ_T_NE:
    case FZ_T_LT:
    case FZ_T_LE:
    case FZ_T_GT:
    case FZ_T_GE: {
        written (*const rules[])(shortening *, const fzi_node *) = {number_last, told_of_set,
                                                                    told_by_first, all_of_range};
        written made = {0};
        for (size_t i = 0; i < sizeof rules / sizeof *rules && !made.text; i++)
            made = rules[i](s, node);
        return made;
    }
    case FZ_T_MEET:
    case FZ_T_UNITE: return without_repeats(s, node);
    default: return arithmetic(s, node);
    }
}

static const char *swapped_name(const char *name, const char *a, const char *b)
{
    return !name ? NULL : strcmp(name, a) == 0 ? b : strcmp(name, b) == 0 ? a : name;
}

/* Are the lists alike but for two names, each of which stands for the other one? */
static bool are_mirrored(const fzi_node *x, const fzi_node *y, const char *a, const char *b)
{
    for (; x && y; x = x->next, y = y->next) {
        const char *name = swapped_name(x->name, a, b);
        if (x->kind != y->kind || x->op != y->op || x->number != y->number || !name != !y->name ||
            (name && strcmp(name, y->name) != 0) || x->text || y->text)
            return false;
        for (int i = 0; i < FZ_NODE_CHILDREN; i++)
            if (!are_mirrored(x->children[i], y->children[i], a, b))
                return false;
    }
    return !x && !y;
}

/* `if me == P1 then f(P1, P2) else f(P2, P1)` is `f(me, foe)`. */
written fzi_shorter_of_both(shortening *s, const fzi_node *node)
{
    const fzi_node *test = node->condition, *first = NULL;

    for (const fzi_node *decl = s->file->decls; decl && !first; decl = decl->next)
        first = decl->kind == N_D_PLAYERS ? decl->players : NULL;
    if (!first || fzi_list_length(first) != 2 || s->mover || !is_binary(test, FZ_T_EQ) ||
        !is_name(test->left, "me") || test->right->kind != N_E_NAME)
        return (written){0};
    const char *mover = test->right->name,
               *other = swapped_name(mover, first->name, first->next->name);
    if (strcmp(mover, other) == 0 || !are_mirrored(node->then, node->otherwise, mover, other) ||
        fzi_shorter_mentions(node->then, "me") || fzi_shorter_mentions(node->then, "foe"))
        return (written){0};
    s->mover = mover;
    s->other = other;
    written made = s->rule(s, node->then);
    if (!made.text)
        made = (written){s->copy(s, node->then), tightness_of(node->then)};
    s->mover = s->other = NULL;
    return made;
}

/* Is the set `theirs`, or a part of it? */
static bool is_of_foe(const fzi_node *set)
{
    return is_name(set, "theirs") ||
           (is_binary(set, FZ_T_MEET) && (is_of_foe(set->left) || is_of_foe(set->right))) ||
           (is_binary(set, FZ_T_MINUS) && is_of_foe(set->left));
}

static bool has_two_players(const shortening *s)
{
    for (const fzi_node *decl = s->file->decls; decl; decl = decl->next)
        if (decl->kind == N_D_PLAYERS)
            return fzi_list_length(decl->players) == 2;
    return false;
}

static bool binds(const fzi_node *node, const void *name)
{
    return (node->kind == N_BINDER || node->kind == N_E_SET_FOR || node->kind == N_BOUND) &&
           strcmp(node->name, name) == 0;
}

const char *fzi_shorter_name_of_foe(const shortening *s, const fzi_node *node)
{
    bool foe = node->kind == N_E_SET_FOR && is_of_foe(node->set) && has_two_players(s) &&
               !fzi_tree_any(node->condition, binds, node->name);

    return foe ? node->name : s->foe;
}

/* `{for x in theirs if …}`: in the condition, `owned(owner(x))` is `theirs`. */
written fzi_shorter_of_foe(shortening *s, const fzi_node *node)
{
    const fzi_node *of = node->arguments;

    if (!s->foe || !is_call(node, "owned", 1) || !is_call(of, "owner", 1) ||
        !is_name(of->arguments, s->foe))
        return (written){0};
    return (written){"theirs", WHOLE};
}

written fzi_shorter_renamed(shortening *s, const fzi_node *node)
{
    if (s->mover && node->kind == N_E_NAME && strcmp(node->name, s->mover) == 0)
        return (written){"me", WHOLE};
    if (s->mover && node->kind == N_E_NAME && strcmp(node->name, s->other) == 0)
        return (written){"foe", WHOLE};
    if (!s->alias || strcmp(node->name, s->alias->name) != 0)
        return (written){0};
    return (written){fzi_shorter_other_name(s, s->alias), WHOLE};
}
