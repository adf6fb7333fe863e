/* The entry of the checker, which compile.c calls: runs grammar/check, then the checks that need
 * the whole game. */
#include "whole_game.h"

#include "grammar/check/statements.h"

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
    game->globals = c->scope = fzi_scope_new(load->arena, unit);
    c->scope->diags = c->diags;
    fzi_collect(c);
    fzi_check_bodies(c);
    fzi_check_tests(c);
    if (load->print)
        fzi_check_print(c);
    fzi_check_effects(c);
    fzi_check_secrets(c);
    fzi_check_views(c);
    fzi_check_texts(c);
    fzi_check_unused(c);
    fzi_check_replaced(c);
    fzi_check_suspicious(c);
    fzi_check_costs(c);
    if (load->is_for_tools)
        fzi_check_other_tests(c);
    return game;
}
