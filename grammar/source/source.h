/* The source texts of a compile, and places in them. A span is a range of bytes; lines and columns
 * are computed when a diagnostic is printed. */
#ifndef FZ_GRAMMAR_SOURCE_SOURCE_H
#define FZ_GRAMMAR_SOURCE_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "arena.h"

typedef struct fzi_span {
    uint32_t source; /* index into fzi_sources; 0: no place */
    uint32_t start;  /* bytes from the beginning of the text */
    uint32_t end;    /* one past the last byte */
} fzi_span;

typedef struct fzi_source {
    const char *path; /* as given by the user or found on the search path */
    const char *text; /* ends in a NUL, which `length` does not count */
    size_t length;
    const uint32_t *line_starts;
    uint32_t line_count;
} fzi_source;

typedef struct fzi_sources {
    fzi_arena *arena;
    fzi_source **items; /* items[0] is unused */
    size_t count;
    size_t capacity;
} fzi_sources;

typedef struct fzi_place {
    uint32_t line;   /* from 1 */
    uint32_t column; /* from 1, in characters (UTF-8 code points), not bytes */
} fzi_place;

void fzi_sources_init(fzi_sources *sources, fzi_arena *arena);

/* Adds a copy of the text; returns the new source's index. */
uint32_t fzi_sources_add(fzi_sources *sources, const char *path, const char *text, size_t length);
const fzi_source *fzi_source_at(const fzi_sources *sources, uint32_t index);
/* The text of a place, in the arena of the sources. */
const char *fzi_source_text(const fzi_sources *sources, fzi_span span);
fzi_place fzi_source_place(const fzi_source *source, uint32_t offset);

/* A line by its number, without the line break; `*length` is its length in bytes. */
const char *fzi_source_line(const fzi_source *source, uint32_t line, size_t *length);

static inline fzi_span fzi_span_join(fzi_span first, fzi_span last)
{
    first.end = last.end;
    return first;
}

#endif
