/* Collects the names of a game: makes a symbol for each declaration, and reports conflicts. */
#include "statements.h"

#include <stdlib.h>

#include "grammar/unit/layers.h"

#define ADD(c, array, count, value) \
    ((array) = add_to((c), (array), (count), sizeof *(array)), (array)[(count)++] = (value))

/* Makes room for one more. Full arrays, whose count is a power of two, are moved. */
static void *add_to(fzi_checker *c, void *items, unsigned count, size_t size)
{
    if (count && count & (count - 1))
        return items;
    void *grown = fzi_arena_alloc(c->arena, size * (count ? 2 * (size_t)count : 1));
    if (count)
        memcpy(grown, items, size * count);
    return grown;
}

/* ---- names ---- */

static const char *built_in(const fzi_symbol *old)
{
    switch (old->kind) {
    case FZI_SYM_SITE: return "a site of the board";
    case FZI_SYM_DIR: return "a direction of the board";
    case FZI_SYM_TYPE: return "a type";
    default: return fzi_is_callable(old) ? "a function of every game" : "a word of every game";
    }
}

/* May different files declare the two? The first words of every game mean the same everywhere. */
static bool may_both_stand(const fzi_checker *c, const fzi_entry *a, const fzi_entry *b)
{
    const fzi_symbol *old = &b->symbol;
    bool one_is_module =
        fzi_unit_module_at(c->unit, a->home) || fzi_unit_module_at(c->unit, b->home);
    return a->home != b->home && one_is_module && b->home && a->symbol.kind != FZI_SYM_OPTION &&
           (old->kind != FZI_SYM_PRIMITIVE || old->value > FZI_PRIM_me);
}

static void name_taken(fzi_checker *c, const fzi_symbol *symbol, const fzi_symbol *old)
{
    if (old->span.source) {
        fzi_diag *diag = fzi_error(c->diags, symbol->span, FZ_E_DECLARED_TWICE, symbol->name);
        fzi_note_at(diag, old->span, "it is declared here first");
        return;
    }
    fzi_diag *diag = fzi_error(c->diags, symbol->span, FZ_E_NAME_TAKEN, symbol->name,
                               built_in(old));
    if (old->kind == FZI_SYM_DIR || old->kind == FZI_SYM_SITE)
        fzi_hint_add(diag, "choose another name; only what 'for', 'let' and "
                           "parameters name inside a body may hide it");
    c->refused = true;
}

/* Adds a global; false after a complaint, if its name is taken. */
static bool add_global(fzi_checker *c, fzi_entry *entry)
{
    fzi_symbol *symbol = &entry->symbol;
    for (fzi_entry *e = fzi_scope_all(c->scope, symbol->name); e; e = e->namesake) {
        if (!fzi_names_conflict(symbol, &e->symbol))
            continue;
        if (!may_both_stand(c, entry, e)) {
            name_taken(c, symbol, &e->symbol);
            return false;
        }
        entry->contested = e->contested = true;
    }
    fzi_scope_add(c->scope, entry);
    return true;
}

static fzi_entry *new_global(fzi_checker *c, fzi_node *node, int kind)
{
    fzi_entry *entry = fzi_entry_new(c->arena, kind, node->name, node->name_span);
    entry->home = c->home;
    entry->symbol.node = node;
    node->symbol = &entry->symbol;
    return entry;
}

/* A member of a finite type. */
static fzi_symbol *add_member(fzi_checker *c, fzi_node *node, int kind, const fzi_type *type,
                              int64_t value)
{
    fzi_entry *entry = new_global(c, node, kind);
    entry->symbol.type = type;
    entry->symbol.value = value;
    entry->progress = FZI_DONE;
    node->type = type;
    add_global(c, entry);
    return &entry->symbol;
}

/* ---- what every game knows ---- */

static void add_built_in(fzi_checker *c, int kind, const char *name, const fzi_type *type,
                         int64_t value)
{
    fzi_entry *entry = fzi_entry_new(c->arena, kind, fzi_intern_z(c->arena, name), (fzi_span){0});
    entry->home = c->home;
    entry->symbol.type = type;
    entry->symbol.value = value;
    entry->progress = FZI_DONE;
    fzi_scope_add(c->scope, entry);
}

