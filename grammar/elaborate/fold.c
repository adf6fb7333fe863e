/* Rewrites expressions so that constant tables apply, for elaboration and all later stages.
 * - Parts whose free locals have few values become look-ups (constant_tables.c).
 * - A loop whose condition does not depend on the state runs over the members that pass. If only
 *   one passes, there is no loop.
 * - Operands that depend on the state and have few values get names, so the rest depends on locals
 *   only.
 * - Loops over few constant members are unrolled, so each part gets tables of its own. Common
 *   subexpressions of the parts are computed once. */
#include "elaborate.h"

#include "interp/support/words.h"

enum {
    SMALL_MASK = 64,
    MAX_VALUES = 64,        /* of what gets a name */
    MAX_PARTS = 8,          /* of a loop that is unrolled */
    MAX_UNROLLING = 3,      /* nested loops: each part unrolls the inner ones again */
    MAX_UNROLLED = 256,     /* the cost of all parts */
    MAX_NAMES = 16,         /* that parts have in common */
    MAX_LET_TRIALS = 2          /* nested `let`s that are tried inlined and not inlined */
};

static bool worth_a_table(const fzi_ir *ir)
{
    if (ir->kind == FZI_IR_INT || ir->kind == FZI_IR_SET || ir->kind == FZI_IR_LOCAL)
        return false;
    if (ir->kind != FZI_IR_OP)
        return true;
    if (ir->op == FZ_OP_SROW)
        return false;
    if (fzi_opcode_is(ir->op, FZ_FLAG_GEOMETRY))
        return true;
    if (fzi_opcode_is(ir->op, FZ_FLAG_UNARY))
        return ir->args[0]->kind == FZI_IR_OP || ir->free_count == 0;
    return ir->free_count == 0 || ir->cost >= 3;
}

/* ---- loops with a condition that does not depend on the state ---- */

static bool is_small_range(const fzi_binder *b)
{
    return b->domain == FZI_DOMAIN_RANGE && b->first->kind == FZI_IR_INT &&
           b->last->kind == FZI_IR_INT && b->first->value >= 0 && b->last->value < SMALL_MASK;
}

/* The loop's values that pass the condition, as a mask or set that depends on the other locals. */
static const fzi_ir *passing(fzi_lower *lw, const fzi_ir *ir)
{
    const fzi_binder *old = &ir->binders[0];
    fzi_local *local = fzi_arena_copy(lw->build.arena, old->local, sizeof *old->local);
    local->reg = -1;
    fzi_binder binder = *old;
    binder.local = local;
    bool sites = old->domain == FZI_DOMAIN_SITES;
    if (sites)
        binder.first = fzi_ir_all(&lw->maker);
    const fzi_ir *condition =
        fzi_ir_replace(&lw->maker, ir->args[0], old->local, fzi_ir_local(&lw->maker, local));
    const fzi_ir *those =
        fzi_ir_aggregate(&lw->maker, FZI_AGG_FILTER, &binder, 1, condition, NULL, sites, 0);
    return fzi_constant_table(lw, those);
}

/* The only member of the mask for whatever it depends on; NULL if there may be more or none. */
static const fzi_ir *only_member(fzi_lower *lw, const fzi_ir *mask)
{
    if (mask->kind == FZI_IR_INT) {
        uint64_t bits = (uint64_t)mask->value;
        if (!bits || (bits & (bits - 1)))
            return NULL;
    } else if (mask->kind == FZI_IR_OP && (mask->op == FZ_OP_TABLE || mask->op == FZ_OP_TABLE2)) {
        const fz_int_table *table = FZI_ITEM(lw->build.int_tables, fz_int_table, mask->k[0]);
        for (uint32_t i = 0; i < table->length; i++) {
            uint32_t bits = (uint32_t)*FZI_ITEM(lw->build.int_pool, int32_t, table->first + i);
            if (!bits || (bits & (bits - 1)))
                return NULL;
        }
        for (unsigned i = 0; i < mask->free_count; i++) {
            if (mask->free[i]->may_be_absent)
                return NULL;
        }
    } else {
        return NULL;
    }
    return fzi_fold_to_table(lw, fzi_ir_op(&lw->maker, FZ_OP_MONLY, mask, NULL));
}

