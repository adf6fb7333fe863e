/* Elaboration of primitives. */
#ifndef FZ_GRAMMAR_LOWER_ELABORATE_PRIMITIVE_H
#define FZ_GRAMMAR_LOWER_ELABORATE_PRIMITIVE_H

#include "elaborate.h"

/* A name or a call of primitives.def. */
const fzi_ir *fzi_expr_primitive(fzi_lower *lw, fzi_view view, const fzi_node *node);

#endif
