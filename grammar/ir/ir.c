/* Makes IR nodes for elaboration and for the rewriting stages. A node's dependencies are computed
 * once, here; constants are folded. */
#include "ir.h"

#include "interp/support/words.h"

static fzi_ir *node_new(fzi_ir_maker *m, int kind)
{
    fzi_ir *ir = FZI_NEW(m->arena, fzi_ir);
    ir->kind = (uint8_t)kind;
    ir->span = m->span;
    ir->cost = 1;
    return ir;
}

static void add_free(fzi_ir *ir, fzi_local *local)
{
    for (unsigned i = 0; i < ir->free_count; i++) {
        if (ir->free[i] == local)
            return;
    }
    if (ir->free_count == FZI_IR_FREE)
        ir->many_free = true;
    else
        ir->free[ir->free_count++] = local;
}

static void drop_free(fzi_ir *ir, const fzi_local *local)
{
    for (unsigned i = 0; i < ir->free_count; i++) {
        if (ir->free[i] == local) {
            ir->free[i] = ir->free[--ir->free_count];
            return;
        }
    }
}

/* Adds what `part` depends on. */
static void depend(fzi_ir *ir, const fzi_ir *part)
{
    if (!part)
        return;
    ir->state |= part->state;
    ir->chance |= part->chance;
    ir->many_free |= part->many_free;
    if (ir->depth <= part->depth)
        ir->depth = part->depth + 1;
    ir->cost = ir->cost + part->cost < ir->cost ? UINT32_MAX : ir->cost + part->cost;
    for (unsigned i = 0; i < part->free_count; i++)
        add_free(ir, part->free[i]);
}

static void set_args(fzi_ir_maker *m, fzi_ir *ir, const fzi_ir *const *args, unsigned count)
{
    ir->args = fzi_arena_alloc(m->arena, sizeof *ir->args * (count ? count : 1));
    ir->arg_count = (uint8_t)count;
    for (unsigned i = 0; i < count; i++) {
        ir->args[i] = args[i];
        depend(ir, args[i]);
    }
}

const fzi_ir *fzi_ir_int(fzi_ir_maker *m, int64_t value)
{
    fzi_ir *ir = node_new(m, FZI_IR_INT);
    ir->value = value;
    ir->is_bool = value == 0 || value == 1;
    return ir;
}

const fzi_ir *fzi_ir_set(fzi_ir_maker *m, const uint64_t *words)
{
    fzi_ir *ir = node_new(m, FZI_IR_SET);
    ir->is_set = true;
    ir->words = fzi_arena_copy(m->arena, words, sizeof *words * m->words);
    return ir;
}

const fzi_ir *fzi_ir_none(fzi_ir_maker *m)
{
    static const uint64_t nothing[FZ_MAX_WORDS];
    return fzi_ir_set(m, nothing);
}

const fzi_ir *fzi_ir_all(fzi_ir_maker *m)
{
    uint64_t all[FZ_MAX_WORDS] = {0};
    for (unsigned s = 0; s < m->site_count; s++)
        fzi_words_add(all, s);
    return fzi_ir_set(m, all);
}

const fzi_ir *fzi_ir_local(fzi_ir_maker *m, fzi_local *local)
{
    fzi_ir *ir = node_new(m, FZI_IR_LOCAL);
    ir->local = local;
    ir->is_set = local->is_set;
    ir->is_bool = !local->is_set && local->finite && local->low == 0 && local->high == 1 &&
                    !local->may_be_absent;
    ir->cost = 0;
    add_free(ir, local);
    return ir;
}

bool fzi_ir_is_int(const fzi_ir *ir, int64_t value)
{
    return ir->kind == FZI_IR_INT && ir->value == value;
}

static bool same_words(const uint64_t *a, const uint64_t *b, unsigned words)
{
    return memcmp(a, b, sizeof *a * words) == 0;
}

bool fzi_ir_is_none(const fzi_ir *ir, unsigned words)
{
    static const uint64_t nothing[FZ_MAX_WORDS];
    return ir->kind == FZI_IR_SET && same_words(ir->words, nothing, words);
}

