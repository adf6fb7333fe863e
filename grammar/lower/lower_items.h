/* Programs for coverage: which plain items of a piece a move is of. */
#ifndef FZ_GRAMMAR_LOWER_LOWER_ITEMS_H
#define FZ_GRAMMAR_LOWER_LOWER_ITEMS_H

#include "gathering.h"

/* For the options of a choice that several items share: a row of program.items for each item. The
 * options have their numbers. */
void fzi_tell_items_apart(fzi_gather *g);

#endif
