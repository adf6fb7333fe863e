/* Options and `when`. The options of a file are found first and get their values. Then its
 * declarations are copied, without those whose `when` is false. */
#include <string.h>

#include "layers.h"

static fzi_option *find_option(const fzi_unit *unit, const char *name)
{
    for (size_t i = unit->option_count; i-- > 0;)
        if (strcmp(unit->options[i].name, name) == 0)
            return &unit->options[i];
    return NULL;
}

/* ---- constants ---- */

/* A value before there are types: a number, a truth, or a value of an option with names. */
enum value_kind { FZ_NUMBER, FZ_TRUTH, FZ_NAMED };

typedef struct value {
    enum value_kind kind;
    int64_t number;
    const fzi_option *option; /* FZ_NAMED */
} value;

typedef struct evaluation {
    fzi_load *load;
    const fzi_unit *unit;
    const fzi_node *file; /* whose declarations are not in the unit yet, or NULL */
    bool complain;
} evaluation;

static bool evaluate(const evaluation *e, const fzi_node *expr, value *result);

static value number(int64_t n)
{
    return (value){FZ_NUMBER, n, NULL};
}

static value truth(bool b)
{
    return (value){FZ_TRUTH, b, NULL};
}

static bool not_settled(const evaluation *e, const fzi_node *expr)
{
    if (e->complain)
        fzi_error(e->load->diags, expr->span, FZ_E_NOT_SETTLED);
    return false;
}

/* The place of a value among those that the option lists; -1 if it is none of them. */
static int64_t named_value(const fzi_option *option, const char *name)
{
    int64_t place = 0;
    for (const fzi_node *v = option->node->values; v; v = v->next, place++)
        if (strcmp(v->name, name) == 0)
            return place;
    return -1;
}

static void not_a_value(fzi_diags *diags, fzi_span span, const fzi_option *option, const char *name)
{
    fzi_diag *diag = fzi_error(diags, span, FZ_E_NOT_A_VALUE, name, option->name);
    if (option->kind == FZ_OPTION_SWITCH) {
        fzi_hint_add(diags, diag, "it is true or false");
    } else if (option->kind == FZ_OPTION_NUMBER) {
        fzi_hint_add(diags, diag, "it is a number from %lld to %lld", (long long)option->low,
                     (long long)option->high);
    } else {
        fzi_nearest nearest = {.wanted = name};
        const char *list = NULL;
        for (const fzi_node *v = option->node->values; v; v = v->next) {
            fzi_nearest_offer(&nearest, v->name);
            list = list ? fzi_arena_printf(diags->arena, "%s, %s", list, v->name) : v->name;
        }
        if (nearest.best)
            fzi_hint_nearest(diags, diag, &nearest);
        else
            fzi_hint_add(diags, diag, "its values are %s", list ? list : "not known");
    }
}

/* Says nothing where the text has syntax mistakes: the option's declaration may be one of them. */
static void unknown_option(fzi_diags *diags, const fzi_unit *unit, fzi_span span, const char *name)
{
    for (const fzi_diag *d = diags->first; d; d = d->next)
        if (d->code <= FZ_E_NO_HEADER)
            return;
    fzi_diag *diag = fzi_error(diags, span, FZ_E_UNKNOWN_OPTION, name);
    fzi_nearest nearest = {.wanted = name};
    for (size_t i = 0; i < unit->option_count; i++)
        fzi_nearest_offer(&nearest, unit->options[i].name);
    const fzi_change *gone = fzi_unit_removed(unit, name);
    if (gone)
        fzi_note_at(diags, diag, gone->span, "removed here");
    else
        fzi_hint_nearest(diags, diag, &nearest);
}

static bool option_value(const fzi_option *option, value *result)
{
    enum value_kind kinds[] = {FZ_NAMED, FZ_NUMBER, FZ_TRUTH};
    *result = (value){kinds[option->kind], option->chosen, option};
    return true;
}

static bool name_value(const evaluation *e, const fzi_node *expr, value *result)
{
    const fzi_option *option = find_option(e->unit, expr->name);
    if (option)
        return option_value(option, result);
    bool is_true = strcmp(expr->name, "true") == 0;
    if (is_true || strcmp(expr->name, "false") == 0) {
        *result = truth(is_true);
        return true;
    }
    if (e->complain)
        unknown_option(e->load->diags, e->unit, expr->span, expr->name);
    return false;
}

