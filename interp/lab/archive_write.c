/* Writing runs into archives, and going on with them. See archive.h. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "archive.h"

#include "interp/play/played_game.h"
#include "interp/program/program.h"
#include "interp/measures/line_use.h"
#include "interp/agents/agent.h"
#include "sums_json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_SQLITE
#include "archive_rows.h"

enum {
    BATCH = 5000,       /* games of a transaction at most */
    PLACE_SIZE = FZI_PLACE_SIZE
};
static const double batch_seconds = 0.3;

static void bind_text(sqlite3_stmt *statement, int column, const char *text)
{
    sqlite3_bind_text(statement, column, text, -1, SQLITE_TRANSIENT);
}

/* ---- reasons of ends ---- */

static bool insert_end(fz_archive *a, size_t number)
{
    sqlite3_stmt *s = fzi_archive_prepare(a, "INSERT INTO ending VALUES(?, ?, ?, ?)");

    if (!s)
        return false;
    sqlite3_bind_int64(s, 1, a->run);
    sqlite3_bind_int64(s, 2, (long long)number);
    bind_text(s, 3, fzi_ending_name(a->ends[number].kind));
    bind_text(s, 4, a->ends[number].text);
    return fzi_archive_finish(a, s);
}

/* The number of the reason for which the game ended; -1 after a failure. */
static long long end_of(fz_archive *a, const fz_game_row *row)
{
    char text[PLACE_SIZE];
    bool is_error = row->ending == FZ_ENDED_BY_ERROR;

    for (size_t i = 0; i < a->end_count; i++)
        if (a->ends[i].kind == row->ending &&
            (is_error ? strcmp(a->ends[i].text, row->error) == 0 : a->ends[i].place == row->place))
            return (long long)i;
    if (!is_error)
        fz_program_place_text(a->program, row->place, text, sizeof text);
    if (!fzi_archive_add_end(a, row->ending, row->place, is_error ? row->error : text))
        return -1;
    return insert_end(a, a->end_count - 1) ? (long long)a->end_count - 1 : -1;
}

/* ---- games ---- */

