/* Lines and columns of many places of a source, each from the last one. */
#ifndef FZ_INTERP_PROGRAM_PLACE_CURSOR_H
#define FZ_INTERP_PROGRAM_PLACE_CURSOR_H

#include "program.h"

/* A byte of a source, from 0. Lines and columns count from 1, columns in characters. A cursor of
 * zeros stands in no source. */
typedef struct fzi_place_cursor {
    uint32_t source, at, line_start;
    unsigned line, column;
} fzi_place_cursor;

/* Moves to where the place begins, in the time of the distance. */
void fzi_place_cursor_move(fzi_place_cursor *cursor, const fz_program *program,
                           const fz_place *place);

#endif
