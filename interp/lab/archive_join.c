/* Joining archives. See lab.h. */
#include "lab.h"
#include "sqlite.h"

/* ---- one run ---- */

/* The rows of a run, by its number, and the statement that adds each of them to another run, whose
 * number is ?1. */
static const struct {
    const char *rows, *insert;
} tables[] = {
    {"SELECT program, number, path, text FROM source WHERE program = (SELECT program FROM run "
     "WHERE run = ?) ORDER BY number",
     "INSERT OR IGNORE INTO source VALUES(?2, ?3, ?4, ?5, row_checksum(?2, ?3, ?4, ?5))"},
    {"SELECT kind, place FROM ending WHERE run = ? ORDER BY ending",
     "INSERT INTO ending SELECT ?1, n, ?2, ?3, row_checksum(?1, n, ?2, ?3) FROM (SELECT count(*) "
     "AS n FROM ending WHERE run = ?1) WHERE NOT EXISTS (SELECT 1 FROM ending WHERE run = ?1 AND "
     "kind = ?2 AND place = ?3)"},
    {"SELECT game, decisions, turns, moves, kind, place, ranks, against, payoffs, record "
     "FROM played WHERE run = ? ORDER BY game",
     "INSERT INTO game SELECT ?1, ?2, ?3, ?4, ?5, ending, ?8, ?9, ?10, ?11, row_checksum(?1, ?2, "
     "?3, ?4, ?5, ending, ?8, ?9, ?10, ?11) FROM ending WHERE run = ?1 AND kind = ?6 AND place = "
     "?7"},
    {"SELECT game, use FROM use WHERE run = ? AND row_is_whole(checksum, " FZI_USE_ROW("") ") "
     "ORDER BY game", "INSERT INTO use VALUES(?1, ?2, ?3, row_checksum(?1, ?2, ?3))"},
};
enum { TABLES = sizeof tables / sizeof tables[0], USE = TABLES - 1 };

static bool copy_rows(fz_archive *into, fz_archive *from, unsigned table)
{
    sqlite3_stmt *rows = fzi_archive_query(from, tables[table].rows, "i", from->run);
    sqlite3_stmt *insert = fzi_archive_query(into, tables[table].insert, "");
    bool good = rows && insert;

    while (good && fzi_archive_next(from, rows)) {
        sqlite3_bind_int64(insert, 1, into->run);
        for (int i = 0; i < sqlite3_column_count(rows); i++)
            sqlite3_bind_value(insert, i + 2, sqlite3_column_value(rows, i));
        good = fzi_archive_rerun(into, insert, "");
    }
    sqlite3_finalize(rows);
    sqlite3_finalize(insert);
    return good && !from->failed;
}

static bool copy_run(fz_archive *into, const fzi_shard *shard, bool use)
{
    fz_archive from;
    bool good = fzi_archive_open(&from, into->context, shard->path, false) == FZ_OK;

    from.run = shard->run;
    for (unsigned i = 0; good && i < TABLES; i++)
        good = (i == USE && !use) || copy_rows(into, &from, i);
    fzi_archive_clear(&from);
    return good;
}

static bool begin_run(fz_archive *into, const fzi_shard *shard, bool use, const char *command)
{
    json_t *experiment = json_copy(shard->experiment);
    bool good;

    if (!use)
        fzi_experiment_forget_use(experiment);
    char *text = json_dumps(experiment, JSON_COMPACT | JSON_PRESERVE_ORDER);
    json_decref(experiment);
    good = text && fzi_archive_run(
        into, "INSERT INTO run(experiment, first, count, command, started, ended) SELECT ?1, 1, "
        "?2, ?3, t, t FROM (SELECT strftime('%Y-%m-%dT%H:%M:%SZ') AS t)", "tit", text,
        (long long)fzi_experiment_playouts(shard->experiment), command ? command : "");
    free(text);
    into->run = sqlite3_last_insert_rowid(into->database);
    return good && fzi_archive_begins(into) && fzi_archive_seal_run(into);
}

/* In an open transaction. */
static fz_status add_run(fz_archive *into, const fzi_shard *shards, size_t count,
                         const char *command)
{
    const json_t *experiment = shards[0].experiment;
    const fzi_shard *with = NULL, *without = NULL; /* the use of the board */
    long long there = fzi_archive_find(into, experiment, 0, 1, fzi_experiment_playouts(experiment));

    if (there)
        return there < 0 ? FZ_BAD_INPUT
                         : fzi_context_fail(into->context, FZ_USAGE, "%s already has this run",
                                            into->path);
    for (size_t i = 0; i < count; i++)
        *(fzi_experiment_has_use(shards[i].experiment) ? &with : &without) = &shards[i];
    if (with && without)
        fzi_context_add_line(into->context, "%s lacks the use of the board, which %s has: it is "
                             "left out, and no study can go on with these games", without->path,
                             with->path);
    bool good = begin_run(into, &shards[0], !without, command);
    for (size_t i = 0; good && i < count; i++)
        good = copy_run(into, &shards[i], !without);
    return good ? FZ_OK : FZ_BAD_INPUT;
}

