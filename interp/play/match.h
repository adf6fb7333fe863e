/* Two agents against each other with seats exchanged. Games 2k and 2k + 1 are a pair: they have the
 * same chance, and the agents change places. What is counted does not depend on the number of
 * threads, unless an agent has a time limit: pairs are counted in order, also where a sequential
 * test ends the match. */
#ifndef FZ_INTERP_PLAY_MATCH_H
#define FZ_INTERP_PLAY_MATCH_H

#include "interp/ferz_tools.h"
#include "rating.h"

typedef struct fzi_match {
    const fz_program *program;
    const fz_limits *limits;
    const fz_state *from;      /* where the games begin; NULL: before set-up */
    /* Makes a decider of agent 0 or 1, for the use of one thread; calls do not overlap. On failure
     * `message` (256 bytes) says why. The match closes it. */
    fz_status (*make)(void *user, unsigned agent, fz_decider *decider, char *message);
    void *user;
    bool logs;                 /* the agents need the game from its beginning (fz_lineup) */
    uint64_t seed, pairs;      /* at most so many */
    const fzi_sprt *sprt;      /* ends the match early; NULL */
    unsigned threads;
    const fz_watch *watch;
} fzi_match;

enum { FZ_LOST, FZ_DRAWN, FZ_WON };

typedef struct fzi_match_result {
    fzi_pairs pairs;           /* of agent 0 */
    uint64_t games, plies, turns;
    uint64_t stopped;          /* games that `limit` ended; their ranks count all the same */
    /* of agent 0, by seat (0: it had the first side, and every second one after it) */
    uint64_t results[2][3];
    /* sums over pairs of what an average player of agent 0 gained beyond one of agent 1 */
    double payoff, payoff_squares;
    double ratio;              /* of the sequential test */
    int verdict;               /* fzi_sprt_verdict */
    double seconds;
} fzi_match_result;

/* The sides of a game: the number of the side of each player, in order of their first players.
 * Returns how many there are. */
unsigned fzi_match_sides(const fz_program *program, unsigned *side_of);
/* The agent that plays for the player in game number `game` of a match. */
unsigned fzi_match_agent(const unsigned *side_of, unsigned player, uint64_t game);

/* FZ_USAGE: the game has one side only. FZ_RUNTIME, FZ_REFUSED, or a status of `make`: a game or an
 * agent failed, and `message` (256 bytes) says why; `*failed` is then the number of the game. A
 * match that is stopped has the result of the pairs before the first one that is not finished. */
fz_status fzi_match_play(const fzi_match *match, fzi_match_result *result, uint64_t *failed,
                         char *message);

#endif
