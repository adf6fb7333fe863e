/* The entry of the checker: runs its stages, and answers lowering's questions about the result. */
#include "check.h"

#include "check_body.h"
#include "check_decl.h"
#include "check_effects.h"
#include "check_print.h"
#include "check_script_tests.h"
#include "check_secret.h"
#include "check_sense.h"
#include "check_use.h"
#include "check_view.h"
#include "types.h"

fzi_game *fzi_check(fzi_load *load, fzi_unit *unit)
{
    fzi_game *game = FZI_NEW(load->arena, fzi_game);
    fzi_checker *c = FZI_NEW(load->arena, fzi_checker);
    game->arena = c->arena = load->arena;
    game->diags = c->diags = load->diags;
    game->unit = c->unit = unit;
    game->sources = load->sources;
    c->load = load;
    c->game = game;
    c->own_source = unit->file->span.source;
    c->unsure = load->diags->errors > 0;
    fzi_types_init(game);
    game->globals = c->scope = fzi_scope_new(load->arena);
    c->scope->diags = c->diags;
    fzi_collect(c);
    fzi_check_bodies(c);
    fzi_check_tests(c);
    if (load->print)
        fzi_check_print(c);
    fzi_check_effects(c);
    fzi_check_secrets(c);
    fzi_check_views(c);
    fzi_check_use(c);
    fzi_check_sense(c);
    if (load->is_for_tools)
        fzi_check_other_tests(c);
    return game;
}

fzi_symbol *fzi_game_find(const fzi_game *game, const char *name, int params)
{
    const char *interned = fzi_intern_z(game->arena, name);
    for (fzi_entry *e = fzi_scope_find(game->globals, interned); e; e = e->namesake) {
        bool function = e->symbol.kind == FZI_SYM_FN || e->symbol.kind == FZI_SYM_PROC ||
                        e->symbol.kind == FZI_SYM_MOVES || e->symbol.kind == FZI_SYM_EXTERN;
        if (!function || params < 0 || e->symbol.param_count == (unsigned)params)
            return &e->symbol;
    }
    return NULL;
}

fzi_node *fzi_property_node(const fzi_game *game, const fzi_symbol *property, unsigned kind)
{
    for (fzi_node *item = game->pieces[kind].items; item; item = item->next)
        if (item->kind == N_I_PROPERTY && item->name == property->name)
            return item->value;
    return NULL;
}
