/* Texts of moves: what files besides notation.c need of them. */
#ifndef FZ_INTERP_TEXT_NOTATION_H
#define FZ_INTERP_TEXT_NOTATION_H

#include <stdbool.h>

/* The same text, blanks at the ends of `wanted` aside. */
bool fzi_move_text_is(const char *text, const char *wanted);

#endif
