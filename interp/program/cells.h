/* The texts of pieces in cells. Scripts' diagrams (grammar/emit/put_diagram.c), positions and
 * drawings have the same. */
#ifndef FZ_INTERP_PROGRAM_CELLS_H
#define FZ_INTERP_PROGRAM_CELLS_H

#include "program.h"

/* The text of a piece in a cell: its letter, upper case for the first player and lower case for
 * the second; with other numbers of players the letter and the player's number; 0 for pieces
 * without owner. A letter without capitals means a piece without owner if it has no number. A colon
 * separates the player's number from a letter that is a number. */
enum { FZ_CELL_SIZE = 64 };
const char *fzi_cell_text(const fz_program *program, int kind, int owner, char *cell);
/* In FEN, where numbers count empty cells, a piece needs a letter that is no number, and a player's
 * piece one with a capital. */
bool fzi_cell_in_fen(const fz_program *program, int kind, int owner);
/* The piece whose cell begins text[0 .. length) of a FEN, longest first; its length, 0: none. */
size_t fzi_cell_read(const fz_program *program, const char *text, size_t length, int *kind,
                     int *owner);

/* ---- words: a piece, or a stack from the bottom, perhaps with `+` between its pieces ---- */

enum { FZ_MAX_STACK_TEXT = 4096 };
/* at[i] is the end of the piece that begins at i; 0: none begins there. */
typedef struct fzi_piece_ends {
    uint16_t at[FZ_MAX_STACK_TEXT + 1];
} fzi_piece_ends;
/* False: the word is neither a piece nor a stack of the game. */
bool fzi_cell_pieces(const fz_program *program, const char *word, size_t length,
                     fzi_piece_ends *ends);
bool fzi_cell_is_pieces(const fz_program *program, const char *word, size_t length);
/* The next piece of the word, from `*at` on. False: there is none. */
bool fzi_cell_next(const fz_program *program, const fzi_piece_ends *ends, const char *word,
                   size_t length, size_t *at, int *kind, int *owner);

/* ---- diagrams ---- */

/* The column and the row from 1 that the name of a site says, such as c4 or h12. False: it is no
 * such name. Graphs all of whose sites have such names are drawn by them. */
bool fzi_name_place(const char *name, int *column, int *row);
/* True for boards that people draw in rows. Positions on others are lists of sites and pieces. */
bool fzi_board_has_rows(const fz_board *board);
/* All sites as a drawing shows them: from the top, each line from the left. A diagram has a cell
 * for each in this order. */
void fzi_diagram_order(const fz_board *board, uint16_t *order);

#endif
