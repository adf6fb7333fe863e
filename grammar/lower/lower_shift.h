/* Shapes: a set that depends on a site x, as steps that shift whole sets. Step i leads from each
 * site of `valid` to the site `delta` further. */
#ifndef FZ_GRAMMAR_LOWER_LOWER_SHIFT_H
#define FZ_GRAMMAR_LOWER_LOWER_SHIFT_H

#include "lower.h"

typedef struct fzi_shifts {
    const fzi_ir *base; /* IR of a number below `bases`: which of the shapes applies */
    unsigned bases;
    unsigned count[FZ_MAX_PLAYERS];
    int32_t delta[FZ_MAX_PLAYERS][FZ_SHAPE_STEPS];
    uint64_t *valid;       /* [base][step][word] */
    const fzi_ir *sources; /* x must be one of these as well; NULL: any site */
} fzi_shifts;

/* False if the set has no shape. */
bool fzi_shape_of(fzi_lower *lw, const fzi_ir *ir, const fzi_local *x, fzi_shifts *shape);
/* The same for {site}, where the site is the entry of a table for x. */
bool fzi_shape_of_entry(fzi_lower *lw, const fzi_ir *ir, const fzi_local *x, fzi_shifts *shape);
/* The largest number of steps of a base. */
unsigned fzi_shape_most(const fzi_shifts *shape);
void fzi_shape_tables(fzi_lower *lw, const fzi_shifts *shape, uint32_t *deltas, uint32_t *valid);
/* The sites from which a step leads into a set, whatever `sources` says. */
const fzi_ir *fzi_shape_back(fzi_lower *lw, const fzi_shifts *shape, const fzi_ir *into);

#endif
