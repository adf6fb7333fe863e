/* Generates who sees the results of chance in a value: `shown to`, and secret variables. Statements
 * with values call it. */
#include "emit.h"

/* Does chance go directly into a secret variable? Then those who see the element see the result. */
static bool goes_into_secret(const fzi_node *stmt)
{
    return stmt->kind == N_S_ASSIGN && stmt->symbol->kind == FZI_SYM_VAR &&
           stmt->symbol->node->flags & FZ_NODE_SECRET && stmt->value->effects & FZI_CHANCE;
}

/* The player who sees the element that is assigned; NULL: nobody does. */
static const fzi_node *owner_of_element(const fzi_node *stmt)
{
    const fzi_symbol *symbol = stmt->symbol;
    bool owned = symbol->index_count && fzi_type_is(symbol->index[0], FZI_TYPE_PLAYER);
    return owned ? stmt->indexes : NULL;
}

bool fzi_viewers_begin(fzi_codegen *e, fzi_view view, const fzi_node *stmt, unsigned *outer)
{
    fzi_lower *lw = e->lower;
    fzi_ir_maker *m = &lw->maker;
    if (!stmt->viewers && !goes_into_secret(stmt))
        return false;
    const fzi_node *viewers = stmt->viewers ? stmt->viewers : owner_of_element(stmt);
    const fzi_type *players = fzi_type_set_of(lw->game, lw->game->type_player);
    const fzi_ir *all = fzi_ir_int(m, (INT64_C(1) << lw->game->player_count) - 1);
    const fzi_ir *see = viewers ? fzi_elaborate_as(lw, view, viewers, players) : fzi_ir_int(m, 0);
    const fzi_ir *blind = fzi_ir_op(m, FZ_OP_MSUB, all, see);
    *outer = fzi_new_int(e);
    fzi_registers used = e->used;
    fzi_gen(e, FZ_OP_SEEN, *outer, fzi_gen_value(e, fzi_fold_to_table(lw, blind)), 0);
    e->used = used;
    return true;
}

void fzi_viewers_end(fzi_codegen *e, unsigned outer)
{
    fzi_gen(e, FZ_OP_SEEN, outer, outer, 0);
}