static const fzi_ir *aggregate_of_one(fzi_lower *lw, const fzi_ir *ir, const fzi_ir *member)
{
    fzi_ir_maker *m = &lw->maker;
    switch (ir->op) {
    case FZI_AGG_COUNT: return fzi_ir_int(m, 1);
    case FZI_AGG_FIRST: return member;
    case FZI_AGG_FILTER: return fzi_ir_op(m, ir->is_set ? FZ_OP_SBIT : FZ_OP_MBIT, member, NULL);
    case FZI_AGG_RANDOM: return NULL;
    default: return fzi_ir_replace(m, ir->args[1], ir->binders[0].local, member);
    }
}

static const fzi_ir *narrow_aggregate(fzi_lower *lw, const fzi_ir *ir)
{
    const fzi_binder *b = &ir->binders[0];
    const fzi_ir *condition = ir->args[0];
    if (!fzi_uses(lw, FZ_OPT_LOOPS) || ir->binder_count != 1 || !condition || condition->state ||
        condition->many_free || !fzi_ir_mentions(condition, b->local))
        return ir;
    bool sites = b->domain == FZI_DOMAIN_SITES;
    if (!sites && !is_small_range(b))
        return ir;
    const fzi_ir *mask = passing(lw, ir);
    if (!mask)
        return ir;
    const fzi_ir *member = sites ? NULL : only_member(lw, mask);
    const fzi_ir *one = member ? aggregate_of_one(lw, ir, member) : NULL;
    if (one)
        return fzi_fold_to_table(lw, one);
    fzi_binder binder = *b;
    if (sites) {
        binder.first = fzi_ir_op(&lw->maker, FZ_OP_SAND, b->first, mask);
        if (ir->op == FZI_AGG_FILTER && ir->is_set)
            return fzi_fold_to_table(lw, binder.first);
    } else {
        binder.domain = FZI_DOMAIN_MASK;
        binder.first = mask;
        binder.last = NULL;
    }
    return fzi_ir_aggregate_like(&lw->maker, ir, &binder, NULL, ir->args[1]);
}

static unsigned words_count(const uint64_t *words, unsigned count)
{
    unsigned members = 0;
    for (unsigned i = 0; i < count; i++)
        members += (unsigned)__builtin_popcountll(words[i]);
    return members;
}

/* The most members that a set has. */
static unsigned most_members(fzi_lower *lw, const fzi_ir *ir)
{
    unsigned most = lw->maker.site_count, words = lw->maker.words, a, b;
    if (ir->kind == FZI_IR_SET)
        return words_count(ir->words, words);
    if (fzi_ir_is_op(ir, FZ_OP_STABLE) || fzi_ir_is_op(ir, FZ_OP_STABLE2)) {
        const fz_set_table *table = FZI_ITEM(lw->build.set_tables, fz_set_table, ir->k[0]);
        most = 0;
        for (unsigned r = 0; r < table->rows; r++) {
            a = words_count(
                FZI_ITEM(lw->build.set_pool, uint64_t, table->first + (size_t)r * words), words);
            most = a > most ? a : most;
        }
    } else if (fzi_ir_is_op(ir, FZ_OP_SAND)) {
        a = most_members(lw, ir->args[0]);
        b = most_members(lw, ir->args[1]);
        most = a < b ? a : b;
    } else if (fzi_ir_is_op(ir, FZ_OP_SSUB)) {
        most = most_members(lw, ir->args[0]);
    }
    return most;
}

/* ---- names for operands that depend on the state ---- */

/* Steps from one site: their values become tables when the site or the number of steps has a
 * name. */
static bool wants_names(unsigned op)
{
    return fzi_opcode_is(op, FZ_FLAG_GEOMETRY) && fzi_opcode_operands(op)[1] == 'I';
}

static fzi_local *name_count(fzi_lower *lw, const fzi_ir *ir)
{
    unsigned most = fzi_ir_is_op(ir, FZ_OP_SCOUNT) ? most_members(lw, ir->args[0]) : MAX_VALUES;
    if (most >= MAX_VALUES)
        return NULL;
    fzi_local *local = FZI_NEW(lw->build.arena, fzi_local);
    *local = (fzi_local){.name = "count", .finite = true, .high = most, .reg = -1};
    return local;
}

