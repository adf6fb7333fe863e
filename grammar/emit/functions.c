/* Generates functions, calls and returns. Elaboration asks for functions, statement_code.c for
 * calls. */
#include "emit.h"

static fzi_local *parameter(fzi_codegen *e, const char *name, const fzi_type *type)
{
    fzi_local *local = fzi_local_new(e->lower, name, type);
    local->reg = (int)(local->is_set ? fzi_new_set(e) : fzi_new_int(e));
    return local;
}

/* Begins a function whose first parameter is `me`. */
static fzi_view begin_function(fzi_lower *lw, fzi_codegen *e, uint32_t function)
{
    fzi_view view = {0};
    fzi_emit_begin(lw, e, function);
    fzi_local *me = fzi_me_new(lw);
    me->reg = (int)fzi_new_int(e);
    view.me = fzi_ir_local(&lw->maker, me);
    return view;
}

static fzi_view take_parameters(fzi_codegen *e, fzi_view view, const fzi_symbol *symbol)
{
    for (unsigned i = 0; i < symbol->param_count; i++) {
        const fzi_symbol *param = symbol->params[i];
        fzi_local *local = parameter(e, param->name, param->type);
        view = fzi_view_bind(e->lower, view, param, fzi_ir_local(&e->lower->maker, local));
    }
    return view;
}

static void declare_parameters(fzi_lower *lw, uint32_t index, const fzi_symbol *symbol,
                               uint8_t result)
{
    fz_function *f = FZI_ITEM(lw->build.functions, fz_function, index);
    f->int_params = 1;
    f->result = result;
    for (unsigned i = 0; i < symbol->param_count; i++)
        *(fzi_is_sites(symbol->params[i]->type) ? &f->set_params : &f->int_params) += 1;
    if (symbol->effects & FZI_DECIDES)
        f->flags |= FZ_FUNCTION_DECIDES;
    if (symbol->effects & FZI_CHANCE)
        f->flags |= FZ_FUNCTION_ROLLS;
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

/* A native function behind an ordinary one. */
static void lower_extern(fzi_lower *lw, fzi_symbol *symbol, uint32_t index)
{
    fzi_codegen e;
    begin_function(lw, &e, index);
    unsigned first_int = e.ints, first_set = e.sets;
    fzi_view view = {0};
    take_parameters(&e, view, symbol);
    unsigned result = fzi_new_int(&e);
    e.span = symbol->span;
    e.result = 1;
    fzi_gen(&e, FZ_OP_NATIVE, result, first_int, first_set);
    fzi_gen_word(&e, native_index(lw, symbol));
    fzi_gen(&e, FZ_OP_IRETURN, result, 0, 0);
    fzi_emit_end(&e);
}

typedef struct lowered_function {
    uint32_t index;
} lowered_function;

uint32_t fzi_lower_function(fzi_lower *lw, fzi_symbol *symbol)
{
    fzi_codegen e;
    lowered_function *done = symbol->lowered;
    if (done)
        return done->index;
    done = FZI_NEW(lw->build.arena, lowered_function);
    symbol->lowered = done;
    done->index = fzi_build_function(&lw->build, symbol->name);
    bool value = symbol->type && symbol->type->kind != FZI_TYPE_VOID &&
                 symbol->type->kind != FZI_TYPE_POISON;
    uint8_t result = !value ? 0 : fzi_is_sites(symbol->type) ? 2 : 1;
    declare_parameters(lw, done->index, symbol, result);
    fzi_span outer = lw->maker.span;
    if (symbol->kind == FZI_SYM_EXTERN) {
        lower_extern(lw, symbol, done->index);
        return done->index;
    }
    unsigned depth = lw->depth;
    lw->depth = 0;
    fzi_view view = begin_function(lw, &e, done->index);
    view = take_parameters(&e, view, symbol);
    e.result = result;
    e.span = symbol->node->span;
    if (symbol->node->body) {
        fzi_lower_stmt(&e, view, symbol->node->body, true);
    } else {
        const fzi_ir *ir = fzi_value_as(lw, view, symbol->node->value, symbol->type);
        if (result == 2)
            fzi_gen(&e, FZ_OP_SRETURN, fzi_gen_set(&e, ir), 0, 0);
        else
            fzi_gen(&e, FZ_OP_IRETURN, fzi_gen_int(&e, ir), 0, 0);
    }
    fzi_end_function(&e);
    lw->depth = depth;
    lw->maker.span = outer;
    return done->index;
}

void fzi_lower_block(fzi_lower *lw, uint32_t index, const fzi_node *stmt, fzi_symbol *site)
{
    fzi_codegen e;
    fz_function *f = FZI_ITEM(lw->build.functions, fz_function, index);
    f->int_params = site ? 2 : 1;
    f->flags = (uint8_t)((stmt->effects & FZI_DECIDES ? FZ_FUNCTION_DECIDES : 0) |
                         (stmt->effects & FZI_CHANCE ? FZ_FUNCTION_ROLLS : 0));
    fzi_view view = begin_function(lw, &e, index);
    if (site) {
        fzi_local *local = parameter(&e, site->name, lw->game->type_site);
        view = fzi_view_bind(lw, view, site, fzi_ir_local(&lw->maker, local));
    }
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
        const fzi_ir *ir = fzi_elaborate(e->lower, view, stmt->value);
        fzi_gen(e, FZ_OP_IRETURN, fzi_gen_int(e, fzi_fold_to_table(e->lower, ir)), 0, 0);
    }
}

