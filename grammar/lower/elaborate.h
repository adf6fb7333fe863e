/* Shared by the files that make IR of expressions. */
#ifndef FZ_GRAMMAR_LOWER_ELABORATE_H
#define FZ_GRAMMAR_LOWER_ELABORATE_H

#include "lower.h"

const fzi_ir *fzi_expr_let(fzi_lower *lw, fzi_view view, fzi_symbol *let, const fzi_ir **indexes);
const fzi_ir *fzi_expr_index(fzi_lower *lw, fzi_view view, const fzi_node *node);
const fzi_ir *fzi_expr_call(fzi_lower *lw, fzi_view view, const fzi_node *node);
const fzi_ir *fzi_expr_primitive(fzi_lower *lw, fzi_view view, const fzi_node *node);
/* Reports what lowering cannot do, once, and gives a value to go on with. */
const fzi_ir *fzi_expr_bug(fzi_lower *lw, const fzi_node *node, const char *what);

#endif
