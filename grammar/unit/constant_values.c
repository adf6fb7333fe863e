/* Evaluates constants: numbers, truths and values of finite types. Options and conditions of
 * `when` need them before names are resolved; the checker says what a resolved name means. */
#include "unit.h"

/* The work is bounded, since nested lets may double it at each level. */
enum { MAX_CONSTANT_WORK = 20000, MAX_CONSTANT_DEPTH = 1500 };

/* ---- options ---- */

fzi_option *fzi_find_option(const fzi_unit *unit, const char *name)
{
    for (size_t i = 0; i < unit->option_count; i++)
        if (strcmp(unit->options[i].name, name) == 0)
            return &unit->options[i];
    return NULL;
}

int64_t fzi_named_value(const fzi_option *option, const char *name)
{
    int64_t place = 0;
    for (const fzi_node *v = option->node->values; v; v = v->next, place++)
        if (strcmp(v->name, name) == 0)
            return place;
    return -1;
}

const char *fzi_option_text(fzi_arena *arena, const fzi_option *option, int64_t value)
{
    if (option->kind == FZ_OPTION_SWITCH)
        return value ? "true" : "false";
    if (option->kind == FZ_OPTION_NUMBER)
        return fzi_arena_printf(arena, "%lld", (long long)value);
    const fzi_node *name = option->node->values;
    while (value-- > 0 && name->next)
        name = name->next;
    return name->name;
}

void fzi_not_a_value(fzi_diags *diags, fzi_span span, const fzi_option *option, const char *name)
{
    fzi_diag *diag = fzi_error(diags, span, FZ_E_NOT_A_VALUE, name, option->name);
    if (!span.source) /* the command line said it */
        fzi_note_at(diag, option->node->name_span, "the option is declared here");
    if (option->kind == FZ_OPTION_SWITCH) {
        fzi_hint_add(diag, "it is true or false");
    } else if (option->kind == FZ_OPTION_NUMBER) {
        fzi_hint_add(diag, "it is a number from %lld to %lld", (long long)option->low,
                     (long long)option->high);
    } else {
        fzi_nearest nearest = {.wanted = name};
        const char *list = NULL;
        for (const fzi_node *v = option->node->values; v; v = v->next) {
            fzi_nearest_offer(&nearest, v->name);
            list = list ? fzi_arena_printf(diags->arena, "%s, %s", list, v->name) : v->name;
        }
        if (nearest.best)
            fzi_hint_nearest(diag, &nearest);
        else
            fzi_hint_add(diag, "its values are %s", list ? list : "not known");
    }
}

/* Says nothing where the text has syntax mistakes: the option's declaration may be one of them. */
void fzi_unknown_option(fzi_diags *diags, const fzi_unit *unit, fzi_span span, const char *name)
{
    for (const fzi_diag *d = diags->first; d; d = d->next)
        if (d->code <= FZ_E_NO_HEADER)
            return;
    fzi_diag *diag = fzi_error(diags, span, FZ_E_UNKNOWN_OPTION, name);
    fzi_nearest nearest = {.wanted = name};
    if (!span.source)
        fzi_note_at(diag, unit->header_span, "in this script");
    for (size_t i = 0; i < unit->option_count; i++)
        fzi_nearest_offer(&nearest, unit->options[i].name);
    const fzi_change *gone = fzi_unit_removed(unit, name);
    if (gone)
        fzi_note_at(diag, gone->span, "removed here");
    else
        fzi_hint_nearest(diag, &nearest);
}

/* ---- names ---- */

static bool not_settled(const fzi_constants *e, const fzi_node *expr)
{
    if (e->complain)
        fzi_error(e->load->diags, expr->span, FZ_E_NOT_SETTLED);
    return false;
}

