/* The expression of `print` in `ferz step`. */
#ifndef FZ_GRAMMAR_CHECK_CHECK_PRINT_H
#define FZ_GRAMMAR_CHECK_CHECK_PRINT_H

#include "checker.h"

/* Checks it before the statement at its place. */
void fzi_check_print_at(fzi_checker *c, const fzi_node *stmt);
/* Checks it in the scope of the game, unless that was done at a statement. */
void fzi_check_print(fzi_checker *c);

#endif
