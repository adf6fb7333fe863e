/* Elaborates what is looked up by an index: tables written out, `let`s and variables. elaborate.c
 * calls it. */
#include "elaborate.h"

#include <stdlib.h>


/* ---- tables written out ---- */

/* An entry of a table: the number of its key, and its value. */
typedef struct entry {
    int64_t key;
    const fzi_node *value;
} entry;

static int by_key(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

/* A table's entries, by ascending key; false: a key is no constant, which the checker has
 * reported. */
static bool table_entries(fzi_lower *lw, fzi_view view, const fzi_type *index,
                          const fzi_node *table, entry **entries, size_t *count)
{
    int64_t low = fzi_type_low(index);
    size_t n = 0;
    size_t room = fzi_list_length(table->entries) + 1;
    *entries = fzi_arena_alloc(lw->build.arena, sizeof **entries * room);
    for (const fzi_node *item = table->entries; item; item = item->next, n++) {
        bool keyed = table->kind == N_E_KEYS;
        (*entries)[n] = (entry){low + (int64_t)n, keyed ? item->value : item};
        if (keyed && !fzi_constant_int(lw, fzi_elaborate(lw, view, item->key), &(*entries)[n].key))
            return false;
    }
    *count = n;
    if (table->kind == N_E_KEYS)
        qsort(*entries, n, sizeof **entries, by_key);
    return true;
}

/* The look-up at one level of a table. */
typedef struct look {
    fzi_view view;
    const fzi_ir *const *indexes;
    const fzi_type *const *types;
    unsigned count;
    const fzi_type *type;
    const fzi_ir *missing;
} look;

static const fzi_ir *table_value(fzi_lower *lw, fzi_view view, const fzi_ir *const *indexes,
                                 const fzi_type *const *types, unsigned count,
                                 const fzi_node *table, const fzi_type *type);

static const fzi_ir *entry_value(fzi_lower *lw, const look *l, const entry *e)
{
    return table_value(lw, l->view, l->indexes + 1, l->types + 1, l->count - 1, e->value, l->type);
}

static const fzi_ir *choose_entry(fzi_lower *lw, const look *l, const entry *entries, size_t n);

/* A half of the entries, of which no table is made: with one for each, a table of n entries would
 * be evaluated n times. What depends on the state becomes no table anyway, but may contain some. */
static const fzi_ir *choose_half(fzi_lower *lw, const look *l, const entry *entries, size_t n)
{
    const fzi_ir *ir = choose_entry(lw, l, entries, n);
    if (ir->state || ir->kind != FZI_IR_IF)
        return ir;
    fzi_ir *part = fzi_arena_copy(lw->build.arena, ir, sizeof *ir);
    part->is_part = true;
    return part;
}

/* Binary search among the entries, as nested conditions. */
static const fzi_ir *choose_entry(fzi_lower *lw, const look *l, const entry *entries, size_t n)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_ir *index = l->indexes[0];
    if (n == 1)
        return fzi_ir_if(m, fzi_ir_op(m, FZ_OP_EQ, index, fzi_ir_int(m, entries->key)),
                         entry_value(lw, l, entries), l->missing);
    const fzi_ir *less = fzi_ir_op(m, FZ_OP_LT, index, fzi_ir_int(m, entries[n / 2].key));
    if (less->kind == FZI_IR_INT)
        return less->value ? choose_entry(lw, l, entries, n / 2)
                           : choose_entry(lw, l, entries + n / 2, n - n / 2);
    const fzi_ir *first = choose_half(lw, l, entries, n / 2);
    return fzi_ir_if(m, less, first, choose_half(lw, l, entries + n / 2, n - n / 2));
}

/* The value for `indexes` in a table, as conditions. fold.c turns them into a constant table. */
static const fzi_ir *table_value(fzi_lower *lw, fzi_view view, const fzi_ir *const *indexes,
                                 const fzi_type *const *types, unsigned count,
                                 const fzi_node *table, const fzi_type *type)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_ir *rest = fzi_is_sites(type)
                               ? fzi_ir_none(m)
                               : fzi_ir_int(m, fzi_type_default(type));
    if (!count || (table->kind != N_E_LIST && table->kind != N_E_KEYS))
        return fzi_elaborate_as(lw, view, table, type);
    const look l = {view, indexes, types, count, type, rest};
    entry *entries;
    size_t n;
    if (!table_entries(lw, view, types[0], table, &entries, &n))
        return fzi_elaborate_bug(lw, table, NULL);
    return n ? choose_entry(lw, &l, entries, n) : rest;
}

/* A number that indexes a table must lie in its range, or be the one that is not there. */
static const fzi_ir *checked_index(fzi_lower *lw, const fzi_ir *index, const fzi_type *have,
                                   const fzi_type *want)
{
    if (want->kind != FZI_TYPE_INT)
        return index;
    if (have->kind == FZI_TYPE_INT && have->low >= want->low && have->high <= want->high)
        return index;
    if (index->kind == FZI_IR_INT && index->value >= want->low && index->value <= want->high)
        return index;
    return fzi_ir_opk(&lw->maker, FZ_OP_CHECKED, index, NULL, (int32_t)want->low,
                      (int32_t)want->high);
}

/* The elaborated body of a `let`, if it depends only on its parameters and `me`. */
typedef struct let_template {
    fzi_local *me;
    fzi_local **params;
    const fzi_ir *ir; /* NULL: it depends on the state */
} let_template;

