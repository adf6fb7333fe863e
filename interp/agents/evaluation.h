/* How good a position is for a player, from what its pieces are worth. A piece is worth the mean
 * number of moves that a piece of its kind has in random games; so values need no table that
 * somebody wrote for one game. */
#ifndef FZ_INTERP_AGENTS_EVALUATION_H
#define FZ_INTERP_AGENTS_EVALUATION_H

#include "agent.h"

typedef struct fzi_evaluation {
    double kinds[256];      /* by kind: the value of one piece */
    double unit;            /* of an average piece on the board */
    double low, high;       /* payoffs seen so far in this game; low > high: none */
    double first_low, first_high; /* before the game */
    double total;           /* of all pieces of the first positions; never 0 */
} fzi_evaluation;

/* Plays some random games with streams of its own: the result depends on the program only. */
fz_status fzi_evaluation_make(fz_agent *agent, fzi_evaluation *evaluation);

/* A game begins: what was seen in earlier ones does not count, so that a game does not depend on
 * them. */
void fzi_evaluation_begin(fzi_evaluation *evaluation);

/* What the pieces of the player's side are worth, and all others. */
void fzi_evaluation_count(const fzi_evaluation *evaluation, const fz_state *state, int player,
                          double *own, double *others);
/* Material of the player's side minus the mean of the other sides' material. */
double fzi_evaluation_material(const fzi_evaluation *evaluation, const fz_state *state, int player);

/* The utility of the player, from 0 to 1: when the game is over, from the player's rank or, if the
 * game has payoffs, the place of its payoff between the least and the greatest seen so far; else an
 * estimate. */
double fzi_evaluation_utility(fz_agent *agent, fzi_evaluation *evaluation, const fz_state *state,
                              int player);

#endif
