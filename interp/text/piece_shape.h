/* What pieces look like, as `view { pieces ... }` and the names of the kinds say. */
#ifndef FZ_INTERP_TEXT_PIECE_SHAPE_H
#define FZ_INTERP_TEXT_PIECE_SHAPE_H

#include "interp/program/program.h"

/* Are kinds drawn as the figures that they are named after? That is for games in which most kinds
 * have one: all, half and at least three, or all six that there are. A king among men has none. */
bool fzi_has_figures(const fz_program *program);
/* What a hint says of the kind, of its owner (-1: nobody), or of all; else figures and discs. */
enum fz_piece_shape fzi_piece_shape(const fz_program *program, bool figures, int kind, int owner);
/* Does the disc of the kind need no letter? A hint says it, or it is that of the only kind, or of
 * the first of two. */
bool fzi_is_plain_disc(const fz_program *program, int kind);

/* The symbol of a piece for drawings in text; NULL: it has none, or it would not tell whose the
 * piece is. `coloured`: the colour tells that. */
const char *fzi_piece_symbol(const fz_program *program, bool coloured, int kind, int owner);

#endif
