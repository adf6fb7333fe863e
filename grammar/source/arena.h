/* The memory of one compile. Tree, names, types and diagnostics live in one arena and are freed
 * together, so no pass frees anything. When memory runs out, the arena longjmps to its owner's
 * handler. */
#ifndef FZ_GRAMMAR_SOURCE_ARENA_H
#define FZ_GRAMMAR_SOURCE_ARENA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "interp/support/cancel.h"

typedef struct fzi_arena fzi_arena;

/* The caller's allocator: like realloc, but frees if `size` is 0. */
typedef void *fzi_realloc_fn(void *user, void *ptr, size_t size);

/* NULL if there is no memory. `limit` is the greatest number of bytes in all; 0: no limit. */
fzi_arena *fzi_arena_new(fzi_realloc_fn *resize, void *user, size_t limit);
/* An arena for what is freed soon. It runs out of memory as its parent does, and is freed with it
 * at the latest. An arena has one child at a time. */
fzi_arena *fzi_arena_child(fzi_arena *arena);
/* How many bytes it has from its allocator. */
size_t fzi_arena_taken(const fzi_arena *arena);
/* A cancelled arena has no more memory: it is asked at each new chunk. */
void fzi_arena_cancel(fzi_arena *arena, const fz_cancel *cancel);
void fzi_arena_free(fzi_arena *arena);

/* The target of the longjmp when memory runs out or the limit is reached. Set it (setjmp) before
 * the first allocation. */
jmp_buf *fzi_arena_handler(fzi_arena *arena);

/* Zeroed memory, aligned for any type; never NULL. */
/* Has the last request failed because the arena's limit was reached? */
bool fzi_arena_is_full(const fzi_arena *arena);
void *fzi_arena_alloc(fzi_arena *arena, size_t size);
void *fzi_arena_copy(fzi_arena *arena, const void *from, size_t size);
char *fzi_arena_printf(fzi_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
char *fzi_arena_vprintf(fzi_arena *arena, const char *format, va_list args);

/* Interns a name: equal names are equal pointers. */
const char *fzi_intern(fzi_arena *arena, const char *text, size_t length);
const char *fzi_intern_z(fzi_arena *arena, const char *text);

#define FZI_NEW(arena, type) ((type *)fzi_arena_alloc((arena), sizeof(type)))

/* Grows an array in the arena: the result has room for at least `count + 1` items of `item_size`.
 * The arena keeps the old block. */
void *fzi_arena_grow(fzi_arena *arena, void *items, size_t count, size_t *capacity,
                     size_t item_size);
/* The place of one more item, at the end of the array. */
#define FZI_MORE(arena, items, count, capacity)                                                    \
    ((items) = fzi_arena_grow(arena, items, count, &(capacity), sizeof *(items)),                  \
     &(items)[(count)++])

/* ---- texts that grow in an arena ---- */

/* All zero: an empty text, whose `text` is NULL until something is added. Otherwise it ends in a
 * NUL. */
typedef struct fzi_growing {
    char *text;
    size_t length, capacity;
} fzi_growing;

void fzi_grow(fzi_arena *arena, fzi_growing *g, const char *text, size_t length);
void fzi_grow_z(fzi_arena *arena, fzi_growing *g, const char *text);

#endif