/* A name that stands beside an option is one of its values first. */
static bool value_beside(const evaluation *e, const fzi_node *expr, const value *other,
                         value *result)
{
    if (!other || other->kind != FZ_NAMED || expr->kind != N_E_NAME)
        return evaluate(e, expr, result);
    int64_t place = named_value(other->option, expr->name);
    if (place >= 0) {
        *result = (value){FZ_NAMED, place, other->option};
        return true;
    }
    if (e->complain)
        not_a_value(e->load->diags, expr->span, other->option, expr->name);
    return false;
}

static bool member_value(const evaluation *e, const fzi_node *expr, value *result)
{
    const fzi_option *option = find_option(e->unit, expr->type_name->name);
    if (!option || option->kind != FZ_OPTION_NAMED) {
        if (e->complain)
            unknown_option(e->load->diags, e->unit, expr->type_name->span, expr->type_name->name);
        return false;
    }
    const value beside = {FZ_NAMED, 0, option};
    fzi_node name = {.kind = N_E_NAME, .span = expr->name_span, .name = expr->name};
    return value_beside(e, &name, &beside, result);
}

/* The number of players that play. Wrong conditions are reported elsewhere. */
static int64_t players_of(const evaluation *e, const fzi_node *players)
{
    evaluation quiet = *e;
    int64_t count = 0;
    quiet.complain = false;
    for (; players; players = players->next) {
        value v;
        count += !players->condition || (evaluate(&quiet, players->condition, &v) && v.number);
    }
    return count;
}

/* The number of players or teams; -1: not declared yet. */
static int64_t count_of(const evaluation *e, const char *what)
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

static bool size_value(const evaluation *e, const fzi_node *expr, value *result)
{
    if (expr->operand->kind == N_E_NAME) {
        const fzi_option *option = find_option(e->unit, expr->operand->name);
        int64_t count = count_of(e, expr->operand->name);
        if (option && option->kind == FZ_OPTION_NAMED)
            count = option->high + 1;
        *result = number(count);
        if (count >= 0)
            return true;
    }
    return not_settled(e, expr);
}

static bool in_range(const evaluation *e, const fzi_node *expr, int64_t n, value *result)
{
    *result = number(n);
    return n >= INT32_MIN && n <= INT32_MAX ? true : not_settled(e, expr);
}

static bool unary_value(const evaluation *e, const fzi_node *expr, value *result)
{
    if (expr->op == FZ_T_HASH)
        return size_value(e, expr, result);
    value a;
    if (!evaluate(e, expr->operand, &a))
        return false;
    if (expr->op == FZ_T_NOT && a.kind == FZ_TRUTH)
        *result = truth(!a.number);
    else if (expr->op == FZ_T_MINUS && a.kind == FZ_NUMBER)
        return in_range(e, expr, -a.number, result);
    else
        return not_settled(e, expr);
    return true;
}

static int64_t floor_divide(int64_t a, int64_t b)
{
    int64_t quotient = a / b;
    return quotient - (a % b != 0 && (a < 0) != (b < 0));
}

static bool arithmetic(const evaluation *e, const fzi_node *expr, int64_t a, int64_t b,
                       value *result)
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

static bool compare(int op, int64_t a, int64_t b, value *result)
{
    switch (op) {
    case FZ_T_EQ: *result = truth(a == b); return true;
    case FZ_T_NE: *result = truth(a != b); return true;
    case FZ_T_LT: *result = truth(a < b); return true;
    case FZ_T_LE: *result = truth(a <= b); return true;
    case FZ_T_GT: *result = truth(a > b); return true;
    case FZ_T_GE: *result = truth(a >= b); return true;
    default: return false;
    }
}

static bool same_kind(const value *a, const value *b)
{
    return a->kind == b->kind && (a->kind != FZ_NAMED || a->option == b->option);
}

/* `x in {A, B}`, `x in 1..3`. */
static bool is_member(const evaluation *e, const fzi_node *expr, value *result)
{
    value a, b, c;
    const fzi_node *set = expr->right;
    if (!evaluate(e, expr->left, &a))
        return false;
    if (set->kind == N_E_SET) {
        bool found = false;
        for (const fzi_node *member = set->members; member; member = member->next) {
            if (!value_beside(e, member, &a, &b))
                return false;
            found |= same_kind(&a, &b) && a.number == b.number;
        }
        *result = truth(found);
        return true;
    }
    if (set->kind != N_E_BINARY || set->op != FZ_T_RANGE)
        return not_settled(e, set);
    if (!value_beside(e, set->left, &a, &b) || !value_beside(e, set->right, &a, &c))
        return false;
    if (!same_kind(&a, &b) || !same_kind(&a, &c))
        return not_settled(e, expr);
    *result = truth(b.number <= a.number && a.number <= c.number);
    return true;
}

