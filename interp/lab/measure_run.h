/* The games that `ferz measure` and `ferz report` play and measure: those of a script, or those of
 * a run in an archive, which are played again. */
#ifndef FZ_INTERP_LAB_MEASURE_RUN_H
#define FZ_INTERP_LAB_MEASURE_RUN_H

#include "interp/cli/session.h"
#include "measures_page.h"
#include "run_key.h"

#include "interp/measures/histogram.h"

typedef struct fzi_measure_run {
    fzi_session *session;
    struct fzi_archived_run *archived; /* NULL: the games of a script */
    const char *command;      /* which began the run of the archive; NULL */
    json_t *experiment;
    fzi_lines lines;
    fzi_measures_page page;
    fz_sums sums;             /* of the same games */
    uint64_t first, count;    /* which games were to be measured, from 0 */
    uint64_t wanted;          /* how many the run is to have */
    char part[128];           /* of --shard */
    bool wants_example;
    fz_record example;        /* the first of the games, in a run that wants one; else empty */
    fzi_histogram *payoffs;   /* by player, in such a run of a game with payoffs; else NULL */
} fzi_measure_run;

/* Opens the script or the archive of the command line, plays and measures the games, and calls
 * `tell` if some were measured, also after an interrupt or an error. `example`: a game without a
 * board has its first game as an example. An exit code. */
int fzi_measure_games(const fzi_cli *cli, bool example, int (*tell)(const fzi_measure_run *run));

#endif
