/* Finds the type of a declaration when a name first needs it: declared or inferred from the value.
 * Bodies of functions are checked later (bodies.c). */
#include "expressions.h"

/* ---- tables: [in, order] or {by: key}, nested for several indexes ---- */

typedef struct table {
    fzi_checker *c;
    const fzi_type *const *index;
    unsigned count;
    const fzi_type *wanted; /* of the elements; NULL: to be found */
    const fzi_type *found;  /* the common type of those seen */
    bool failed;            /* an element has a wrong type: no more errors */
} table;

enum { FZ_MAX_KEYS = 1 << 16 };

static void check_part(table *t, fzi_node *node, unsigned at);

static void check_element(table *t, fzi_node *node)
{
    fzi_checker *c = t->c;
    if (t->wanted) {
        unsigned errors = c->diags->type_errors;
        fzi_check_as(c, node, t->wanted);
        t->failed |= c->diags->type_errors > errors;
        return;
    }
    const fzi_type *type = fzi_check_expr(c, node, t->found);
    const fzi_type *common = t->found ? fzi_type_common(c->game, t->found, type) : type;
    if (!common)
        fzi_error(c->diags, node->span, FZ_E_NO_COMMON_TYPE, t->found->text, type->text);
    else
        t->found = common;
}

/* An entry of a list or under a key. A set in the place of a row gets a hint about brackets. */
static void check_entry(table *t, fzi_node *node, unsigned at)
{
    fzi_diags *diags = t->c->diags;
    bool muted = diags->types_muted;
    unsigned errors = diags->type_errors;
    diags->types_muted |= t->failed;
    check_part(t, node, at);
    diags->types_muted = muted;
    if (diags->type_errors == errors || at >= t->count || node->kind != N_E_SET || !node->members)
        return;
    fzi_node all = {.span = fzi_span_join(node->members->span, fzi_list_last(node->members)->span)};
    diags->last->hints = NULL;
    fzi_hint_add(diags->last, "a row of a table stands in brackets: [%s]", fzi_quote(t->c, &all));
}

static void check_list(table *t, fzi_node *node, unsigned at)
{
    const fzi_type *index = t->index[at];
    int64_t size = fzi_type_size(index);
    size_t length = fzi_list_length(node->entries);
    if (size && (int64_t)length != size)
        fzi_error(t->c->diags, node->span, FZ_E_TABLE_LENGTH, (unsigned)length, index->text,
                  (long long)size);
    for (fzi_node *value = node->entries; value; value = value->next)
        check_entry(t, value, at + 1);
}

static void check_keys(table *t, fzi_node *node, unsigned at)
{
    fzi_checker *c = t->c;
    const fzi_type *index = t->index[at];
    int64_t size = fzi_type_size(index), value;
    fzi_node **seen = NULL;
    if (size > 0 && size <= FZ_MAX_KEYS)
        seen = fzi_arena_alloc(c->arena, sizeof *seen * (size_t)size);
    for (fzi_node *key = node->entries; key; key = key->next) {
        fzi_check_as(c, key->key, index);
        if (fzi_need_constant(c, key->key, "a key", &value) && seen && value >= index->low &&
            value <= index->high) {
            fzi_node **first = &seen[value - index->low];
            if (*first) {
                fzi_diag *diag = fzi_error(c->diags, key->key->span, FZ_E_KEY_TWICE);
                fzi_note_at(diag, (*first)->span, "the first one is here");
            }
            *first = key->key;
        }
        check_entry(t, key->value, at + 1);
    }
}

static void check_part(table *t, fzi_node *node, unsigned at)
{
    if (at < t->count && node->kind == N_E_LIST)
        check_list(t, node, at);
    else if (at < t->count && node->kind == N_E_KEYS)
        check_keys(t, node, at);
    else
        check_element(t, node);
}

/* Tables have the type of their elements. */
static void set_type(fzi_node *node, const fzi_type *type)
{
    if (node->kind != N_E_LIST && node->kind != N_E_KEYS)
        return;
    node->type = type;
    for (fzi_node *part = node->entries; part; part = part->next)
        set_type(part->kind == N_KEY ? part->value : part, type);
}

