/* Functions, calls and returns → code. */
#ifndef FZ_GRAMMAR_LOWER_LOWER_FUNCTION_H
#define FZ_GRAMMAR_LOWER_LOWER_FUNCTION_H

#include "codegen.h"
#include "elaborate.h"

/* The function of an EXTERN, a PROC, a recursive FN, or a FN with a block. */
uint32_t fzi_lower_function(fzi_lower *lw, fzi_symbol *symbol);
/* Generates a function of a statement, with the parameter `me` and, if `site` is not NULL, a
 * site. */
void fzi_lower_block(fzi_lower *lw, uint32_t function, const fzi_node *stmt, fzi_symbol *site);
void fzi_lower_end_function(fzi_codegen *e);

/* The statements. `tail`: nothing of the function follows. */
void fzi_lower_call(fzi_codegen *e, fzi_view view, const fzi_node *stmt, bool tail);
void fzi_lower_return(fzi_codegen *e, fzi_view view, const fzi_node *stmt);

#endif