/* A name before names are resolved: an option, or a truth. */
static bool name_value(fzi_constants *e, const fzi_node *expr, fzi_known *result)
{
    const fzi_option *option = fzi_find_option(e->unit, expr->name);
    bool is_true = strcmp(expr->name, "true") == 0;
    if (option)
        *result = (fzi_known){(enum fzi_known_kind)option->kind, option->chosen, option};
    else
        *result = (fzi_known){FZI_TRUTH, is_true, NULL};
    if (option || is_true || strcmp(expr->name, "false") == 0)
        return true;
    if (e->complain)
        fzi_unknown_option(e->load->diags, e->unit, expr->span, expr->name);
    return false;
}

bool fzi_known_beside(fzi_constants *e, const fzi_node *expr, const fzi_known *other,
                         fzi_known *result)
{
    if (e->meaning || !other || other->kind != FZI_NAMED || expr->kind != N_E_NAME)
        return fzi_known_value(e, expr, result);
    int64_t place = fzi_named_value(other->of, expr->name);
    *result = (fzi_known){FZI_NAMED, place, other->of};
    if (place < 0 && e->complain)
        fzi_not_a_value(e->load->diags, expr->span, other->of, expr->name);
    return place >= 0;
}

static bool member_value(fzi_constants *e, const fzi_node *expr, fzi_known *result)
{
    const fzi_option *option = fzi_find_option(e->unit, expr->type_name->name);
    if (!option || option->kind != FZ_OPTION_NAMED) {
        if (e->complain)
            fzi_unknown_option(e->load->diags, e->unit, expr->type_name->span,
                               expr->type_name->name);
        return false;
    }
    const fzi_known beside = {FZI_NAMED, 0, option};
    const fzi_node name = {.kind = N_E_NAME, .span = expr->name_span, .name = expr->name};
    return fzi_known_beside(e, &name, &beside, result);
}

/* The number of players that play. Wrong conditions are reported elsewhere. */
static int64_t players_of(const fzi_constants *e, const fzi_node *players)
{
    fzi_constants quiet = *e;
    int64_t count = 0;
    quiet.complain = false;
    for (; players; players = players->next) {
        fzi_known v;
        count += !players->condition ||
                 (fzi_known_value(&quiet, players->condition, &v) && v.number);
    }
    return count;
}

/* The number of players or teams; -1: not declared yet. */
static int64_t count_of(const fzi_constants *e, const char *what)
{
    int kind = strcmp(what, "player") == 0 ? N_D_PLAYERS
               : strcmp(what, "team") == 0 ? N_D_TEAMS
                                           : -1;
    int64_t count = -1;
    const fzi_node *lists[] = {e->unit->decls, e->file ? e->file->decls : NULL};
    for (size_t i = 0; i < 2; i++)
        for (const fzi_node *decl = lists[i]; decl; decl = decl->next)
            if (decl->kind == kind)
                count = kind == N_D_TEAMS ? (int64_t)fzi_list_length(decl->teams)
                                          : players_of(e, decl->players);
    return count;
}

static bool size_value(fzi_constants *e, const fzi_node *expr, fzi_known *result)
{
    if (expr->operand->kind != N_E_NAME)
        return not_settled(e, expr);
    const fzi_option *option = fzi_find_option(e->unit, expr->operand->name);
    int64_t count = count_of(e, expr->operand->name);
    if (option && option->kind == FZ_OPTION_NAMED)
        count = option->high + 1;
    *result = (fzi_known){FZI_NUMBER, count, NULL};
    return count >= 0 || not_settled(e, expr);
}

/* ---- operators ---- */

static bool in_range(fzi_constants *e, const fzi_node *expr, int64_t n, fzi_known *result)
{
    *result = (fzi_known){FZI_NUMBER, n, NULL};
    return (n >= INT32_MIN && n <= INT32_MAX) || not_settled(e, expr);
}

static bool unary(fzi_constants *e, const fzi_node *expr, fzi_known *result)
{
    fzi_known a;
    if (!fzi_known_value(e, expr->operand, &a))
        return false;
    if (expr->op == FZ_T_MINUS && a.kind == FZI_NUMBER)
        return in_range(e, expr, -a.number, result);
    *result = (fzi_known){FZI_TRUTH, !a.number, NULL};
    return (expr->op == FZ_T_NOT && a.kind == FZI_TRUTH) || not_settled(e, expr);
}

