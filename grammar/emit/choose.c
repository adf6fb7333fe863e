/* Generates `choose` and the code of its options: their effects, the conditions of their filters
 * and their records. grammar/choices lists the moves. statement_code.c, together.c and can.c call
 * it. */
#include "emit.h"

/* ---- effects as functions ---- */

typedef struct lowered_effect {
    const fzi_node *effect;
    uint32_t function;
} lowered_effect;

enum { MAX_CAPTURED = 32 };

/* The names of the context that an effect uses, innermost first. */
static unsigned captured(const fzi_option_context *context, const fzi_node *effect,
                         const fzi_env **found)
{
    unsigned count = 0;
    for (const fzi_env *env = context->view.env; env && count < MAX_CAPTURED; env = env->outer) {
        bool seen = false;
        for (unsigned i = 0; i < count; i++)
            seen |= found[i]->symbol == env->symbol;
        if (!seen && env->symbol && fzi_node_mentions(effect, env->symbol))
            found[count++] = env;
    }
    return count;
}

static uint32_t effect_function(fzi_lower *lw, const fzi_node *effect, const fzi_env **found,
                                unsigned count)
{
    lw->emission->effects.item_size = sizeof(lowered_effect);
    for (size_t i = 0; i < lw->emission->effects.count; i++) {
        const lowered_effect *known = FZI_ITEM(lw->emission->effects, lowered_effect, i);
        if (known->effect == effect)
            return known->function;
    }
    fzi_codegen e;
    lowered_effect made = {effect, fzi_build_function(&lw->build, "effect")};
    fzi_array_add(&lw->build, &lw->emission->effects, &made);
    fzi_view view = fzi_begin_function(lw, &e, made.function, 0);
    fzi_flag_function(&e, effect->effects);
    for (unsigned i = 0; i < count; i++)
        view = fzi_bind_parameter(&e, view, found[i]->symbol, found[i]->symbol->type);
    fzi_lower_stmt(&e, view, effect, true);
    fzi_end_function(&e);
    return made.function;
}

static void gen_effect_call(fzi_codegen *e, const fzi_leaf *leaf, bool tail)
{
    const fzi_env *found[MAX_CAPTURED];
    const fzi_ir *args[1 + MAX_CAPTURED] = {leaf->context.view.me};
    unsigned count = captured(&leaf->context, leaf->effect, found), first_int, first_set;
    uint32_t function = effect_function(e->lower, leaf->effect, found, count);
    for (unsigned i = 0; i < count; i++)
        args[1 + i] = found[i]->value;
    fzi_gen_arguments(e, args, 1 + count, &first_int, &first_set);
    fzi_gen_call(e, tail ? FZ_OP_TAILCALL : FZ_OP_CALL, first_int, first_set, 0, function);
}

/* ---- effects ---- */

/* SET_LAST_MOVE: stores the move's `from` and `to` before its effect. */
static void gen_set_last_move(fzi_codegen *e, const fzi_leaf *leaf)
{
    const fzi_env *from = fzi_find_from(leaf->context.view),
                  *to = fzi_find_name(leaf->context.view, "to");
    const fzi_ir *absent = fzi_ir_int(&e->lower->maker, FZ_NOT_THERE);
    unsigned ints = e->used.ints;
    if (!e->lower->reads_last)
        return;
    unsigned a = fzi_is_site(from) ? fzi_value_register(e, from) : fzi_gen_value(e, absent);
    unsigned b = fzi_is_site(to) ? fzi_value_register(e, to) : fzi_gen_value(e, absent);
    fzi_gen(e, FZ_OP_SET_LAST_MOVE, a, b, 0);
    e->used.ints = ints;
}

static void gen_filter_op(fzi_codegen *e, int op, uint32_t filter)
{
    fzi_gen_with(e, op, 0, 0, 0, filter);
}

/* PEND of all filters, outermost first. */
static void gen_pend(fzi_codegen *e, const fzi_continuation *continuation)
{
    if (!continuation)
        return;
    gen_pend(e, continuation->outer);
    if (!continuation->then)
        gen_filter_op(e, FZ_OP_PEND, continuation->filter);
}

static void gen_body(fzi_codegen *e, const fzi_leaf *leaf, bool tail)
{
    if (!leaf->effect) {
        unsigned ints = e->used.ints;
        unsigned from = fzi_gen_value(e, fzi_view_find(leaf->context.view, leaf->here));
        unsigned to = fzi_gen_value(e, fzi_view_find(leaf->context.view, leaf->to));
        fzi_lower_go(e, leaf->context.view, from, to);
        e->used.ints = ints;
    } else if (leaf->context.named && leaf->effect->effects & FZI_DECIDES) {
        gen_effect_call(e, leaf, tail);
    } else {
        fzi_lower_stmt(e, leaf->context.view, leaf->effect, tail);
    }
}

