/* Archives of playouts: SQLite databases with a row for each game. docs/archive.md describes the
 * tables. The public functions, studies, measures and the command `ferz` use them. */
#ifndef FZ_INTERP_LAB_ARCHIVE_H
#define FZ_INTERP_LAB_ARCHIVE_H

#include "run_key.h"
#include "shard_file.h"

#include <pthread.h>

struct fz_archive {
    fz_context *context;      /* has the message of what failed */
    char *path;               /* of the context's allocator */
    void *database;           /* sqlite3; NULL: not open */
    void *insert;             /* the statement that adds a game */
    fzi_setup setup;          /* of the run */
    const fz_program *program; /* the same program; also for reading only */
    fzi_wanted wanted;        /* games whose records are stored */
    const struct fzi_lines *lines; /* with these the use of the board is stored; NULL */
    void *insert_use;         /* the statement that adds it */
    long long run;
    uint64_t first, count, done; /* the run's playouts, and how many the archive has */
    uint64_t pending;         /* of these in the open transaction */
    bool open;                /* a transaction is */
    bool failed;              /* the context has the message */
    double committed;         /* when, in seconds */
    struct fzi_archived_end *ends; /* the reasons of ends that the run has so far */
    size_t end_count;
};

extern const char fzi_archive_in_memory[]; /* a path: the archive is gone when it is closed */
/* Is the file an SQLite database? */
bool fzi_archive_is(const char *path);
/* Opens the archive of a file, or makes one with `create`. Close it in any case. */
fz_status fzi_archive_open(fz_archive *archive, fz_context *context, const char *path, bool create);
/* Sets the message to the database's; returns FZ_BAD_INPUT. */
fz_status fzi_archive_failed(fz_archive *archive);
/* Forgets the run; the archive stays open for another one. */
void fzi_archive_end_run(fz_archive *archive);
void fzi_archive_forget(fz_archive *archive); /* frees the reasons of ends only */
void fzi_archive_clear(fz_archive *archive);

/* A statement with its first column as a number; `fallback` if there is no row, or after a failure
 * (then the archive has failed). */
long long fzi_archive_number(fz_archive *archive, const char *sql, long long fallback);

/* ---- archive_write.c ---- */

/* Begins the run of the shard's playouts, or continues it with options.resume: then the shard's
 * sums get the playouts that the archive has, and `done` is their number. */
fz_status fzi_archive_begin(fz_archive *archive, const fzi_setup *setup, fzi_shard *shard);
/* Takes the playouts of the run. */
fz_sink fzi_archive_sink(fz_archive *archive);
/* Commits what was taken. */
fz_status fzi_archive_end(fz_archive *archive);

/* ---- archive_read.c ---- */

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
    size_t length;
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
    /* Of fzi_archived_lineup: */
    pthread_mutex_t lock;
    void *records;            /* sqlite3_stmt */
} fzi_archived_run;

/* Opens run number `number` of the archive; 0: its only run. Close it in any case. */
fz_status fzi_archived_open(fzi_archived_run *run, fz_context *context, const char *path,
                            uint64_t number);
void fzi_archived_close(fzi_archived_run *run);
/* Players that play the games of the run from their records; `run->recorded`. */
fz_lineup fzi_archived_lineup(fzi_archived_run *run);

/* ---- archive_join.c: the runs of shards, in one archive as one run ---- */

/* The first run of the archive after number `after`, of the experiment if it is not NULL; 0 if
 * there is none, -1 after a failure. */
long long fzi_archive_find_run(fz_context *context, const char *path, const json_t *experiment,
                               long long after);
/* The games of run number `number` that the archive has, as a shard; 0: its only run. `*report`:
 * as fzi_setup_compile. */
fz_status fzi_archive_shard(fz_context *context, const char *path, uint64_t number,
                            fzi_shard *shard, fz_report **report);
/* Opens the archive `into` and begins a transaction. End it in any case. */
fz_status fzi_archives_join_begin(fz_archive *into, fz_context *context, const char *path);
/* Adds the games of these shards, each of which is run number `run` of the archive `path`, as one
 * run. They are complete and in order (fzi_shards_join). `command`: what the run names as the
 * command that made it. `*without` and `*with` get the numbers of two shards, only the second of
 * which has the use of the board, so that it is left out; equal numbers: nothing is left out. */
fz_status fzi_archives_join(fz_archive *into, const fzi_shard *shards, size_t count,
                            const char *command, size_t *without, size_t *with);
/* Commits all runs if `status`, the result of what came before, is FZ_OK; otherwise none was added.
 * Closes the archive. */
fz_status fzi_archives_join_end(fz_archive *into, fz_status status);

#endif
