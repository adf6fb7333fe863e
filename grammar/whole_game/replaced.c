/* Warns about declarations that seem to be meant to replace those of a module, but do not. */
#include "whole_game.h"

/* A symbol that code of the game reaches. */
typedef struct reached {
    fzi_entry **items;
    size_t count, capacity;
} reached;

static void reach(fzi_checker *c, reached *r, fzi_entry *entry)
{
    if (entry->reached)
        return;
    entry->reached = true;
    *FZI_MORE(c->arena, r->items, r->count, r->capacity) = entry;
}

static void reach_all(fzi_checker *c)
{
    /* The machine calls these itself. */
    static const char *const called[] = {"owned", "allied", "unseen", "invisible", "payoff",
                                         "mine", "friends", "theirs", "neutral", "foe"};
    reached r = {0};
    for (fzi_entry *e = c->scope->first; e; e = e->following)
        if (e->wanted)
            reach(c, &r, e);
    for (size_t i = 0; i < sizeof called / sizeof *called; i++) {
        fzi_symbol *symbol = fzi_game_find(c->game, called[i], -1);
        if (symbol)
            reach(c, &r, fzi_entry_of(symbol));
    }
    for (size_t i = 0; i < r.count; i++)
        for (const fzi_edge *edge = r.items[i]->edges; edge; edge = edge->next)
            reach(c, &r, edge->to);
}

/* The module's declaration of the same sort and name that the game reaches all the same; NULL. */
static const fzi_entry *not_replaced(const fzi_checker *c, const fzi_entry *own)
{
    for (const fzi_entry *e = fzi_scope_all(c->scope, own->key); e; e = e->namesake)
        if (e->reached && !e->named && e->home != own->home && e->symbol.node &&
            fzi_unit_nearness(c->unit, own->home, e->home, e->key) != FZI_LEFT_OUT &&
            e->symbol.kind == own->symbol.kind && fzi_names_conflict(&e->symbol, &own->symbol))
            return e;
    return NULL;
}

void fzi_check_replaced(fzi_checker *c)
{
    bool some = false;
    for (const fzi_entry *e = c->scope->first; e && !some; e = e->following)
        some = e->contested;
    if (!some)
        return;
    reach_all(c);
    for (const fzi_entry *e = c->scope->first; e; e = e->following) {
        const fzi_entry *other =
            e->contested && e->symbol.span.source == c->own_source && e->home == c->own_source
                ? not_replaced(c, e)
                : NULL;
        if (!other)
            continue;
        const char *module = fzi_unit_module_at(c->unit, other->home);
        fzi_diag *diag = fzi_error(c->diags, e->symbol.span, FZ_W_NOT_REPLACED, e->key, module);
        const fzi_span decl = e->symbol.node->span;
        const fzi_span before = {decl.source, decl.start, decl.start};
        fzi_hint_edit(diag, &before, "override ");
        fzi_note_at(diag, other->symbol.span, "it is declared here");
    }
}
