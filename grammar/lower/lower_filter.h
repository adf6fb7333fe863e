/* Filters of choices and generators: `ensuring` and `keeping`. */
#ifndef FZ_GRAMMAR_LOWER_LOWER_FILTER_H
#define FZ_GRAMMAR_LOWER_LOWER_FILTER_H

#include "gathering.h"

/* Adds the filters of a choice (`own`) or of a generator. */
fzi_way fzi_way_filters(fzi_gather *g, fzi_way way, const fzi_node *filters, bool own);
/* The expressions whose values a filter's FILTER_END reads: the condition, or the list of keys. */
const fzi_node *fzi_filter_values(const fzi_node *filter);
/* The closer of the `keeping` among a declaration's filters; NULL. */
const fzi_closer *fzi_keeping_of(const fzi_closer *closers, const fzi_node *filters);
/* Stores in the program which filters are the choice's own. */
void fzi_own_filters(fzi_gather *g, const fzi_closer *closers);
/* Behind an instruction that lists moves: ends a question as soon as one of them answers it. */
void fzi_gather_ask(fzi_gather *g, const fzi_leaf *leaf);

#endif
