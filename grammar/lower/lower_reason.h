/* What `why` walks in explaining programs: expressions as trees, with a function for each value. */
#ifndef FZ_GRAMMAR_LOWER_LOWER_REASON_H
#define FZ_GRAMMAR_LOWER_LOWER_REASON_H

#include "gathering.h"

/* Of a piece's item: what stands on a target. */
enum { FZI_ONTO_ANY, FZI_ONTO_MOVE, FZI_ONTO_CAPTURE };

/* Notes from where the newest binding of the way takes its values: a set of sites. */
void fzi_way_domain(fzi_way *way, fzi_view view, const fzi_node *domain, unsigned onto,
                    unsigned kind);
/* The reasons of a leaf's bindings, conditions and filters; its option has its number. */
void fzi_reasons_of_leaf(fzi_gather *g, const fzi_leaf *leaf);

#endif
