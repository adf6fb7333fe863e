/* Parts of texts: text[0 .. length), without a NUL behind. */
#ifndef FZ_INTERP_SUPPORT_SLICE_H
#define FZ_INTERP_SUPPORT_SLICE_H

#include <stdbool.h>
#include <stddef.h>

bool fzi_slice_is(const char *name, const char *text, size_t length);
/* Takes the white space at both ends off. */
void fzi_slice_strip(const char **text, size_t *length);
/* Takes the next item of a list separated by `between`; false at the end. */
bool fzi_slice_next(const char **text, size_t *length, char between, const char **item,
                    size_t *item_length);

#endif
