/* The arena of a compile: chunks that only grow, and the table of interned names. */
#include "arena.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "interp/support/text.h"

enum { FZ_CHUNK_SIZE = 64 * 1024, FZ_ALIGN = _Alignof(max_align_t), FZ_FIRST_NAMES = 256 };

typedef struct chunk {
    struct chunk *next;
    size_t size;
} chunk;

/* `text` is NULL in a free slot. The table is at most three quarters full. */
typedef struct name_slot {
    const char *text;
    uint32_t length;
    uint32_t hash;
} name_slot;

struct fzi_arena {
    fzi_realloc_fn *resize;
    void *user;
    size_t taken, limit;
    chunk *chunks;
    char *free;
    size_t left;
    name_slot *names;
    size_t name_count, name_capacity;
    jmp_buf handler;
    const fz_cancel *cancel;
    fzi_arena *parent, *child; /* NULL: none */
    bool is_full;
};

static size_t round_up(size_t size)
{
    return (size + FZ_ALIGN - 1) / FZ_ALIGN * FZ_ALIGN;
}

fzi_arena *fzi_arena_new(fzi_realloc_fn *resize, void *user, size_t limit)
{
    fzi_arena *arena = resize(user, NULL, sizeof *arena);
    if (!arena)
        return NULL;
    memset(arena, 0, sizeof *arena);
    arena->resize = resize;
    arena->user = user;
    arena->limit = limit;
    return arena;
}

void fzi_arena_free(fzi_arena *arena)
{
    if (!arena)
        return;
    fzi_realloc_fn *resize = arena->resize;
    void *user = arena->user;
    fzi_arena_free(arena->child);
    if (arena->parent)
        arena->parent->child = NULL;
    for (chunk *c = arena->chunks; c;) {
        chunk *next = c->next;
        resize(user, c, 0);
        c = next;
    }
    resize(user, arena, 0);
}

void fzi_arena_cancel(fzi_arena *arena, const fz_cancel *cancel)
{
    arena->cancel = cancel;
}

bool fzi_arena_is_full(const fzi_arena *arena)
{
    return arena->is_full;
}

jmp_buf *fzi_arena_handler(fzi_arena *arena)
{
    return &arena->handler;
}

static _Noreturn void run_out(fzi_arena *arena)
{
    while (arena->parent)
        arena = arena->parent;
    longjmp(arena->handler, 1);
}

fzi_arena *fzi_arena_child(fzi_arena *arena)
{
    arena->child = fzi_arena_new(arena->resize, arena->user, arena->limit);
    if (!arena->child)
        run_out(arena);
    arena->child->cancel = arena->cancel;
    arena->child->parent = arena;
    return arena->child;
}

size_t fzi_arena_taken(const fzi_arena *arena)
{
    return arena->taken;
}

/* The memory after a new chunk's header. */
static char *chunk_add(fzi_arena *arena, size_t size)
{
    size_t head = round_up(sizeof(chunk));
    if (size > SIZE_MAX - head || fzi_cancelled(arena->cancel))
        run_out(arena);
    size_t whole = head + size;
    arena->is_full = arena->limit && (whole > arena->limit || arena->taken > arena->limit - whole);
    if (arena->is_full)
        run_out(arena);
    chunk *c = arena->resize(arena->user, NULL, whole);
    if (!c)
        run_out(arena);
    c->size = whole;
    c->next = arena->chunks;
    arena->chunks = c;
    arena->taken += whole;
    return (char *)c + head;
}

void *fzi_arena_alloc(fzi_arena *arena, size_t size)
{
    if (size > SIZE_MAX / 2)
        run_out(arena);
    size = round_up(size ? size : 1);
    char *memory;
    if (size > arena->left && size > FZ_CHUNK_SIZE / 4) {
        memory = chunk_add(arena, size); /* a chunk of its own; the current one stays in use */
    } else {
        if (size > arena->left) {
            arena->free = chunk_add(arena, FZ_CHUNK_SIZE);
            arena->left = FZ_CHUNK_SIZE;
        }
        memory = arena->free;
        arena->free += size;
        arena->left -= size;
    }
    return memset(memory, 0, size);
}

