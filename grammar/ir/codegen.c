/* Generates instructions for IR expressions. Registers are a stack: an expression leaves one value
 * and frees the other registers that it used. Statements, choices and constants call it. */
#include "codegen.h"

/* ---- functions, labels, registers ---- */

void fzi_emit_begin(fzi_lower *lower, fzi_codegen *e, uint32_t function, uint8_t result)
{
    memset(e, 0, sizeof *e);
    e->lower = lower;
    e->b = &lower->build;
    e->result = result;
    e->outer_depth = lower->depth;
    lower->depth = 0;
    FZI_ITEM(e->b->functions, fz_function, function)->result = result;
    fzi_function_begin(e->b, &e->code, function);
}

void fzi_emit_end(fzi_codegen *e)
{
    fzi_function_end(e->b, &e->code, e->max_ints, e->max_sets);
    e->lower->depth = e->outer_depth;
}

void fzi_label_place(fzi_codegen *e, fzi_label *label)
{
    label->target = fzi_code_here(&e->code);
    for (size_t i = 0; i < label->fixups.count; i++)
        fzi_code_patch(&e->code, *FZI_ITEM(label->fixups, uint32_t, i), label->target);
}

void fzi_label_use(fzi_codegen *e, fzi_label *label)
{
    uint32_t where = fzi_code_target(e->b, &e->code, label->target);
    if (label->target == FZI_NOWHERE)
        fzi_array_add(e->b, &label->fixups, &where);
}

void fzi_gen(fzi_codegen *e, int op, unsigned a, unsigned b, unsigned c)
{
    fzi_code_add(e->b, &e->code, e->span, op, a, b, c);
}

void fzi_gen_word(fzi_codegen *e, int64_t word)
{
    fzi_code_word(e->b, &e->code, (uint32_t)word);
}

void fzi_lower_bug(fzi_codegen *e, const char *what)
{
    fzi_give_up(e->b, e->span, FZ_E_NO_CODE, what ? what : "?");
}

void fzi_gen_with(fzi_codegen *e, int op, unsigned a, unsigned b, unsigned c, int64_t word)
{
    fzi_gen(e, op, a, b, c);
    fzi_gen_word(e, word);
}

void fzi_gen_number(fzi_codegen *e, unsigned reg, int64_t value)
{
    fzi_gen_with(e, FZ_OP_INT, reg, 0, 0, value);
}

void fzi_gen_jump_if(fzi_codegen *e, int op, unsigned a, unsigned b, fzi_label *to)
{
    fzi_gen(e, op, a, b, 0);
    fzi_label_use(e, to);
}

void fzi_gen_jump(fzi_codegen *e, fzi_label *to)
{
    fzi_gen_jump_if(e, FZ_OP_JUMP, 0, 0, to);
}

static unsigned take(fzi_codegen *e, unsigned *used, unsigned *most, unsigned count)
{
    unsigned first = *used;
    if (first + count > FZ_MAX_REGISTERS) {
        fzi_give_up(e->b, e->span, FZ_E_TOO_COMPLEX, NULL);
        return 0;
    }
    *used += count;
    *most = *used > *most ? *used : *most;
    return first;
}

unsigned fzi_new_ints(fzi_codegen *e, unsigned count)
{
    return take(e, &e->used.ints, &e->max_ints, count);
}

unsigned fzi_new_sets(fzi_codegen *e, unsigned count)
{
    return take(e, &e->used.sets, &e->max_sets, count);
}

unsigned fzi_new_int(fzi_codegen *e)
{
    return fzi_new_ints(e, 1);
}

unsigned fzi_new_set(fzi_codegen *e)
{
    return fzi_new_sets(e, 1);
}

unsigned fzi_new_reg(fzi_codegen *e, bool is_set)
{
    return is_set ? fzi_new_set(e) : fzi_new_int(e);
}

