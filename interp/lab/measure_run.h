/* Games that are played and measured: those of a setup, or those of a run in an archive, which are
 * played again. `ferz measure`, `ferz report` and fz_measure call it. */
#ifndef FZ_INTERP_LAB_MEASURE_RUN_H
#define FZ_INTERP_LAB_MEASURE_RUN_H

#include "archive.h"
#include "measures_page.h"

#include "interp/measures/histogram.h"

typedef struct fzi_measure_run {
    fz_measure_options options; /* set these before the games are played */
    bool wants_example;
    fzi_setup setup;          /* borrowed */
    fzi_archived_run *archived; /* NULL: the games of a script */
    const char *command;      /* that began the run of the archive; NULL */
    json_t *experiment;
    fzi_lines lines;
    fzi_measures_page page;
    fz_sums sums;             /* of the same games */
    uint64_t first, count;    /* the games that were to be measured, from 0 */
    uint64_t wanted;          /* how many the run is to have */
    char part[128];           /* which shard it is, or "" */
    bool stored;              /* the games were not played: an archive had their rows */
    bool stopped;             /* by the watch */
    /* The first of the games, if it is wanted: the board of other games says more. Else empty. */
    fz_record example;
    fzi_histogram *payoffs;   /* by player, if an example is wanted; NULL: no payoffs */
} fzi_measure_run;

/* Plays and measures the games of the setup, which has begun. Clear the run in any case: also after
 * a failure some games may be measured. */
fz_status fzi_measure_play(fzi_measure_run *run, const fzi_setup *setup);
/* Plays the games of the archive again; makes machine and state of `archived->setup`. With
 * `run->stored` set, measures their rows instead. */
fz_status fzi_measure_archived(fzi_measure_run *run, fzi_archived_run *archived);
/* Are there measures to report? */
bool fzi_measure_has_page(const fzi_measure_run *run, fz_status status);
void fzi_measure_clear(fzi_measure_run *run);

#endif
