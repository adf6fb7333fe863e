/* How often each number of any size occurred. Memory is bounded: when the numbers lie far apart,
 * neighbours share a bin. The bins depend on the numbers only, not on their order, so parts can be
 * added. */
#ifndef FZ_INTERP_MEASURES_HISTOGRAM_H
#define FZ_INTERP_MEASURES_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "interp/ferz_tools.h"

enum { FZI_BINS = 1 << 12 };

/* All zero: empty. Bin i has the numbers from (first + i) * width on, `width` of them. */
typedef struct fzi_histogram {
    int64_t width;            /* 1, 10, 100 and so on; 0: no number yet */
    int64_t first;
    size_t count;             /* of bins, from the least to the greatest number */
    uint64_t bins[FZI_BINS];
} fzi_histogram;

void fzi_histogram_add(fzi_histogram *histogram, int64_t number, uint64_t times);
void fzi_histogram_merge(fzi_histogram *into, const fzi_histogram *from);
/* Adds the payoffs of a game that did not fail to the histograms of the players; none if `limit`
 * stopped it. */
void fzi_histogram_add_payoffs(fzi_histogram *by_player, const fz_program *program,
                               const fz_game_row *row);

#endif