static void add_types(fzi_checker *c)
{
    const fzi_game *game = c->game;
    const fzi_type *types[] = {game->type_bool, game->type_int,    game->type_site,
                               game->type_sites, game->type_dir,   game->type_dirs,
                               game->type_player, game->type_team, game->type_kind};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        add_built_in(c, FZI_SYM_TYPE, types[i]->text, types[i], 0);
}

/* Modules may use the words of stacks: only the compile of a game knows whether it has stacks. */
static bool has_stacks(const fzi_checker *c)
{
    for (const fzi_node *decl = c->unit->decls; decl; decl = decl->next)
        if (decl->kind == N_D_STACKS)
            return true;
    return c->unit->is_library;
}

static void add_primitives(fzi_checker *c)
{
    bool stacks = has_stacks(c);
    c->home = fzi_unit_prelude(c->unit);
    for (int i = 0; i < FZI_PRIM_COUNT; i++) {
        const fzi_primitive_row *row = fzi_primitive_at(i);
        if (i >= FZI_PRIM_cells && i <= FZI_PRIM_vertices)
            continue; /* names of boards that have these sorts */
        if (!stacks && fzi_is_of_stacks(row))
            continue;
        add_built_in(c, FZI_SYM_PRIMITIVE, row->name, fzi_primitive_type(c->game, row->result), i);
    }
    add_built_in(c, FZI_SYM_PRIMITIVE, "piece_moves", c->game->type_void, FZI_PIECE_MOVES);
    c->piece_moves = c->scope->last;
    add_built_in(c, FZI_SYM_PRIMITIVE, "moves_of", c->game->type_void, FZI_MOVES_OF);
    c->moves_of = c->scope->last;
    c->hook = fzi_entry_new(c->arena, FZI_SYM_PROC, "on capture", (fzi_span){0});
    fzi_edge *edge = FZI_NEW(c->arena, fzi_edge);
    edge->to = c->piece_moves;
    edge->gathers = true;
    c->moves_of->edges = edge;
    c->home = 0;
}

static void add_board(fzi_checker *c)
{
    fzi_game *game = c->game;
    for (fzi_node *decl = c->unit->decls; decl && !game->board; decl = decl->next)
        if (decl->kind == N_D_BOARD)
            game->board = fzi_board_make(c->load, c->unit, decl);
    if (!game->board)
        return;
    fzi_type_set_size(game->type_site, game->board->site_count);
    fzi_type_set_size(game->type_dir, game->board->dir_count);
    bool named = !fzi_board_is_none(game->board);
    for (unsigned i = 0; named && i < game->board->site_count; i++)
        add_built_in(c, FZI_SYM_SITE, game->board->site_names[i], game->type_site, i);
    for (unsigned i = 0; named && i < game->board->dir_count; i++)
        add_built_in(c, FZI_SYM_DIR, game->board->dir_names[i], game->type_dir, i);
    for (int i = FZI_PRIM_cells; game->board->sorts && i <= FZI_PRIM_vertices; i++)
        add_built_in(c, FZI_SYM_PRIMITIVE, fzi_primitive_at(i)->name, game->type_sites, i);
}

/* ---- collecting declarations ---- */

static bool only_one(fzi_checker *c, fzi_node **place, fzi_node *decl, const char *what)
{
    if (!*place) {
        *place = decl;
        return true;
    }
    fzi_diag *diag = fzi_error(c->diags, fzi_first_word(c, decl->span), FZ_E_ONE_ONLY, what);
    fzi_note_at(diag, fzi_first_word(c, (*place)->span), "the first one is here");
    return false;
}

static void collect_players(fzi_checker *c, fzi_node *decl)
{
    fzi_game *game = c->game;
    for (fzi_node *player = decl->players; player; player = player->next) {
        unsigned number = game->player_count;
        fzi_seat seat = {.team = (int)number, .facing = -1};
        seat.symbol = add_member(c, player, FZI_SYM_PLAYER, game->type_player, number);
        ADD(c, game->players, game->player_count, seat);
    }
    fzi_type_set_size(game->type_player, game->player_count);
}

static void collect_piece(fzi_checker *c, fzi_node *decl)
{
    fzi_game *game = c->game;
    fzi_piece piece = {.letter = decl->text ? decl->text : "", .items = decl->items};
    piece.symbol = add_member(c, decl, FZI_SYM_KIND, game->type_kind, game->piece_count);
    ADD(c, game->pieces, game->piece_count, piece);
}