static const fzi_ir *let_body(fzi_lower *lw, fzi_view view, const fzi_symbol *let,
                              const fzi_ir *const *indexes)
{
    fzi_view inner = {NULL, view.me};
    for (unsigned i = 0; i < let->param_count; i++)
        inner = fzi_view_bind(lw, inner, let->params[i], indexes[i]);
    return table_value(lw, inner, indexes, let->index, let->param_count, let->node->value,
                       let->type);
}

static let_template *make_template(fzi_lower *lw, fzi_symbol *let)
{
    let_template *t = FZI_NEW(lw->build.arena, let_template);
    const fzi_ir *indexes[FZ_MAX_BINDINGS];
    let->lowered = t;
    t->me = fzi_me_new(lw);
    t->params = fzi_arena_alloc(lw->build.arena, sizeof *t->params * (let->param_count + 1));
    for (unsigned i = 0; i < let->param_count; i++) {
        t->params[i] = fzi_local_new(lw, let->params[i]->name, let->index[i]);
        indexes[i] = fzi_ir_local(&lw->maker, t->params[i]);
    }
    fzi_view view = {NULL, fzi_ir_local(&lw->maker, t->me)};
    const fzi_ir *ir = let_body(lw, view, let, indexes);
    if (!ir->state) {
        lw->exhausted = false;
        ir = fzi_fold_to_table(lw, ir);
        /* Each use would compute it, and a decision could not afford that. */
        if (lw->exhausted && !lw->unaffordable)
            fzi_error(lw->game->diags, let->node->value->span, FZ_E_CONSTANT_FAILED,
                      "it takes too many instructions");
        lw->unaffordable |= lw->exhausted;
        bool simple = ir->kind == FZI_IR_INT || ir->kind == FZI_IR_SET ||
                      ir->kind == FZI_IR_LOCAL || ir->kind == FZI_IR_OP;
        if (simple)
            t->ir = ir;
    }
    return t;
}

const fzi_ir *fzi_elaborate_let(fzi_lower *lw, fzi_view view, fzi_symbol *let,
                                const fzi_ir **indexes)
{
    fzi_ir_maker *m = &lw->maker;
    let_template *t = let->lowered ? let->lowered : make_template(lw, let);
    if (t->ir) {
        const fzi_ir *ir = fzi_ir_replace(m, t->ir, t->me, view.me);
        for (unsigned i = 0; i < let->param_count; i++)
            ir = fzi_ir_replace(m, ir, t->params[i], indexes[i]);
        return ir;
    }
    fzi_local *locals[FZ_MAX_BINDINGS];
    const fzi_ir *values[FZ_MAX_BINDINGS];
    for (unsigned i = 0; i < let->param_count; i++) {
        locals[i] = fzi_local_new(lw, let->params[i]->name, let->index[i]);
        values[i] = indexes[i]->cost <= 1 && !indexes[i]->state ? indexes[i]
                                                                : fzi_ir_local(m, locals[i]);
    }
    const fzi_ir *ir = let_body(lw, view, let, values);
    for (unsigned i = let->param_count; i-- > 0;) {
        if (values[i] != indexes[i])
            ir = fzi_ir_let(m, locals[i], indexes[i], ir);
    }
    return ir;
}

const fzi_ir *fzi_variable_index(fzi_lower *lw, fzi_view view, const fzi_symbol *symbol,
                                 const fzi_node *indexes)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_ir *place = NULL;
    unsigned i = 0;
    for (const fzi_node *node = indexes; node && i < symbol->index_count; node = node->next, i++) {
        const fzi_type *type = symbol->index[i];
        const fzi_ir *index = checked_index(lw, fzi_elaborate(lw, view, node), node->type, type);
        int64_t low = fzi_type_low(type);
        if (low)
            index = fzi_ir_op(m, FZ_OP_SUB, index, fzi_ir_int(m, low));
        place = place ? fzi_ir_opk(m, FZ_OP_INDEX, place, index, (int32_t)fzi_type_size(type), 0)
                      : index;
    }
    return place;
}

const fzi_ir *fzi_elaborate_index(fzi_lower *lw, fzi_view view, const fzi_node *node)
{
    fzi_symbol *symbol = node->primary->symbol;
    const fzi_ir *indexes[FZ_MAX_BINDINGS];
    if (symbol->kind == FZI_SYM_VAR) {
        fzi_lowered_var *var = symbol->lowered;
        const fzi_ir *place = fzi_variable_index(lw, view, symbol, node->indexes);
        int op = var->is_bits   ? FZ_OP_BITLOAD
                 : var->is_set  ? FZ_OP_SLOADX
                 : var->is_wide ? FZ_OP_MLOADX
                                : FZ_OP_LOADX;
        return fzi_ir_opk(&lw->maker, op, place, NULL, (int32_t)var->variable, 0);
    }
    if (symbol->kind != FZI_SYM_LET)
        return fzi_elaborate_bug(lw, node, symbol->name);
    unsigned i = 0;
    for (const fzi_node *index = node->indexes; index && i < symbol->param_count;
         index = index->next, i++)
        indexes[i] =
            checked_index(lw, fzi_elaborate(lw, view, index), index->type, symbol->index[i]);
    return fzi_elaborate_let(lw, view, symbol, indexes);
}