static const fzi_ir *fold_named(fzi_lower *lw, const fzi_ir *ir)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_ir *args[4] = {NULL, NULL, NULL, NULL}, *value = NULL;
    fzi_local *local = NULL;
    if (ir->kind != FZI_IR_OP || !wants_names(ir->op) || !ir->state || ir->chance ||
        ir->arg_count > 4)
        return ir;
    for (unsigned i = 0; i < ir->arg_count; i++) {
        args[i] = ir->args[i];
        if (!args[i]->state)
            continue;
        if (value || !(local = name_count(lw, args[i])))
            return ir;
        value = args[i];
        args[i] = fzi_ir_local(m, local);
    }
    if (!local)
        return ir;
    const fzi_ir *body = fzi_fold_to_table(lw, fzi_ir_with(m, ir, args));
    return fzi_ir_is_op(body, ir->op) ? ir : fzi_ir_let(m, local, value, body);
}

static fzi_local *local_copy(fzi_lower *lw, const fzi_local *local)
{
    fzi_local *copy = fzi_arena_copy(lw->build.arena, local, sizeof *local);
    copy->reg = -1;
    return copy;
}

/* If the value of a `let` is a look-up by locals, inlining it may make better tables of the
 * body. */
static const fzi_ir *fold_let(fzi_lower *lw, const fzi_ir *ir)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_ir *value = fzi_fold_to_table(lw, ir->args[0]);
    if (value->kind == FZI_IR_LET) { /* names inside the value come first */
        fzi_local *name = local_copy(lw, value->local);
        const fzi_ir *rest = fzi_ir_replace(m, value->args[1], value->local, fzi_ir_local(m, name));
        const fzi_ir *inner = fzi_ir_let(m, ir->local, rest, ir->args[1]);
        inner = inner->kind == FZI_IR_LET ? fold_let(lw, inner) : fzi_fold_to_table(lw, inner);
        return fzi_ir_let(m, name, value->args[0], inner);
    }
    const fzi_ir *made = fzi_ir_let(m, ir->local, value, fzi_fold_to_table(lw, ir->args[1]));
    if (value->kind != FZI_IR_OP || value->state || value->is_set ||
        lw->let_trial_depth == MAX_LET_TRIALS)
        return made;
    lw->let_trial_depth++;
    const fzi_ir *replaced =
        fzi_fold_to_table(lw, fzi_ir_replace(m, ir->args[1], ir->local, value));
    lw->let_trial_depth--;
    return replaced->cost < made->cost ? replaced : made;
}

/* ---- loops ---- */

typedef struct parts {
    const fzi_ir *items[MAX_PARTS];
    unsigned count, names;
    fzi_local *name[MAX_NAMES];
    const fzi_ir *value[MAX_NAMES];
} parts;

/* The members that the loop runs over, ascending; 0: too many, or not constant. */
static unsigned members_of(fzi_lower *lw, const fzi_binder *b, int64_t *members)
{
    unsigned count = 0;
    if (b->domain == FZI_DOMAIN_SITES) {
        if (b->first->kind != FZI_IR_SET ||
            words_count(b->first->words, lw->maker.words) > MAX_PARTS)
            return 0;
        for (unsigned s = 0; s < lw->maker.site_count; s++)
            if (fzi_words_has(b->first->words, s))
                members[count++] = s;
    } else if (b->first->kind == FZI_IR_INT && b->domain == FZI_DOMAIN_MASK) {
        if (__builtin_popcountll((uint64_t)b->first->value) > MAX_PARTS)
            return 0;
        for (uint64_t rest = (uint64_t)b->first->value; rest; rest &= rest - 1)
            members[count++] = __builtin_ctzll(rest);
    } else if (b->domain == FZI_DOMAIN_RANGE && b->first->kind == FZI_IR_INT &&
               b->last->kind == FZI_IR_INT) {
        if (b->last->value < b->first->value || b->last->value - b->first->value >= MAX_PARTS)
            return 0;
        for (int64_t i = b->first->value; i <= b->last->value; i++)
            members[count++] = i;
    }
    return count;
}

/* Adds the `let`s that a part begins with to the common ones; false: too many. */
static bool take_names(fzi_lower *lw, parts *all, const fzi_ir **part)
{
    fzi_ir_maker *m = &lw->maker;
    while ((*part)->kind == FZI_IR_LET && !(*part)->args[0]->chance &&
           !fzi_ir_may_fail((*part)->args[0])) {
        const fzi_ir *let = *part;
        unsigned i = 0;
        while (i < all->names && !fzi_ir_same(m, all->value[i], let->args[0]))
            i++;
        if (i == MAX_NAMES)
            return false;
        if (i == all->names) {
            all->name[i] = local_copy(lw, let->local);
            all->value[i] = let->args[0];
            all->names++;
        }
        *part = fzi_ir_replace(m, let->args[1], let->local, fzi_ir_local(m, all->name[i]));
    }
    return true;
}

