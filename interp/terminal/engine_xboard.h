/* The protocol of XBoard and WinBoard: what they say is told to the engine as the other protocols
 * tell it. */
#ifndef FZ_INTERP_TERMINAL_ENGINE_XBOARD_H
#define FZ_INTERP_TERMINAL_ENGINE_XBOARD_H

#include "engine_player.h"

typedef struct fzi_xboard {
    fzi_protocol_engine *engine;
    char *game;          /* the position that the board shows, for fzi_engine_set_position */
    bool is_amid;        /* the latest move is a part of a turn that goes on */
    int plays;           /* the player for whom the engine decides; -1: it only looks on */
    bool is_unwanted;    /* what it thinks about is given up: it answers nothing */
    fzi_order order;     /* depth and time for each move, as `sd` and `st` say */
    uint64_t time;       /* what is left on its clock, in milliseconds; 0: not said */
    uint64_t increment;
    uint64_t control;    /* moves between time controls; 0: the whole game */
} fzi_xboard;

/* The board has said "xboard". */
void fzi_xboard_begin(fzi_xboard *board);
/* Does what a line says: its first word, and the rest. */
void fzi_xboard_obey(fzi_xboard *board, const char *word, char *rest);
void fzi_xboard_end(fzi_xboard *board);

#endif
