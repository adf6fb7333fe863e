/* Pieces on sites: `put`, `give`, `remove`, `capture`, and primitives that move → code. */
#ifndef FZ_GRAMMAR_LOWER_LOWER_PLACE_H
#define FZ_GRAMMAR_LOWER_LOWER_PLACE_H

#include "codegen.h"
#include "elaborate.h"

/* PUT, GIVE, REMOVE or CAPTURE. */
void fzi_lower_place(fzi_codegen *e, fzi_view view, const fzi_node *stmt);
/* A call of go, swap, become, stack, tuck or pull. */
void fzi_lower_primitive_call(fzi_codegen *e, fzi_view view, const fzi_node *stmt);
/* Moves from the site in one register to that in the other, and captures what stands there. */
void fzi_lower_go(fzi_codegen *e, fzi_view view, unsigned from, unsigned to);

#endif
