/* Archives of playouts: SQLite databases with a row for each game. docs/archive.md describes the
 * tables. The public functions, studies, measures and the command `ferz` use them. */
#ifndef FZ_INTERP_LAB_ARCHIVE_H
#define FZ_INTERP_LAB_ARCHIVE_H

#include "run_key.h"
#include "shard_file.h"

#include <pthread.h>
#include <sqlite3.h>

/* A reason for which games of the run ended. */
typedef struct fzi_archived_end {
    fz_ending kind;
    uint32_t place;     /* of the program */
    char *text;         /* the place, or the message of an error */
} fzi_archived_end;

struct fz_archive {
    fz_context *context;      /* has the message of what failed */
    char *path;               /* of the context's allocator */
    sqlite3 *database;        /* NULL: not open */
    sqlite3_stmt *insert;     /* adds a game */
    fzi_setup setup;          /* of the run */
    const fz_program *program; /* the same program; also for reading only */
    fzi_wanted wanted;        /* games whose records are stored */
    const struct fzi_lines *lines; /* with these the use of the board is stored; NULL */
    sqlite3_stmt *insert_use; /* adds it */
    long long run;
    uint64_t first, count, done; /* the run's playouts, and how many the archive has */
    uint64_t pending;         /* of these in the open transaction */
    bool open;                /* a transaction is */
    bool failed;              /* the context has the message */
    double committed;         /* when, in seconds */
    fzi_archived_end *ends;   /* the reasons of ends that the run has so far */
    size_t end_count;
};

