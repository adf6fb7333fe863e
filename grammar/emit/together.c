/* Generates `together`; statement_code.c calls it. Choices are stored in a compiler variable:
 *
 *   element 0     how many have chosen so far; 0 outside of the decisions
 *   then, for each combination of the loop's values: the option's place among those of the choice,
 *   counted from 1 (0: nothing was asked, one more than there are options: there was no move), and
 *   the values of its `for`s
 *
 * The first loop asks and stores. The second loop runs over all values of the types, in the same
 * order, and runs the effects of what was stored. Both use the same registers for the loop's names
 * and for the values of a move, so an effect is generated as for any other choice. */
#include "emit.h"

struct fzi_sealed {
    uint32_t variable;
    unsigned count;            /* of binders */
    fzi_local *locals[FZ_MAX_BINDINGS];
    const fzi_type *types[FZ_MAX_BINDINGS];
    const fzi_ir *place;       /* of the combination: its first element */
    unsigned zero;             /* a register that holds 0: the place of the count */
};

enum { STRIDE = 1 + FZ_MAX_BINDINGS, MAX_STORED = 1 << 16 };

static uint32_t make_variable(fzi_lower *lw, const fzi_node *stmt)
{
    uint64_t length = 1;
    for (const fzi_node *b = stmt->binders; b; b = b->next) {
        length *= (uint64_t)fzi_type_size(b->symbol->type);
        length = length > MAX_STORED ? MAX_STORED + 1 : length;
    }
    if (!fzi_at_most(lw->game, stmt->span, "this", (unsigned)length, "combinations", MAX_STORED))
        length = 1;
    fz_variable var = {.name = fzi_build_text(&lw->build, "together"),
                       .type = fzi_build_type(&lw->build, lw->game->type_int),
                       .length = 1 + (uint32_t)length * STRIDE,
                       .hidden = 1};
    return fzi_array_add(&lw->build, &lw->build.variables, &var);
}

/* ---- elements ---- */

static void load(fzi_codegen *e, const fzi_sealed *s, unsigned into, unsigned place)
{
    fzi_gen_with(e, FZ_OP_LOADX, into, place, 0, s->variable);
}

static void store(fzi_codegen *e, const fzi_sealed *s, unsigned from, unsigned place)
{
    fzi_gen_with(e, FZ_OP_STOREX, from, place, 0, s->variable);
}

static unsigned number(fzi_codegen *e, int64_t value)
{
    unsigned reg = fzi_new_int(e);
    fzi_gen_number(e, reg, value);
    return reg;
}

static unsigned place_of(fzi_codegen *e, const fzi_sealed *s, int64_t offset)
{
    fzi_ir_maker *m = &e->lower->maker;
    const fzi_ir *place = fzi_ir_op(m, FZ_OP_ADD, s->place, fzi_ir_int(m, offset));
    return fzi_gen_value(e, fzi_fold_to_table(e->lower, place));
}

/* ---- asking ---- */

/* Stores the number of the option; real decisions are counted. */
static void store_choice(fzi_codegen *e, const fzi_sealed *s, unsigned chosen, bool counts)
{
    unsigned place = place_of(e, s, 0);
    store(e, s, number(e, chosen), place);
    if (!counts)
        return;
    unsigned count = fzi_new_int(e);
    load(e, s, count, s->zero);
    fzi_gen_with(e, FZ_OP_ADDK, count, count, 0, 1);
    store(e, s, count, s->zero);
}

void fzi_gen_sealed(fzi_gathering *g, const fzi_leaf *leaf, fzi_label *after)
{
    fzi_codegen *e = g->e;
    fzi_registers used = e->used;
    e->span = leaf->span;
    store_choice(e, g->sealed, leaf->option - g->first->option + 1, true);
    for (unsigned i = 0; i < leaf->context.bound; i++)
        store(e, g->sealed, g->base + i, place_of(e, g->sealed, 1 + i));
    fzi_gen_jump(e, after);
    e->used = used;
}

static void refuse_filters(fzi_gathering *g)
{
    fzi_build *b = g->e->b;
    for (const fzi_leaf *leaf = g->first; leaf && !b->failed; leaf = leaf->next) {
        for (const fzi_continuation *c = leaf->context.continuations; c && !b->failed;
             c = c->outer) {
            if (c->then)
                continue;
            fzi_error(b->game->diags, c->condition->span, FZ_E_TOGETHER_FILTER);
            b->failed = true;
        }
    }
}

