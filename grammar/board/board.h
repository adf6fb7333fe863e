/* Boards: the expression of a `board` declaration → a graph of sites. */
#ifndef FZ_GRAMMAR_BOARD_BOARD_H
#define FZ_GRAMMAR_BOARD_BOARD_H

#include "grammar/unit/unit.h"

enum { FZ_BOARD_WORDS = 16 }; /* of a set of sites at compile time, for every board */

typedef struct fzi_board {
    int shape;               /* enum fz_board_shape; of a join: that of its first part */
    bool on_vertices;
    unsigned site_count, dir_count;
    unsigned columns, rows;
    int16_t *next;           /* [dir * site_count + site]: the neighbour; -1: none */
    /* Places on a lattice, from which leaps are computed and FENs are written; 0: none. */
    int16_t *column, *row;
    int16_t *file, *rank;    /* column and row of a site, as scripts count them; 0: none */
    int16_t *layer;          /* from 1; 0: in no layer */
    unsigned layers;         /* 0: the board has none */
    int16_t *x, *y;
    const char **site_names; /* interned */
    const char **dir_names;  /* interned */
    uint32_t orthogonal, diagonal, adjacent;
    uint8_t opposite[32];    /* by direction; dir_count: none */
    unsigned sides;          /* number of sides: the greatest n of side(n) */
    int8_t vector[32][2];    /* change of column and row by direction; 0, 0: none */
    uint8_t wraps;           /* 1: columns are joined at their ends, 2: rows, 3: both */
    /* Named sets, FZ_BOARD_WORDS words each; NULL: the board has none. */
    const uint64_t *corners, *border, *centre;
    const uint64_t *side_sets; /* side n begins at (n - 1) * FZ_BOARD_WORDS */
    uint8_t *sorts;            /* of each site: enum fz_site_sort; NULL: all sites are alike */
} fzi_board;

/* Makes the board of a D_BOARD node; NULL after reporting an error (E07..). Its numbers may be any
 * constants of fzi_unit_constant, such as options. */
fzi_board *fzi_board_make(fzi_load *load, const fzi_unit *unit, const fzi_node *decl);

/* The names of the sets of sites of each sort. */
extern const char *const fzi_sort_names[];

/* Is it `board none`? False for NULL. */
bool fzi_board_is_none(const fzi_board *board);

/* The number of a site or direction; -1: there is none of this name. */
int fzi_board_site(const fzi_board *board, const char *name);
int fzi_board_dir(const fzi_board *board, const char *name);

/* Adds which sites the board has, instead of one that it does not have. */
void fzi_hint_sites(fzi_diag *diag, const fzi_board *board, const char *wanted);

/* Writes a named set of sites to `out` (FZ_BOARD_WORDS words); false: the board has no such set.
 * `name` is one of rank file side layer corners border centre, and on boards of several sorts cells
 * edges vertices; `n` is the argument of the first four. */
bool fzi_board_named_set(const fzi_board *board, const char *name, int64_t n, uint64_t *out);

/* The same for row n as a player who faces `facing` sees the board: row 1 is the nearest. */
bool fzi_board_rank_seen(const fzi_board *board, int facing, int64_t n, uint64_t *out);

/* The direction of a relative name (forward, backward_left, ...) for a player who faces `facing`;
 * -1: none. */
int fzi_board_relative(const fzi_board *board, const char *name, int facing);

#endif
