/* Plays games and measures them, in threads. */
#ifndef FZ_INTERP_MEASURES_MEASURE_GAMES_H
#define FZ_INTERP_MEASURES_MEASURE_GAMES_H

#include "histogram.h"
#include "interp/ferz_tools.h"
#include "measures.h"

typedef struct fzi_measuring {
    fz_playout_options sample;          /* the games: those of fz_playouts_run */
    unsigned rollouts;         /* random games from each turn on, for prospects; 0: none */
    /* Who plays the games for the influence of chance, four for each game; NULL: it is not
     * measured. The players must have streams of their own. */
    const fz_lineup *influence;
    /* By player: the payoffs of the games that are in the sums of the sample, and that `limit` did
     * not stop, are added. NULL: nobody asks. */
    fzi_histogram *payoffs;
} fzi_measuring;

/* Measures the games into `measures`, which is empty and has prospects if there are rollouts, and
 * adds them to the sums of the sample, if it has some. FZ_RUNTIME: some failed, the first of them
 * is game number `*failed` and `message` (256 bytes) says why; the measures are those of the
 * others. If a player could not be made, the status is that of its lineup. */
fz_status fzi_measure(const fzi_measuring *task, const fzi_lines *lines, fzi_measures *measures,
                      uint64_t *failed, char *message);

#endif
