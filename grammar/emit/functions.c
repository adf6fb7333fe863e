/* Generates functions, calls and returns. Elaboration asks for functions, statement_code.c for
 * calls. */
#include "emit.h"

void fzi_flag_function(fzi_codegen *e, uint32_t effects)
{
    fz_function *f = FZI_ITEM(e->b->functions, fz_function, e->code.index);
    f->flags = (uint8_t)((effects & FZI_DECIDES ? FZ_FUNCTION_DECIDES : 0) |
                         (effects & FZI_CHANCE ? FZ_FUNCTION_ROLLS : 0));
}

static uint32_t native_index(fzi_lower *lw, const fzi_symbol *symbol)
{
    fz_native native = {0};
    const fzi_node *node = symbol->node;
    native.name = fzi_build_text(&lw->build, symbol->name);
    native.library = fzi_build_text(&lw->build, node->library->text);
    native.symbol = fzi_build_text(&lw->build, node->native_symbol->text);
    for (unsigned i = 0; i < symbol->param_count && i < 16; i++) {
        native.order[native.params] = fzi_is_sites(symbol->params[i]->type);
        *(native.order[native.params++] ? &native.set_params : &native.int_params) += 1;
    }
    uint16_t type = fzi_build_type(&lw->build, symbol->type);
    const fz_value_type *value = FZI_ITEM(lw->build.types, fz_value_type, type);
    native.low = value->low;
    native.high = value->high;
    return fzi_array_add(&lw->build, &lw->build.natives, &native);
}

/* Ends an ordinary function that calls a native one with its own parameters. */
static void call_native(fzi_codegen *e, const fzi_symbol *symbol, unsigned first_int,
                        unsigned first_set)
{
    unsigned result = fzi_new_int(e);
    e->span = symbol->span;
    fzi_gen_with(e, FZ_OP_NATIVE, result, first_int, first_set, native_index(e->lower, symbol));
    fzi_gen(e, FZ_OP_IRETURN, result, 0, 0);
    fzi_emit_end(e);
}

static uint8_t result_of(const fzi_type *type)
{
    bool value = type && type->kind != FZI_TYPE_VOID && type->kind != FZI_TYPE_POISON;
    return !value ? 0 : fzi_is_sites(type) ? 2 : 1;
}

uint32_t fzi_lower_function(fzi_lower *lw, fzi_symbol *symbol)
{
    fzi_codegen e;
    uint32_t *done = symbol->lowered;
    if (done)
        return *done;
    symbol->lowered = done = FZI_NEW(lw->build.arena, uint32_t);
    *done = fzi_build_function(&lw->build, symbol->name);
    fzi_span outer = lw->maker.span;
    fzi_view view = fzi_begin_function(lw, &e, *done, result_of(symbol->type));
    fzi_flag_function(&e, symbol->effects);
    fzi_registers own = e.used;
    for (unsigned i = 0; i < symbol->param_count; i++)
        view = fzi_bind_parameter(&e, view, symbol->params[i], symbol->params[i]->type);
    if (symbol->kind == FZI_SYM_EXTERN) {
        call_native(&e, symbol, own.ints, own.sets);
        return *done;
    }
    e.span = symbol->node->span;
    if (symbol->node->body) {
        fzi_lower_stmt(&e, view, symbol->node->body, true);
        fzi_end_function(&e);
    } else {
        fzi_return_value(&e, fzi_value_as(lw, view, symbol->node->value, symbol->type));
    }
    lw->maker.span = outer;
    return *done;
}

void fzi_lower_block(fzi_lower *lw, uint32_t index, const fzi_node *stmt, fzi_symbol *site)
{
    fzi_codegen e;
    fzi_view view = fzi_begin_function(lw, &e, index, 0);
    fzi_flag_function(&e, stmt->effects);
    if (site)
        view = fzi_bind_parameter(&e, view, site, lw->game->type_site);
    fzi_lower_stmt(&e, view, stmt, true);
    fzi_end_function(&e);
}

void fzi_lower_return(fzi_codegen *e, fzi_view view, const fzi_node *stmt)
{
    if (!stmt->value) {
        fzi_gen_return(e);
    } else if (e->result == 2) {
        fzi_gen(e, FZ_OP_SRETURN, fzi_set_value(e, view, stmt->value), 0, 0);
    } else {
        fzi_gen(e, FZ_OP_IRETURN, fzi_int_value(e, view, stmt->value), 0, 0);
    }
}