static bool is_option(const evaluation *e, const fzi_node *expr)
{
    const fzi_node *name = expr->kind == N_E_MEMBER ? expr->type_name : expr;
    return name->kind == N_E_NAME && find_option(e->unit, name->name);
}

static bool binary_value(const evaluation *e, const fzi_node *expr, value *result)
{
    value a, b;
    if (expr->op == FZ_T_IN)
        return is_member(e, expr, result);
    /* `Standard == Setup`: the right side gives the left one its meaning. */
    bool swapped = !is_option(e, expr->left) && is_option(e, expr->right);
    const fzi_node *first = swapped ? expr->right : expr->left,
                   *second = swapped ? expr->left : expr->right;
    if (!evaluate(e, first, &a) || !value_beside(e, second, &a, &b))
        return false;
    if (swapped) {
        value left = b;
        b = a;
        a = left;
    }
    if (a.kind == FZ_TRUTH && b.kind == FZ_TRUTH && expr->op == FZ_T_AND)
        *result = truth(a.number && b.number);
    else if (a.kind == FZ_TRUTH && b.kind == FZ_TRUTH && expr->op == FZ_T_OR)
        *result = truth(a.number || b.number);
    else if (!same_kind(&a, &b))
        return not_settled(e, expr);
    else if (!compare(expr->op, a.number, b.number, result))
        return a.kind == FZ_NUMBER ? arithmetic(e, expr, a.number, b.number, result)
                                   : not_settled(e, expr);
    return true;
}

static bool evaluate(const evaluation *e, const fzi_node *expr, value *result)
{
    value condition;
    switch (expr->kind) {
    case N_E_INT:
        *result = number(expr->number);
        return true;
    case N_E_NAME:
        return name_value(e, expr, result);
    case N_E_MEMBER:
        return member_value(e, expr, result);
    case N_E_UNARY:
        return unary_value(e, expr, result);
    case N_E_BINARY:
        return binary_value(e, expr, result);
    case N_E_IF:
        if (!evaluate(e, expr->condition, &condition))
            return false;
        if (condition.kind != FZ_TRUTH)
            return not_settled(e, expr->condition);
        return evaluate(e, condition.number ? expr->then : expr->otherwise, result);
    default:
        return not_settled(e, expr);
    }
}

bool fzi_unit_constant(fzi_load *load, const fzi_unit *unit, const fzi_node *expr, bool complain,
                       int64_t *result)
{
    const evaluation e = {load, unit, NULL, complain};
    value v;
    bool known = evaluate(&e, expr, &v);
    if (known)
        *result = v.number;
    return known;
}

bool fzi_unit_condition(fzi_load *load, const fzi_unit *unit, const fzi_node *expr)
{
    const evaluation e = {load, unit, NULL, true};
    value v;
    if (!evaluate(&e, expr, &v))
        return false;
    if (v.kind != FZ_TRUTH)
        fzi_error(load->diags, expr->span, FZ_E_NOT_A_CONDITION);
    return v.kind == FZ_TRUTH && v.number;
}

/* ---- options ---- */

