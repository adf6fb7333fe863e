/* Tables derived from a board: masks that make steps, slides and lines fast. Everything works for
 * any board; regular boards have faster paths. geometry.h answers questions with it. */
#ifndef FZ_INTERP_BOARD_TOPOLOGY_H
#define FZ_INTERP_BOARD_TOPOLOGY_H

#include <stdbool.h>
#include <stdint.h>

#include "interp/support/context.h"
#include "board_data.h"

typedef struct fzi_shift {   /* sites of `from` (a set) all go to site + delta */
    int32_t delta;
    const uint64_t *from;
} fzi_shift;

typedef struct fzi_topology {
    const fz_board *board;
    uint8_t words;
    uint16_t site_count;
    uint8_t dir_count;
    const uint64_t *all;            /* every site */
    const fzi_shift *shifts;        /* of all directions */
    /* direction d: shifts[first_shift[d]] up to first_shift[d + 1] */
    uint16_t first_shift[FZ_MAX_DIRS + 1];
    /* [(site * dir_count + dir) * words]: sites on from there, itself not */
    const uint64_t *rays;
    /* 1: every ray of the direction ascends; -1: descends; 0: neither, go step by step */
    int8_t ray_order[FZ_MAX_DIRS];
    /* every direction has an opposite, which undoes each of its steps */
    uint8_t reversible;
    /* [a * site_count + b]; 0xffff: unreachable; NULL on big boards: use fzi_distance */
    const uint16_t *distance;

    /* the direction that undoes this one, exactly; dir_count if none */
    uint8_t inverse[FZ_MAX_DIRS];
    /* steps until a direction is back where it was; 0: never */
    uint16_t shortest_cycle[FZ_MAX_DIRS];
    uint16_t longest_ray;           /* sites; of all directions */
    uint16_t longest_rays[FZ_MAX_DIRS]; /* of each */
    uint8_t axes[FZ_MAX_DIRS / 2][2]; /* directions that undo each other and never come round */
    uint64_t axis_bits[FZ_MAX_DIRS / 2]; /* both as bits */
    uint32_t axis_dirs;             /* all of them */
    uint8_t axis_count;
    /* Slides along an axis, as bits: where one of its directions ascends and the other descends, on
     * boards of a few words with short lines. */
    uint32_t lined;                 /* these axes, as bits */
    const uint64_t *lines;       /* [(site * axis_count + axis) * words]: its line, the site not */
    const uint16_t *line_places; /* [site * axis_count + axis]: where rows begin in line_reach */
    const uint16_t *line_reach;  /* [place + those of the line that one may pass]: where to */
    uint32_t line_reaches;       /* how many */
    /* directions that have an inverse, never come round, and always add the same */
    uint32_t even_dirs;
    uint32_t up_dirs, down_dirs;    /* those of ray_order 1; of -1 */
    fzi_shift even[FZ_MAX_DIRS];    /* the only shift of each of even_dirs */
    const int16_t *steps;           /* [site * dir_count + dir]: board->next the other way round */
    uint32_t around_dirs[2];        /* the orthogonal directions; the adjacent ones */
    const uint64_t *around[2];      /* [site * words]: the neighbours of a site in these */

    /* For leaps. The vector of a direction is its change of (column, row). The ring lists the
     * orthogonal directions with a vector, clockwise. Boards without coordinates have no
     * vectors. */
    /* [(row - 1) * columns + column - 1]; -1. NULL: no coordinates */
    const int16_t *site_at;
    int8_t vector[FZ_MAX_DIRS][2];
    uint8_t ring[FZ_MAX_DIRS];
    uint8_t ring_size;
    uint8_t wraps_columns, wraps_rows; /* the first follows the last */
    void *owner;
} fzi_topology;

/* NULL when memory is short. The board's arrays must outlive it. */
fzi_topology *fzi_topology_new(const fz_board *board, fzi_allocator allocator);
void fzi_topology_free(fzi_topology *topology);

int64_t fzi_distance(const fzi_topology *t, int a, int b); /* -1: unreachable */

/* ---- geometry.c ---- */

/* Questions about any board: slides, leaps, lines. A set is an array of board->words
 * words; bit 0 of word 0 is the first site. Results have no bits beyond the last site. `out` must
 * not overlap an input. */
void fzi_slide(const fzi_topology *t, int site, uint64_t dirs, const uint64_t *through,
               int64_t most, uint64_t *out); /* adds to `out` */
/* Adds to `out`; leaps on while in `through`, or once if that is NULL. */
void fzi_ride(const fzi_topology *t, int site, int64_t a, int64_t b, const uint64_t *through,
              uint64_t *out);
void fzi_between(const fzi_topology *t, int a, int b, uint64_t *out);
bool fzi_line(const fzi_topology *t, const uint64_t *set, int64_t n, uint64_t dirs);
bool fzi_line_at(const fzi_topology *t, int site, const uint64_t *set, int64_t n, uint64_t dirs);
void fzi_flanked(const fzi_topology *t, int site, const uint64_t *row, const uint64_t *end,
                 uint64_t dirs, uint64_t *out);
void fzi_flanking(const fzi_topology *t, const uint64_t *end, const uint64_t *row,
                  const uint64_t *start, uint64_t dirs, uint64_t *out);

/* ---- board_turns.c ---- */

/* The ways to turn or mirror a drawn board onto itself. */

/* All but the one that changes nothing. */
enum fzi_turn {
    FZI_TURN_LEFT_RIGHT, FZI_TURN_TOP_BOTTOM, /* mirrored */
    FZI_TURN_HALF,
    FZI_TURN_DIAGONAL,                        /* mirrored */
    FZI_TURN_LEFT, FZI_TURN_RIGHT,            /* a quarter */
    FZI_TURN_OTHER_DIAGONAL,                  /* mirrored */
    FZI_TURNS
};

/* Where the turn takes each of the places x, y: their numbers. False: it does not map the places
 * onto the places. */
bool fzi_board_turn(enum fzi_turn turn, const int16_t *x, const int16_t *y, unsigned count,
                    uint16_t *image);

#endif