static int64_t floor_divide(int64_t a, int64_t b)
{
    int64_t quotient = a / b;
    return quotient - (a % b != 0 && (a < 0) != (b < 0));
}

static bool arithmetic(fzi_constants *e, const fzi_node *expr, int64_t a, int64_t b,
                       fzi_known *result)
{
    if ((expr->op == FZ_T_DIVIDE || expr->op == FZ_T_MODULO) && b == 0) {
        if (e->complain)
            fzi_error(e->load->diags, expr->span, FZ_E_DIVISION_BY_ZERO);
        return false;
    }
    switch (expr->op) {
    case FZ_T_PLUS: return in_range(e, expr, a + b, result);
    case FZ_T_MINUS: return in_range(e, expr, a - b, result);
    case FZ_T_TIMES: return in_range(e, expr, a * b, result);
    case FZ_T_DIVIDE: return in_range(e, expr, floor_divide(a, b), result);
    case FZ_T_MODULO: return in_range(e, expr, a - b * floor_divide(a, b), result);
    default: return not_settled(e, expr);
    }
}

static bool compare(int op, int64_t a, int64_t b, fzi_known *result)
{
    bool holds = op == FZ_T_EQ   ? a == b
                 : op == FZ_T_NE ? a != b
                 : op == FZ_T_LT ? a < b
                 : op == FZ_T_LE ? a <= b
                 : op == FZ_T_GT ? a > b
                                 : a >= b;
    *result = (fzi_known){FZI_TRUTH, holds, NULL};
    return op >= FZ_T_EQ && op <= FZ_T_GE;
}

static bool same_kind(const fzi_known *a, const fzi_known *b)
{
    return a->kind == b->kind && (a->kind != FZI_NAMED || a->of == b->of);
}

/* `x in {A, B}`, `x in 1..3`. */
static bool is_member(fzi_constants *e, const fzi_node *expr, fzi_known *result)
{
    fzi_known a, b, c;
    const fzi_node *set = expr->right;
    if (!fzi_known_value(e, expr->left, &a))
        return false;
    if (set->kind == N_E_SET) {
        bool found = false;
        for (const fzi_node *member = set->members; member; member = member->next) {
            if (!fzi_known_beside(e, member, &a, &b))
                return false;
            found |= same_kind(&a, &b) && a.number == b.number;
        }
        *result = (fzi_known){FZI_TRUTH, found, NULL};
        return true;
    }
    if (set->kind != N_E_BINARY || set->op != FZ_T_RANGE)
        return not_settled(e, set);
    if (!fzi_known_beside(e, set->left, &a, &b) || !fzi_known_beside(e, set->right, &a, &c))
        return false;
    if (!same_kind(&a, &b) || !same_kind(&a, &c))
        return not_settled(e, expr);
    *result = (fzi_known){FZI_TRUTH, b.number <= a.number && a.number <= c.number, NULL};
    return true;
}

static bool is_option(const fzi_constants *e, const fzi_node *expr)
{
    const fzi_node *name = expr->kind == N_E_MEMBER ? expr->type_name : expr;
    return name->kind == N_E_NAME && fzi_find_option(e->unit, name->name);
}

/* `and`, `or` of resolved names: one side may be enough. */
static bool either(fzi_constants *e, const fzi_node *expr, fzi_known *result)
{
    fzi_known a, b;
    bool decides = expr->op == FZ_T_OR;
    bool known_a = fzi_known_value(e, expr->left, &a);
    bool known_b = fzi_known_value(e, expr->right, &b);
    bool decided = (known_a && a.number == decides) || (known_b && b.number == decides);
    *result = (fzi_known){FZI_TRUTH, decided ? decides : !decides, NULL};
    return decided || (known_a && known_b);
}

