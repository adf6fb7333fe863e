/* Checks the bodies of functions and of the parts of a game, after all types are known. */
#include "statements.h"

#include <strings.h>

#include "interp/program/program.h"
#include "interp/support/text.h"

/* ---- bodies ---- */

static void check_function(fzi_checker *c, fzi_symbol *symbol)
{
    const fzi_node *node = symbol->node;
    bool result = symbol->type->kind != FZI_TYPE_VOID;
    c->at = (fzi_region){.owner = fzi_entry_of(symbol), .returns = true,
                         .result = result ? symbol->type : NULL};
    if (symbol->kind == FZI_SYM_FN) {
        c->at.gathers = true;
        c->at.pure = c->at.no_chance = c->at.no_choice = "a 'fn'";
    }
    if (node->value) {
        fzi_check_as(c, node->value, symbol->type);
        return;
    }
    fzi_check_stmt(c, node->body);
    if (result && fzi_goes_on(c, node->body))
        fzi_error(c->diags, symbol->span, FZ_E_MAY_END_WITHOUT, symbol->name);
}

static void check_moves(fzi_checker *c, fzi_symbol *symbol)
{
    c->at = (fzi_region){.owner = fzi_entry_of(symbol), .gathers = true};
    fzi_check_options(c, symbol->node->options);
    fzi_check_filters(c, symbol->node->filters);
}

static void check_symbol(fzi_checker *c, fzi_symbol *symbol)
{
    fzi_declare(c, symbol, symbol->span);
    fzi_mark mark = fzi_enter(c);
    if (symbol->kind == FZI_SYM_LET) {
        if (symbol->node->declared_type)
            fzi_check_let_value(c, symbol);
    } else if (symbol->kind == FZI_SYM_FN || symbol->kind == FZI_SYM_PROC ||
               symbol->kind == FZI_SYM_MOVES) {
        fzi_bind_params(c, symbol);
        if (symbol->kind == FZI_SYM_MOVES)
            check_moves(c, symbol);
        else
            check_function(c, symbol);
    }
    fzi_leave(c, mark);
    c->at = (fzi_region){0};
}

void fzi_check_functions(fzi_checker *c)
{
    while (c->functions_checked < c->game->function_count)
        check_symbol(c, c->game->functions[c->functions_checked++]);
}

static void check_hook(fzi_checker *c, fzi_node *node)
{
    fzi_mark mark = fzi_enter(c);
    c->at = (fzi_region){.owner = c->hook};
    c->game->capture_site = fzi_bind(c, node, FZI_LOCAL_PARAM, c->game->type_site);
    fzi_check_stmt(c, node->body);
    fzi_leave(c, mark);
    c->at = (fzi_region){0};
}

static void check_limit(fzi_checker *c, fzi_node *node)
{
    int64_t turns;
    fzi_check_as(c, node->turns, c->game->type_int);
    if (fzi_need_constant(c, node->turns, "the number of turns", &turns) && turns < 1)
        fzi_error(c->diags, node->turns->span, FZ_E_OUT_OF_RANGE, (long long)turns,
                  "1..2147483647");
    c->at = (fzi_region){.no_chance = "'limit'", .no_choice = "'limit'"};
    fzi_check_stmt(c, node->body);
    c->at = (fzi_region){0};
}

