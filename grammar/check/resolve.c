/* Resolves names: locals before globals. The expected type chooses among several globals. */
#include "expressions.h"

/* Can the global stand for a value? */
static bool is_value(const fzi_symbol *symbol)
{
    return (FZI_KINDS_VALUE >> symbol->kind & 1) && !fzi_is_callable(symbol) &&
           !fzi_is_generator(symbol);
}

/* ---- names in expressions ---- */

static bool looks_like_site(const char *name)
{
    size_t letters = strspn(name, "abcdefghijklmnopqrstuvwxyz"), digits = strlen(name + letters);
    return letters > 0 && letters <= 2 && digits > 0 && digits <= 3 &&
           strspn(name + letters, "0123456789") == digits;
}

/* `player1`, `Player_2`, as other systems call them. */
static bool looks_like_player(const char *name)
{
    const char *number = name + strlen("player");

    if (strncmp(name, "player", 6) != 0 && strncmp(name, "Player", 6) != 0)
        return false;
    number += *number == '_';
    return *number && strspn(number, "0123456789") == strlen(number);
}

static void unknown_site(fzi_checker *c, const fzi_node *node)
{
    fzi_diag *diag = fzi_error(c->diags, node->span, FZ_E_NO_SUCH_SITE, node->name);
    fzi_hint_sites(diag, c->game->board, node->name);
}

static bool unbound_word(fzi_checker *c, const fzi_node *node)
{
    const char *hint = NULL;
    if (strcmp(node->name, "here") == 0)
        hint = "'here' is bound in the body of a piece; elsewhere by 'for', 'let' or a parameter";
    else if (strcmp(node->name, "to") == 0)
        hint = "'to' is bound after the set of 'move to', elsewhere by 'for', 'let' or parameters";
    else if (strcmp(node->name, "from") == 0)
        hint = "'from' is bound by 'for', 'let' or a parameter; in a piece's body write 'here'";
    if (hint && !c->unsure)
        fzi_error(c->diags, node->span, FZ_E_UNBOUND_WORD, node->name, hint);
    return hint != NULL;
}

/* Was the name's declaration refused? Then it has no meaning. */
static bool is_refused(const fzi_checker *c, const char *name)
{
    return c->refused && fzi_diags_name_taken(c->diags, name);
}

static const fzi_type *unknown(fzi_checker *c, fzi_node *node)
{
    const fzi_type *poison = c->game->type_poison;
    if (fzi_unknown_path(c, node))
        return poison;
    fzi_symbol *other = fzi_find_global(c, node->name, node->span.source, ~0u);
    if (other && fzi_is_callable(other)) {
        fzi_error(c->diags, node->span, FZ_E_NEEDS_ARGUMENTS, node->name, fzi_symbol_sort(other),
                  fzi_signature(c, other));
        other->used = true;
        return poison;
    }
    if (other) {
        fzi_error(c->diags, node->span, FZ_E_WRONG_SORT, node->name, fzi_symbol_sort(other),
                  "a value");
        other->used = true;
        return poison;
    }
    if (unbound_word(c, node))
        return poison;
    fzi_nearest nearest = {.wanted = node->name};
    fzi_scope_nearest(c->scope, &c->locals, FZI_KINDS_VALUE, &nearest);
    if (fzi_may_come_later(c, node->name, nearest.best))
        return poison;
    if (c->game->board && looks_like_site(node->name)) {
        unknown_site(c, node);
        return poison;
    }
    fzi_scope_nearest(c->scope, NULL, FZI_KINDS_CALL | 1u << FZI_SYM_MOVES, &nearest);
    if (fzi_lacks_module(c, node, node->span, &nearest))
        return poison;
    fzi_diag *diag = fzi_error(c->diags, node->span, FZ_E_UNKNOWN_NAME, node->name);
    fzi_note_elsewhere(c, diag, node->name);
    const char *module = node->span.source == c->own_source
                             ? NULL
                             : fzi_unit_module_at(c->unit, node->span.source);
    if (module)
        fzi_hint_add(diag, "'%s' comes from the game that uses the library '%s': declare it there",
                     node->name, module);
    else if (looks_like_player(node->name))
        fzi_hint_players(c, diag);
    else
        fzi_hint_name(diag, &nearest);
    return poison;
}