/* Finds the values and the default of an option. False after a complaint. */
static bool declared_value(const evaluation *e, fzi_option *option)
{
    const fzi_node *node = option->node;
    if (!node->declared_type) {
        option->kind = FZ_OPTION_NAMED;
        option->high = (int64_t)fzi_list_length(node->values) - 1;
        option->initial = named_value(option, node->value->name);
        if (option->initial < 0)
            not_a_value(e->load->diags, node->value->span, option, node->value->name);
        return option->initial >= 0;
    }
    value low, high, v;
    const fzi_node *type = node->declared_type;
    option->low = INT32_MIN;
    option->high = INT32_MAX;
    option->kind = FZ_OPTION_NUMBER;
    if (type->kind == N_T_RANGE) {
        if (!evaluate(e, type->low, &low) || !evaluate(e, type->high, &high))
            return false;
        option->low = low.number;
        option->high = high.number;
        if (low.kind != FZ_NUMBER || high.kind != FZ_NUMBER || low.number > high.number) {
            fzi_error(e->load->diags, type->span, FZ_E_OPTION_TYPE);
            return false;
        }
    } else if (strcmp(type->name, "bool") == 0) {
        option->kind = FZ_OPTION_SWITCH;
        option->low = 0;
        option->high = 1;
    } else if (strcmp(type->name, "int") != 0) {
        fzi_error(e->load->diags, type->span, FZ_E_OPTION_TYPE);
        return false;
    }
    if (!evaluate(e, node->value, &v))
        return false;
    enum value_kind wanted = option->kind == FZ_OPTION_SWITCH ? FZ_TRUTH : FZ_NUMBER;
    if (v.kind != wanted || v.number < option->low || v.number > option->high) {
        const fzi_source *source = fzi_source_at(e->load->sources, node->value->span.source);
        const char *text = fzi_intern(e->load->arena, source->text + node->value->span.start,
                                      node->value->span.end - node->value->span.start);
        not_a_value(e->load->diags, node->value->span, option, text);
        return false;
    }
    option->initial = v.number;
    return true;
}

/* The value that `set` gives: a name of the option, or a constant. */
static void set_option(const evaluation *e, fzi_option *option, const fzi_node *set)
{
    value v;
    const value beside = {FZ_NAMED, 0, option};
    const value *known = option->kind == FZ_OPTION_NAMED ? &beside : NULL;
    const enum value_kind kinds[] = {FZ_NAMED, FZ_NUMBER, FZ_TRUTH};
    if (!value_beside(e, set->value, known, &v))
        return;
    bool fits = v.kind == kinds[option->kind] && (v.kind != FZ_NAMED || v.option == option) &&
                v.number >= option->low && v.number <= option->high;
    if (fits) {
        option->chosen = v.number;
        return;
    }
    const fzi_source *source = fzi_source_at(e->load->sources, set->value->span.source);
    const char *text = fzi_intern(e->load->arena, source->text + set->value->span.start,
                                  set->value->span.end - set->value->span.start);
    not_a_value(e->load->diags, set->value->span, option, text);
}

static bool read_number(const char *text, int64_t *result)
{
    bool minus = *text == '-';
    int64_t n = 0;
    text += minus;
    if (!*text)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9' || n > INT32_MAX)
            return false;
        n = 10 * n + (*text - '0');
    }
    *result = minus ? -n : n;
    return true;
}

/* A choice made outside the script. */
static void choose_option(fzi_loader *loader, fzi_option *option, const char *text)
{
    int64_t chosen = -1;
    bool known = false;
    if (option->kind == FZ_OPTION_NAMED) {
        chosen = named_value(option, text);
        known = chosen >= 0;
    } else if (option->kind == FZ_OPTION_NUMBER) {
        known = read_number(text, &chosen) && chosen >= option->low && chosen <= option->high;
    } else {
        chosen = strcmp(text, "true") == 0;
        known = chosen || strcmp(text, "false") == 0;
    }
    if (known)
        option->chosen = chosen;
    else
        not_a_value(loader->load->diags, loader->unit->header_span, option, text);
}

/* The highest file with a `set` decides; a choice outside the script overrides all files. */
static void settle_value(fzi_loader *loader, const evaluation *e, fzi_option *option)
{
    const fzi_node *set = NULL;
    for (size_t i = 0; i < loader->chain_count; i++)
        for (const fzi_node *decl = loader->chain[i]->file->decls; decl; decl = decl->next)
            if (decl->kind == N_D_SET && strcmp(decl->name, option->name) == 0)
                set = decl;
    if (set)
        set_option(e, option, set);
    option->tested = option->chosen;
    for (size_t i = 0; i < loader->load->setting_count; i++) {
        if (strcmp(loader->load->settings[i].name, option->name) != 0)
            continue;
        choose_option(loader, option, loader->load->settings[i].value);
        if (i < loader->load->tested_count)
            option->tested = option->chosen;
    }
}

/* An option that overrides an earlier one takes its place. */
static void add_option(fzi_loader *loader, const evaluation *e, const fzi_node *node)
{
    fzi_unit *unit = loader->unit;
    for (size_t i = 0; i < unit->option_count; i++)
        if (unit->options[i].node == node)
            return;
    fzi_option option = {.name = node->name, .node = node};
    if (!declared_value(e, &option)) {
        option.low = option.low > option.high ? option.high : option.low;
        option.initial = option.low;
    }
    option.chosen = option.initial;
    fzi_option *old = node->flags & FZ_NODE_OVERRIDE ? find_option(unit, node->name) : NULL;
    if (!old) {
        unit->options = fzi_arena_grow(loader->load->arena, unit->options, unit->option_count,
                                       &loader->option_capacity, sizeof *unit->options);
        old = &unit->options[unit->option_count++];
    }
    *old = option;
    settle_value(loader, e, old);
}

