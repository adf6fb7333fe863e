/* Generates code for statements and functions. */
#include "lower_stmt.h"

#include <string.h>

#include "constant_tables.h"
#include "elaborate_table.h"
#include "lower_choice.h"
#include "lower_data.h"
#include "lower_diagram.h"
#include "lower_limit.h"
#include "lower_rules.h"
#include "lower_together.h"
#include "lower_viewers.h"

/* ---- functions ---- */

static void gen_return(fzi_codegen *e)
{
    unsigned ints = e->ints, sets = e->sets;
    if (e->result == 1) {
        unsigned reg = fzi_new_int(e);
        fzi_gen(e, FZ_OP_INT, reg, 0, 0);
        fzi_gen_word(e, 0);
        fzi_gen(e, FZ_OP_IRETURN, reg, 0, 0);
    } else if (e->result == 2) {
        unsigned reg = fzi_new_set(e);
        fzi_gen(e, FZ_OP_SNONE, reg, 0, 0);
        fzi_gen(e, FZ_OP_SRETURN, reg, 0, 0);
    } else {
        fzi_gen(e, FZ_OP_RETURN, 0, 0, 0);
    }
    e->ints = ints;
    e->sets = sets;
}

void fzi_lower_end_function(fzi_codegen *e)
{
    gen_return(e);
    fzi_emit_end(e);
}

static fzi_local *parameter(fzi_codegen *e, const char *name, const fzi_type *type)
{
    fzi_local *local = fzi_local_new(e->lower, name, type);
    local->reg = (int)(local->is_set ? fzi_new_set(e) : fzi_new_int(e));
    return local;
}

/* Begins a function whose first parameter is `me`. */
static fzi_view begin_function(fzi_lower *lw, fzi_codegen *e, uint32_t function)
{
    fzi_view view = {0};
    fzi_emit_begin(lw, e, function);
    fzi_local *me = fzi_me_new(lw);
    me->reg = (int)fzi_new_int(e);
    view.me = fzi_ir_local(&lw->maker, me);
    return view;
}

static fzi_view take_parameters(fzi_codegen *e, fzi_view view, const fzi_symbol *symbol)
{
    for (unsigned i = 0; i < symbol->param_count; i++) {
        const fzi_symbol *param = symbol->params[i];
        fzi_local *local = parameter(e, param->name, param->type);
        view = fzi_view_bind(e->lower, view, param, fzi_ir_local(&e->lower->maker, local));
    }
    return view;
}

static void declare_parameters(fzi_lower *lw, uint32_t index, const fzi_symbol *symbol,
                               uint8_t result)
{
    fz_function *f = FZI_ITEM(lw->build.functions, fz_function, index);
    f->int_params = 1;
    f->result = result;
    for (unsigned i = 0; i < symbol->param_count; i++)
        *(fzi_is_sites(symbol->params[i]->type) ? &f->set_params : &f->int_params) += 1;
    if (symbol->effects & FZI_DECIDES)
        f->flags |= FZ_FUNCTION_DECIDES;
    if (symbol->effects & FZI_CHANCE)
        f->flags |= FZ_FUNCTION_ROLLS;
}

static uint32_t native_index(fzi_lower *lw, const fzi_symbol *symbol)
{
    fz_native native = {0};
    const fzi_node *node = symbol->node;
    native.name = fzi_build_text(&lw->build, symbol->name);
    native.library = fzi_build_text(&lw->build, node->library->text);
    native.symbol = fzi_build_text(&lw->build, node->native_symbol->text);
    for (unsigned i = 0; i < symbol->param_count && i < 16; i++) {
        native.order[native.params] = fzi_is_sites(symbol->params[i]->type);
        *(native.order[native.params++] ? &native.set_params : &native.int_params) += 1;
    }
    uint16_t type = fzi_build_type(&lw->build, symbol->type);
    const fz_value_type *value = FZI_ITEM(lw->build.types, fz_value_type, type);
    native.low = value->low;
    native.high = value->high;
    return fzi_array_add(&lw->build, &lw->build.natives, &native);
}

/* A native function behind an ordinary one. */
static void lower_extern(fzi_lower *lw, fzi_symbol *symbol, uint32_t index)
{
    fzi_codegen e;
    begin_function(lw, &e, index);
    unsigned first_int = e.ints, first_set = e.sets;
    fzi_view view = {0};
    take_parameters(&e, view, symbol);
    unsigned result = fzi_new_int(&e);
    e.span = symbol->span;
    e.result = 1;
    fzi_gen(&e, FZ_OP_NATIVE, result, first_int, first_set);
    fzi_gen_word(&e, native_index(lw, symbol));
    fzi_gen(&e, FZ_OP_IRETURN, result, 0, 0);
    fzi_emit_end(&e);
}