fz_status fzi_archive_join(fz_archive *into, const fzi_shard *shards, size_t count,
                           const char *command)
{
    fzi_context_fail(into->context, FZ_OK, "%s", "");
    if (!fzi_archive_do(into, "BEGIN IMMEDIATE"))
        return FZ_BAD_INPUT;
    return fzi_archive_commit(into, add_run(into, shards, count, command));
}

/* ---- all runs ---- */

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
    if (report) {
        *report = run.report;
        run.report = NULL;
    }
    fzi_archived_close(&run);
    return status;
}

long long fzi_archive_count(fz_context *context, const char *path)
{
    fz_archive a;
    long long runs = -1;

    if (fzi_archive_open(&a, context, path, false) == FZ_OK)
        runs = fzi_archive_number(&a, "SELECT count(*) FROM run", -1);
    fzi_archive_clear(&a);
    return runs;
}

/* Like fzi_archive_find, in the archive of a file. */
static long long find_run(fz_context *context, const char *path, const json_t *experiment,
                          long long after)
{
    fz_archive a;
    long long run = -1;

    if (fzi_archive_open(&a, context, path, false) == FZ_OK)
        run = fzi_archive_find(&a, experiment, after, 0, 0);
    fzi_archive_clear(&a);
    return run;
}

/* The parts of a run that have been joined so far. */
typedef struct joining {
    fz_archive *into;
    const char *const *paths;
    size_t path_count;
    fzi_shard *shards;
    size_t count, taken;      /* parts of this run, and of all runs */
} joining;

static fz_status add_part(joining *j, const char *path, long long run)
{
    fz_context *context = j->into->context;
    fzi_shard *shards = realloc(j->shards, (j->count + 1) * sizeof *shards);

    if (!shards)
        return fzi_context_no_memory(context);
    j->shards = shards;
    fz_status status = fzi_archive_shard(context, path, (uint64_t)run, &shards[j->count], NULL);
    j->count += status == FZ_OK;
    return status;
}

/* The run of the first archive, and all others of its experiment in the other archives. */
static fz_status add_parts(joining *j, long long number)
{
    fz_status status = add_part(j, j->paths[0], number);

    for (size_t i = 0; i < j->path_count && status == FZ_OK; i++) {
        long long run = i ? 0 : number;
        while (status == FZ_OK && (run = find_run(j->into->context, j->paths[i],
                                                  j->shards[0].experiment, run)) > 0)
            status = add_part(j, j->paths[i], run);
        status = run < 0 ? FZ_BAD_INPUT : status;
    }
    return status;
}

static fz_status join_parts(joining *j, long long number, const char *command)
{
    fzi_shard all = {0};
    fz_status status = add_parts(j, number);

    if (status == FZ_OK)
        status = fzi_shards_join(j->into->context, j->shards, j->count, &all);
    if (status == FZ_OK)
        status = add_run(j->into, j->shards, j->count, command);
    fzi_shard_clear(&all);
    for (; j->count > 0; j->taken++)
        fzi_shard_clear(&j->shards[--j->count]);
    return status;
}

static fz_status join_all(joining *j, const char *command)
{
    fz_context *context = j->into->context;
    fz_status status = FZ_OK;
    long long run = 0, runs = 0;

    for (size_t i = 0; i < j->path_count && run >= 0; i++)
        runs += run = fzi_archive_count(context, j->paths[i]);
    if (run < 0)
        return FZ_BAD_INPUT;
    for (run = 0; status == FZ_OK && (run = find_run(context, j->paths[0], NULL, run)) > 0;)
        status = join_parts(j, run, command);
    if (run < 0)
        return FZ_BAD_INPUT;
    if (status == FZ_OK && j->taken < (size_t)runs)
        return fzi_context_fail(context, FZ_USAGE, "another archive has runs that %s does not "
                                "have: nothing was joined", j->paths[0]);
    return status;
}

fz_status fz_archives_join(fz_archive *into, const char *const *paths, size_t count,
                           const char *command)
{
    joining j = {.into = into, .paths = paths, .path_count = count};

    into->failed = false;
    fzi_context_fail(into->context, FZ_OK, "%s", "");
    if (!count)
        return fzi_context_fail(into->context, FZ_USAGE, "there are no archives to join");
    if (!fzi_archive_do(into, "BEGIN IMMEDIATE"))
        return FZ_BAD_INPUT;
    fz_status status = fzi_archive_commit(into, join_all(&j, command));
    free(j.shards);
    return status;
}
