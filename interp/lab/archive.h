/* Archives of playouts: SQLite databases with a row for each game. docs/archive.md describes the
 * tables. */
#ifndef FZ_INTERP_LAB_ARCHIVE_H
#define FZ_INTERP_LAB_ARCHIVE_H

#include "interp/cli/playout_records.h"
#include "shard_file.h"

typedef struct fzi_archive {
    const fzi_cli *cli;
    const char *path;
    void *database;          /* sqlite3; NULL: not open */
    void *insert;            /* the statement that adds a game */
    const fz_program *program;
    fz_context *context;
    const char *script;      /* what records name as their game */
    const fz_state *from;    /* where the games begin; NULL */
    const fzi_wanted *wanted; /* games whose records are stored, with --records */
    const struct fzi_lines *lines; /* with these the use of the board is stored; NULL */
    void *insert_use;        /* the statement that adds it */
    long long run;
    uint64_t seed, first, count, done; /* the run's playouts, and how many the archive has */
    uint64_t pending;        /* of these in the open transaction */
    bool open;               /* a transaction is */
    bool failed;             /* and the complaint was made */
    double committed;        /* when, in seconds */
    struct fzi_archived_end *ends; /* the reasons of ends that the run has so far */
    size_t end_count;
} fzi_archive;

extern const char fzi_archive_in_memory[]; /* a path: the archive is gone when it is closed */
/* Opens the archive of a file, or makes one with `create`. An exit code; close it in any case. */
int fzi_archive_open(fzi_archive *archive, const fzi_cli *cli, const char *path, bool create);
/* Says what is wrong with the database; an exit code. */
int fzi_archive_failed(fzi_archive *archive);
void fzi_archive_close(fzi_archive *archive);

/* A statement with its first column as a number; `fallback` if there is no row, or after a
 * complaint (then the archive has failed). */
long long fzi_archive_number(fzi_archive *archive, const char *sql, long long fallback);

/* Begins the run of the shard's playouts, or continues it with --resume: then the shard's sums get
 * the playouts that the archive has, and `done` is their number. `from`: where the games begin;
 * NULL. `wanted`: of --records. An exit code. */
int fzi_archive_begin(fzi_archive *archive, fzi_session *session, const fz_state *from,
                      const fzi_wanted *wanted, fzi_shard *shard);
/* Takes a game that did not fail, and what it did with the board: counts by line and by site. They
 * are NULL if `lines` of the archive is. False: memory is short. */
typedef bool fzi_take_row(void *user, const fz_game_row *row, const uint32_t *line_steps,
                          const uint32_t *site_moves);
/* Adds the games that the archive has of `run` to the sums, and gives each to `take`, unless it is
 * NULL; `program`, `first` and `count` are those of the run, and `done`, which is 0, becomes their
 * number. An exit code. */
int fzi_archive_load(fzi_archive *archive, fz_sums *sums, fzi_take_row *take, void *user);
/* Takes the playouts of the run. */
fz_sink fzi_archive_sink(fzi_archive *archive);
/* Commits what was taken. An exit code. */
int fzi_archive_end(fzi_archive *archive);
/* Lets go of the run; the archive stays open for another one. */
void fzi_archive_end_run(fzi_archive *archive);

/* Adds the games of all runs of the experiment, such as those of all shards, to the sums, and gives
 * each of them to `take`, in the order of the games; `program` and `lines` are set. An exit
 * code. */
int fzi_archive_read(fzi_archive *archive, const json_t *experiment, fz_sums *sums,
                     fzi_take_row *take, void *user);
void fzi_archive_forget(fzi_archive *archive); /* frees what the run took; of fzi_archive_close */

#endif
