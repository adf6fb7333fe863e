/* Writing runs into archives, and going on with them. See archive.h. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "archive.h"

#include "interp/analysis/sums.h"
#include "interp/program/program.h"
#include "interp/measures/line_use.h"
#include "progress.h"
#include "sums_json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_SQLITE
#include <sqlite3.h>

enum {
    BATCH = 5000,       /* games of a transaction at most */
    PLACE_SIZE = FZI_PLACE_SIZE
};
static const double batch_seconds = 0.3;

/* A reason for which games of the run ended. */
typedef struct fzi_archived_end {
    fz_ending kind;
    uint32_t place;     /* of the program */
    char *text;         /* the place, or the message of an error */
} fzi_archived_end;

static bool run_sql(fzi_archive *a, const char *sql)
{
    if (sqlite3_exec(a->database, sql, NULL, NULL, NULL) == SQLITE_OK)
        return true;
    fzi_archive_failed(a);
    return false;
}

static sqlite3_stmt *prepare(fzi_archive *a, const char *sql)
{
    sqlite3_stmt *statement = NULL;

    if (sqlite3_prepare_v2(a->database, sql, -1, &statement, NULL) == SQLITE_OK)
        return statement;
    fzi_archive_failed(a);
    return NULL;
}

static void bind_text(sqlite3_stmt *statement, int column, const char *text)
{
    sqlite3_bind_text(statement, column, text, -1, SQLITE_TRANSIENT);
}

/* Runs a statement that gives no rows, and finalizes it. */
static bool finish(fzi_archive *a, sqlite3_stmt *statement)
{
    bool good = statement && sqlite3_step(statement) == SQLITE_DONE;

    if (statement && !good)
        fzi_archive_failed(a);
    sqlite3_finalize(statement);
    return good;
}

/* ---- reasons of ends ---- */

static void add_end(fzi_archive *a, fz_ending kind, uint32_t place, const char *text)
{
    char *copy = fzi_cli_allocate(NULL, strlen(text) + 1);

    strcpy(copy, text);
    a->ends = fzi_cli_allocate(a->ends, (a->end_count + 1) * sizeof *a->ends);
    a->ends[a->end_count++] = (fzi_archived_end){kind, place, copy};
}

static bool insert_end(fzi_archive *a, size_t number)
{
    sqlite3_stmt *s = prepare(a, "INSERT INTO ending VALUES(?, ?, ?, ?)");

    if (!s)
        return false;
    sqlite3_bind_int64(s, 1, a->run);
    sqlite3_bind_int64(s, 2, (long long)number);
    bind_text(s, 3, fzi_ending_name(a->ends[number].kind));
    bind_text(s, 4, a->ends[number].text);
    return finish(a, s);
}

/* The number of the reason for which the game ended; -1 after a complaint. */
static long long end_of(fzi_archive *a, const fz_game_row *row)
{
    char text[PLACE_SIZE];
    bool is_error = row->ending == FZ_ENDED_BY_ERROR;

    for (size_t i = 0; i < a->end_count; i++)
        if (a->ends[i].kind == row->ending &&
            (is_error ? strcmp(a->ends[i].text, row->error) == 0 : a->ends[i].place == row->place))
            return (long long)i;
    if (!is_error)
        fz_program_place_text(a->program, row->place, text, sizeof text);
    add_end(a, row->ending, row->place, is_error ? row->error : text);
    return insert_end(a, a->end_count - 1) ? (long long)a->end_count - 1 : -1;
}

/* As fzi_place_name names what fz_program_place_text has given, maybe where the files lay elsewhere
 * or the script had another name. */
static const char *short_place(const fz_program *program, const char *place)
{
    const char *slash = strrchr(place, '/'), *name = slash ? slash + 1 : place, *path, *text;
    size_t length, file = strcspn(name, ":");

    for (unsigned i = 1; fz_program_source(program, i, &path, &text, &length); i++) {
        slash = strrchr(path, '/');
        path = slash ? slash + 1 : path;
        if (strlen(path) == file && strncmp(path, name, file) == 0)
            return name;
    }
    return name[file] ? name + file + 1 : name;
}

