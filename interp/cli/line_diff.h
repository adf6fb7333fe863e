/* Two texts, line by line. */
#ifndef FZ_CLI_LINE_DIFF_H
#define FZ_CLI_LINE_DIFF_H

#include <stdbool.h>
#include <stddef.h>

typedef struct fzi_diff_row {
    const char *left, *right; /* lines; NULL: there is none on this side */
    size_t left_length, right_length;
} fzi_diff_row;

/* The rows of two texts, with as many lines equal as possible; to be freed. A text may be NULL. */
fzi_diff_row *fzi_line_diff(const char *left, const char *right, size_t *count);

/* Prints the rows below each other, `-` before lines of the left text and `+` before those of the
 * right one. */
void fzi_line_diff_print(const fzi_diff_row *rows, size_t count, const char *indent, bool colour);
/* Prints the rows beside each other, in so many columns. */
void fzi_line_diff_beside(const fzi_diff_row *rows, size_t count, const char *indent, size_t width);

#endif
