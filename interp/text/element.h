/* What stands on sites and in variables, by the author's names: the common ground of positions, FEN,
 * drawings and tests. Blocks are those of states (see state.h), also a program's initial one. */
#ifndef FZ_INTERP_TEXT_ELEMENT_H
#define FZ_INTERP_TEXT_ELEMENT_H

#include "interp/support/buffer.h"
#include "interp/state/state.h"

/* ---- values as texts ---- */

/* Adds the value as the author writes it: a name, a number, `off`, `{a, b}`. */
void fzi_value_write(const fz_program *program, uint16_t type, int64_t value, fzi_buffer *out);
void fzi_sites_write(const fz_program *program, const uint64_t *set, fzi_buffer *out);
/* The value of the type whose text is text[0 .. length); false: there is none. */
bool fzi_value_read(const fz_program *program, uint16_t type, const char *text, size_t length,
                    int64_t *value);
bool fzi_sites_read(const fz_program *program, const char *text, size_t length, uint64_t *set);

int fzi_site_find(const fz_program *program, const char *name, size_t length);    /* -1 */
int fzi_player_find(const fz_program *program, const char *name, size_t length);  /* -1 */
const fz_variable *fzi_variable_find(const fz_program *program, const char *name, size_t length);

/* ---- variables ---- */

/* Elements as the author counts them: one by index tuple, also of a bool array kept as a set. */
uint32_t fzi_element_count(const fz_program *program, const fz_variable *variable);
/* Do its indexes name the elements that there are? Of a compiled file that is not yet known. */
bool fzi_element_count_sound(const fz_program *program, const fz_variable *variable);
/* A set of sites, and no bool array kept as one. */
static inline bool fzi_element_is_set(const fz_variable *variable)
{
    return variable->is_set && !variable->is_bits;
}
int64_t fzi_element_get(const fz_program *program, const uint8_t *block, const fz_variable *variable,
                        uint32_t element);
const uint64_t *fzi_element_sites(const fz_program *program, const uint8_t *block,
                                  const fz_variable *variable, uint32_t element);
void fzi_element_put(const fz_program *program, uint8_t *block, const fz_variable *variable,
                     uint32_t element, int64_t value);
void fzi_element_put_sites(const fz_program *program, uint8_t *block, const fz_variable *variable,
                           uint32_t element, const uint64_t *set);
bool fzi_element_same(const fz_program *program, const uint8_t *a, const uint8_t *b,
                      const fz_variable *variable, uint32_t element);
/* "[White, 3]" of an element; nothing for a scalar. */
void fzi_element_index_write(const fz_program *program, const fz_variable *variable,
                             uint32_t element, fzi_buffer *out);
/* The value of an element, of whatever kind. */
void fzi_element_write(const fz_program *program, const uint8_t *block, const fz_variable *variable,
                       uint32_t element, fzi_buffer *out);
/* "name[index] = value" or "name = value"; several indexes of the last place may be given as a|b|c.
 * What is wrong goes to `message` (of `size` bytes). */
bool fzi_assignment_read(const fz_program *program, uint8_t *block, const char *text, size_t length,
                         char *message, size_t size);

/* ---- pieces ---- */

void fzi_piece_get(const fz_program *program, const uint8_t *block, unsigned site, int *kind,
                   int *owner);

/* Makes the byte board what the sets say. */
void fzi_pieces_settle(const fz_program *program, uint8_t *block);

/* How a piece is written in a cell: its letter, upper case for the first player and lower case for the
 * second; with other numbers of players the letter and the player's number; nobody's with a 0. A letter
 * without capitals is nobody's alone, and always has the number of a player. */
enum { FZ_CELL_SIZE = 64 };
const char *fzi_cell_text(const fz_program *program, int kind, int owner, char *cell);
/* In FEN, where numbers count empty cells, a piece of a player needs a letter with a capital. */
bool fzi_cell_in_fen(const fz_program *program, int kind, int owner);
/* The piece whose cell begins text[0 .. length) of a FEN, longest first; its length, 0: none. */
size_t fzi_cell_read(const fz_program *program, const char *text, size_t length, int *kind,
                     int *owner);
/* The piece that the whole word says, the owner's number behind the letter also where it need not be. */
bool fzi_cell_read_word(const fz_program *program, const char *word, size_t length, int *kind,
                        int *owner);

/* The sites of row `row` ordered by column; returns how many. `sites` has room for all. */
unsigned fzi_row_sites(const fz_board *board, unsigned row, uint16_t *sites);

/* All sites as a drawing shows them: from the top, each line from the left. A diagram has a cell for each
 * in this order. */
void fzi_drawing_order(const fz_board *board, uint16_t *order);
/* Is the board one that people draw in rows? Others are written as lists of sites and pieces. */
bool fzi_board_has_rows(const fz_board *board);
void fzi_diagram_write(const fz_program *program, const uint8_t *block, const uint64_t *unseen,
                       fzi_buffer *out);
/* Puts a diagram's pieces into the block, which has none. With `rest`, the text goes on behind the last
 * cell, at `*rest`; otherwise there may be nothing more. */
bool fzi_diagram_read(const fz_program *program, uint8_t *block, const char *text, const char **rest,
                      char *message, size_t size);

#endif
