/* Symbols: locals, uses of globals, and what the files of this room need to know about one. */
#include "checker.h"

enum { MAX_LOCALS = 4096 }; /* at one time: each use of a name looks at them */

void fzi_locals_add(fzi_locals *locals, fzi_arena *arena, fzi_symbol *symbol)
{
    *FZI_MORE(arena, locals->items, locals->count, locals->capacity) = symbol;
}

fzi_symbol *fzi_locals_find(const fzi_locals *locals, const char *name)
{
    for (size_t i = locals->count; i > 0; i--)
        if (locals->items[i - 1]->name == name)
            return locals->items[i - 1];
    return NULL;
}

void fzi_scope_nearest(const fzi_scope *scope, const fzi_locals *locals, uint32_t kinds,
                       fzi_nearest *nearest)
{
    if (fzi_diags_full(scope->diags) || fzi_diags_name_reported(scope->diags, nearest->wanted))
        return;
    if (locals)
        for (size_t i = locals->count; i > 0; i--)
            fzi_nearest_offer(nearest, locals->items[i - 1]->name);
    for (const fzi_entry *e = scope->first; e; e = e->following)
        if (kinds >> e->symbol.kind & 1)
            fzi_nearest_offer(nearest, e->symbol.name);
}

/* ---- one symbol ---- */

fzi_entry *fzi_entry_of(const fzi_symbol *symbol)
{
    return (fzi_entry *)symbol; /* the first member of one */
}

const char *fzi_symbol_sort(const fzi_symbol *symbol)
{
    switch (symbol->kind) {
    case FZI_SYM_TYPE: return "a type";
    case FZI_SYM_OPTION: return "an option";
    case FZI_SYM_ENUM: return "an enum";
    case FZI_SYM_DIE: return "a die";
    case FZI_SYM_VALUE: return "a value";
    case FZI_SYM_PLAYER: return "a player";
    case FZI_SYM_TEAM: return "a team";
    case FZI_SYM_KIND: return "a kind of piece";
    case FZI_SYM_SITE: return "a site";
    case FZI_SYM_DIR: return "a direction";
    case FZI_SYM_PROPERTY: return "a property";
    case FZI_SYM_LET: return "a 'let'";
    case FZI_SYM_VAR: return "a variable";
    case FZI_SYM_FN: case FZI_SYM_EXTERN: case FZI_SYM_PART: return "a function";
    case FZI_SYM_MOVES: return "a generator";
    case FZI_SYM_PROC: return "a proc";
    case FZI_SYM_PRIMITIVE:
        if (symbol->value >= FZI_PIECE_MOVES)
            return "a generator";
        return fzi_is_callable(symbol) ? "a function" : "a value";
    default:
        break;
    }
    static const char *const locals[] = {"bound by 'for'", "bound by 'let'", "a variable",
                                         "a parameter",
                                         "the place of a piece"};
    return locals[symbol->local];
}

bool fzi_is_callable(const fzi_symbol *symbol)
{
    switch (symbol->kind) {
    case FZI_SYM_FN: case FZI_SYM_PROC: case FZI_SYM_EXTERN: case FZI_SYM_PROPERTY:
    case FZI_SYM_PART:
        return true;
    case FZI_SYM_PRIMITIVE:
        return symbol->value < FZI_PIECE_MOVES && *fzi_primitive_at(symbol->value)->parameters;
    default:
        return false;
    }
}

bool fzi_is_generator(const fzi_symbol *symbol)
{
    return symbol->kind == FZI_SYM_MOVES ||
           (symbol->kind == FZI_SYM_PRIMITIVE && symbol->value >= FZI_PIECE_MOVES);
}

fzi_node *fzi_property_node(const fzi_game *game, const fzi_symbol *property, unsigned kind)
{
    for (fzi_node *item = game->pieces[kind].items; item; item = item->next)
        if (item->kind == N_I_PROPERTY && item->name == property->name)
            return item->value;
    return NULL;
}

bool fzi_item_is_plain(const fzi_node *item)
{
    if (item->kind != N_I_MOVE || item->label || item->effect)
        return false;
    for (const fzi_node *q = item->quants; q; q = q->next)
        if (q->kind != N_Q_IF)
            return false;
    return true;
}

/* ---- globals ---- */

fzi_symbol *fzi_find_global(const fzi_checker *c, const char *name, uint32_t from, uint32_t kinds)
{
    for (fzi_entry *e = fzi_scope_find(c->scope, name, from); e;
         e = fzi_scope_next(c->scope, e, name, from))
        if (kinds >> e->symbol.kind & 1)
            return &e->symbol;
    return NULL;
}

fzi_symbol *fzi_game_find(const fzi_game *game, const char *name, int params)
{
    const char *interned = fzi_intern_z(game->arena, name);
    uint32_t from = fzi_unit_prelude(game->unit);
    for (fzi_entry *e = fzi_scope_find(game->globals, interned, from); e;
         e = fzi_scope_next(game->globals, e, interned, from)) {
        bool function = e->symbol.kind == FZI_SYM_FN || e->symbol.kind == FZI_SYM_PROC ||
                        e->symbol.kind == FZI_SYM_MOVES || e->symbol.kind == FZI_SYM_EXTERN;
        if (!function || params < 0 || e->symbol.param_count == (unsigned)params)
            return &e->symbol;
    }
    return NULL;
}

