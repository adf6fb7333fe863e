/* Moves and players as people type them: g1f3, g1 f3, G1-F3, a beginning, a number of the list. */
#ifndef FZ_INTERP_TERMINAL_TYPED_MOVE_H
#define FZ_INTERP_TERMINAL_TYPED_MOVE_H

#include <stdbool.h>
#include "interp/lab/lab.h"

#include <stddef.h>

enum { FZI_NO_MOVE = -1, FZI_SEVERAL_MOVES = -2 };

/* The index of the move that was typed among the texts of the legal moves. In this order:
 * - the text itself,
 * - the text but for the case of letters, and for what is neither letter nor digit ('-', blanks)
 *   nor the sign of a number, and for an 'x' between two sites,
 * - a beginning of one text only, read likewise,
 * - the number of the text, from 1, if no move is called by a number.
 * FZI_SEVERAL_MOVES: more than one text fits, and `fits[i]` is 1 for each of them. FZI_NO_MOVE. */
long fzi_typed_move(const char *const *texts, size_t count, const char *typed,
                    unsigned char *fits);

/* Why a text is a legal move of the state or not, valid until the machine's next call. The program
 * `*explaining` is made when it is NULL, and released by the caller. */
const char *fzi_why(const fzi_setup *setup, fz_program **explaining, const fz_state *state,
                    const char *text);
/* The number of the player of this name, or of this number from 1; -1: there is none. */
int fzi_player_called(const fz_program *program, const char *name);

#endif