/* What the game may use: its value is compared with the most when it is lowered. */
static void check_bound(fzi_checker *c, const fzi_node *decl)
{
    fzi_nearest nearest = {.wanted = decl->names->name};
    fzi_check_as(c, decl->value, c->game->type_int);
#define LIMIT(field, name, usual, most, part)                                                      \
    if (strcmp(#field, nearest.wanted) == 0)                                                       \
        return;                                                                                    \
    fzi_nearest_offer(&nearest, #field);
#include "interp/program/limits.def"
    fzi_hint_nearest(fzi_error(c->diags, decl->names->span, FZ_E_UNKNOWN_LIMIT, nearest.wanted),
                     &nearest);
}

/* Can a variable hold such a value? */
static bool is_drawable(const fzi_type *type)
{
    return type->kind == FZI_TYPE_SET ? fzi_set_fits(type->element)
                                      : type->kind != FZI_TYPE_NOTHING;
}

/* Can drawings show the symbol? Reports it if not. */
static bool may_be_shown(fzi_checker *c, const fzi_node *name, const fzi_symbol *symbol)
{
    const char *hint = "'show' names a 'var' or a 'let'";
    if (symbol->kind == FZI_SYM_VAR ||
        (symbol->kind == FZI_SYM_LET && (!symbol->type || is_drawable(symbol->type))))
        return true;
    if (symbol->kind == FZI_SYM_LET)
        hint = "drawings show no sets of numbers beyond 0 to 63";
    fzi_error(c->diags, name->span, FZ_E_SHOWN_VAR, name->name, hint);
    return false;
}

/* `show water as "~"`: a region of the board, and a sign as wide as a dot. */
static void check_mark(fzi_checker *c, const fzi_node *name, const fzi_symbol *symbol)
{
    const fzi_type *type = symbol->type;
    bool is_flag = type == c->game->type_bool && symbol->index_count == 1 &&
                   symbol->index[0] == c->game->type_site;
    if (symbol->kind != FZI_SYM_LET ||
        !(is_flag || type == c->game->type_sites || type == c->game->type_site))
        fzi_error(c->diags, name->span, FZ_E_NOT_A_REGION, name->name);
    else if (fzi_text_width(name->text) != 1 || *name->text == ' ')
        fzi_error(c->diags, name->span, FZ_E_MARK_WIDTH, name->text);
}

static void check_show(fzi_checker *c, fzi_node *node)
{
    enum { SHOWABLE = 1u << FZI_SYM_VAR | 1u << FZI_SYM_LET, MAX_SHOWN = 4096 };
    for (fzi_node *name = node->names; name; name = name->next) {
        fzi_symbol *symbol = fzi_find_global(c, name->name, name->span.source, SHOWABLE);
        if (!symbol)
            symbol = fzi_find_global(c, name->name, name->span.source, ~0u);
        if (!symbol && c->unsure)
            continue;
        if (!symbol) {
            fzi_nearest nearest = {.wanted = name->name};
            fzi_scope_nearest(c->scope, NULL, SHOWABLE, &nearest);
            fzi_diag *diag = fzi_error(c->diags, name->span, FZ_E_UNKNOWN_NAME, name->name);
            fzi_hint_nearest(diag, &nearest);
            continue;
        }
        fzi_use(c, symbol, name->span);
        if (!may_be_shown(c, name, symbol))
            continue;
        name->symbol = symbol;
        if (name->text)
            check_mark(c, name, symbol);
        fzi_game *game = c->game;
        if (game->shown_count == MAX_SHOWN) {
            fzi_error(c->diags, name->span, FZ_E_TOO_MANY, "the game", MAX_SHOWN + 1u,
                      "shown names", (unsigned)MAX_SHOWN);
            return;
        }
        *FZI_MORE(c->arena, game->shown, game->shown_count, game->shown_room) = name;
    }
}

/* ---- players' facing, pieces' letters ---- */

static int default_facing(const fzi_game *game, unsigned player)
{
    const fzi_board *board = game->board;
    if (!board || board->dir_count == 0)
        return -1;
    int north = fzi_board_dir(board, "n");
    int ahead = north < 0 ? 0 : north;
    if (game->player_count != 2 || player == 0)
        return ahead;
    int south = fzi_board_dir(board, "s");
    if (north >= 0 && south >= 0)
        return south;
    return board->opposite[ahead] < board->dir_count ? board->opposite[ahead] : ahead;
}

static void check_facing(fzi_checker *c)
{
    fzi_game *game = c->game;
    for (unsigned i = 0; i < game->player_count; i++)
        game->players[i].facing = default_facing(game, i);
    for (unsigned i = 0; i < game->player_count; i++) {
        fzi_seat *seat = &game->players[i];
        fzi_node *said = seat->symbol->node->facing;
        int64_t value;
        if (!said)
            continue;
        fzi_check_as(c, said, game->type_dir);
        if (said->type->kind == FZI_TYPE_DIR &&
            fzi_need_constant(c, said, "the direction a player faces", &value))
            seat->facing = (int)value;
    }
}

/* Does the verifier accept the letter? */
static bool is_letter(const char *letter)
{
    return *letter && strlen(letter) <= FZ_MAX_LETTER && !strpbrk(letter, " \t\r\n.,{}\"'") &&
           fzi_digits_alone(letter);
}

static void check_letters(fzi_checker *c)
{
    const fzi_game *game = c->game;
    for (unsigned i = 0; i < game->piece_count; i++) {
        const char *letter = game->pieces[i].letter;
        const fzi_symbol *kind = game->pieces[i].symbol;
        if (!kind->node->text)
            continue;
        fzi_span span = kind->span;
        if (!is_letter(letter)) {
            fzi_error(c->diags, span, FZ_E_BAD_LETTER, letter);
            continue;
        }
        for (unsigned j = 0; j < i; j++) {
            if (c->unsure || strcasecmp(letter, game->pieces[j].letter) != 0)
                continue;
            fzi_diag *diag = fzi_error(c->diags, span, FZ_E_LETTER_TWICE, letter);
            fzi_note_at(diag, game->pieces[j].symbol->span, "by this kind of piece");
            break;
        }
    }
}

/* ---- what the compiler asks the prelude for ---- */

static void check_prelude(fzi_checker *c)
{
    const fzi_game *game = c->game;
    const struct {
        const char *name;
        unsigned params;
        const fzi_type *type;
        const char *text;
    } rows[] = {
        {"owned", 1, game->type_sites, "a function of a player, with the result sites"},
        {"allied", 2, game->type_bool, "a function of two players, with the result bool"},
        {"unseen", 1, game->type_sites, "a function of a player, with the result sites"},
        {"invisible", 1, game->type_sites, "a function of a player, with the result sites"},
        {"payoff", 1, game->type_int, "a function of a player, with the result int"},
        {"mine", 0, game->type_sites, "a 'let' of type sites"},
        {"friends", 0, game->type_sites, "a 'let' of type sites"},
        {"theirs", 0, game->type_sites, "a 'let' of type sites"},
        {"neutral", 0, game->type_sites, "a 'let' of type sites"},
        {"foe", 0, game->type_player, "a 'let' of type player"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fzi_symbol *symbol = fzi_game_find(game, rows[i].name, (int)rows[i].params);
        if (symbol)
            fzi_declare(c, symbol, symbol->span);
        bool right = symbol && symbol->type && symbol->param_count == rows[i].params &&
                     symbol->kind == (rows[i].params ? FZI_SYM_FN : FZI_SYM_LET) &&
                     (fzi_type_same(symbol->type, rows[i].type) ||
                      symbol->type->kind == FZI_TYPE_POISON);
        for (unsigned p = 0; right && p < rows[i].params; p++)
            right = fzi_type_is(symbol->params[p]->type, FZI_TYPE_PLAYER);
        if (right || (!symbol && c->unsure))
            continue;
        if (!symbol)
            symbol = fzi_game_find(game, rows[i].name, -1);
        fzi_error(c->diags, symbol ? symbol->span : c->unit->header_span, FZ_E_PRELUDE_TYPE,
                  rows[i].name, rows[i].text);
        if (symbol)
            symbol->type = game->type_poison;
    }
}

void fzi_check_bodies(fzi_checker *c)
{
    fzi_game *game = c->game;
    check_facing(c);
    check_prelude(c);
    for (fzi_entry *e = c->scope->first; e; e = e->following)
        fzi_declare(c, &e->symbol, e->symbol.span);
    check_letters(c);
    for (unsigned i = 0; i < game->let_count; i++)
        check_symbol(c, game->lets[i]);
    fzi_check_functions(c);
    fzi_check_pieces(c);
    if (game->on_capture)
        check_hook(c, game->on_capture);
    if (game->setup)
        fzi_check_stmt(c, game->setup->body);
    if (game->turn)
        fzi_check_stmt(c, game->turn->body);
    if (game->end) {
        c->at = (fzi_region){.no_chance = "'end'", .no_choice = "'end'"};
        fzi_check_stmt(c, game->end->body);
        c->at = (fzi_region){0};
    }
    if (game->stacks)
        fzi_check_as(c, game->stacks->high, game->type_int);
    if (game->limit)
        check_limit(c, game->limit);
    for (fzi_node *decl = c->unit->decls; decl; decl = decl->next) {
        if (decl->kind == N_D_SHOW)
            check_show(c, decl);
        else if (decl->kind == N_D_BOUND)
            check_bound(c, decl);
    }
    fzi_check_functions(c);
}