typedef struct lowered_function {
    uint32_t index;
} lowered_function;

uint32_t fzi_lower_function(fzi_lower *lw, fzi_symbol *symbol)
{
    fzi_codegen e;
    lowered_function *done = symbol->lowered;
    if (done)
        return done->index;
    done = FZI_NEW(lw->build.arena, lowered_function);
    symbol->lowered = done;
    done->index = fzi_build_function(&lw->build, symbol->name);
    bool value = symbol->type && symbol->type->kind != FZI_TYPE_VOID &&
                 symbol->type->kind != FZI_TYPE_POISON;
    uint8_t result = !value ? 0 : fzi_is_sites(symbol->type) ? 2 : 1;
    declare_parameters(lw, done->index, symbol, result);
    fzi_span outer = lw->maker.span;
    if (symbol->kind == FZI_SYM_EXTERN) {
        lower_extern(lw, symbol, done->index);
        return done->index;
    }
    unsigned depth = lw->depth;
    lw->depth = 0;
    fzi_view view = begin_function(lw, &e, done->index);
    view = take_parameters(&e, view, symbol);
    e.result = result;
    e.span = symbol->node->span;
    if (symbol->node->body) {
        fzi_lower_stmt(&e, view, symbol->node->body, true);
    } else {
        const fzi_ir *ir = fzi_expr_final(lw, view, symbol->node->value, symbol->type);
        if (result == 2)
            fzi_gen(&e, FZ_OP_SRETURN, fzi_gen_set(&e, ir), 0, 0);
        else
            fzi_gen(&e, FZ_OP_IRETURN, fzi_gen_int(&e, ir), 0, 0);
    }
    fzi_lower_end_function(&e);
    lw->depth = depth;
    lw->maker.span = outer;
    return done->index;
}

void fzi_lower_block(fzi_lower *lw, uint32_t index, const fzi_node *stmt, fzi_symbol *site)
{
    fzi_codegen e;
    fz_function *f = FZI_ITEM(lw->build.functions, fz_function, index);
    f->int_params = site ? 2 : 1;
    f->flags = (uint8_t)((stmt->effects & FZI_DECIDES ? FZ_FUNCTION_DECIDES : 0) |
                         (stmt->effects & FZI_CHANCE ? FZ_FUNCTION_ROLLS : 0));
    fzi_view view = begin_function(lw, &e, index);
    if (site) {
        fzi_local *local = parameter(&e, site->name, lw->game->type_site);
        view = fzi_view_bind(lw, view, site, fzi_ir_local(&lw->maker, local));
    }
    fzi_lower_stmt(&e, view, stmt, true);
    fzi_lower_end_function(&e);
}

/* ---- values ---- */

static const fzi_ir *final_as(fzi_codegen *e, fzi_view view, const fzi_node *node,
                              const fzi_type *type)
{
    return fzi_expr_final(e->lower, view, node, type);
}

static unsigned int_value(fzi_codegen *e, fzi_view view, const fzi_node *node)
{
    return fzi_gen_int(e, fzi_tabulate(e->lower, fzi_expr(e->lower, view, node)));
}

static unsigned set_value(fzi_codegen *e, fzi_view view, const fzi_node *node)
{
    return fzi_gen_set(e, fzi_tabulate(e->lower, fzi_expr_sites(e->lower, view, node)));
}

static bool fits(const fzi_type *have, const fzi_type *want)
{
    return want->kind != FZI_TYPE_INT || (have->kind == FZI_TYPE_INT && have->low >= want->low &&
                                          have->high <= want->high);
}

static bool is_ranged(const fzi_type *type)
{
    return type->kind == FZI_TYPE_INT && (type->low > INT32_MIN || type->high < INT32_MAX);
}

bool fzi_needs_check(const fzi_type *want, const fzi_type *have)
{
    return is_ranged(want) && !fits(have, want);
}

static void check_range(fzi_codegen *e, const fzi_type *type, unsigned reg)
{
    fzi_gen(e, FZ_OP_CHECK, reg, 0, 0);
    fzi_gen_word(e, type->low);
    fzi_gen_word(e, type->high);
}