static const fzi_ir *unite(fzi_ir_maker *m, const fzi_ir *ir, const fzi_ir *a, const fzi_ir *b)
{
    switch (ir->op) {
    case FZI_AGG_ANY: return fzi_ir_or(m, a, b);
    case FZI_AGG_ALL: return fzi_ir_and(m, a, b);
    case FZI_AGG_UNION: return fzi_ir_op(m, ir->is_set ? FZ_OP_SOR : FZ_OP_MOR, a, b);
    default: return fzi_ir_op(m, FZ_OP_ADD, a, b);
    }
}

/* The contribution of a member that fails the condition. */
static const fzi_ir *neutral(fzi_ir_maker *m, const fzi_ir *ir)
{
    return ir->is_set ? fzi_ir_none(m) : fzi_ir_int(m, ir->op == FZI_AGG_ALL);
}

static const fzi_ir *part_of(fzi_lower *lw, const fzi_ir *ir, int64_t member)
{
    fzi_ir_maker *m = &lw->maker;
    fzi_local *local = ir->binders[0].local;
    const fzi_ir *value = fzi_ir_int(m, member);
    const fzi_ir *part =
        ir->op == FZI_AGG_COUNT ? fzi_ir_int(m, 1) : fzi_ir_replace(m, ir->args[1], local, value);
    if (ir->args[0])
        part = fzi_ir_if(m, fzi_ir_replace(m, ir->args[0], local, value), part, neutral(m, ir));
    lw->unroll_depth++;
    part = fzi_fold_to_table(lw, part);
    lw->unroll_depth--;
    return part;
}

static const fzi_ir *unrolled(fzi_lower *lw, const fzi_ir *ir, const fzi_ir *looped)
{
    fzi_ir_maker *m = &lw->maker;
    int64_t members[MAX_PARTS];
    parts all = {.names = 0};
    bool sums = ir->op == FZI_AGG_ANY || ir->op == FZI_AGG_ALL || ir->op == FZI_AGG_UNION ||
                ir->op == FZI_AGG_COUNT || ir->op == FZI_AGG_SUM;
    if (!sums || !fzi_uses(lw, FZ_OPT_UNROLLED) || ir->binder_count != 1 || !ir->state ||
        ir->chance || lw->let_trial_depth == MAX_LET_TRIALS || lw->unroll_depth == MAX_UNROLLING)
        return looped;
    all.count = members_of(lw, &ir->binders[0], members);
    if (!all.count || looped->cost > MAX_UNROLLED / all.count + 20)
        return looped;
    uint64_t cost = 0;
    for (unsigned i = 0; i < all.count; i++) {
        all.items[i] = part_of(lw, ir, members[i]);
        if (!take_names(lw, &all, &all.items[i]))
            return looped;
        cost += all.items[i]->cost;
    }
    for (unsigned i = 0; i < all.names; i++)
        cost += all.value[i]->cost;
    if (cost > MAX_UNROLLED)
        return looped;
    const fzi_ir *made = all.items[0];
    for (unsigned i = 1; i < all.count; i++)
        made = unite(m, ir, made, all.items[i]);
    for (unsigned i = all.names; i-- > 0;)
        made = fzi_ir_let(m, all.name[i], all.value[i], made);
    return made;
}

/* ---- the walk ---- */

/* The variable whose element at the loop's site the IR is; -1: it is something else. */
static int32_t element_of(const fzi_ir *ir, const fzi_local *x)
{
    bool is = ir->kind == FZI_IR_OP && ir->op == FZ_OP_LOADX && ir->args[0]->kind == FZI_IR_LOCAL &&
              ir->args[0]->local == x;
    return is ? ir->k[0] : -1;
}

/* Replaces loops for which there is an instruction: the sum of a variable over sites, and the sites
 * where it exceeds a number. */
