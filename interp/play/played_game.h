/* One game in which deciders choose: what playouts, matches and measures have in common. */
#ifndef FZ_INTERP_PLAY_PLAYED_GAME_H
#define FZ_INTERP_PLAY_PLAYED_GAME_H

#include "interp/ferz_tools.h"

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

#endif