/* A new local with the value; the registers stay in use to the end of the block. */
static fzi_view declare_local(fzi_codegen *e, fzi_view view, fzi_symbol *symbol,
                              const fzi_node *value)
{
    fzi_lower *lw = e->lower;
    const fzi_type *type = symbol->type;
    fzi_local *local = fzi_local_new(lw, symbol->name, type);
    const fzi_ir *ir = value ? final_as(e, view, value, type)
                           : fzi_is_sites(type) ? fzi_ir_none(&lw->maker)
                                                : fzi_ir_int(&lw->maker, fzi_type_default(type));
    unsigned reg = local->is_set ? fzi_new_set(e) : fzi_new_int(e);
    if (local->is_set)
        fzi_gen_set_to(e, ir, reg);
    else
        fzi_gen_int_to(e, ir, reg);
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

/* `x += n` of a player, a direction, a name or a set of directions: the value n places later,
 * cyclically. The instruction that does it; -1: the assignment is another. */
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
        return fzi_expr_as(lw, view, stmt->value, type);
    const fzi_ir *value = fzi_expr(lw, view, stmt->value);
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
    value = fzi_tabulate(lw, value);
    if (local->is_set) {
        fzi_gen_set_to(e, value, (unsigned)local->reg);
    } else {
        fzi_gen_int_to(e, value, (unsigned)local->reg);
        if (is_ranged(type) &&
            (stmt->op != FZ_T_ASSIGN || fzi_needs_check(type, stmt->value->type)))
            check_range(e, type, (unsigned)local->reg);
    }
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
            fzi_ir_if(m, fzi_expr(lw, view, stmt->value), fzi_ir_all(m), fzi_ir_none(m));
        fzi_gen(e, FZ_OP_SSTORE, fzi_gen_set(e, fzi_tabulate(lw, all)), 0, 0);
    } else if (set) {
        const fzi_ir *value = fzi_expr_sites(lw, view, stmt->value);
        if (stmt->op != FZ_T_ASSIGN)
            value = fzi_ir_op(m, set_operator(stmt->op),
                              fzi_ir_opk(m, FZ_OP_SLOAD, NULL, NULL, variable, 0), value);
        unsigned reg = fzi_gen_set(e, fzi_tabulate(lw, value));
        fzi_gen(e, array && !var->is_bits ? FZ_OP_SFILL : FZ_OP_SSTORE, reg, 0, 0);
    } else {
        const fzi_ir *value = assigned(lw, view, stmt, symbol->type);
        value = updated(lw, symbol->type, stmt,
                        fzi_ir_opk(m, var->is_wide ? FZ_OP_MLOAD : FZ_OP_LOAD, NULL, NULL,
                                     variable, 0), value);
        unsigned reg = fzi_gen_int(e, fzi_tabulate(lw, value));
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
    unsigned place =
        fzi_gen_int(e, fzi_tabulate(lw, fzi_variable_index(lw, view, symbol, stmt->indexes)));
    const fzi_ir *given =
        set ? NULL : fzi_tabulate(lw, assigned(lw, view, stmt, symbol->type));
    int turn = set ? -1 : turning(symbol->type, stmt);
    bool steps = given && fzi_is_addend(given) && symbol->type->kind != FZI_TYPE_SET && turn < 0 &&
                 (stmt->op == FZ_T_PLUS_ASSIGN || stmt->op == FZ_T_MINUS_ASSIGN);
    unsigned value = set     ? set_value(e, view, stmt->value)
                     : steps ? fzi_new_int(e)
                             : fzi_gen_int(e, given);
    e->span = stmt->span;
    if (steps) {
        fzi_gen(e, load, value, place, 0);
        fzi_gen_word(e, var->variable);
        fzi_gen(e, FZ_OP_ADDK, value, value, 0);
        fzi_gen_word(e, stmt->op == FZ_T_PLUS_ASSIGN ? given->value : -given->value);
    } else if (stmt->op != FZ_T_ASSIGN) {
        unsigned old = set ? fzi_new_set(e) : fzi_new_int(e);
        fzi_gen(e, load, old, place, 0);
        fzi_gen_word(e, var->variable);
        fzi_gen(e, turn >= 0 ? turn
                   : set     ? set_operator(stmt->op)
                             : int_operator(stmt->op, symbol->type->kind == FZI_TYPE_SET),
                old, old, value);
        if (turn >= 0)
            fzi_gen_word(e, turn_size(lw, symbol->type));
        value = old;
    }
    fzi_gen(e, store, value, place, 0);
    fzi_gen_word(e, var->variable);
}

static void lower_assign(fzi_codegen *e, fzi_view view, const fzi_node *stmt)
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

/* ---- pieces ---- */

static void call_capture_hook(fzi_codegen *e, fzi_view view, unsigned site)
{
    uint32_t hook = (uint32_t)e->lower->capture_function;
    unsigned ints = e->ints, args = fzi_new_ints(e, 2);
    fzi_gen_int_to(e, view.me, args);
    fzi_gen(e, FZ_OP_COPY, args + 1, site, 0);
    fzi_gen(e, FZ_OP_CALL, args, 0, 0);
    fzi_gen_word(e, hook);
    fzi_array_add(e->b, &e->code.calls, &hook);
    e->ints = ints;
}

