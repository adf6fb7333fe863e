/* Checks tables, the values of `let` and `var`: [in, order] or {by: key}, nested for several
 * indexes. */
#include "check_table.h"

#include "check_const.h"
#include "check_expr.h"
#include "check_name.h"
#include "types.h"

typedef struct table {
    fzi_checker *c;
    const fzi_type *const *index;
    unsigned count;
    const fzi_type *wanted; /* of the elements; NULL: to be found */
    const fzi_type *found;  /* the common type of those seen */
    bool failed;            /* an element has a wrong type: the others hardly say more */
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

/* An entry of a list or under a key; a set in the place of a row is the braces' mistake. */
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
    fzi_hint_add(diags, diags->last, "a row of a table stands in brackets: [%s]",
                 fzi_quote(t->c, &all));
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
                fzi_note_at(c->diags, diag, (*first)->span, "the first one is here");
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

const fzi_type *fzi_check_table(fzi_checker *c, fzi_node *node, const fzi_type *const *index,
                                unsigned count, const fzi_type *type)
{
    table t = {.c = c, .index = index, .count = count, .wanted = type};
    check_part(&t, node, 0);
    if (!type)
        type = t.found ? t.found : c->game->type_poison;
    set_type(node, type);
    return type;
}