static void collect_option(fzi_checker *c, fzi_node *decl)
{
    const fzi_option *option = fzi_find_option(c->unit, decl->name);
    fzi_entry *entry = new_global(c, decl, FZI_SYM_OPTION);
    fzi_symbol *symbol = &entry->symbol;
    entry->progress = FZI_DONE;
    symbol->type = c->game->type_poison;
    symbol->value = option ? option->chosen : 0;
    if (!decl->declared_type)
        symbol->type = fzi_type_named(c->arena, symbol, (int64_t)fzi_list_length(decl->values));
    else if (option && option->kind == FZ_OPTION_SWITCH)
        symbol->type = c->game->type_bool;
    else if (option && option->kind == FZ_OPTION_NUMBER)
        symbol->type = fzi_type_range(c->game, option->low, option->high);
    add_global(c, entry);
    int64_t number = 0;
    for (fzi_node *value = decl->values; value; value = value->next)
        add_member(c, value, FZI_SYM_VALUE, symbol->type, number++);
}

/* Texts stand in moves and positions, between blanks, commas and brackets. */
static bool is_value_text(const char *text)
{
    size_t length = strlen(text);
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        bool letter = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || *at >= 0x80;
        if (!letter && !(*at >= '0' && *at <= '9') && *at != '_')
            return false;
    }
    return length && length < 32 && strcmp(text, "none") != 0;
}

static const char *value_text(const fzi_node *value)
{
    return value->text ? value->text : value->name;
}

/* `none` stands first in the list, and is not one of the values. */
static fzi_node *own_values(const fzi_node *decl)
{
    bool none = decl->values && decl->values->next && strcmp(decl->values->name, "none") == 0;
    return none ? decl->values->next : decl->values;
}

static int by_text(const void *a, const void *b)
{
    const fzi_node *x = *(fzi_node *const *)a, *y = *(fzi_node *const *)b;
    int order = strcmp(value_text(x), value_text(y));
    return order ? order : (x->span.start > y->span.start) - (x->span.start < y->span.start);
}

static void check_value_texts(fzi_checker *c, const fzi_node *decl)
{
    size_t count = fzi_list_length(own_values(decl)), n = 0;
    const fzi_node **values = fzi_arena_alloc(c->arena, (count + 1) * sizeof *values);
    for (const fzi_node *value = own_values(decl); value; value = value->next)
        values[n++] = value;
    qsort(values, count, sizeof *values, by_text);
    for (size_t i = 0; i < count; i++) {
        bool good = !values[i]->text || is_value_text(values[i]->text);
        good = good && (!i || strcmp(value_text(values[i]), value_text(values[i - 1])) != 0);
        if (good || (!values[i]->text && is_value_text(values[i]->name)))
            continue;
        fzi_error(c->diags, values[i]->name_span, FZ_E_VALUE_TEXT, value_text(values[i]),
                  "texts differ, and have letters, digits and '_' only");
    }
}

static fzi_entry *add_enum(fzi_checker *c, fzi_node *decl, bool has_none)
{
    fzi_entry *entry = new_global(c, decl, FZI_SYM_ENUM);
    entry->progress = FZI_DONE;
    fzi_type *type = (fzi_type *)fzi_type_named(c->arena, &entry->symbol,
                                                (int64_t)fzi_list_length(own_values(decl)));
    type->has_none = has_none;
    entry->symbol.type = type;
    add_global(c, entry);
    ADD(c, c->game->enums, c->game->enum_count, &entry->symbol);
    return entry;
}

static void collect_enum(fzi_checker *c, fzi_node *decl)
{
    bool has_none = own_values(decl) != decl->values;
    fzi_entry *entry = add_enum(c, decl, has_none);
    int64_t number = 0;
    if (has_none)
        add_member(c, decl->values, FZI_SYM_VALUE, entry->symbol.type, -1);
    for (fzi_node *value = own_values(decl); value; value = value->next)
        add_member(c, value, FZI_SYM_VALUE, entry->symbol.type, number++);
    check_value_texts(c, decl);
}

/* ---- enums with parts ---- */

enum { MAX_PARTS = 4, MAX_COMBINED = 4096 };