void fzi_take_parameter(fzi_codegen *e, fzi_local *local)
{
    fz_function *f = FZI_ITEM(e->b->functions, fz_function, e->code.index);
    local->reg = (int)fzi_new_reg(e, local->is_set);
    *(local->is_set ? &f->set_params : &f->int_params) += 1;
}

/* ---- operations ---- */

/* Loads a constant set. Equal sets share one row of the pool. */
static void gen_constant_set(fzi_codegen *e, const fzi_ir *ir, unsigned reg)
{
    if (fzi_ir_is_none(ir, e->lower->maker.words)) {
        fzi_gen(e, FZ_OP_SNONE, reg, 0, 0);
        return;
    }
    fzi_gen_with(e, FZ_OP_SROW, reg, 0, 0, fzi_build_set_table(e->b, ir->words, 1));
    fzi_gen_word(e, 0);
}

static bool is_literal(const fzi_ir *ir)
{
    return ir->kind == FZI_IR_INT && ir->value >= 0;
}

/* ADDK also subtracts, so the negative value must fit too. */
bool fzi_is_addend(const fzi_ir *ir)
{
    return ir->kind == FZI_IR_INT && ir->value > INT32_MIN && ir->value <= INT32_MAX;
}

static bool gen_given(fzi_codegen *e, const fzi_ir *ir, unsigned reg)
{
    fzi_registers used = e->used;
    unsigned other, set;
    bool fuses = fzi_uses(e->lower, FZ_OPT_FUSED);
    switch (ir->op) {
    case FZ_OP_OF:
        if (!fuses || !is_literal(ir->args[0]))
            return false;
        other = fzi_gen_value(e, ir->args[1]);
        e->span = ir->span;
        fzi_gen(e, FZ_OP_OF_GIVEN, reg, (unsigned)ir->args[0]->value, other);
        break;
    case FZ_OP_ADD: case FZ_OP_SUB:
        if (!fzi_is_addend(ir->args[1]))
            return false;
        other = fzi_gen_value(e, ir->args[0]);
        e->span = ir->span;
        fzi_gen_with(e, FZ_OP_ADDK, reg, other, 0,
                     ir->op == FZ_OP_ADD ? ir->args[1]->value : -ir->args[1]->value);
        break;
    case FZ_OP_SHIFT:
        if (!fuses || !is_literal(ir->args[1]))
            return false;
        set = fzi_gen_value(e, ir->args[0]);
        e->span = ir->span;
        fzi_gen(e, FZ_OP_SHIFT_GIVEN, reg, set, (unsigned)ir->args[1]->value);
        break;
    case FZ_OP_LINE_AT: {
        uint32_t windows;
        if (ir->args[2]->kind != FZI_IR_INT || ir->args[3]->kind != FZI_IR_INT ||
            !fzi_line_windows(e->lower, ir->args[2]->value, (uint64_t)ir->args[3]->value, &windows))
            return false;
        other = fzi_gen_value(e, ir->args[0]);
        set = fzi_gen_value(e, ir->args[1]);
        e->span = ir->span;
        fzi_gen_with(e, FZ_OP_LINE_AT_GIVEN, reg, other, set, ir->args[2]->value);
        fzi_gen_word(e, windows);
        break;
    }
    default:
        return false;
    }
    e->used = used;
    return true;
}

/* Is the set empty in one case of a condition? */
static bool is_conditional(const fzi_codegen *e, const fzi_ir *ir)
{
    unsigned words = e->lower->maker.words;
    return ir->kind == FZI_IR_IF && ir->is_set &&
           (fzi_ir_is_none(ir->args[1], words) || fzi_ir_is_none(ir->args[2], words));
}

