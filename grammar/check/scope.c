/* Symbol tables: a hash table of globals, and a stack of locals. */
#include "scope.h"

#include <string.h>

enum { FZ_FIRST_BUCKETS = 256 };

fzi_scope *fzi_scope_new(fzi_arena *arena)
{
    fzi_scope *scope = FZI_NEW(arena, fzi_scope);
    scope->arena = arena;
    scope->bucket_count = FZ_FIRST_BUCKETS;
    scope->buckets = fzi_arena_alloc(arena, sizeof *scope->buckets * scope->bucket_count);
    return scope;
}

fzi_entry *fzi_entry_new(fzi_arena *arena, int kind, const char *name, fzi_span span)
{
    fzi_entry *entry = FZI_NEW(arena, fzi_entry);
    entry->symbol.kind = (uint8_t)kind;
    entry->symbol.name = name;
    entry->symbol.span = span;
    return entry;
}

/* Where the name stands, or the free place where it belongs. */
static fzi_entry **place_of(fzi_entry **buckets, size_t count, const char *name)
{
    size_t at = ((uintptr_t)name >> 3) * 2654435761u % count;
    while (buckets[at] && buckets[at]->symbol.name != name)
        at = (at + 1) % count;
    return &buckets[at];
}

static void widen(fzi_scope *scope)
{
    size_t count = 2 * scope->bucket_count;
    fzi_entry **buckets = fzi_arena_alloc(scope->arena, sizeof *buckets * count);
    for (size_t i = 0; i < scope->bucket_count; i++)
        if (scope->buckets[i])
            *place_of(buckets, count, scope->buckets[i]->symbol.name) = scope->buckets[i];
    scope->buckets = buckets;
    scope->bucket_count = count;
}

void fzi_scope_add(fzi_scope *scope, fzi_entry *entry)
{
    if (2 * ++scope->count > scope->bucket_count)
        widen(scope);
    fzi_entry **place = place_of(scope->buckets, scope->bucket_count, entry->symbol.name);
    while (*place)
        place = &(*place)->namesake;
    *place = entry;
    if (scope->last)
        scope->last->following = entry;
    else
        scope->first = entry;
    scope->last = entry;
}

fzi_entry *fzi_scope_find(const fzi_scope *scope, const char *name)
{
    return *place_of(scope->buckets, scope->bucket_count, name);
}

void fzi_locals_add(fzi_locals *locals, fzi_arena *arena, fzi_symbol *symbol)
{
    locals->items = fzi_arena_grow(arena, locals->items, locals->count, &locals->capacity,
                                   sizeof(fzi_symbol *));
    locals->items[locals->count++] = symbol;
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
