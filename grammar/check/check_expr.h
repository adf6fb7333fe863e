/* Expressions and their types. */
#ifndef FZ_GRAMMAR_CHECK_CHECK_EXPR_H
#define FZ_GRAMMAR_CHECK_CHECK_EXPR_H

#include "checker.h"

/* The type of an expression, never NULL. `want`, which may be NULL, is the expected type: it
 * resolves names and `{}`, but other types are accepted. */
const fzi_type *fzi_check_expr(fzi_checker *c, fzi_node *node, const fzi_type *want);
/* The same, and reports a value that does not fit `type`. */
const fzi_type *fzi_check_as(fzi_checker *c, fzi_node *node, const fzi_type *type);
/* The right side of a `let` or `=`, which may call a procedure. */
const fzi_type *fzi_check_value(fzi_checker *c, fzi_node *node, const fzi_type *type);
/* Reports a checked expression that does not fit `type`. */
bool fzi_insist(fzi_checker *c, fzi_node *node, const fzi_type *type);
/* A set of any element type; returns the element type. */
const fzi_type *fzi_check_set(fzi_checker *c, fzi_node *node, const fzi_type *want);
/* Binds a list of BINDERs. Each one is visible to those behind it. */
void fzi_check_binders(fzi_checker *c, fzi_node *list);

#endif
