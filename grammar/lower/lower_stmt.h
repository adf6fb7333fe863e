/* Statements and functions → code. */
#ifndef FZ_GRAMMAR_LOWER_LOWER_STMT_H
#define FZ_GRAMMAR_LOWER_LOWER_STMT_H

#include "codegen.h"
#include "elaborate.h"

/* Generates a statement; returns the view of what follows it. `tail`: nothing of the function
 * follows. */
fzi_view fzi_lower_stmt(fzi_codegen *e, fzi_view view, const fzi_node *stmt, bool tail);
void fzi_lower_go(fzi_codegen *e, fzi_view view, unsigned from, unsigned to);
/* The function of an EXTERN, a PROC, a recursive FN, or a FN with a block. */
uint32_t fzi_lower_function(fzi_lower *lw, fzi_symbol *symbol);
/* Generates a function of a statement, with the parameter `me` and, if `site` is not NULL, a
 * site. */
void fzi_lower_block(fzi_lower *lw, uint32_t function, const fzi_node *stmt, fzi_symbol *site);
void fzi_lower_end_function(fzi_codegen *e);
/* Must a value of type `have` be checked at run time before it is stored as a `want`? */
bool fzi_needs_check(const fzi_type *want, const fzi_type *have);

#endif