/* a | (if c then b else {}) as additions to a, each jumped over unless its condition holds. */
static void gen_union_to(fzi_codegen *e, const fzi_ir *ir, unsigned reg)
{
    bool more = ir->kind == FZI_IR_OP && ir->op == FZ_OP_SOR && is_conditional(e, ir->args[1]);
    if (!more && !is_conditional(e, ir)) {
        fzi_gen_to(e, ir, reg);
        return;
    }
    fzi_registers used = e->used;
    const fzi_ir *added = more ? ir->args[1] : ir;
    bool sense = fzi_ir_is_none(added->args[2], e->lower->maker.words);
    fzi_label past = FZI_LABEL;
    if (more)
        gen_union_to(e, ir->args[0], reg);
    else
        fzi_gen(e, FZ_OP_SNONE, reg, 0, 0);
    fzi_gen_branch(e, added->args[0], !sense, &past);
    fzi_gen(e, FZ_OP_SOR, reg, reg, fzi_gen_value(e, added->args[sense ? 1 : 2]));
    fzi_label_place(e, &past);
    e->used = used;
}

static bool gen_union(fzi_codegen *e, const fzi_ir *ir, unsigned reg, bool fresh)
{
    if (ir->op != FZ_OP_SOR || !is_conditional(e, ir->args[1]))
        return false;
    unsigned sets = e->used.sets, own = fresh ? reg : fzi_new_set(e); /* parts may read `reg` */
    gen_union_to(e, ir, own);
    if (own != reg)
        fzi_gen(e, FZ_OP_SCOPY, reg, own, 0);
    e->used.sets = sets;
    return true;
}

static void gen_op(fzi_codegen *e, const fzi_ir *ir, unsigned reg, bool fresh)
{
    if (gen_union(e, ir, reg, fresh))
        return;
    if (gen_given(e, ir, reg))
        return;
    const char *operands = fzi_opcode_operands(ir->op);
    const char *extension = fzi_opcode_extension(ir->op);
    unsigned regs[FZI_IR_ARGS] = {0};
    fzi_registers used = e->used;
    for (unsigned i = 0; i < ir->arg_count; i++)
        regs[i] = fzi_gen_value(e, ir->args[i]);
    e->used = used;
    e->span = ir->span;
    if (ir->op == FZ_OP_LAST) { /* k[0]: 0 from, 1 to */
        unsigned other = fzi_new_int(e);
        e->used = used;
        fzi_gen(e, FZ_OP_LAST, ir->k[0] ? other : reg, ir->k[0] ? reg : other, 0);
        return;
    }
    if (ir->op == FZ_OP_SADD) {
        fzi_gen(e, ir->op, reg, regs[0], 0);
        return;
    }
    fzi_gen(e, ir->op, reg, operands[1] == '_' ? 0 : regs[0], operands[2] == '_' ? 0 : regs[1]);
    for (unsigned i = 0, k = 0; extension[i]; i++) {
        if (extension[i] == '4')
            fzi_gen_word(e, regs[2] | (int64_t)regs[3] << 8);
        else
            fzi_gen_word(e, ir->k[k++]);
    }
}

/* ---- calls ---- */

void fzi_gen_call(fzi_codegen *e, int op, unsigned first_int, unsigned first_set, unsigned into,
                  uint32_t function)
{
    fzi_gen_with(e, op, first_int, first_set, into, function);
    fzi_array_add(e->b, &e->code.calls, &function);
}

void fzi_gen_arguments(fzi_codegen *e, const fzi_ir *const *args, unsigned count,
                       unsigned *first_int, unsigned *first_set)
{
    unsigned ints = 0, sets = 0;
    for (unsigned i = 0; i < count; i++)
        *(args[i]->is_set ? &sets : &ints) += 1;
    *first_int = fzi_new_ints(e, ints);
    *first_set = fzi_new_sets(e, sets);
    for (unsigned i = 0, n = *first_int, s = *first_set; i < count; i++)
        fzi_gen_to(e, args[i], args[i]->is_set ? s++ : n++);
}

static void gen_call(fzi_codegen *e, const fzi_ir *ir, unsigned reg)
{
    fzi_registers used = e->used;
    unsigned first_int, first_set;
    fzi_gen_arguments(e, ir->args, ir->arg_count, &first_int, &first_set);
    e->used = used;
    e->span = ir->span;
    fzi_gen_call(e, FZ_OP_CALL, first_int, first_set, reg, ir->function);
}