/* Does the text at the place name the module? */
static bool says_module(const fzi_checker *c, fzi_span span, const char *module)
{
    const fzi_source *source = fzi_source_at(c->game->sources, span.source);
    size_t length = strlen(module);
    if (!source || span.start + length >= source->length ||
        memcmp(source->text + span.start, module, length) != 0)
        return false;
    const char *at = source->text + span.start + length;
    return at[strspn(at, " \t\r\n")] == '.';
}

void fzi_two_modules(fzi_checker *c, fzi_span span, const fzi_symbol *first,
                     const fzi_symbol *second)
{
    const fzi_symbol *both[] = {first, second};
    const char *modules[2], *sorts[2], *name = fzi_entry_of(first)->key;
    if (!fzi_entry_of(first)->contested)
        return; /* one message is enough */
    for (unsigned i = 0; i < 2; i++) {
        modules[i] = fzi_unit_module_at(c->unit, fzi_entry_of(both[i])->home);
        sorts[i] = fzi_arena_printf(c->arena, "%s of '%s'", fzi_symbol_sort(both[i]), modules[i]);
    }
    fzi_diag *diag = fzi_error(c->diags, span, FZ_E_AMBIGUOUS_NAME, name, sorts[0], sorts[1],
                               modules[0], name, modules[1], name);
    for (unsigned i = 0; i < 2; i++) {
        fzi_note_at(diag, both[i]->span, i ? "the other" : "one of them");
        fzi_fix_add(diag, fzi_arena_printf(c->arena, "write '%s.%s'", modules[i], name));
        fzi_hint_edit(diag, NULL, "%s.%s", modules[i], name);
        fzi_entry_of(both[i])->contested = false;
    }
}

static void check_nearest(fzi_checker *c, const fzi_symbol *symbol, fzi_span span)
{
    const fzi_entry *entry = fzi_entry_of(symbol);
    const fzi_entry *other = fzi_equally_near(c->scope, entry, span.source);
    const char *module = other ? fzi_unit_module_at(c->unit, entry->home) : NULL;
    if (module && !says_module(c, span, module))
        fzi_two_modules(c, span, symbol, &other->symbol);
}

/* A deprecated name of another file. */
static void check_deprecated(fzi_checker *c, const fzi_symbol *symbol, fzi_span span)
{
    fzi_entry *entry = fzi_entry_of(symbol);
    const char *text = NULL;
    if (span.source != c->own_source || symbol->span.source == c->own_source || !symbol->node)
        return;
    if (entry->deprecation)
        fzi_diag_at_earlier(entry->deprecation, span, entry->key);
    else
        text = fzi_node_deprecated(c->game->sources, c->arena, symbol->node);
    if (text)
        entry->deprecation = fzi_error(c->diags, span, FZ_W_DEPRECATED, symbol->name, text);
}

void fzi_check_named(fzi_checker *c, const fzi_symbol *symbol, fzi_span span)
{
    check_nearest(c, symbol, span);
    check_deprecated(c, symbol, span);
    fzi_entry_of(symbol)->wanted |= !fzi_unit_module_at(c->unit, span.source);
    fzi_entry_of(symbol)->named |= span.source == c->own_source;
}

/* Reports sites and pieces in a game without a board. */
static void need_board(fzi_checker *c, const fzi_symbol *symbol, fzi_span span)
{
    bool lacks = fzi_board_is_none(c->game->board) && span.source == c->own_source;
    const fzi_type *type = symbol->type;
    if (lacks && (symbol->kind == FZI_SYM_KIND || type == c->game->type_site ||
                  type == c->game->type_sites))
        fzi_error(c->diags, span, FZ_E_NO_BOARD_HERE, symbol->name);
}

void fzi_use(fzi_checker *c, fzi_symbol *symbol, fzi_span span)
{
    need_board(c, symbol, span);
    fzi_check_named(c, symbol, span);
    fzi_entry *entry = fzi_entry_of(symbol);
    if (c->at.owner != entry)
        symbol->used = true;
    bool matters = symbol->kind == FZI_SYM_LET || symbol->kind == FZI_SYM_FN ||
                   symbol->kind == FZI_SYM_PROC || fzi_is_generator(symbol) || entry == c->hook;
    if (!c->at.owner || !matters)
        return;
    if (entry->last_user == c->at.owner && entry->last_gathers >= c->at.gathers &&
        entry->last_together == c->at.together)
        return;
    entry->last_user = c->at.owner;
    entry->last_gathers = c->at.gathers;
    entry->last_together = c->at.together;
    fzi_edge *edge = FZI_NEW(c->arena, fzi_edge);
    edge->to = entry;
    edge->span = span;
    edge->gathers = c->at.gathers;
    edge->together = c->at.together;
    edge->next = c->at.owner->edges;
    c->at.owner->edges = edge;
}