/* The type of a global's value; of a table or array, that of an element. */
static const fzi_type *type_of_global(fzi_checker *c, fzi_symbol *symbol, fzi_span span)
{
    switch (symbol->kind) {
    case FZI_SYM_LET: case FZI_SYM_VAR: case FZI_SYM_OPTION:
        fzi_declare(c, symbol, span);
        return symbol->type;
    case FZI_SYM_TYPE: case FZI_SYM_ENUM: case FZI_SYM_DIE:
        return fzi_type_size(symbol->type) || symbol->type->kind == FZI_TYPE_SITE ||
                       symbol->type->kind == FZI_TYPE_DIR || symbol->type->kind == FZI_TYPE_KIND ||
                       symbol->type->kind == FZI_TYPE_PLAYER || symbol->type->kind == FZI_TYPE_TEAM
                   ? fzi_type_set_of(c->game, symbol->type)
                   : NULL;
    default:
        return symbol->type;
    }
}

static const char *sort_and_type(const fzi_checker *c, const fzi_symbol *symbol)
{
    const char *sort = fzi_symbol_sort(symbol);
    return symbol->kind == FZI_SYM_VALUE
               ? fzi_arena_printf(c->arena, "%s of %s", sort, symbol->type->text)
               : sort;
}

static fzi_symbol *ambiguous(fzi_checker *c, const fzi_node *node, const fzi_symbol *first,
                             const fzi_symbol *second)
{
    if (fzi_names_conflict(first, second)) {
        fzi_two_modules(c, node->span, first, second);
        return NULL;
    }
    fzi_diag *diag = fzi_error(c->diags, node->span, FZ_E_AMBIGUOUS_NAME, node->name,
                               sort_and_type(c, first), sort_and_type(c, second), first->type->text,
                               node->name, second->type->text, node->name);
    const char *types[] = {first->type->text, second->type->text};
    for (unsigned i = 0; i < 2; i++) {
        const char *member = fzi_arena_printf(c->arena, "%s.%s", types[i], node->name);
        fzi_fix_add(diag, fzi_arena_printf(c->arena, "write '%s'", member));
        fzi_hint_edit(diag, NULL, "%s", member);
    }
    return NULL;
}

/* The global value of that name that fits best; NULL after a complaint or if it is `*missing`. */
static fzi_symbol *choose_value(fzi_checker *c, const fzi_node *node, const fzi_type *want,
                                bool *missing)
{
    fzi_symbol *found = NULL, *second = NULL, *fitting = NULL;
    bool several = false;
    for (fzi_entry *e = fzi_scope_find(c->scope, node->name, node->span.source); e;
         e = fzi_scope_next(c->scope, e, node->name, node->span.source)) {
        fzi_symbol *symbol = &e->symbol;
        if (!is_value(symbol))
            continue;
        if (!found)
            found = symbol;
        else if (!second)
            second = symbol;
        if (!want)
            continue;
        const fzi_type *type = type_of_global(c, symbol, node->span);
        if (type && fzi_type_fits(type, want)) {
            several = fitting && fitting->kind != FZI_SYM_PRIMITIVE;
            fitting = symbol;
        }
    }
    *missing = !found;
    if (fitting && !several)
        return fitting;
    return found && second ? ambiguous(c, node, found, second) : found;
}

static const fzi_type *global_name(fzi_checker *c, fzi_node *node, fzi_symbol *symbol, bool bare)
{
    const fzi_type *type = type_of_global(c, symbol, node->span);
    fzi_use(c, symbol, node->span);
    node->symbol = symbol;
    if (!type) {
        fzi_diag *diag = fzi_error(c->diags, node->span, FZ_E_WRONG_SORT, node->name,
                                   fzi_symbol_sort(symbol), "a value");
        if (symbol->kind == FZI_SYM_TYPE)
            fzi_hint_add(diag, "the type of a variable stands after ':', as in 'var x: %s;'",
                         node->name);
        return c->game->type_poison;
    }
    bool indexed = (symbol->kind == FZI_SYM_LET || symbol->kind == FZI_SYM_VAR) &&
                   symbol->index_count;
    if (!indexed || bare)
        return type;
    /* The bare name of a bool array over sites is the set of those that are true. */
    if (symbol->kind == FZI_SYM_VAR && type->kind == FZI_TYPE_BOOL && symbol->index_count == 1 &&
        symbol->index[0]->kind == FZI_TYPE_SITE)
        return c->game->type_sites;
    if (type->kind != FZI_TYPE_POISON)
        fzi_error(c->diags, node->span, FZ_E_NEEDS_INDEX, node->name, fzi_signature(c, symbol));
    return c->game->type_poison;
}

