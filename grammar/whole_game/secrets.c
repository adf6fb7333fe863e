/* Checks `shown to`, and warns where everybody sees a secret, or a player who decides sees one of
 * another player. `ferz check --deep` proves it by playing, and finds what the text does not
 * show. */
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

/* ---- what a secret decides ---- */

/* Warns if all see what follows from a secret condition. */
static void check_followed(fzi_checker *c, const fzi_node *condition, uint32_t followed)
{
    if (condition->effects & FZI_SECRET && followed & (FZI_PUBLIC | FZI_ENDS | FZI_DECIDES))
        fzi_error(c->diags, condition->span, FZ_W_SECRET_SEEN);
}

static void check_conditions(fzi_checker *c, const fzi_node *node)
{
    if (node->kind == N_S_IF || node->kind == N_S_WHILE)
        check_followed(c, node->condition,
                       node->effects & ~node->condition->effects);
    const fzi_node *binder = node->kind == N_S_FOR ? node->binders : NULL;
    for (; binder; binder = binder->next)
        check_followed(c, binder->set, node->body->effects);
}

/* Warns if a statement whose effect all see takes a secret value. */
static void check_operands(fzi_checker *c, const fzi_node *stmt)
{
    for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
        for (const fzi_node *child = stmt->children[i]; child; child = child->next)
            if (child->effects & FZI_SECRET)
                fzi_error(c->diags, child->span, FZ_W_SECRET_SEEN);
}

/* ---- what a player who decides must not know ---- */

static void check_foreign(fzi_checker *c, const fzi_node *node, const char *what)
{
    if (node && node->effects & FZI_UNSEEN_BY_DECIDER)
        fzi_error(c->diags, node->span, FZ_W_SECRET_MOVES, what);
}

static void check_foreign_list(fzi_checker *c, const fzi_node *list)
{
    for (; list; list = list->next)
        check_foreign(c, list, "the legal moves depend");
}

static void check_listed(fzi_checker *c, const fzi_node *node)
{
    switch (node->kind) {
    case N_Q_IF:
        check_foreign_list(c, node->condition);
        break;
    case N_Q_FOR:
        for (const fzi_node *binder = node->binders; binder; binder = binder->next)
            check_foreign_list(c, binder->set);
        break;
    case N_FILTER:
        check_foreign_list(c, node->condition);
        check_foreign_list(c, node->keys);
        break;
    case N_I_MOVE: case N_I_AT:
        check_foreign_list(c, node->targets);
        break;
    case N_GENERATOR:
        check_foreign_list(c, node->arguments);
        if (node->effects & FZI_GENERATES_FOREIGN)
            fzi_error(c->diags, node->span, FZ_W_SECRET_MOVES, "the legal moves depend");
        break;
    case N_LABEL:
        for (const fzi_node *name = node->names; name; name = name->next)
            if (name->effects & FZI_UNSEEN_BY_DECIDER) {
                fzi_error(c->diags, node->name_span, FZ_W_SECRET_MOVES, "the text depends");
                return;
            }
        break;
    default: break;
    }
}

static void check_node(void *user, fzi_node *node)
{
    fzi_checker *c = user;
    if (node->kind == N_S_LET || node->kind == N_S_VAR || node->kind == N_S_ASSIGN)
        check_viewers(c, node);
    if (c->diags->errors || node->span.source != c->own_source)
        return;
    switch (node->kind) {
    case N_S_ASSIGN: check_told(c, node); break;
    case N_S_IF: case N_S_WHILE: case N_S_FOR: check_conditions(c, node); break;
    case N_S_PUT: case N_S_GIVE: case N_S_REMOVE: case N_S_CAPTURE:
        if (!c->hides_pieces)
            check_operands(c, node);
        break;
    case N_S_NEXT: case N_S_OUT: case N_S_WIN: case N_S_LOSE: case N_S_RANK:
        check_operands(c, node);
        break;
    case N_S_CHOOSE:
        if (node->player && node->player->effects & FZI_SECRET)
            fzi_error(c->diags, node->player->span, FZ_W_SECRET_SEEN);
        break;
    default: check_listed(c, node); break;
    }
}

void fzi_check_secrets(fzi_checker *c)
{
    for (fzi_node *decl = c->unit->decls; decl; decl = decl->next)
        if (decl->kind != N_D_TEST)
            fzi_walk_below(decl, check_node, c);
}
