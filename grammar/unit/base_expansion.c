/* Keeps the declaration that a higher layer replaces or extends. `base` in the replacement uses it:
 * the declaration stays under a name that no author can write, and `base` becomes that name or a
 * call of it. Phases and hooks become procedures. */
#include "layers.h"

/* An overriding declaration and the name of the one that it replaces. */
typedef struct replacement {
    fzi_arena *arena;
    const char *word;    /* `base`, as names are interned */
    const fzi_node *decl, *old;
    const char *name;    /* of the replaced declaration */
    unsigned uses;
} replacement;

static bool can_be_used(const fzi_node *decl)
{
    switch (decl->kind) {
    case N_D_LET: case N_D_FN: case N_D_PROC: case N_D_MOVES: case N_D_BOARD:
        return true;
    default:
        return fzi_is_phase(decl);
    }
}

/* ---- the replaced declaration ---- */

static bool is_taken(const fzi_unit *unit, const char *name)
{
    for (const fzi_node *decl = unit->decls; decl; decl = decl->next)
        if (decl->name && strcmp(decl->name, name) == 0)
            return true;
    return false;
}

/* "end of rules.game": no author can write it, and a file has one such declaration. */
static const char *name_below(fzi_loader *loader, const fzi_node *old)
{
    fzi_arena *arena = loader->load->arena;
    const char *path = fzi_source_at(loader->load->sources, old->span.source)->path;
    const char *file = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    const char *own = fzi_is_phase(old) ? fzi_decl_sort(old->kind) : old->name;
    const char *name = fzi_arena_printf(arena, "%s of %s", own, file);
    bool overloads = old->kind == N_D_FN || old->kind == N_D_EXTERN || old->kind == N_D_PROC;
    while (!overloads && is_taken(loader->unit, name))
        name = fzi_arena_printf(arena, "%s'", name);
    return fzi_intern_z(arena, name);
}

static fzi_node *named(fzi_arena *arena, int kind, fzi_span span, const char *name)
{
    fzi_node *node = fzi_node_new(arena, kind, span);
    node->name = name;
    node->name_span = span;
    return node;
}

static fzi_node *site_param(fzi_arena *arena, const fzi_node *hook)
{
    fzi_node *param = named(arena, N_PARAM, hook->name_span, hook->name);
    param->declared_type = named(arena, N_T_NAME, hook->name_span, fzi_intern_z(arena, "site"));
    return param;
}

static fzi_node *kept(fzi_arena *arena, const fzi_node *old, const char *name, bool once)
{
    fzi_node *copy = fzi_arena_copy(arena, old, sizeof *old);
    copy->next = NULL;
    copy->name = name;
    if (fzi_is_phase(old)) {
        copy->kind = N_D_PROC;
        copy->params = old->kind == N_D_ON_CAPTURE ? site_param(arena, old) : NULL;
    }
    if (copy->name_span.end <= copy->name_span.start)
        copy->name_span = copy->span;
    if (once && copy->kind == N_D_PROC)
        copy->flags |= FZ_NODE_ONCE;
    return copy;
}

/* ---- `base` ---- */

/* Copies the nodes of a list; their children are shared. `*end`: the link after the last one. */
static fzi_node *copy_list(fzi_arena *arena, const fzi_node *list, fzi_node ***end)
{
    fzi_node *first = NULL, **link = &first;
    for (; list; list = list->next, link = &(*link)->next)
        *link = fzi_arena_copy(arena, list, sizeof *list);
    *link = NULL;
    *end = first ? link : NULL;
    return first;
}

/* The parameters of the overriding declaration as arguments. */
static fzi_node *own_arguments(const replacement *r, fzi_span span)
{
    if (r->decl->kind == N_D_ON_CAPTURE)
        return named(r->arena, N_E_NAME, span, r->decl->name);
    fzi_node *first = NULL, **end = &first;
    if (fzi_is_phase(r->decl))
        return NULL;
    for (const fzi_node *param = r->decl->params; param; param = param->next, end = &(*end)->next)
        *end = named(r->arena, N_E_NAME, span, param->name);
    return first;
}

/* `base` alone: the replaced board, `let` or call with the same parameters. */
static void use_value(replacement *r, fzi_node *node, bool indexed)
{
    if (r->decl->kind == N_D_BOARD) {
        fzi_node *board = fzi_node_clone(r->arena, r->old->board), *next = node->next;
        *node = *board;
        node->next = next;
        return;
    }
    node->name = r->name;
    if (r->decl->kind != N_D_LET) {
        node->kind = N_E_CALL;
        node->arguments = own_arguments(r, node->span);
    } else if (r->decl->params && !indexed) {
        node->kind = N_E_INDEX;
        node->primary = named(r->arena, N_E_NAME, node->span, r->name);
        node->indexes = own_arguments(r, node->span);
    }
}