/* False after reporting a word for sites or directions that this board does not have. */
static bool is_on_board(fzi_checker *c, const fzi_node *node, const fzi_symbol *symbol)
{
    const fzi_game *game = c->game;
    if (symbol->kind != FZI_SYM_PRIMITIVE || !game->board || node->span.source != c->own_source)
        return true;
    if (symbol->value >= FZI_PRIM_corners && symbol->value <= FZI_PRIM_vertices) {
        uint64_t words[16];
        if (fzi_board_named_set(game->board, node->name, 0, words))
            return true;
        fzi_error(c->diags, node->span, FZ_E_NO_SUCH_SET, node->name);
        return false;
    }
    if (symbol->value < FZI_PRIM_forward || symbol->value > FZI_PRIM_backward_right)
        return true;
    for (unsigned i = 0; i < game->player_count; i++) {
        int facing = game->players[i].facing;
        if (facing >= 0 && fzi_board_relative(game->board, node->name, facing) >= 0)
            return true;
    }
    if (c->unsure)
        return true; /* the declaration of players may be missing */
    fzi_error(c->diags, node->span, FZ_E_UNKNOWN_DIRECTION, node->name);
    return false;
}

const fzi_type *fzi_check_name(fzi_checker *c, fzi_node *node, const fzi_type *want, bool bare)
{
    fzi_probe_note(c, node->span, FZI_WANTS_VALUE, want);
    fzi_symbol *local = fzi_locals_find(&c->locals, node->name);
    if (local) {
        local->used = true;
        node->symbol = local;
        return node->type = local->type;
    }
    if (is_refused(c, node->name))
        return node->type = c->game->type_poison;
    bool missing;
    fzi_symbol *symbol = choose_value(c, node, want, &missing);
    if (missing)
        return node->type = unknown(c, node);
    if (!symbol || !is_on_board(c, node, symbol))
        return node->type = c->game->type_poison;
    node->type = global_name(c, node, symbol, bare);
    if (node->type->kind == FZI_TYPE_OFF && want)
        node->type = want->kind == FZI_TYPE_DIR || fzi_type_is_set(want, FZI_TYPE_DIR)
                         ? c->game->type_dir
                         : c->game->type_site;
    return node->type;
}

/* `mine.size`, `here.owner`: values have no members. */
static bool hint_method(fzi_checker *c, fzi_diag *diag, const fzi_node *node)
{
    static const char *const sizes[] = {"length", "size", "count", "len"};
    const char *of = node->type_name->name;
    if (!fzi_locals_find(&c->locals, of) && !fzi_find_global(c, of, node->span.source, ~0u))
        return false;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (strcmp(node->name, sizes[i]) == 0) {
            fzi_hint_add(diag, "the number of a set's members is written '#%s'", of);
            return true;
        }
    }
    fzi_symbol *callee = fzi_find_global(c, node->name, node->span.source, FZI_KINDS_CALL);
    if (callee && fzi_is_callable(callee))
        fzi_hint_add(diag, "a function's arguments stand in parentheses: %s(%s%s", node->name, of,
                     callee->kind == FZI_SYM_PROPERTY ? ")" : ", ...)");
    return callee != NULL;
}

const fzi_type *fzi_check_member(fzi_checker *c, fzi_node *node)
{
    const fzi_type *poison = c->game->type_poison;
    fzi_node *of = node->type_name;
    node->type = of->type = poison;
    fzi_symbol *type = fzi_find_global(c, of->name, of->span.source, FZI_KINDS_TYPE);
    if (!type) {
        fzi_nearest nearest = {.wanted = of->name};
        fzi_scope_nearest(c->scope, NULL, FZI_KINDS_TYPE, &nearest);
        if (fzi_may_come_later(c, of->name, nearest.best))
            return poison;
        fzi_diag *diag = fzi_error(c->diags, of->span, FZ_E_UNKNOWN_TYPE, of->name);
        if (!hint_method(c, diag, node))
            fzi_hint_nearest(diag, &nearest);
        return poison;
    }
    fzi_declare(c, type, of->span);
    fzi_use(c, type, of->span);
    of->symbol = type;
    of->type = type->type;
    fzi_probe_note(c, node->name_span, FZI_WANTS_MEMBER, type->type);
    fzi_nearest nearest = {.wanted = node->name};
    for (fzi_entry *e = c->scope->first; e; e = e->following) {
        bool none = e->symbol.kind == FZI_SYM_PRIMITIVE && e->symbol.value == FZI_PRIM_none;
        if (!(none || FZI_KINDS_MEMBER >> e->symbol.kind & 1) ||
            !fzi_type_same(e->symbol.type, type->type))
            continue;
        if (e->key == node->name) {
            node->symbol = &e->symbol;
            e->symbol.used = true;
            return node->type = e->symbol.type;
        }
        fzi_nearest_offer(&nearest, e->symbol.name);
    }
    fzi_diag *diag = fzi_error(c->diags, node->name_span, FZ_E_NO_SUCH_VALUE, of->name, node->name);
    fzi_hint_nearest(diag, &nearest);
    return poison;
}

