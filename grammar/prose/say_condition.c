/* Says conditions as clauses: "the square is empty". */
#include "prose.h"

#include <string.h>

static const char *clause(fzi_prose *p, const fzi_node *node, bool is_negated);

static bool is_nothing(const fzi_node *node)
{
    return node->kind == N_E_SET && !node->members;
}

static bool is_set_of_sites(const fzi_node *node)
{
    return node->type && (fzi_means_sites(node->type) || node->type->kind == FZI_TYPE_SITE);
}

/* ---- how many ---- */

static const char *has_members(fzi_prose *p, const fzi_node *set, bool is_negated)
{
    if (!is_set_of_sites(set))
        return fzi_say(p, "there is %s %s", is_negated ? "nothing in" : "something in",
                       fzi_say_value(p, set));
    fzi_phrase ph = fzi_say_set(p, set);
    bool own = ph.is_piece && strcmp(ph.adjective, "own") == 0;
    if (own)
        ph.adjective = "";
    const char *subject = own ? fzi_say(p, "%s has", p->me) : "there is";
    if (is_negated) {
        const char *all = fzi_say_all(p, ph);
        return fzi_say(p, "%s no %s", own ? subject : "there are",
                       ph.whole && !own ? fzi_say(p, "member of %s", all) : all);
    }
    return fzi_say(p, "%s %s", subject, fzi_say_one(p, ph));
}

/* The words of each comparison, for a value and for a count. */
static const struct {
    int opposite;
    const char *value, *count;
} comparisons[] = {{FZ_T_NE, "is", "exactly"},
                   {FZ_T_EQ, "is not", "not exactly"},
                   {FZ_T_GE, "is less than", "fewer than"},
                   {FZ_T_GT, "is at most", "at most"},
                   {FZ_T_LE, "is more than", "more than"},
                   {FZ_T_LT, "is at least", "at least"}};

/* "there are at least three own pieces". */
static const char *counted(fzi_prose *p, const fzi_node *node, int op)
{
    const fzi_node *set = node->left->operand;
    int64_t number;
    if (!is_set_of_sites(set) || set->kind == N_E_NAME ||
        !fzi_prose_constant(p, node->right, &number))
        return NULL;
    if (number == 0 && (op == FZ_T_GT || op == FZ_T_NE || op == FZ_T_EQ))
        return has_members(p, set, op == FZ_T_EQ);
    fzi_phrase ph = fzi_say_set(p, set);
    if (ph.whole)
        return NULL;
    const char *one = number == 1 ? fzi_say_one(p, ph) : "";
    return fzi_say(p, "there %s %s %s %s", number == 1 ? "is" : "are",
                   comparisons[op - FZ_T_EQ].count, fzi_english_number(p, number),
                   number == 1 ? one + strcspn(one, " ") + 1 : fzi_say_all(p, ph));
}

/* ---- comparisons ---- */

static const char *equal(fzi_prose *p, const fzi_node *node, bool is_negated)
{
    const fzi_node *a = node->left, *b = node->right;
    const char *is = is_negated ? "is not" : "is";
    if (is_nothing(b))
        return has_members(p, a, !is_negated);
    if (fzi_names_primitive(b, FZI_PRIM_none) || fzi_names_primitive(b, FZI_PRIM_off) ||
        fzi_names_primitive(b, FZI_PRIM_nobody)) {
        if (fzi_calls_primitive(a, FZI_PRIM_kind) || fzi_calls_primitive(a, FZI_PRIM_owner))
            return fzi_say(p, "%s %s empty", fzi_say_value(p, a->arguments), is);
        const char *what = fzi_say_value(p, a);
        what += strncmp(what, "the ", 4) == 0 ? 4 : 0;
        return fzi_say(p, "there is %s",
                       is_negated ? fzi_english_one(p, what) : fzi_say(p, "no %s", what));
    }
    if (fzi_calls_primitive(a, FZI_PRIM_kind) && b->type && b->type->kind == FZI_TYPE_KIND &&
        fzi_use_symbol(b) && fzi_use_symbol(b)->kind == FZI_SYM_KIND)
        return fzi_say(p, "%s %s %s", fzi_say_value(p, a), is,
                       fzi_english_one(p, fzi_say_value(p, b)));
    return fzi_say(p, "%s %s %s", fzi_say_value(p, a), is, fzi_say_value(p, b));
}

/* "is in the player's hand", "is one of ten, jack and queen", "is from two to five" */
static const char *membership(const fzi_node *set)
{
    if (set->kind == N_E_BINARY && set->op == FZ_T_RANGE)
        return "from";
    return set->kind == N_E_NAME || set->kind == N_E_INDEX || set->kind == N_E_CALL ? "in"
                                                                                    : "one of";
}

