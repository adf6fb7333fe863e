/* Figures of two samples of games side by side, with what their differences are worth. */
#ifndef FZ_INTERP_LAB_COMPARISONS_H
#define FZ_INTERP_LAB_COMPARISONS_H

#include <jansson.h>
#include "ferz_tools.h"
#include "interp/support/context.h"

enum { FZI_CONTRAST_NAME = 128, FZI_MOST_CONTRASTS = 36 };

typedef struct fzi_contrast {
    char name[FZI_CONTRAST_NAME];
    const char *unit;
    double one, other, low, high; /* low, high: 95 % interval of other - one */
    double p;                     /* of no difference; after fzi_contrasts_adjust of the family */
    const void *of[2];            /* whose figures they are, for the caller */
} fzi_contrast;

/* One of the samples. */
typedef struct fzi_contrast_side {
    const fz_tally *tally;
    const fz_program *program;   /* for the names of players; NULL: `experiment` has them */
    const json_t *experiment;
} fzi_contrast_side;

/* Wins of each seat, draws, length, ... into `figures`; returns how many. */
size_t fzi_contrasts_make(const fzi_contrast_side *one, const fzi_contrast_side *other,
                        fzi_contrast figures[FZI_MOST_CONTRASTS]);
/* Of estimates that do not depend on each other, with their standard errors. */
fzi_contrast fzi_contrast_of(const char *name, const char *unit, double one, double error,
                         double other, double other_error);
/* Holm's adjustment of the p values of all figures: one family. False: memory is short. */
bool fzi_contrasts_adjust(fzi_contrast *figures, size_t count, fzi_allocator allocator);
/* Is there a difference, at the level of 5 % for the family? */
static inline bool fzi_contrast_differs(const fzi_contrast *figure)
{
    return figure->p < 0.05;
}

#endif
