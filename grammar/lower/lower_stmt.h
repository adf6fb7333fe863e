/* Statements → code. */
#ifndef FZ_GRAMMAR_LOWER_LOWER_STMT_H
#define FZ_GRAMMAR_LOWER_LOWER_STMT_H

#include "codegen.h"
#include "elaborate.h"

/* Generates a statement; returns the view of what follows it. `tail`: nothing of the function
 * follows. */
fzi_view fzi_lower_stmt(fzi_codegen *e, fzi_view view, const fzi_node *stmt, bool tail);

/* The register of an expression's value: a number, or a set of sites. */
unsigned fzi_int_value(fzi_codegen *e, fzi_view view, const fzi_node *node);
unsigned fzi_set_value(fzi_codegen *e, fzi_view view, const fzi_node *node);

#endif
