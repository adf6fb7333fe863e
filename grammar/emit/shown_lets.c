/* Makes a function of each `let` that drawings show, of `me` and its indexes. lower.c calls it. */
#include "emit.h"

enum { MAX_SHOWN = 1 << 12, MAX_INDEXES = 4 };

/* Describes the `let`'s values like a variable's. */
static fz_variable like_variable(fzi_lower *lw, const fzi_symbol *let)
{
    fzi_build *b = &lw->build;
    fz_variable like = {0};
    uint64_t length = 1;
    like.name = fzi_build_text(b, let->name);
    like.type = fzi_build_type(b, let->type);
    like.is_set = fzi_is_sites(let->type);
    like.shown = 1;
    /* The value that is not drawn on a site; all named values are drawn. */
    like.initial =
        let->type->kind == FZI_TYPE_NAMED ? FZ_NOT_THERE : (int32_t)fzi_type_default(let->type);
    for (unsigned k = 0; k < let->index_count; k++) {
        like.index[k] = fzi_build_type(b, let->index[k]);
        length *= (uint64_t)fzi_type_size(let->index[k]);
        length = length > UINT32_MAX ? UINT32_MAX : length;
    }
    like.index_count = (uint8_t)let->index_count;
    like.length = (uint32_t)length;
    fzi_at_most(lw->game, let->span, "the shown 'let'", like.length, "elements", MAX_SHOWN);
    return like;
}

static uint32_t let_function(fzi_lower *lw, fzi_symbol *let)
{
    fzi_codegen e;
    const fzi_ir *indexes[FZ_MAX_BINDINGS];
    uint32_t function = fzi_build_function(&lw->build, let->name);
    fzi_view view = fzi_begin_function(lw, &e, function, 0);
    e.span = let->node->span;
    for (unsigned i = 0; i < let->param_count; i++) {
        fzi_local *local = fzi_local_new(lw, let->params[i]->name, let->index[i]);
        fzi_take_parameter(&e, local);
        indexes[i] = fzi_ir_local(&lw->maker, local);
    }
    fzi_return_value(&e, fzi_fold_to_table(lw, fzi_elaborate_let(lw, view, let, indexes)));
    return function;
}

void fzi_lower_shown(fzi_lower *lw)
{
    const fzi_game *game = lw->game;
    for (unsigned i = 0; i < game->shown_count && !lw->build.failed; i++) {
        fzi_symbol *symbol = game->shown[i]->symbol;
        bool again = false;
        for (unsigned k = 0; k < i; k++)
            again |= game->shown[k]->symbol == symbol;
        if (again || symbol->kind != FZI_SYM_LET ||
            !fzi_at_most(game, symbol->span, "the shown 'let'", symbol->index_count, "indexes",
                         MAX_INDEXES))
            continue;
        const char *mark = game->shown[i]->text;
        fz_shown shown = {.like = like_variable(lw, symbol),
                          .reveals = (symbol->effects & FZI_REVEALS) != 0,
                          .mark = fzi_build_text(&lw->build, mark ? mark : "")};
        shown.function = let_function(lw, symbol);
        fzi_array_add(&lw->build, &lw->build.shown, &shown);
    }
}
