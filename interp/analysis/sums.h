/* Sums over playouts: what fz_sums_add is made of. */
#ifndef FZ_INTERP_ANALYSIS_SUMS_H
#define FZ_INTERP_ANALYSIS_SUMS_H

#include "ferz_tools.h"

/* Adds the playout, except to the counts by length. */
void fzi_sums_count(fz_sums *sums, const fz_program *program, const fz_game_row *row);

#endif
