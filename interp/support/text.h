/* Small functions over texts that several rooms need: parts of a text without a NUL after them,
 * UTF-8, hashes. */
#ifndef FZ_INTERP_SUPPORT_TEXT_H
#define FZ_INTERP_SUPPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ---- slices: text[0 .. length) ---- */

bool fzi_slice_is(const char *name, const char *text, size_t length);
/* Drops the white space at both ends. */
void fzi_slice_strip(const char **text, size_t *length);
/* Takes the next item of a list separated by `between`; false at the end. */
bool fzi_slice_next(const char **text, size_t *length, char between, const char **item,
                    size_t *item_length);

/* ---- UTF-8 ---- */

/* The length in bytes of the character at `at`, of which `most` bytes may be read; 0: the bytes are
 * not valid UTF-8. */
size_t fzi_utf8_length(const char *at, size_t most);

/* A byte that continues a character: a text has one character for every other byte. */
static inline bool fzi_utf8_continues(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* How many letters must be changed, added, left out or, with `exchanges`, exchanged with their
 * neighbour to make one text of the other. Of texts over 60 bytes: the length of the longer one. */
unsigned fzi_letters_apart(const char *a, const char *b, bool exchanges);

/* True if the text has no digits, or only digits. */
static inline bool fzi_digits_alone(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    return !text[digits] || !text[strcspn(text, "0123456789")];
}

/* The columns that a text takes on a terminal. */
size_t fzi_text_width(const char *text);

/* ---- numbers ---- */

/* "s" for every number but 1. */
static inline const char *fzi_plural(uint64_t number)
{
    return number == 1 ? "" : "s";
}

/* "1,234,567" into `text` (32 bytes). */
const char *fzi_grouped(unsigned long long number, char *text);

/* ---- hashes ---- */

/* FNV-1a, to be continued with `hash`. Seeds and names of files depend on it. */
#define FZI_HASH_START UINT64_C(0xcbf29ce484222325)
static inline uint64_t fzi_text_hash(const char *text, size_t length, uint64_t hash)
{
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* ---- what a script begins with, after comments and `ferz 1;` ---- */

/* Is `library` the first word of the text? */
bool fzi_begins_library(const char *text, size_t length);
/* The same with `game`, `variant` or `library`. */
bool fzi_begins_script(const char *text, size_t length);

#endif
