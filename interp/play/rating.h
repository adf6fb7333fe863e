/* How strong players are, from the results of their games. Games come in pairs with exchanged seats
 * and the same chance, so a pair is what is counted: its two results depend on each other.
 *
 * Sources: A. E. Elo, 1978 (the scale: 400 points are odds of 10 to 1);
 * E. B. Wilson, Probable Inference, JASA 22, 1927 (intervals); A. Wald, Sequential Analysis, 1947,
 * and M. Van den Bergh, The Generalized Sequential Probability Ratio Test (GSPRT) for pentanomial
 * results, 2017 (when to stop); R. A. Bradley and M. E. Terry, Biometrika 39, 1952, and
 * D. R. Hunter, Annals of Statistics 32, 2004 (ratings of several players). */
#ifndef FZ_INTERP_PLAY_RATING_H
#define FZ_INTERP_PLAY_RATING_H

#include <stdbool.h>
#include <stdint.h>

/* 95 % of a normal distribution lie within so many standard deviations of its mean. */
#define FZ_NORMAL_95 1.959963984540054

/* A value and its 95 % interval. */
typedef struct fzi_estimate {
    double value, low, high;
} fzi_estimate;

/* A share of n, with Wilson's interval. */
fzi_estimate fzi_wilson(double share, double n);

/* The results of pairs of games for one of the two: counts[k] pairs brought k half points, 4 at
 * most. */
typedef struct fzi_pairs {
    uint64_t counts[5];
} fzi_pairs;

/* The difference in Elo at which a score is expected; infinite at 0 and 1. And the inverse. */
double fzi_elo_of_score(double score);
double fzi_score_of_elo(double elo);

/* The mean score of a game, from 0 to 1: Wilson's interval, with as many games as would have the
 * variance that the pairs have. Without a pair: 1/2, from 0 to 1. */
fzi_estimate fzi_pairs_score(const fzi_pairs *pairs);
/* The same of single games that do not depend on each other: lost, drawn, won. */
fzi_estimate fzi_results_score(const uint64_t results[3]);
/* The score of pairs as a difference in Elo; bounds may be infinite. */
fzi_estimate fzi_pairs_elo(const fzi_pairs *pairs);
/* Second minus first, of independent estimates (Zou and Donner, 2008). Not finite if one is not. */
fzi_estimate fzi_estimate_difference(fzi_estimate first, fzi_estimate second);

/* A sequential test between two hypotheses about the difference in Elo. */
typedef struct fzi_sprt {
    double elo0, elo1;         /* elo0 < elo1 */
    double alpha, beta;        /* probabilities to accept elo1 wrongly, elo0 wrongly; in (0, 1/2) */
} fzi_sprt;
/* The logarithm of the likelihood ratio of elo1 to elo0. */
double fzi_sprt_ratio(const fzi_sprt *test, const fzi_pairs *pairs);
/* Where the test ends: below the first elo0 is accepted, above the second elo1. */
void fzi_sprt_bounds(const fzi_sprt *test, double *lower, double *upper);
/* -1: elo0 is accepted; 1: elo1; 0: not decided. */
int fzi_sprt_verdict(const fzi_sprt *test, const fzi_pairs *pairs);

enum { FZ_MAX_RATED = 16 };
/* Elo ratings with mean 0 of `count` players who score points[i][j] of games[i][j] against each
 * other: the most likely ones of the Bradley-Terry model, draws counted as half a win, with one
 * more draw for each two who have met, so that no rating is infinite. Intervals from the model's
 * information; draws make them wider than they need be. */
void fzi_ratings(unsigned count, double points[][FZ_MAX_RATED], double games[][FZ_MAX_RATED],
                 fzi_estimate *ratings);

#endif