static bool is_all(const fzi_ir_maker *m, const fzi_ir *ir)
{
    if (ir->kind != FZI_IR_SET)
        return false;
    for (unsigned s = 0; s < m->site_count; s++) {
        if (!fzi_words_has(ir->words, s))
            return false;
    }
    return true;
}

/* Structural equality; nodes with chance are never equal. */
bool fzi_ir_same(const fzi_ir_maker *m, const fzi_ir *a, const fzi_ir *b)
{
    if (a == b)
        return !a->chance;
    if (a->kind != b->kind || a->chance || b->chance)
        return false;
    switch (a->kind) {
    case FZI_IR_INT:
        return a->value == b->value;
    case FZI_IR_SET:
        return same_words(a->words, b->words, m->words);
    case FZI_IR_LOCAL:
        return a->local == b->local;
    case FZI_IR_OP:
        if (a->op != b->op || a->arg_count != b->arg_count || memcmp(a->k, b->k, sizeof a->k) != 0)
            return false;
        for (unsigned i = 0; i < a->arg_count; i++) {
            if (!fzi_ir_same(m, a->args[i], b->args[i]))
                return false;
        }
        return true;
    default:
        return false;
    }
}

/* Most operations are safe: checks of indexes are operations of their own. */
bool fzi_ir_may_fail(const fzi_ir *ir)
{
    if (ir->kind == FZI_IR_CALL || (ir->kind == FZI_IR_AGG && ir->op == FZI_AGG_SUM) ||
        (ir->kind == FZI_IR_OP && !fzi_opcode_is(ir->op, FZ_FLAG_SAFE)))
        return true;
    for (unsigned i = 0; i < ir->binder_count; i++)
        if (fzi_ir_may_fail(ir->binders[i].first) ||
            (ir->binders[i].last && fzi_ir_may_fail(ir->binders[i].last)))
            return true;
    for (unsigned i = 0; i < ir->arg_count; i++)
        if (ir->args[i] && fzi_ir_may_fail(ir->args[i]))
            return true;
    return false;
}

static const fzi_ir *op_new(fzi_ir_maker *m, int op, const fzi_ir *const *args, unsigned count,
                            int32_t k0, int32_t k1)
{
    fzi_ir *ir = node_new(m, FZI_IR_OP);
    ir->op = (uint8_t)op;
    ir->is_set = fzi_opcode_operands((unsigned)op)[0] == 's';
    ir->is_bool = fzi_opcode_is((unsigned)op, FZ_FLAG_BOOL);
    ir->chance = fzi_opcode_is((unsigned)op, FZ_FLAG_CHANCE);
    ir->state = fzi_opcode_is((unsigned)op, FZ_FLAG_READS) || ir->chance;
    ir->k[0] = k0;
    ir->k[1] = k1;
    set_args(m, ir, args, count);
    return ir;
}

/* ---- folding of sets ---- */

static const fzi_ir *fold_sets(fzi_ir_maker *m, int op, const fzi_ir *a, const fzi_ir *b)
{
    uint64_t out[FZ_MAX_WORDS] = {0};
    for (unsigned i = 0; i < m->words; i++) {
        uint64_t x = a->words[i], y = b->words[i];
        out[i] = op == FZ_OP_SAND ? x & y : op == FZ_OP_SOR ? x | y : x & ~y;
    }
    return fzi_ir_set(m, out);
}

/* a & of_kind(k) where a is owned(p), with or without more around it. */
static const fzi_ir *meet_of(fzi_ir_maker *m, const fzi_ir *owned, const fzi_ir *placed)
{
    const fzi_ir *args[] = {placed->args[0], owned->args[0]};
    return op_new(m, FZ_OP_OF, args, 2, 0, 0);
}