/* ---- calls ---- */

/* The size of procedures that are inlined, and how deep they nest. */
enum { SMALL_PROCEDURE = 50, MAX_INSIDE = 2 };

/* Counts nodes. A procedure with `return` counts as too large. */
static unsigned size_of(const fzi_node *node)
{
    unsigned size = 0;
    for (; node && size <= SMALL_PROCEDURE; node = node->next) {
        if (node->kind == N_S_RETURN)
            return SMALL_PROCEDURE + 1;
        size++;
        for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
            size += size_of(node->children[i]);
    }
    return size;
}

/* Is the procedure inlined? Phases and procedures that `base;` or `extend` made have one call. */
static bool is_put_in_place(const fzi_lower *lw, const fzi_symbol *symbol)
{
    if (!fzi_uses(lw, FZ_OPT_INLINE) || symbol->kind != FZI_SYM_PROC || symbol->recursive ||
        symbol->type->kind != FZI_TYPE_VOID)
        return false;
    if (symbol->node->flags & FZ_NODE_ONCE)
        return !fzi_tree_has(symbol->node->body, N_S_RETURN);
    return !(symbol->effects & FZI_DECIDES) && lw->emission->inline_depth < MAX_INSIDE &&
           size_of(symbol->node->body) <= SMALL_PROCEDURE;
}

static void call_in_place(fzi_codegen *e, fzi_view view, const fzi_node *stmt, bool tail)
{
    fzi_lower *lw = e->lower;
    const fzi_symbol *symbol = stmt->symbol;
    fzi_view inner = {NULL, view.me};
    unsigned i = 0;
    for (const fzi_node *a = stmt->arguments; a && i < symbol->param_count; a = a->next, i++) {
        const fzi_symbol *param = symbol->params[i];
        const fzi_ir *value = fzi_value_as(e->lower, view, a, param->type);
        if (value->kind != FZI_IR_INT && value->kind != FZI_IR_SET && value->kind != FZI_IR_LOCAL) {
            fzi_local *local = fzi_local_new(lw, param->name, param->type);
            local->reg = (int)fzi_new_reg(e, local->is_set);
            fzi_gen_to(e, value, (unsigned)local->reg);
            value = fzi_ir_local(&lw->maker, local);
        }
        inner = fzi_view_bind(lw, inner, param, value);
    }
    unsigned deeper = symbol->node->flags & FZ_NODE_ONCE ? 0 : 1;
    lw->emission->inline_depth += deeper;
    fzi_lower_stmt(e, inner, symbol->node->body, tail);
    lw->emission->inline_depth -= deeper;
}

void fzi_lower_call(fzi_codegen *e, fzi_view view, const fzi_node *stmt, bool tail)
{
    fzi_lower *lw = e->lower;
    fzi_symbol *symbol = stmt->symbol;
    if (symbol->kind == FZI_SYM_PRIMITIVE) {
        fzi_lower_primitive_call(e, view, stmt);
        return;
    }
    if (is_put_in_place(lw, symbol)) {
        call_in_place(e, view, stmt, tail);
        return;
    }
    uint32_t function = fzi_lower_function(lw, symbol);
    const fz_function *f = FZI_ITEM(lw->build.functions, fz_function, function);
    uint8_t ints = f->int_params, sets = f->set_params, result = f->result;
    unsigned first_int = fzi_new_ints(e, ints), first_set = fzi_new_sets(e, sets);
    unsigned n = first_int, s = first_set, i = 0;
    fzi_gen_to(e, view.me, n++);
    for (const fzi_node *a = stmt->arguments; a && i < symbol->param_count; a = a->next, i++) {
        const fzi_ir *ir = fzi_value_as(e->lower, view, a, symbol->params[i]->type);
        fzi_gen_to(e, ir, ir->is_set ? s++ : n++);
    }
    unsigned into = result ? fzi_new_reg(e, result == 2) : 0;
    bool in_place = tail && e->result == 0 && result == 0;
    fzi_gen_call(e, in_place ? FZ_OP_TAILCALL : FZ_OP_CALL, first_int, first_set,
                 in_place ? 0 : into, function);
}
