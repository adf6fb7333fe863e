/* Sets of sites that are always empty. */
#ifndef FZ_GRAMMAR_CHECK_EMPTY_SETS_H
#define FZ_GRAMMAR_CHECK_EMPTY_SETS_H

#include "checker.h"

/* Is the set of sites empty in every position? Proved, not guessed. */
bool fzi_is_empty_set(const fzi_checker *c, const fzi_node *set);
/* Are all sites of the set empty in every position? */
bool fzi_only_empty(const fzi_checker *c, const fzi_node *set);
/* Warns about an intersection or difference that is always empty. */
void fzi_check_intersection(fzi_checker *c, const fzi_node *node);
/* Warns about an item of a piece whose set has no possible target. */
void fzi_check_targets(fzi_checker *c, const fzi_node *item);

#endif