static const fzi_ir *aggregate_of_elements(fzi_lower *lw, const fzi_ir *ir)
{
    const fzi_binder *b = &ir->binders[0];
    const fzi_ir *condition = ir->args[0];
    if (ir->binder_count != 1 || b->domain != FZI_DOMAIN_SITES || ir->chance)
        return NULL;
    if (ir->op == FZI_AGG_SUM && !condition && element_of(ir->args[1], b->local) >= 0)
        return fzi_ir_opk(&lw->maker, FZ_OP_SUM_OF, b->first, NULL, ir->args[1]->k[0], 0);
    if (ir->op == FZI_AGG_FILTER && condition && condition->kind == FZI_IR_OP &&
        condition->op == FZ_OP_LT && element_of(condition->args[1], b->local) >= 0 &&
        !fzi_ir_mentions(condition->args[0], b->local) && !fzi_ir_may_fail(condition->args[0]))
        return fzi_ir_opk(&lw->maker, FZ_OP_SABOVE, b->first, condition->args[0],
                          condition->args[1]->k[0], 0);
    return NULL;
}

static const fzi_ir *fold_aggregate(fzi_lower *lw, const fzi_ir *ir)
{
    fzi_ir_maker *m = &lw->maker;
    fzi_binder binders[FZ_MAX_BINDINGS];
    ir = narrow_aggregate(lw, ir);
    if (ir->kind != FZI_IR_AGG)
        return ir;
    for (unsigned i = 0; i < ir->binder_count; i++) {
        binders[i] = ir->binders[i];
        binders[i].first = fzi_fold_to_table(lw, binders[i].first);
        if (binders[i].last)
            binders[i].last = fzi_fold_to_table(lw, binders[i].last);
    }
    const fzi_ir *condition = ir->args[0] ? fzi_fold_to_table(lw, ir->args[0]) : NULL;
    const fzi_ir *body = ir->args[1] ? fzi_fold_to_table(lw, ir->args[1]) : NULL;
    bool by_rows = m->fuses && ir->op == FZI_AGG_UNION && ir->binder_count == 1 && !condition &&
                binders[0].domain == FZI_DOMAIN_SITES && body->kind == FZI_IR_OP &&
                ir->is_set;
    const fzi_ir *own = fzi_ir_local(m, binders[0].local);
    if (by_rows && body->op == FZ_OP_STABLE && body->args[0]->kind == FZI_IR_LOCAL &&
        body->args[0]->local == own->local)
        return fzi_ir_opk(m, FZ_OP_SUNION_ROWS, binders[0].first, fzi_ir_int(m, 0), body->k[0], 1);
    if (by_rows && body->op == FZ_OP_STABLE2 && body->args[1]->kind == FZI_IR_LOCAL &&
        body->args[1]->local == own->local && !fzi_ir_mentions(body->args[0], own->local))
        return fzi_ir_opk(m, FZ_OP_SUNION_ROWS, binders[0].first, body->args[0], body->k[0],
                          body->k[1]);
    const fzi_ir *looped = fzi_ir_aggregate_like(m, ir, binders, condition, body);
    const fzi_ir *elements = aggregate_of_elements(lw, looped);
    return elements ? elements : unrolled(lw, ir, looped);
}

static const fzi_ir *fold_parts(fzi_lower *lw, const fzi_ir *ir)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_ir *args[16];
    if (ir->kind == FZI_IR_AGG)
        return fold_aggregate(lw, ir);
    if (ir->kind == FZI_IR_LET)
        return fold_let(lw, ir);
    bool changed = false;
    for (unsigned i = 0; i < ir->arg_count && i < 16; i++) {
        args[i] = fzi_fold_to_table(lw, ir->args[i]);
        changed |= args[i] != ir->args[i];
    }
    if (!changed)
        return ir;
    m->span = ir->span;
    return fzi_ir_with(m, ir, args);
}

static const fzi_ir *table_of(fzi_lower *lw, const fzi_ir *ir)
{
    if (!fzi_has_many_rows(lw, ir))
        return fzi_constant_table(lw, ir);
    const fzi_table_mark mark = fzi_tables_mark(&lw->build);
    return fzi_constant_table_from(lw, fold_parts(lw, ir), &mark);
}

const fzi_ir *fzi_fold_to_table(fzi_lower *lw, const fzi_ir *ir)
{
    fzi_span outer = lw->maker.span;
    if (ir->is_part)
        return ir;
    const fzi_ir *table = worth_a_table(ir) ? table_of(lw, ir) : NULL;
    lw->maker.span = outer;
    if (table)
        return table;
    const fzi_ir *made = fold_named(lw, fold_parts(lw, ir));
    lw->maker.span = outer;
    return made;
}