extern const char fzi_archive_in_memory[]; /* a path: the archive is gone when it is closed */
/* Is the file an SQLite database? */
bool fzi_archive_is(const char *path);
/* Opens the archive of a file, or makes one with `create`. Close it in any case. */
fz_status fzi_archive_open(fz_archive *archive, fz_context *context, const char *path, bool create);
/* Sets the message to the database's; returns FZ_BAD_INPUT. */
fz_status fzi_archive_failed(fz_archive *archive);
/* Sets the message, which begins with the path; returns the status. */
fz_status fzi_archive_say(fz_archive *archive, fz_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Forgets the run; the archive stays open for another one. */
void fzi_archive_end_run(fz_archive *archive);
void fzi_archive_forget(fz_archive *archive); /* frees the reasons of ends only */
void fzi_archive_clear(fz_archive *archive);

/* Prepares a statement and binds its parameters, the first of which `types` has a letter for: 'i' a
 * long long, 'n' a const int64_t * or NULL, 't' a text or NULL. NULL after a failure. */
sqlite3_stmt *fzi_archive_query(fz_archive *archive, const char *sql, const char *types, ...);
/* Goes to the next row. False: there is none, or, after a failure, the archive has failed
 * (`archive->failed`). `statement` may be NULL: preparing it has failed. */
bool fzi_archive_next(fz_archive *archive, sqlite3_stmt *statement);
/* Runs a statement that gives no rows. False after a failure. */
bool fzi_archive_run(fz_archive *archive, const char *sql, const char *types, ...);
/* The same of a statement that is prepared, which can be run again. */
bool fzi_archive_rerun(fz_archive *archive, sqlite3_stmt *statement, const char *types, ...);
/* Runs statements without parameters. False after a failure. */
bool fzi_archive_do(fz_archive *archive, const char *sql);
/* Ends a transaction: commits if `status` is FZ_OK, otherwise rolls back. */
fz_status fzi_archive_commit(fz_archive *archive, fz_status status);
/* A statement with its first column as a number; `fallback` if there is no row, or after a failure
 * (then the archive has failed). */
long long fzi_archive_number(fz_archive *archive, const char *sql, long long fallback);
/* The columns of a row: a text, "" if it is NULL; JSON, which the caller releases, or NULL. */
const char *fzi_archive_text(sqlite3_stmt *row, int column);
json_t *fzi_archive_json(sqlite3_stmt *row, int column);

/* The first run after number `after` that is one of the experiment, unless that is NULL, and of
 * `count` games from number `first` on, unless that is 0. 0: there is none, -1 after a failure. */
long long fzi_archive_find(fz_archive *archive, const json_t *experiment, long long after,
                           uint64_t first, uint64_t count);

/* ---- archive_write.c ---- */

/* Begins the run of the shard's playouts, or continues it with options.resume: then the shard's
 * sums get the playouts that the archive has, and `done` is their number. */
fz_status fzi_archive_begin(fz_archive *archive, const fzi_setup *setup, fzi_shard *shard);
/* Takes the playouts of the run. */
fz_sink fzi_archive_sink(fz_archive *archive);
/* Commits what was taken. */
fz_status fzi_archive_end(fz_archive *archive);
/* Plays the shard's games that the archive does not have, or all if that is NULL, adds them to its
 * sums, and commits. FZ_RUNTIME: games failed. */
fz_status fzi_shard_play(const fzi_setup *setup, const fz_lineup *lineup, fz_archive *archive,
                         fzi_shard *shard, fz_tally *tally);

/* ---- archive_read.c ---- */

/* Adds a reason to those of the run. False: memory is short. */
bool fzi_archive_add_end(fz_archive *archive, fz_ending kind, uint32_t place, const char *text);

/* Takes a game that did not fail, and what it did with the board: counts by line and by site. They
 * are NULL if `lines` of the archive is. False: memory is short. */
typedef bool fzi_take_row(void *user, const fz_game_row *row, const uint32_t *line_steps,
                          const uint32_t *site_moves);
/* Adds the games that the archive has of `run` to the sums, and gives each to `take`, unless it is
 * NULL; `program`, `first` and `count` are those of the run, and `done`, which is 0, becomes their
 * number. */
fz_status fzi_archive_load(fz_archive *archive, fz_sums *sums, fzi_take_row *take, void *user);
/* Adds the games of all runs of the experiment, such as those of all shards, to the sums, and gives
 * each of them to `take`, in the order of the games; `program` and `lines` are set. */
fz_status fzi_archive_read(fz_archive *archive, const json_t *experiment, fz_sums *sums,
                           fzi_take_row *take, void *user);
/* Gives each run of the archive, or with `games` each game, to `take` as an object with the columns
 * of the table; only those of the run, unless it is 0. */
fz_status fzi_archive_list(fz_archive *archive, bool games, uint64_t run,
                           void (*take)(void *user, json_t *row), void *user);

/* ---- archive_replay.c: a run, opened to be played again ---- */

typedef struct fzi_archived_text {
    char *path, *text;
} fzi_archived_text;

/* Its game is compiled from the texts that the archive has, and no file is read. */
typedef struct fzi_archived_run {
    fz_archive archive;
    fzi_experiment_options options; /* with which the run began */
    fzi_setup setup;          /* of this run, without machine and state */
    json_t *experiment;
    char *command;            /* that began it */
    fzi_archived_text *texts;
    size_t text_count;
    bool recorded;            /* all its games have records */
    fz_sums sums;             /* of its games */
    fz_report *report;        /* why the texts cannot be compiled; NULL */
    /* What the context had before; it reads the archive's texts while the run is open. */
    bool lends;
    fz_overlay *overlay;
    void *overlay_user;
    fz_limits limits;
    pthread_mutex_t lock;     /* of the players of fzi_archived_lineup */
} fzi_archived_run;

/* Opens run number `number` of the archive; 0: its only run. Close it in any case. */
fz_status fzi_archived_open(fzi_archived_run *run, fz_context *context, const char *path,
                            uint64_t number);
void fzi_archived_close(fzi_archived_run *run);
/* Players that play the games of the run from their records; `run->recorded`. */
fz_lineup fzi_archived_lineup(fzi_archived_run *run);

/* ---- archive_join.c: fz_archives_join, and its parts ---- */

/* The number of runs; -1 after a failure. */
long long fzi_archive_count(fz_context *context, const char *path);
/* The games of run number `number` that the archive has, as a shard; 0: its only run. `*report`:
 * as fzi_setup_compile. */
fz_status fzi_archive_shard(fz_context *context, const char *path, uint64_t number,
                            fzi_shard *shard, fz_report **report);
/* Adds the games of these shards, each of which is a run of an archive, as one run. They are
 * complete and in order (fzi_shards_join). As fz_archives_join. */
fz_status fzi_archive_join(fz_archive *into, const fzi_shard *shards, size_t count,
                           const char *command);

#endif
