/* One game in which deciders choose: what playouts, matches and measures have in common. */
#ifndef FZ_INTERP_PLAY_PLAYED_GAME_H
#define FZ_INTERP_PLAY_PLAYED_GAME_H

#include "interp/ferz_tools.h"
#include "interp/vm/run.h"

/* Looks at a game while it is played. */
typedef struct fzi_watcher {
    /* The first decision waits, or the game is over already. False: memory is short. */
    bool (*begun)(void *user, fz_machine *machine, const fz_state *state);
    /* A decision was taken in `before`; what followed has run. */
    fz_status (*decided)(void *user, fz_machine *machine, const fz_state *before,
                         const fz_move *move, const fz_state *after);
    void *user;
    fz_state *before;             /* to copy states to */
} fzi_watcher;

typedef struct fzi_decided {
    fz_machine *machine;
    /* One for each player; NULL: random moves from the chance of the game, which are those of
     * fz_playouts. */
    const fz_decider *deciders;
    const fz_state *from;         /* where the game begins; NULL: before set-up */
    uint64_t seed, stream;        /* of the chance of the game */
    uint64_t thoughts;            /* stream of the first player's decider; the others follow */
    bool (*stopped)(void *user);  /* asked before each decision */
    void *user;
    const fzi_watcher *watcher;   /* NULL: nobody looks. Without deciders the state must have a log
                                   * that keeps all */
} fzi_decided;

/* Sets the state to the beginning, before set-up has run or at `from`, with the stream of chance.
 * False: memory is short. */
bool fzi_decided_begin(const fzi_decided *game, fz_state *state);

/* Plays the whole game on the state. A state that keeps a log has its moves afterwards. FZ_USAGE:
 * it was stopped. `*at_fault`: a decider failed, not the game. */
fz_status fzi_decided_play(const fzi_decided *game, fz_state *state, bool *at_fault);

/* A state whose log keeps all, for games that hide something; `whole`: it begins before set-up.
 * NULL: memory is short. */
fz_state *fzi_decided_logged(const fz_program *program, bool whole);

/* ---- sums.c ---- */

/* Sums over playouts: what fz_sums_add is made of. */

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
enum { FZ_MAX_RESULTS = 8 };
typedef struct fzi_results {
    unsigned count;
    fzi_result_key keys[FZ_MAX_RESULTS];
    uint64_t playouts[FZ_MAX_RESULTS];
    fz_game_row rows[FZ_MAX_RESULTS];
} fzi_results;

/* Counts a game that is over, of a program without payoffs, except in the counts by length. `row`
 * has its `legal_move_sum` and gets its ending and lengths. False: memory is short. */
bool fzi_results_count(fzi_results *results, fz_sums *sums, fz_machine *machine,
                       const fz_state *from, const fz_state *state, fz_game_row *row);
/* Adds the lengths of so many games whose results have been counted. */
void fzi_sums_add_games(fz_sums *sums, const uint64_t *lengths, uint64_t count,
                        const fzi_games *games);
/* Adds them to the sums, and empties the results. */
void fzi_results_close(fzi_results *results, fz_sums *sums, const fz_program *program);

#endif
