/* `move as K;` in a piece: copies the plain items of the kind into the piece, so that `attacked`,
 * `at` and all that lists moves knows them. What is a kind only while the game runs copies those of
 * all kinds, each under the condition that this is the kind. */
#include "statements.h"

typedef struct borrowing {
    fzi_checker *c;
    uint8_t *progress; /* by kind: enum fzi_checking */
} borrowing;

static fzi_piece *named_kind(const fzi_game *game, const fzi_node *value)
{
    for (unsigned i = 0; i < game->piece_count; i++)
        if (value->kind == N_E_NAME && strcmp(game->pieces[i].symbol->name, value->name) == 0)
            return &game->pieces[i];
    return NULL;
}

/* The condition `kind == value`; the checker turns it into `kind in value` if that is a set. */
static fzi_node *only_if(fzi_checker *c, const fzi_node *item, const fzi_piece *kind)
{
    fzi_node *name = fzi_node_new(c->arena, N_E_NAME, item->value->span);
    fzi_node *equal = fzi_node_new(c->arena, N_E_BINARY, item->value->span);
    fzi_node *quant = fzi_node_new(c->arena, N_Q_IF, item->value->span);
    name->name = kind->symbol->name;
    name->name_span = item->value->span;
    equal->op = FZ_T_EQ;
    equal->left = name;
    equal->right = fzi_node_clone(c->arena, item->value);
    quant->condition = equal;
    quant->flags = FZ_NODE_BORROWED;
    return quant;
}

/* Copies the plain items of `from` behind `after`; returns the last one. */
static fzi_node *copy_items(fzi_checker *c, const fzi_node *item, const fzi_piece *from,
                            bool depends, fzi_node *after)
{
    for (const fzi_node *old = from->items; old; old = old->next) {
        if (!fzi_item_is_plain(old))
            continue;
        fzi_node *copy = fzi_node_clone(c->arena, old), **end = &copy->quants;
        copy->span = item->span;
        copy->flags |= FZ_NODE_BORROWED;
        if (depends)
            *end = only_if(c, item, from);
        for (; *end; end = &(*end)->next)
            ;
        for (const fzi_node *q = old->quants; q && depends; q = q->next, end = &(*end)->next)
            *end = fzi_node_clone(c->arena, q);
        for (const fzi_node *q = item->quants; q; q = q->next, end = &(*end)->next)
            *end = fzi_node_clone(c->arena, q);
        copy->next = after->next;
        after = after->next = copy;
    }
    return after;
}

static bool varies(const fzi_game *game, const fzi_piece *piece)
{
    for (const fzi_node *item = piece->items; item; item = item->next)
        if (item->kind == N_I_AS && !named_kind(game, item->value))
            return true;
    return false;
}

/* Copies what the kind borrows; false: its own moves are asked for on the way. */
static bool borrow(borrowing *b, fzi_piece *piece)
{
    fzi_game *game = b->c->game;
    uint8_t *progress = &b->progress[piece - game->pieces];
    if (*progress == FZI_BUSY)
        return false;
    if (*progress == FZI_DONE)
        return true;
    *progress = FZI_BUSY;
    for (fzi_node *item = piece->items; item; item = item->next) {
        fzi_node *last = item;
        if (item->kind != N_I_AS || (item->next && item->next->flags & FZ_NODE_BORROWED))
            continue; /* kinds with one body have one list */
        fzi_piece *kind = named_kind(game, item->value);
        for (unsigned i = 0; i < game->piece_count; i++) {
            fzi_piece *from = &game->pieces[i];
            if (kind ? from != kind : from->items == piece->items || varies(game, from))
                continue;
            if (borrow(b, from))
                last = copy_items(b->c, item, from, !kind, last);
            else if (kind)
                fzi_error(b->c->diags, item->value->span, FZ_E_MOVES_AS_ITSELF,
                          piece->symbol->name);
        }
    }
    *progress = FZI_DONE;
    return true;
}

void fzi_borrow_moves(fzi_checker *c)
{
    borrowing b = {c, fzi_arena_alloc(c->arena, c->game->piece_count)};
    memset(b.progress, FZI_UNSEEN, c->game->piece_count);
    for (unsigned i = 0; i < c->game->piece_count; i++)
        borrow(&b, &c->game->pieces[i]);
}
