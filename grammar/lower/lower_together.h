/* `together`: decisions that are made before the effects of any of them run. */
#ifndef FZ_GRAMMAR_LOWER_LOWER_TOGETHER_H
#define FZ_GRAMMAR_LOWER_LOWER_TOGETHER_H

#include "gathering.h"

void fzi_lower_together(fzi_codegen *e, fzi_view view, const fzi_node *stmt);
/* Generates what runs when a move of the leaf is chosen: it is stored. */
void fzi_gen_sealed(fzi_gather *g, const fzi_leaf *leaf, fzi_label *after);

#endif
