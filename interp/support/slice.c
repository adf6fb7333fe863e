/* Parts of texts. See slice.h. */
#include "slice.h"

#include <ctype.h>
#include <string.h>

bool fzi_slice_is(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && memcmp(name, text, length) == 0;
}

void fzi_slice_strip(const char **text, size_t *length)
{
    while (*length && isspace((unsigned char)**text)) {
        (*text)++;
        (*length)--;
    }
    while (*length && isspace((unsigned char)(*text)[*length - 1]))
        (*length)--;
}

bool fzi_slice_next(const char **text, size_t *length, char between, const char **item,
                    size_t *item_length)
{
    const char *found;

    if (*length == 0)
        return false;
    found = memchr(*text, between, *length);
    *item = *text;
    *item_length = found ? (size_t)(found - *text) : *length;
    *text += *item_length + (found != NULL);
    *length -= *item_length + (found != NULL);
    fzi_slice_strip(item, item_length);
    return true;
}
