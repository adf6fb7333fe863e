/* Finds the names in a checked tree. The checker has put the meaning of each name into its node, so
 * a walk over all nodes finds them. */
#include "query.h"

#include <stdlib.h>

#include "grammar/check/checker.h"

/* ---- walking ---- */

static void walk_all(const fzi_analysis *a, fzi_visit *visit, void *user)
{
    if (!a->unit)
        return;
    fzi_walk(a->unit->decls, visit, user);
    fzi_walk(a->unit->tests, visit, user);
    /* Declarations that a variant removes or replaces are still in its base's text. */
    for (const fzi_change *change = a->unit->changes; change; change = change->next) {
        visit(user, (fzi_node *)change->old);
        fzi_walk_below(change->old, visit, user);
    }
}

/* ---- identity ---- */

static bool same_span(fzi_span a, fzi_span b)
{
    return a.source == b.source && a.start == b.start && a.end == b.end;
}

static fzi_span origin_of(const fzi_analysis *a, fzi_span span)
{
    bool found = true;
    for (unsigned turns = 0; found && turns < 100; turns++) {
        found = false;
        for (const fzi_change *c = a->unit->changes; c; c = c->next) {
            if (c->now && c->old->name && same_span(c->now->name_span, span)) {
                span = c->old->name_span;
                found = true;
                break;
            }
        }
    }
    return span;
}

/* The name of an enum is also that of its function, which has no declaration of its own. */
static const fzi_symbol *declared(const fzi_analysis *a, const fzi_symbol *symbol)
{
    if (symbol->kind != FZI_SYM_PART)
        return symbol;
    for (unsigned i = 0; i < a->game->enum_count; i++)
        if (a->game->enums[i]->name == symbol->name)
            return a->game->enums[i];
    return symbol;
}

/* The place of the name in the first declaration of the symbol: of what overrides, in the
 * declaration that is overridden. Source 0: it is built in. */
static fzi_span symbol_origin(const fzi_analysis *a, const fzi_symbol *symbol)
{
    symbol = declared(a, symbol);
    return symbol->span.source ? origin_of(a, symbol->span) : symbol->span;
}

/* ---- collecting ---- */

typedef struct collection {
    const fzi_analysis *analysis;
    uint32_t source;
    fzi_mentions found;
} collection;

static void add(collection *c, fzi_mention mention)
{
    fzi_mentions *m = &c->found;
    if (mention.span.source == 0 || mention.span.end <= mention.span.start ||
        (c->source && mention.span.source != c->source))
        return;
    *FZI_MORE(c->analysis->arena, m->items, m->count, m->capacity) = mention;
}

static bool is_name_in_text(const fzi_analysis *a, fzi_span span, const char *name)
{
    const fzi_source *source = fzi_source_at(a->sources, span.source);
    size_t length = strlen(name);
    return source && span.end - span.start == length && span.end <= source->length &&
           memcmp(source->text + span.start, name, length) == 0;
}

/* The value of an option, which is found before there are symbols. */
static void add_value(collection *c, const fzi_symbol *option, const fzi_node *value)
{
    if (!value || value->kind != N_E_NAME || value->symbol)
        return;
    for (const fzi_entry *e = c->analysis->game->globals->first; e; e = e->following)
        if (e->symbol.type == option->type && e->symbol.name == value->name)
            add(c, (fzi_mention){.span = value->span, .symbol = &e->symbol, .node = value,
                                 .target = symbol_origin(c->analysis, &e->symbol)});
}

/* The global that a name means in its file; NULL. */
static const fzi_symbol *seen(const collection *c, const fzi_node *node)
{
    const fzi_entry *entry =
        fzi_scope_find(c->analysis->game->globals, node->name, node->span.source);
    return entry ? &entry->symbol : NULL;
}

/* A name that the checker has not resolved: that of a global, which is returned; NULL: there is
 * none. */
static const fzi_symbol *add_global(collection *c, const fzi_node *node, fzi_span span, bool writes)
{
    const fzi_symbol *symbol = seen(c, node);
    if (symbol)
        add(c, (fzi_mention){.span = span,
                             .symbol = symbol,
                             .node = node,
                             .target = symbol_origin(c->analysis, symbol),
                             .writes = writes});
    return symbol;
}

/* `set Option = Value;` */
static void visit_set(collection *c, const fzi_node *set)
{
    const fzi_symbol *option = add_global(c, set, set->name_span, true);
    if (option)
        add_value(c, option, set->value);
}

/* The module of `module.name`. */
static void add_module(collection *c, const fzi_node *node)
{
    size_t length = (size_t)(fzi_plain_name(node->name) - node->name);
    if (!length)
        return;
    fzi_node *module = FZI_NEW(c->analysis->arena, fzi_node);
    module->kind = N_NAME;
    module->name = fzi_intern(c->analysis->arena, node->name, length - 1);
    module->span = node->span;
    module->span.end = module->span.start + (uint32_t)(length - 1);
    if (is_name_in_text(c->analysis, module->span, module->name))
        add(c, (fzi_mention){.span = module->span, .node = module});
}

