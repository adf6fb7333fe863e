/* Warnings about code that says the same twice, or nothing. */
#ifndef FZ_GRAMMAR_CHECK_DUPLICATE_CONDITIONS_H
#define FZ_GRAMMAR_CHECK_DUPLICATE_CONDITIONS_H

#include "checker.h"

/* Do two expressions, statements or options of one place say the same, without chance? */
bool fzi_same_code(const fzi_node *a, const fzi_node *b);
/* What a `let` without parameters stands for, as far as names lead. */
const fzi_node *fzi_condition_meaning(const fzi_node *node);
/* Warns about the node itself; its children are visited by the caller. */
void fzi_check_sameness(fzi_checker *c, fzi_node *node);

#endif