static const fzi_type *check_table(fzi_checker *c, fzi_node *node, const fzi_type *const *index,
                                unsigned count, const fzi_type *type)
{
    table t = {.c = c, .index = index, .count = count, .wanted = type};
    check_part(&t, node, 0);
    if (!type)
        type = t.found ? t.found : c->game->type_poison;
    set_type(node, type);
    return type;
}

/* ---- parameters and indexes ---- */

static bool is_domain(fzi_checker *c, const fzi_type *type, fzi_span span)
{
    bool finite = type->kind >= FZI_TYPE_BOOL && type->kind <= FZI_TYPE_NAMED &&
                  (type->kind != FZI_TYPE_INT || fzi_type_size(type));
    if (!finite && type->kind != FZI_TYPE_POISON)
        fzi_error(c->diags, span, FZ_E_NOT_FINITE, type->text);
    return finite;
}

static void declare_params(fzi_checker *c, fzi_symbol *symbol, fzi_node *list)
{
    symbol->param_count = (unsigned)fzi_list_length(list);
    symbol->params = fzi_arena_alloc(c->arena, sizeof(fzi_symbol *) * (symbol->param_count + 1));
    unsigned i = 0;
    for (fzi_node *param = list; param; param = param->next) {
        fzi_symbol *local = &fzi_entry_new(c->arena, FZI_SYM_LOCAL, param->name, param->name_span)
                                 ->symbol;
        local->local = FZI_LOCAL_PARAM;
        local->node = param;
        local->type = param->type = fzi_check_type(c, param->declared_type);
        param->symbol = local;
        symbol->params[i++] = local;
    }
}

/* Makes the parameters visible. */
void fzi_bind_params(fzi_checker *c, const fzi_symbol *symbol)
{
    for (unsigned i = 0; i < symbol->param_count; i++) {
        fzi_symbol *param = symbol->params[i];
        for (unsigned j = 0; j < i; j++) {
            if (symbol->params[j]->name != param->name)
                continue;
            fzi_diag *diag = fzi_error(c->diags, param->span, FZ_E_DECLARED_TWICE, param->name);
            fzi_note_at(diag, symbol->params[j]->span, "the first one is here");
            break;
        }
        fzi_refuse_word(c, param);
        fzi_locals_add(&c->locals, c->arena, param);
    }
}

static void declare_indexes(fzi_checker *c, fzi_symbol *symbol)
{
    const fzi_node *node = symbol->node;
    fzi_node *list = node->kind == N_D_LET ? node->params : node->index_types;
    symbol->index_count = (unsigned)fzi_list_length(list);
    const fzi_type **index = fzi_arena_alloc(c->arena, sizeof *index * (symbol->index_count + 1));
    unsigned i = 0;
    for (fzi_node *domain = list; domain; domain = domain->next) {
        fzi_node *type = domain->kind == N_PARAM ? domain->declared_type : domain;
        index[i++] = is_domain(c, fzi_check_type(c, type), type->span) ? type->type
                                                                       : c->game->type_poison;
    }
    symbol->index = index;
}

/* ---- inferred types ---- */

const fzi_type *fzi_inferred_type(fzi_checker *c, const fzi_node *value, const fzi_type *type,
                                  const char *stated)
{
    if (type->kind == FZI_TYPE_NOTHING) {
        fzi_diag *diag = fzi_error(c->diags, value->span, FZ_E_UNKNOWN_SET);
        fzi_hint_add(diag, "state its type: '%s'", stated);
        return c->game->type_poison;
    }
    return type->kind == FZI_TYPE_OFF ? c->game->type_site : type;
}

const fzi_type *fzi_stored_type(fzi_checker *c, const fzi_node *value, const fzi_type *type,
                                const char *stated)
{
    type = fzi_inferred_type(c, value, type, stated);
    if (type->kind != FZI_TYPE_SET || fzi_set_fits(type->element))
        return fzi_type_widened(c->game, type);
    fzi_error(c->diags, value->span, FZ_E_SET_VARIABLE, type->text);
    return c->game->type_poison;
}

/* ---- let ---- */

void fzi_check_let_value(fzi_checker *c, fzi_symbol *symbol)
{
    fzi_node *node = symbol->node;
    c->at = (fzi_region){.owner = fzi_entry_of(symbol), .gathers = true, .pure = "a 'let'",
                         .no_chance = "the declaration of a 'let'"};
    fzi_bind_params(c, symbol);
    const fzi_type *type = check_table(c, node->value, symbol->index, symbol->index_count,
                                           symbol->type);
    if (!symbol->type)
        symbol->type = fzi_inferred_type(
            c, node->value, type, fzi_arena_printf(c->arena, "let %s: sites = {};", symbol->name));
}