static void jump_if_absent(fzi_codegen *e, unsigned reg, unsigned zero, fzi_label *to)
{
    fzi_gen(e, FZ_OP_JLT, reg, zero, 0);
    fzi_label_use(e, to);
}

void fzi_lower_go(fzi_codegen *e, fzi_view view, unsigned from, unsigned to)
{
    unsigned ints = e->ints;
    fzi_label out, free_site;
    if (e->lower->capture_function < 0) {
        fzi_gen(e, FZ_OP_MOVE, from, to, 0);
        return;
    }
    fzi_label_init(&out);
    fzi_label_init(&free_site);
    unsigned zero = fzi_new_int(e), kind = fzi_new_int(e);
    fzi_gen(e, FZ_OP_INT, zero, 0, 0);
    fzi_gen_word(e, 0);
    fzi_gen(e, FZ_OP_KIND, kind, to, 0);
    jump_if_absent(e, kind, zero,
                   &free_site); /* mostly: nothing is taken, and MOVE knows when nothing moves */
    fzi_gen(e, FZ_OP_JEQ, from, to, 0);
    fzi_label_use(e, &out);
    fzi_gen(e, FZ_OP_KIND, kind, from, 0);
    jump_if_absent(e, kind, zero, &out);
    call_capture_hook(e, view, to);
    fzi_label_place(e, &free_site);
    fzi_gen(e, FZ_OP_MOVE, from, to, 0);
    fzi_label_place(e, &out);
    e->ints = ints;
}

/* With a hook: site by site, the hook while the piece still stands. */
static void lower_capture(fzi_codegen *e, fzi_view view, const fzi_node *stmt)
{
    fzi_lower *lw = e->lower;
    fzi_ir_maker *m = &lw->maker;
    const fzi_ir *sites = fzi_tabulate(lw, fzi_expr_sites(lw, view, stmt->sites));
    if (lw->capture_function < 0) {
        fzi_gen(e, FZ_OP_TAKE, fzi_gen_set(e, sites), 0, 0);
        return;
    }
    fzi_local *local = fzi_local_new(lw, "captured", lw->game->type_site);
    fzi_binder binder = {local, FZI_DOMAIN_SITES,
                         fzi_ir_op(m, FZ_OP_SAND, sites, fzi_ir_op(m, FZ_OP_OCCUPIED, NULL, NULL)),
                         NULL};
    fzi_loop loop;
    fzi_loop_begin(e, &loop, &binder, fzi_new_int(e));
    call_capture_hook(e, view, (unsigned)local->reg);
    fzi_gen(e, FZ_OP_TAKE1, (unsigned)local->reg, 0, 0);
    fzi_loop_end(e, &loop);
}

static bool is_one_site(const fzi_node *node)
{
    return node->type->kind == FZI_TYPE_SITE;
}

/* Whose the pieces become. A game that says nobody's and nothing else has no marks in its
 * diagrams. */
static unsigned owner_value(fzi_codegen *e, fzi_view view, const fzi_node *node)
{
    const fzi_ir *owner = fzi_tabulate(e->lower, fzi_expr(e->lower, view, node));
    int64_t player;
    bool nobodys = fzi_constant_int(e->lower, owner, &player) && player < 0;
    *(nobodys ? &e->lower->puts_nobodys : &e->lower->puts_players) = true;
    return fzi_gen_int(e, owner);
}

static void lower_put(fzi_codegen *e, fzi_view view, const fzi_node *stmt)
{
    const fzi_ir *piece = fzi_tabulate(e->lower, fzi_expr(e->lower, view, stmt->piece));
    int64_t number;
    if (stmt->flags & FZ_NODE_ON_TOP) {
        unsigned kind = fzi_gen_int(e, piece), owner = owner_value(e, view, stmt->owner);
        const fzi_ir *sites = fzi_tabulate(e->lower, fzi_expr_sites(e->lower, view, stmt->sites));
        fzi_gen(e, FZ_OP_PUT_ON, fzi_gen_set(e, sites), kind, owner);
        return;
    }
    bool given = fzi_uses(e->lower, FZ_OPT_FUSED) && is_one_site(stmt->sites) &&
                 fzi_constant_int(e->lower, piece, &number) && number >= 0;
    unsigned kind = given ? (unsigned)number : fzi_gen_int(e, piece),
             owner = owner_value(e, view, stmt->owner);
    if (is_one_site(stmt->sites))
        fzi_gen(e, given ? FZ_OP_PUT1_GIVEN : FZ_OP_PUT1, int_value(e, view, stmt->sites), kind,
                owner);
    else
        fzi_gen(e, FZ_OP_PUT, set_value(e, view, stmt->sites), kind, owner);
}

