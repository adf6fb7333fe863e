/* Checks the hints of `view { ... }` for pictures. Blocks add up: of two hints about one thing, the
 * later one counts. */
#include "whole_game.h"

#include "interp/program/program.h"

static const char *const words[] = {
#define HINT(id, word, meaning) word,
#include "interp/program/views.def"
#undef HINT
};
static const char *const shapes[] = {
#define SHAPE(id, name, light, dark, meaning) name,
#include "interp/program/views.def"
#undef SHAPE
};
static const char *const patterns[] = {
#define PATTERN(id, name, meaning) name,
#include "interp/program/views.def"
#undef PATTERN
};

/* ---- the list of hints ---- */

static bool adds_up(const fzi_look *hint)
{
    return hint->word < FZI_HINT_CELLS || hint->word == FZI_HINT_EDGES;
}

/* Is it about what it names, and not about the board? */
static bool is_of_one(const fzi_look *hint)
{
    return hint->word >= FZI_HINT_PIECES && hint->word <= FZI_HINT_DICE;
}

/* A value has one look. */
static bool about_the_same(const fzi_look *a, const fzi_look *b)
{
    bool values = a->word >= FZI_HINT_CARDS && is_of_one(a) && b->word >= FZI_HINT_CARDS;
    return (a->word == b->word || (values && is_of_one(b))) &&
           (!is_of_one(a) || a->symbol == b->symbol);
}

static bool replaces(const fzi_look *hint, const fzi_look *old)
{
    bool beside = adds_up(hint) && old->node == hint->node && old->symbol != hint->symbol;
    return about_the_same(old, hint) && !beside;
}

static void add_hint(fzi_checker *c, fzi_look hint, fzi_span span)
{
    fzi_game *game = c->game;
    unsigned count = 0;
    for (unsigned i = 0; i < game->look_count; i++) {
        if (replaces(&hint, &game->looks[i]) && game->looks[i].decl == hint.decl) {
            fzi_error(c->diags, span, FZ_E_HINT_TWICE,
                      is_of_one(&hint) && hint.symbol ? hint.symbol->name : words[hint.word]);
            return;
        }
    }
    for (unsigned i = 0; i < game->look_count; i++)
        if (!replaces(&hint, &game->looks[i]))
            game->looks[count++] = game->looks[i];
    game->look_count = count;
    *FZI_MORE(c->arena, game->looks, game->look_count, game->look_room) = hint;
}

/* ---- words ---- */

/* The number of a word in a list; -1 after a complaint. */
static int find_word(fzi_checker *c, const char *word, fzi_span span, const char *what,
                     const char *const *list, size_t count)
{
    fzi_nearest nearest = {.wanted = word};
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i], word) == 0)
            return (int)i;
        fzi_nearest_offer(&nearest, list[i]);
    }
    fzi_diag *diag = fzi_error(c->diags, span, FZ_E_UNKNOWN_LOOK, what, word);
    const char *all = "";
    for (size_t i = 0; i < count; i++)
        all = fzi_arena_printf(c->arena, "%s%s%s", all, i ? ", " : "", list[i]);
    if (nearest.best)
        fzi_hint_nearest(diag, &nearest);
    else
        fzi_hint_add(diag, "there are: %s", all);
    return -1;
}

#define FIND(c, word, span, what, list) \
    find_word((c), (word), (span), (what), (list), sizeof(list) / sizeof *(list))

static void want_form(fzi_checker *c, const fzi_node *hint, const char *form)
{
    fzi_error(c->diags, hint->name_span, FZ_E_HINT_FORM, hint->name, form);
}

/* ---- subjects ---- */

/* The global that a hint names, of one of `kinds`; NULL after a complaint, or if a variant removes
 * it: the hint goes with it. */
