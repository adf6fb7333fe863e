/* Makes a function for each plain item of a piece, for coverage. The plain items are one option,
 * because a target that two of them have is one move; coverage counts them apart. choose.c calls
 * it. */
#include "emit.h"

typedef struct lowered_item {
    const fzi_piece *piece;
    const fzi_node *item;
    int32_t function; /* -1: it can never have a move */
} lowered_item;

static const lowered_item *find_item(const fzi_lower *lw, const fzi_piece *piece,
                                     const fzi_node *item)
{
    for (size_t i = 0; i < lw->emission->items.count; i++) {
        const lowered_item *known = FZI_ITEM(lw->emission->items, lowered_item, i);
        if (known->piece == piece && known->item == item)
            return known;
    }
    return NULL;
}

static int32_t make_function(fzi_lower *lw, const fzi_piece *piece, const fzi_node *item)
{
    fzi_codegen e;
    uint32_t function = fzi_build_function(&lw->build, "item");
    fzi_view view = fzi_begin_function(lw, &e, function, 2);
    e.span = lw->maker.span = item->span;
    fzi_local *here = fzi_present_local(lw, "here", lw->game->type_site);
    fzi_take_parameter(&e, here);
    view = fzi_view_bind(lw, view, piece->here, fzi_ir_local(&lw->maker, here));
    const fzi_ir *reach = fzi_item_reach(lw, view, piece, item);
    const fzi_ir *set = reach ? reach : fzi_ir_none(&lw->maker);
    fzi_return_value(&e, fzi_fold_to_table(lw, set));
    return reach ? (int32_t)function : -1;
}

static int32_t item_function(fzi_lower *lw, const fzi_piece *piece, const fzi_node *item)
{
    const lowered_item *known = find_item(lw, piece, item);
    if (known)
        return known->function;
    fzi_span span = lw->maker.span;
    lowered_item made = {piece, item, make_function(lw, piece, item)};
    lw->maker.span = span;
    lw->emission->items.item_size = sizeof made;
    fzi_array_add(&lw->build, &lw->emission->items, &made);
    return made.function;
}

/* Does the piece have two plain items that can have moves? */
static bool has_several(fzi_lower *lw, const fzi_piece *piece)
{
    unsigned count = 0, plain = 0;
    for (const fzi_node *item = piece->items; item; item = item->next)
        plain += fzi_item_is_plain(item);
    for (const fzi_node *item = piece->items; item && plain > 1; item = item->next)
        count += fzi_item_is_plain(item) && item_function(lw, piece, item) >= 0;
    return count > 1;
}

static void add_items(fzi_lower *lw, const fzi_leaf *leaf)
{
    const fzi_ir *me = leaf->context.view.me;
    fz_item_info row = {.option = leaf->option, .me = -1};
    if (me->kind == FZI_IR_LOCAL)
        row.me = me->local->reg;
    else if (me->kind == FZI_IR_INT)
        row.player = (int8_t)me->value;
    else
        return;
    for (const fzi_node *item = leaf->plain->items; item; item = item->next) {
        int32_t function = fzi_item_is_plain(item) ? item_function(lw, leaf->plain, item) : -1;
        if (function < 0)
            continue;
        row.function = (uint32_t)function;
        row.place = fzi_build_place(&lw->build, item->span);
        fzi_array_add(&lw->build, &lw->build.items, &row);
    }
}

void fzi_list_coverage_items(fzi_gathering *g)
{
    if (g->question)
        return;
    for (const fzi_leaf *leaf = g->first; leaf && !g->e->b->failed; leaf = leaf->next)
        if (leaf->plain && has_several(g->e->lower, leaf->plain))
            add_items(g->e->lower, leaf);
}
