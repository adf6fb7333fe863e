/* Constant folding and constant tables: the machine evaluates, at compile time, what does not
 * depend on the state. */
#ifndef FZ_GRAMMAR_ELABORATE_CONSTANT_TABLES_H
#define FZ_GRAMMAR_ELABORATE_CONSTANT_TABLES_H

#include "grammar/ir/lowering.h"

/* The same value, with a table for each part whose free locals have few values (fold.c). */
const fzi_ir *fzi_fold_to_table(fzi_lower *lw, const fzi_ir *ir);
/* The same value as one look-up, or as a constant; NULL: there is no table of it. */
const fzi_ir *fzi_constant_table(fzi_lower *lw, const fzi_ir *ir);
/* Evaluates a constant; false if it is not constant or cannot be evaluated. */
bool fzi_constant_int(fzi_lower *lw, const fzi_ir *ir, int64_t *value);
bool fzi_constant_set(fzi_lower *lw, const fzi_ir *ir, uint64_t *words);
/* Reports that `what` has no constant value, after one of these returned false: with `code`, or
 * with the reason why it could not be evaluated. */
void fzi_not_constant(fzi_lower *lw, fzi_span span, int code, const char *what);

#endif