static fzi_symbol *find_subject(fzi_checker *c, fzi_node *name, uint32_t kinds)
{
    fzi_symbol *symbol = fzi_find_global(c, name->name, name->span.source, kinds);
    if (!symbol && !c->unsure && !c->unit->is_library && !fzi_unit_removed(c->unit, name->name)) {
        fzi_nearest nearest = {.wanted = name->name};
        fzi_scope_nearest(c->scope, NULL, kinds, &nearest);
        fzi_diag *diag = fzi_error(c->diags, name->span, FZ_E_UNKNOWN_NAME, name->name);
        fzi_hint_nearest(diag, &nearest);
    }
    if (symbol) {
        fzi_use(c, symbol, name->span);
        name->symbol = symbol;
    }
    return symbol;
}

/* Is it a table by site, or the same directions everywhere, as `adjacent` is? */
static bool is_ways(const fzi_game *game, const fzi_symbol *let)
{
    if (let->index_count == 0)
        return let->type == game->type_dirs;
    return let->index_count == 1 && let->index[0] == game->type_site &&
           (let->type == game->type_dirs || let->type == game->type_sites);
}

static bool is_constant(const fzi_symbol *symbol)
{
    enum { CHANGES = FZI_READS_STATE | FZI_USES_ME | FZI_READS_LAST | FZI_READS_HISTORY |
                     FZI_CHANCE | FZI_SECRET };
    if (symbol->kind == FZI_SYM_PRIMITIVE)
        return strcmp(fzi_primitive_at(symbol->value)->effects, "-") == 0;
    return !(symbol->effects & CHANGES);
}

static bool is_circuit(const fzi_game *game, const fzi_symbol *let)
{
    return let->index_count >= 1 && let->index[let->index_count - 1]->kind == FZI_TYPE_INT &&
           let->type == game->type_site;
}

static bool is_edge(const fzi_game *game, const fzi_symbol *let)
{
    return let->index_count >= 1 && let->index[0]->kind == FZI_TYPE_PLAYER &&
           let->type == game->type_sites;
}

/* Numbers by site, or by player and site. */
static bool is_numbering(const fzi_game *game, const fzi_symbol *let)
{
    bool by_player = let->index_count == 2 && let->index[0]->kind == FZI_TYPE_PLAYER;
    return (let->index_count == 1 || by_player) && let->type->kind == FZI_TYPE_INT &&
           let->index[let->index_count - 1] == game->type_site;
}

/* Is the `let` of the type that the hint wants? */
static bool fits_lines(const fzi_game *game, const fzi_look *hint, const fzi_symbol *let)
{
    switch (hint->word) {
    case FZI_HINT_EDGES: return is_edge(game, let);
    case FZI_HINT_NUMBERS: return is_numbering(game, let);
    case FZI_HINT_LOOPS: return is_circuit(game, let);
    default: return is_ways(game, let);
    }
}

static const char *form_of(unsigned word)
{
    switch (word) {
    case FZI_HINT_EDGES:
        return "edges are a 'let' of sites by player: 'let goal[p: player]: sites = ...'";
    case FZI_HINT_NUMBERS:
        return "numbers are a 'let' by site, or by player and site: "
               "'let number[s: site]: int = ...'";
    case FZI_HINT_LOOPS:
        return "a loop is a 'let' of sites by their number on it: 'let loop[i: 0..7]: site = ...'";
    default:
        return "lines are a 'let' of directions or sites by site: "
               "'let ways[s: site]: dirs = ...'";
    }
}

/* `lines ways;`, `loops circuit;`, `edges goal;` and others that name constants of the board. */
static void check_lines(fzi_checker *c, fzi_look hint, fzi_node *names)
{
    for (fzi_node *name = names; name; name = name->next) {
        fzi_symbol *let = find_subject(c, name, 1u << FZI_SYM_LET | 1u << FZI_SYM_PRIMITIVE);
        if (!let || !let->type || let->type->kind == FZI_TYPE_POISON)
            continue;
        if (!fits_lines(c->game, &hint, let)) {
            fzi_error(c->diags, name->span, FZ_E_NOT_LINES, name->name, words[hint.word],
                      form_of(hint.word));
        } else if (!is_constant(let)) {
            fzi_error(c->diags, name->span, FZ_E_HINT_DEPENDS, name->name);
        } else {
            hint.symbol = let;
            add_hint(c, hint, name->span);
        }
    }
}

