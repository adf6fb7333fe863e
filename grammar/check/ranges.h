/* Bounds of numbers, and conditions that they decide. */
#ifndef FZ_GRAMMAR_CHECK_RANGES_H
#define FZ_GRAMMAR_CHECK_RANGES_H

#include "checker.h"

typedef struct fzi_bounds {
    int64_t low, high;
} fzi_bounds;

/* The least and the greatest value that the number can have, whatever the options of the game are.
 * `in_turn`: in the body of `turn`, `end` or `limit`. */
fzi_bounds fzi_bounds_of(const fzi_checker *c, const fzi_node *node, bool in_turn);
/* Warns if the comparison has always the same answer. */
void fzi_check_comparison(fzi_checker *c, const fzi_node *node, bool in_turn);

#endif
