/* Rewriting that makes more expressions fit for constant tables (constant_tables.h). */
#ifndef FZ_GRAMMAR_LOWER_UNROLL_H
#define FZ_GRAMMAR_LOWER_UNROLL_H

#include "lower.h"

/* Names the operand that depends on the state and has few values, so that the operation becomes a
 * table of these values. Returns `ir` itself if there is no such operand. */
const fzi_ir *fzi_tabulate_named(fzi_lower *lw, const fzi_ir *ir);
/* Inlines a `let` where that makes better tables of its body. */
const fzi_ir *fzi_tabulate_let(fzi_lower *lw, const fzi_ir *ir);
/* Unrolls an aggregate over few constant members; else returns `looped`, its loop. */
const fzi_ir *fzi_unrolled(fzi_lower *lw, const fzi_ir *ir, const fzi_ir *looped);

#endif
