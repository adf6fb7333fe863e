/* Texts of moves: what files besides notation.c need of them. */
#ifndef FZ_INTERP_TEXT_NOTATION_H
#define FZ_INTERP_TEXT_NOTATION_H

#include "interp/vm/machine.h"

/* The same text, blanks at the ends aside. */
bool fzi_move_text_is(const char *text, const char *wanted);
/* Adds the text by which the move is known among the legal moves of the state: its label without
 * blanks at its ends, and `#2`, `#3` and so on behind it for the second and later ones that read
 * alike. An empty label is `#1`. */
fz_status fzi_move_name(fz_machine *machine, const fz_state *state, const fz_move *move,
                        fzi_buffer *out);

#endif
