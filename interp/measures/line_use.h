/* How finished games used the lines and the sites of a board, and how alike two uses are.
 * docs/studies.md describes it for users. */
#ifndef FZ_INTERP_MEASURES_LINE_USE_H
#define FZ_INTERP_MEASURES_LINE_USE_H

#include "board_lines.h"
#include "interp/ferz_tools.h"

/* Plays the finished game again, and adds how often pieces went along each line, in both
 * directions, and how often moves led to each site. The log of `over` has the whole game. The
 * machine samples chance afterwards. */
fz_status fzi_use_add(fz_machine *machine, const fzi_lines *lines, const fz_state *over,
                      uint32_t *line_steps, uint32_t *site_moves);

/* The reflections of the board, a bit for each, that map the pieces of the state onto themselves.
 * They are of the position; nobody knows whether the rules are symmetric too. */
unsigned fzi_use_mirrors(const fzi_lines *lines, const fz_state *state);

/* ---- aligning: games that are mirror images of each other are told apart by chance only ---- */

typedef enum fzi_align {
    FZ_ALIGN_NONE,
    FZ_ALIGN_NEAREST,   /* the mirror image that is nearest to the mean of the games before */
    FZ_ALIGN_STUDY      /* as in the study of Ludus Coriovalli: LC-50 */
} fzi_align;

typedef struct fzi_aligner {
    fzi_align how;
    unsigned mirrors;   /* of fzi_use_mirrors */
    uint32_t lines;
    const int32_t *image[FZ_REFLECTIONS]; /* of lines */
    uint64_t games;
    double *mean;       /* share of each line; every game weighs the same */
    double *shares;     /* room for a game's */
} fzi_aligner;

/* The reflections of the lines that align the game with those before: a bit for each; they are
 * applied together. The game's steps join the mean. Games without steps are left out. */
unsigned fzi_align_game(fzi_aligner *aligner, const uint32_t *steps);
/* Which line comes to the place of a line under these reflections. */
static inline uint32_t fzi_aligned_line(const fzi_aligner *a, unsigned mirrors, uint32_t line)
{
    for (unsigned r = 0; r < FZ_REFLECTIONS; r++)
        if (mirrors >> r & 1)
            line = (uint32_t)a->image[r][line];
    return line;
}

/* ---- comparing ---- */

/* Half the sum of the absolute differences: 0 for equal shares, 1 if nothing is in common. */
double fzi_shares_distance(const double *one, const double *other, size_t count);
/* Pearson's correlation; NAN if one of the two is constant. */
double fzi_correlation(const double *one, const double *other, size_t count);
/* Makes shares of numbers; of zeros zeros. */
void fzi_make_shares(double *numbers, size_t count);

/* The two-sided probability of a standard normal number as far from 0 as this one. */
double fzi_normal_p(double z);
/* Holm's adjustment: p values, in any order, become such that those below 0.05 are real with an
 * error in one family of twenty (S. Holm, 1979). False: memory is short. */
bool fzi_holm(double *p, size_t count, fzi_allocator allocator);

#endif
