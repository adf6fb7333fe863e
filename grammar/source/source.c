/* Source texts, and the lines and columns of places in them. */
#include "source.h"

#include <assert.h>
#include <string.h>

#include "interp/support/text.h"

void fzi_sources_init(fzi_sources *sources, fzi_arena *arena)
{
    *sources = (fzi_sources){.arena = arena, .count = 1};
    sources->items = fzi_arena_grow(arena, NULL, 1, &sources->capacity, sizeof *sources->items);
}

static void find_lines(fzi_source *source, fzi_arena *arena)
{
    uint32_t count = 1;
    for (size_t i = 0; i < source->length; i++)
        count += source->text[i] == '\n';
    uint32_t *starts = fzi_arena_alloc(arena, count * sizeof *starts);
    uint32_t line = 1;
    for (size_t i = 0; i < source->length; i++)
        if (source->text[i] == '\n')
            starts[line++] = (uint32_t)i + 1;
    source->line_starts = starts;
    source->line_count = count;
}

uint32_t fzi_sources_add(fzi_sources *sources, const char *path, const char *text, size_t length)
{
    fzi_arena *arena = sources->arena;
    fzi_source *source = FZI_NEW(arena, fzi_source);
    source->path = fzi_arena_copy(arena, path, strlen(path) + 1);
    char *copy = fzi_arena_alloc(arena, length + 1);
    if (length)
        memcpy(copy, text, length);
    source->text = copy;
    source->length = length;
    find_lines(source, arena);
    *FZI_MORE(arena, sources->items, sources->count, sources->capacity) = source;
    return (uint32_t)sources->count - 1;
}

const fzi_source *fzi_source_at(const fzi_sources *sources, uint32_t index)
{
    return index > 0 && index < sources->count ? sources->items[index] : NULL;
}

const char *fzi_source_text(const fzi_sources *sources, fzi_span span)
{
    return fzi_arena_printf(sources->arena, "%.*s", (int)(span.end - span.start),
                            fzi_source_at(sources, span.source)->text + span.start);
}

/* The number of the line, from 0, that holds `offset`. */
static uint32_t line_of(const fzi_source *source, uint32_t offset)
{
    uint32_t low = 0, high = source->line_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (source->line_starts[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

fzi_place fzi_source_place(const fzi_source *source, uint32_t offset)
{
    if (offset > source->length)
        offset = (uint32_t)source->length;
    uint32_t line = line_of(source, offset);
    uint32_t column = 1;
    for (uint32_t i = source->line_starts[line]; i < offset; i++)
        column += !fzi_utf8_continues(source->text[i]);
    return (fzi_place){line + 1, column};
}

const char *fzi_source_line(const fzi_source *source, uint32_t line, size_t *length)
{
    assert(line >= 1);
    if (line > source->line_count)
        line = source->line_count;
    const char *start = source->text + source->line_starts[line - 1];
    const char *end = line < source->line_count ? source->text + source->line_starts[line] - 1
                                                : source->text + source->length;
    if (end > start && end[-1] == '\r')
        end--;
    *length = (size_t)(end - start);
    return start;
}
