/* The stops of programs for stepping. */
#ifndef FZ_GRAMMAR_LOWER_LOWER_STOP_H
#define FZ_GRAMMAR_LOWER_LOWER_STOP_H

#include "codegen.h"
#include "elaborate.h"

/* Marks the beginning of a statement, and computes the printed expression if it belongs there. */
void fzi_stop_at_statement(fzi_codegen *e, fzi_view view, const fzi_node *stmt);
/* Marks the beginning of an option's effect. */
void fzi_stop_at_option(fzi_codegen *e);
/* Generates the function of a printed expression that belongs to no statement. */
void fzi_lower_printed(fzi_lower *lw);

#endif
