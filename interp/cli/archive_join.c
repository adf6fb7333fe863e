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
#include <sqlite3.h>

typedef struct joining {
    const fzi_cli *cli;
    fzi_archive into, from;   /* `from`: the one that is read */
    sqlite3_stmt *insert;     /* a game */
    long long endings;        /* that the run has so far */
} joining;

static sqlite3_stmt *prepare(fzi_archive *a, const char *sql)
{
    sqlite3_stmt *s = NULL;

    if (sqlite3_prepare_v2(a->database, sql, -1, &s, NULL) != SQLITE_OK)
        fzi_archive_failed(a);
    return s;
}

/* Runs a statement without rows, and finalizes it. */
static bool run(fzi_archive *a, sqlite3_stmt *s)
{
    bool good = s && sqlite3_step(s) == SQLITE_DONE;

    if (s && !good)
        fzi_archive_failed(a);
    sqlite3_finalize(s);
    return good;
}

static bool run_text(fzi_archive *a, const char *sql)
{
    return run(a, prepare(a, sql));
}

/* Copies columns of a row to the parameters from `first` on. */
static void bind_columns(sqlite3_stmt *into, int first, sqlite3_stmt *row, int column, int count)
{
    for (int i = 0; i < count; i++)
        sqlite3_bind_value(into, first + i, sqlite3_column_value(row, column + i));
}

/* A row for each row; `sql` selects those of the run in `from`. */
static bool copy_rows(joining *j, const char *sql, bool (*copy)(joining *j, sqlite3_stmt *row))
{
    sqlite3_stmt *rows = prepare(&j->from, sql);
    int step = SQLITE_DONE;

    if (!rows)
        return false;
    sqlite3_bind_int64(rows, 1, j->from.run);
    while ((step = sqlite3_step(rows)) == SQLITE_ROW && copy(j, rows))
        ;
    if (step != SQLITE_DONE && step != SQLITE_ROW)
        fzi_archive_failed(&j->from);
    sqlite3_finalize(rows);
    return step == SQLITE_DONE;
}

static bool copy_source(joining *j, sqlite3_stmt *row)
{
    sqlite3_stmt *s = prepare(&j->into, "INSERT OR IGNORE INTO source VALUES(?, ?, ?, ?)");

    if (s)
        bind_columns(s, 1, row, 0, 4);
    return run(&j->into, s);
}

/* A reason that the run does not have yet. */
static bool copy_ending(joining *j, sqlite3_stmt *row)
{
    sqlite3_stmt *s = prepare(&j->into, "INSERT INTO ending SELECT ?1, ?2, ?3, ?4 WHERE NOT EXISTS "
                              "(SELECT 1 FROM ending WHERE run = ?1 AND kind = ?3 AND place = ?4)");

    if (s) {
        sqlite3_bind_int64(s, 1, j->into.run);
        sqlite3_bind_int64(s, 2, j->endings);
        bind_columns(s, 3, row, 0, 2);
    }
    if (!run(&j->into, s))
        return false;
    j->endings += sqlite3_changes(j->into.database);
    return true;
}

/* Columns: the game, its reason as kind and place, and the others. */
static bool copy_game(joining *j, sqlite3_stmt *row)
{
    sqlite3_stmt *s = j->insert;
    bool good;

    sqlite3_bind_int64(s, 1, j->into.run);
    bind_columns(s, 2, row, 0, 10);
    good = sqlite3_step(s) == SQLITE_DONE;
    if (!good)
        fzi_archive_failed(&j->into);
    sqlite3_reset(s);
    return good;
}

static bool copy_use(joining *j, sqlite3_stmt *row)
{
    sqlite3_stmt *s = prepare(&j->into, "INSERT INTO use VALUES(?, ?, ?)");

    if (s) {
        sqlite3_bind_int64(s, 1, j->into.run);
        bind_columns(s, 2, row, 0, 2);
    }
    return run(&j->into, s);
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
    static const char has_uses[] = "SELECT count(*) FROM sqlite_master WHERE name = 'use'";
    bool good = fzi_archive_open(&j->from, j->cli, shard->path, false) == FZ_EXIT_OK;

    j->from.run = shard->run;
    good = good && copy_rows(j, source, copy_source) && copy_rows(j, endings, copy_ending) &&
           copy_rows(j, games, copy_game);
    if (good && fzi_archive_number(&j->from, has_uses, 0))
        good = copy_rows(j, uses, copy_use);
    good = good && !j->from.failed;
    fzi_archive_close(&j->from);
    return good;
}