/* ---- hints ---- */

static void check_cells(fzi_checker *c, fzi_look hint, const fzi_node *subjects)
{
    const fzi_node *name = subjects->names;
    if (subjects->name || subjects->next || name->next) {
        want_form(c, hint.node, "one pattern");
        return;
    }
    int pattern = FIND(c, name->name, name->span, "pattern", patterns);
    if (pattern < 0)
        return;
    hint.value = (uint16_t)pattern;
    add_hint(c, hint, name->span);
}

static void check_pieces(fzi_checker *c, fzi_look hint, fzi_node *subjects)
{
    fzi_node *name = subjects->names;
    bool of_all = !subjects->name;
    if (of_all && (hint.node->entries->next || name->next)) {
        want_form(c, hint.node, "one shape, or names of kinds or players 'as' a shape");
        return;
    }
    fzi_span span = of_all ? name->span : subjects->name_span;
    int shape = FIND(c, of_all ? name->name : subjects->name, span, "shape", shapes);
    hint.value = (uint16_t)shape;
    if (shape < 0)
        return;
    if (of_all)
        add_hint(c, hint, span);
    for (; !of_all && name; name = name->next) {
        hint.symbol = find_subject(c, name, 1u << FZI_SYM_KIND | 1u << FZI_SYM_PLAYER);
        if (hint.symbol)
            add_hint(c, hint, name->span);
    }
}

/* Can values of the variable be cards? Numbers or values of an enum, or sets of these, with one
 * index at most. */
static bool holds_cards(const fzi_symbol *var)
{
    const fzi_type *type = var->type->kind == FZI_TYPE_SET ? var->type->element : var->type;
    return var->index_count <= 1 && (type->kind == FZI_TYPE_INT || type->kind == FZI_TYPE_NAMED);
}

static void check_cards(fzi_checker *c, fzi_look hint, fzi_node *subjects)
{
    for (fzi_node *name = subjects->names; name; name = name->next) {
        hint.symbol = find_subject(c, name, 1u << FZI_SYM_ENUM | 1u << FZI_SYM_VAR);
        if (!hint.symbol || !hint.symbol->type || hint.symbol->type->kind == FZI_TYPE_POISON)
            continue;
        if (subjects->name || (hint.symbol->kind == FZI_SYM_VAR && !holds_cards(hint.symbol)))
            want_form(c, hint.node, "enums, and variables of cards: numbers, values of an enum, or "
                                    "sets of these, by one index at most");
        else
            add_hint(c, hint, name->span);
    }
}

/* Numbers by at most one index, or of men, sets of players. */
static bool is_number_of(const fzi_symbol *symbol, unsigned word)
{
    const fzi_type *type = symbol->type;
    bool players = word == FZI_HINT_MEN && type->kind == FZI_TYPE_SET &&
                   type->element->kind == FZI_TYPE_PLAYER;
    bool by_player = symbol->index_count == 1 && symbol->index[0]->kind == FZI_TYPE_PLAYER;
    return symbol->index_count <= 1 && (type->kind == FZI_TYPE_INT || players) &&
           (word != FZI_HINT_BAR || by_player);
}

static bool is_shown(const fzi_game *game, const fzi_symbol *let)
{
    for (size_t i = 0; i < game->shown_count; i++)
        if (game->shown[i]->symbol == let)
            return true;
    return false;
}

/* Sites by player at most, or truths by site. */
static bool is_places(const fzi_game *game, const fzi_symbol *symbol)
{
    if (symbol->type == game->type_bool)
        return symbol->index_count == 1 && symbol->index[0] == game->type_site;
    return (symbol->type == game->type_sites || symbol->type == game->type_site) &&
           (symbol->index_count == 0 ||
            (symbol->index_count == 1 && symbol->index[0]->kind == FZI_TYPE_PLAYER));
}