void fzi_settle_options(fzi_loader *loader, fzi_layer *layer)
{
    const evaluation e = {loader->load, loader->unit, layer->file, true};
    for (const fzi_node *decl = layer->file->decls; decl; decl = decl->next)
        if (decl->kind == N_D_OPTION)
            add_option(loader, &e, decl);
}

static bool is_declared(const fzi_unit *unit, const fzi_option *option)
{
    for (const fzi_node *decl = unit->decls; decl; decl = decl->next)
        if (decl->kind == N_D_OPTION && decl->span.source == option->node->span.source &&
            decl->span.start == option->node->span.start)
            return true;
    return false;
}

void fzi_drop_removed_options(fzi_unit *unit)
{
    size_t kept = 0;
    for (size_t i = 0; i < unit->option_count; i++)
        if (is_declared(unit, &unit->options[i]))
            unit->options[kept++] = unit->options[i];
    unit->option_count = kept;
}

void fzi_check_settings(fzi_loader *loader)
{
    fzi_load *load = loader->load;
    fzi_unit *unit = loader->unit;
    for (size_t i = 0; i < load->setting_count; i++)
        if (!find_option(unit, load->settings[i].name))
            unknown_option(load->diags, unit, unit->header_span, load->settings[i].name);
    for (size_t i = 0; i < loader->chain_count; i++)
        for (const fzi_node *decl = loader->chain[i]->file->decls; decl; decl = decl->next)
            if (decl->kind == N_D_SET && loader->chain[i]->file->op == FZ_T_VARIANT &&
                !find_option(unit, decl->name))
                unknown_option(load->diags, unit, decl->name_span, decl->name);
}

/* ---- when ---- */

typedef struct settling {
    fzi_loader *loader;
    fzi_layer *layer;
    evaluation e;
    fzi_node **end; /* of layer->decls */
} settling;

static bool is_variant(const fzi_layer *layer)
{
    return layer->file->op == FZ_T_VARIANT;
}

static void settle_list(settling *s, const fzi_node *list, bool under_when);

static void settle_when(settling *s, const fzi_node *when)
{
    value condition;
    if (!evaluate(&s->e, when->condition, &condition))
        return;
    if (condition.kind != FZ_TRUTH)
        fzi_error(s->loader->load->diags, when->condition->span, FZ_E_NOT_A_CONDITION);
    else
        settle_list(s, condition.number ? when->then : when->otherwise, true);
}

static void settle_decl(settling *s, const fzi_node *decl, bool under_when)
{
    fzi_diags *diags = s->loader->load->diags;
    if ((decl->kind == N_D_SET || decl->kind == N_D_REMOVE) && !is_variant(s->layer)) {
        fzi_error(diags, decl->span, FZ_E_ONLY_IN_VARIANT,
                  decl->kind == N_D_SET ? "set an option" : "remove a declaration");
        return;
    }
    if (decl->kind == N_D_SET) {
        if (under_when)
            fzi_error(diags, decl->span, FZ_E_SET_UNDER_WHEN);
        return;
    }
    if (decl->kind == N_D_OPTION && under_when)
        add_option(s->loader, &s->e, decl);
    fzi_node *copy = fzi_arena_copy(s->loader->load->arena, decl, sizeof *decl);
    copy->next = NULL;
    if (s->layer->module)
        copy->flags |= FZ_NODE_MODULE;
    *s->end = copy;
    s->end = &copy->next;
}

static void settle_list(settling *s, const fzi_node *list, bool under_when)
{
    for (; list; list = list->next) {
        if (list->kind == N_D_WHEN)
            settle_when(s, list);
        else
            settle_decl(s, list, under_when);
    }
}

void fzi_settle_layer(fzi_loader *loader, fzi_layer *layer)
{
    settling s = {
        .loader = loader,
        .layer = layer,
        .e = {loader->load, loader->unit, layer->file, true},
        .end = &layer->decls,
    };
    settle_list(&s, layer->file->decls, false);
}
