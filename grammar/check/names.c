/* The globals: a hash table, and which of them a name can mean. Modules, games and variants may
 * declare the same name: each file sees the nearest declarations (nearness.c), and `module.name`
 * those of a module. */
#include "checker.h"

/* ---- names that stand in each other's way ---- */

enum class { CLASS_MEMBER, CLASS_TYPE, CLASS_NAMED, CLASS_CALL };

static enum class class_of(const fzi_symbol *symbol)
{
    uint32_t bit = 1u << symbol->kind;
    if (bit & FZI_KINDS_MEMBER)
        return CLASS_MEMBER;
    if (bit & FZI_KINDS_TYPE)
        return CLASS_TYPE;
    return symbol->kind == FZI_SYM_LET || symbol->kind == FZI_SYM_VAR ? CLASS_NAMED : CLASS_CALL;
}

static bool conflicts_with_primitive(const fzi_symbol *symbol, const fzi_symbol *primitive)
{
    enum class class = class_of(symbol);
    if (primitive->value >= FZI_PIECE_MOVES)
        return class == CLASS_CALL;
    const fzi_primitive_row *row = fzi_primitive_at(primitive->value);
    if (!*row->parameters)
        return class == CLASS_NAMED ||
               (class == CLASS_MEMBER && fzi_type_same(symbol->type, primitive->type) &&
                symbol->kind != FZI_SYM_DIR);
    unsigned least, most;
    fzi_primitive_count(row->parameters, &least, &most);
    return class == CLASS_CALL && (symbol->kind != FZI_SYM_FN || (symbol->param_count >= least &&
                                                                  symbol->param_count <= most));
}

bool fzi_names_conflict(const fzi_symbol *symbol, const fzi_symbol *old)
{
    if (symbol->kind == FZI_SYM_PRIMITIVE)
        return old->kind != FZI_SYM_PRIMITIVE && conflicts_with_primitive(old, symbol);
    if (old->kind == FZI_SYM_PRIMITIVE)
        return conflicts_with_primitive(symbol, old);
    enum class a = class_of(symbol), b = class_of(old);
    if (old->kind == FZI_SYM_TYPE)
        return a != CLASS_CALL;
    if (a == CLASS_MEMBER && b == CLASS_MEMBER)
        return fzi_type_same(symbol->type, old->type);
    if (a == CLASS_CALL && b == CLASS_CALL)
        return symbol->kind != old->kind || symbol->param_count == old->param_count ||
               (symbol->kind != FZI_SYM_FN && symbol->kind != FZI_SYM_PROC);
    return a == b || a == CLASS_NAMED || b == CLASS_NAMED;
}

/* ---- the table ---- */

enum { FZ_FIRST_BUCKETS = 256 };

fzi_scope *fzi_scope_new(fzi_arena *arena, const fzi_unit *unit)
{
    fzi_scope *scope = FZI_NEW(arena, fzi_scope);
    scope->unit = unit;
    scope->arena = arena;
    scope->bucket_count = FZ_FIRST_BUCKETS;
    scope->buckets = fzi_arena_alloc(arena, sizeof *scope->buckets * scope->bucket_count);
    return scope;
}

fzi_entry *fzi_entry_new(fzi_arena *arena, int kind, const char *name, fzi_span span)
{
    fzi_entry *entry = FZI_NEW(arena, fzi_entry);
    entry->symbol.kind = (uint8_t)kind;
    entry->symbol.name = entry->key = name;
    entry->symbol.span = span;
    return entry;
}

/* The slot of the name, or the free slot where it belongs. */
static fzi_entry **place_of(fzi_entry **buckets, size_t count, const char *name)
{
    size_t at = ((uintptr_t)name >> 3) * 2654435761u % count;
    while (buckets[at] && buckets[at]->key != name)
        at = (at + 1) % count;
    return &buckets[at];
}

static void widen(fzi_scope *scope)
{
    size_t count = 2 * scope->bucket_count;
    fzi_entry **buckets = fzi_arena_alloc(scope->arena, sizeof *buckets * count);
    for (size_t i = 0; i < scope->bucket_count; i++)
        if (scope->buckets[i])
            *place_of(buckets, count, scope->buckets[i]->key) = scope->buckets[i];
    scope->buckets = buckets;
    scope->bucket_count = count;
}