void *fzi_arena_copy(fzi_arena *arena, const void *from, size_t size)
{
    void *memory = fzi_arena_alloc(arena, size);
    if (size)
        memcpy(memory, from, size);
    return memory;
}

char *fzi_arena_vprintf(fzi_arena *arena, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    size_t size = length < 0 ? 1 : (size_t)length + 1;
    char *text = fzi_arena_alloc(arena, size);
    if (length > 0)
        vsnprintf(text, size, format, again);
    va_end(again);
    return text;
}

char *fzi_arena_printf(fzi_arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = fzi_arena_vprintf(arena, format, args);
    va_end(args);
    return text;
}

static name_slot *name_find(name_slot *names, size_t capacity, const char *text, size_t length,
                            uint32_t hash)
{
    size_t i = hash & (capacity - 1);
    while (names[i].text && (names[i].hash != hash || names[i].length != length ||
                             memcmp(names[i].text, text, length) != 0))
        i = (i + 1) & (capacity - 1);
    return &names[i];
}

static void names_grow(fzi_arena *arena)
{
    size_t capacity = arena->name_capacity ? 2 * arena->name_capacity : FZ_FIRST_NAMES;
    name_slot *names = fzi_arena_alloc(arena, capacity * sizeof *names);
    for (size_t i = 0; i < arena->name_capacity; i++) {
        name_slot *old = &arena->names[i];
        if (old->text)
            *name_find(names, capacity, old->text, old->length, old->hash) = *old;
    }
    arena->names = names;
    arena->name_capacity = capacity;
}

const char *fzi_intern(fzi_arena *arena, const char *text, size_t length)
{
    if (length > UINT32_MAX - 1)
        run_out(arena);
    if (4 * (arena->name_count + 1) > 3 * arena->name_capacity)
        names_grow(arena);
    uint32_t hash = (uint32_t)fzi_text_hash(text, length, FZI_HASH_START);
    name_slot *slot = name_find(arena->names, arena->name_capacity, text, length, hash);
    if (!slot->text) {
        char *copy = fzi_arena_alloc(arena, length + 1);
        memcpy(copy, text, length);
        slot->text = copy;
        slot->length = (uint32_t)length;
        slot->hash = hash;
        arena->name_count++;
    }
    return slot->text;
}

const char *fzi_intern_z(fzi_arena *arena, const char *text)
{
    return fzi_intern(arena, text, strlen(text));
}

void *fzi_arena_grow(fzi_arena *arena, void *items, size_t count, size_t *capacity,
                     size_t item_size)
{
    if (count < *capacity)
        return items;
    size_t wanted = *capacity ? 2 * *capacity : 8;
    while (wanted <= count)
        wanted *= 2;
    if (wanted > SIZE_MAX / 2 / item_size)
        run_out(arena);
    void *grown = fzi_arena_alloc(arena, wanted * item_size);
    if (*capacity)
        memcpy(grown, items, (count < *capacity ? count : *capacity) * item_size);
    *capacity = wanted;
    return grown;
}

/* ---- texts ---- */

void fzi_grow(fzi_arena *arena, fzi_growing *g, const char *text, size_t length)
{
    if (g->capacity - g->length <= length) {
        size_t capacity = 2 * g->capacity + length + 64;
        char *text_now = fzi_arena_alloc(arena, capacity);
        if (g->length)
            memcpy(text_now, g->text, g->length);
        g->text = text_now;
        g->capacity = capacity;
    }
    memcpy(g->text + g->length, text, length);
    g->length += length;
    g->text[g->length] = '\0';
}

void fzi_grow_z(fzi_arena *arena, fzi_growing *g, const char *text)
{
    fzi_grow(arena, g, text, strlen(text));
}
