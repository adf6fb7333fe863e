/* A text that grows. What it cannot take for want of memory is dropped and remembered in `failed`,
 * so that writers check once, at the end. */
#ifndef FZ_INTERP_SUPPORT_BUFFER_H
#define FZ_INTERP_SUPPORT_BUFFER_H

#include "context.h"

typedef struct fzi_buffer {
    fzi_allocator allocator;
    char *data;           /* NUL-terminated once something was added; NULL before */
    size_t length, capacity;
    bool failed;
} fzi_buffer;

static inline fzi_buffer fzi_buffer_in(fzi_allocator allocator)
{
    return (fzi_buffer){.allocator = allocator};
}

void fzi_buffer_add(fzi_buffer *buffer, const void *bytes, size_t length);
void fzi_buffer_text(fzi_buffer *buffer, const char *text);
void fzi_buffer_char(fzi_buffer *buffer, char c);
void fzi_buffer_repeat(fzi_buffer *buffer, char c, size_t count);
void fzi_buffer_format(fzi_buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds a field of CSV, in quotes if it must be. */
void fzi_buffer_csv(fzi_buffer *buffer, const char *text);
/* Adds JSON. The format has brackets, keys, and a letter for each value: `{name:s, sites:[i, i]}`.
 * s: a text, NULL is null; invalid UTF-8 becomes U+FFFD. p: bytes and their number (size_t).
 * i, u, I, U: int, unsigned, int64_t, uint64_t. b: bool. r6: a double with at most 6 decimals; null
 * if not finite. j: a text of JSON. n: null. One value may take several calls, with other texts
 * between: a comma is added unless the text so far ends in an opening bracket or a blank. */
void fzi_buffer_json(fzi_buffer *buffer, const char *format, ...);

/* "" before anything was added. */
const char *fzi_buffer_get(const fzi_buffer *buffer);
/* Takes blanks at the end of the last line away. */
void fzi_buffer_trim(fzi_buffer *buffer);
void fzi_buffer_clear(fzi_buffer *buffer); /* empties, keeps the memory */
void fzi_buffer_free(fzi_buffer *buffer);
/* Hands the text over, to be freed with fz_text_free; FZ_NO_MEMORY when something was dropped. */
fz_status fzi_buffer_finish(fzi_buffer *buffer, char **text);

#endif
