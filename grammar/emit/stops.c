/* Stops: instructions without an effect, at which a debugger finds its place. Only programs for
 * stepping have them. statement_code.c and choose.c call it. */
#include "emit.h"

static void mark(fzi_codegen *e, fz_stop stop)
{
    unsigned ints = e->used.ints;
    stop.code = fzi_code_here(&e->code);
    stop.place = fzi_build_place(e->b, e->span);
    fzi_array_add(e->b, &e->code.stops, &stop);
    fzi_gen_number(e, fzi_new_int(e), 0);
    e->used.ints = ints;
}

/* Leaves the value in a register that the next mark names. */
static void print_here(fzi_codegen *e, fzi_view view, const fzi_node *node)
{
    fzi_lower *lw = e->lower;
    fzi_registers used = e->used;
    const fzi_ir *ir = fzi_value_as(lw, view, node, node->type);
    fz_stop stop = {.prints = 1, .is_set = ir->is_set, .type = fzi_build_type(e->b, node->type)};
    if (ir->is_set) {
        stop.reg = (uint8_t)fzi_new_set(e);
        fzi_gen_to(e, ir, stop.reg);
    } else {
        stop.reg = (uint8_t)fzi_new_int(e);
        fzi_gen_to(e, ir, stop.reg);
    }
    mark(e, stop);
    e->used = used;
}

void fzi_stop_at_statement(fzi_codegen *e, fzi_view view, const fzi_node *stmt)
{
    const fzi_print *print = e->lower->emission->print;
    if (e->lower->emission->purpose != FZI_FOR_STEPS || stmt->kind == N_S_BLOCK)
        return;
    mark(e, (fz_stop){0});
    if (print && print->stmt == stmt)
        print_here(e, view, print->node);
}

void fzi_stop_at_option(fzi_codegen *e)
{
    if (e->lower->emission->purpose == FZI_FOR_STEPS)
        mark(e, (fz_stop){0});
}

void fzi_lower_printed(fzi_lower *lw)
{
    fzi_build *b = &lw->build;
    b->program.printed = FZ_NOT_THERE;
    if (!lw->emission->print || lw->emission->print->stmt || b->failed)
        return;
    const fzi_node *node = lw->emission->print->node;
    b->program.printed = (int32_t)fzi_value_function(lw, "print", node);
    b->program.printed_type = fzi_build_type(b, node->type);
}
