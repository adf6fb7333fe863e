/* Checks `shown to`, and warns where a public variable gets a secret value. */
#include "whole_game.h"

/* Reports `shown to` at a value without chance. */
static void check_viewers(fzi_checker *c, const fzi_node *stmt)
{
    uint32_t effects = 0;
    if (!stmt->viewers)
        return;
    const fzi_node *bound = stmt->kind == N_S_LET ? stmt->bindings : NULL;
    for (; bound; bound = bound->next)
        effects |= bound->value->effects;
    if (stmt->kind != N_S_LET && stmt->value)
        effects |= stmt->value->effects;
    if (!(effects & FZI_CHANCE))
        fzi_error(c->diags, stmt->viewers->span, FZ_E_NOTHING_SHOWN);
}

/* Warns if a public variable gets a secret value, or an index comes from a secret. A carried
 * variable is hidden with its piece. */
static void check_told(fzi_checker *c, const fzi_node *stmt)
{
    const fzi_symbol *symbol = stmt->symbol;
    if (!symbol || symbol->kind != FZI_SYM_VAR || stmt->span.source != c->own_source ||
        symbol->node->flags & (FZ_NODE_SECRET | FZ_NODE_CARRIED))
        return;
    bool hidden = stmt->viewers && stmt->value->effects & FZI_CHANCE;
    const fzi_node *secret = hidden || stmt->value->effects & FZI_SECRET ? stmt->value : NULL;
    for (const fzi_node *index = stmt->indexes; index && !secret; index = index->next)
        secret = index->effects & FZI_SECRET ? index : NULL;
    if (!secret)
        return;
    fzi_error(c->diags, secret->span, FZ_W_SECRET_TOLD, symbol->name);
}

static void check_node(void *user, fzi_node *node)
{
    fzi_checker *c = user;
    if (node->kind == N_S_LET || node->kind == N_S_VAR || node->kind == N_S_ASSIGN)
        check_viewers(c, node);
    if (node->kind == N_S_ASSIGN && !c->diags->errors)
        check_told(c, node);
}

void fzi_check_secrets(fzi_checker *c)
{
    for (fzi_node *decl = c->unit->decls; decl; decl = decl->next)
        fzi_walk_below(decl, check_node, c);
}
