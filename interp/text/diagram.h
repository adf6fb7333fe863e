/* Pieces in a block (layout.h), their texts in cells, and diagrams: rows of cells from the top. */
#ifndef FZ_INTERP_TEXT_DIAGRAM_H
#define FZ_INTERP_TEXT_DIAGRAM_H

#include "interp/program/layout.h"
#include "interp/support/buffer.h"

void fzi_piece_get(const fz_program *program, const uint8_t *block, unsigned site, int *kind,
                   int *owner);

/* Makes the byte board what the sets say. */
void fzi_pieces_settle(const fz_program *program, uint8_t *block);

/* How a piece is written in a cell: its letter, upper case for the first player and lower case for
 * the second; with other numbers of players the letter and the player's number; nobody's with a 0.
 * A letter without capitals is nobody's alone, and always has the number of a player. */
enum { FZ_CELL_SIZE = 64 };
const char *fzi_cell_text(const fz_program *program, int kind, int owner, char *cell);
/* In FEN, where numbers count empty cells, a piece of a player needs a letter with a capital. */
bool fzi_cell_in_fen(const fz_program *program, int kind, int owner);
/* The piece whose cell begins text[0 .. length) of a FEN, longest first; its length, 0: none. */
size_t fzi_cell_read(const fz_program *program, const char *text, size_t length, int *kind,
                     int *owner);
/* The piece that the whole word says, the owner's number behind the letter also where it need not
 * be. */
bool fzi_cell_read_word(const fz_program *program, const char *word, size_t length, int *kind,
                        int *owner);

/* ---- what stands on a site: a piece, or a stack ---- */

unsigned fzi_pile_height(const fz_program *program, const uint8_t *block, unsigned site);
/* The piece of the stack, counted from 1 at the bottom. */
void fzi_pile_get(const fz_program *program, const uint8_t *block, unsigned site, unsigned place,
                  int *kind, int *owner);
/* All pieces of the site from the bottom; with `+` between them if they could be read in another
 * way. */
void fzi_pile_write(const fz_program *program, const uint8_t *block, unsigned site,
                    fzi_buffer *out);
/* Is the word a piece or a stack of the game? */
bool fzi_cell_is_pieces(const fz_program *program, const char *word, size_t length);
/* Puts the pieces of the word on the site in place of what is there; false: it is none, or they are
 * too many. */
bool fzi_cell_put(const fz_program *program, uint8_t *block, unsigned site, const char *word,
                  size_t length);

/* The sites whose row has the number, ordered by where they lie across; returns how many. `sites`
 * has room for all. */
unsigned fzi_sites_in_order(unsigned site_count, const int16_t *row, int number,
                            const int16_t *across, uint16_t *sites);
/* The sites of row `row` ordered by column; returns how many. `sites` has room for all. */
unsigned fzi_row_sites(const fz_board *board, unsigned row, uint16_t *sites);

/* All sites as a drawing shows them: from the top, each line from the left. A diagram has a cell
 * for each in this order. */
void fzi_drawing_order(const fz_board *board, uint16_t *order);
/* Is the board one that people draw in rows? Others are written as lists of sites and pieces. */
bool fzi_board_has_rows(const fz_board *board);
void fzi_diagram_write(const fz_program *program, const uint8_t *block, const uint64_t *unseen,
                       fzi_buffer *out);
/* Puts a diagram's pieces into the block, which has none. With `rest`, the text goes on behind the
 * last cell, at `*rest`; otherwise there may be nothing more. */
bool fzi_diagram_read(const fz_program *program, uint8_t *block, const char *text,
                      const char **rest, char *message, size_t size);

#endif
