/* The code of leaves: effects, texts, and the conditions of filters. */
#ifndef FZ_GRAMMAR_LOWER_LOWER_EFFECT_H
#define FZ_GRAMMAR_LOWER_LOWER_EFFECT_H

#include "gathering.h"

void fzi_lower_leaves(fzi_gather *g, fzi_label *after, bool tail, bool question);

#endif
