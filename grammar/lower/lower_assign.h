/* Locals and assignments → code. */
#ifndef FZ_GRAMMAR_LOWER_LOWER_ASSIGN_H
#define FZ_GRAMMAR_LOWER_LOWER_ASSIGN_H

#include "codegen.h"
#include "elaborate.h"

void fzi_lower_assign(fzi_codegen *e, fzi_view view, const fzi_node *stmt);
/* A new local with the value; NULL: its type's default. Its registers stay in use to the end of
 * the block. */
fzi_view fzi_declare_local(fzi_codegen *e, fzi_view view, fzi_symbol *symbol,
                           const fzi_node *value);
/* Must a value of type `have` be checked at run time before it is stored as a `want`? */
bool fzi_needs_check(const fzi_type *want, const fzi_type *have);

#endif