/* Is a provably a subset of b? E.g. `empty` of `empty | theirs`. */
static bool is_within(const fzi_ir_maker *m, const fzi_ir *a, const fzi_ir *b)
{
    if (fzi_ir_same(m, a, b))
        return true;
    if (fzi_ir_is_op(b, FZ_OP_SOR) && (is_within(m, a, b->args[0]) || is_within(m, a, b->args[1])))
        return true;
    if (fzi_ir_is_op(a, FZ_OP_SAND))
        return is_within(m, a->args[0], b) || is_within(m, a->args[1], b);
    return fzi_ir_is_op(a, FZ_OP_SSUB) && is_within(m, a->args[0], b);
}

static const fzi_ir *fold_and(fzi_ir_maker *m, const fzi_ir *a, const fzi_ir *b)
{
    if (fzi_ir_is_none(a, m->words) || is_all(m, b) || fzi_ir_same(m, a, b))
        return a;
    if (fzi_ir_is_none(b, m->words) || is_all(m, a))
        return b;
    if (is_within(m, a, b))
        return a;
    if (is_within(m, b, a))
        return b;
    if (m->fuses && fzi_ir_is_op(a, FZ_OP_OWNED) && fzi_ir_is_op(b, FZ_OP_OF_KIND))
        return meet_of(m, a, b);
    if (m->fuses && fzi_ir_is_op(b, FZ_OP_OWNED) && fzi_ir_is_op(a, FZ_OP_OF_KIND))
        return meet_of(m, b, a);
    return NULL;
}

/* Unites slides that differ only in their directions. */
static const fzi_ir *unite_slides(fzi_ir_maker *m, const fzi_ir *a, const fzi_ir *b)
{
    if (!m->fuses || !fzi_ir_is_op(a, FZ_OP_SLIDE) || !fzi_ir_is_op(b, FZ_OP_SLIDE) ||
        !fzi_ir_same(m, a->args[0], b->args[0]) || !fzi_ir_same(m, a->args[2], b->args[2]) ||
        !fzi_ir_same(m, a->args[3], b->args[3]))
        return NULL;
    const fzi_ir *dirs = fzi_ir_op(m, FZ_OP_MOR, a->args[1], b->args[1]);
    return fzi_ir_op4(m, FZ_OP_SLIDE, a->args[0], dirs, a->args[2], a->args[3]);
}

static const fzi_ir *fold_or(fzi_ir_maker *m, const fzi_ir *a, const fzi_ir *b)
{
    if (fzi_ir_is_none(a, m->words) || is_all(m, b))
        return b;
    if (fzi_ir_is_none(b, m->words) || is_all(m, a) || fzi_ir_same(m, a, b))
        return a;
    return unite_slides(m, a, b);
}

static const fzi_ir *fold_sub(fzi_ir_maker *m, const fzi_ir *a, const fzi_ir *b)
{
    if (fzi_ir_is_none(a, m->words) || fzi_ir_is_none(b, m->words))
        return a;
    if (is_all(m, b) || fzi_ir_same(m, a, b))
        return fzi_ir_none(m);
    return NULL;
}

static const fzi_ir *fold_set_op(fzi_ir_maker *m, int op, const fzi_ir *a, const fzi_ir *b)
{
    if (op == FZ_OP_SNOT) {
        if (fzi_ir_is_op(a, FZ_OP_OCCUPIED))
            return op_new(m, FZ_OP_EMPTY, NULL, 0, 0, 0);
        if (a->kind == FZI_IR_SET)
            return fold_sets(m, FZ_OP_SSUB, fzi_ir_all(m), a);
        return NULL;
    }
    if (op != FZ_OP_SAND && op != FZ_OP_SOR && op != FZ_OP_SSUB)
        return NULL;
    if (a->kind == FZI_IR_SET && b->kind == FZI_IR_SET)
        return fold_sets(m, op, a, b);
    return op == FZ_OP_SAND ? fold_and(m, a, b) : op == FZ_OP_SOR ? fold_or(m, a, b)
                                                                  : fold_sub(m, a, b);
}

