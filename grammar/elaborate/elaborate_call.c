/* Elaborates calls of functions, properties and parts of names; elaborate.c calls it. */
#include "elaborate.h"

/* ---- functions ---- */

static const fzi_ir *call_function(fzi_lower *lw, fzi_view view, fzi_symbol *symbol,
                                   const fzi_node *arguments, bool is_set)
{
    const fzi_ir *args[16];
    unsigned count = 0;
    uint32_t effects = symbol->effects;
    /* Without it, the call can become a table by its arguments alone. */
    args[count++] = effects ? view.me : fzi_ir_int(&lw->maker, 0);
    unsigned i = 0;
    for (const fzi_node *a = arguments; a && i < symbol->param_count && count < 16;
         a = a->next, i++)
        args[count++] = fzi_elaborate_as(lw, view, a, symbol->params[i]->type);
    bool state = (effects & ~(uint32_t)FZI_USES_ME) != 0 || symbol->kind == FZI_SYM_EXTERN;
    uint32_t function = lw->makers->called(lw, symbol);
    bool chance = (effects & (FZI_CHANCE | FZI_WRITES | FZI_DECIDES)) != 0;
    return fzi_ir_call(&lw->maker, function, args, count, is_set, state, chance);
}

/* The greatest cost of an inlined function, and how deep inlined calls nest. */
enum { MAX_INLINE = 400, MAX_INLINE_DEPTH = 120 };

/* Do the statements only name values and return one? Then they can be inlined like an expression.
 * */
static bool is_value_list(const fzi_node *stmt)
{
    for (; stmt; stmt = stmt->next)
        switch (stmt->kind) {
        case N_S_RETURN:
            return stmt->value != NULL;
        case N_S_BLOCK:
            return is_value_list(stmt->stmts);
        case N_S_LET:
            for (const fzi_node *bound = stmt->bindings; bound; bound = bound->next)
                if (!bound->value || fzi_needs_check(bound->symbol->type, bound->value->type))
                    return false;
            if (fzi_list_length(stmt->bindings) > FZ_MAX_BINDINGS)
                return false;
            break;
        case N_S_IF: {
            const fzi_node yes = {.kind = N_S_BLOCK, .stmts = (fzi_node *)stmt->then};
            if (stmt->then->next || !is_value_list(&yes))
                return false;
            if (stmt->otherwise)
                return is_value_list(stmt->otherwise);
            break;
        }
        default:
            return false;
        }
    return false;
}

static const fzi_ir *value_of_list(fzi_lower *lw, fzi_view view, const fzi_node *stmt,
                                   const fzi_type *type)
{
    fzi_ir_maker *m = &lw->maker;
    if (stmt->kind == N_S_RETURN)
        return fzi_elaborate_as(lw, view, stmt->value, type);
    if (stmt->kind == N_S_BLOCK)
        return value_of_list(lw, view, stmt->stmts, type);
    if (stmt->kind == N_S_IF) {
        const fzi_ir *condition = fzi_elaborate(lw, view, stmt->condition);
        const fzi_ir *yes = value_of_list(lw, view, stmt->then, type);
        return fzi_ir_if(
            m, condition, yes,
            value_of_list(lw, view, stmt->otherwise ? stmt->otherwise : stmt->next, type));
    }
    fzi_local *locals[FZ_MAX_BINDINGS];
    const fzi_ir *values[FZ_MAX_BINDINGS];
    unsigned count = 0;
    for (const fzi_node *bound = stmt->bindings; bound; bound = bound->next, count++) {
        locals[count] = fzi_local_new(lw, bound->symbol->name, bound->symbol->type);
        values[count] = fzi_elaborate_as(lw, view, bound->value, bound->symbol->type);
        view = fzi_view_bind(lw, view, bound->symbol, fzi_ir_local(m, locals[count]));
    }
    const fzi_ir *ir = value_of_list(lw, view, stmt->next, type);
    while (count--)
        ir = fzi_ir_let(m, locals[count], values[count], ir);
    return ir;
}

/* Inlines a function that is one expression, or that only binds names and returns a value. */
static const fzi_ir *inline_function(fzi_lower *lw, fzi_view view, const fzi_symbol *fn,
                                     const fzi_ir *const *args)
{
    fzi_ir_maker *m = &lw->maker;
    fzi_local *locals[16];
    const fzi_ir *values[16];
    fzi_view inner = {NULL, view.me};
    for (unsigned i = 0; i < fn->param_count && i < 16; i++) {
        locals[i] = fzi_local_new(lw, fn->params[i]->name, fn->params[i]->type);
        bool plain = !args[i]->chance &&
                     (args[i]->cost <= 1 || (!args[i]->state && args[i]->cost < MAX_INLINE));
        values[i] = plain ? args[i] : fzi_ir_local(m, locals[i]);
        inner = fzi_view_bind(lw, inner, fn->params[i], values[i]);
    }
    const fzi_ir *ir = fn->node->body ? value_of_list(lw, inner, fn->node->body, fn->type)
                                      : fzi_elaborate_as(lw, inner, fn->node->value, fn->type);
    for (unsigned i = fn->param_count; i-- > 0;) {
        if (values[i] != args[i])
            ir = fzi_ir_let(m, locals[i], args[i], ir);
    }
    return ir;
}

