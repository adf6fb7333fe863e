/* Boards: from the expression behind `board` to a graph of sites. */
#ifndef FZ_GRAMMAR_BOARD_BOARD_H
#define FZ_GRAMMAR_BOARD_BOARD_H

#include "grammar/unit/unit.h"

enum { FZ_BOARD_WORDS = 16 }; /* of a set of sites at compile time, whatever the board's size */

typedef struct fzi_board {
    int shape;               /* enum fz_board_shape, of the first part of a join */
    bool on_vertices;
    unsigned site_count, dir_count;
    unsigned columns, rows;
    int16_t *next;           /* [dir * site_count + site] */
    int16_t *column, *row, *x, *y;
    const char **site_names; /* interned */
    const char **dir_names;  /* interned */
    uint32_t orthogonal, diagonal, adjacent;
    uint8_t opposite[32];    /* dir_count when there is none */
    unsigned sides;          /* number of sides that side(n) knows, from 1 */
    int8_t vector[32][2];    /* how a direction changes column and row; 0, 0: it has no vector */
    uint8_t wraps;           /* 1: columns, 2: rows, 3: both go on at the other end */
    /* Named sets, FZ_BOARD_WORDS words each; NULL: the board has none. */
    const uint64_t *corners, *border, *centre;
    const uint64_t *side_sets; /* side n begins at (n - 1) * FZ_BOARD_WORDS */
} fzi_board;

/* Makes the board of a D_BOARD node; NULL after reporting what is wrong (E07..). Numbers in it
 * may be options and other constants of fzi_unit_constant. */
fzi_board *fzi_board_make(fzi_load *load, const fzi_unit *unit, const fzi_node *decl);

/* -1: no such site, no such direction. */
int fzi_board_site(const fzi_board *board, const char *name);
int fzi_board_dir(const fzi_board *board, const char *name);

/* The constant sets of a board as bits by site (16 words, cleared first); false: the board has
 * none. `name` is one of rank file side corners border centre; `n` its argument, if it takes
 * one. */
bool fzi_board_named_set(const fzi_board *board, const char *name, int64_t n, uint64_t *out);

/* Where a relative direction (forward, backward_left, ...) points for one that faces `facing`;
 * -1. */
int fzi_board_relative(const fzi_board *board, const char *name, int facing);

#endif
