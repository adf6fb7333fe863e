/* Elaboration of calls, tables, variables and primitives. */
#ifndef FZ_GRAMMAR_LOWER_ELABORATE_CALL_H
#define FZ_GRAMMAR_LOWER_ELABORATE_CALL_H

#include "elaborate.h"

const fzi_ir *fzi_expr_call(fzi_lower *lw, fzi_view view, const fzi_node *node);
const fzi_ir *fzi_expr_primitive(fzi_lower *lw, fzi_view view, const fzi_node *node);
const fzi_ir *fzi_expr_index(fzi_lower *lw, fzi_view view, const fzi_node *node);
/* The value of a `let` for these indexes. */
const fzi_ir *fzi_expr_let(fzi_lower *lw, fzi_view view, fzi_symbol *let, const fzi_ir **indexes);
/* A call of a function of the prelude, by name; `argument` is NULL if it has none. */
const fzi_ir *fzi_prelude(fzi_lower *lw, fzi_view view, const char *name, const fzi_ir *argument);
/* The position of a variable's element in its array. */
const fzi_ir *fzi_variable_index(fzi_lower *lw, fzi_view view, const fzi_symbol *symbol,
                                 const fzi_node *indexes);

#endif