static const char *member(fzi_prose *p, const fzi_node *node, bool is_negated)
{
    const char *subject = fzi_say_value(p, node->left);
    const char *text;
    const fzi_symbol *left = fzi_use_symbol(node->left);
    bool is_place = left && left->kind != FZI_SYM_LOCAL;
    if (node->right->type && is_set_of_sites(node->right) && is_place &&
        fzi_say_set(p, node->right).is_piece)
        return fzi_say(p, "there is %s on %s",
                       is_negated ? fzi_say(p, "no %s", fzi_say_set(p, node->right).noun)
                                  : fzi_say_one(p, fzi_say_set(p, node->right)),
                       subject);
    if (node->right->type && is_set_of_sites(node->right))
        text = fzi_say(p, "%s %s", subject, fzi_say_is(p, fzi_say_set(p, node->right)));
    else
        text = fzi_say(p, "%s is %s %s", subject, membership(node->right),
                       fzi_say_value(p, node->right));
    return is_negated ? fzi_english_not(p, text) : text;
}

static const char *within(fzi_prose *p, const fzi_node *node, bool is_negated)
{
    bool is_empty = fzi_names_primitive(node->right, FZI_PRIM_empty);
    if (is_empty || fzi_names_primitive(node->right, FZI_PRIM_occupied))
        return fzi_say(p, "%sall %s are %s", is_negated ? "not " : "",
                       fzi_say_all(p, fzi_say_set(p, node->left)), is_empty ? "empty" : "occupied");
    fzi_phrase whole = fzi_say_set(p, node->right);
    const char *in = whole.whole ? whole.whole : fzi_say_all(p, whole);
    return fzi_say(p, "%s %s all among %s", fzi_say_all(p, fzi_say_set(p, node->left)),
                   is_negated ? "are not" : "are", in);
}

static const char *comparison(fzi_prose *p, const fzi_node *node, bool is_negated)
{
    const char *text = NULL;
    if (node->op == FZ_T_IN)
        return member(p, node, is_negated);
    int op = is_negated ? comparisons[node->op - FZ_T_EQ].opposite : node->op;
    if (op == FZ_T_EQ || op == FZ_T_NE)
        return equal(p, node, op == FZ_T_NE);
    if (node->op == FZ_T_LE && is_set_of_sites(node->left))
        return within(p, node, is_negated);
    if (node->left->kind == N_E_UNARY && node->left->op == FZ_T_HASH)
        text = counted(p, node, op);
    return text ? text
                : fzi_say(p, "%s %s %s", fzi_say_value(p, node->left),
                          comparisons[op - FZ_T_EQ].value, fzi_say_value(p, node->right));
}

/* ---- and, or, for some ---- */

static bool is_op(const fzi_node *node, int op)
{
    return node->kind == N_E_BINARY && node->op == op;
}

static const char *both(fzi_prose *p, const fzi_node *node, bool is_negated)
{
    int64_t value;
    bool decides = node->op == FZ_T_OR;
    const fzi_node *sides[] = {node->left, node->right};
    for (int i = 0; i < 2; i++) /* options of the game that are chosen */
        if (fzi_prose_constant(p, sides[i], &value) && !!value != decides)
            return clause(p, sides[1 - i], is_negated);
    bool is_and = (node->op == FZ_T_AND) != is_negated;
    bool nested = is_op(node->left, is_and == !is_negated ? FZ_T_OR : FZ_T_AND) ||
                  is_op(node->right, is_and == !is_negated ? FZ_T_OR : FZ_T_AND);
    const char *first = clause(p, node->left, is_negated);
    return fzi_say(p, "%s%s %s %s", first, nested ? "," : "", is_and ? "and" : "or",
                   clause(p, node->right, is_negated));
}

/* Can a member be introduced in the middle of the clause without changing what it says? */
static bool is_plain(const char *clause)
{
    static const char *const words[] = {" not ", " no ", "cannot", " or ", " and ", " if ", ","};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(clause, words[i]))
            return false;
    return strncmp(clause, "no ", 3) != 0;
}

static const char *over(fzi_prose *p, const fzi_node *node, bool is_negated)
{
    bool some = (node->op == FZ_T_ANY) != is_negated;
    bool is_player = true, is_known = true;
    fzi_meaning *before = p->meanings;
    if (!node->binders->next && !node->condition) {
        fzi_mean_each(p, node->binders, some ? NULL : "every");
        const char *text = clause(p, node->body, is_negated);
        p->meanings = before;
        if (is_plain(text) && (some || strncmp(text, "there ", 6) != 0))
            return text;
    }
    fzi_texts members = {.count = 0};
    for (const fzi_node *b = node->binders; b; b = b->next) {
        fzi_mean_each(p, b, some ? NULL : "every");
        if (!p->meanings->value)
            fzi_texts_add(&members, fzi_say_local(p, b->symbol));
        is_known = is_known && p->meanings->value;
        is_player = is_player && b->type && b->type->kind == FZI_TYPE_PLAYER;
    }
    const char *who = fzi_english_list(p, &members, "and");
    if (node->condition)
        who = fzi_say(p, "%s where %s", who, clause(p, node->condition, false));
    const char *text = clause(p, node->body, is_negated);
    p->meanings = before;
    if (is_known && !node->condition)
        return text;
    return some ? fzi_say(p, "there is %s for %s %s", who, is_player ? "whom" : "which", text)
                : fzi_say(p, "for %s, %s", who, text);
}

