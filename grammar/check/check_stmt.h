/* Statements. */
#ifndef FZ_GRAMMAR_CHECK_CHECK_STMT_H
#define FZ_GRAMMAR_CHECK_CHECK_STMT_H

#include "checker.h"

void fzi_check_stmt(fzi_checker *c, fzi_node *node);
/* The BOUNDs of a `let`. `values`: their values may call procedures. */
void fzi_check_bounds(fzi_checker *c, fzi_node *list, bool values);
/* Can control reach what follows the statement? */
bool fzi_goes_on(const fzi_checker *c, const fzi_node *stmt);

#endif