static void numbers_text(char *text, size_t size, const int8_t *ranks, const int64_t *payoffs,
                         unsigned count)
{
    size_t used = 0;

    for (unsigned i = 0; i < count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%" PRId64, i ? "," : "[",
                                 ranks ? ranks[i] : payoffs[i]);
    if (used < size)
        snprintf(text + used, size - used, "]");
}

static bool insert_use(fz_archive *a, const fz_game_row *row)
{
    sqlite3_stmt *s = a->insert_use;
    bool good;

    sqlite3_bind_int64(s, 1, a->run);
    sqlite3_bind_int64(s, 2, (long long)row->stream + 1);
    sqlite3_bind_text(s, 3, row->use, -1, SQLITE_STATIC);
    good = sqlite3_step(s) == SQLITE_DONE;
    if (!good)
        fzi_archive_failed(a);
    sqlite3_reset(s);
    return good;
}

static bool insert_game(fz_archive *a, const fz_game_row *row)
{
    unsigned players = (unsigned)fz_program_players(a->program);
    sqlite3_stmt *s = a->insert;
    char ranks[128], payoffs[400];
    long long end = end_of(a, row);
    bool good;

    if (end < 0)
        return false;
    sqlite3_clear_bindings(s);
    sqlite3_bind_int64(s, 1, a->run);
    sqlite3_bind_int64(s, 2, (long long)row->stream + 1);
    sqlite3_bind_int64(s, 3, (long long)row->plies);
    sqlite3_bind_int64(s, 4, (long long)row->turns);
    if (a->setup.options.branching)
        sqlite3_bind_int64(s, 5, (long long)row->legal_move_sum);
    sqlite3_bind_int64(s, 6, end);
    if (row->ending != FZ_ENDED_BY_ERROR) {
        numbers_text(ranks, sizeof ranks, row->rank, NULL, players);
        sqlite3_bind_text(s, 7, ranks, -1, SQLITE_STATIC);
        if (row->nature)
            sqlite3_bind_int64(s, 8, row->nature);
        if (fz_program_has_payoffs(a->program)) {
            numbers_text(payoffs, sizeof payoffs, NULL, row->payoff, players);
            sqlite3_bind_text(s, 9, payoffs, -1, SQLITE_STATIC);
        }
    }
    if (row->record)
        sqlite3_bind_text(s, 10, row->record, -1, SQLITE_STATIC);
    good = sqlite3_step(s) == SQLITE_DONE;
    if (!good)
        fzi_archive_failed(a);
    sqlite3_reset(s);
    return good && (!row->use || insert_use(a, row));
}

static bool commit(fz_archive *a)
{
    if (a->open && !fzi_archive_do(a, "COMMIT"))
        return false;
    a->open = false;
    a->done += a->pending;
    a->pending = 0;
    a->committed = fzi_agent_clock();
    return true;
}

static bool take(void *user, const fz_game_row *rows, size_t count)
{
    fz_archive *a = user;

    if (!a->open && !fzi_archive_do(a, "BEGIN IMMEDIATE"))
        return false;
    a->open = true;
    for (size_t i = 0; i < count; i++)
        if (!insert_game(a, &rows[i]))
            return false;
    a->pending += count;
    return (a->pending < BATCH && fzi_agent_clock() - a->committed < batch_seconds) || commit(a);
}

/* Counts as "[0,3,1]". Returns the end of the text. */
static char *counts_text(char *text, const uint32_t *counts, size_t count)
{
    *text++ = '[';
    for (size_t i = 0; i < count; i++)
        text += sprintf(text, i ? ",%" PRIu32 : "%" PRIu32, counts[i]);
    *text++ = ']';
    *text = '\0';
    return text;
}

/* "[[lines],[sites]]" */
static fz_status note_use(const fz_archive *a, fz_machine *machine, const fz_state *state,
                          fz_game_row *row)
{
    size_t lines = a->lines->count, sites = (size_t)fz_program_sites(a->program);
    uint32_t *counts = calloc(lines + sites, sizeof *counts);
    fz_status status = FZ_NO_MEMORY;
    char *end;

    if (counts)
        status = fzi_use_add(machine, a->lines, state, counts, counts + lines);
    if (status == FZ_OK) {
        row->use = end = fzi_allocate(fzi_program_allocator(a->program),
                                      11 * (lines + sites) + 8);
        if (!end) {
            free(counts);
            return FZ_NO_MEMORY;
        }
        *end++ = '[';
        end = counts_text(end, counts, lines);
        *end++ = ',';
        strcpy(counts_text(end, counts + lines, sites), "]");
    }
    free(counts);
    return status;
}

/* The state knows all that was played; a game that failed is played again. */
static fz_status note_record(const fz_archive *a, fz_machine *machine, const fz_state *state,
                             fz_game_row *row)
{
    const fz_run_options *o = &a->setup.options;
    uint64_t number = row->stream + 1;
    bool failed = row->ending == FZ_ENDED_BY_ERROR;

    if (number < a->wanted.first || number > a->wanted.last || (a->wanted.failed && !failed))
        return FZ_OK;
    if (!failed)
        return fz_record_write(machine, state, a->setup.path, o->seed, &row->record);
    if (o->agents)
        return FZ_OK;
    fz_record_playout(machine, o->from, a->setup.path, o->seed, row->stream, NULL, &row->record);
    return FZ_OK;
}

static fz_status annotate(void *user, fz_machine *machine, const fz_state *state, fz_game_row *row)
{
    const fz_archive *a = user;
    fz_status status = FZ_OK;

    if (a->setup.options.records)
        status = note_record(a, machine, state, row);
    if (status == FZ_OK && a->lines && row->ending != FZ_ENDED_BY_ERROR)
        status = note_use(a, machine, state, row);
    return status;
}

fz_sink fzi_archive_sink(fz_archive *archive)
{
    bool logs = archive->setup.options.records || archive->lines;

    return (fz_sink){.take = take, .annotate = logs ? annotate : NULL, .user = archive,
                     .logs = logs};
}

fz_status fzi_archive_end(fz_archive *a)
{
    char sql[120];

    if (a->failed || !commit(a)) {
        sqlite3_exec(a->database, "ROLLBACK", NULL, NULL, NULL);
        fzi_context_add_line(a->context, "the archive has %" PRIu64 " of %" PRIu64 " playouts; "
                             "--resume continues the run", a->done, a->count);
        return FZ_BAD_INPUT;
    }
    snprintf(sql, sizeof sql, "UPDATE run SET ended = strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ') "
             "WHERE run = %lld AND ended IS NULL", a->run);
    return a->done < a->count || fzi_archive_do(a, sql) ? FZ_OK : FZ_BAD_INPUT;
}

/* ---- beginning ---- */

/* The texts of the program, once for all its runs. */
static bool insert_sources(fz_archive *a, const char *program)
{
    const char *path, *text;
    size_t length;
    bool good = true;

    for (unsigned i = 0; good && fz_program_source(a->program, i, &path, &text, &length); i++) {
        sqlite3_stmt *s = fzi_archive_prepare(
            a, "INSERT OR IGNORE INTO source VALUES(?, ?, ?, ?)");
        if (!s)
            return false;
        bind_text(s, 1, program);
        sqlite3_bind_int64(s, 2, i + 1);
        bind_text(s, 3, path);
        sqlite3_bind_text64(s, 4, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
        good = fzi_archive_finish(a, s);
    }
    return good;
}

static bool insert_run(fz_archive *a, const json_t *experiment)
{
    sqlite3_stmt *s = fzi_archive_prepare(
        a, "INSERT INTO run(experiment, first, count, records, command, started) VALUES(?, ?, ?, "
        "?, ?, strftime('%Y-%m-%dT%H:%M:%SZ'))");
    char *text = json_dumps(experiment, JSON_COMPACT | JSON_PRESERVE_ORDER);
    bool good = s && text;

    if (good) {
        bind_text(s, 1, text);
        sqlite3_bind_int64(s, 2, (long long)a->first + 1);
        sqlite3_bind_int64(s, 3, (long long)a->count);
        if (a->setup.options.records)
            bind_text(s, 4, a->setup.options.records);
        bind_text(s, 5, a->setup.options.command ? a->setup.options.command : "");
        good = fzi_archive_finish(a, s);
    } else {
        sqlite3_finalize(s);
    }
    free(text);
    a->run = sqlite3_last_insert_rowid(a->database);
    return good;
}

/* The run of this experiment and these playouts, and if it stores the use of the board; 0: there is
 * none, -1: the archive is damaged. */
static long long find_run(fz_archive *a, const json_t *experiment, bool *has_use)
{
    sqlite3_stmt *s = fzi_archive_prepare(a, "SELECT run, experiment FROM run WHERE first = ? AND "
                                          "count = ? ORDER BY run");
    char text[FZI_DIFFERENCE_SIZE];
    long long run = 0;

    if (s) {
        sqlite3_bind_int64(s, 1, (long long)a->first + 1);
        sqlite3_bind_int64(s, 2, (long long)a->count);
    }
    while (run == 0 && fzi_archive_next(a, s)) {
        const char *dump = (const char *)sqlite3_column_text(s, 1);
        json_t *other = dump ? json_loads(dump, 0, NULL) : NULL;
        if (!other || !fzi_experiment_is_whole(other))
            run = -1;
        else if (!fzi_experiment_difference(other, experiment, text))
            run = sqlite3_column_int64(s, 0);
        *has_use = run > 0 && fzi_experiment_has_use(other);
        json_decref(other);
    }
    sqlite3_finalize(s);
    return a->failed ? -1 : run;
}

/* Was the run begun with the same --records? */
static bool same_records(fz_archive *a)
{
    const char *given = a->setup.options.records;
    sqlite3_stmt *s = fzi_archive_prepare(a, "SELECT records IS ? FROM run WHERE run = ?");
    bool same = false;

    if (!s)
        return false;
    if (given)
        bind_text(s, 1, given);
    sqlite3_bind_int64(s, 2, a->run);
    same = fzi_archive_next(a, s) && sqlite3_column_int(s, 0) == 1;
    sqlite3_finalize(s);
    return same;
}

/* Studies store more of a game than playouts do: a run has it of all its games, or of none. */
static fz_status resume(fz_archive *a, fz_sums *sums, bool has_use)
{
    fz_status status;

    if (a->lines && !has_use)
        return fzi_context_fail(a->context, FZ_USAGE, "%s: run %lld was begun by `ferz playout` "
                                "and lacks the use of the board, which a study needs: give the "
                                "study another archive", a->path, a->run);
    if (!a->setup.options.resume)
        return fzi_context_fail(a->context, FZ_USAGE, "%s already has this run: it is number "
                                "%lld; --resume continues it", a->path, a->run);
    if (!same_records(a))
        return a->failed ? FZ_BAD_INPUT
                         : fzi_context_fail(a->context, FZ_USAGE, "%s: run %lld was begun with "
                                            "other --records", a->path, a->run);
    status = fzi_archive_load(a, sums, NULL, NULL);
    if (status == FZ_OK && has_use && !a->lines && a->done < a->count)
        return fzi_context_fail(a->context, FZ_USAGE, "%s: run %lld was begun by `ferz study`, "
                                "which also stores the use of the board: continue it with `ferz "
                                "study --resume`", a->path, a->run);
    return status;
}

/* In one transaction: nobody else begins the same run. */
static fz_status begin_run(fz_archive *a, const json_t *experiment, fz_sums *sums)
{
    bool has_use = false;

    a->run = find_run(a, experiment, &has_use);
    if (a->run < 0)
        return a->failed ? FZ_BAD_INPUT
                         : fzi_context_fail(a->context, FZ_BAD_INPUT, "%s: the archive is damaged: "
                                            "a run has no experiment", a->path);
    if (a->run > 0)
        return resume(a, sums, has_use);
    return insert_sources(a, fzi_experiment_text(experiment, "program")) &&
                   insert_run(a, experiment)
               ? FZ_OK : FZ_BAD_INPUT;
}

fz_status fzi_archive_begin(fz_archive *a, const fzi_setup *setup, fzi_shard *shard)
{
    fz_status status;

    a->setup = *setup;
    a->program = setup->program;
    a->first = shard->first;
    a->count = shard->count;
    status = fzi_wanted_read(setup, &a->wanted);
    if (status != FZ_OK)
        return status;
    if (!fzi_archive_do(a, "BEGIN IMMEDIATE"))
        return FZ_BAD_INPUT;
    status = begin_run(a, shard->experiment, &shard->sums);
    if (status == FZ_OK && !fzi_archive_do(a, "COMMIT"))
        status = FZ_BAD_INPUT;
    if (status != FZ_OK) {
        sqlite3_exec(a->database, "ROLLBACK", NULL, NULL, NULL);
        return status;
    }
    a->insert = fzi_archive_prepare(a, "INSERT INTO game VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    if (a->lines)
        a->insert_use = fzi_archive_prepare(a, "INSERT INTO use VALUES(?, ?, ?)");
    return a->insert && (a->insert_use || !a->lines) ? FZ_OK : FZ_BAD_INPUT;
}

#else

fz_status fzi_archive_begin(fz_archive *a, const fzi_setup *setup, fzi_shard *shard)
{
    (void)a, (void)setup, (void)shard;
    return FZ_REFUSED;
}

fz_sink fzi_archive_sink(fz_archive *a)
{
    return (fz_sink){.user = a};
}

fz_status fzi_archive_end(fz_archive *a)
{
    (void)a;
    return FZ_REFUSED;
}

#endif
