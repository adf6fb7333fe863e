/* Lists the moves of "for x in A, y in f(x)" with one instruction: EMIT_ROWS if f(x) is the row of
 * a table, EMIT_SLIDES if it is a slide, EMIT_SHIFTS if it is single steps of one shape. The list
 * of moves is the same as that of the loops. gather.c calls it. */
#include "choices.h"

#include <string.h>

enum {
    MAX_TERMS = 8,
    FEW_STEPS = 4,           /* a row for each piece is cheaper than more shifts */
    ALL_STEPS = 32           /* of one option: FZ_MAX_STEPS of interp/state/move_list.h */
};

typedef struct term {
    const fzi_ir *reach;   /* depends on x */
    const fzi_ir *target;  /* does not depend on x; NULL: any site */
    uint8_t kind;
    uint32_t table, stride;  /* TERM_ROWS */
    const fzi_ir *base;
} term;

enum { TERM_OTHER, TERM_ROWS, TERM_SLIDE };

typedef struct terms {
    term items[MAX_TERMS];
    unsigned count;
    bool too_many;
} terms;

static const fzi_ir *meet(fzi_ir_maker *m, const fzi_ir *a, const fzi_ir *b)
{
    return !a ? b : !b ? a : fzi_ir_op(m, FZ_OP_SAND, a, b);
}

/* Splits a | b, a & c and a - c while only one side depends on x. */
static void split(fzi_ir_maker *m, const fzi_ir *ir, const fzi_ir *target, const fzi_local *x,
                  terms *out)
{
    if (ir->kind == FZI_IR_OP && ir->op == FZ_OP_SOR) {
        split(m, ir->args[0], target, x, out);
        split(m, ir->args[1], target, x, out);
        return;
    }
    if (ir->kind == FZI_IR_OP && ir->op == FZ_OP_SAND) {
        const fzi_ir *a = ir->args[0], *b = ir->args[1];
        if (!fzi_ir_mentions(b, x)) {
            split(m, a, meet(m, b, target), x, out);
            return;
        }
        if (!fzi_ir_mentions(a, x)) {
            split(m, b, meet(m, a, target), x, out);
            return;
        }
    }
    if (ir->kind == FZI_IR_OP && ir->op == FZ_OP_SSUB && !fzi_ir_mentions(ir->args[1], x)) {
        const fzi_ir *rest = fzi_ir_op(m, FZ_OP_SNOT, ir->args[1], NULL);
        split(m, ir->args[0], meet(m, rest, target), x, out);
        return;
    }
    if (out->count == MAX_TERMS) {
        out->too_many = true;
        return;
    }
    term *t = &out->items[out->count++];
    memset(t, 0, sizeof *t);
    t->reach = ir;
    t->target = target;
}

static void classify(fzi_lower *lw, term *t, const fzi_local *x)
{
    const fzi_ir *c = fzi_fold_to_table(lw, t->reach);
    t->reach = c;
    if (c->kind != FZI_IR_OP)
        return;
    if (c->op == FZ_OP_STABLE && fzi_ir_is_local(c->args[0], x)) {
        t->kind = TERM_ROWS;
        t->table = (uint32_t)c->k[0];
        t->stride = 1;
        t->base = fzi_ir_int(&lw->maker, 0);
    } else if (c->op == FZ_OP_STABLE2 && fzi_ir_is_local(c->args[1], x) &&
               !fzi_ir_mentions(c->args[0], x)) {
        t->kind = TERM_ROWS;
        t->table = (uint32_t)c->k[0];
        t->stride = (uint32_t)c->k[1];
        t->base = c->args[0];
    } else if (c->op == FZ_OP_SLIDE && c->args[0]->kind == FZI_IR_OP &&
               c->args[0]->op == FZ_OP_SBIT && fzi_ir_is_local(c->args[0]->args[0], x) &&
               !fzi_ir_mentions(c->args[1], x) && !fzi_ir_mentions(c->args[2], x) &&
               c->args[3]->kind == FZI_IR_INT && c->args[3]->value >= FZ_MAX_SITES) {
        t->kind = TERM_SLIDE;
    }
}

/* ---- emitting ---- */

static unsigned target_register(fzi_gathering *g, const term *t)
{
    fzi_lower *lw = g->e->lower;
    const fzi_ir *target = t->target ? t->target : fzi_ir_all(&lw->maker);
    return fzi_gen_value(g->e, fzi_hoist_set(g, fzi_fold_to_table(lw, target), NULL));
}

