/* The code of leaves: effects, texts, and the conditions of filters. */
#ifndef FZ_GRAMMAR_LOWER_LOWER_EFFECT_H
#define FZ_GRAMMAR_LOWER_LOWER_EFFECT_H

#include "gathering.h"

void fzi_lower_leaves(fzi_gather *g, fzi_label *after, bool tail, bool question);

/* The effect of a leaf whose move was stored before (lower_together.c); goes on at `after`. */
void fzi_lower_effect(fzi_gather *g, fzi_leaf *leaf, fzi_label *after);

#endif