/* stack, tuck: without a number the whole stack moves. */
static unsigned piece_count(fzi_codegen *e, fzi_view view, const fzi_node *number)
{
    return number ? int_value(e, view, number)
                  : fzi_gen_int(e, fzi_ir_int(&e->lower->maker, UINT8_MAX));
}

static void lower_primitive_call(fzi_codegen *e, fzi_view view, const fzi_node *stmt)
{
    const fzi_node *third = stmt->arguments->next->next;
    unsigned a = int_value(e, view, stmt->arguments), b = int_value(e, view, stmt->arguments->next);
    switch (stmt->symbol->value) {
    case FZI_PRIM_go: fzi_lower_go(e, view, a, b); break;
    case FZI_PRIM_swap: fzi_gen(e, FZ_OP_SWAP, a, b, 0); break;
    case FZI_PRIM_stack: fzi_gen(e, FZ_OP_STACK, a, b, piece_count(e, view, third)); break;
    case FZI_PRIM_tuck: fzi_gen(e, FZ_OP_TUCK, a, b, piece_count(e, view, third)); break;
    case FZI_PRIM_pull: fzi_gen(e, FZ_OP_PULL, a, b, 0); break;
    default: fzi_gen(e, FZ_OP_BECOME, a, b, 0); break;
    }
}

/* A procedure so small that its statements are put where it is called. */
enum { SMALL_PROCEDURE = 50, MAX_INSIDE = 2 };

/* Counts nodes; what returns before its end has too many. */
static unsigned size_of(const fzi_node *node)
{
    unsigned size = 0;
    for (; node && size <= SMALL_PROCEDURE; node = node->next) {
        if (node->kind == N_S_RETURN)
            return SMALL_PROCEDURE + 1;
        size++;
        for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
            size += size_of(node->children[i]);
    }
    return size;
}

static bool may_return(const fzi_node *node)
{
    for (; node; node = node->next) {
        if (node->kind == N_S_RETURN)
            return true;
        for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
            if (may_return(node->children[i]))
                return true;
    }
    return false;
}

/* What `base;` or `extend` makes of a phase or procedure is called at one place only. */
static bool is_put_in_place(const fzi_lower *lw, const fzi_symbol *symbol)
{
    if (!fzi_uses(lw, FZ_OPT_INLINE) || symbol->kind != FZI_SYM_PROC || symbol->recursive ||
        symbol->type->kind != FZI_TYPE_VOID)
        return false;
    if (symbol->node->flags & FZ_NODE_ONCE)
        return !may_return(symbol->node->body);
    return !(symbol->effects & FZI_DECIDES) && lw->inside < MAX_INSIDE &&
           size_of(symbol->node->body) <= SMALL_PROCEDURE;
}

static void call_in_place(fzi_codegen *e, fzi_view view, const fzi_node *stmt, bool tail)
{
    fzi_lower *lw = e->lower;
    const fzi_symbol *symbol = stmt->symbol;
    fzi_view inner = {NULL, view.me};
    unsigned i = 0;
    for (const fzi_node *a = stmt->arguments; a && i < symbol->param_count; a = a->next, i++) {
        const fzi_symbol *param = symbol->params[i];
        const fzi_ir *value = final_as(e, view, a, param->type);
        if (value->kind != FZI_IR_INT && value->kind != FZI_IR_SET && value->kind != FZI_IR_LOCAL) {
            fzi_local *local = parameter(e, param->name, param->type);
            if (local->is_set)
                fzi_gen_set_to(e, value, (unsigned)local->reg);
            else
                fzi_gen_int_to(e, value, (unsigned)local->reg);
            value = fzi_ir_local(&lw->maker, local);
        }
        inner = fzi_view_bind(lw, inner, param, value);
    }
    unsigned deeper = symbol->node->flags & FZ_NODE_ONCE ? 0 : 1;
    lw->inside += deeper;
    fzi_lower_stmt(e, inner, symbol->node->body, tail);
    lw->inside -= deeper;
}