static fzi_view ask(fzi_gathering *g, fzi_codegen *e, fzi_view view, const fzi_node *stmt,
                    fzi_sealed *s)
{
    fzi_lower *lw = e->lower;
    fzi_ir_maker *m = &lw->maker;
    fzi_loop loops[FZ_MAX_BINDINGS];
    fzi_binder binders[FZ_MAX_BINDINGS];
    fzi_label otherwise = FZI_LABEL, after = FZI_LABEL;
    const fzi_ir *index = fzi_ir_int(m, 0);
    for (const fzi_node *b = stmt->binders; b && s->count < FZ_MAX_BINDINGS; b = b->next) {
        unsigned i = s->count++;
        const fzi_type *type = b->symbol->type;
        s->types[i] = type;
        s->locals[i] = fzi_present_local(lw, b->name, type);
        binders[i] = fzi_binder_of(lw, view, b->set, s->locals[i]);
        fzi_loop_begin(e, &loops[i], &binders[i], fzi_new_int(e));
        const fzi_ir *value = fzi_ir_local(m, s->locals[i]);
        view = fzi_view_bind(lw, view, b->symbol, value);
        index = fzi_ir_op(m, FZ_OP_MUL, index, fzi_ir_int(m, fzi_type_size(type)));
        index = fzi_ir_op(m, FZ_OP_ADD, index,
                          fzi_ir_op(m, FZ_OP_SUB, value, fzi_ir_int(m, fzi_type_low(type))));
    }
    index = fzi_ir_op(m, FZ_OP_MUL, index, fzi_ir_int(m, STRIDE));
    s->place = fzi_ir_op(m, FZ_OP_ADD, index, fzi_ir_int(m, 1));
    fzi_lower_decision(g, e, view, stmt->body, false, &otherwise);
    g->sealed = s;
    FZI_ITEM(e->b->choices, fz_choice, g->choice)->sealed = s->variable + 1;
    refuse_filters(g);
    fzi_lower_leaves(g, &after, false, false);
    fzi_label_place(e, &otherwise);
    if (stmt->body->otherwise)
        store_choice(e, s, g->count + 1, false);
    fzi_label_place(e, &after);
    for (unsigned i = s->count; i-- > 0;)
        fzi_loop_end(e, &loops[i]);
    return view;
}

/* ---- effects ---- */

/* Jumps to `next` unless `chosen` is that number. */
static void unless(fzi_codegen *e, unsigned chosen, unsigned option, fzi_label *next)
{
    unsigned ints = e->used.ints;
    *next = (fzi_label)FZI_LABEL;
    fzi_gen_jump_if(e, FZ_OP_JNE, chosen, number(e, option), next);
    e->used.ints = ints;
}

static void run_effects(fzi_gathering *g, fzi_view view, const fzi_node *stmt, const fzi_sealed *s,
                        unsigned chosen)
{
    fzi_codegen *e = g->e;
    fzi_label next = FZI_LABEL, done = FZI_LABEL;
    for (fzi_leaf *leaf = g->first; leaf && !e->b->failed; leaf = leaf->next) {
        fzi_registers used = e->used;
        unless(e, chosen, leaf->option - g->first->option + 1, &next);
        for (unsigned i = 0; i < leaf->context.bound; i++)
            load(e, s, g->base + i, place_of(e, s, 1 + i));
        e->used.ints = used.ints;
        fzi_lower_effect(g, leaf, &done);
        fzi_label_place(e, &next);
        e->used = used;
    }
    e->span = stmt->span;
    if (stmt->body->otherwise) {
        unless(e, chosen, g->count + 1, &next);
        fzi_lower_stmt(e, view, stmt->body->otherwise, false);
        fzi_label_place(e, &next);
    }
    fzi_label_place(e, &done);
}

/* Keeps the registers of all leaves in use: effects read them. */
static void keep_registers(fzi_gathering *g)
{
    fzi_codegen *e = g->e;
    for (const fzi_leaf *leaf = g->first; leaf; leaf = leaf->next) {
        e->used.ints = leaf->used.ints > e->used.ints ? leaf->used.ints : e->used.ints;
        e->used.sets = leaf->used.sets > e->used.sets ? leaf->used.sets : e->used.sets;
    }
}

static void take_effect(fzi_gathering *g, fzi_view view, const fzi_node *stmt, const fzi_sealed *s)
{
    fzi_codegen *e = g->e;
    fzi_ir_maker *m = &e->lower->maker;
    fzi_loop loops[FZ_MAX_BINDINGS];
    fzi_binder binders[FZ_MAX_BINDINGS];
    fzi_label nothing = FZI_LABEL;
    keep_registers(g);
    for (unsigned i = 0; i < s->count; i++) {
        int64_t low = fzi_type_low(s->types[i]);
        binders[i] = (fzi_binder){s->locals[i], FZI_DOMAIN_RANGE, fzi_ir_int(m, low),
                                  fzi_ir_int(m, low + fzi_type_size(s->types[i]) - 1)};
        fzi_loop_begin(e, &loops[i], &binders[i], (unsigned)s->locals[i]->reg);
    }
    unsigned chosen = fzi_new_int(e), ints = e->used.ints, place = place_of(e, s, 0);
    load(e, s, chosen, place);
    fzi_gen_jump_if(e, FZ_OP_JFALSE, chosen, 0, &nothing);
    store(e, s, s->zero, place);
    e->used.ints = ints;
    run_effects(g, view, stmt, s, chosen);
    fzi_label_place(e, &nothing);
    for (unsigned i = s->count; i-- > 0;)
        fzi_loop_end(e, &loops[i]);
}

void fzi_lower_together(fzi_codegen *e, fzi_view view, const fzi_node *stmt)
{
    fzi_gathering g;
    fzi_sealed s = {.variable = make_variable(e->lower, stmt)};
    s.zero = number(e, 0);
    /* clear what a turn that stopped among the effects left */
    fzi_gen_with(e, FZ_OP_FILL, s.zero, 0, 0, s.variable);
    fzi_view inner = ask(&g, e, view, stmt, &s);
    e->span = stmt->span;
    store(e, &s, s.zero, s.zero);
    if (!e->b->failed)
        take_effect(&g, inner, stmt, &s);
}