static const char *form_of_values(unsigned word)
{
    switch (word) {
    case FZI_HINT_BAR: return "numbers by player: variables, or 'let's that 'show' names";
    case FZI_HINT_TOKENS:
        return "sites, at most by player, or 'bool' by site: variables, or 'let's that 'show' "
               "names, 'as' a shape";
    default: return "numbers by one index at most: variables, or 'let's that 'show' names";
    }
}

/* `men`, `tokens`, `bar`, `seeds` and `dice`. A `let` is not evaluated for pictures unless it is
 * shown. */
static void check_values(fzi_checker *c, fzi_look hint, fzi_node *names)
{
    for (fzi_node *name = names; name; name = name->next) {
        hint.symbol = find_subject(c, name, 1u << FZI_SYM_LET | 1u << FZI_SYM_VAR);
        if (!hint.symbol || !hint.symbol->type || hint.symbol->type->kind == FZI_TYPE_POISON)
            continue;
        bool fits = hint.word == FZI_HINT_TOKENS ? is_places(c->game, hint.symbol)
                                                 : is_number_of(hint.symbol, hint.word);
        if (!fits || (hint.symbol->kind == FZI_SYM_LET && !is_shown(c->game, hint.symbol)))
            want_form(c, hint.node, form_of_values(hint.word));
        else
            add_hint(c, hint, name->span);
    }
}

/* `men hand as Goat`, or by player: `men hand as man` for a constant `let man[p: player]: kind`. */
static void check_men(fzi_checker *c, fzi_look hint, fzi_node *subject)
{
    fzi_node name = {.kind = N_NAME, .name = subject->name, .span = subject->name_span};
    if (subject->name) {
        fzi_symbol *as = find_subject(c, &name, 1u << FZI_SYM_KIND | 1u << FZI_SYM_LET);
        if (!as || (as->kind == FZI_SYM_LET && !as->type))
            return;
        bool by_player = as->index_count == 1 && as->index[0]->kind == FZI_TYPE_PLAYER;
        if (as->kind == FZI_SYM_LET && (as->type != c->game->type_kind || !by_player)) {
            want_form(c, hint.node, "'as' a kind, or a 'let' of kinds by player");
            return;
        }
        if (as->kind == FZI_SYM_LET && !is_constant(as)) {
            fzi_error(c->diags, name.span, FZ_E_HINT_DEPENDS, name.name);
            return;
        }
        hint.as = as;
    }
    check_values(c, hint, subject->names);
}

static void check_tokens(fzi_checker *c, fzi_look hint, fzi_node *subject)
{
    int shape = -1;
    if (subject->name)
        shape = FIND(c, subject->name, subject->name_span, "shape", shapes);
    else
        want_form(c, hint.node, form_of_values(hint.word));
    hint.value = (uint16_t)shape;
    if (shape >= 0)
        check_values(c, hint, subject->names);
}

static void check_hint(fzi_checker *c, const fzi_node *decl, fzi_node *node)
{
    fzi_look hint = {.decl = decl, .node = node};
    int word = FIND(c, node->name, node->name_span, "hint", words);
    if (word < 0)
        return;
    hint.word = (uint8_t)word;
    for (fzi_node *s = node->entries; s; s = s->next) {
        if (hint.word == FZI_HINT_PIECES)
            check_pieces(c, hint, s);
        else if (hint.word == FZI_HINT_CELLS && s == node->entries)
            check_cells(c, hint, s);
        else if (hint.word == FZI_HINT_CARDS)
            check_cards(c, hint, s);
        else if (hint.word == FZI_HINT_MEN)
            check_men(c, hint, s);
        else if (hint.word == FZI_HINT_TOKENS)
            check_tokens(c, hint, s);
        else if (s->name)
            want_form(c, node, "names without 'as'");
        else if (adds_up(&hint))
            check_lines(c, hint, s->names);
        else
            check_values(c, hint, s->names);
    }
}

void fzi_check_views(fzi_checker *c)
{
    for (fzi_node *decl = c->unit->decls; decl; decl = decl->next)
        for (fzi_node *hint = decl->kind == N_D_VIEW ? decl->entries : NULL; hint;
             hint = hint->next)
            check_hint(c, decl, hint);
}
