/* Generates locals and assignments; statement_code.c calls it. */
#include "emit.h"

static void check_range(fzi_codegen *e, const fzi_type *type, unsigned reg)
{
    fzi_gen_with(e, FZ_OP_CHECK, reg, 0, 0, type->low);
    fzi_gen_word(e, type->high);
}

fzi_view fzi_declare_local(fzi_codegen *e, fzi_view view, fzi_symbol *symbol, const fzi_node *value)
{
    fzi_lower *lw = e->lower;
    const fzi_type *type = symbol->type;
    fzi_local *local = fzi_local_new(lw, symbol->name, type);
    const fzi_ir *ir = value                ? fzi_value_as(e->lower, view, value, type)
                       : fzi_is_sites(type) ? fzi_ir_none(&lw->maker)
                                            : fzi_ir_int(&lw->maker, fzi_type_default(type));
    unsigned reg = fzi_new_reg(e, local->is_set);
    fzi_gen_to(e, ir, reg);
    if (value && fzi_needs_check(type, value->type) && ir->kind != FZI_IR_INT)
        check_range(e, type, reg);
    local->reg = (int)reg;
    return fzi_view_bind(lw, view, symbol, fzi_ir_local(&lw->maker, local));
}

/* ---- assignment ---- */

static int set_operator(int op)
{
    switch (op) {
    case FZ_T_OR_ASSIGN: return FZ_OP_SOR;
    case FZ_T_AND_ASSIGN: return FZ_OP_SAND;
    default: return FZ_OP_SSUB;
    }
}

static int int_operator(int op, bool mask)
{
    switch (op) {
    case FZ_T_PLUS_ASSIGN: return FZ_OP_ADD;
    case FZ_T_MINUS_ASSIGN: return mask ? FZ_OP_MSUB : FZ_OP_SUB;
    case FZ_T_OR_ASSIGN: return FZ_OP_MOR;
    default: return FZ_OP_MAND;
    }
}

/* The instruction for `x += n` of a player, a direction, a name or a set of directions, which means
 * n places later, cyclically; -1: the assignment is another. */
static int turning(const fzi_type *type, const fzi_node *stmt)
{
    if (stmt->op != FZ_T_PLUS_ASSIGN && stmt->op != FZ_T_MINUS_ASSIGN)
        return -1;
    if (type->kind == FZI_TYPE_SET)
        return type->element->kind == FZI_TYPE_DIR && stmt->value->type->kind == FZI_TYPE_INT
                   ? FZ_OP_MTURN : -1;
    return type->kind == FZI_TYPE_PLAYER || type->kind == FZI_TYPE_DIR ||
                   type->kind == FZI_TYPE_NAMED
               ? FZ_OP_CYCLE : -1;
}

static int32_t turn_size(const fzi_lower *lw, const fzi_type *type)
{
    return (int32_t)fzi_cycle_size(lw, type->kind == FZI_TYPE_SET ? type->element : type);
}

/* The value of an assignment, or by how much it turns. */
static const fzi_ir *assigned(fzi_lower *lw, fzi_view view, const fzi_node *stmt,
                              const fzi_type *type)
{
    if (turning(type, stmt) < 0)
        return fzi_elaborate_as(lw, view, stmt->value, type);
    const fzi_ir *value = fzi_elaborate(lw, view, stmt->value);
    return stmt->op == FZ_T_MINUS_ASSIGN ? fzi_ir_op(&lw->maker, FZ_OP_NEG, value, NULL) : value;
}

/* The value of an assignment that is no set of sites: `old op value`. */
static const fzi_ir *updated(fzi_lower *lw, const fzi_type *type, const fzi_node *stmt,
                             const fzi_ir *old, const fzi_ir *value)
{
    fzi_ir_maker *m = &lw->maker;
    int turn = turning(type, stmt);
    if (stmt->op == FZ_T_ASSIGN)
        return value;
    if (turn >= 0)
        return fzi_ir_opk(m, turn, old, value, turn_size(lw, type), 0);
    return fzi_ir_op(m, int_operator(stmt->op, type->kind == FZI_TYPE_SET), old, value);
}

static void assign_local(fzi_codegen *e, fzi_view view, const fzi_node *stmt, fzi_local *local)
{
    fzi_lower *lw = e->lower;
    fzi_ir_maker *m = &lw->maker;
    const fzi_type *type = stmt->symbol->type;
    const fzi_ir *value = assigned(lw, view, stmt, type);
    const fzi_ir *old = fzi_ir_local(m, local);
    m->span = stmt->span;
    if (!local->is_set)
        value = updated(lw, type, stmt, old, value);
    else if (stmt->op != FZ_T_ASSIGN)
        value = fzi_ir_op(m, set_operator(stmt->op), old, value);
    value = fzi_fold_to_table(lw, value);
    fzi_gen_to(e, value, (unsigned)local->reg);
    if (fzi_is_ranged(type) &&
        (stmt->op != FZ_T_ASSIGN || fzi_needs_check(type, stmt->value->type)))
        check_range(e, type, (unsigned)local->reg);
}