static void lower_call(fzi_codegen *e, fzi_view view, const fzi_node *stmt, bool tail)
{
    fzi_lower *lw = e->lower;
    fzi_symbol *symbol = stmt->symbol;
    if (symbol->kind == FZI_SYM_PRIMITIVE) {
        lower_primitive_call(e, view, stmt);
        return;
    }
    if (is_put_in_place(lw, symbol)) {
        call_in_place(e, view, stmt, tail);
        return;
    }
    uint32_t function = fzi_lower_function(lw, symbol);
    const fz_function *f = FZI_ITEM(lw->build.functions, fz_function, function);
    uint8_t ints = f->int_params, sets = f->set_params, result = f->result;
    unsigned first_int = fzi_new_ints(e, ints), first_set = e->sets;
    for (unsigned i = 0; i < sets; i++)
        fzi_new_set(e);
    unsigned n = first_int, s = first_set, i = 0;
    fzi_gen_int_to(e, view.me, n++);
    for (const fzi_node *a = stmt->arguments; a && i < symbol->param_count; a = a->next, i++) {
        const fzi_ir *ir = final_as(e, view, a, symbol->params[i]->type);
        if (ir->is_set)
            fzi_gen_set_to(e, ir, s++);
        else
            fzi_gen_int_to(e, ir, n++);
    }
    unsigned into = result == 1 ? fzi_new_int(e) : result == 2 ? fzi_new_set(e) : 0;
    bool in_place = tail && e->result == 0 && result == 0;
    fzi_gen(e, in_place ? FZ_OP_TAILCALL : FZ_OP_CALL, first_int, first_set, in_place ? 0 : into);
    fzi_gen_word(e, function);
    fzi_array_add(e->b, &e->code.calls, &function);
}

/* ---- control ---- */

static void lower_if(fzi_codegen *e, fzi_view view, const fzi_node *stmt, bool tail)
{
    fzi_label no, out;
    const fzi_ir *condition = fzi_tabulate(e->lower, fzi_expr(e->lower, view, stmt->condition));
    if (condition->kind == FZI_IR_INT) {
        const fzi_node *taken = condition->value ? stmt->then : stmt->otherwise;
        if (!taken)
            return;
        fzi_rule_met(e->lower, stmt->span);
        fzi_lower_stmt(e, view, taken, tail);
        return;
    }
    fzi_rule_met(e->lower, stmt->span);
    fzi_label_init(&no);
    fzi_label_init(&out);
    fzi_gen_branch(e, condition, false, &no);
    fzi_lower_stmt(e, view, stmt->then, tail);
    if (stmt->otherwise) {
        fzi_gen_jump(e, &out);
        fzi_label_place(e, &no);
        fzi_lower_stmt(e, view, stmt->otherwise, tail);
        fzi_label_place(e, &out);
    } else {
        fzi_label_place(e, &no);
    }
}

static void lower_for(fzi_codegen *e, fzi_view view, const fzi_node *stmt)
{
    fzi_lower *lw = e->lower;
    fzi_loop loops[FZ_MAX_BINDINGS];
    fzi_binder binders[FZ_MAX_BINDINGS];
    unsigned count = 0;
    for (const fzi_node *b = stmt->binders; b && count < FZ_MAX_BINDINGS; b = b->next, count++) {
        fzi_local *local = fzi_local_new(lw, b->name, b->symbol->type);
        local->may_be_absent = false;
        binders[count] = fzi_binder_make(lw, view, b->set, local);
        binders[count].first = fzi_tabulate(lw, binders[count].first);
        if (binders[count].last)
            binders[count].last = fzi_tabulate(lw, binders[count].last);
        fzi_loop_begin(e, &loops[count], &binders[count], fzi_new_int(e));
        view = fzi_view_bind(lw, view, b->symbol, fzi_ir_local(&lw->maker, local));
    }
    fzi_lower_stmt(e, view, stmt->body, false);
    while (count-- > 0)
        fzi_loop_end(e, &loops[count]);
}

static void lower_while(fzi_codegen *e, fzi_view view, const fzi_node *stmt)
{
    fzi_label again, out;
    fzi_label_init(&again);
    fzi_label_init(&out);
    fzi_label_place(e, &again);
    fzi_gen_branch(e, fzi_tabulate(e->lower, fzi_expr(e->lower, view, stmt->condition)), false,
                   &out);
    fzi_lower_stmt(e, view, stmt->body, false);
    fzi_gen_jump(e, &again);
    fzi_label_place(e, &out);
}

static void lower_as(fzi_codegen *e, fzi_view view, const fzi_node *stmt, bool tail)
{
    fzi_lower *lw = e->lower;
    fzi_local *local = fzi_me_new(lw);
    unsigned reg = fzi_new_int(e);
    fzi_gen_int_to(e, fzi_tabulate(lw, fzi_expr(lw, view, stmt->player)), reg);
    local->reg = (int)reg;
    fzi_lower_stmt(e, fzi_view_me(view, fzi_ir_local(&lw->maker, local)), stmt->body, tail);
}