static const fzi_ir *fold_set_test(fzi_ir_maker *m, int op, const fzi_ir *a, const fzi_ir *b)
{
    if (op == FZ_OP_SSOME) {
        if (a->kind == FZI_IR_SET)
            return fzi_ir_int(m, !fzi_ir_is_none(a, m->words));
        if (m->fuses && fzi_ir_is_op(a, FZ_OP_SAND))
            return fzi_ir_op(m, FZ_OP_SMEETS, a->args[0], a->args[1]);
    }
    if (op == FZ_OP_SHAS && fzi_ir_is_none(b, m->words))
        return fzi_ir_int(m, 0);
    if (op == FZ_OP_SHAS && a->kind == FZI_IR_INT && b->kind == FZI_IR_SET)
        return fzi_ir_int(m, a->value >= 0 && fzi_words_has(b->words, (unsigned)a->value));
    if (op == FZ_OP_SBIT && a->kind == FZI_IR_INT) {
        uint64_t out[FZ_MAX_WORDS] = {0};
        if (a->value >= 0)
            fzi_words_add(out, (unsigned)a->value);
        return fzi_ir_set(m, out);
    }
    return NULL;
}

/* ---- folding of numbers ---- */

static bool fold_number(int op, int64_t x, int64_t y, int64_t *value)
{
    switch (op) {
    case FZ_OP_ADD: *value = x + y; break;
    case FZ_OP_SUB: *value = x - y; break;
    case FZ_OP_MUL: *value = x * y; break;
    case FZ_OP_IMIN: *value = x < y ? x : y; break;
    case FZ_OP_IMAX: *value = x > y ? x : y; break;
    case FZ_OP_EQ: *value = x == y; break;
    case FZ_OP_NE: *value = x != y; break;
    case FZ_OP_LT: *value = x < y; break;
    case FZ_OP_LE: *value = x <= y; break;
    case FZ_OP_MAND: *value = x & y; return true;
    case FZ_OP_MOR: *value = x | y; return true;
    case FZ_OP_MSUB: *value = x & ~y; return true;
    case FZ_OP_MHAS: *value = x >= 0 && x < 64 && (uint64_t)y >> x & 1; break;
    case FZ_OP_NOT: *value = x == 0; break;
    case FZ_OP_NEG: *value = -x; break;
    case FZ_OP_MBIT:
        if (x > 63)
            return false;
        *value = x < 0 ? 0 : (int64_t)((uint64_t)1 << x);
        return true;
    default: return false;
    }
    return *value >= INT32_MIN && *value <= INT32_MAX;
}

static const fzi_ir *fold_numbers(fzi_ir_maker *m, int op, const fzi_ir *a, const fzi_ir *b)
{
    int64_t value;
    if (!a || a->kind != FZI_IR_INT || (b && b->kind != FZI_IR_INT))
        return NULL;
    return fold_number(op, a->value, b ? b->value : 0, &value) ? fzi_ir_int(m, value) : NULL;
}

const fzi_ir *fzi_ir_op(fzi_ir_maker *m, int op, const fzi_ir *a, const fzi_ir *b)
{
    const fzi_ir *folded = fold_numbers(m, op, a, b);
    if (!folded)
        folded = fold_set_op(m, op, a, b);
    if (!folded)
        folded = fold_set_test(m, op, a, b);
    if (folded)
        return folded;
    const fzi_ir *args[] = {a, b};
    return op_new(m, op, args, b ? 2 : a ? 1 : 0, 0, 0);
}

const fzi_ir *fzi_ir_op4(fzi_ir_maker *m, int op, const fzi_ir *a, const fzi_ir *b, const fzi_ir *c,
                         const fzi_ir *d)
{
    const fzi_ir *args[] = {a, b, c, d};
    return op_new(m, op, args, d ? 4 : c ? 3 : 2, 0, 0);
}

const fzi_ir *fzi_ir_opk(fzi_ir_maker *m, int op, const fzi_ir *a, const fzi_ir *b, int32_t k0,
                         int32_t k1)
{
    const fzi_ir *args[] = {a, b};
    return op_new(m, op, args, b ? 2 : a ? 1 : 0, k0, k1);
}