static bool name_needs_context(const fzi_checker *c, const fzi_node *node)
{
    const char *name = node->name;
    if (fzi_locals_find(&c->locals, name))
        return false;
    unsigned count = 0;
    for (fzi_entry *e = fzi_scope_find(c->scope, name, node->span.source); e;
         e = fzi_scope_next(c->scope, e, name, node->span.source)) {
        count += is_value(&e->symbol);
        if (e->symbol.kind == FZI_SYM_PRIMITIVE && e->symbol.value == FZI_PRIM_off)
            return true;
    }
    return count > 1;
}

bool fzi_needs_context(const fzi_checker *c, const fzi_node *node)
{
    switch (node->kind) {
    case N_E_NAME:
        return name_needs_context(c, node);
    case N_E_SET:
        for (const fzi_node *member = node->members; member; member = member->next)
            if (!fzi_needs_context(c, member))
                return false;
        return true;
    case N_E_IF:
        return fzi_needs_context(c, node->then) && fzi_needs_context(c, node->otherwise);
    case N_E_AS:
        return fzi_needs_context(c, node->body);
    case N_E_UNARY:
        return node->op == FZ_T_TILDE && fzi_needs_context(c, node->operand);
    default:
        return false;
    }
}

/* ---- types ---- */

static const fzi_type *named_type(fzi_checker *c, fzi_node *node)
{
    fzi_probe_note(c, node->span, FZI_WANTS_TYPE, NULL);
    fzi_symbol *symbol = fzi_find_global(c, node->name, node->span.source, FZI_KINDS_TYPE);
    if (symbol) {
        fzi_declare(c, symbol, node->span);
        fzi_use(c, symbol, node->span);
        node->symbol = symbol;
        return symbol->type;
    }
    symbol = fzi_find_global(c, node->name, node->span.source, ~0u);
    if (symbol) {
        fzi_error(c->diags, node->span, FZ_E_WRONG_SORT, node->name, fzi_symbol_sort(symbol),
                  "a type");
        symbol->used = true;
        return c->game->type_poison;
    }
    if (fzi_unknown_path(c, node))
        return c->game->type_poison;
    fzi_nearest nearest = {.wanted = node->name};
    fzi_scope_nearest(c->scope, NULL, FZI_KINDS_TYPE, &nearest);
    if (!fzi_may_come_later(c, node->name, nearest.best)) {
        fzi_diag *diag = fzi_error(c->diags, node->span, FZ_E_UNKNOWN_TYPE, node->name);
        fzi_note_elsewhere(c, diag, node->name);
        if (!fzi_hint_foreign(diag, FZI_FOREIGN_TYPE, node->name))
            fzi_hint_nearest(diag, &nearest);
    }
    return c->game->type_poison;
}

static const fzi_type *range_type(fzi_checker *c, fzi_node *node)
{
    int64_t low, high;
    fzi_check_as(c, node->low, c->game->type_int);
    fzi_check_as(c, node->high, c->game->type_int);
    if (!fzi_need_constant(c, node->low, "the end of a range type", &low) ||
        !fzi_need_constant(c, node->high, "the end of a range type", &high))
        return c->game->type_poison;
    if (low <= high)
        return fzi_type_range(c->game, low, high);
    fzi_diag *diag =
        fzi_error(c->diags, node->span, FZ_E_EMPTY_RANGE, (long long)low, (long long)high);
    fzi_hint_add(diag, "the smaller number stands first: %lld..%lld", (long long)high,
                 (long long)low);
    return c->game->type_poison;
}

static const fzi_type *set_type(fzi_checker *c, fzi_node *node)
{
    const fzi_type *element = fzi_check_type(c, node->declared_type);
    const fzi_type *type = fzi_type_set_of(c->game, element);
    if (fzi_set_fits(element))
        return type;
    fzi_diag *diag = fzi_error(c->diags, node->span, FZ_E_SET_VARIABLE, type->text);
    if (element->kind == FZI_TYPE_INT)
        fzi_hint_add(diag, "state a range: the numbers of a set are 0 to 63");
    return c->game->type_poison;
}

const fzi_type *fzi_check_type(fzi_checker *c, fzi_node *node)
{
    if (node->type)
        return node->type;
    switch (node->kind) {
    case N_T_RANGE: node->type = range_type(c, node); break;
    case N_T_SET: node->type = set_type(c, node); break;
    default: node->type = named_type(c, node); break;
    }
    return node->type;
}