static void lower_return(fzi_codegen *e, fzi_view view, const fzi_node *stmt)
{
    if (!stmt->value) {
        gen_return(e);
    } else if (e->result == 2) {
        fzi_gen(e, FZ_OP_SRETURN, set_value(e, view, stmt->value), 0, 0);
    } else {
        const fzi_ir *ir = fzi_expr(e->lower, view, stmt->value);
        fzi_gen(e, FZ_OP_IRETURN, fzi_gen_int(e, fzi_tabulate(e->lower, ir)), 0, 0);
    }
}

/* ---- results ---- */

static void lower_rank(fzi_codegen *e, fzi_view view, const fzi_node *stmt)
{
    fzi_lower *lw = e->lower;
    fzi_ir_maker *m = &lw->maker;
    fzi_local *local = fzi_local_new(lw, stmt->name, lw->game->type_player);
    local->may_be_absent = false;
    fzi_binder binder = {local, FZI_DOMAIN_RANGE, fzi_ir_int(m, 0),
                         fzi_ir_int(m, lw->game->player_count - 1)};
    fzi_loop loop;
    unsigned keys = 0;
    if (!fzi_at_most(lw->game, stmt->span, "this", (unsigned)fzi_list_length(stmt->keys), "keys",
                     FZ_MAX_KEYS))
        return;
    fzi_loop_begin(e, &loop, &binder, fzi_new_int(e));
    fzi_view inner = fzi_view_bind(lw, view, stmt->symbol, fzi_ir_local(m, local));
    for (const fzi_node *key = stmt->keys; key; key = key->next, keys++) {
        unsigned ints = e->ints, sets = e->sets;
        unsigned value = int_value(e, inner, key), number = fzi_new_int(e);
        fzi_gen(e, FZ_OP_INT, number, 0, 0);
        fzi_gen_word(e, keys);
        fzi_gen(e, FZ_OP_RANK_KEY, (unsigned)local->reg, number, value);
        e->ints = ints;
        e->sets = sets;
    }
    fzi_loop_end(e, &loop);
    e->span = stmt->span;
    fzi_gen(e, FZ_OP_RANK, keys, 0, 0);
}

static void lower_again(fzi_codegen *e)
{
    unsigned reg = fzi_new_int(e);
    fzi_gen(e, FZ_OP_MOVER, reg, 0, 0);
    fzi_gen(e, FZ_OP_NEXT, reg, 0, 0);
}

/* ---- all statements ---- */

static fzi_view lower_declarations(fzi_codegen *e, fzi_view view, const fzi_node *stmt)
{
    unsigned outer;
    bool hides = fzi_viewers_begin(e, view, stmt, &outer);
    if (stmt->kind == N_S_VAR)
        view = declare_local(e, view, stmt->symbol, stmt->value);
    for (const fzi_node *bound = stmt->kind == N_S_LET ? stmt->bindings : NULL; bound;
         bound = bound->next)
        view = declare_local(e, view, bound->symbol, bound->value);
    if (hides)
        fzi_viewers_end(e, outer);
    return view;
}

static unsigned count_mentions(const fzi_node *node, const fzi_symbol *symbol)
{
    unsigned count = 0;
    for (; node; node = node->next) {
        count += node->symbol == symbol && node->kind != N_BOUND;
        for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
            count += count_mentions(node->children[i], symbol);
    }
    return count;
}

/* Is the name what the expression or an operand is, and not in a loop? */
static bool is_operand(const fzi_node *node, const fzi_symbol *symbol)
{
    if (!node || node->kind == N_E_NAME)
        return node && node->symbol == symbol;
    if (node->kind != N_E_BINARY && node->kind != N_E_UNARY && node->kind != N_E_IF)
        return false;
    for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
        if (is_operand(node->children[i], symbol))
            return true;
    return false;
}

/* `let x = e; if ... x ...`: a value that only the condition behind it wants, once, may not be
 * wanted at all. */
static const fzi_ir *value_for_condition(fzi_lower *lw, fzi_view view, const fzi_node *stmt)
{
    const fzi_node *next = stmt->next;
    const uint32_t effects = FZI_WRITES | FZI_CHANCE | FZI_DECIDES;
    if (!fzi_uses(lw, FZ_OPT_INLINE) || stmt->kind != N_S_LET || stmt->bindings->next || !next ||
        next->kind != N_S_IF)
        return NULL;
    const fzi_node *bound = stmt->bindings;
    if ((next->condition->effects | bound->value->effects) & effects ||
        !is_operand(next->condition, bound->symbol) || count_mentions(next, bound->symbol) != 1 ||
        fzi_needs_check(bound->symbol->type, bound->value->type))
        return NULL;
    const fzi_ir *ir = fzi_tabulate(lw, fzi_expr_as(lw, view, bound->value, bound->symbol->type));
    return fzi_ir_may_fail(ir) ? NULL : ir;
}