/* `name = value;` of a whole array, and of scalars. */
static void assign_whole(fzi_codegen *e, fzi_view view, const fzi_node *stmt)
{
    fzi_lower *lw = e->lower;
    fzi_ir_maker *m = &lw->maker;
    const fzi_symbol *symbol = stmt->symbol;
    const fzi_lowered_var *var = symbol->lowered;
    int32_t variable = (int32_t)var->variable;
    bool array = symbol->index_count > 0;
    bool set = var->is_set && !(var->is_bits && stmt->value->type->kind == FZI_TYPE_BOOL);
    m->span = stmt->span;
    if (var->is_bits && !set) {
        const fzi_ir *all =
            fzi_ir_if(m, fzi_elaborate(lw, view, stmt->value), fzi_ir_all(m), fzi_ir_none(m));
        fzi_gen(e, FZ_OP_SSTORE, fzi_gen_value(e, fzi_fold_to_table(lw, all)), 0, 0);
    } else if (set) {
        const fzi_ir *value = fzi_elaborate_sites(lw, view, stmt->value);
        if (stmt->op != FZ_T_ASSIGN)
            value = fzi_ir_op(m, set_operator(stmt->op),
                              fzi_ir_opk(m, FZ_OP_SLOAD, NULL, NULL, variable, 0), value);
        unsigned reg = fzi_gen_value(e, fzi_fold_to_table(lw, value));
        fzi_gen(e, array && !var->is_bits ? FZ_OP_SFILL : FZ_OP_SSTORE, reg, 0, 0);
    } else {
        const fzi_ir *value = assigned(lw, view, stmt, symbol->type);
        value = updated(
            lw, symbol->type, stmt,
            fzi_ir_opk(m, var->is_wide ? FZ_OP_MLOAD : FZ_OP_LOAD, NULL, NULL, variable, 0), value);
        unsigned reg = fzi_gen_value(e, fzi_fold_to_table(lw, value));
        int store = var->is_wide ? FZ_OP_MSTORE : FZ_OP_STORE;
        fzi_gen(e, !array ? store : var->is_wide ? FZ_OP_MFILL : FZ_OP_FILL, reg, 0, 0);
    }
    fzi_gen_word(e, variable);
}

static void assign_element(fzi_codegen *e, fzi_view view, const fzi_node *stmt)
{
    fzi_lower *lw = e->lower;
    const fzi_symbol *symbol = stmt->symbol;
    const fzi_lowered_var *var = symbol->lowered;
    bool set = var->is_set && !var->is_bits;
    int load = var->is_bits ? FZ_OP_BITLOAD : set ? FZ_OP_SLOADX
               : var->is_wide ? FZ_OP_MLOADX : FZ_OP_LOADX;
    int store = var->is_bits ? FZ_OP_BITSTORE : set ? FZ_OP_SSTOREX
                : var->is_wide ? FZ_OP_MSTOREX : FZ_OP_STOREX;
    lw->maker.span = stmt->span;
    unsigned place = fzi_gen_value(
        e, fzi_fold_to_table(lw, fzi_variable_index(lw, view, symbol, stmt->indexes)));
    const fzi_ir *given =
        set ? NULL : fzi_fold_to_table(lw, assigned(lw, view, stmt, symbol->type));
    int turn = set ? -1 : turning(symbol->type, stmt);
    bool steps = given && fzi_is_addend(given) && symbol->type->kind != FZI_TYPE_SET && turn < 0 &&
                 (stmt->op == FZ_T_PLUS_ASSIGN || stmt->op == FZ_T_MINUS_ASSIGN);
    unsigned value = set     ? fzi_set_value(e, view, stmt->value)
                     : steps ? fzi_new_int(e)
                             : fzi_gen_value(e, given);
    e->span = stmt->span;
    if (steps) {
        fzi_gen_with(e, load, value, place, 0, var->variable);
        fzi_gen_with(e, FZ_OP_ADDK, value, value, 0,
                     stmt->op == FZ_T_PLUS_ASSIGN ? given->value : -given->value);
    } else if (stmt->op != FZ_T_ASSIGN) {
        unsigned old = fzi_new_reg(e, set);
        fzi_gen_with(e, load, old, place, 0, var->variable);
        fzi_gen(e, turn >= 0 ? turn
                   : set     ? set_operator(stmt->op)
                             : int_operator(stmt->op, symbol->type->kind == FZI_TYPE_SET),
                old, old, value);
        if (turn >= 0)
            fzi_gen_word(e, turn_size(lw, symbol->type));
        value = old;
    }
    fzi_gen_with(e, store, value, place, 0, var->variable);
}

void fzi_lower_assign(fzi_codegen *e, fzi_view view, const fzi_node *stmt)
{
    unsigned outer;
    bool hides = fzi_viewers_begin(e, view, stmt, &outer);
    if (stmt->symbol->kind == FZI_SYM_LOCAL) {
        const fzi_ir *local = fzi_view_find(view, stmt->symbol);
        if (local && local->kind == FZI_IR_LOCAL)
            assign_local(e, view, stmt, local->local);
        else
            fzi_lower_bug(e, stmt->name);
    } else if (stmt->indexes) {
        assign_element(e, view, stmt);
    } else {
        assign_whole(e, view, stmt);
    }
    if (hides)
        fzi_viewers_end(e, outer);
}
