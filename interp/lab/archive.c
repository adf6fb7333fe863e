/* Opening archives, and running statements. See lab.h. */
#include "lab.h"
#include "sqlite.h"

#include <sys/stat.h>
#include <unistd.h>

#include "interp/agents/agent.h"

const char fzi_archive_in_memory[] = ":memory:";

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

enum { APPLICATION = 1181053562 /* "Ferz" */, SCHEMA = 2, WAIT_MS = 60000 };

/* docs/archive.md describes these tables. Games are numbered from 1. */
static const char schema[] =
    "PRAGMA application_id = 1181053562; PRAGMA user_version = 2;\n"
    "CREATE TABLE source(\n"
    "  program TEXT NOT NULL, number INTEGER NOT NULL, path TEXT NOT NULL, text TEXT NOT NULL,\n"
    "  checksum INTEGER NOT NULL, PRIMARY KEY(program, number)) WITHOUT ROWID;\n"
    "CREATE TABLE run(\n"
    "  run INTEGER PRIMARY KEY, experiment TEXT NOT NULL,\n"
    "  first INTEGER NOT NULL, count INTEGER NOT NULL, records TEXT,\n"
    "  command TEXT NOT NULL, started TEXT NOT NULL, ended TEXT,\n"
    "  checksum INTEGER,\n"
    "  game TEXT AS (json_extract(experiment, '$.game')),\n"
    "  program TEXT AS (json_extract(experiment, '$.program')),\n"
    "  version TEXT AS (json_extract(experiment, '$.ferz')),\n"
    "  options TEXT AS (json_extract(experiment, '$.options')),\n"
    "  agents TEXT AS (json_extract(experiment, '$.agents')),\n"
    "  seed TEXT AS (json_extract(experiment, '$.seed')),\n"
    "  playouts INTEGER AS (json_extract(experiment, '$.playouts')));\n"
    "CREATE TABLE ending(\n"
    "  run INTEGER NOT NULL, ending INTEGER NOT NULL, kind TEXT NOT NULL, place TEXT NOT NULL,\n"
    "  checksum INTEGER NOT NULL, PRIMARY KEY(run, ending)) WITHOUT ROWID;\n"
    "CREATE TABLE game(\n"
    "  run INTEGER NOT NULL, game INTEGER NOT NULL, decisions INTEGER NOT NULL,\n"
    "  turns INTEGER NOT NULL, moves INTEGER, ending INTEGER NOT NULL, ranks TEXT,\n"
    "  against INTEGER, payoffs TEXT, record TEXT,\n"
    "  checksum INTEGER NOT NULL, PRIMARY KEY(run, game)) WITHOUT ROWID;\n"
    "CREATE TABLE use(\n"
    "  run INTEGER NOT NULL, game INTEGER NOT NULL, use TEXT NOT NULL,\n"
    "  checksum INTEGER NOT NULL, PRIMARY KEY(run, game)) WITHOUT ROWID;\n"
    "CREATE VIEW result AS\n"
    "  SELECT g.run AS run, g.game AS game, r.key + 1 AS player,\n"
    "    json_extract(n.experiment, '$.players[' || r.key || ']') AS name, r.value AS rank,\n"
    "    json_extract(g.payoffs, '$[' || r.key || ']') AS payoff\n"
    "  FROM game g JOIN run n ON n.run = g.run, json_each(g.ranks) r;\n"
    "CREATE VIEW played AS\n"
    "  SELECT g.run AS run, g.game AS game, g.decisions AS decisions, g.turns AS turns,\n"
    "    g.moves AS moves, e.kind AS kind, e.place AS place, g.ranks AS ranks,\n"
    "    g.against AS against, g.payoffs AS payoffs, g.record AS record\n"
    "  FROM game g JOIN ending e ON e.run = g.run AND e.ending = g.ending;\n";

/* ---- failures ---- */

fz_status fzi_archive_say(fz_archive *a, fz_status status, const char *format, ...)
{
    char text[600];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return fzi_context_fail(a->context, status, "%s: %s", a->path, text);
}