/* ---- loops and aggregates ---- */

void fzi_loop_begin(fzi_codegen *e, fzi_loop *loop, const fzi_binder *binder, unsigned reg)
{
    *loop = (fzi_loop){FZI_LABEL, FZI_LABEL, binder, 0};
    binder->local->reg = (int)reg;
    bool fuses = fzi_uses(e->lower, FZ_OPT_FUSED);
    if (binder->domain == FZI_DOMAIN_RANGE) {
        loop->last = fzi_new_int(e);
        fzi_gen_to(e, binder->last, loop->last);
        fzi_gen_to(e, binder->first, reg);
        if (!fuses)
            fzi_label_place(e, &loop->again);
        fzi_gen_jump_if(e, FZ_OP_JLT, loop->last, reg, &loop->out);
        if (fuses)
            fzi_label_place(e, &loop->again);
        return;
    }
    bool sites = binder->domain == FZI_DOMAIN_SITES;
    unsigned work = fzi_new_reg(e, sites);
    fzi_gen_to(e, binder->first, work);
    loop->last = work;
    if (!fuses)
        fzi_label_place(e, &loop->again);
    fzi_gen_jump_if(e, sites ? FZ_OP_EACH : FZ_OP_MEACH, reg, work, &loop->out);
    if (fuses)
        fzi_label_place(e, &loop->again);
}

void fzi_loop_end(fzi_codegen *e, fzi_loop *loop)
{
    int op = loop->binder->domain == FZI_DOMAIN_RANGE   ? FZ_OP_COUNT_UP
             : loop->binder->domain == FZI_DOMAIN_SITES ? FZ_OP_EACH_ON
                                                        : FZ_OP_MEACH_ON;
    unsigned reg = (unsigned)loop->binder->local->reg;
    if (fzi_uses(e->lower, FZ_OPT_FUSED)) {
        fzi_gen_jump_if(e, op, reg, loop->last, &loop->again);
    } else {
        if (op == FZ_OP_COUNT_UP)
            fzi_gen_with(e, FZ_OP_ADDK, reg, reg, 0, 1);
        fzi_gen_jump(e, &loop->again);
    }
    fzi_label_place(e, &loop->out);
}

/* May the binder's values lie outside of what a set of numbers holds? */
static bool may_not_fit(const fzi_binder *binder)
{
    const fzi_ir *low = binder->first, *high = binder->last;
    if (binder->domain != FZI_DOMAIN_RANGE)
        return false;
    return low->kind != FZI_IR_INT || high->kind != FZI_IR_INT ||
           !fzi_fits_mask(low->value, high->value);
}