static void wants_of_effect(const fzi_codegen *e, const fzi_leaf *leaf, fzi_wants *w)
{
    memset(w, 0, sizeof *w);
    fzi_want_node(w, leaf->effect);
    for (const fzi_continuation *c = leaf->context.continuations; c; c = c->outer) {
        fzi_want_node(w, c->then ? c->then : c->condition);
        for (unsigned i = 0; i < c->bound_count; i++)
            fzi_want_ir(w, c->bounds[i]);
    }
    if (e->lower->reads_last) {
        const fzi_env *from = fzi_find_from(leaf->context.view),
                      *to = fzi_find_name(leaf->context.view, "to");
        if (from)
            fzi_want_ir(w, from->value);
        if (to)
            fzi_want_ir(w, to->value);
    }
}

static void gen_effect(fzi_gathering *g, fzi_leaf *leaf, fzi_label *after, bool tail, bool question)
{
    fzi_codegen *e = g->e;
    fzi_wants w;
    e->span = leaf->span;
    wants_of_effect(e, leaf, &w);
    fzi_gen_bindings(e, &leaf->context, &w);
    gen_pend(e, leaf->context.continuations);
    const fzi_continuation *c = leaf->context.continuations;
    for (; c && c->before_effect; c = c->outer)
        gen_filter_op(e, FZ_OP_FILTER_BEGIN, c->filter);
    if (!question)
        fzi_stop_at_option(e);
    gen_set_last_move(e, leaf);
    gen_body(e, leaf, tail && !c && !question);
    for (; c; c = c->outer) {
        e->span = leaf->span;
        if (!c->then)
            gen_filter_op(e, FZ_OP_FILTER_BEGIN, c->filter);
        else if (c->then->effects & FZI_DECIDES && c->named) {
            fzi_leaf then = *leaf;
            then.effect = c->then;
            then.context.view = c->view;
            gen_effect_call(e, &then, tail && !c->outer && !question);
        } else {
            fzi_lower_stmt(e, c->view, c->then, tail && !c->outer && !question);
        }
    }
    if (tail && !question && e->result == 0)
        fzi_gen(e, FZ_OP_RETURN, 0, 0, 0);
    else
        fzi_gen_jump(e, after);
}

void fzi_lower_effect(fzi_gathering *g, fzi_leaf *leaf, fzi_label *after)
{
    gen_effect(g, leaf, after, false, false);
}

/* ---- filters ---- */

static void gen_filter(fzi_gathering *g, const fzi_continuation *continuation)
{
    fzi_codegen *e = g->e;
    fzi_lower *lw = e->lower;
    fzi_registers used = e->used;
    unsigned count = 0;
    const fzi_node *filter = continuation->condition;
    FZI_ITEM(e->b->filters, fz_filter, continuation->filter)->code = fzi_code_here(&e->code);
    e->span = filter->span;
    const fzi_node *values = fzi_filter_values(filter);
    unsigned first = fzi_new_ints(e, (unsigned)fzi_list_length(values) + continuation->bound_count);
    for (const fzi_node *value = values; value; value = value->next, count++)
        fzi_gen_to(e, fzi_value_of(lw, continuation->view, value), first + count);
    for (unsigned i = 0; i < continuation->bound_count; i++)
        fzi_gen_to(e, continuation->bounds[i], first + count + i);
    if (continuation->bound_count)
        fzi_gen_with(e, FZ_OP_CHECK_BOUND, first, count, 0, continuation->filter);
    if (continuation->before_effect)
        e->span = filter->span;
    fzi_gen(e, FZ_OP_FILTER_END, first, count, 0);
    e->used = used;
}

/* Generates each filter once, with registers above those of all leaves. */
static void gen_filters(fzi_gathering *g)
{
    fzi_codegen *e = g->e;
    fzi_build *b = e->b;
    uint8_t *done = fzi_arena_alloc(b->arena, b->filters.count + 1);
    fzi_registers used = e->used;
    for (const fzi_leaf *leaf = g->first; leaf; leaf = leaf->next) {
        e->used.ints = leaf->used.ints > e->used.ints ? leaf->used.ints : e->used.ints;
        e->used.sets = leaf->used.sets > e->used.sets ? leaf->used.sets : e->used.sets;
    }
    for (const fzi_leaf *leaf = g->first; leaf; leaf = leaf->next) {
        for (const fzi_continuation *c = leaf->context.continuations; c; c = c->outer) {
            if (c->then || done[c->filter])
                continue;
            done[c->filter] = 1;
            gen_filter(g, c);
        }
    }
    e->used = used;
}

