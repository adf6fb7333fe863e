/* Generates the functions that answer `can(generator)`. Elaboration calls it. */
#include "emit.h"

typedef struct question {
    const fzi_node *call;
    const fzi_symbol *symbol;
    unsigned argument_count; /* moves_of has one or two */
    uint32_t function;
} question;

static unsigned arguments_of(const fzi_node *call)
{
    return call->kind == N_E_NAME ? 0 : (unsigned)fzi_list_length(call->arguments);
}

static const question *find_question(fzi_lower *lw, const fzi_node *call)
{
    for (size_t i = 0; i < lw->emission->questions.count; i++) {
        const question *q = FZI_ITEM(lw->emission->questions, question, i);
        if (q->symbol == call->symbol && q->argument_count == arguments_of(call))
            return q;
    }
    return NULL;
}

/* Begins the function; the generator's parameters become its own. */
static fzi_option_context begin_question(fzi_lower *lw, fzi_codegen *e, const question *q,
                                         const fzi_ir *arguments[2])
{
    fzi_view view = fzi_begin_function(lw, e, q->function, 1);
    bool named = q->symbol->kind == FZI_SYM_MOVES;
    for (unsigned i = 0; named && i < q->symbol->param_count; i++)
        view = fzi_bind_parameter(e, view, q->symbol->params[i], q->symbol->params[i]->type);
    for (unsigned i = 0; !named && i < q->argument_count; i++) {
        fzi_local *local = fzi_local_new(lw, "argument", lw->game->type_sites);
        fzi_take_parameter(e, local);
        arguments[i] = fzi_ir_local(&lw->maker, local);
    }
    return (fzi_option_context){.view = view};
}

/* Does a generator, or one that it uses, have filters? True also if the search takes more than
 * `steps` steps. */
static bool has_filters(const fzi_node *options, unsigned *steps)
{
    for (; options; options = options->next) {
        const fzi_node *body = options->effect;
        if (!*steps)
            return true;
        --*steps;
        if (body->kind == N_GROUP && has_filters(body->options, steps))
            return true;
        if (body->kind == N_GENERATOR && body->symbol->kind == FZI_SYM_MOVES &&
            (body->symbol->node->filters || has_filters(body->symbol->node->options, steps)))
            return true;
    }
    return false;
}

static void gather_question(fzi_gathering *g, fzi_option_context context, const fzi_symbol *symbol,
                            const fzi_ir *const arguments[2])
{
    fzi_lower *lw = g->e->lower;
    if (symbol->kind != FZI_SYM_MOVES) {
        const fzi_ir *on =
            arguments[0] ? arguments[0] : fzi_prelude(lw, context.view, "mine", NULL);
        fzi_gather_pieces(g, context, on, arguments[1]);
        return;
    }
    fzi_generators *inside = FZI_NEW(lw->build.arena, fzi_generators);
    inside->symbol = symbol;
    inside->span = g->e->span;
    context.inside = inside;
    context.named = true;
    context = fzi_add_filters(g, context, symbol->node->filters, true);
    const fzi_continuation *own = context.continuations;
    fzi_gather_options(g, context, symbol->node->options);
    if (!g->test)
        fzi_own_filters(g, own);
}

static void gen_truth(fzi_codegen *e, int64_t value)
{
    unsigned ints = e->used.ints, reg = fzi_new_int(e);
    fzi_gen_number(e, reg, value);
    fzi_gen(e, FZ_OP_IRETURN, reg, 0, 0);
    e->used.ints = ints;
}

uint32_t fzi_lower_can(fzi_lower *lw, const fzi_node *call)
{
    const question *known = find_question(lw, call);
    fzi_codegen e;
    fzi_gathering g;
    const fzi_ir *arguments[2] = {NULL, NULL};
    if (known)
        return known->function;
    question q = {call, call->symbol, arguments_of(call), fzi_build_function(&lw->build, "can")};
    lw->emission->questions.item_size = sizeof q;
    fzi_array_add(&lw->build, &lw->emission->questions, &q);
    fzi_option_context context = begin_question(lw, &e, &q, arguments);
    e.span = call->span;
    const fzi_symbol *symbol = call->symbol;
    unsigned steps = 1000;
    fzi_gather_begin(&g, &e, call->span,
                     symbol->kind != FZI_SYM_MOVES ||
                         (!symbol->node->filters && !has_filters(symbol->node->options, &steps)));
    uint32_t start = fzi_code_here(&e.code);
    if (!g.test) {
        g.question = true;
        fzi_gen_with(&e, FZ_OP_CAN, 0, 0, 0, g.choice);
    }
    gather_question(&g, context, symbol, arguments);
    e.span = call->span;
    if (g.test) {
        gen_truth(&e, 0);
        fzi_label_place(&e, &g.found);
        gen_truth(&e, 1);
    } else {
        fzi_gather_number(&g, start);
        unsigned answer = fzi_new_int(&e);
        fzi_label_place(&e, &g.found);
        fzi_gen_with(&e, FZ_OP_CAN_END, answer, 0, 0, g.choice);
        fzi_gen(&e, FZ_OP_IRETURN, answer, 0, 0);
        fzi_label after = FZI_LABEL;
        fzi_lower_leaves(&g, &after, false, true);
        fzi_label_place(&e, &after);
        gen_truth(&e, 0);
    }
    fzi_emit_end(&e);
    return q.function;
}
