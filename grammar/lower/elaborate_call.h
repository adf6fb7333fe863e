/* Elaboration of calls of functions, properties and parts of names. */
#ifndef FZ_GRAMMAR_LOWER_ELABORATE_CALL_H
#define FZ_GRAMMAR_LOWER_ELABORATE_CALL_H

#include "elaborate.h"

const fzi_ir *fzi_expr_call(fzi_lower *lw, fzi_view view, const fzi_node *node);
/* A call of a function of the prelude, by name; `argument` is NULL if it has none. */
const fzi_ir *fzi_prelude(fzi_lower *lw, fzi_view view, const char *name, const fzi_ir *argument);

#endif