/* The body of the innermost loop of an aggregate. */
static void gen_aggregate_step(fzi_codegen *e, const fzi_ir *ir, unsigned reg, unsigned seen,
                               fzi_label *done)
{
    const fzi_ir *body = ir->args[1];
    fzi_registers used = e->used;
    unsigned value;
    int bound = ir->binders[0].local->reg;
    switch (ir->op) {
    case FZI_AGG_ANY:
        fzi_gen_number(e, reg, 1);
        fzi_gen_jump(e, done);
        break;
    case FZI_AGG_ALL:
        fzi_gen_number(e, reg, 0);
        fzi_gen_jump(e, done);
        break;
    case FZI_AGG_COUNT: fzi_gen_with(e, FZ_OP_ADDK, reg, reg, 0, 1); break;
    case FZI_AGG_SUM: fzi_gen(e, FZ_OP_ADD, reg, reg, fzi_gen_value(e, body)); break;
    case FZI_AGG_MAX: case FZI_AGG_MIN: {
        fzi_label first = FZI_LABEL, next = FZI_LABEL;
        value = fzi_gen_value(e, body);
        fzi_gen_jump_if(e, FZ_OP_JFALSE, seen, 0, &first);
        fzi_gen(e, ir->op == FZI_AGG_MAX ? FZ_OP_IMAX : FZ_OP_IMIN, reg, reg, value);
        fzi_gen_jump(e, &next);
        fzi_label_place(e, &first);
        fzi_gen(e, FZ_OP_COPY, reg, value, 0);
        fzi_gen_number(e, seen, 1);
        fzi_label_place(e, &next);
        break;
    }
    case FZI_AGG_UNION:
        fzi_gen(e, ir->is_set ? FZ_OP_SOR : FZ_OP_MOR, reg, reg, fzi_gen_value(e, body));
        break;
    case FZI_AGG_FIRST:
        fzi_gen(e, FZ_OP_COPY, reg, (unsigned)bound, 0);
        fzi_gen_jump(e, done);
        break;
    case FZI_AGG_FILTER:
        if (ir->is_set) {
            fzi_gen(e, FZ_OP_SADD, reg, (unsigned)bound, 0);
        } else {
            value = fzi_new_int(e);
            if (may_not_fit(&ir->binders[0])) {
                fzi_gen_with(e, FZ_OP_CHECKED, value, (unsigned)bound, 0, 0);
                fzi_gen_word(e, FZI_MASK_BITS - 1);
            }
            fzi_gen(e, FZ_OP_MBIT, value, (unsigned)bound, 0);
            fzi_gen(e, FZ_OP_MOR, reg, reg, value);
        }
        break;
    default: /* FZI_AGG_RANDOM */
        value = fzi_gen_value(e, body);
        fzi_gen(e, FZ_OP_WEIGHT, (unsigned)bound, value, 0);
        break;
    }
    e->used = used;
}

static void gen_aggregate_begin(fzi_codegen *e, const fzi_ir *ir, unsigned reg)
{
    if (ir->is_set) {
        fzi_gen(e, FZ_OP_SNONE, reg, 0, 0);
    } else if (ir->op == FZI_AGG_FIRST) {
        fzi_gen_to(e, ir->args[1], reg);
    } else {
        fzi_gen_number(e, reg, ir->op == FZI_AGG_ALL ? 1 : 0);
    }
}

static void gen_aggregate(fzi_codegen *e, const fzi_ir *ir, unsigned reg, bool fresh)
{
    fzi_loop loops[FZ_MAX_BINDINGS];
    fzi_registers used = e->used;
    uint32_t weigh = 0;
    fzi_label done = FZI_LABEL;
    unsigned seen = 0;
    /* The result may not be a register that the loops read. */
    unsigned acc = fresh ? reg : fzi_new_reg(e, ir->is_set);
    if (ir->op == FZI_AGG_MAX || ir->op == FZI_AGG_MIN) {
        seen = fzi_new_int(e);
        fzi_gen_number(e, seen, 0);
    }
    if (ir->op == FZI_AGG_RANDOM) {
        weigh = fzi_code_here(&e->code);
        fzi_gen_with(e, FZ_OP_WEIGH, 0, 0, 0, ir->k[1]);
    } else {
        gen_aggregate_begin(e, ir, acc);
    }
    for (unsigned i = 0; i < ir->binder_count; i++)
        fzi_loop_begin(e, &loops[i], &ir->binders[i], fzi_new_int(e));
    fzi_label skip = FZI_LABEL;
    if (ir->args[0])
        fzi_gen_branch(e, ir->args[0], false, &skip);
    if (ir->op == FZI_AGG_ANY)
        fzi_gen_branch(e, ir->args[1], false, &skip);
    else if (ir->op == FZI_AGG_ALL)
        fzi_gen_branch(e, ir->args[1], true, &skip);
    gen_aggregate_step(e, ir, acc, seen, &done);
    fzi_label_place(e, &skip);
    for (unsigned i = ir->binder_count; i-- > 0;)
        fzi_loop_end(e, &loops[i]);
    fzi_label_place(e, &done);
    e->used = used;
    if (ir->op == FZI_AGG_RANDOM) {
        e->span = ir->span;
        fzi_gen_with(e, FZ_OP_RANDOM_WEIGHED, reg, 0, 0, ir->k[0]);
        fzi_code_target(e->b, &e->code, weigh);
    } else if (acc != reg) {
        fzi_gen(e, ir->is_set ? FZ_OP_SCOPY : FZ_OP_COPY, reg, acc, 0);
    }
}