/* The place of the program that this text of the archive means; -1: none. A script and its base may
 * have one name, so what is the same in full comes first. */
static long long place_called(const fz_program *program, const char *wanted)
{
    const char *short_wanted = short_place(program, wanted);
    long long found = -1;
    char text[PLACE_SIZE];

    for (uint32_t place = 0; place < program->place_count; place++) {
        fz_program_place_text(program, place, text, sizeof text);
        if (strcmp(text, wanted) == 0)
            return place;
        fzi_place_name(program, place, text);
        if (found < 0 && strcmp(text, short_wanted) == 0)
            found = place;
    }
    return found;
}

/* Those of a run that goes on. */
static bool load_ends(fzi_archive *a)
{
    sqlite3_stmt *s = prepare(a, "SELECT ending, kind, place FROM ending WHERE run = ? "
                              "ORDER BY ending");
    bool good = s != NULL;

    if (s)
        sqlite3_bind_int64(s, 1, a->run);
    while (good && sqlite3_step(s) == SQLITE_ROW) {
        const char *kind = (const char *)sqlite3_column_text(s, 1);
        const char *place = (const char *)sqlite3_column_text(s, 2);
        fz_ending ending = kind ? fzi_ending_called(kind) : FZ_NOT_ENDED;
        long long number = place && ending != FZ_ENDED_BY_ERROR
                               ? place_called(a->program, place) : 0;
        good = ending != FZ_NOT_ENDED && place && number >= 0 &&
               sqlite3_column_int64(s, 0) == (long long)a->end_count;
        if (good)
            add_end(a, ending, (uint32_t)number, place);
    }
    sqlite3_finalize(s);
    return good;
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

static bool insert_use(fzi_archive *a, const fz_game_row *row)
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

static bool insert_game(fzi_archive *a, const fz_game_row *row)
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
    if (fzi_cli_has(a->cli, FZ_CLI_BRANCHING))
        sqlite3_bind_int64(s, 5, (long long)row->branched);
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

static bool commit(fzi_archive *a)
{
    if (a->open && !run_sql(a, "COMMIT"))
        return false;
    a->open = false;
    a->done += a->pending;
    a->pending = 0;
    a->committed = fzi_seconds();
    return true;
}

static bool take(void *user, const fz_game_row *rows, size_t count)
{
    fzi_archive *a = user;

    if (!a->open && !run_sql(a, "BEGIN IMMEDIATE"))
        return false;
    a->open = true;
    for (size_t i = 0; i < count; i++)
        if (!insert_game(a, &rows[i]))
            return false;
    a->pending += count;
    return (a->pending < BATCH && fzi_seconds() - a->committed < batch_seconds) || commit(a);
}

/* Counts as "[0,3,1]" behind each other. */
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
static fz_status note_use(const fzi_archive *a, fz_machine *machine, const fz_state *state,
                          fz_game_row *row)
{
    size_t lines = a->lines->count, sites = (size_t)fz_program_sites(a->program);
    uint32_t *counts = calloc(lines + sites, sizeof *counts);
    fz_status status = FZ_NO_MEMORY;
    char *end;

    if (counts)
        status = fzi_use_add(machine, a->lines, state, counts, counts + lines);
    if (status == FZ_OK) {
        row->use = end = fzi_cli_resize(NULL, NULL, 11 * (lines + sites) + 8);
        *end++ = '[';
        end = counts_text(end, counts, lines);
        *end++ = ',';
        strcpy(counts_text(end, counts + lines, sites), "]");
    }
    free(counts);
    return status;
}

/* The state knows all that was played; a game that failed is played again. */
static fz_status note_record(const fzi_archive *a, fz_machine *machine, const fz_state *state,
                             fz_game_row *row)
{
    uint64_t number = row->stream + 1;
    bool failed = row->ending == FZ_ENDED_BY_ERROR;

    if (number < a->wanted->first || number > a->wanted->last || (a->wanted->failed && !failed))
        return FZ_OK;
    if (!failed)
        return fz_record_write(machine, state, a->script, a->seed, &row->record);
    if (fzi_cli_has(a->cli, FZ_CLI_AGENTS))
        return FZ_OK;
    fz_record_playout(machine, a->from, a->script, a->seed, row->stream, NULL, &row->record);
    return FZ_OK;
}

static fz_status note(void *user, fz_machine *machine, const fz_state *state, fz_game_row *row)
{
    const fzi_archive *a = user;
    fz_status status = FZ_OK;

    if (fzi_cli_has(a->cli, FZ_CLI_RECORDS))
        status = note_record(a, machine, state, row);
    if (status == FZ_OK && a->lines && row->ending != FZ_ENDED_BY_ERROR)
        status = note_use(a, machine, state, row);
    return status;
}

fz_sink fzi_archive_sink(fzi_archive *archive)
{
    bool logs = fzi_cli_has(archive->cli, FZ_CLI_RECORDS) || archive->lines;

    return (fz_sink){.take = take, .note = logs ? note : NULL, .user = archive, .logs = logs};
}

int fzi_archive_end(fzi_archive *a)
{
    char sql[120];

    if (a->failed || !commit(a)) {
        sqlite3_exec(a->database, "ROLLBACK", NULL, NULL, NULL);
        fzi_cli_complain(a->cli, "the archive has %" PRIu64 " of %" PRIu64 " playouts; --resume "
                         "continues the run", a->done, a->count);
        return FZ_EXIT_USAGE;
    }
    snprintf(sql, sizeof sql, "UPDATE run SET ended = strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ') "
             "WHERE run = %lld AND ended IS NULL", a->run);
    return a->done < a->count || run_sql(a, sql) ? FZ_EXIT_OK : FZ_EXIT_USAGE;
}

/* ---- beginning ---- */

/* The texts of the program, once for all its runs. */
static bool insert_sources(fzi_archive *a, const char *program)
{
    const char *path, *text;
    size_t length;
    bool good = true;

    for (unsigned i = 0; good && fz_program_source(a->program, i, &path, &text, &length); i++) {
        sqlite3_stmt *s = prepare(a, "INSERT OR IGNORE INTO source VALUES(?, ?, ?, ?)");
        if (!s)
            return false;
        bind_text(s, 1, program);
        sqlite3_bind_int64(s, 2, i + 1);
        bind_text(s, 3, path);
        sqlite3_bind_text64(s, 4, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
        good = finish(a, s);
    }
    return good;
}

static bool insert_run(fzi_archive *a, const json_t *experiment)
{
    sqlite3_stmt *s = prepare(a, "INSERT INTO run(experiment, first, count, records, command, "
                              "started) VALUES(?, ?, ?, ?, ?, strftime('%Y-%m-%dT%H:%M:%SZ'))");
    char *text = json_dumps(experiment, JSON_COMPACT | JSON_PRESERVE_ORDER);
    bool good = s && text;

    if (good) {
        bind_text(s, 1, text);
        sqlite3_bind_int64(s, 2, (long long)a->first + 1);
        sqlite3_bind_int64(s, 3, (long long)a->count);
        if (fzi_cli_has(a->cli, FZ_CLI_RECORDS))
            bind_text(s, 4, a->cli->values[FZ_CLI_RECORDS]);
        bind_text(s, 5, a->cli->line);
        good = finish(a, s);
    } else {
        sqlite3_finalize(s);
    }
    free(text);
    a->run = sqlite3_last_insert_rowid(a->database);
    return good;
}

/* The run of this experiment and these playouts; 0: there is none, -1: the archive is damaged. */
static long long find_run(fzi_archive *a, const json_t *experiment)
{
    sqlite3_stmt *s = prepare(a, "SELECT run, experiment FROM run WHERE first = ? AND count = ? "
                              "ORDER BY run");
    char text[FZI_DIFFERENCE_SIZE];
    long long run = s ? 0 : -1;
    int step = SQLITE_DONE;

    if (s) {
        sqlite3_bind_int64(s, 1, (long long)a->first + 1);
        sqlite3_bind_int64(s, 2, (long long)a->count);
    }
    while (s && run == 0 && (step = sqlite3_step(s)) == SQLITE_ROW) {
        const char *dump = (const char *)sqlite3_column_text(s, 1);
        json_t *other = dump ? json_loads(dump, 0, NULL) : NULL;
        if (!other || !fzi_experiment_is_whole(other))
            run = -1;
        else if (!fzi_experiment_difference(other, experiment, text))
            run = sqlite3_column_int64(s, 0);
        json_decref(other);
    }
    sqlite3_finalize(s);
    return step == SQLITE_ROW || step == SQLITE_DONE ? run : -1;
}

/* Numbers of a JSON array such as "[1,2]". */
static bool read_numbers(const char *text, unsigned count, int64_t *numbers)
{
    for (unsigned i = 0; i < count; i++) {
        char *end;
        if (!text || *text != (i ? ',' : '['))
            return false;
        numbers[i] = strtoll(text + 1, &end, 10);
        if (end == text + 1)
            return false;
        text = end;
    }
    return text && strcmp(text, "]") == 0;
}

static bool read_row(const fzi_archive *a, sqlite3_stmt *s, fz_game_row *row)
{
    unsigned players = (unsigned)fz_program_players(a->program);
    long long end = sqlite3_column_int64(s, 4);
    const char *payoffs = (const char *)sqlite3_column_text(s, 7);
    int64_t ranks[16];

    *row = (fz_game_row){.stream = (uint64_t)sqlite3_column_int64(s, 0) - 1,
                         .plies = (uint64_t)sqlite3_column_int64(s, 1),
                         .turns = (uint64_t)sqlite3_column_int64(s, 2),
                         .branched = (uint64_t)sqlite3_column_int64(s, 3),
                         .nature = (int8_t)sqlite3_column_int(s, 6)};
    if (end < 0 || (size_t)end >= a->end_count || row->stream != a->first + a->done ||
        row->plies > UINT32_MAX)
        return false;
    row->ending = a->ends[end].kind;
    row->place = a->ends[end].place;
    row->error = a->ends[end].text;
    if (row->ending == FZ_ENDED_BY_ERROR)
        return true;
    if (!read_numbers((const char *)sqlite3_column_text(s, 5), players, ranks) ||
        (payoffs && !read_numbers(payoffs, players, row->payoff)))
        return false;
    for (unsigned p = 0; p < players; p++) {
        if (ranks[p] < 1 || ranks[p] > 16)
            return false;
        row->rank[p] = (int8_t)ranks[p];
    }
    return true;
}

/* Adds the games that the archive has to the sums. */
static int load_games(fzi_archive *a, fz_sums *sums)
{
    sqlite3_stmt *s = prepare(a, "SELECT game, decisions, turns, moves, ending, ranks, against, "
                              "payoffs FROM game WHERE run = ? ORDER BY game");
    bool good = s != NULL;
    int step = SQLITE_DONE;

    if (s)
        sqlite3_bind_int64(s, 1, a->run);
    while (good && (step = sqlite3_step(s)) == SQLITE_ROW) {
        fz_game_row row;
        good = a->done < a->count && read_row(a, s, &row) && fz_sums_add(sums, a->program, &row);
        a->done++;
    }
    sqlite3_finalize(s);
    if (step != SQLITE_DONE && good)
        return fzi_archive_failed(a);
    if (!good)
        return fzi_cli_complain(a->cli, "%s: the archive is damaged: run %lld has a wrong row for "
                                "game %" PRIu64, a->path, a->run, a->first + a->done);
    return FZ_EXIT_OK;
}

int fzi_archive_load(fzi_archive *a, fz_sums *sums)
{
    if (!load_ends(a))
        return a->failed ? FZ_EXIT_USAGE
                         : fzi_cli_complain(a->cli, "%s: the archive is damaged: the endings of "
                                            "run %lld", a->path, a->run);
    return load_games(a, sums);
}

/* Was the run begun with the same --records? */
static bool same_records(fzi_archive *a)
{
    const char *given = a->cli->values[FZ_CLI_RECORDS];
    sqlite3_stmt *s = prepare(a, "SELECT records IS ? FROM run WHERE run = ?");
    bool same = false;

    if (!s)
        return false;
    if (given)
        bind_text(s, 1, given);
    sqlite3_bind_int64(s, 2, a->run);
    same = sqlite3_step(s) == SQLITE_ROW && sqlite3_column_int(s, 0) == 1;
    sqlite3_finalize(s);
    return same;
}

static int resume(fzi_archive *a, fz_sums *sums)
{
    const fzi_cli *cli = a->cli;

    if (!fzi_cli_has(cli, FZ_CLI_RESUME))
        return fzi_cli_complain(cli, "%s already has this run: it is number %lld; --resume "
                                "continues it", a->path, a->run);
    if (!same_records(a))
        return fzi_cli_complain(cli, "%s: run %lld was begun with other --records", a->path,
                                a->run);
    return fzi_archive_load(a, sums);
}

/* In one transaction: nobody else begins the same run. */
static int begin_run(fzi_archive *a, const json_t *experiment, fz_sums *sums)
{
    a->run = find_run(a, experiment);
    if (a->run < 0)
        return a->failed ? FZ_EXIT_USAGE
                         : fzi_cli_complain(a->cli, "%s: the archive is damaged: a run has no "
                                            "experiment", a->path);
    if (a->run > 0)
        return resume(a, sums);
    return insert_sources(a, fzi_experiment_text(experiment, "program")) &&
                   insert_run(a, experiment)
               ? FZ_EXIT_OK : FZ_EXIT_USAGE;
}

int fzi_archive_begin(fzi_archive *a, fzi_session *session, const fz_state *from,
                      const fzi_wanted *wanted, fzi_shard *shard)
{
    int code;

    a->program = session->program;
    a->context = session->context;
    a->script = session->path;
    a->from = from;
    a->seed = session->cli->seed;
    a->wanted = wanted;
    a->first = shard->first;
    a->count = shard->count;
    if (!run_sql(a, "BEGIN IMMEDIATE"))
        return FZ_EXIT_USAGE;
    code = begin_run(a, shard->experiment, &shard->sums);
    if (code != FZ_EXIT_OK || !run_sql(a, "COMMIT")) {
        sqlite3_exec(a->database, "ROLLBACK", NULL, NULL, NULL);
        return FZ_EXIT_USAGE;
    }
    a->insert = prepare(a, "INSERT INTO game VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    if (a->lines)
        a->insert_use = prepare(a, "INSERT INTO use VALUES(?, ?, ?)");
    return a->insert && (a->insert_use || !a->lines) ? FZ_EXIT_OK : FZ_EXIT_USAGE;
}

/* ---- reading all runs of an experiment ---- */

/* The uses of the run's games, in their order. False: one is wrong. */
static bool read_uses(fzi_archive *a, fzi_take_use *take_use, void *user)
{
    sqlite3_stmt *s = prepare(a, "SELECT use FROM use WHERE run = ? ORDER BY game");
    size_t lines = a->lines->count, sites = (size_t)fz_program_sites(a->program);
    uint32_t *counts = fzi_cli_allocate(NULL, (lines + sites + 1) * sizeof *counts);
    bool good = s != NULL;

    if (s)
        sqlite3_bind_int64(s, 1, a->run);
    while (good && sqlite3_step(s) == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(s, 0);
        size_t count = 0;
        while (text && *text && count < lines + sites) {
            text += strspn(text, "[],");
            counts[count++] = (uint32_t)strtoul(text, (char **)&text, 10);
        }
        good = text && count == lines + sites && strcmp(text, "]]") == 0;
        if (good)
            take_use(user, counts, counts + lines);
    }
    sqlite3_finalize(s);
    free(counts);
    return good;
}

static int read_run(fzi_archive *a, fz_sums *sums, fzi_take_use *take_use, void *user)
{
    int code;

    fzi_archive_forget(a);
    a->done = 0;
    if (!load_ends(a))
        return fzi_cli_complain(a->cli, "%s: the archive is damaged: the endings of run %lld",
                                a->path, a->run);
    code = load_games(a, sums);
    if (code == FZ_EXIT_OK && !read_uses(a, take_use, user))
        return a->failed ? FZ_EXIT_USAGE
                         : fzi_cli_complain(a->cli, "%s: the archive is damaged: the use of the "
                                            "board in run %lld", a->path, a->run);
    return code;
}

/* Runs that lie within earlier ones are left out. */
int fzi_archive_read(fzi_archive *a, const json_t *experiment, fz_sums *sums,
                     fzi_take_use *take_use, void *user)
{
    sqlite3_stmt *s = prepare(a, "SELECT run, first, count, experiment FROM run WHERE seed = ? "
                              "ORDER BY first, count DESC, run");
    char text[FZI_DIFFERENCE_SIZE];
    uint64_t covered = 0;
    int code = s ? FZ_EXIT_OK : FZ_EXIT_USAGE;

    if (s)
        bind_text(s, 1, fzi_experiment_text(experiment, "seed"));
    while (code == FZ_EXIT_OK && sqlite3_step(s) == SQLITE_ROW) {
        const char *dump = (const char *)sqlite3_column_text(s, 3);
        json_t *other = dump ? json_loads(dump, 0, NULL) : NULL;
        a->run = sqlite3_column_int64(s, 0);
        a->first = (uint64_t)sqlite3_column_int64(s, 1) - 1;
        a->count = (uint64_t)sqlite3_column_int64(s, 2);
        if (other && fzi_experiment_is_whole(other) && a->first >= covered &&
            !fzi_experiment_difference(other, experiment, text)) {
            code = read_run(a, sums, take_use, user);
            covered = a->first + a->count;
        }
        json_decref(other);
    }
    sqlite3_finalize(s);
    return code;
}

void fzi_archive_end_run(fzi_archive *a)
{
    fzi_archive_forget(a);
    sqlite3_finalize(a->insert);
    sqlite3_finalize(a->insert_use);
    a->insert = a->insert_use = NULL;
    a->done = a->pending = 0;
}

void fzi_archive_forget(fzi_archive *a)
{
    for (size_t i = 0; i < a->end_count; i++)
        free(a->ends[i].text);
    free(a->ends);
    a->ends = NULL;
    a->end_count = 0;
}

#else

int fzi_archive_begin(fzi_archive *a, fzi_session *session, const fz_state *from,
                      const fzi_wanted *wanted, fzi_shard *shard)
{
    (void)a, (void)session, (void)from, (void)wanted, (void)shard;
    return FZ_EXIT_USAGE;
}

int fzi_archive_load(fzi_archive *a, fz_sums *sums)
{
    (void)a, (void)sums;
    return FZ_EXIT_USAGE;
}

fz_sink fzi_archive_sink(fzi_archive *a)
{
    return (fz_sink){.user = a};
}

int fzi_archive_end(fzi_archive *a)
{
    (void)a;
    return FZ_EXIT_USAGE;
}

void fzi_archive_forget(fzi_archive *a)
{
    (void)a;
}

int fzi_archive_read(fzi_archive *a, const json_t *experiment, fz_sums *sums,
                     fzi_take_use *take_use, void *user)
{
    (void)a, (void)experiment, (void)sums, (void)take_use, (void)user;
    return FZ_EXIT_USAGE;
}

void fzi_archive_end_run(fzi_archive *a)
{
    (void)a;
}

#endif
