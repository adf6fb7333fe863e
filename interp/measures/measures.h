/* Measures of many finished games: sums of whole numbers, so that they do not depend on the order
 * of the games, and sums of parts can be added. measures.def lists the measures, docs/measures.md
 * defines them. */
#ifndef FZ_INTERP_MEASURES_MEASURES_H
#define FZ_INTERP_MEASURES_MEASURES_H

#include "board_lines.h"
#include "interp/play/rating.h"
#include "interp/support/context.h"

enum {
#define MEASURE(id, name, shape, meaning) FZ_MEASURE_##id,
#include "measures.def"
    FZ_MEASURES
};
enum {
#define LIST(id, name, shape, meaning) FZ_LIST_##id,
#include "measures.def"
    FZ_LISTS
};
/* How often each number occurred. */
enum { FZ_COUNT_DECISIONS, FZ_COUNT_TURNS, FZ_COUNT_BRANCHING, FZ_COUNTS };

enum {
    FZ_MEASURE_UNIT = 1 << 20,
    FZ_MEASURED_TURNS = 500,  /* turns with a branching and prospects of their own */
    FZ_SKETCH = 1 << 12       /* registers of the sketch of positions */
};

__extension__ typedef __int128 fzi_exact;

/* Of two numbers a and b of each game: their sums, and those of their squares and product. */
typedef struct fzi_sum {
    uint64_t games;           /* that count */
    fzi_exact a, b, aa, ab, bb;
} fzi_sum;

typedef enum fzi_measure_shape {
    FZ_AS_SHARE, FZ_AS_MEAN, FZ_AS_RATIO, FZ_AS_PART
} fzi_measure_shape;

typedef struct fzi_measure_info {
    const char *name, *meaning;
    fzi_measure_shape shape;
} fzi_measure_info;
extern const fzi_measure_info fzi_measure_infos[FZ_MEASURES], fzi_list_infos[FZ_LISTS];

typedef struct fzi_counts {
    uint64_t *of;             /* by number */
    size_t room;
} fzi_counts;

/* What has been on a site. */
typedef struct fzi_contents {
    uint64_t tops[4];         /* bits: nothing, or a kind and an owner */
    uint64_t heights;         /* bits, of stacks; the last one for all others */
} fzi_contents;

typedef struct fzi_measures {
    fzi_allocator allocator;
    uint64_t games;
    fzi_sum sums[FZ_MEASURES];
    fzi_sum *lists[FZ_LISTS];
    uint32_t sizes[FZ_LISTS];
    fzi_counts counts[FZ_COUNTS];
    fzi_contents *contents;   /* by site */
    uint32_t sites;
    /* HyperLogLog (Flajolet and others, 2007) of the positions at turn beginnings */
    uint8_t sketch[FZ_SKETCH];
} fzi_measures;

/* How many elements each list has; `rollouts`: prospects are measured. */
void fzi_measures_sizes(const fz_program *program, const fzi_lines *lines, bool rollouts,
                        uint32_t sizes[FZ_LISTS]);
/* Without games. False: memory is short. Clear them in any case. */
bool fzi_measures_make(fzi_measures *measures, const uint32_t sizes[FZ_LISTS],
                       fzi_allocator allocator);
bool fzi_measures_init(fzi_measures *measures, const fz_program *program, const fzi_lines *lines,
                       bool rollouts, fzi_allocator allocator);
void fzi_measures_clear(fzi_measures *measures);
/* Adds all of `from`, which is of the same program. False: memory is short, nothing is added. */
bool fzi_measures_merge(fzi_measures *into, const fzi_measures *from);

/* A game for which b may be 0. */
static inline void fzi_sum_add_all(fzi_sum *sum, int64_t a, int64_t b)
{
    sum->games++;
    sum->a += a;
    sum->b += b;
    sum->aa += (fzi_exact)a * a;
    sum->ab += (fzi_exact)a * b;
    sum->bb += (fzi_exact)b * b;
}
/* A game that counts only if b is not 0. */
static inline void fzi_sum_add(fzi_sum *sum, int64_t a, int64_t b)
{
    if (b)
        fzi_sum_add_all(sum, a, b);
}
/* False: memory is short. */
bool fzi_counts_add(fzi_counts *counts, fzi_allocator allocator, uint64_t number, uint64_t times);
void fzi_sketch_add(uint8_t *sketch, uint64_t hash);

/* ---- values ---- */

/* The value with its 95 % interval; NAN if no game has one. A mean or ratio of one game has a value
 * without an interval: NAN to NAN. */
fzi_estimate fzi_sum_estimate(const fzi_sum *sum, fzi_measure_shape shape);
fzi_estimate fzi_measure_value(const fzi_measures *measures, unsigned measure);
fzi_estimate fzi_list_value(const fzi_measures *measures, unsigned list, uint32_t element);
/* 1 less the greatest difference of the mean utilities of two players. */
fzi_estimate fzi_measures_balance(const fzi_measures *measures);
/* Least, middle and greatest number, and the deviation of the numbers. If there are none, the
 * median and the deviation are NAN. */
void fzi_counts_describe(const fzi_counts *counts, uint64_t *least, double *median,
                         uint64_t *greatest, double *deviation);
/* How many different positions there were, within about 2 %. */
double fzi_measures_positions(const fzi_measures *measures);
/* log10 of the number of ways to fill each site with what was seen there; NAN if nothing was. */
double fzi_measures_state_space(const fzi_measures *measures);

#endif
