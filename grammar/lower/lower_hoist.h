/* Hoisting of sets in gathering. */
#ifndef FZ_GRAMMAR_LOWER_LOWER_HOIST_H
#define FZ_GRAMMAR_LOWER_LOWER_HOIST_H

#include "gathering.h"

/* The same value, with its sets that depend neither on `x` (may be NULL) nor on a binding computed
 * once, into registers; sets that are there already are not computed again. */
const fzi_ir *fzi_share(fzi_gather *g, const fzi_ir *ir, const fzi_local *x);

#endif