/* ---- the rest ---- */

const fzi_ir *fzi_ir_if(fzi_ir_maker *m, const fzi_ir *condition, const fzi_ir *yes,
                        const fzi_ir *no)
{
    if (condition->kind == FZI_IR_INT)
        return condition->value ? yes : no;
    if (fzi_ir_same(m, yes, no) && !condition->chance)
        return yes;
    if (condition->is_bool && fzi_ir_is_int(yes, 1) && fzi_ir_is_int(no, 0))
        return condition;
    const fzi_ir *args[] = {condition, yes, no};
    fzi_ir *ir = node_new(m, FZI_IR_IF);
    ir->is_set = yes->is_set;
    ir->is_bool = yes->is_bool && no->is_bool;
    set_args(m, ir, args, 3);
    return ir;
}

const fzi_ir *fzi_ir_and(fzi_ir_maker *m, const fzi_ir *a, const fzi_ir *b)
{
    return fzi_ir_if(m, a, b, fzi_ir_int(m, 0));
}

const fzi_ir *fzi_ir_or(fzi_ir_maker *m, const fzi_ir *a, const fzi_ir *b)
{
    return fzi_ir_if(m, a, fzi_ir_int(m, 1), b);
}

const fzi_ir *fzi_ir_not(fzi_ir_maker *m, const fzi_ir *a)
{
    if (fzi_ir_is_op(a, FZ_OP_NOT))
        return a->args[0];
    return fzi_ir_op(m, FZ_OP_NOT, a, NULL);
}

const fzi_ir *fzi_ir_let(fzi_ir_maker *m, fzi_local *local, const fzi_ir *value, const fzi_ir *body)
{
    const fzi_ir *args[] = {value, body};
    if (!value->chance && !fzi_ir_mentions(body, local))
        return body;
    fzi_ir *ir = node_new(m, FZI_IR_LET);
    ir->local = local;
    ir->is_set = body->is_set;
    ir->is_bool = body->is_bool;
    set_args(m, ir, args, 2);
    drop_free(ir, local);
    for (unsigned i = 0; i < value->free_count; i++)
        add_free(ir, value->free[i]);
    return ir;
}

static const fzi_ir *aggregate_new(fzi_ir_maker *m, int over, fzi_binder *binders, unsigned count,
                                   const fzi_ir *condition, const fzi_ir *body, bool is_set,
                                   int32_t initial, int32_t type)
{
    const fzi_ir *args[] = {condition, body};
    fzi_ir *ir = node_new(m, FZI_IR_AGG);
    ir->op = (uint8_t)over;
    ir->is_set = is_set;
    ir->is_bool = over == FZI_AGG_ANY || over == FZI_AGG_ALL;
    ir->chance = ir->state = over == FZI_AGG_RANDOM;
    ir->k[0] = initial;
    ir->k[1] = type;
    ir->binders = fzi_arena_copy(m->arena, binders, sizeof *binders * count);
    ir->binder_count = (uint8_t)count;
    set_args(m, ir, args, 2);
    ir->cost += 20;
    for (unsigned i = count; i-- > 0;) {
        drop_free(ir, binders[i].local);
        depend(ir, binders[i].first);
        depend(ir, binders[i].last);
    }
    return ir;
}

const fzi_ir *fzi_ir_aggregate(fzi_ir_maker *m, int over, fzi_binder *binders, unsigned count,
                               const fzi_ir *condition, const fzi_ir *body, bool is_set,
                               int32_t initial)
{
    return aggregate_new(m, over, binders, count, condition, body, is_set, initial, 0);
}

const fzi_ir *fzi_ir_aggregate_like(fzi_ir_maker *m, const fzi_ir *ir, fzi_binder *binders,
                                    const fzi_ir *condition, const fzi_ir *body)
{
    return aggregate_new(m, ir->op, binders, ir->binder_count, condition, body, ir->is_set,
                         ir->k[0], ir->k[1]);
}

