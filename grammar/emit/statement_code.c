/* Generates code for statements. */
#include "emit.h"

/* ---- control ---- */

static void lower_if(fzi_codegen *e, fzi_view view, const fzi_node *stmt, bool tail)
{
    fzi_label no = FZI_LABEL, out = FZI_LABEL;
    const fzi_ir *condition = fzi_value_of(e->lower, view, stmt->condition);
    if (condition->kind == FZI_IR_INT) {
        const fzi_node *taken = condition->value ? stmt->then : stmt->otherwise;
        if (!taken)
            return;
        fzi_mark_rule(e->lower, stmt->span);
        fzi_lower_stmt(e, view, taken, tail);
        return;
    }
    fzi_mark_rule(e->lower, stmt->span);
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

/* The condition of a statement `if` without `else` that is all of a body; NULL: it is another. */
static const fzi_node *only_condition(const fzi_node *body)
{
    while (body && body->kind == N_S_BLOCK && body->stmts && !body->stmts->next)
        body = body->stmts;
    return body && body->kind == N_S_IF && !body->otherwise ? body->condition : NULL;
}

/* The union of a set for all values of the binders, where it is constant. */
static const fzi_ir *union_of(fzi_lower *lw, fzi_binder *binders, unsigned count, const fzi_ir *set)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_ir *all = fzi_ir_aggregate(m, FZI_AGG_UNION, binders, count, NULL, set, true, 0);
    uint64_t words[FZ_MAX_WORDS];
    return fzi_constant_set(lw, all, words) ? fzi_ir_set(m, words) : NULL;
}

/* `for x in a if s & t[x] != {} ...`: most of these loops do nothing, which is known where s meets
 * none of the constants t[x]. */
static void skip_loops(fzi_codegen *e, fzi_view view, const fzi_node *stmt, fzi_binder *binders,
                       unsigned count, fzi_label *out)
{
    fzi_lower *lw = e->lower;
    const fzi_node *condition = only_condition(stmt->body);
    if (!condition || !fzi_uses(lw, FZ_OPT_LOOPS) || lw->emission->purpose > FZI_FOR_FILES)
        return;
    const fzi_ir *meets = fzi_value_of(lw, view, condition);
    if (!fzi_ir_is_op(meets, FZ_OP_SMEETS))
        return;
    unsigned fixed = meets->args[0]->kind != FZI_IR_LOCAL;
    const fzi_ir *all = union_of(lw, binders, count, meets->args[!fixed]);
    if (meets->args[fixed]->kind == FZI_IR_LOCAL && all)
        fzi_gen_branch(e, fzi_ir_op(&lw->maker, FZ_OP_SMEETS, meets->args[fixed], all), false, out);
}

static void lower_for(fzi_codegen *e, fzi_view view, const fzi_node *stmt)
{
    fzi_lower *lw = e->lower;
    fzi_loop loops[FZ_MAX_BINDINGS];
    fzi_binder binders[FZ_MAX_BINDINGS];
    fzi_label out = FZI_LABEL;
    unsigned count = 0;
    for (const fzi_node *b = stmt->binders; b && count < FZ_MAX_BINDINGS; b = b->next, count++) {
        fzi_local *local = fzi_present_local(lw, b->name, b->symbol->type);
        binders[count] = fzi_binder_of(lw, view, b->set, local);
        view = fzi_view_bind(lw, view, b->symbol, fzi_ir_local(&lw->maker, local));
    }
    skip_loops(e, view, stmt, binders, count, &out);
    for (unsigned i = 0; i < count; i++)
        fzi_loop_begin(e, &loops[i], &binders[i], fzi_new_int(e));
    fzi_lower_stmt(e, view, stmt->body, false);
    while (count-- > 0)
        fzi_loop_end(e, &loops[count]);
    fzi_label_place(e, &out);
}

static void lower_while(fzi_codegen *e, fzi_view view, const fzi_node *stmt)
{
    fzi_label again = FZI_LABEL, out = FZI_LABEL;
    fzi_label_place(e, &again);
    fzi_gen_branch(e, fzi_value_of(e->lower, view, stmt->condition), false, &out);
    fzi_lower_stmt(e, view, stmt->body, false);
    fzi_gen_jump(e, &again);
    fzi_label_place(e, &out);
}

static void lower_as(fzi_codegen *e, fzi_view view, const fzi_node *stmt, bool tail)
{
    fzi_lower *lw = e->lower;
    fzi_local *local = fzi_me_new(lw);
    unsigned reg = fzi_new_int(e);
    fzi_gen_to(e, fzi_value_of(lw, view, stmt->player), reg);
    local->reg = (int)reg;
    fzi_lower_stmt(e, fzi_view_me(view, fzi_ir_local(&lw->maker, local)), stmt->body, tail);
}

/* ---- results ---- */