/* Another point of view: `the player` and `own` are that player's. */
static const char *seen_by(fzi_prose *p, const fzi_node *node, bool is_negated)
{
    const char *me = p->me;
    p->me = fzi_say_value(p, node->player);
    const char *text = clause(p, node->body, is_negated);
    const char *owner = fzi_english_genitive(p, p->me);
    text = fzi_english_replace(p, text, "an own", owner);
    text = fzi_english_replace(p, text, "own", owner);
    p->me = me;
    return text;
}

/* ---- names ---- */

static const char *able(fzi_prose *p, const fzi_node *call, bool is_negated)
{
    const fzi_node *generator = call->arguments;
    const char *what = generator ? fzi_say_phrase(p, generator) : NULL;
    return fzi_say(p, "%s %s %s", p->me, is_negated ? "cannot" : "can", what ? what : "move");
}

static const char *by_name(fzi_prose *p, const fzi_node *use, bool is_negated)
{
    const fzi_symbol *symbol = fzi_use_symbol(use);
    if (fzi_calls_primitive(use, FZI_PRIM_can))
        return able(p, use, is_negated);
    fzi_meaning *before;
    const fzi_node *value =
        symbol->kind == FZI_SYM_LOCAL ? fzi_open_local(p, symbol, &before) : NULL;
    const char *text;
    if (value) {
        text = clause(p, value, is_negated);
        fzi_close_value(p, before);
        return text;
    }
    text = symbol->kind == FZI_SYM_PRIMITIVE ? fzi_say_primitive(p, use) : fzi_say_phrase(p, use);
    value = text || symbol->kind == FZI_SYM_VAR ? NULL : fzi_open_value(p, use, &before);
    if (value) {
        text = clause(p, value, is_negated);
        fzi_close_value(p, before);
        if (strlen(text) <= FZI_PROSE_LONGEST)
            return text;
        text = NULL;
    }
    if (!text)
        text = fzi_say(p, "%s holds", fzi_say_name(p, use));
    return is_negated ? fzi_english_not(p, text) : text;
}

static const char *chosen(fzi_prose *p, const fzi_node *node, bool is_negated)
{
    int64_t value;
    if (fzi_prose_constant(p, node->condition, &value))
        return clause(p, value ? node->then : node->otherwise, is_negated);
    return fzi_say(p, "%s (if %s) or %s (if not)", clause(p, node->then, is_negated),
                   clause(p, node->condition, false), clause(p, node->otherwise, is_negated));
}

/* "White's score is three (if White has passed) or Black's score is three (if not)" */
static const char *lifted(fzi_prose *p, const fzi_node *node, bool is_negated)
{
    bool has_operands = node->kind == N_E_CALL || node->kind == N_E_INDEX ||
                        (node->kind == N_E_BINARY && node->op != FZ_T_AND && node->op != FZ_T_OR);
    const fzi_node *either = has_operands ? fzi_lifted_value(p, node) : NULL;
    if (!either)
        return NULL;
    p->lifted++;
    const char *text = chosen(p, either, is_negated);
    p->lifted--;
    return text;
}

static const char *clause(fzi_prose *p, const fzi_node *node, bool is_negated)
{
    const char *text = lifted(p, node, is_negated);
    if (text)
        return text;
    switch (node->kind) {
    case N_E_BINARY:
        return node->op == FZ_T_AND || node->op == FZ_T_OR ? both(p, node, is_negated)
                                                           : comparison(p, node, is_negated);
    case N_E_UNARY:
        if (node->op == FZ_T_NOT)
            return clause(p, node->operand, !is_negated);
        break;
    case N_E_OVER: return over(p, node, is_negated);
    case N_E_AS: return seen_by(p, node, is_negated);
    case N_E_IF: return chosen(p, node, is_negated);
    case N_E_NAME:
    case N_E_CALL:
    case N_E_INDEX:
        if (fzi_use_symbol(node))
            return by_name(p, node, is_negated);
        break;
    default: break;
    }
    return fzi_say(p, "%s is %s", fzi_say_value(p, node), is_negated ? "not so" : "so");
}

const char *fzi_say_condition(fzi_prose *p, const fzi_node *node)
{
    return clause(p, node, false);
}

const char *fzi_say_not(fzi_prose *p, const fzi_node *node)
{
    return clause(p, node, true);
}