static void declare_let(fzi_checker *c, fzi_symbol *symbol)
{
    declare_params(c, symbol, symbol->node->params);
    declare_indexes(c, symbol);
    if (symbol->node->declared_type)
        symbol->type = fzi_check_type(c, symbol->node->declared_type);
    else
        fzi_check_let_value(c, symbol);
    symbol->node->type = symbol->type;
}

/* ---- var ---- */

static void check_words(fzi_checker *c, const fzi_node *node)
{
    static const struct { int flag; const char *word; } words[] = {
        {FZ_NODE_CARRIED, "carried"}, {FZ_NODE_CLOCK, "clock"}, {FZ_NODE_SECRET, "secret"}};
    const char *first = NULL;
    for (size_t i = 0; i < 3; i++) {
        if (!(node->flags & words[i].flag))
            continue;
        if (first && (node->flags & FZ_NODE_CARRIED))
            fzi_error(c->diags, node->name_span, FZ_E_VAR_WORDS, first, words[i].word);
        first = first ? first : words[i].word;
    }
}

static void check_var_indexes(fzi_checker *c, const fzi_symbol *symbol)
{
    bool first = symbol->index_count && fzi_type_is(symbol->index[0], FZI_TYPE_PLAYER);
    bool later = false;
    for (unsigned i = 1; i < symbol->index_count; i++)
        later |= fzi_type_is(symbol->index[i], FZI_TYPE_PLAYER);
    check_words(c, symbol->node);
    if ((symbol->node->flags & FZ_NODE_SECRET) && later && !first)
        fzi_error(c->diags, symbol->span, FZ_E_SECRET_INDEX);
    if ((symbol->node->flags & FZ_NODE_CARRIED) &&
        (symbol->index_count != 1 || !fzi_type_is(symbol->index[0], FZI_TYPE_SITE)))
        fzi_error(c->diags, symbol->span, FZ_E_CARRIED_INDEX);
    if ((symbol->node->flags & FZ_NODE_CARRIED) && c->game->stacks)
        fzi_note_at(fzi_error(c->diags, symbol->span, FZ_E_CARRIED_STACKS), c->game->stacks->span,
                    "pieces stack here");
}

static void declare_var(fzi_checker *c, fzi_symbol *symbol)
{
    fzi_node *node = symbol->node;
    declare_indexes(c, symbol);
    check_var_indexes(c, symbol);
    symbol->type = node->declared_type ? fzi_check_type(c, node->declared_type) : NULL;
    if (node->value) {
        c->at = (fzi_region){.pure = "the first value of a variable",
                             .no_chance = "the first value of a variable"};
        const fzi_type *type = check_table(c, node->value, symbol->index, symbol->index_count,
                                               symbol->type);
        if (!symbol->type)
            symbol->type = fzi_stored_type(
                c, node->value, type, fzi_arena_printf(c->arena, "var %s: sites;", symbol->name));
    }
    if (!symbol->type)
        symbol->type = c->game->type_int;
    node->type = symbol->type;
}

/* ---- functions and the rest ---- */

static void check_native(fzi_checker *c, const fzi_symbol *symbol)
{
    for (unsigned i = 0; i < symbol->param_count; i++) {
        const fzi_type *type = symbol->params[i]->type;
        if (type->kind == FZI_TYPE_SET && !fzi_type_is_set(type, FZI_TYPE_SITE))
            fzi_error(c->diags, symbol->params[i]->span, FZ_E_NATIVE_TYPE, type->text, "passed to");
    }
    if (symbol->type->kind == FZI_TYPE_SET)
        fzi_error(c->diags, symbol->node->result_type->span, FZ_E_NATIVE_TYPE, symbol->type->text,
                  "the result of");
}

static void declare_function(fzi_checker *c, fzi_symbol *symbol)
{
    fzi_node *node = symbol->node;
    declare_params(c, symbol, node->params);
    if (symbol->kind == FZI_SYM_MOVES)
        symbol->type = c->game->type_void;
    else
        symbol->type =
            node->result_type ? fzi_check_type(c, node->result_type) : c->game->type_void;
    node->type = symbol->type;
    if (symbol->kind == FZI_SYM_EXTERN)
        check_native(c, symbol);
}