fz_status fzi_archive_failed(fz_archive *a)
{
    int code = sqlite3_errcode(a->database);
    const char *what = sqlite3_errmsg(a->database);

    if (a->failed)
        return FZ_BAD_INPUT;
    a->failed = true;
    if (code == SQLITE_NOTADB)
        return fzi_archive_say(a, FZ_BAD_INPUT, "this is not an archive of playouts");
    if (code == SQLITE_CORRUPT || code == SQLITE_SCHEMA)
        return fzi_archive_say(a, FZ_BAD_INPUT, "the archive is damaged (%s)", what);
    a->changed = code == SQLITE_CONSTRAINT;
    if (a->changed)
        return fzi_archive_say(a, FZ_BAD_INPUT,
                               "another program has changed the archive meanwhile");
    return fzi_archive_say(a, FZ_BAD_INPUT, "%s", what);
}

/* ---- statements ---- */

static void bind(sqlite3_stmt *s, const char *types, va_list arguments)
{
    for (int i = 1; types[i - 1]; i++) {
        const int64_t *number;
        switch (types[i - 1]) {
        case 'i': sqlite3_bind_int64(s, i, va_arg(arguments, long long)); break;
        case 't':
            sqlite3_bind_text(s, i, va_arg(arguments, const char *), -1, SQLITE_TRANSIENT);
            break;
        default:
            number = va_arg(arguments, const int64_t *);
            if (number)
                sqlite3_bind_int64(s, i, *number);
            else
                sqlite3_bind_null(s, i);
        }
    }
}

static sqlite3_stmt *prepare(fz_archive *a, const char *sql, const char *types, va_list arguments)
{
    sqlite3_stmt *s = NULL;

    if (sqlite3_prepare_v2(a->database, sql, -1, &s, NULL) == SQLITE_OK)
        bind(s, types, arguments);
    else
        fzi_archive_failed(a);
    return s;
}

sqlite3_stmt *fzi_archive_query(fz_archive *a, const char *sql, const char *types, ...)
{
    va_list arguments;

    va_start(arguments, types);
    sqlite3_stmt *s = prepare(a, sql, types, arguments);
    va_end(arguments);
    return s;
}

bool fzi_archive_next(fz_archive *a, sqlite3_stmt *statement)
{
    int step = statement ? sqlite3_step(statement) : SQLITE_DONE;

    if (step != SQLITE_ROW && step != SQLITE_DONE)
        fzi_archive_failed(a);
    return step == SQLITE_ROW;
}

/* Runs a statement that is prepared, or NULL. */
static bool finish(fz_archive *a, sqlite3_stmt *s)
{
    bool good = s && sqlite3_step(s) == SQLITE_DONE;

    if (s && !good)
        fzi_archive_failed(a);
    return good;
}

bool fzi_archive_run(fz_archive *a, const char *sql, const char *types, ...)
{
    va_list arguments;

    va_start(arguments, types);
    sqlite3_stmt *s = prepare(a, sql, types, arguments);
    va_end(arguments);
    bool good = finish(a, s);
    sqlite3_finalize(s);
    return good;
}

bool fzi_archive_rerun(fz_archive *a, sqlite3_stmt *s, const char *types, ...)
{
    va_list arguments;

    va_start(arguments, types);
    bind(s, types, arguments);
    va_end(arguments);
    bool good = finish(a, s);
    sqlite3_reset(s);
    return good;
}

bool fzi_archive_do(fz_archive *a, const char *sql)
{
    if (sqlite3_exec(a->database, sql, NULL, NULL, NULL) == SQLITE_OK)
        return true;
    fzi_archive_failed(a);
    return false;
}