/* ---- locals ---- */

static void note_unused(fzi_checker *c, const fzi_symbol *symbol)
{
    fzi_entry *entry = fzi_entry_of(symbol);
    const fzi_node *owner = c->at.owner ? c->at.owner->symbol.node : NULL;
    if (symbol->used || symbol->span.source != c->own_source || *symbol->name == '_' ||
        symbol->local == FZI_LOCAL_FOR || symbol->local == FZI_LOCAL_HERE_TO)
        return;
    /* They make the text of a move. */
    if (strcmp(symbol->name, "from") == 0 || strcmp(symbol->name, "to") == 0 ||
        strcmp(symbol->name, "here") == 0)
        return;
    if (symbol->local == FZI_LOCAL_PARAM) {
        if (!symbol->node || symbol->node->kind != N_PARAM || !owner ||
            (owner->flags & FZ_NODE_OVERRIDE))
            return;
        bool may_be_expression = owner->kind == N_D_FN || owner->kind == N_D_LET;
        const fzi_node *value = may_be_expression ? owner->value : NULL;
        bool table = value && (value->kind == N_E_LIST || value->kind == N_E_KEYS);
        bool plain = value && (value->kind == N_E_INT || value->kind == N_E_NAME ||
                               (value->kind == N_E_SET && !value->members));
        bool empty = owner->kind == N_D_PROC && !owner->body->stmts;
        /* A function that always returns the same has the parameters of those that can replace
         * it. */
        if (table || (owner->kind == N_D_FN && plain) || empty)
            return;
    }
    entry->following = c->unused;
    c->unused = entry;
}

fzi_mark fzi_enter(fzi_checker *c)
{
    fzi_mark mark = {c->locals.count, c->block};
    c->block = c->locals.count;
    return mark;
}

void fzi_leave(fzi_checker *c, fzi_mark mark)
{
    for (size_t i = mark.count; i < c->locals.count; i++)
        note_unused(c, c->locals.items[i]);
    c->locals.count = mark.count;
    c->block = mark.block;
}

void fzi_refuse_word(fzi_checker *c, const fzi_symbol *local)
{
    const fzi_symbol *word =
        fzi_find_global(c, local->name, local->span.source, 1u << FZI_SYM_PRIMITIVE);
    if (word && word->value <= FZI_PRIM_me)
        fzi_error(c->diags, local->span, FZ_E_NAME_TAKEN, local->name, "a word of every game");
}

fzi_symbol *fzi_bind_named(fzi_checker *c, const char *name, fzi_span span, int local,
                           const fzi_type *type)
{
    fzi_symbol *symbol = &fzi_entry_new(c->arena, FZI_SYM_LOCAL, name, span)->symbol;
    symbol->local = (uint8_t)local;
    symbol->type = type;
    for (size_t i = c->block; i < c->locals.count; i++) {
        if (c->locals.items[i]->name != name)
            continue;
        fzi_diag *diag = fzi_error(c->diags, span, FZ_E_DECLARED_TWICE, name);
        fzi_note_at(diag, c->locals.items[i]->span, "the first one is here");
        break;
    }
    fzi_refuse_word(c, symbol);
    if (c->locals.count < MAX_LOCALS)
        fzi_locals_add(&c->locals, c->arena, symbol);
    else
        fzi_error(c->diags, span, FZ_E_TOO_MANY, "this", (unsigned)c->locals.count + 1,
                  "local names with those around it", (unsigned)MAX_LOCALS);
    return symbol;
}

fzi_symbol *fzi_bind(fzi_checker *c, fzi_node *node, int local, const fzi_type *type)
{
    fzi_symbol *symbol = fzi_bind_named(c, node->name, node->name_span, local, type);
    symbol->node = node;
    node->symbol = symbol;
    node->type = type;
    return symbol;
}

/* ---- what is expected at the place that a tool asks about ---- */

static void keep_locals(const fzi_checker *c, fzi_probe *probe)
{
    probe->local_count = c->locals.count;
    probe->locals = fzi_arena_alloc(c->arena, (c->locals.count + 1) * sizeof *probe->locals);
    for (size_t i = 0; i < c->locals.count; i++)
        probe->locals[i] = c->locals.items[i];
}

void fzi_probe_note(fzi_checker *c, fzi_span span, enum fzi_probe_kind wanted, const fzi_type *type)
{
    fzi_probe *probe = c->load->probe;
    if (!probe || span.source != probe->source || span.start != probe->offset ||
        (probe->wanted != FZI_WANTS_NOTHING && (probe->type || !type)))
        return;
    probe->wanted = wanted;
    probe->type = type;
    keep_locals(c, probe);
}

void fzi_probe_arguments(fzi_checker *c, const fzi_symbol *callee, const fzi_node *arguments)
{
    unsigned at = 0;
    for (; c->load->probe && arguments; arguments = arguments->next)
        fzi_probe_note(c, arguments->span, FZI_WANTS_VALUE,
                       fzi_parameter_type(c->game, callee, at++));
}
