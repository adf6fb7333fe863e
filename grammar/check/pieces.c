/* Checks the bodies of pieces: items and properties. */
#include "statements.h"

static bool is_kinds(const fzi_type *type)
{
    return fzi_type_is_set(type, FZI_TYPE_KIND);
}

static void check_borrowing(fzi_checker *c, fzi_node *item)
{
    if (!is_kinds(fzi_check_expr(c, item->value, c->game->type_kind)))
        fzi_check_as(c, item->value, c->game->type_kind);
    fzi_check_quants(c, item->quants);
}

/* The conditions of an item that `move as` copied say `kind == value`. */
static void settle_conditions(fzi_checker *c, const fzi_node *item)
{
    for (fzi_node *q = item->quants; q; q = q->next) {
        if (!(q->flags & FZ_NODE_BORROWED))
            continue;
        const fzi_type *type = fzi_check_expr(c, q->condition->right, c->game->type_kind);
        if (is_kinds(type))
            q->condition->op = FZ_T_IN;
        else if (type->kind != FZI_TYPE_KIND) /* reported at the value of `move as` */
            q->condition->kind = N_E_ERROR;
    }
}

static void check_move_item(fzi_checker *c, fzi_node *item)
{
    fzi_region region = c->at;
    c->at.no_chance = "the set of a move";
    fzi_check_as(c, item->targets, c->game->type_sites);
    c->at = region;
    fzi_mark outer = fzi_enter(c);
    item->symbol = fzi_bind_named(c, fzi_intern_z(c->arena, "to"), (fzi_span){0},
                                  FZI_LOCAL_HERE_TO, c->game->type_site);
    fzi_mark inner = fzi_enter(c);
    settle_conditions(c, item);
    fzi_check_quants(c, item->quants);
    fzi_check_label(c, item->label);
    if (item->effect)
        fzi_check_effect(c, item->effect);
    if (!item->effect || item->kind == N_I_AT) {
        c->at.gathers = false;
        fzi_use(c, &c->hook->symbol, item->span);
        c->at.gathers = region.gathers;
    }
    fzi_leave(c, inner);
    fzi_leave(c, outer);
}

static void check_property(fzi_checker *c, fzi_node *item)
{
    fzi_region region = c->at;
    fzi_symbol *property = fzi_find_global(c, item->name, item->span.source,
                                           1u << FZI_SYM_PROPERTY);
    c->at = (fzi_region){.no_chance = "a property", .pure = "a property"};
    if (property) {
        fzi_declare(c, property, item->name_span);
        item->symbol = property;
        fzi_check_as(c, item->value, property->type);
    } else if (c->unsure) {
        fzi_check_expr(c, item->value, NULL);
    } else {
        fzi_nearest nearest = {.wanted = item->name};
        fzi_scope_nearest(c->scope, NULL, 1u << FZI_SYM_PROPERTY, &nearest);
        fzi_diag *diag = fzi_error(c->diags, item->name_span, FZ_E_UNKNOWN_PROPERTY, item->name);
        if (strcmp(item->name, "to") == 0)
            fzi_hint_add(diag, "a move of a piece begins with 'move to'");
        else
            fzi_hint_nearest(diag, &nearest);
        fzi_check_expr(c, item->value, NULL);
    }
    c->at = region;
}

static void check_item(fzi_checker *c, fzi_node *item)
{
    fzi_region region = c->at;
    switch (item->kind) {
    case N_I_MOVE: case N_I_AT:
        check_move_item(c, item);
        break;
    case N_I_AS:
        check_borrowing(c, item);
        break;
    case N_I_MOVES:
        fzi_check_options(c, item->options);
        break;
    case N_I_ATTACKS:
        c->at.no_chance = "'attacks'";
        fzi_check_as(c, item->targets, c->game->type_sites);
        c->at = region;
        break;
    case N_I_AFTER:
        fzi_check_effect(c, item->effect);
        break;
    case N_I_BASE: /* this declaration replaces none */
        fzi_hint_add(fzi_error(c->diags, item->name_span, FZ_E_UNKNOWN_NAME, "base"),
                     "'base' is what an 'override' replaces; "
                     "an 'extend' keeps it: leave out 'base'");
        break;
    default:
        check_property(c, item);
        break;
    }
}

/* Does the kind state a property that is not declared? Then it stands for the missing one. */
static bool states_unknown(const fzi_checker *c, const fzi_piece *piece)
{
    for (const fzi_node *item = piece->items; item; item = item->next)
        if (item->kind == N_I_PROPERTY &&
            !fzi_find_global(c, item->name, item->span.source, 1u << FZI_SYM_PROPERTY))
            return true;
    return false;
}

/* A kind states each property once, and all properties that have no default. */
static void check_stated(fzi_checker *c, const fzi_piece *piece)
{
    for (const fzi_node *item = piece->items; item; item = item->next) {
        if (item->kind != N_I_PROPERTY)
            continue;
        for (const fzi_node *before = piece->items; before != item; before = before->next) {
            if (before->kind != N_I_PROPERTY || before->name != item->name)
                continue;
            fzi_diag *diag = fzi_error(c->diags, item->name_span, FZ_E_PROPERTY_TWICE, item->name);
            fzi_note_at(diag, before->name_span, "the first one is here");
            break;
        }
    }
    for (unsigned i = 0; i < c->game->property_count; i++) {
        const fzi_symbol *property = c->game->properties[i];
        if (property->node->value || c->unsure || states_unknown(c, piece) ||
            fzi_property_node(c->game, property, (unsigned)piece->symbol->value))
            continue;
        fzi_diag *diag = fzi_error(c->diags, piece->symbol->span, FZ_E_PROPERTY_MISSING,
                                   piece->symbol->name, property->name);
        fzi_note_at(diag, property->span, "it is declared here, without a default");
    }
}

/* An earlier kind with the same body. */
static const fzi_piece *alike(const fzi_checker *c, unsigned piece)
{
    const fzi_piece *pieces = c->game->pieces;
    for (unsigned i = 0; i < piece; i++)
        if (pieces[i].items && pieces[i].items == pieces[piece].items)
            return &pieces[i];
    return NULL;
}

/* Reports `at` in a kind without plain items, to which it would apply. */
static void check_at(fzi_checker *c, const fzi_piece *piece)
{
    const fzi_node *at = NULL;
    for (const fzi_node *item = piece->items; item; item = item->next) {
        if (fzi_item_is_plain(item))
            return;
        if (item->kind == N_I_AT && !at)
            at = item;
    }
    if (at)
        fzi_error(c->diags, at->targets->span, FZ_E_AT_WITHOUT_MOVES, piece->symbol->name);
}

void fzi_check_pieces(fzi_checker *c)
{
    fzi_region region = c->at;
    fzi_borrow_moves(c);
    for (unsigned i = 0; i < c->game->piece_count; i++) {
        fzi_piece *piece = &c->game->pieces[i];
        const fzi_piece *same = alike(c, i);
        if (same) {
            piece->here = same->here;
            check_stated(c, piece);
            continue;
        }
        fzi_mark outer = fzi_enter(c);
        piece->here = fzi_bind_named(c, fzi_intern_z(c->arena, "here"), (fzi_span){0},
                                     FZI_LOCAL_HERE_TO, c->game->type_site);
        fzi_mark inner = fzi_enter(c);
        c->at = (fzi_region){.owner = c->piece_moves, .gathers = true};
        for (fzi_node *item = piece->items; item; item = item->next)
            check_item(c, item);
        check_at(c, piece);
        c->at = region;
        fzi_leave(c, inner);
        fzi_leave(c, outer);
        check_stated(c, piece);
    }
}
