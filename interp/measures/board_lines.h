/* The lines of a board: what connects two neighbouring sites, in whatever directions. Which lines a
 * move goes along, and which lines are mirror images of each other. */
#ifndef FZ_INTERP_MEASURES_BOARD_LINES_H
#define FZ_INTERP_MEASURES_BOARD_LINES_H

#include "interp/board/topology.h"
#include "interp/program/program.h"

enum { FZ_LEFT_RIGHT = FZI_TURN_LEFT_RIGHT, FZ_TOP_BOTTOM = FZI_TURN_TOP_BOTTOM, FZ_REFLECTIONS };

typedef struct fzi_board_line {
    uint16_t low, high;     /* sites; low < high */
    uint32_t orbit;         /* number of the set of lines that are images of each other */
    /* its images: left to right, top to bottom; -1 if the board has no such symmetry */
    int32_t image[FZ_REFLECTIONS];
} fzi_board_line;

typedef struct fzi_lines {
    fzi_allocator allocator;
    const fzi_topology *topology;
    fzi_board_line *lines;        /* by low, then high */
    uint32_t count, orbits;
    int32_t *of;            /* [site * dir_count + dir]: 2 * line + (1 if it goes down); -1 */
    unsigned symmetries;    /* of the board, without the identity */
    uint16_t *site_image[FZ_REFLECTIONS]; /* by site; NULL if the board has no such symmetry */
} fzi_lines;

/* False: memory is short. Clear it in any case. */
bool fzi_lines_init(fzi_lines *lines, const fz_program *program, fzi_allocator allocator);
void fzi_lines_clear(fzi_lines *lines);

/* The steps in one direction that lead from a site to another: their number, and in `steps` (room
 * for FZ_MAX_SITES) which line each takes: 2 * line, + 1 from high to low. 0: no direction leads
 * there. The shortest way; of several the first in the order of directions. */
unsigned fzi_lines_between(const fzi_lines *lines, int from, int to, uint32_t *steps);

#endif
