/* What measures know of a game without playing it: its row in an archive, and its use of the
 * board. */
#ifndef FZ_INTERP_MEASURES_ARCHIVED_MEASURES_H
#define FZ_INTERP_MEASURES_ARCHIVED_MEASURES_H

#include "measures.h"

/* Adds who won: ranks of the players, and of what a game of one side is played against (or 0).
 * `stopped`: `limit` ended the game. */
void fzi_measures_add_result(fzi_measures *measures, const fz_program *program, const int8_t *rank,
                             int nature, bool stopped);
/* Adds how often pieces went along each line, both ways, and how often moves led to each site. */
void fzi_measures_add_use(fzi_measures *measures, const fzi_lines *lines,
                          const uint32_t *line_steps, const uint32_t *site_moves);
/* Adds a game that did not fail: its result, its length, its legal moves if they were counted, and
 * its use, if it is not NULL. False: memory is short. */
bool fzi_measures_add_row(fzi_measures *measures, const fz_program *program,
                          const fzi_lines *lines, const fz_game_row *row,
                          const uint32_t *line_steps, const uint32_t *site_moves);

#endif