const fzi_ir *fzi_ir_draw(fzi_ir_maker *m, fzi_binder *binders, unsigned count,
                          const fzi_ir *condition, const fzi_ir *weight, int32_t initial,
                          uint16_t type)
{
    return aggregate_new(m, FZI_AGG_RANDOM, binders, count, condition, weight, false, initial,
                         type);
}

const fzi_ir *fzi_ir_call(fzi_ir_maker *m, uint32_t function, const fzi_ir *const *args,
                          unsigned count, bool is_set, bool state, bool chance)
{
    fzi_ir *ir = node_new(m, FZI_IR_CALL);
    ir->function = function;
    ir->is_set = is_set;
    ir->state = state;
    ir->chance = chance;
    set_args(m, ir, args, count);
    ir->cost += 50;
    return ir;
}

bool fzi_ir_mentions(const fzi_ir *ir, const fzi_local *local)
{
    for (unsigned i = 0; i < ir->free_count; i++) {
        if (ir->free[i] == local)
            return true;
    }
    if (!ir->many_free)
        return false;
    if (ir->kind == FZI_IR_LOCAL)
        return ir->local == local;
    for (unsigned i = 0; i < ir->arg_count; i++) {
        if (ir->args[i] && fzi_ir_mentions(ir->args[i], local))
            return true;
    }
    for (unsigned i = 0; i < ir->binder_count; i++) {
        const fzi_binder *b = &ir->binders[i];
        if (fzi_ir_mentions(b->first, local) || (b->last && fzi_ir_mentions(b->last, local)))
            return true;
    }
    return false;
}

static const fzi_ir *replace_aggregate(fzi_ir_maker *m, const fzi_ir *ir, fzi_local *local,
                                       const fzi_ir *by)
{
    fzi_binder binders[FZ_MAX_BINDINGS];
    for (unsigned i = 0; i < ir->binder_count; i++) {
        binders[i] = ir->binders[i];
        binders[i].first = fzi_ir_replace(m, binders[i].first, local, by);
        if (binders[i].last)
            binders[i].last = fzi_ir_replace(m, binders[i].last, local, by);
    }
    const fzi_ir *condition = ir->args[0] ? fzi_ir_replace(m, ir->args[0], local, by) : NULL;
    const fzi_ir *body = ir->args[1] ? fzi_ir_replace(m, ir->args[1], local, by) : NULL;
    return fzi_ir_aggregate_like(m, ir, binders, condition, body);
}

const fzi_ir *fzi_ir_with(fzi_ir_maker *m, const fzi_ir *ir, const fzi_ir *const *args)
{
    const fzi_ir *second = ir->arg_count > 1 ? args[1] : NULL;
    switch (ir->kind) {
    case FZI_IR_IF:
        return fzi_ir_if(m, args[0], args[1], args[2]);
    case FZI_IR_LET:
        return fzi_ir_let(m, ir->local, args[0], args[1]);
    case FZI_IR_CALL:
        return fzi_ir_call(m, ir->function, args, ir->arg_count, ir->is_set, ir->state, ir->chance);
    default:
        if (ir->arg_count > 2)
            return fzi_ir_op4(m, ir->op, args[0], args[1], args[2],
                              ir->arg_count > 3 ? args[3] : NULL);
        return ir->k[0] || ir->k[1] ? fzi_ir_opk(m, ir->op, args[0], second, ir->k[0], ir->k[1])
                                    : fzi_ir_op(m, ir->op, args[0], second);
    }
}

const fzi_ir *fzi_ir_replace(fzi_ir_maker *m, const fzi_ir *ir, fzi_local *local, const fzi_ir *by)
{
    const fzi_ir *args[16];
    if (!fzi_ir_mentions(ir, local))
        return ir;
    if (ir->kind == FZI_IR_LOCAL)
        return by;
    if (ir->kind == FZI_IR_AGG)
        return replace_aggregate(m, ir, local, by);
    for (unsigned i = 0; i < ir->arg_count && i < 16; i++)
        args[i] = fzi_ir_replace(m, ir->args[i], local, by);
    return fzi_ir_with(m, ir, args);
}