void fzi_scope_add(fzi_scope *scope, fzi_entry *entry)
{
    if (2 * ++scope->count > scope->bucket_count)
        widen(scope);
    fzi_entry **place = place_of(scope->buckets, scope->bucket_count, entry->key);
    while (*place)
        place = &(*place)->namesake;
    *place = entry;
    if (scope->last)
        scope->last->following = entry;
    else
        scope->first = entry;
    scope->last = entry;
}

fzi_entry *fzi_scope_all(const fzi_scope *scope, const char *name)
{
    return *place_of(scope->buckets, scope->bucket_count, name);
}

/* ---- what a file sees ---- */

static int nearness(const fzi_scope *scope, const fzi_entry *entry, uint32_t from)
{
    return entry->home ? fzi_unit_nearness(scope->unit, from, entry->home, entry->key) : FZI_OWN;
}

static bool is_hidden(const fzi_scope *scope, const fzi_entry *entry, uint32_t from)
{
    int near = entry->contested ? nearness(scope, entry, from) : FZI_OWN;
    if (near == FZI_OWN || near == FZI_LEFT_OUT)
        return near == FZI_LEFT_OUT;
    for (const fzi_entry *e = fzi_scope_all(scope, entry->key); e; e = e->namesake)
        if (e != entry && nearness(scope, e, from) < near &&
            fzi_names_conflict(&e->symbol, &entry->symbol))
            return true;
    return false;
}

/* Another module's declaration that the name could as well mean; NULL. */
const fzi_entry *fzi_equally_near(const fzi_scope *scope, const fzi_entry *entry, uint32_t from)
{
    if (!entry->contested)
        return NULL;
    int near = nearness(scope, entry, from);
    for (const fzi_entry *e = fzi_scope_all(scope, entry->key); e; e = e->namesake)
        if (e->home != entry->home && near != FZI_OWN && nearness(scope, e, from) == near &&
            fzi_names_conflict(&e->symbol, &entry->symbol))
            return e;
    return NULL;
}

/* A name that two modules declare and no nearer file is no name of either. */
bool fzi_is_seen(const fzi_scope *scope, const fzi_entry *entry, uint32_t from)
{
    return !is_hidden(scope, entry, from) && !fzi_equally_near(scope, entry, from);
}

/* The point of `module.name`; NULL: it is another name. Names with a blank are not the author's. */
static const char *point_of(const char *name)
{
    const char *point = strchr(name, '.');
    return point && !strchr(name, ' ') ? point : NULL;
}

const char *fzi_plain_name(const char *name)
{
    const char *point = point_of(name);
    return point ? point + 1 : name;
}

/* From this entry on, the first one that `name` can mean. */
static fzi_entry *seen(const fzi_scope *scope, fzi_entry *entry, const char *name, uint32_t from)
{
    const char *point = point_of(name);
    uint32_t module = 0;
    if (point)
        module = fzi_unit_module(scope->unit,
                                 fzi_intern(scope->arena, name, (size_t)(point - name)));
    while (entry && (point ? entry->home != module || !module : is_hidden(scope, entry, from)))
        entry = entry->namesake;
    return entry;
}

fzi_entry *fzi_scope_find(const fzi_scope *scope, const char *name, uint32_t from)
{
    const char *plain = fzi_plain_name(name);
    fzi_entry *all =
        fzi_scope_all(scope, plain == name ? name : fzi_intern_z(scope->arena, plain));
    return all ? seen(scope, all, name, from) : NULL;
}

fzi_entry *fzi_scope_next(const fzi_scope *scope, const fzi_entry *entry, const char *name,
                          uint32_t from)
{
    return seen(scope, entry->namesake, name, from);
}


bool fzi_leaves_out(const fzi_scope *scope, const fzi_entry *entry, uint32_t from)
{
    return entry->contested && nearness(scope, entry, from) == FZI_LEFT_OUT;
}