/* Do all terms have shapes, so few that shifting whole sets pays? */
static bool shapes_of(fzi_lower *lw, const terms *all, const fzi_local *x, fzi_shifts *shapes)
{
    unsigned steps = 0;
    for (unsigned i = 0; i < all->count; i++) {
        if (!fzi_shape_of(lw, all->items[i].reach, x, &shapes[i]))
            return false;
        steps += fzi_shape_most(&shapes[i]);
    }
    return all->count == 1 && all->items[0].kind == TERM_ROWS ? steps <= FEW_STEPS
                                                              : steps <= ALL_STEPS;
}

static bool emit_shifts(fzi_gathering *g, const fzi_leaf *leaf, const fzi_local *x,
                        const fzi_ir *from, const terms *all)
{
    fzi_codegen *e = g->e;
    fzi_lower *lw = e->lower;
    fzi_shifts shapes[MAX_TERMS];
    if (!shapes_of(lw, all, x, shapes))
        return false;
    fzi_registers used = e->used;
    unsigned plain = fzi_gen_value(e, from);
    fzi_local whole = {.name = "from", .is_set = true, .reg = (int)plain};
    const fzi_ir *sources = fzi_ir_local(&lw->maker, &whole);
    for (unsigned i = 0; i < all->count; i++) {
        fzi_registers inner = e->used;
        unsigned reg = plain;
        uint32_t deltas, valid;
        fzi_shape_tables(lw, &shapes[i], &deltas, &valid);
        if (shapes[i].sources)
            reg = fzi_gen_value(
                e, meet(&lw->maker, sources, fzi_hoist_set(g, shapes[i].sources, NULL)));
        unsigned target = target_register(g, &all->items[i]);
        unsigned base = fzi_gen_value(e, shapes[i].base);
        fzi_gen_with(e, i ? FZ_OP_ALSO_SHIFTS : FZ_OP_EMIT_SHIFTS, reg, target, base, leaf->option);
        fzi_gen_word(e, deltas);
        fzi_gen_word(e, valid);
        e->used = inner;
    }
    e->used = used;
    return true;
}

static bool emit_one_term(fzi_gathering *g, const fzi_leaf *leaf, const fzi_ir *from, const term *t)
{
    fzi_codegen *e = g->e;
    fzi_registers used = e->used;
    if (t->kind == TERM_OTHER || !fzi_uses(e->lower, FZ_OPT_ROWS))
        return false;
    unsigned a = fzi_gen_value(e, from), b = target_register(g, t);
    if (t->kind == TERM_ROWS) {
        fzi_gen_with(e, FZ_OP_EMIT_ROWS, a, b, fzi_gen_value(e, t->base), leaf->option);
        fzi_gen_word(e, t->table);
        fzi_gen_word(e, t->stride);
    } else {
        unsigned dirs = fzi_gen_value(e, t->reach->args[1]);
        unsigned through = fzi_gen_value(e, fzi_hoist_set(g, t->reach->args[2], NULL));
        fzi_gen_with(e, FZ_OP_EMIT_SLIDES, a, b, dirs, leaf->option);
        fzi_gen_word(e, through);
    }
    e->used = used;
    return true;
}

static void emit_loop(fzi_gathering *g, const fzi_leaf *leaf, fzi_local *x, const fzi_ir *from,
                      unsigned x_reg, const fzi_ir *to)
{
    fzi_codegen *e = g->e;
    fzi_registers used = e->used;
    fzi_binder binder = {x, FZI_DOMAIN_SITES, from, NULL};
    fzi_loop loop;
    const fzi_ir *set = fzi_hoist_set(g, fzi_fold_to_table(e->lower, to), x);
    unsigned hoisted = g->hoisted_count;
    fzi_loop_begin(e, &loop, &binder, x_reg);
    unsigned reg = fzi_gen_value(e, set);
    if (g->test) {
        fzi_gen_jump_if(e, FZ_OP_JSSOME, reg, 0, &g->found);
    } else {
        fzi_gen_with(e, FZ_OP_EMIT_SET, reg, 0, 0, leaf->option);
        fzi_emit_question(g, leaf);
    }
    fzi_loop_end(e, &loop);
    g->hoisted_count = hoisted;
    e->used = used;
}

