/* Statements of archives and what their rows hold, for the files that use SQLite. */
#ifndef FZ_INTERP_LAB_ARCHIVE_ROWS_H
#define FZ_INTERP_LAB_ARCHIVE_ROWS_H

#include "archive.h"

#include <sqlite3.h>

/* A reason for which games of the run ended. */
typedef struct fzi_archived_end {
    fz_ending kind;
    uint32_t place;     /* of the program */
    char *text;         /* the place, or the message of an error */
} fzi_archived_end;

/* NULL after a failure. */
sqlite3_stmt *fzi_archive_prepare(fz_archive *archive, const char *sql);
/* Goes to the next row. False: there is none, or, after a failure, the archive has failed
 * (`archive->failed`). `statement` may be NULL: preparing it has failed. */
bool fzi_archive_next(fz_archive *archive, sqlite3_stmt *statement);
/* Runs a statement that gives no rows, and finalizes it. False after a failure. */
bool fzi_archive_finish(fz_archive *archive, sqlite3_stmt *statement);
/* Runs statements that give no rows. False after a failure. */
bool fzi_archive_do(fz_archive *archive, const char *sql);

/* Adds a reason to those of the run. False: memory is short. */
bool fzi_archive_add_end(fz_archive *archive, fz_ending kind, uint32_t place, const char *text);

#endif
