/* The ways to turn or mirror a drawn board onto itself. */
#ifndef FZ_INTERP_BOARD_BOARD_TURNS_H
#define FZ_INTERP_BOARD_BOARD_TURNS_H

#include <stdbool.h>
#include <stdint.h>

/* All but the one that changes nothing. */
enum fzi_turn {
    FZI_TURN_LEFT_RIGHT, FZI_TURN_TOP_BOTTOM, /* mirrored */
    FZI_TURN_HALF,
    FZI_TURN_DIAGONAL,                        /* mirrored */
    FZI_TURN_LEFT, FZI_TURN_RIGHT,            /* a quarter */
    FZI_TURN_OTHER_DIAGONAL,                  /* mirrored */
    FZI_TURNS
};

/* Where the turn takes each of the places x, y: their numbers. False: it does not map the places
 * onto the places. */
bool fzi_board_turn(enum fzi_turn turn, const int16_t *x, const int16_t *y, unsigned count,
                    uint16_t *image);

#endif