static void visit(void *user, fzi_node *node)
{
    collection *c = user;
    const fzi_symbol *symbol = node->symbol;
    if (node->kind == N_X_SET)
        visit_set(c, node);
    if (!symbol || !node->name ||
        strcmp(fzi_plain_name(node->name), fzi_plain_name(symbol->name)) != 0)
        return;
    add_module(c, node);
    fzi_span span = node->name_span.source ? node->name_span : node->span;
    if (is_name_in_text(c->analysis, span, "base") && strcmp(node->name, "base") != 0) {
        /* `base` has a definition, but it is no name that could be changed. */
        add(c, (fzi_mention){.span = span, .symbol = symbol, .node = node});
        return;
    }
    if (!is_name_in_text(c->analysis, span, fzi_plain_name(node->name)))
        return;
    add(c, (fzi_mention){.span = span, .symbol = symbol, .node = node,
                         .target = symbol_origin(c->analysis, symbol),
                         .declares = same_span(span, symbol->span),
                         .writes = node->kind == N_S_ASSIGN});
}

/* The type and the default of an option, which the checker does not visit. */
static void visit_option(collection *c, const fzi_node *option)
{
    const fzi_node *type = option->declared_type;
    const fzi_symbol *symbol = type && type->kind == N_T_NAME
                                   ? seen(c, type)
                                   : NULL;
    if (symbol && !type->symbol)
        add(c, (fzi_mention){.span = type->span, .symbol = symbol, .node = type});
    const fzi_symbol *own = seen(c, option);
    if (own)
        add_value(c, own, option->value);
}

/* Names that are not in the checked tree: modules, and names after `remove`, `hide` and `set`. */
static void visit_declaration(collection *c, const fzi_node *decl)
{
    const fzi_unit *unit = c->analysis->unit;
    if (decl->flags & FZ_NODE_EXTEND && decl->name) /* its symbol is in a lower file */
        add_global(c, decl, decl->name_span, false);
    if (decl->kind == N_D_USE) {
        for (const fzi_node *name = decl->names; name; name = name->next)
            add(c, (fzi_mention){.span = name->span, .node = name});
        for (const fzi_node *name = decl->only; name; name = name->next)
            if (name->symbol)
                add(c, (fzi_mention){.span = name->span, .symbol = name->symbol, .node = name,
                                     .target = symbol_origin(c->analysis, name->symbol)});
    } else if (decl->kind == N_D_REMOVE) {
        const fzi_change *change = fzi_unit_removed(unit, decl->name);
        if (change)
            add(c, (fzi_mention){.span = decl->name_span, .node = decl,
                                 .target = origin_of(c->analysis, change->old->name_span)});
    } else if (decl->kind == N_D_HIDE) {
        for (const fzi_node *name = decl->names; name; name = name->next)
            add_global(c, name, name->span, false);
    } else if (decl->kind == N_D_SET) {
        visit_set(c, decl);
    } else if (decl->kind == N_D_OPTION) {
        visit_option(c, decl);
    }
}

static void visit_removed(collection *c)
{
    for (const fzi_change *change = c->analysis->unit->changes; change; change = change->next) {
        const fzi_node *old = change->old;
        if (old->name && is_name_in_text(c->analysis, old->name_span, old->name))
            add(c, (fzi_mention){.span = old->name_span, .symbol = old->symbol, .node = old,
                                 .target = origin_of(c->analysis, old->name_span),
                                 .declares = true});
    }
}

static int by_place(const void *left, const void *right)
{
    const fzi_mention *a = left, *b = right;
    if (a->span.source != b->span.source)
        return a->span.source < b->span.source ? -1 : 1;
    if (a->span.start != b->span.start)
        return a->span.start < b->span.start ? -1 : 1;
    return b->declares - a->declares;
}

/* A node can be met twice, as a declaration and as its copy: the first one stays. */
static void drop_doubles(fzi_mentions *m)
{
    size_t kept = 0;
    for (size_t i = 0; i < m->count; i++)
        if (!kept || !same_span(m->items[kept - 1].span, m->items[i].span))
            m->items[kept++] = m->items[i];
    m->count = kept;
}

fzi_mentions fzi_mentions_find(const fzi_analysis *a, uint32_t source)
{
    collection c = {.analysis = a, .source = source};
    if (!a->unit || !a->game)
        return c.found;
    walk_all(a, visit, &c);
    for (const fzi_node *decl = a->unit->file->decls; decl; decl = decl->next)
        visit_declaration(&c, decl);
    visit_removed(&c);
    if (c.found.count)
        qsort(c.found.items, c.found.count, sizeof *c.found.items, by_place);
    drop_doubles(&c.found);
    return c.found;
}

const fzi_mention *fzi_mention_at(const fzi_mentions *m, uint32_t offset)
{
    const fzi_mention *found = NULL;
    for (size_t i = 0; i < m->count; i++)
        if (m->items[i].span.start <= offset && offset <= m->items[i].span.end)
            found = &m->items[i];
    return found;
}

/* ---- expressions ---- */

typedef struct search {
    uint32_t offset;
    const fzi_node *found;
} search;

static bool is_expression(const fzi_node *node)
{
    return node->kind >= N_E_INT && node->kind <= N_E_AS && node->type;
}

static void visit_expression(void *user, fzi_node *node)
{
    search *s = user;
    if (node->span.source != FZI_OWN_SOURCE || !is_expression(node) ||
        s->offset < node->span.start || s->offset >= node->span.end)
        return;
    if (!s->found || node->span.end - node->span.start <= s->found->span.end - s->found->span.start)
        s->found = node;
}

const fzi_node *fzi_expression_at(const fzi_analysis *a, uint32_t offset)
{
    search s = {offset, NULL};
    walk_all(a, visit_expression, &s);
    return s.found;
}