/* The faces of `die D = 1..6;`. */
static const fzi_type *range_of_die(fzi_checker *c, fzi_node *range)
{
    int64_t low, high;
    fzi_check_expr(c, range, NULL);
    if (range->kind != N_E_BINARY || range->op != FZ_T_RANGE) {
        if (range->type->kind != FZI_TYPE_POISON)
            fzi_error(c->diags, range->span, FZ_E_WRONG_TYPE, "a range such as 1..6",
                      range->type->text);
        return c->game->type_poison;
    }
    if (!fzi_need_constant(c, range->left, "a face of a die", &low) ||
        !fzi_need_constant(c, range->right, "a face of a die", &high))
        return c->game->type_poison;
    if (low <= high)
        return fzi_type_range(c->game, low, high);
    fzi_error(c->diags, range->span, FZ_E_EMPTY_RANGE, (long long)low, (long long)high);
    return c->game->type_poison;
}

/* The type of faces that are numbers: from the least to the greatest. */
static const fzi_type *faces_of_die(fzi_checker *c, const fzi_symbol *symbol)
{
    int64_t low = INT32_MAX, high = INT32_MIN, value;
    for (fzi_node *face = symbol->node->faces; face; face = face->next) {
        const fzi_node *name = face->value;
        if (name->kind == N_E_NAME && !fzi_scope_find(c->scope, name->name, name->span.source)) {
            fzi_error(c->diags, face->value->span, FZ_E_MIXED_DIE);
            return c->game->type_poison;
        }
        fzi_check_as(c, face->value, c->game->type_int);
        if (!fzi_need_constant(c, face->value, "a face of a die", &value))
            return c->game->type_poison;
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    return fzi_type_range(c->game, low, high);
}

static void declare_die(fzi_checker *c, fzi_symbol *symbol)
{
    c->at = (fzi_region){.pure = "a die", .no_chance = "a die"};
    symbol->type = c->game->type_poison;
    symbol->type =
        symbol->node->range ? range_of_die(c, symbol->node->range) : faces_of_die(c, symbol);
}

static void declare_property(fzi_checker *c, fzi_symbol *symbol)
{
    fzi_node *node = symbol->node;
    symbol->type = node->type = fzi_check_type(c, node->declared_type);
    if (!node->value)
        return;
    c->at = (fzi_region){.no_chance = "a property", .pure = "a property"};
    fzi_check_as(c, node->value, symbol->type);
}

static void declare(fzi_checker *c, fzi_symbol *symbol)
{
    switch (symbol->kind) {
    case FZI_SYM_LET: declare_let(c, symbol); break;
    case FZI_SYM_VAR: declare_var(c, symbol); break;
    case FZI_SYM_DIE: declare_die(c, symbol); break;
    case FZI_SYM_PROPERTY: declare_property(c, symbol); break;
    case FZI_SYM_FN: case FZI_SYM_PROC: case FZI_SYM_MOVES: case FZI_SYM_EXTERN:
        declare_function(c, symbol);
        break;
    default:
        break;
    }
}

void fzi_declare(fzi_checker *c, fzi_symbol *symbol, fzi_span user)
{
    fzi_entry *entry = fzi_entry_of(symbol);
    if (entry->progress == FZI_DONE || (entry->progress == FZI_BUSY && symbol->type))
        return;
    if (entry->progress == FZI_BUSY) {
        if (!entry->reported) {
            fzi_diag *diag = fzi_error(c->diags, symbol->span, FZ_E_LET_CYCLE, symbol->name);
            fzi_note_at(diag, user, "its value is needed here");
        }
        entry->reported = true;
        symbol->type = c->game->type_poison;
        return;
    }
    /* The declaration does not see the locals of the place that needs it. */
    fzi_region region = c->at;
    fzi_locals locals = c->locals;
    size_t block = c->block;
    c->at = (fzi_region){0};
    c->locals = (fzi_locals){0};
    c->block = 0;
    entry->progress = FZI_BUSY;
    declare(c, symbol);
    fzi_leave(c, (fzi_mark){0});
    entry->progress = FZI_DONE;
    c->at = region;
    c->locals = locals;
    c->block = block;
}