/* The enum of that name whose values are listed; NULL. */
static fzi_symbol *listed_enum(fzi_checker *c, const fzi_node *part)
{
    fzi_symbol *symbol = fzi_find_global(c, part->name, part->span.source, 1u << FZI_SYM_ENUM);
    return symbol && !symbol->node->parts ? symbol : NULL;
}

/* Finds the enums of the parts; 0 after a complaint. */
static unsigned find_parts(fzi_checker *c, fzi_node *decl, fzi_symbol **parts)
{
    unsigned count = 0;
    int64_t values = 1;
    for (fzi_node *part = decl->parts; part; part = part->next) {
        fzi_symbol *symbol = count < MAX_PARTS ? listed_enum(c, part) : NULL;
        bool taken = symbol && fzi_find_global(c, part->name, part->span.source,
                                              1u << FZI_SYM_PART);
        for (unsigned i = 0; i < count; i++)
            taken |= symbol == parts[i];
        values *= symbol ? fzi_type_size(symbol->type) : 1;
        if (symbol && !taken && values <= MAX_COMBINED) {
            parts[count++] = part->symbol = symbol;
            symbol->used = true;
            continue;
        }
        if (c->unsure)
            return 0;
        fzi_error(c->diags, part->name_span, FZ_E_ENUM_PART, part->name, decl->name,
                  taken                          ? "an enum is a part once"
                  : symbol || count == MAX_PARTS ? "at most 4 parts, and 4096 combinations"
                                                 : "parts are enums whose values are listed");
        return 0;
    }
    return count;
}

/* A function of the enum's parts, whose parameters have these types. */
static fzi_symbol *add_part(fzi_checker *c, fzi_node *decl, const char *name, const fzi_type *type,
                            fzi_symbol **of, unsigned count, int64_t number)
{
    fzi_entry *entry = fzi_entry_new(c->arena, FZI_SYM_PART, name, (fzi_span){0});
    fzi_symbol *symbol = &entry->symbol;
    entry->home = c->home;
    entry->progress = FZI_DONE;
    symbol->node = decl;
    symbol->type = type;
    symbol->value = number;
    symbol->param_count = count;
    symbol->params = fzi_arena_alloc(c->arena, sizeof *symbol->params * (count + 1));
    for (unsigned i = 0; i < count; i++) {
        fzi_symbol *param =
            &fzi_entry_new(c->arena, FZI_SYM_LOCAL, of[i]->name, (fzi_span){0})->symbol;
        param->local = FZI_LOCAL_PARAM;
        param->type = of[i]->type;
        symbol->params[i] = param;
    }
    fzi_scope_add(c->scope, entry);
    return symbol;
}

/* All combinations of the parts' values, the last part fastest; their texts are joined. */
static fzi_node *combined(fzi_checker *c, const fzi_node *decl, fzi_symbol *const *parts,
                         unsigned count)
{
    const fzi_node *at[MAX_PARTS];
    fzi_node *first = NULL, **end = &first;
    for (unsigned i = 0; i < count; i++)
        at[i] = own_values(parts[i]->node);
    for (unsigned moved = 0; moved < count + 1 && at[0];) {
        const char *name = "";
        for (unsigned i = 0; i < count; i++)
            name = fzi_arena_printf(c->arena, "%s%s", name, value_text(at[i]));
        fzi_node *value = FZI_NEW(c->arena, fzi_node);
        value->kind = N_NAME;
        value->name = fzi_intern_z(c->arena, name);
        value->span = decl->name_span;
        *end = value;
        end = &value->next;
        for (moved = 1; moved <= count; moved++) {
            const fzi_node **last = &at[count - moved];
            *last = (*last)->next;
            if (*last)
                break;
            *last = own_values(parts[count - moved]->node);
        }
    }
    return first;
}

