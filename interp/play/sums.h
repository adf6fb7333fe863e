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

/* Results that have occurred, and how often: games that end alike are added to the sums together,
 * except for their lengths. */
typedef struct fzi_result_key {
    uint64_t how;            /* of fzi_head: pc, no_legal_move, stopped, nature */
    uint64_t rank[2];        /* that of each player, in a byte */
} fzi_result_key;
typedef struct fzi_result {
    fzi_result_key key;
    uint64_t playouts;
    fz_game_row row;
} fzi_result;
typedef struct fzi_results {
    unsigned count;
    fzi_result at[8];
} fzi_results;

/* Counts a game that is over, of a program without payoffs, except in the counts by length. `row`
 * has its `legal_move_sum` and gets its ending and lengths. False: memory is short. */
bool fzi_results_count(fzi_results *results, fz_sums *sums, fz_machine *machine,
                       const fz_state *from, const fz_state *state, fz_game_row *row);
/* Adds them to the sums, and empties the results. */
void fzi_results_close(fzi_results *results, fz_sums *sums, const fz_program *program);

#endif
