/* The games that `ferz measure` and `ferz report` play and measure. */
#ifndef FZ_CLI_MEASURE_RUN_H
#define FZ_CLI_MEASURE_RUN_H

#include "measures_output.h"

typedef struct fzi_measure_run {
    fzi_session *session;
    json_t *experiment;
    fzi_lines lines;
    fzi_measures_page page;
    fz_sums sums;             /* of the same games */
    uint64_t first, count;    /* which games, from 0 */
} fzi_measure_run;

/* Plays and measures games first .. first + count - 1 of the session, with its agents. An exit
 * code, after a complaint; page and sums then have the games that were played. Clear it in any
 * case. */
int fzi_measure_run_play(fzi_measure_run *run, fzi_session *session, uint64_t first,
                         uint64_t count);
void fzi_measure_run_clear(fzi_measure_run *run);

#endif
