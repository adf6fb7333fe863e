/* Conditions of options in explaining programs. */
#ifndef FZ_GRAMMAR_LOWER_LOWER_CONDITION_H
#define FZ_GRAMMAR_LOWER_LOWER_CONDITION_H

#include "gathering.h"

/* Adds the conjuncts of an `if` as filters. False: the program does not explain, or there are too
 * many of them. */
bool fzi_way_condition(fzi_gather *g, fzi_way *way, const fzi_node *condition);
/* The closers of a leaf with the conditions on its way further in, the first innermost. */
const fzi_closer *fzi_with_conditions(fzi_gather *g, const fzi_way *way);

#endif