/* Does the archive have a run of this experiment? */
static bool is_there(joining *j, const json_t *experiment)
{
    sqlite3_stmt *s = prepare(&j->into, "SELECT experiment FROM run WHERE first = 1 AND count = ?");
    char text[FZI_DIFFERENCE_SIZE];
    bool found = false;

    if (!s)
        return false;
    sqlite3_bind_int64(s, 1, (sqlite3_int64)fzi_experiment_playouts(experiment));
    while (!found && sqlite3_step(s) == SQLITE_ROW) {
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
    sqlite3_stmt *s = prepare(&j->into, "INSERT INTO run(experiment, first, count, command, "
                              "started, ended) SELECT ?1, 1, ?2, ?3, t, t FROM (SELECT "
                              "strftime('%Y-%m-%dT%H:%M:%SZ') AS t)");
    char *text = json_dumps(shard->experiment, JSON_COMPACT | JSON_PRESERVE_ORDER);
    bool good;

    if (s) {
        sqlite3_bind_text(s, 1, text, -1, SQLITE_TRANSIENT);
        sqlite3_bind_int64(s, 2, (sqlite3_int64)fzi_experiment_playouts(shard->experiment));
        sqlite3_bind_text(s, 3, j->cli->line, -1, SQLITE_TRANSIENT);
    }
    good = run(&j->into, s);
    free(text);
    j->into.run = sqlite3_last_insert_rowid(j->into.database);
    j->insert = good ? prepare(&j->into, "INSERT INTO game SELECT ?1, ?2, ?3, ?4, ?5, ending, ?8, "
                               "?9, ?10, ?11 FROM ending WHERE run = ?1 AND kind = ?6 AND "
                               "place = ?7")
                     : NULL;
    return j->insert;
}

int fzi_archives_join(const fzi_cli *cli, const fzi_shard *shards, size_t count)
{
    joining j = {.cli = cli};
    int code = fzi_archive_open(&j.into, cli, cli->values[FZ_CLI_DB], true);
    bool good = code == FZ_EXIT_OK && run_text(&j.into, "BEGIN IMMEDIATE");

    if (good && is_there(&j, shards[0].experiment)) {
        good = false;
        fzi_cli_complain(cli, "%s already has this run", cli->values[FZ_CLI_DB]);
    }
    good = good && begin_run(&j, &shards[0]);
    for (size_t i = 0; good && i < count; i++)
        good = copy_run(&j, &shards[i]);
    sqlite3_finalize(j.insert);
    good = good && run_text(&j.into, "COMMIT");
    if (!good && j.into.database)
        sqlite3_exec(j.into.database, "ROLLBACK", NULL, NULL, NULL);
    fzi_archive_close(&j.into);
    return good ? FZ_EXIT_OK : FZ_EXIT_USAGE;
}

long long fzi_archive_find_run(const fzi_cli *cli, const char *path, const json_t *experiment,
                               long long after)
{
    fzi_archive a;
    char text[FZI_DIFFERENCE_SIZE];
    long long found = 0;
    sqlite3_stmt *s = fzi_archive_open(&a, cli, path, false) == FZ_EXIT_OK
                          ? prepare(&a, "SELECT run, experiment FROM run WHERE run > ?1 AND "
                                    "(?2 IS NULL OR seed = ?2) ORDER BY run") : NULL;

    if (s)
        sqlite3_bind_int64(s, 1, after);
    if (s && experiment)
        sqlite3_bind_text(s, 2, fzi_experiment_text(experiment, "seed"), -1, SQLITE_TRANSIENT);
    while (s && !found && sqlite3_step(s) == SQLITE_ROW) {
        const char *dump = (const char *)sqlite3_column_text(s, 1);
        json_t *other = experiment && dump ? json_loads(dump, 0, NULL) : NULL;
        if (!experiment || (other && !fzi_experiment_difference(other, experiment, text)))
            found = sqlite3_column_int64(s, 0);
        json_decref(other);
    }
    sqlite3_finalize(s);
    fzi_archive_close(&a);
    return found;
}

#else

long long fzi_archive_find_run(const fzi_cli *cli, const char *path, const json_t *experiment,
                               long long after)
{
    (void)cli, (void)path, (void)experiment, (void)after;
    return 0;
}

int fzi_archives_join(const fzi_cli *cli, const fzi_shard *shards, size_t count)
{
    fzi_archive archive;

    (void)shards, (void)count;
    return fzi_archive_open(&archive, cli, cli->values[FZ_CLI_DB], true);
}

#endif
