/* A text that grows in an arena. */
#ifndef FZ_GRAMMAR_SOURCE_GROWING_H
#define FZ_GRAMMAR_SOURCE_GROWING_H

#include "arena.h"

/* All zero: an empty text, whose `text` is NULL until something is added. Otherwise it ends in a
 * NUL. */
typedef struct fzi_growing {
    char *text;
    size_t length, capacity;
} fzi_growing;

void fzi_grow(fzi_arena *arena, fzi_growing *g, const char *text, size_t length);
void fzi_grow_z(fzi_arena *arena, fzi_growing *g, const char *text);

#endif