/* ---- expressions ---- */

static void gen_if(fzi_codegen *e, const fzi_ir *ir, unsigned reg)
{
    fzi_label no = FZI_LABEL, out = FZI_LABEL;
    fzi_gen_branch(e, ir->args[0], false, &no);
    fzi_gen_to(e, ir->args[1], reg);
    fzi_gen_jump(e, &out);
    fzi_label_place(e, &no);
    fzi_gen_to(e, ir->args[2], reg);
    fzi_label_place(e, &out);
}

static void gen_let(fzi_codegen *e, const fzi_ir *ir, unsigned reg)
{
    fzi_registers used = e->used;
    ir->local->reg = (int)fzi_new_reg(e, ir->local->is_set);
    fzi_gen_to(e, ir->args[0], (unsigned)ir->local->reg);
    fzi_gen_to(e, ir->args[1], reg);
    e->used = used;
}

void fzi_gen_to(fzi_codegen *e, const fzi_ir *ir, unsigned reg)
{
    fzi_registers used = e->used;
    bool fresh = e->fresh == reg + 1;
    e->fresh = 0;
    switch (ir->kind) {
    case FZI_IR_INT:
        fzi_gen_with(e, ir->value < INT32_MIN || ir->value > INT32_MAX ? FZ_OP_WIDE : FZ_OP_INT,
                     reg, 0, 0, ir->value);
        if (ir->value < INT32_MIN || ir->value > INT32_MAX)
            fzi_gen_word(e, (int64_t)((uint64_t)ir->value >> 32));
        break;
    case FZI_IR_SET:
        gen_constant_set(e, ir, reg);
        break;
    case FZI_IR_LOCAL:
        if (ir->local->reg < 0)
            fzi_lower_bug(e, ir->local->name);
        else if ((unsigned)ir->local->reg != reg)
            fzi_gen(e, ir->is_set ? FZ_OP_SCOPY : FZ_OP_COPY, reg, (unsigned)ir->local->reg, 0);
        break;
    case FZI_IR_OP:
        gen_op(e, ir, reg, fresh);
        break;
    case FZI_IR_IF:
        gen_if(e, ir, reg);
        break;
    case FZI_IR_LET:
        gen_let(e, ir, reg);
        break;
    case FZI_IR_AGG: gen_aggregate(e, ir, reg, fresh); break;
    default:
        gen_call(e, ir, reg);
        break;
    }
    e->used = used;
}

unsigned fzi_gen_value(fzi_codegen *e, const fzi_ir *ir)
{
    if (ir->kind == FZI_IR_LOCAL && ir->local->reg >= 0)
        return (unsigned)ir->local->reg;
    unsigned reg = fzi_new_reg(e, ir->is_set);
    e->fresh = reg + 1;
    fzi_gen_to(e, ir, reg);
    return reg;
}

/* ---- conditions ---- */

/* Tests that have jumps of their own, for each sense of the condition. The operands are evaluated
 * in their order; not (a < b) is b <= a, and the set of a SHAS comes first. */
typedef struct jump {
    uint8_t test, if_false, if_true;
    bool turned_if_false, turned_if_true;
} jump;