static void collect_combined(fzi_checker *c, fzi_node *decl)
{
    fzi_symbol *parts[MAX_PARTS];
    unsigned count = find_parts(c, decl, parts);
    decl->values = count ? combined(c, decl, parts, count) : NULL;
    fzi_entry *entry = add_enum(c, decl, true);
    if (!count) {
        entry->symbol.type = c->game->type_poison;
        return;
    }
    const fzi_type *type = entry->symbol.type;
    int64_t number = 0;
    add_built_in(c, FZI_SYM_VALUE, "none", type, -1);
    for (fzi_node *value = decl->values; value; value = value->next) {
        fzi_symbol *other = fzi_find_global(c, value->name, value->span.source,
                                            FZI_KINDS_MEMBER);
        if (other && fzi_type_same(other->type, type)) {
            fzi_error(c->diags, decl->name_span, FZ_E_VALUE_TEXT, value->name,
                      "two combinations have this text");
            break;
        }
        add_built_in(c, FZI_SYM_VALUE, value->name, type, number++);
    }
    fzi_symbol *whole = add_part(c, decl, decl->name, type, parts, count, -1);
    fzi_symbol *self = &entry->symbol;
    for (unsigned i = 0; i < count; i++)
        add_part(c, decl, parts[i]->name, parts[i]->type, &self, 1, i)->overload = whole;
}

/* The faces of a die are names of its own when all of them are names. */
static bool has_named_faces(const fzi_node *decl)
{
    for (const fzi_node *face = decl->faces; face; face = face->next)
        if (face->value->kind != N_E_NAME)
            return false;
    return decl->faces != NULL;
}

/* The value of the type that has this name; -1: none yet. */
static int64_t value_named(const fzi_checker *c, const fzi_node *name, const fzi_type *type)
{
    for (const fzi_entry *e = fzi_scope_find(c->scope, name->name, name->span.source); e;
         e = fzi_scope_next(c->scope, e, name->name, name->span.source))
        if (e->symbol.type == type)
            return e->symbol.value;
    return -1;
}

static void collect_named_faces(fzi_checker *c, fzi_node *decl, fzi_symbol *symbol)
{
    int64_t count = 0;
    fzi_node **kept = fzi_arena_alloc(c->arena, fzi_list_length(decl->faces) * sizeof *kept);
    fzi_type *type = (fzi_type *)fzi_type_named(c->arena, symbol, 0);
    symbol->type = type;
    fzi_node *last = NULL; /* the last face of a new name */
    for (fzi_node *face = decl->faces; face; face = face->next) {
        int64_t before = value_named(c, face->value, type);
        face->value->type = type;
        if (before >= 0) { /* one value, with the weight of both */
            kept[before]->number += face->number;
            last->next = face->next;
            continue;
        }
        last = face;
        face->value->name_span = face->value->span;
        kept[count] = face;
        add_member(c, face->value, FZI_SYM_VALUE, type, count++);
    }
    fzi_type_set_size(type, count);
}

static void collect_die(fzi_checker *c, fzi_node *decl)
{
    fzi_entry *entry = new_global(c, decl, FZI_SYM_DIE);
    const fzi_node *face = decl->faces;
    while (face && face->number <= 0)
        face = face->next;
    if (!face && !decl->range)
        fzi_error(c->diags, decl->name_span, FZ_E_FACE_WEIGHT);
    entry->symbol.type = c->game->type_poison;
    if (has_named_faces(decl)) {
        collect_named_faces(c, decl, &entry->symbol);
        entry->progress = FZI_DONE;
    }
    add_global(c, entry);
    ADD(c, c->game->dice, c->game->die_count, &entry->symbol);
}

void fzi_function_add(fzi_checker *c, fzi_symbol *function)
{
    ADD(c, c->game->functions, c->game->function_count, function);
}

static void collect_body(fzi_checker *c, fzi_node *decl, int kind)
{
    fzi_game *game = c->game;
    fzi_entry *entry = new_global(c, decl, kind);
    fzi_symbol *symbol = &entry->symbol;
    symbol->param_count = kind == FZI_SYM_VAR || kind == FZI_SYM_PROPERTY
                              ? 0
                              : (unsigned)fzi_list_length(decl->params);
    add_global(c, entry);
    if (kind == FZI_SYM_VAR)
        ADD(c, game->vars, game->var_count, symbol);
    else if (kind == FZI_SYM_LET)
        ADD(c, game->lets, game->let_count, symbol);
    else if (kind == FZI_SYM_PROPERTY)
        ADD(c, game->properties, game->property_count, symbol);
    else
        fzi_function_add(c, symbol);
}

typedef struct singles {
    fzi_node *players, *teams, *board;
} singles;

