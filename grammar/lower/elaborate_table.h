/* Elaboration of tables, `let`s and variables. */
#ifndef FZ_GRAMMAR_LOWER_ELABORATE_TABLE_H
#define FZ_GRAMMAR_LOWER_ELABORATE_TABLE_H

#include "elaborate.h"

const fzi_ir *fzi_expr_index(fzi_lower *lw, fzi_view view, const fzi_node *node);
/* The value of a `let` for these indexes. */
const fzi_ir *fzi_expr_let(fzi_lower *lw, fzi_view view, fzi_symbol *let, const fzi_ir **indexes);
/* The position of a variable's element in its array. */
const fzi_ir *fzi_variable_index(fzi_lower *lw, fzi_view view, const fzi_symbol *symbol,
                                 const fzi_node *indexes);

#endif
