/* Tables of lines: the sites that a row of n sites through a site can include. */
#ifndef FZ_GRAMMAR_LOWER_LOWER_LINE_H
#define FZ_GRAMMAR_LOWER_LOWER_LINE_H

#include "lower.h"

/* The table of LINE_AT_GIVEN; false if the board has no lines for which it would be faster. */
bool fzi_line_windows(fzi_lower *lw, int64_t n, uint64_t dirs, uint32_t *table);

#endif
