/* Making boards: board_expression.c is the entry, board.c starts and finishes a board,
 * board_shapes.c makes the regular shapes, board_graph.c boards of listed edges, board_mesh.c
 * cells, edges and vertices, board_join.c and board_operators.c boards of boards. */
#ifndef FZ_GRAMMAR_BOARD_BOARD_BUILDER_H
#define FZ_GRAMMAR_BOARD_BOARD_BUILDER_H

#include "board.h"
#include "interp/program/program.h"

typedef struct fzi_board_maker {
    fzi_load *load;
    const fzi_unit *unit;
    fzi_arena *arena;
    fzi_diags *diags;
} fzi_board_maker;

/* The board of any expression. */
fzi_board *fzi_board_expression(fzi_board_maker *m, const fzi_node *node);
/* The branch of `if C then A else B` that a condition on options selects; otherwise the node
 * itself. As under `when`, the other branch is not checked. */
const fzi_node *fzi_board_chosen(fzi_board_maker *m, const fzi_node *node);

/* Evaluates an argument that is a number from `least` to FZ_MAX_SITES; `what` ("the width") is the
 * subject of the error. */
bool fzi_board_number(fzi_board_maker *m, const fzi_node *call, const fzi_node *node,
                      const char *what, int64_t least, int64_t *value);

#define BOARD(name, function, least, most, written)                                               \
    fzi_board *function(fzi_board_maker *m, const fzi_node *call);
#include "boards.def"
#undef BOARD

/* The board of an E_GRAPH, and a copy of a board with the edges of an E_GRAPH between its sites. */
fzi_board *fzi_board_graph(fzi_board_maker *m, const fzi_node *graph);
fzi_board *fzi_board_add_edges(fzi_board_maker *m, const fzi_board *board, const fzi_node *graph);

/* A board without edges, names and places. Reports, at `span`, a board without sites or with too
 * many, and returns NULL. */
fzi_board *fzi_board_new(fzi_board_maker *m, fzi_span span, int shape, int64_t sites);
/* The number of a direction, which is added if the board does not have it; -1 after reporting too
 * many. */
int fzi_board_add_dir(fzi_board_maker *m, fzi_board *board, fzi_span span, const char *name);
fzi_board *fzi_board_copy(fzi_board_maker *m, const fzi_board *board);
uint64_t *fzi_board_new_sets(fzi_board_maker *m, unsigned count);
/* ---- board_carry.c: sites get other numbers; `at[s]` is where site s goes, -1: nowhere ---- */

/* Adds the directions of a board to `result`; false after reporting too many. */
bool fzi_board_carry_dirs(fzi_board_maker *m, fzi_board *result, const fzi_board *board,
                          fzi_span span);
/* Copies the sites of `board` into `result`; it has all directions already. */
void fzi_board_carry_sites(fzi_board_maker *m, fzi_board *result, const fzi_board *board,
                           const int16_t *at);
/* Copies the named sets and the numbers of columns and rows. */
void fzi_board_carry_board(fzi_board_maker *m, fzi_board *result, const fzi_board *board,
                           const int16_t *at);

/* ---- board.c ---- */

/* Sets `opposite` from the directions' names, or from their edges if the names are unknown. */
void fzi_board_set_opposites(fzi_board *board);
/* The eight directions of the compass, clockwise. A board with n or s is upright. A board of
 * hexagons is not: besides e and w it has only slanted directions. */
extern const char *const fzi_compass[8];
bool fzi_board_upright(const fzi_board *board);
/* Moves the places of the sites so that the least x and y are 0. */
void fzi_board_place(fzi_board *board);

static inline int16_t *fzi_board_edge(const fzi_board *board, unsigned dir, unsigned site)
{
    return &board->next[dir * board->site_count + site];
}

static inline bool fzi_board_bit(const uint64_t *set, unsigned site)
{
    return set[site / 64] >> site % 64 & 1;
}

static inline void fzi_board_set_bit(uint64_t *set, unsigned site)
{
    set[site / 64] |= UINT64_C(1) << site % 64;
}

#endif