const fzi_ir *fzi_prefilter_set(fzi_lower *lw, const fzi_ir *from, const fzi_ir *set,
                                const fzi_local *x)
{
    fzi_ir_maker *m = &lw->maker;
    terms all = {.count = 0};
    split(m, set, NULL, x, &all);
    const fzi_ir *can = NULL;
    unsigned steps = 0;
    for (unsigned i = 0; i < all.count; i++) {
        fzi_shifts shape;
        if (all.too_many ||
            !fzi_shape_of(lw, fzi_fold_to_table(lw, all.items[i].reach), x, &shape) ||
            (steps += fzi_shape_most(&shape)) > FEW_STEPS)
            return from;
        const fzi_ir *target = all.items[i].target ? all.items[i].target : fzi_ir_all(m);
        const fzi_ir *some =
            meet(m, shape.sources, fzi_shape_back(lw, &shape, fzi_fold_to_table(lw, target)));
        can = can ? fzi_ir_op(m, FZ_OP_SOR, can, some) : some;
    }
    return can ? meet(m, from, can) : from;
}

/* A conditional part of the set whose condition neither depends on x nor can fail; NULL: there is
 * none. */
static const fzi_ir *choice_in(const fzi_ir *ir, const fzi_local *x)
{
    if (ir->kind == FZI_IR_IF) {
        const fzi_ir *condition = ir->args[0];
        return fzi_ir_mentions(condition, x) || condition->chance || fzi_ir_may_fail(condition)
                   ? NULL
                   : ir;
    }
    if (!fzi_ir_is_op(ir, FZ_OP_SAND) && !fzi_ir_is_op(ir, FZ_OP_SOR) &&
        !fzi_ir_is_op(ir, FZ_OP_SSUB))
        return NULL;
    const fzi_ir *found = choice_in(ir->args[0], x);
    return found ? found : choice_in(ir->args[1], x);
}

/* The set with one side of the conditional. */
static const fzi_ir *chosen(fzi_ir_maker *m, const fzi_ir *ir, const fzi_ir *choice, unsigned side)
{
    if (ir == choice)
        return ir->args[side];
    if (!fzi_ir_is_op(ir, FZ_OP_SAND) && !fzi_ir_is_op(ir, FZ_OP_SOR) &&
        !fzi_ir_is_op(ir, FZ_OP_SSUB))
        return ir;
    return fzi_ir_op(m, ir->op, chosen(m, ir->args[0], choice, side),
                     chosen(m, ir->args[1], choice, side));
}

/* Each conditional doubles the code. */
enum { MAX_CHOSEN = 3 };

/* Tests the condition once, before the loops. */
static void gather_chosen(fzi_gathering *g, fzi_leaf *leaf, fzi_local *x, const fzi_ir *from,
                          unsigned x_reg, const fzi_ir *to, const fzi_ir *choice)
{
    fzi_ir_maker *m = &g->e->lower->maker;
    fzi_label no = FZI_LABEL, out = FZI_LABEL;
    from = fzi_hoist_set(g, fzi_fold_to_table(g->e->lower, from), NULL);
    const fzi_ir *condition =
        fzi_hoist_set(g, fzi_fold_to_table(g->e->lower, choice->args[0]), NULL);
    unsigned hoisted = g->hoisted_count;
    g->chosen++;
    fzi_gen_branch(g->e, condition, false, &no);
    fzi_emit_nested_for(g, leaf, x, from, x_reg, chosen(m, to, choice, 1));
    g->hoisted_count = hoisted;
    fzi_gen_jump(g->e, &out);
    fzi_label_place(g->e, &no);
    fzi_emit_nested_for(g, leaf, x, from, x_reg, chosen(m, to, choice, 2));
    g->hoisted_count = hoisted;
    g->chosen--;
    fzi_label_place(g->e, &out);
}

void fzi_emit_nested_for(fzi_gathering *g, fzi_leaf *leaf, fzi_local *x, const fzi_ir *from,
                         unsigned x_reg, const fzi_ir *to)
{
    fzi_lower *lw = g->e->lower;
    const fzi_ir *choice = g->chosen < MAX_CHOSEN ? choice_in(to, x) : NULL;
    if (choice) {
        gather_chosen(g, leaf, x, from, x_reg, to, choice);
        return;
    }
    terms all = {.count = 0};
    from = fzi_fold_to_table(lw, from);
    split(&lw->maker, to, NULL, x, &all);
    if (!g->test && !all.too_many) {
        for (unsigned i = 0; i < all.count; i++)
            classify(lw, &all.items[i], x);
        if (emit_shifts(g, leaf, x, from, &all) ||
            (all.count == 1 && emit_one_term(g, leaf, from, &all.items[0]))) {
            fzi_emit_question(g, leaf);
            return;
        }
    }
    emit_loop(g, leaf, x, from, x_reg, to);
}
