/* Gathering of two nested loops as one instruction: EMIT_ROWS, EMIT_SHIFTS, EMIT_SLIDES. */
#ifndef FZ_GRAMMAR_LOWER_LOWER_EMIT_H
#define FZ_GRAMMAR_LOWER_LOWER_EMIT_H

#include "gathering.h"

/* Gathers "for x in from, y in to": one instruction, or the loop. `x_reg` is x's register. */
void fzi_gather_two(fzi_gather *g, fzi_leaf *leaf, fzi_local *x, const fzi_ir *from, unsigned x_reg,
                    const fzi_ir *to);
/* The members x of `from` for which the set can have members; a superset of them is right too. */
const fzi_ir *fzi_narrowed(fzi_lower *lw, const fzi_ir *from, const fzi_ir *set,
                           const fzi_local *x);

#endif
