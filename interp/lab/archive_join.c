/* Joining archives. See archive_join.h. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "archive_join.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool fzi_archive_is(const char *path)
{
    static const char begin[] = "SQLite format 3";
    char bytes[sizeof begin] = "";
    FILE *file = fopen(path, "rb");
    bool same = file && fread(bytes, 1, sizeof bytes, file) == sizeof bytes &&
                memcmp(bytes, begin, sizeof bytes) == 0;

    if (file)
        fclose(file);
    return same;
}

#ifdef HAVE_SQLITE
#include "archive_rows.h"

typedef struct joining {
    fzi_archive *into, from;  /* `from`: the one that is read */
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
    bool good = fzi_archive_open(&j->from, j->into->cli, shard->path, false) == FZ_EXIT_OK;

    j->from.run = shard->run;
    good = good && copy_rows(j, source, copy_source) && copy_rows(j, endings, copy_ending) &&
           copy_rows(j, games, copy_game);
    if (good && j->has_use)
        good = copy_rows(j, uses, copy_use);
    good = good && !j->from.failed;
    fzi_archive_close(&j->from);
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

static bool begin_run(joining *j, const fzi_shard *shard)
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
        sqlite3_bind_text(s, 3, j->into->cli->line, -1, SQLITE_TRANSIENT);
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

int fzi_archives_join_begin(fzi_archive *into, const fzi_cli *cli)
{
    int code = fzi_archive_open(into, cli, cli->values[FZ_CLI_DB], true);

    return code == FZ_EXIT_OK && !fzi_archive_do(into, "BEGIN IMMEDIATE") ? FZ_EXIT_USAGE : code;
}

/* A run has the use of the board of all its games or of none. Says if some is left out. */
static bool all_have_use(const fzi_shard *shards, size_t count)
{
    size_t with = 0, without = 0;

    for (size_t i = 0; i < count; i++)
        *(fzi_experiment_has_use(shards[i].experiment) ? &with : &without) = i + 1;
    if (with && without)
        fprintf(stderr, "%s lacks the use of the board, which %s has: it is left out, and no study "
                "can go on with these games\n", shards[without - 1].path, shards[with - 1].path);
    return !without;
}

int fzi_archives_join(fzi_archive *into, const fzi_shard *shards, size_t count)
{
    joining j = {.into = into};
    bool good = !is_there(&j, shards[0].experiment);

    if (!good)
        fzi_cli_complain(into->cli, "%s already has this run", into->path);
    j.has_use = good && all_have_use(shards, count);
    good = good && !into->failed && begin_run(&j, &shards[0]);
    for (size_t i = 0; good && i < count; i++)
        good = copy_run(&j, &shards[i]);
    sqlite3_finalize(j.insert);
    return good ? FZ_EXIT_OK : FZ_EXIT_USAGE;
}

int fzi_archives_join_end(fzi_archive *into, int code)
{
    if (code == FZ_EXIT_OK && !fzi_archive_do(into, "COMMIT"))
        code = FZ_EXIT_USAGE;
    if (code != FZ_EXIT_OK && into->database)
        sqlite3_exec(into->database, "ROLLBACK", NULL, NULL, NULL);
    fzi_archive_close(into);
    return code;
}

long long fzi_archive_find_run(const fzi_cli *cli, const char *path, const json_t *experiment,
                               long long after)
{
    fzi_archive a;
    char text[FZI_DIFFERENCE_SIZE];
    bool good = fzi_archive_open(&a, cli, path, false) == FZ_EXIT_OK;
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
    fzi_archive_close(&a);
    return good ? found : -1;
}

#else

long long fzi_archive_find_run(const fzi_cli *cli, const char *path, const json_t *experiment,
                               long long after)
{
    (void)cli, (void)path, (void)experiment, (void)after;
    return 0;
}

int fzi_archives_join_begin(fzi_archive *into, const fzi_cli *cli)
{
    return fzi_archive_open(into, cli, cli->values[FZ_CLI_DB], true);
}

int fzi_archives_join(fzi_archive *into, const fzi_shard *shards, size_t count)
{
    (void)into, (void)shards, (void)count;
    return FZ_EXIT_USAGE;
}

int fzi_archives_join_end(fzi_archive *into, int code)
{
    (void)into;
    return code;
}

#endif