static void lower_block(fzi_codegen *e, fzi_view view, const fzi_node *block, bool tail)
{
    for (const fzi_node *stmt = block->stmts; stmt; stmt = stmt->next) {
        const fzi_ir *value = value_for_condition(e->lower, view, stmt);
        if (value)
            fzi_rule_met(e->lower, stmt->span);
        view = value ? fzi_view_bind(e->lower, view, stmt->bindings->symbol, value)
                     : fzi_lower_stmt(e, view, stmt, tail && !stmt->next);
    }
}

static void lower_simple(fzi_codegen *e, fzi_view view, const fzi_node *stmt)
{
    switch (stmt->kind) {
    case N_S_PUT: lower_put(e, view, stmt); break;
    case N_S_GIVE: {
        unsigned owner = owner_value(e, view, stmt->owner);
        fzi_gen(e, FZ_OP_GIVE, set_value(e, view, stmt->sites), owner, 0);
        break;
    }
    case N_S_REMOVE:
        if (is_one_site(stmt->sites))
            fzi_gen(e, FZ_OP_TAKE1, int_value(e, view, stmt->sites), 0, 0);
        else
            fzi_gen(e, FZ_OP_TAKE, set_value(e, view, stmt->sites), 0, 0);
        break;
    case N_S_CAPTURE: lower_capture(e, view, stmt); break;
    case N_S_NEXT: fzi_gen(e, FZ_OP_NEXT, int_value(e, view, stmt->player), 0, 0); break;
    case N_S_AGAIN: lower_again(e); break;
    case N_S_STOP: fzi_gen(e, FZ_OP_STOP, 0, 0, 0); break;
    case N_S_RETURN: lower_return(e, view, stmt); break;
    case N_S_WIN: fzi_gen(e, FZ_OP_WIN, int_value(e, view, stmt->player), 0, 0); break;
    case N_S_LOSE: fzi_gen(e, FZ_OP_LOSE, int_value(e, view, stmt->player), 0, 0); break;
    case N_S_OUT: fzi_gen(e, FZ_OP_OUT, int_value(e, view, stmt->player), 0, 0); break;
    case N_S_DRAW: fzi_gen(e, FZ_OP_DRAW, 0, 0, 0); break;
    case N_S_RANK: lower_rank(e, view, stmt); break;
    case N_S_DIAGRAM: fzi_lower_diagram(e, view, stmt->text, stmt->signs, stmt->name_span); break;
    default: fzi_lower_bug(e, fzi_node_kind_name(stmt->kind)); break;
    }
}

fzi_view fzi_lower_stmt(fzi_codegen *e, fzi_view view, const fzi_node *stmt, bool tail)
{
    unsigned ints = e->ints, sets = e->sets;
    fzi_span outer = e->span;
    e->lower->at = stmt->span;
    if (!fzi_lower_enter(e->lower, stmt->span))
        return view;
    e->span = stmt->span;
    e->lower->maker.span = stmt->span;
    if (stmt->kind != N_S_IF) /* which tells itself */
        fzi_rule_met(e->lower, stmt->span);
    if (stmt->kind == N_S_LET || stmt->kind == N_S_VAR) {
        view = lower_declarations(e, view, stmt);
        e->span = outer;
        fzi_lower_leave(e->lower);
        return view; /* its registers live on */
    }
    switch (stmt->kind) {
    case N_S_BLOCK: lower_block(e, view, stmt, tail); break;
    case N_S_CHOOSE: fzi_lower_choose(e, view, stmt, tail && e->result == 0); break;
    case N_S_ASSIGN: lower_assign(e, view, stmt); break;
    case N_S_CALL: lower_call(e, view, stmt, tail); break;
    case N_S_IF: lower_if(e, view, stmt, tail); break;
    case N_S_FOR: lower_for(e, view, stmt); break;
    case N_S_TOGETHER: fzi_lower_together(e, view, stmt); break;
    case N_S_WHILE: lower_while(e, view, stmt); break;
    case N_S_AS: lower_as(e, view, stmt, tail); break;
    default: lower_simple(e, view, stmt); break;
    }
    e->ints = ints;
    e->sets = sets;
    e->span = outer;
    fzi_lower_leave(e->lower);
    return view;
}
