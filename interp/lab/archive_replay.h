/* A run of an archive, opened as if it was to be played again: its game is compiled from the texts
 * that the archive has, and no file is read. */
#ifndef FZ_INTERP_LAB_ARCHIVE_REPLAY_H
#define FZ_INTERP_LAB_ARCHIVE_REPLAY_H

#include "archive.h"

#include <pthread.h>

typedef struct fzi_archived_text {
    char *path, *text;
    size_t length;
} fzi_archived_text;

typedef struct fzi_archived_run {
    fzi_archive archive;
    fzi_cli cli;              /* the command line, with what the run was begun with */
    fzi_session session;      /* of this command line */
    json_t *experiment;
    char *command;            /* the command line that began it */
    fzi_archived_text *texts;
    size_t text_count;
    bool recorded;            /* all its games have records */
    fz_sums sums;             /* of its games */
    /* Of fzi_archived_cast: */
    pthread_mutex_t lock;
    void *records;            /* sqlite3_stmt */
} fzi_archived_run;

/* Opens run number `number` of the archive; 0: its only run. An exit code; close it in any case. */
int fzi_archived_open(fzi_archived_run *run, const fzi_cli *cli, const char *path,
                      uint64_t number);
void fzi_archived_close(fzi_archived_run *run);

/* Players that play the games of the run from their records; `run->recorded`. */
fz_lineup fzi_archived_cast(fzi_archived_run *run);

#endif