static bool binary(fzi_constants *e, const fzi_node *expr, fzi_known *result)
{
    fzi_known a, b;
    bool joins = expr->op == FZ_T_AND || expr->op == FZ_T_OR;
    if (e->meaning && joins)
        return either(e, expr, result);
    if (expr->op == FZ_T_IN)
        return !e->meaning && is_member(e, expr, result);
    /* `Standard == Setup`: the right side gives the left one its meaning. */
    bool swapped = !e->meaning && !is_option(e, expr->left) && is_option(e, expr->right);
    if (swapped ? !fzi_known_value(e, expr->right, &b) ||
                      !fzi_known_beside(e, expr->left, &b, &a)
                : !fzi_known_value(e, expr->left, &a) ||
                      !fzi_known_beside(e, expr->right, &a, &b))
        return false;
    if (!same_kind(&a, &b))
        return not_settled(e, expr);
    if (joins && a.kind == FZI_TRUTH) {
        bool holds = expr->op == FZ_T_AND ? a.number && b.number : a.number || b.number;
        *result = (fzi_known){FZI_TRUTH, holds, NULL};
        return true;
    }
    if (compare(expr->op, a.number, b.number, result))
        return true;
    return a.kind == FZI_NUMBER ? arithmetic(e, expr, a.number, b.number, result)
                                : not_settled(e, expr);
}

static bool evaluate_deeper(fzi_constants *e, const fzi_node *expr, fzi_known *result)
{
    fzi_known condition;
    switch (expr->kind) {
    case N_E_INT:
        *result = (fzi_known){FZI_NUMBER, expr->number, NULL};
        return true;
    case N_E_NAME:
        return e->meaning ? e->meaning(e, expr, result) : name_value(e, expr, result);
    case N_E_MEMBER:
        return e->meaning ? e->meaning(e, expr, result) : member_value(e, expr, result);
    case N_E_UNARY:
        if (expr->op == FZ_T_HASH)
            return e->meaning ? e->meaning(e, expr, result) : size_value(e, expr, result);
        return unary(e, expr, result);
    case N_E_BINARY:
        return binary(e, expr, result);
    case N_E_IF:
        if (!fzi_known_value(e, expr->condition, &condition))
            return false;
        if (condition.kind != FZI_TRUTH)
            return not_settled(e, expr->condition);
        return fzi_known_value(e, condition.number ? expr->then : expr->otherwise, result);
    case N_E_AS:
        return e->meaning ? fzi_known_value(e, expr->body, result) : not_settled(e, expr);
    default:
        return not_settled(e, expr);
    }
}

bool fzi_known_value(fzi_constants *e, const fzi_node *expr, fzi_known *result)
{
    if (e->work == MAX_CONSTANT_WORK || e->depth == MAX_CONSTANT_DEPTH)
        return false;
    e->work++;
    e->depth++;
    bool known = evaluate_deeper(e, expr, result);
    e->depth--;
    return known;
}

bool fzi_unit_constant(fzi_load *load, const fzi_unit *unit, const fzi_node *expr, bool complain,
                       int64_t *result)
{
    fzi_constants e = {.load = load, .unit = unit, .complain = complain};
    fzi_known v;
    bool known = fzi_known_value(&e, expr, &v);
    if (known)
        *result = v.number;
    return known;
}

bool fzi_condition(fzi_constants *e, const fzi_node *expr, bool *holds)
{
    fzi_known v;
    if (!fzi_known_value(e, expr, &v))
        return false;
    *holds = v.number;
    if (v.kind != FZI_TRUTH)
        fzi_error(e->load->diags, expr->span, FZ_E_NOT_A_CONDITION);
    return v.kind == FZI_TRUTH;
}

bool fzi_unit_condition(fzi_load *load, const fzi_unit *unit, const fzi_node *expr)
{
    fzi_constants e = {.load = load, .unit = unit, .complain = true};
    bool holds;
    return fzi_condition(&e, expr, &holds) && holds;
}