/* ---- the option's record ---- */

static void record_bindings(fzi_gathering *g, const fzi_leaf *leaf, fz_option_info *info)
{
    const fzi_bindings *items[FZI_MAX_LISTED];
    unsigned count = fzi_bindings_list(leaf->context.bindings, items, FZI_MAX_LISTED);
    info->from = info->to = -1;
    const fzi_env *from = fzi_find_from(leaf->context.view),
                  *to = fzi_find_name(leaf->context.view, "to");
    for (unsigned i = 0; i < count; i++) {
        if (items[i]->value || info->bindings == FZ_MAX_BINDINGS)
            continue;
        uint8_t n = info->bindings++;
        info->types[n] = fzi_build_type(g->e->b, items[i]->symbol->type);
        info->names[n] = fzi_build_text(g->e->b, items[i]->symbol->name);
        if (fzi_is_site(from) && from->symbol == items[i]->symbol)
            info->from = (int8_t)n;
        if (fzi_is_site(to) && to->symbol == items[i]->symbol)
            info->to = (int8_t)n;
    }
}

static void record_filters(fzi_build *b, const fzi_leaf *leaf, fz_option_info *info)
{
    info->first_filter = (uint32_t)b->filter_lists.count;
    for (const fzi_continuation *c = leaf->context.continuations; c; c = c->outer) {
        if (c->then)
            continue;
        fzi_array_add(b, &b->filter_lists, &c->filter);
        info->filters++;
    }
}

void fzi_lower_leaves(fzi_gathering *g, fzi_label *after, bool tail, bool question)
{
    fzi_codegen *e = g->e;
    fzi_build *b = e->b;
    fzi_registers used = e->used;
    for (fzi_leaf *leaf = g->first; leaf && !b->failed; leaf = leaf->next) {
        fz_option_info info = {0};
        leaf->context.continuations = fzi_all_continuations(g, &leaf->context);
        info.choice = g->choice;
        info.first = (uint8_t)g->base;
        info.place = fzi_build_place(b, leaf->span);
        record_bindings(g, leaf, &info);
        record_filters(b, leaf, &info);
        e->used = leaf->used;
        info.label = info.shown = fzi_code_here(&e->code);
        fzi_gen_label(e, leaf, false);
        if (fzi_hides(leaf)) {
            info.shown = fzi_code_here(&e->code);
            fzi_gen_label(e, leaf, true);
        }
        info.effect = fzi_code_here(&e->code);
        if (g->sealed)
            fzi_gen_sealed(g, leaf, after);
        else
            gen_effect(g, leaf, after, tail, question);
        *FZI_ITEM(b->options, fz_option_info, leaf->option) = info;
    }
    e->used = used;
    if (!b->failed)
        gen_filters(g);
}

/* ---- choose ---- */

void fzi_lower_decision(fzi_gathering *g, fzi_codegen *e, fzi_view view, const fzi_node *choose,
                        bool explains, fzi_label *otherwise)
{
    fzi_gather_choice(g, e, view, choose, explains);
    if (e->lower->emission->purpose == FZI_FOR_COVERAGE)
        fzi_list_coverage_items(g);
    for (const fzi_leaf *leaf = explains ? g->first : NULL; leaf && !e->b->failed;
         leaf = leaf->next)
        fzi_explain_leaf(g, leaf);
    e->span = choose->span;
    fzi_gen_with(e, FZ_OP_DECIDE, 0, 0, 0, g->choice);
    fzi_label_use(e, otherwise);
}

void fzi_lower_choose(fzi_codegen *e, fzi_view view, const fzi_node *choose, bool tail)
{
    fzi_gathering g;
    fzi_label otherwise = FZI_LABEL, after = FZI_LABEL;
    fzi_registers used = e->used;
    fzi_lower_decision(&g, e, view, choose, e->lower->emission->purpose == FZI_FOR_WHY, &otherwise);
    fzi_lower_leaves(&g, &after, tail, false);
    e->used = used;
    fzi_label_place(e, &otherwise);
    if (choose->otherwise)
        fzi_lower_stmt(e, view, choose->otherwise, tail);
    fzi_label_place(e, &after);
}
