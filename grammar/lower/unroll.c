/* Rewrites expressions that depend on the state so that constant tables apply. Operands that depend
 * on the state and have few values get names, so the rest depends on locals only. Loops over few
 * constant members are unrolled, so each part gets tables of its own. Common subexpressions of the
 * parts are computed once. */
#include "unroll.h"

#include "interp/program/opcodes.h"
#include "constant_tables.h"

enum {
    MAX_VALUES = 64,        /* of what gets a name */
    MAX_PARTS = 8,          /* of a loop that is written out */
    MAX_UNROLLING = 3,      /* loops inside each other: each part unrolls those inside it anew */
    MAX_UNROLLED = 256,     /* the cost of all parts */
    MAX_NAMES = 16,         /* that parts have in common */
    MAX_TRYING = 2          /* `let`s inside each other that are tried both ways */
};

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

const fzi_ir *fzi_tabulate_named(fzi_lower *lw, const fzi_ir *ir)
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
    const fzi_ir *body = ir->arg_count > 2
                             ? fzi_ir_op4(m, ir->op, args[0], args[1], args[2], args[3])
                             : fzi_ir_op(m, ir->op, args[0], args[1]);
    body = fzi_tabulate(lw, body);
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
const fzi_ir *fzi_tabulate_let(fzi_lower *lw, const fzi_ir *ir)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_ir *value = fzi_tabulate(lw, ir->args[0]);
    if (value->kind == FZI_IR_LET) { /* what the value names is named before */
        fzi_local *name = local_copy(lw, value->local);
        const fzi_ir *rest = fzi_ir_replace(m, value->args[1], value->local, fzi_ir_local(m, name));
        const fzi_ir *inner = fzi_ir_let(m, ir->local, rest, ir->args[1]);
        inner = inner->kind == FZI_IR_LET ? fzi_tabulate_let(lw, inner) : fzi_tabulate(lw, inner);
        return fzi_ir_let(m, name, value->args[0], inner);
    }
    const fzi_ir *made = fzi_ir_let(m, ir->local, value, fzi_tabulate(lw, ir->args[1]));
    if (value->kind != FZI_IR_OP || value->state || value->is_set || lw->trying == MAX_TRYING)
        return made;
    lw->trying++;
    const fzi_ir *replaced = fzi_tabulate(lw, fzi_ir_replace(m, ir->args[1], ir->local, value));
    lw->trying--;
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
            if (b->first->words[s / 64] >> s % 64 & 1)
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
    case FZI_OVER_ANY: return fzi_ir_or(m, a, b);
    case FZI_OVER_ALL: return fzi_ir_and(m, a, b);
    case FZI_OVER_UNION: return fzi_ir_op(m, ir->is_set ? FZ_OP_SOR : FZ_OP_MOR, a, b);
    default: return fzi_ir_op(m, FZ_OP_ADD, a, b);
    }
}

/* What a member adds that fails the condition. */
static const fzi_ir *neutral(fzi_ir_maker *m, const fzi_ir *ir)
{
    return ir->is_set ? fzi_ir_none(m) : fzi_ir_int(m, ir->op == FZI_OVER_ALL);
}

static const fzi_ir *part_of(fzi_lower *lw, const fzi_ir *ir, int64_t member)
{
    fzi_ir_maker *m = &lw->maker;
    fzi_local *local = ir->binders[0].local;
    const fzi_ir *value = fzi_ir_int(m, member);
    const fzi_ir *part =
        ir->op == FZI_OVER_COUNT ? fzi_ir_int(m, 1) : fzi_ir_replace(m, ir->args[1], local, value);
    if (ir->args[0])
        part = fzi_ir_if(m, fzi_ir_replace(m, ir->args[0], local, value), part, neutral(m, ir));
    lw->unrolling++;
    part = fzi_tabulate(lw, part);
    lw->unrolling--;
    return part;
}

const fzi_ir *fzi_unrolled(fzi_lower *lw, const fzi_ir *ir, const fzi_ir *looped)
{
    fzi_ir_maker *m = &lw->maker;
    int64_t members[MAX_PARTS];
    parts all = {.names = 0};
    bool sums = ir->op == FZI_OVER_ANY || ir->op == FZI_OVER_ALL || ir->op == FZI_OVER_UNION ||
                ir->op == FZI_OVER_COUNT || ir->op == FZI_OVER_SUM;
    if (!sums || !fzi_uses(lw, FZ_OPT_UNROLLED) || ir->binder_count != 1 || !ir->state ||
        ir->chance || lw->trying == MAX_TRYING || lw->unrolling == MAX_UNROLLING)
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
