/* Texts that grow in an arena. Called by diagnostics.c and flatten_print.c, among others. */
#include "arena.h"

#include <string.h>

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
