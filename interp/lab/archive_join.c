/* Joining archives. See archive.h. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "archive.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_SQLITE
#include "archive_rows.h"

typedef struct joining {
    fz_archive *into, from;  /* `from`: the one that is read */
    sqlite3_stmt *insert;     /* a game */
    long long endings;        /* that the run has so far */
    bool has_use;             /* the run gets the use of the board */
} joining;

/* Copies columns of a row to the parameters from `first` on. */
static void bind_columns(sqlite3_stmt *into, int first, sqlite3_stmt *row, int column, int count)
{
    for (int i = 0; i < count; i++)
        sqlite3_bind_value(into, first + i, sqlite3_column_value(row, column + i));
}

/* A row for each row; `sql` selects those of the run in `from`. */
static bool copy_rows(joining *j, const char *sql, bool (*copy)(joining *j, sqlite3_stmt *row))
{
    sqlite3_stmt *rows = fzi_archive_prepare(&j->from, sql);
    bool good = true;

    if (!rows)
        return false;
    sqlite3_bind_int64(rows, 1, j->from.run);
    while (good && fzi_archive_next(&j->from, rows))
        good = copy(j, rows);
    sqlite3_finalize(rows);
    return good && !j->from.failed;
}

static bool copy_source(joining *j, sqlite3_stmt *row)
{
    sqlite3_stmt *s = fzi_archive_prepare(j->into, "INSERT OR IGNORE INTO source VALUES(?, ?, ?, "
                                          "?)");

    if (s)
        bind_columns(s, 1, row, 0, 4);
    return fzi_archive_finish(j->into, s);
}

/* A reason that the run does not have yet. */
static bool copy_ending(joining *j, sqlite3_stmt *row)
{
    sqlite3_stmt *s = fzi_archive_prepare(
        j->into, "INSERT INTO ending SELECT ?1, ?2, ?3, ?4 WHERE NOT EXISTS (SELECT 1 FROM ending "
        "WHERE run = ?1 AND kind = ?3 AND place = ?4)");

    if (s) {
        sqlite3_bind_int64(s, 1, j->into->run);
        sqlite3_bind_int64(s, 2, j->endings);
        bind_columns(s, 3, row, 0, 2);
    }
    if (!fzi_archive_finish(j->into, s))
        return false;
    j->endings += sqlite3_changes(j->into->database);
    return true;
}

/* Columns: the game, its reason as kind and place, and the others. */
static bool copy_game(joining *j, sqlite3_stmt *row)
{
    sqlite3_stmt *s = j->insert;
    bool good;

    sqlite3_bind_int64(s, 1, j->into->run);
    bind_columns(s, 2, row, 0, 10);
    good = sqlite3_step(s) == SQLITE_DONE;
    if (!good)
        fzi_archive_failed(j->into);
    sqlite3_reset(s);
    return good;
}

static bool copy_use(joining *j, sqlite3_stmt *row)
{
    sqlite3_stmt *s = fzi_archive_prepare(j->into, "INSERT INTO use VALUES(?, ?, ?)");

    if (s) {
        sqlite3_bind_int64(s, 1, j->into->run);
        bind_columns(s, 2, row, 0, 2);
    }
    return fzi_archive_finish(j->into, s);
}

static bool copy_run(joining *j, const fzi_shard *shard)
{
    static const char source[] =
        "SELECT program, number, path, text FROM source WHERE program = (SELECT program FROM run "
        "WHERE run = ?) ORDER BY number";
    static const char endings[] =
        "SELECT kind, place FROM ending WHERE run = ? ORDER BY ending";
    static const char games[] =
        "SELECT game, decisions, turns, moves, kind, place, ranks, against, payoffs, record "
        "FROM played WHERE run = ? ORDER BY game";
    static const char uses[] = "SELECT game, use FROM use WHERE run = ? ORDER BY game";
    bool good = fzi_archive_open(&j->from, j->into->context, shard->path, false) == FZ_OK;

    j->from.run = shard->run;
    good = good && copy_rows(j, source, copy_source) && copy_rows(j, endings, copy_ending) &&
           copy_rows(j, games, copy_game);
    if (good && j->has_use)
        good = copy_rows(j, uses, copy_use);
    good = good && !j->from.failed;
    fzi_archive_clear(&j->from);
    return good;
}

/* Does the archive have a run of this experiment? */
static bool is_there(joining *j, const json_t *experiment)
{
    sqlite3_stmt *s = fzi_archive_prepare(j->into, "SELECT experiment FROM run WHERE first = 1 AND "
                                          "count = ?");
    char text[FZI_DIFFERENCE_SIZE];
    bool found = false;

    if (!s)
        return false;
    sqlite3_bind_int64(s, 1, (sqlite3_int64)fzi_experiment_playouts(experiment));
    while (!found && fzi_archive_next(j->into, s)) {
        const char *dump = (const char *)sqlite3_column_text(s, 0);
        json_t *other = dump ? json_loads(dump, 0, NULL) : NULL;
        found = other && !fzi_experiment_difference(other, experiment, text);
        json_decref(other);
    }
    sqlite3_finalize(s);
    return found;
}