static const jump jumps[] = {
    {FZ_OP_EQ, FZ_OP_JNE, FZ_OP_JEQ, false, false},
    {FZ_OP_NE, FZ_OP_JEQ, FZ_OP_JNE, false, false},
    {FZ_OP_LT, FZ_OP_JLE, FZ_OP_JLT, true, false},
    {FZ_OP_LE, FZ_OP_JLT, FZ_OP_JLE, true, false},
    {FZ_OP_SSOME, FZ_OP_JSNONE, FZ_OP_JSSOME, false, false},
    {FZ_OP_SMEETS, FZ_OP_JSAPART, FZ_OP_JSMEETS, false, false},
    {FZ_OP_SHAS, FZ_OP_JSMISS, FZ_OP_JSHAS, true, true},
};

static bool branch_test(fzi_codegen *e, const fzi_ir *c, bool sense, fzi_label *to)
{
    size_t i = 0, count = sizeof jumps / sizeof *jumps;
    while (i < count && jumps[i].test != c->op)
        i++;
    if (i == count)
        return false;
    const jump *j = &jumps[i];
    bool turned = sense ? j->turned_if_true : j->turned_if_false;
    unsigned a = fzi_gen_value(e, c->args[0]),
             b = c->arg_count > 1 ? fzi_gen_value(e, c->args[1]) : 0;
    fzi_gen_jump_if(e, sense ? j->if_true : j->if_false, turned ? b : a, turned ? a : b, to);
    return true;
}

/* a and b, a or b, as jumps past each other. */
static bool branch_if(fzi_codegen *e, const fzi_ir *c, bool sense, fzi_label *to)
{
    bool is_and = fzi_ir_is_int(c->args[2], 0), is_or = fzi_ir_is_int(c->args[1], 1);
    fzi_label past = FZI_LABEL;
    if (!is_and && !is_or)
        return false;
    const fzi_ir *second = is_and ? c->args[1] : c->args[2];
    if (is_and != sense) { /* either one decides */
        fzi_gen_branch(e, c->args[0], sense, to);
        fzi_gen_branch(e, second, sense, to);
        return true;
    }
    fzi_gen_branch(e, c->args[0], !sense, &past);
    fzi_gen_branch(e, second, sense, to);
    fzi_label_place(e, &past);
    return true;
}

void fzi_gen_branch(fzi_codegen *e, const fzi_ir *condition, bool sense, fzi_label *to)
{
    fzi_registers used = e->used;
    bool done = false, fuses = fzi_uses(e->lower, FZ_OPT_FUSED);
    if (condition->kind == FZI_IR_INT) {
        if ((condition->value != 0) == sense)
            fzi_gen_jump(e, to);
        done = true;
    } else if (condition->kind == FZI_IR_OP && condition->op == FZ_OP_NOT) {
        fzi_gen_branch(e, condition->args[0], !sense, to);
        done = true;
    } else if (condition->kind == FZI_IR_OP && fuses) {
        done = branch_test(e, condition, sense, to);
    } else if (condition->kind == FZI_IR_IF && fuses) {
        done = branch_if(e, condition, sense, to);
    }
    if (!done)
        fzi_gen_jump_if(e, sense ? FZ_OP_JTRUE : FZ_OP_JFALSE, fzi_gen_value(e, condition), 0, to);
    e->used = used;
}

/* ---- the ends of functions ---- */

void fzi_gen_return(fzi_codegen *e)
{
    fzi_registers used = e->used;
    if (e->result == 1) {
        unsigned reg = fzi_new_int(e);
        fzi_gen_number(e, reg, 0);
        fzi_gen(e, FZ_OP_IRETURN, reg, 0, 0);
    } else if (e->result == 2) {
        unsigned reg = fzi_new_set(e);
        fzi_gen(e, FZ_OP_SNONE, reg, 0, 0);
        fzi_gen(e, FZ_OP_SRETURN, reg, 0, 0);
    } else {
        fzi_gen(e, FZ_OP_RETURN, 0, 0, 0);
    }
    e->used = used;
}

void fzi_end_function(fzi_codegen *e)
{
    fzi_gen_return(e);
    fzi_emit_end(e);
}
