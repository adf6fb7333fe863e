/* Tables of an archive, for `ferz export`. Exit codes. Included only with SQLite. */
#ifndef FZ_CLI_PRINT_ARCHIVE_H
#define FZ_CLI_PRINT_ARCHIVE_H

#include "interp/lab/archive_rows.h"
#include "cli.h"

typedef struct fzi_exporter {
    const fzi_cli *cli;
    fz_archive archive;
    long long run;       /* of --run; 0: all */
    unsigned players;    /* of the run that has most */
    bool payoffs;        /* some run has them */
} fzi_exporter;

/* A statement about the runs, or the run, of this number. */
sqlite3_stmt *fzi_export_query(fzi_exporter *e, const char *sql, long long number);
/* The rows must have ended because there are no more. */
int fzi_export_finish(fzi_exporter *e, sqlite3_stmt *s);
const char *fzi_export_text(sqlite3_stmt *s, int column);

/* The list of runs as text, or runs and games in the format of the command line. */
int fzi_export_print(fzi_exporter *e);

#endif