static bool begin_run(joining *j, const fzi_shard *shard, const char *command)
{
    sqlite3_stmt *s = fzi_archive_prepare(
        j->into, "INSERT INTO run(experiment, first, count, command, started, ended) SELECT ?1, 1, "
        "?2, ?3, t, t FROM (SELECT strftime('%Y-%m-%dT%H:%M:%SZ') AS t)");
    json_t *experiment = json_copy(shard->experiment);
    char *text;
    bool good;

    if (!j->has_use)
        fzi_experiment_forget_use(experiment);
    text = json_dumps(experiment, JSON_COMPACT | JSON_PRESERVE_ORDER);
    json_decref(experiment);

    if (s) {
        sqlite3_bind_text(s, 1, text, -1, SQLITE_TRANSIENT);
        sqlite3_bind_int64(s, 2, (sqlite3_int64)fzi_experiment_playouts(shard->experiment));
        sqlite3_bind_text(s, 3, command, -1, SQLITE_TRANSIENT);
    }
    good = fzi_archive_finish(j->into, s);
    free(text);
    j->into->run = sqlite3_last_insert_rowid(j->into->database);
    if (good)
        j->insert = fzi_archive_prepare(
            j->into, "INSERT INTO game SELECT ?1, ?2, ?3, ?4, ?5, ending, ?8, ?9, ?10, ?11 FROM "
            "ending WHERE run = ?1 AND kind = ?6 AND place = ?7");
    return j->insert;
}

fz_status fzi_archives_join_begin(fz_archive *into, fz_context *context, const char *path)
{
    fz_status status = fzi_archive_open(into, context, path, true);

    return status == FZ_OK && !fzi_archive_do(into, "BEGIN IMMEDIATE") ? FZ_BAD_INPUT : status;
}

fz_status fzi_archives_join(fz_archive *into, const fzi_shard *shards, size_t count,
                            const char *command, size_t *without, size_t *with)
{
    joining j = {.into = into, .has_use = true};
    bool good = !is_there(&j, shards[0].experiment);

    *without = *with = 0;
    if (!good && !into->failed)
        fzi_context_fail(into->context, FZ_USAGE, "%s already has this run", into->path);
    /* A run has the use of the board of all its games or of none. */
    for (size_t i = 0; good && i < count; i++) {
        bool has_use = fzi_experiment_has_use(shards[i].experiment);
        j.has_use = j.has_use && has_use;
        *(has_use ? with : without) = i + 1;
    }
    if (!*with || !*without)
        *with = *without;
    good = good && !into->failed && begin_run(&j, &shards[0], command);
    for (size_t i = 0; good && i < count; i++)
        good = copy_run(&j, &shards[i]);
    sqlite3_finalize(j.insert);
    return good ? FZ_OK : FZ_BAD_INPUT;
}

fz_status fzi_archives_join_end(fz_archive *into, fz_status status)
{
    if (status == FZ_OK && !fzi_archive_do(into, "COMMIT"))
        status = FZ_BAD_INPUT;
    if (status != FZ_OK && into->database)
        sqlite3_exec(into->database, "ROLLBACK", NULL, NULL, NULL);
    fzi_archive_clear(into);
    return status;
}

fz_status fzi_archive_shard(fz_context *context, const char *path, uint64_t number,
                            fzi_shard *shard, fz_report **report)
{
    fzi_archived_run run;
    fz_status status = fzi_archived_open(&run, context, path, number);

    if (status == FZ_OK) {
        *shard = (fzi_shard){.path = path, .experiment = json_incref(run.experiment),
                             .first = run.archive.first, .count = run.archive.done,
                             .run = run.archive.run, .sums = run.sums};
        fz_sums_init(&run.sums, NULL, NULL); /* the shard has them now */
    }
    *report = run.report;
    run.report = NULL;
    fzi_archived_close(&run);
    return status;
}

long long fzi_archive_find_run(fz_context *context, const char *path, const json_t *experiment,
                               long long after)
{
    fz_archive a;
    char text[FZI_DIFFERENCE_SIZE];
    bool good = fzi_archive_open(&a, context, path, false) == FZ_OK;
    long long found = 0;
    sqlite3_stmt *s = good ? fzi_archive_prepare(&a, "SELECT run, experiment FROM run WHERE run > "
                                                 "?1 AND (?2 IS NULL OR seed = ?2) ORDER BY run")
                           : NULL;

    if (s)
        sqlite3_bind_int64(s, 1, after);
    if (s && experiment)
        sqlite3_bind_text(s, 2, fzi_experiment_text(experiment, "seed"), -1, SQLITE_TRANSIENT);
    while (!found && fzi_archive_next(&a, s)) {
        const char *dump = (const char *)sqlite3_column_text(s, 1);
        json_t *other = experiment && dump ? json_loads(dump, 0, NULL) : NULL;
        if (!experiment || (other && !fzi_experiment_difference(other, experiment, text)))
            found = sqlite3_column_int64(s, 0);
        json_decref(other);
    }
    sqlite3_finalize(s);
    good = good && !a.failed;
    fzi_archive_clear(&a);
    return good ? found : -1;
}

#else

long long fzi_archive_find_run(fz_context *context, const char *path, const json_t *experiment,
                               long long after)
{
    (void)context, (void)path, (void)experiment, (void)after;
    return 0;
}

fz_status fzi_archive_shard(fz_context *context, const char *path, uint64_t number,
                            fzi_shard *shard, fz_report **report)
{
    fz_archive archive;

    (void)number, (void)shard;
    *report = NULL;
    return fzi_archive_open(&archive, context, path, false);
}

fz_status fzi_archives_join_begin(fz_archive *into, fz_context *context, const char *path)
{
    return fzi_archive_open(into, context, path, true);
}

fz_status fzi_archives_join(fz_archive *into, const fzi_shard *shards, size_t count,
                            const char *command, size_t *without, size_t *with)
{
    (void)into, (void)shards, (void)count, (void)command, (void)without, (void)with;
    return FZ_REFUSED;
}

fz_status fzi_archives_join_end(fz_archive *into, fz_status status)
{
    (void)into;
    return status;
}

#endif
