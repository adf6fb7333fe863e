/* Diagrams: drawings of the whole board. */
#ifndef FZ_GRAMMAR_LOWER_LOWER_DIAGRAM_H
#define FZ_GRAMMAR_LOWER_LOWER_DIAGRAM_H

#include "codegen.h"
#include "elaborate.h"

/* Generates statements that set up the board as the diagram shows it. `signs`: list of SIGN. */
void fzi_lower_diagram(fzi_codegen *e, fzi_view view, const char *text, const fzi_node *signs,
                       fzi_span span);
/* Reports a wrong number of cells in a diagram that is read when a test runs; `span`: of the
 * string. */
void fzi_check_diagram_size(fzi_lower *lw, const char *text, fzi_span span);

#endif