fz_status fzi_archive_commit(fz_archive *a, fz_status status)
{
    if (status == FZ_OK && !fzi_archive_do(a, "COMMIT"))
        status = FZ_BAD_INPUT;
    if (status != FZ_OK)
        sqlite3_exec(a->database, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

long long fzi_archive_number(fz_archive *a, const char *sql, long long fallback)
{
    sqlite3_stmt *s = fzi_archive_query(a, sql, "");
    long long number = fzi_archive_next(a, s) ? sqlite3_column_int64(s, 0) : fallback;

    sqlite3_finalize(s);
    return number;
}

const char *fzi_archive_text(sqlite3_stmt *row, int column)
{
    const char *text = (const char *)sqlite3_column_text(row, column);

    return text ? text : "";
}

json_t *fzi_archive_json(sqlite3_stmt *row, int column)
{
    return json_loads(fzi_archive_text(row, column), 0, NULL);
}

long long fzi_archive_find(fz_archive *a, const json_t *experiment, long long after,
                           uint64_t first, uint64_t count)
{
    sqlite3_stmt *s = fzi_archive_query(
        a, "SELECT run, experiment FROM run WHERE run > ?1 AND (?2 IS NULL OR seed IS NULL OR "
        "seed = ?2) AND (?3 = 0 OR (first = ?3 AND count = ?4)) ORDER BY run", "itii", after,
        experiment ? fzi_experiment_text(experiment, "seed") : NULL, (long long)first,
        (long long)count);
    long long found = 0;

    while (!found && fzi_archive_next(a, s)) {
        json_t *other = fzi_archive_json(s, 1);
        if (experiment && !fzi_experiment_is_whole(other)) {
            fzi_archive_say(a, FZ_BAD_INPUT, "the archive is damaged: a run has no experiment");
            found = -1;
        } else if (!experiment || fzi_experiment_is_same(other, experiment)) {
            found = sqlite3_column_int64(s, 0);
        }
        json_decref(other);
    }
    sqlite3_finalize(s);
    return a->failed ? -1 : found;
}

bool fzi_archive_seal_run(fz_archive *a)
{
    return fzi_archive_run(a, "UPDATE run SET checksum = row_checksum(" FZI_RUN_ROW ") "
                           "WHERE run = ?", "i", a->run);
}

/* ---- opening ---- */

/* Are the tables and views those that the schema makes, to the letter? Users may add others. */
static bool is_schema(fz_archive *a)
{
    enum { ITEMS = 7 };
    sqlite3_stmt *s = fzi_archive_query(a, "SELECT sql FROM sqlite_master", "");
    unsigned same = 0;

    while (fzi_archive_next(a, s)) {
        const char *sql = fzi_archive_text(s, 0), *found = strstr(schema, sql);
        same += *sql && found && found[strlen(sql)] == ';';
    }
    sqlite3_finalize(s);
    return same == ITEMS;
}

/* Checks all rows but those of games, which are many: who reads these checks them. */
static bool are_rows_whole(fz_archive *a)
{
    static const char *const queries[] = {
        "SELECT count(*) FROM source WHERE row_is_whole(checksum, " FZI_SOURCE_ROW ")",
        "SELECT count(*) FROM run WHERE row_is_whole(checksum, " FZI_RUN_ROW ")",
        "SELECT count(*) FROM ending WHERE row_is_whole(checksum, " FZI_ENDING_ROW ")",
    };

    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
        if (fzi_archive_number(a, queries[i], -1) < 0)
            return false;
    return true;
}

/* The file is a database: is it an archive that this version can read? In a transaction. */
static fz_status check_tables(fz_archive *a, bool create)
{
    long long application = fzi_archive_number(a, "PRAGMA application_id", -1);
    long long version = fzi_archive_number(a, "PRAGMA user_version", -1);
    long long tables = fzi_archive_number(a, "SELECT count(*) FROM sqlite_master", -1);

    if (application < 0 || version < 0 || tables < 0)
        return fzi_archive_failed(a);
    if (application == 0 && tables == 0 && create)
        return fzi_archive_do(a, schema) ? FZ_OK : FZ_BAD_INPUT;
    if (application != APPLICATION)
        return fzi_archive_say(a, FZ_BAD_INPUT, "this is not an archive of playouts");
    if (version != SCHEMA)
        return fzi_archive_say(a, FZ_BAD_INPUT, "the archive has format %lld, which this version "
                               "of ferz (" FZ_VERSION ") cannot read%s", version,
                               version < SCHEMA ? ": it is of an older version" : "");
    if (!a->failed && !is_schema(a) && !a->failed)
        return fzi_archive_say(a, FZ_BAD_INPUT, "the archive is damaged: its tables");
    return !a->failed && are_rows_whole(a) ? FZ_OK : FZ_BAD_INPUT;
}

/* Other processes may make the same archive at this moment, so one transaction looks and writes:
 * the others see no file without tables, and no tables without the rest. */
static fz_status check_or_make(fz_archive *a, bool create)
{
    if (!fzi_archive_do(a, create ? "BEGIN IMMEDIATE" : "BEGIN"))
        return FZ_BAD_INPUT;
    return fzi_archive_commit(a, check_tables(a, create));
}

/* The change to WAL needs the file for itself, and SQLite does not wait for that. */
static fz_status use_wal(fz_archive *a)
{
    double until = fzi_seconds() + WAIT_MS / 1000;
    unsigned char dice;
    int code;

    while ((code = sqlite3_exec(a->database, "PRAGMA journal_mode = WAL", NULL, NULL, NULL)) ==
               SQLITE_BUSY && fzi_seconds() < until) {
        sqlite3_randomness(1, &dice); /* so that two processes do not meet again and again */
        sqlite3_sleep(1 + dice % 16);
    }
    return code == SQLITE_OK && fzi_archive_do(a, "PRAGMA synchronous = NORMAL")
               ? FZ_OK : fzi_archive_failed(a);
}

/* SQLite leaves an empty file where the disk had no room for the tables. */
static void remove_empty(const fz_archive *a)
{
    int code = sqlite3_errcode(a->database);
    struct stat info;

    if ((code == SQLITE_FULL || code == SQLITE_IOERR) && stat(a->path, &info) == 0 &&
        S_ISREG(info.st_mode) && info.st_size == 0)
        unlink(a->path);
}

fz_status fzi_archive_open(fz_archive *a, fz_context *context, const char *path, bool create)
{
    int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);
    bool fresh = create && access(path, F_OK) != 0;
    sqlite3 *database = NULL;

    *a = (fz_archive){.context = context};
    a->path = fzi_copy_text(context->allocator, path, strlen(path));
    if (!a->path)
        return fzi_context_no_memory(context);
    if (!*path || (*path == ':' && path != fzi_archive_in_memory))
        return fzi_context_fail(context, FZ_USAGE, "'%s' is no name of an archive", path);
    if (sqlite3_open_v2(path, &database, flags, NULL) != SQLITE_OK) {
        fzi_context_fail(context, FZ_BAD_INPUT, "%s: %s", path,
                         database ? sqlite3_errmsg(database) : "out of memory");
        a->database = database;
        return database ? FZ_BAD_INPUT : FZ_NO_MEMORY;
    }
    a->database = database;
    sqlite3_busy_timeout(database, WAIT_MS);
    fz_status status = fzi_checksums_add(database) == SQLITE_OK ? check_or_make(a, create)
                                                                : fzi_archive_failed(a);
    if (status != FZ_OK && fresh)
        remove_empty(a);
    if (status == FZ_OK && create) /* reading leaves the file as it is */
        status = use_wal(a);
    return status;
}

void fzi_archive_forget(fz_archive *a)
{
    for (size_t i = 0; i < a->end_count; i++)
        free(a->ends[i].text);
    free(a->ends);
    a->ends = NULL;
    a->end_count = 0;
}

void fzi_archive_end_run(fz_archive *a)
{
    fzi_archive_forget(a);
    sqlite3_finalize(a->insert);
    sqlite3_finalize(a->insert_use);
    a->insert = a->insert_use = NULL;
    a->done = a->pending = 0;
    a->open = false;
}

void fzi_archive_clear(fz_archive *a)
{
    if (!a->context)
        return;
    fzi_archive_end_run(a);
    sqlite3_close(a->database);
    fzi_release(a->context->allocator, a->path);
    *a = (fz_archive){0};
}