static void use_generator(replacement *r, fzi_node *node)
{
    node->name = r->name;
    if (!node->arguments)
        node->arguments = own_arguments(r, node->span);
}

static void use_call(replacement *r, fzi_node *node)
{
    node->name = r->name;
    if (node->flags & FZ_NODE_BARE)
        node->arguments = own_arguments(r, node->span);
}

static void use_in(replacement *r, fzi_node *list, bool indexed)
{
    bool of_moves = r->decl->kind == N_D_MOVES, of_statements = fzi_is_phase(r->decl) ||
                                                                r->decl->kind == N_D_PROC;
    for (; list; list = list->next) {
        bool is_base = list->name == r->word;
        int kind = list->kind;
        for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
            use_in(r, list->children[i], kind == N_E_INDEX && i == 0);
        if (!is_base)
            continue;
        unsigned uses = r->uses++;
        if (kind == N_E_NAME && !of_moves && !fzi_is_phase(r->decl))
            use_value(r, list, indexed);
        else if (kind == N_E_CALL && !of_moves && !fzi_is_phase(r->decl))
            list->name = r->name;
        else if (kind == N_GENERATOR && of_moves)
            use_generator(r, list);
        else if (kind == N_S_CALL && of_statements)
            use_call(r, list);
        else
            r->uses = uses;
    }
}

/* Copies a piece's lines, except properties that `more` states again. `*end`: the link after the
 * last one. */
static fzi_node *old_items(fzi_arena *arena, const fzi_node *items, const fzi_node *more,
                           fzi_node ***end)
{
    fzi_node *first = NULL, **link = &first;
    for (; items; items = items->next) {
        if (items->kind == N_I_PROPERTY && fzi_states_property(more, items->name))
            continue;
        *link = fzi_node_clone(arena, items); /* other pieces may have the same lines */
        link = &(*link)->next;
    }
    *link = NULL;
    *end = first ? link : NULL;
    return first;
}

/* The lines of the replaced piece in the place of `base;`. */
static bool use_items(fzi_arena *arena, fzi_node *piece, const fzi_node *old)
{
    bool uses = false;
    for (fzi_node **link = &piece->items; *link;) {
        fzi_node **end, *base = *link, *items;
        if (base->kind != N_I_BASE) {
            link = &base->next;
            continue;
        }
        items = uses ? NULL : old_items(arena, old->items, piece->items, &end);
        uses = true;
        *link = base->next;
        if (!items)
            continue;
        *end = base->next;
        *link = items;
        link = end;
    }
    return uses;
}

static replacement begin(fzi_loader *loader, const fzi_node *decl, const fzi_node *old)
{
    fzi_arena *arena = loader->load->arena;
    return (replacement){.arena = arena, .word = fzi_intern_z(arena, "base"), .decl = decl,
                         .old = old, .name = name_below(loader, old)};
}

bool fzi_use_base(fzi_loader *loader, fzi_node *decl, const fzi_node *old, fzi_node **below)
{
    if (decl->kind == N_D_PIECE)
        return use_items(loader->load->arena, decl, old);
    if (!can_be_used(decl) || (old->kind != decl->kind && old->kind != N_D_EXTERN))
        return false;
    replacement r = begin(loader, decl, old);
    if (fzi_binds_below(decl, r.word))
        return false;
    for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
        use_in(&r, decl->children[i], false);
    if (r.uses && decl->kind != N_D_BOARD)
        *below = kept(r.arena, old, r.name, r.uses == 1);
    return r.uses > 0;
}

/* ---- `extend` ---- */

static fzi_node *joined(fzi_arena *arena, const fzi_node *list, fzi_node *more)
{
    fzi_node **end, *first = copy_list(arena, list, &end);
    if (!first)
        return more;
    *end = more;
    return first;
}

/* A property takes the place of the one that the piece stated before. */
static fzi_node *extended_piece(fzi_arena *arena, const fzi_node *old, const fzi_node *extension)
{
    fzi_node *made = fzi_arena_copy(arena, old, sizeof *old);
    fzi_node **end;
    made->items = old_items(arena, old->items, extension->items, &end);
    *(end ? end : &made->items) = extension->items;
    if (extension->text)
        made->text = extension->text;
    return made;
}

/* Both conditions of `ensuring` must hold. Each `keeping` chooses from the moves that the one
 * before leaves. */