static void collect_one(fzi_checker *c, fzi_node *decl, singles *once)
{
    static const uint8_t bodies[FZ_NODE_COUNT] = {
        [N_D_PROPERTY] = FZI_SYM_PROPERTY, [N_D_LET] = FZI_SYM_LET,
        [N_D_VAR] = FZI_SYM_VAR,           [N_D_FN] = FZI_SYM_FN,
        [N_D_MOVES] = FZI_SYM_MOVES,       [N_D_PROC] = FZI_SYM_PROC,
        [N_D_EXTERN] = FZI_SYM_EXTERN};
    fzi_game *game = c->game;
    c->home = fzi_unit_home(c->unit, decl);
    if (bodies[decl->kind])
        collect_body(c, decl, bodies[decl->kind]);
    switch (decl->kind) {
    case N_D_OPTION: collect_option(c, decl); break;
    case N_D_PLAYERS:
        if (only_one(c, &once->players, decl, "'players'"))
            collect_players(c, decl);
        break;
    case N_D_TEAMS: only_one(c, &once->teams, decl, "'teams'"); break;
    case N_D_BOARD: only_one(c, &once->board, decl, "'board'"); break;
    case N_D_ENUM:
        if (!decl->parts)
            collect_enum(c, decl);
        break;
    case N_D_DIE: collect_die(c, decl); break;
    case N_D_PIECE: collect_piece(c, decl); break;
    case N_D_SETUP: only_one(c, &game->setup, decl, "'setup'"); break;
    case N_D_TURN: only_one(c, &game->turn, decl, "'turn'"); break;
    case N_D_END: only_one(c, &game->end, decl, "'end'"); break;
    case N_D_STACKS: only_one(c, &game->stacks, decl, "'stacks'"); break;
    case N_D_LIMIT: only_one(c, &game->limit, decl, "'limit'"); break;
    case N_D_ON_CAPTURE: only_one(c, &game->on_capture, decl, "'on capture'"); break;
    default: break;
    }
}

static void check_missing(fzi_checker *c, const singles *once)
{
    const char *words[] = {once->players ? NULL : "'players'", once->board ? NULL : "a 'board'",
                           c->game->turn ? NULL : "a 'turn'"};
    const char *text = NULL;
    for (size_t i = 3; i > 0; i--) {
        const char *word = words[i - 1];
        if (word)
            text = !text ? word
                         : fzi_arena_printf(c->arena, strchr(text, ' ') && strstr(text, " and ")
                                                          ? "%s, %s" : "%s and %s", word, text);
    }
    if (!text || c->unsure || c->unit->is_library)
        return;
    for (const fzi_change *change = c->unit->changes; change; change = change->next) {
        if (change->now || change->old->kind != N_D_TURN || c->game->turn)
            continue;
        fzi_diag *diag = fzi_error(c->diags, change->span, FZ_E_MISSING_DECL, text);
        fzi_hint_add(diag, "to replace it, write 'override turn { ... }'");
        return;
    }
    fzi_diag *diag = fzi_error(c->diags, c->unit->header_span, FZ_E_MISSING_DECL, text);
    fzi_hint_add(diag, "such as%s%s%s", once->players ? "" : " 'players White, Black;'",
                 once->board ? "" : " 'board square(8);'",
                 c->game->turn ? "" : " 'turn { choose piece_moves otherwise lose me; }'");
    if (!once->players)
        fzi_hint_declaration(c, diag, "players White, Black;");
    if (!once->board)
        fzi_hint_declaration(c, diag, "board square(8);");
    if (!c->game->turn)
        fzi_hint_declaration(c, diag, "turn { choose piece_moves otherwise lose me; }");
}

static fzi_seat *seat_of(fzi_checker *c, const char *name)
{
    for (unsigned i = 0; i < c->game->player_count; i++)
        if (c->game->players[i].symbol->name == name)
            return &c->game->players[i];
    return NULL;
}

static void join_team(fzi_checker *c, fzi_node *member, unsigned team, fzi_node **joined)
{
    fzi_seat *seat = seat_of(c, member->name);
    if (!seat && c->unsure)
        return;
    if (!seat) {
        fzi_nearest nearest = {.wanted = member->name};
        fzi_scope_nearest(c->scope, NULL, 1u << FZI_SYM_PLAYER, &nearest);
        fzi_diag *diag = fzi_error(c->diags, member->span, FZ_E_UNKNOWN_NAME, member->name);
        fzi_hint_nearest(diag, &nearest);
        return;
    }
    fzi_node **first = &joined[seat->symbol->value];
    if (*first) {
        fzi_diag *diag = fzi_error(c->diags, member->span, FZ_E_TWO_TEAMS, member->name);
        fzi_note_at(diag, (*first)->span, "it joins one here");
        return;
    }
    *first = member;
    member->symbol = seat->symbol;
    seat->symbol->used = true;
    seat->team = (int)team;
}

