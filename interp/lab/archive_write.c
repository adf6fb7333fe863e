/* Writing runs into archives, and going on with them. See lab.h. */
#include "lab.h"
#include "sqlite.h"

#include "interp/agents/agent.h"

enum { BATCH = 5000 }; /* games of a transaction at most */
static const double batch_seconds = 0.3;

/* ---- reasons of ends ---- */

/* The number of the reason for which the game ended; -1 after a failure. */
static long long end_of(fz_archive *a, const fz_game_row *row)
{
    char text[FZI_PLACE_SIZE];
    bool is_error = row->ending == FZ_ENDED_BY_ERROR;
    const char *reason = is_error ? fzi_shown_place(row->error) : text;

    for (size_t i = 0; i < a->end_count; i++)
        if (a->ends[i].kind == row->ending &&
            (is_error ? strcmp(a->ends[i].text, reason) == 0 : a->ends[i].place == row->place))
            return (long long)i;
    if (!is_error) {
        fz_program_place_text(a->program, row->place, text, sizeof text);
        if (fzi_archive_place(a->program, fzi_shown_place(text)) == (long long)row->place)
            reason = fzi_shown_place(text);
    }
    if (!fzi_archive_add_end(a, row->ending, row->place, reason))
        return -1;
    if (!fzi_archive_run(a, "INSERT INTO ending VALUES(?1, ?2, ?3, ?4, "
                         "row_checksum(?1, ?2, ?3, ?4))", "iitt", a->run,
                         (long long)a->end_count - 1, fzi_ending_name(row->ending),
                         a->ends[a->end_count - 1].text))
        return -1;
    return (long long)a->end_count - 1;
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

static bool insert_game(fz_archive *a, const fz_game_row *row)
{
    unsigned players = (unsigned)fz_program_players(a->program);
    long long end = end_of(a, row), game = (long long)row->stream + 1;
    bool ended = row->ending != FZ_ENDED_BY_ERROR;
    bool pays = ended && fz_program_has_payoffs(a->program);
    const int64_t moves = (int64_t)row->legal_move_sum, nature = row->nature;
    char ranks[128], payoffs[400];

    if (end < 0)
        return false;
    if (ended)
        numbers_text(ranks, sizeof ranks, row->rank, NULL, players);
    if (pays)
        numbers_text(payoffs, sizeof payoffs, NULL, row->payoff, players);
    return fzi_archive_rerun(a, a->insert, "iiiinitntt", a->run, game, (long long)row->plies,
                             (long long)row->turns, a->setup.options.branching ? &moves : NULL,
                             end, ended ? ranks : NULL, ended && nature ? &nature : NULL,
                             pays ? payoffs : NULL, row->record) &&
           (!row->use || fzi_archive_rerun(a, a->insert_use, "iit", a->run, game, row->use));
}

static bool commit(fz_archive *a)
{
    if (a->open && !fzi_archive_do(a, "COMMIT"))
        return false;
    a->open = false;
    a->done += a->pending;
    a->pending = 0;
    a->committed = fzi_seconds();
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
    return (a->pending < BATCH && fzi_seconds() - a->committed < batch_seconds) || commit(a);
}

/* Without a format, which would take half of the time of a study of random games. */
static void add_number(fzi_buffer *text, uint32_t number)
{
    char digits[10];
    size_t at = sizeof digits;

    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    fzi_buffer_add(text, digits + at, sizeof digits - at);
}

static void add_counts(fzi_buffer *text, const uint32_t *counts, size_t count)
{
    fzi_buffer_char(text, '[');
    for (size_t i = 0; i < count; i++) {
        if (i)
            fzi_buffer_char(text, ',');
        add_number(text, counts[i]);
    }
    fzi_buffer_char(text, ']');
}

/* "[[lines],[sites]]" */
static fz_status note_use(const fz_archive *a, fz_machine *machine, const fz_state *state,
                          fz_game_row *row)
{
    size_t lines = a->lines->count, sites = (size_t)fz_program_sites(a->program);
    uint32_t *counts = calloc(lines + sites, sizeof *counts);
    fzi_buffer text = fzi_buffer_in(fzi_program_allocator(a->program));
    fz_status status = FZ_NO_MEMORY;

    if (counts)
        status = fzi_use_add(machine, a->lines, state, counts, counts + lines);
    if (status == FZ_OK) {
        fzi_buffer_char(&text, '[');
        add_counts(&text, counts, lines);
        fzi_buffer_char(&text, ',');
        add_counts(&text, counts + lines, sites);
        fzi_buffer_char(&text, ']');
        status = fzi_buffer_finish(&text, &row->use);
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

static bool note_end(fz_archive *a)
{
    if (!fzi_archive_do(a, "BEGIN IMMEDIATE"))
        return false;
    bool good = fzi_archive_run(a, "UPDATE run SET ended = strftime('%Y-%m-%dT%H:%M:%SZ') "
                                "WHERE run = ? AND ended IS NULL", "i", a->run) &&
                fzi_archive_seal_run(a);
    return fzi_archive_commit(a, good ? FZ_OK : FZ_BAD_INPUT) == FZ_OK;
}

fz_status fzi_archive_end(fz_archive *a)
{
    if (a->failed || !commit(a)) {
        sqlite3_exec(a->database, "ROLLBACK", NULL, NULL, NULL);
        if (!a->changed)
            fzi_context_add_line(a->context, "the archive has %" PRIu64 " of %" PRIu64 " playouts; "
                                 "the run can be continued", a->done, a->count);
        return FZ_BAD_INPUT;
    }
    return a->done < a->count || note_end(a) ? FZ_OK : FZ_BAD_INPUT;
}

/* ---- beginning ---- */

/* The texts of the program, once for all its runs. */
static bool insert_sources(fz_archive *a, const char *program)
{
    const char *path, *text;
    bool good = true;

    for (unsigned i = 0; good && fz_program_source(a->program, i, &path, &text, NULL); i++)
        good = fzi_archive_run(a, "INSERT OR IGNORE INTO source VALUES(?1, ?2, ?3, ?4, "
                               "row_checksum(?1, ?2, ?3, ?4))", "titt", program, i + 1LL, path,
                               text);
    return good;
}

static bool insert_run(fz_archive *a, const json_t *experiment)
{
    const fz_run_options *o = &a->setup.options;
    char *text = json_dumps(experiment, JSON_COMPACT | JSON_PRESERVE_ORDER);
    bool good = text && fzi_archive_run(
        a, "INSERT INTO run(experiment, first, count, records, command, started) VALUES(?, ?, ?, "
        "?, ?, strftime('%Y-%m-%dT%H:%M:%SZ'))", "tiitt", text, (long long)a->first + 1,
        (long long)a->count, o->records, o->command ? o->command : "");

    free(text);
    a->run = sqlite3_last_insert_rowid(a->database);
    return good && fzi_archive_begins(a) && fzi_archive_seal_run(a);
}

/* Was the run begun with the same records, and does it store the use of the board? */
static bool compare_run(fz_archive *a, bool *same_records, bool *has_use)
{
    sqlite3_stmt *s = fzi_archive_query(a, "SELECT records IS ?, json_type(experiment, '$.lines') "
                                        "IS 'array' FROM run WHERE run = ?", "ti",
                                        a->setup.options.records, a->run);

    if (fzi_archive_next(a, s)) {
        *same_records = sqlite3_column_int(s, 0);
        *has_use = sqlite3_column_int(s, 1);
    }
    sqlite3_finalize(s);
    return !a->failed;
}

/* Studies store more of a game than playouts do: a run has it of all its games, or of none. */
static fz_status resume(fz_archive *a, fz_sums *sums)
{
    bool same_records = false, has_use = false;

    if (!compare_run(a, &same_records, &has_use))
        return FZ_BAD_INPUT;
    if (a->lines && !has_use)
        return fzi_archive_say(a, FZ_USAGE, "run %lld was begun by `ferz playout` and lacks the "
                               "use of the board, which a study needs: give the study another "
                               "archive", a->run);
    if (!a->setup.options.resume)
        return fzi_context_fail(a->context, FZ_USAGE, "%s already has this run: it is number %lld",
                                a->path, a->run);
    if (!same_records)
        return fzi_archive_say(a, FZ_USAGE, "run %lld was begun with other records", a->run);
    fz_status status = fzi_archive_load(a, sums, NULL, NULL);
    if (status == FZ_OK && has_use && !a->lines && a->done < a->count)
        return fzi_archive_say(a, FZ_USAGE, "run %lld was begun by `ferz study`, which also stores "
                               "the use of the board: the study has to continue it", a->run);
    return status;
}

/* In one transaction: nobody else begins the same run. */
static fz_status begin_run(fz_archive *a, const json_t *experiment, fz_sums *sums)
{
    a->run = fzi_archive_find(a, experiment, 0, a->first + 1, a->count);
    if (a->run > 0)
        return resume(a, sums);
    return a->run == 0 && insert_sources(a, fzi_experiment_text(experiment, "program")) &&
                   insert_run(a, experiment)
               ? FZ_OK : FZ_BAD_INPUT;
}

fz_status fzi_archive_begin(fz_archive *a, const fzi_setup *setup, fzi_shard *shard)
{
    a->setup = *setup;
    a->program = setup->program;
    a->first = shard->first;
    a->count = shard->count;
    fz_status status = fzi_wanted_read(setup, &a->wanted);
    if (status != FZ_OK)
        return status;
    if (!fzi_archive_do(a, "BEGIN IMMEDIATE"))
        return FZ_BAD_INPUT;
    status = fzi_archive_commit(a, begin_run(a, shard->experiment, &shard->sums));
    if (status != FZ_OK)
        return status;
    a->insert = fzi_archive_query(a, "INSERT INTO game VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, "
                                  "?10, row_checksum(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10))",
                                  "");
    if (a->lines)
        a->insert_use = fzi_archive_query(a, "INSERT INTO use VALUES(?1, ?2, ?3, "
                                          "row_checksum(?1, ?2, ?3))", "");
    return a->insert && (a->insert_use || !a->lines) ? FZ_OK : FZ_BAD_INPUT;
}

/* ---- playing ---- */

fz_status fzi_shard_play(const fzi_setup *setup, const fz_lineup *lineup, fz_archive *archive,
                         fzi_shard *shard, fz_tally *tally)
{
    const fz_run_options *o = &setup->options;
    uint64_t had = archive ? archive->done : 0;
    fz_sink sink = archive ? fzi_archive_sink(archive) : (fz_sink){0};
    fz_playout_options sample = {.program = setup->program, .limits = o->limits, .from = o->from,
                                 .lineup = lineup, .seed = o->seed, .first = shard->first + had,
                                 .count = shard->count - had,
                                 .threads = fzi_threads(o->threads), .branching = o->branching,
                                 .watch = o->watch, .sink = archive ? &sink : NULL,
                                 .sums = &shard->sums};
    char message[256] = "";
    fz_status status = fz_playouts_run(&sample, tally, message);
    fz_status stored = archive ? fzi_archive_end(archive) : FZ_OK;

    if (stored != FZ_OK)
        return stored;
    if (tally->failed || status == FZ_RUNTIME)
        return fzi_setup_playouts_failed(setup, tally, lineup,
                                         tally->failed ? shard->sums.message : message, NULL);
    return status == FZ_OK ? FZ_OK : fzi_context_fail(setup->context, status, "%s", message);
}