static const fzi_ir *expr_fn(fzi_lower *lw, fzi_view view, const fzi_node *node)
{
    fzi_symbol *fn = node->symbol;
    const fzi_ir *args[16];
    if (!fzi_uses(lw, FZ_OPT_INLINE) || fn->recursive ||
        (fn->node->body && !is_value_list(fn->node->body)) || fn->is_large ||
        lw->depth > MAX_INLINE_DEPTH)
        return call_function(lw, view, fn, node->arguments, fzi_is_sites(fn->type));
    unsigned i = 0;
    for (const fzi_node *a = node->arguments; a && i < fn->param_count && i < 16; a = a->next, i++)
        args[i] = fzi_elaborate_as(lw, view, a, fn->params[i]->type);
    const fzi_ir *ir = inline_function(lw, view, fn, args);
    fn->is_large = ir->cost > MAX_INLINE;
    return ir;
}

const fzi_ir *fzi_prelude(fzi_lower *lw, fzi_view view, const char *name, const fzi_ir *argument)
{
    fzi_symbol *symbol = fzi_game_find(lw->game, name, argument ? 1 : 0);
    if (!symbol)
        symbol = fzi_game_find(lw->game, name, -1);
    if (!symbol) {
        lw->build.failed = true;
        return fzi_ir_none(&lw->maker);
    }
    if (symbol->kind == FZI_SYM_LET)
        return fzi_elaborate_let(lw, view, symbol, NULL);
    if (symbol->recursive || symbol->node->body) {
        const fzi_ir *args[] = {view.me, argument};
        return fzi_ir_call(&lw->maker, lw->makers->called(lw, symbol), args, 2,
                           fzi_is_sites(symbol->type), true, false);
    }
    return inline_function(lw, view, symbol, &argument);
}

static const fzi_ir *expr_property(fzi_lower *lw, fzi_view view, const fzi_node *node)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_symbol *property = node->symbol;
    const fzi_type *type = property->type;
    bool sites = fzi_is_sites(type);
    fzi_local *local = fzi_local_new(lw, "kind", lw->game->type_kind);
    const fzi_ir *kind = fzi_ir_local(m, local);
    const fzi_ir *value = sites ? fzi_ir_none(m) : fzi_ir_int(m, fzi_type_default(type));
    for (unsigned k = lw->game->piece_count; k-- > 0;) {
        const fzi_node *stated = fzi_property_node(lw->game, property, k);
        if (!stated)
            stated = property->node->value;
        if (!stated)
            continue;
        value = fzi_ir_if(m, fzi_ir_op(m, FZ_OP_EQ, kind, fzi_ir_int(m, k)),
                          fzi_elaborate_as(lw, view, stated, type), value);
    }
    const fzi_ir *argument = fzi_elaborate(lw, view, node->arguments);
    if (argument->cost <= 1 && !argument->state)
        return fzi_ir_replace(m, value, local, argument);
    return fzi_ir_let(m, local, argument, value);
}

/* ---- enums with parts ---- */

static const fzi_ir *expr_whole(fzi_lower *lw, fzi_view view, const fzi_node *node)
{
    const fzi_symbol *whole = node->symbol;
    const fzi_ir *value = NULL;
    unsigned i = 0;
    for (const fzi_node *part = node->arguments; part; part = part->next, i++) {
        const fzi_ir *ir = fzi_elaborate(lw, view, part);
        int32_t size = (int32_t)fzi_type_size(whole->params[i]->type);
        value = value ? fzi_ir_opk(&lw->maker, FZ_OP_INDEX, value, ir, size, 0) : ir;
    }
    return value;
}

/* A part of a value is a table; of `none` it is the default of the part's type. */
static const fzi_ir *expr_part(fzi_lower *lw, fzi_view view, const fzi_node *node)
{
    const fzi_symbol *part = node->symbol;
    if (part->value < 0)
        return expr_whole(lw, view, node);
    int64_t count = fzi_type_size(part->params[0]->type), below = 1;
    for (unsigned i = (unsigned)part->value + 1; i < part->overload->param_count; i++)
        below *= fzi_type_size(part->overload->params[i]->type);
    int32_t *values = fzi_arena_alloc(lw->build.arena, sizeof *values * (size_t)count);
    for (int64_t v = 0; v < count; v++)
        values[v] = (int32_t)(v / below % fzi_type_size(part->type));
    uint32_t table = fzi_build_int_table(&lw->build, values, (uint32_t)count,
                                         (int32_t)fzi_type_default(part->type));
    return fzi_ir_opk(&lw->maker, FZ_OP_TABLE, fzi_elaborate(lw, view, node->arguments), NULL,
                      (int32_t)table, 0);
}

const fzi_ir *fzi_elaborate_call(fzi_lower *lw, fzi_view view, const fzi_node *node)
{
    fzi_symbol *symbol = node->symbol;
    switch (symbol->kind) {
    case FZI_SYM_FN: return expr_fn(lw, view, node);
    case FZI_SYM_PROC: case FZI_SYM_EXTERN:
        return call_function(lw, view, symbol, node->arguments, fzi_is_sites(node->type));
    case FZI_SYM_PROPERTY: return expr_property(lw, view, node);
    case FZI_SYM_PART: return expr_part(lw, view, node);
    case FZI_SYM_PRIMITIVE: return fzi_elaborate_primitive(lw, view, node);
    default: return fzi_elaborate_bug(lw, node, symbol->name);
    }
}
