/* Who sees the results of chance in a value. See lower_viewers.h. */
#include "lower_viewers.h"

#include "constant_tables.h"
#include "grammar/check/types.h"

/* `secret[p, …] = random(…)`: p, who sees the element, sees the result. NULL: it is no such
 * statement. */
static const fzi_node *owner_of_secret(const fzi_node *stmt)
{
    if (stmt->kind != N_S_ASSIGN || stmt->symbol->kind != FZI_SYM_VAR ||
        !(stmt->symbol->node->flags & FZ_NODE_SECRET) || !(stmt->value->effects & FZI_CHANCE))
        return NULL;
    return stmt->indexes;
}

bool fzi_viewers_begin(fzi_codegen *e, fzi_view view, const fzi_node *stmt, unsigned *outer)
{
    fzi_lower *lw = e->lower;
    fzi_ir_maker *m = &lw->maker;
    const fzi_node *viewers = stmt->viewers ? stmt->viewers : owner_of_secret(stmt);
    if (!viewers)
        return false;
    const fzi_type *players = fzi_type_set_of(lw->game, lw->game->type_player);
    const fzi_ir *all = fzi_ir_int(m, (INT64_C(1) << lw->game->player_count) - 1);
    const fzi_ir *blind = fzi_ir_op(m, FZ_OP_MSUB, all, fzi_expr_as(lw, view, viewers, players));
    *outer = fzi_new_int(e);
    unsigned ints = e->ints, sets = e->sets;
    fzi_gen(e, FZ_OP_SEEN, *outer, fzi_gen_int(e, fzi_tabulate(lw, blind)), 0);
    e->ints = ints;
    e->sets = sets;
    return true;
}

void fzi_viewers_end(fzi_codegen *e, unsigned outer)
{
    fzi_gen(e, FZ_OP_SEEN, outer, outer, 0);
}
