/* Sums over playouts: what fz_sums_add is made of. */
#ifndef FZ_INTERP_PLAY_SUMS_H
#define FZ_INTERP_PLAY_SUMS_H

#include "ferz_tools.h"

/* Adds the playout, except to the counts by length. False: memory is short, nothing was added. */
bool fzi_sums_count(fz_sums *sums, const fz_program *program, const fz_game_row *row);
/* Makes room for the reasons of ends that the others have, so that fz_sums_merge needs none. False:
 * memory is short. */
bool fzi_sums_expect_ends(fz_sums *sums, const fz_sums *others, const fz_program *program);

/* A place as reports name it, wherever the files lie: "line:column" in the script, and
 * "file:line:column" in its bases and modules. */
enum { FZI_PLACE_SIZE = 512 };
void fzi_place_name(const fz_program *program, uint32_t place, char text[FZI_PLACE_SIZE]);

/* Fills the row of a game that is over or has failed with `status`; sets neither `stream`,
 * `legal_move_sum`, `error` nor `record`. `from`: where it began, or NULL. Returns the status,
 * or the error of computing the payoffs. */
fz_status fzi_row_fill(fz_machine *machine, const fz_state *from, const fz_state *state,
                       fz_status status, fz_game_row *row);

#endif