static void collect_teams(fzi_checker *c, fzi_node *decl)
{
    fzi_game *game = c->game;
    fzi_node **joined = fzi_arena_alloc(c->arena, sizeof *joined * (game->player_count + 1));
    game->has_teams = decl != NULL;
    c->home = decl ? fzi_unit_home(c->unit, decl) : 0;
    for (fzi_node *team = decl ? decl->teams : NULL; team; team = team->next) {
        unsigned number = game->team_count;
        fzi_symbol *symbol = add_member(c, team, FZI_SYM_TEAM, game->type_team, number);
        for (fzi_node *member = team->members; member; member = member->next)
            join_team(c, member, number, joined);
        ADD(c, game->teams, game->team_count, symbol);
    }
    for (unsigned i = 0; i < game->player_count; i++) {
        const fzi_symbol *player = game->players[i].symbol;
        if (!decl) { /* one for each player, without a name of its own */
            fzi_entry *entry = fzi_entry_new(c->arena, FZI_SYM_TEAM, player->name, player->span);
            entry->symbol.type = game->type_team;
            entry->symbol.value = i;
            ADD(c, game->teams, game->team_count, &entry->symbol);
        } else if (!joined[i]) {
            fzi_error(c->diags, player->span, FZ_E_NO_TEAM, player->name);
            game->players[i].team = 0;
        }
    }
    fzi_type_set_size(game->type_team, game->team_count);
}

/* ---- what each file sees ---- */

static fzi_entry *declared_by(const fzi_scope *scope, const char *name, uint32_t module)
{
    fzi_entry *entry = fzi_scope_all(scope, name);
    while (entry && entry->home != module)
        entry = entry->namesake;
    return entry;
}

static void find_listed(fzi_checker *c, fzi_node *name, uint32_t module)
{
    fzi_entry *entry = declared_by(c->scope, name->name, module);
    if (entry)
        name->symbol = &entry->symbol;
    else if (!c->unsure)
        fzi_not_in_module(c, name->span, module, name->name);
}

/* `use module only ...` may name declarations of the module and of the modules that it uses. */
static void settle_use(fzi_checker *c, const fzi_node *use)
{
    uint32_t module = use->only ? fzi_unit_module(c->unit, use->names->name) : 0;
    if (!module)
        return;
    for (fzi_node *name = use->only; name; name = name->next)
        find_listed(c, name, module);
    for (fzi_entry *e = c->scope->first; e; e = e->following)
        e->contested |= fzi_unit_module_at(c->unit, e->home) != NULL;
}

static void settle_names(fzi_checker *c)
{
    for (size_t i = 0; i < c->unit->layer_count; i++)
        for (size_t k = 0; k < c->unit->layers[i]->use_count; k++)
            settle_use(c, c->unit->layers[i]->uses[k]);
    for (fzi_entry *e = c->scope->first; e; e = e->following) {
        const char *module = e->contested ? fzi_unit_module_at(c->unit, e->home) : NULL;
        if (module && !fzi_is_seen(c->scope, e, c->own_source))
            e->symbol.name =
                fzi_intern_z(c->arena, fzi_arena_printf(c->arena, "%s.%s", module, e->key));
    }
}

void fzi_collect(fzi_checker *c)
{
    singles once = {0};
    add_types(c);
    add_primitives(c);
    add_board(c);
    for (fzi_node *decl = c->unit->decls; decl; decl = decl->next)
        collect_one(c, decl, &once);
    for (fzi_node *decl = c->unit->decls; decl; decl = decl->next)
        if (decl->kind == N_D_ENUM && decl->parts) {
            c->home = fzi_unit_home(c->unit, decl);
            collect_combined(c, decl);
        }
    fzi_type_set_size(c->game->type_kind, c->game->piece_count);
    collect_teams(c, once.teams);
    check_missing(c, &once);
    settle_names(c);
    c->unsure |= !c->game->board || !c->game->player_count;
}