static void lower_rank(fzi_codegen *e, fzi_view view, const fzi_node *stmt)
{
    fzi_lower *lw = e->lower;
    fzi_ir_maker *m = &lw->maker;
    fzi_local *local = fzi_present_local(lw, stmt->name, lw->game->type_player);
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
        fzi_registers used = e->used;
        unsigned value = fzi_int_value(e, inner, key), number = fzi_new_int(e);
        fzi_gen_number(e, number, keys);
        fzi_gen(e, FZ_OP_RANK_KEY, (unsigned)local->reg, number, value);
        e->used = used;
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
        view = fzi_declare_local(e, view, stmt->symbol, stmt->value);
    for (const fzi_node *bound = stmt->kind == N_S_LET ? stmt->bindings : NULL; bound;
         bound = bound->next)
        view = fzi_declare_local(e, view, bound->symbol, bound->value);
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

/* Is the name the expression itself or an operand of it, outside of loops? */
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

/* `let x = e; if ... x ...`, with x used once, in the condition: evaluates it there, as short
 * circuits may skip it. */
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
    const fzi_ir *ir = fzi_value_as(lw, view, bound->value, bound->symbol->type);
    return fzi_ir_may_fail(ir) ? NULL : ir;
}

static void lower_block(fzi_codegen *e, fzi_view view, const fzi_node *block, bool tail)
{
    for (const fzi_node *stmt = block->stmts; stmt; stmt = stmt->next) {
        const fzi_ir *value = value_for_condition(e->lower, view, stmt);
        if (value)
            fzi_mark_rule(e->lower, stmt->span);
        view = value ? fzi_view_bind(e->lower, view, stmt->bindings->symbol, value)
                     : fzi_lower_stmt(e, view, stmt, tail && !stmt->next);
    }
}

static void lower_simple(fzi_codegen *e, fzi_view view, const fzi_node *stmt)
{
    switch (stmt->kind) {
    case N_S_PUT: case N_S_GIVE: case N_S_REMOVE: case N_S_CAPTURE:
        fzi_lower_place(e, view, stmt);
        break;
    case N_S_NEXT: fzi_gen(e, FZ_OP_NEXT, fzi_int_value(e, view, stmt->player), 0, 0); break;
    case N_S_AGAIN: lower_again(e); break;
    case N_S_STOP: fzi_gen(e, FZ_OP_STOP, 0, 0, 0); break;
    case N_S_RETURN: fzi_lower_return(e, view, stmt); break;
    case N_S_WIN: fzi_gen(e, FZ_OP_WIN, fzi_int_value(e, view, stmt->player), 0, 0); break;
    case N_S_LOSE: fzi_gen(e, FZ_OP_LOSE, fzi_int_value(e, view, stmt->player), 0, 0); break;
    case N_S_OUT: fzi_gen(e, FZ_OP_OUT, fzi_int_value(e, view, stmt->player), 0, 0); break;
    case N_S_DRAW: fzi_gen(e, FZ_OP_DRAW, 0, 0, 0); break;
    case N_S_RANK: lower_rank(e, view, stmt); break;
    case N_S_DIAGRAM: fzi_lower_diagram(e, view, stmt->text, stmt->signs, stmt->name_span); break;
    default: fzi_lower_bug(e, fzi_node_kind_name(stmt->kind)); break;
    }
}

static fzi_view lower_any(fzi_codegen *e, fzi_view view, const fzi_node *stmt, bool tail)
{
    switch (stmt->kind) {
    case N_S_LET: case N_S_VAR: return lower_declarations(e, view, stmt);
    case N_S_BLOCK: lower_block(e, view, stmt, tail); break;
    case N_S_CHOOSE: fzi_lower_choose(e, view, stmt, tail && e->result == 0); break;
    case N_S_ASSIGN: fzi_lower_assign(e, view, stmt); break;
    case N_S_CALL: fzi_lower_call(e, view, stmt, tail); break;
    case N_S_IF: lower_if(e, view, stmt, tail); break;
    case N_S_FOR: lower_for(e, view, stmt); break;
    case N_S_TOGETHER: fzi_lower_together(e, view, stmt); break;
    case N_S_WHILE: lower_while(e, view, stmt); break;
    case N_S_AS: lower_as(e, view, stmt, tail); break;
    default: lower_simple(e, view, stmt); break;
    }
    return view;
}

fzi_view fzi_lower_stmt(fzi_codegen *e, fzi_view view, const fzi_node *stmt, bool tail)
{
    fzi_registers used = e->used;
    fzi_span outer = e->span;
    fzi_code_start start = {fzi_code_here(&e->code), (uint32_t)e->code.lines.count};
    e->lower->at = stmt->span;
    if (!fzi_lower_enter(e->lower, stmt->span))
        return view;
    e->span = stmt->span;
    e->lower->maker.span = stmt->span;
    fzi_stop_at_statement(e, view, stmt);
    if (stmt->kind != N_S_IF) /* which tells itself */
        fzi_mark_rule(e->lower, stmt->span);
    view = lower_any(e, view, stmt, tail);
    /* Coverage counts a statement at its first instruction, which may belong to an operand. */
    if (stmt->kind != N_S_BLOCK)
        fzi_code_begins(e->b, &e->code, stmt->span, start);
    if (stmt->kind != N_S_LET && stmt->kind != N_S_VAR) /* whose registers live on */
        e->used = used;
    e->span = outer;
    fzi_lower_leave(e->lower);
    return view;
}