static fzi_node *joined_filters(fzi_arena *arena, const fzi_node *filters, const fzi_node *more)
{
    fzi_node **end, *first = copy_list(arena, filters, &end);
    fzi_node *condition = first && first->op == FZ_T_ENSURING ? first->condition : NULL;
    if (condition && more && more->op == FZ_T_ENSURING) {
        fzi_node *both = fzi_node_new(arena, N_E_BINARY, more->condition->span);
        both->op = FZ_T_AND;
        both->left = condition;
        both->right = more->condition;
        first->condition = both;
        more = more->next;
    } else if (!condition && more && more->op == FZ_T_ENSURING) {
        fzi_node *ensuring = fzi_arena_copy(arena, more, sizeof *more);
        ensuring->next = first;
        first = ensuring;
        more = more->next;
    }
    fzi_node **rest;
    return joined(arena, first, copy_list(arena, more, &rest));
}

/* Without the module of `module.Type`. */
static const char *type_name(const fzi_node *type)
{
    const char *dot = strrchr(type->name, '.');
    return dot ? dot + 1 : type->name;
}

static bool same_type(const fzi_node *a, const fzi_node *b)
{
    if (!a || !b || a->kind != b->kind)
        return false;
    if (a->kind == N_T_SET)
        return same_type(a->declared_type, b->declared_type);
    return a->kind == N_T_NAME ? strcmp(type_name(a), type_name(b)) == 0 : fzi_same_tree(a, b);
}

/* The options and filters of the extension name the parameters of the base. */
static bool same_parameters(const fzi_node *old, const fzi_node *extension)
{
    const fzi_node *a = old->params, *b = extension->params;
    if (extension->kind == N_D_MOVES && !b)
        return true;
    for (; a && b; a = a->next, b = b->next)
        if ((extension->kind == N_D_MOVES && a->name != b->name) ||
            !same_type(a->declared_type, b->declared_type))
            return false;
    return !a && !b;
}

static fzi_node *extended_moves(fzi_arena *arena, const fzi_node *old, const fzi_node *extension)
{
    fzi_node *made = fzi_arena_copy(arena, old, sizeof *old);
    made->options = joined(arena, old->options, extension->options);
    made->filters = joined_filters(arena, old->filters, extension->filters);
    return made;
}

/* The base's statements, then the extension's: `base; { ... }`. */
static fzi_node *extended_body(fzi_loader *loader, const fzi_node *old, fzi_node *extension,
                               fzi_node **below)
{
    replacement r = begin(loader, extension, old);
    fzi_span word = extension->name_span;
    fzi_node *call = named(r.arena, N_S_CALL, word, r.name);
    call->arguments = own_arguments(&r, word);
    call->next = extension->body;
    extension->body = fzi_node_new(r.arena, N_S_BLOCK, extension->body->span);
    extension->body->stmts = call;
    *below = kept(r.arena, old, r.name, true);
    return extension;
}

fzi_node *fzi_extended(fzi_loader *loader, const fzi_node *old, fzi_node *extension,
                       fzi_node **below)
{
    fzi_arena *arena = loader->load->arena;
    fzi_diags *diags = loader->load->diags;
    fzi_node *made = NULL;
    if (extension->kind == N_D_MOVES || extension->kind == N_D_PROC) {
        if (!same_parameters(old, extension)) {
            fzi_diag *diag = fzi_error(diags, extension->name_span, FZ_E_OTHER_PARAMETERS,
                                       fzi_decl_described(arena, old));
            fzi_note_at(diag, old->name_span, "it is declared here");
            return NULL;
        }
    }
    if (extension->kind == N_D_PIECE) {
        made = extended_piece(arena, old, extension);
    } else if (extension->kind == N_D_MOVES) {
        made = extended_moves(arena, old, extension);
    } else if (fzi_is_phase(extension) || (extension->kind == N_D_PROC && !old->result_type)) {
        made = extended_body(loader, old, extension, below);
    } else {
        fzi_error(
            diags, extension->name_span, FZ_E_NOT_EXTENDABLE, fzi_decl_described(arena, extension),
            can_be_used(extension) ? "write 'override' and use 'base', which is what it replaces"
                                   : "write 'override' and the whole declaration");
        return NULL;
    }
    if (extension->doc) { /* the extension's comment describes the whole */
        made->doc = extension->doc;
        made->span = extension->span;
    }
    made->flags |= FZ_NODE_EXTEND;
    made->flags &= (uint16_t)~FZ_NODE_OVERRIDE;
    return made;
}
