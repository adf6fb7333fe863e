/* Errors of operands, with what to write instead. */
#ifndef FZ_GRAMMAR_CHECK_OPERAND_HINTS_H
#define FZ_GRAMMAR_CHECK_OPERAND_HINTS_H

#include "checker.h"

/* Reports operands whose types do not fit; poison. `want`: the type that the whole should have, or
 * NULL. */
const fzi_type *fzi_wrong_operands(fzi_checker *c, const fzi_node *node, const fzi_type *want);
/* Adds what to write where the two sides cannot be compared. */
void fzi_hint_compared(fzi_checker *c, fzi_diag *diag, const fzi_node *node);
/* Names the nothing of `type` where the node is another one of `none`, `nobody` and `off`. */
void fzi_hint_nothing(fzi_checker *c, fzi_diag *diag, const fzi_node *node, const fzi_type *type);

#endif