/* ---- calls ---- */

/* A procedure so small that its statements are put where it is called. */
enum { SMALL_PROCEDURE = 50, MAX_INSIDE = 2 };

/* Counts nodes; what returns before its end has too many. */
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

static bool may_return(const fzi_node *node)
{
    for (; node; node = node->next) {
        if (node->kind == N_S_RETURN)
            return true;
        for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
            if (may_return(node->children[i]))
                return true;
    }
    return false;
}

/* What `base;` or `extend` makes of a phase or procedure is called at one place only. */
static bool is_put_in_place(const fzi_lower *lw, const fzi_symbol *symbol)
{
    if (!fzi_uses(lw, FZ_OPT_INLINE) || symbol->kind != FZI_SYM_PROC || symbol->recursive ||
        symbol->type->kind != FZI_TYPE_VOID)
        return false;
    if (symbol->node->flags & FZ_NODE_ONCE)
        return !may_return(symbol->node->body);
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
            fzi_local *local = parameter(e, param->name, param->type);
            if (local->is_set)
                fzi_gen_set_to(e, value, (unsigned)local->reg);
            else
                fzi_gen_int_to(e, value, (unsigned)local->reg);
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
    unsigned first_int = fzi_new_ints(e, ints), first_set = e->sets;
    for (unsigned i = 0; i < sets; i++)
        fzi_new_set(e);
    unsigned n = first_int, s = first_set, i = 0;
    fzi_gen_int_to(e, view.me, n++);
    for (const fzi_node *a = stmt->arguments; a && i < symbol->param_count; a = a->next, i++) {
        const fzi_ir *ir = fzi_value_as(e->lower, view, a, symbol->params[i]->type);
        if (ir->is_set)
            fzi_gen_set_to(e, ir, s++);
        else
            fzi_gen_int_to(e, ir, n++);
    }
    unsigned into = result == 1 ? fzi_new_int(e) : result == 2 ? fzi_new_set(e) : 0;
    bool in_place = tail && e->result == 0 && result == 0;
    fzi_gen(e, in_place ? FZ_OP_TAILCALL : FZ_OP_CALL, first_int, first_set, in_place ? 0 : into);
    fzi_gen_word(e, function);
    fzi_array_add(e->b, &e->code.calls, &function);
}
