/* Begins the functions that lowering generates and takes their parameters; makes functions of one
 * value. All rooms above call it. */
#include "elaborate.h"

fzi_view fzi_begin_function(fzi_lower *lw, fzi_codegen *e, uint32_t function, uint8_t result)
{
    fzi_local *me = fzi_me_new(lw);
    fzi_emit_begin(lw, e, function, result);
    fzi_take_parameter(e, me);
    return (fzi_view){NULL, fzi_ir_local(&lw->maker, me)};
}

fzi_view fzi_bind_parameter(fzi_codegen *e, fzi_view view, const fzi_symbol *symbol,
                            const fzi_type *type)
{
    fzi_local *local = fzi_local_new(e->lower, symbol->name, type);
    fzi_take_parameter(e, local);
    return fzi_view_bind(e->lower, view, symbol, fzi_ir_local(&e->lower->maker, local));
}

uint32_t fzi_value_function(fzi_lower *lw, const char *name, const fzi_node *node)
{
    fzi_codegen e;
    uint32_t function = fzi_build_function(&lw->build, name);
    fzi_view view = fzi_begin_function(lw, &e, function, 1);
    e.span = node->span;
    fzi_return_value(&e, fzi_value_as(lw, view, node, node->type));
    return function;
}

void fzi_return_value(fzi_codegen *e, const fzi_ir *ir)
{
    e->result = ir->is_set ? 2 : 1;
    FZI_ITEM(e->b->functions, fz_function, e->code.index)->result = e->result;
    fzi_gen(e, ir->is_set ? FZ_OP_SRETURN : FZ_OP_IRETURN, fzi_gen_value(e, ir), 0, 0);
    fzi_end_function(e);
}

unsigned fzi_int_value(fzi_codegen *e, fzi_view view, const fzi_node *node)
{
    return fzi_gen_value(e, fzi_value_of(e->lower, view, node));
}

unsigned fzi_set_value(fzi_codegen *e, fzi_view view, const fzi_node *node)
{
    return fzi_gen_value(e, fzi_sites_of(e->lower, view, node));
}
