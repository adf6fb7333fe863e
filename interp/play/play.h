/* Games that deciders play, sums over them, and what matches are worth. */
#ifndef FZ_INTERP_PLAY_PLAY_H
#define FZ_INTERP_PLAY_PLAY_H

#include "interp/ferz_tools.h"
#include "interp/support/cancel.h"
#include "interp/vm/run.h"

/* ---- played_game.c ---- */

/* One game in which deciders choose: what playouts, matches and measures have in common. */

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
/* Empties sums, but keeps their room for reasons of ends. */
void fzi_sums_renew(fz_sums *sums);
/* Adds the lengths of so many games whose results have been counted; of fewer than 2^20 games, each
 * of fewer than 2^20 decisions. */
void fzi_sums_add_games(fz_sums *sums, const uint64_t *lengths, uint64_t count,
                        const fzi_games *games);
/* Adds them to the sums; the results stay known. False: memory is short. */
bool fzi_results_close(fzi_results *results, fz_sums *sums, const fz_program *program);

/* The middle of `total` numbers, of which of[i] are i; of two in the middle, their mean. */
double fzi_median(const uint64_t *of, uint64_t total);

/* ---- intervals.c ---- */

/* The games that count for shares: those that a rule ended. `playouts` leaves out failed games. */
static inline uint64_t fzi_finished(const fz_tally *tally)
{
    return tally->playouts - tally->stopped;
}

/* 95 % of a normal distribution lie within so many standard deviations of its mean. */
#define FZ_NORMAL_95 1.959963984540054
/* The same of Student's distribution, within 0.2 %. */
double fzi_student_95(double freedom);

/* A value and its 95 % interval. */
typedef struct fzi_estimate {
    double value, low, high;
} fzi_estimate;

/* A share of n, with Wilson's interval (Probable Inference, JASA 22, 1927), wider for one to three
 * hits or misses. */
fzi_estimate fzi_wilson(double share, double n);
/* The same of hits in a total; NAN if that is 0. */
fzi_estimate fzi_share_estimate(uint64_t hits, uint64_t total);
/* A number from 0 to 1 of which the squared standard error is known, from `count` games: Wilson's
 * interval, with as many hits and misses as have this error in Student's distribution (E. L. Korn,
 * B. I. Graubard, Survey Methodology 24, 1998). If all games are alike, the error is not known:
 * some may differ, as many as hits may be where there was none. NAN without a game. */
fzi_estimate fzi_part_estimate(double part, double squared_error, double count);
/* A mean, from the deviation of single values and their skewness (mean cube of the standardized
 * values): Student's interval, as P. Hall corrects it (JRSS B 54, 1992). NAN to NAN of one. */
fzi_estimate fzi_skewed_estimate(double mean, double deviation, double skewness, uint64_t count);
/* Student's interval. */
fzi_estimate fzi_mean_estimate(double mean, double deviation, uint64_t count);
fzi_estimate fzi_payoff_estimate(const fz_tally *tally, unsigned player);
/* The mean number of decisions; `tally`: of the sums. */
fzi_estimate fzi_decisions_estimate(const fz_sums *sums, const fz_tally *tally);
/* Where the line through independent estimates at three or more places x reaches x = 0: least
 * squares, weighted by the widths of the intervals. `*fit`: how probable a misfit as great as
 * theirs is on a line (chi-square). NAN if that is below 1 %, or an estimate has no interval or one
 * of width 0. */
fzi_estimate fzi_limit_estimate(const double *x, const fzi_estimate *y, unsigned count,
                                double *fit);
/* Second minus first, of independent estimates (Zou and Donner, 2008). Not finite if one is not. */
fzi_estimate fzi_estimate_difference(fzi_estimate first, fzi_estimate second);

/* Two-sided p values, of the hypothesis that there is no difference. Of two shares: Fisher's exact
 * test. Of a difference in its standard errors: Student's distribution; `freedom` of two errors, of
 * so many values each, is Welch's (Biometrika 34, 1947). 1 if freedom is not above 0. */
double fzi_exact_p(uint64_t hits, uint64_t total, uint64_t other_hits, uint64_t other_total);
double fzi_student_p(double t, double freedom);
double fzi_welch_freedom(double error, double count, double other_error, double other_count);

/* ---- rating.c ---- */

/* How strong players are, from the results of their games. Games come in pairs with exchanged seats
 * and the same chance, so a pair is what is counted: its two results depend on each other.
 *
 * Sources: A. E. Elo, 1978 (the scale: 400 points are odds of 10 to 1); A. Wald, Sequential
 * Analysis, 1947, and M. Van den Bergh, The Generalized Sequential Probability Ratio Test (GSPRT)
 * for pentanomial results, 2017 (when to stop); R. A. Bradley and M. E. Terry, Biometrika 39, 1952,
 * and D. R. Hunter, Annals of Statistics 32, 2004 (ratings of several players). */

/* The results of pairs of games for one of the two: counts[k] pairs brought k half points, 4 at
 * most. */
typedef struct fzi_pairs {
    uint64_t counts[5];
} fzi_pairs;

/* The difference in Elo at which a score is expected; infinite at 0 and 1. And the inverse. */
double fzi_elo_of_score(double score);
double fzi_score_of_elo(double elo);

/* The mean score of a game, from 0 to 1 (fzi_part_estimate, of pairs, since the games of a pair
 * depend on each other). NAN without a pair. */
fzi_estimate fzi_pairs_score(const fzi_pairs *pairs);
/* The same of single games that do not depend on each other: lost, drawn, won. */
fzi_estimate fzi_results_score(const uint64_t results[3]);
/* A score as a difference in Elo; bounds may be infinite. */
fzi_estimate fzi_elo_estimate(fzi_estimate score);

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
 * information; draws make them wider than they need be. NAN for players without a game. */
void fzi_ratings(unsigned count, double points[][FZ_MAX_RATED], double games[][FZ_MAX_RATED],
                 fzi_estimate *ratings);

/* ---- match.c ---- */

/* Two agents against each other with seats exchanged. Games 2k and 2k + 1 are a pair: they have the
 * same chance, and the agents change places. What is counted does not depend on the number of
 * threads, unless an agent has a time limit: pairs are counted in order, also where a sequential
 * test ends the match. */

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
} fzi_match_result;

/* The score of agent 0 (fzi_pairs_score); NAN if no rule ended a game. */
fzi_estimate fzi_match_score(const fzi_match_result *result);

/* `side_of`: of fzi_sides. The agent that plays for the player in game number `game` of a match. */
unsigned fzi_match_agent(const unsigned *side_of, unsigned player, uint64_t game);

/* FZ_USAGE: the game has one side only. FZ_RUNTIME, FZ_REFUSED, or a status of `make`: a game or an
 * agent failed, and `message` (256 bytes) says why; `*failed` is then the number of the game. A
 * match that is stopped has the result of the pairs before the first one that is not finished. */
fz_status fzi_match_play(const fzi_match *match, fzi_match_result *result, uint64_t *failed,
                         char *message);

#endif
