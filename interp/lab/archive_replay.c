/* Runs of archives. See archive_replay.h. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "archive_replay.h"

#include "fingerprint.h"
#include "grammar/syntax/parse.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_SQLITE
#include "archive_rows.h"

static char *copy_of(const char *text, size_t length)
{
    char *copy = fzi_cli_allocate(NULL, length + 1);

    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

static char *column_copy(sqlite3_stmt *s, int column)
{
    const char *text = (const char *)sqlite3_column_text(s, column);

    return copy_of(text ? text : "", (size_t)sqlite3_column_bytes(s, column));
}

static int damaged(fzi_archived_run *r, const char *what)
{
    return fzi_cli_complain(r->archive.cli, "%s: the archive is damaged: %s", r->archive.path,
                            what);
}

/* ---- texts ---- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static bool same_folder(const char *a, const char *b)
{
    size_t length = (size_t)(base_name(a) - a);

    return length == (size_t)(base_name(b) - b) && strncmp(a, b, length) == 0;
}

/* The text of a path. In folders of the archive there is what the archive has. Any other folder is
 * one of this machine in which modules are looked for: there is what lay in some other folder than
 * the script, above all libraries. All texts are compared afterwards, by their fingerprint. */
static const char *find_text(void *user, const char *path, size_t *length)
{
    const fzi_archived_run *r = user;
    const fzi_archived_text *found = NULL;
    bool is_known = false;

    for (size_t i = 0; i < r->text_count; i++)
        is_known = is_known || same_folder(r->texts[i].path, path);
    for (size_t i = 0; i < r->text_count; i++) {
        const fzi_archived_text *t = &r->texts[i];
        bool fits = is_known ? strcmp(t->path, path) == 0
                             : strcmp(base_name(t->path), base_name(path)) == 0 &&
                                   !same_folder(t->path, r->texts[0].path);
        if (fits && (!found || fzi_begins_library(t->text, t->length)))
            found = t;
    }
    *length = found ? found->length : FZ_NO_FILE;
    return found ? found->text : "";
}

static int read_texts(fzi_archived_run *r)
{
    sqlite3_stmt *s = fzi_archive_prepare(&r->archive, "SELECT path, text FROM source WHERE "
                                          "program = ? ORDER BY number");

    if (!s)
        return FZ_EXIT_USAGE;
    sqlite3_bind_text(s, 1, fzi_experiment_text(r->experiment, "program"), -1, SQLITE_TRANSIENT);
    while (fzi_archive_next(&r->archive, s)) {
        r->texts = fzi_cli_allocate(r->texts, (r->text_count + 1) * sizeof *r->texts);
        r->texts[r->text_count++] = (fzi_archived_text){
            column_copy(s, 0), column_copy(s, 1), (size_t)sqlite3_column_bytes(s, 1)};
    }
    sqlite3_finalize(s);
    if (r->archive.failed)
        return FZ_EXIT_USAGE;
    return r->text_count ? FZ_EXIT_OK : damaged(r, "it lacks the texts of a run");
}

/* ---- opening ---- */

/* The only run. */
static int choose_run(fzi_archived_run *r)
{
    fzi_archive *a = &r->archive;
    long long runs = fzi_archive_number(a, "SELECT count(*) FROM run", -1);

    if (a->run)
        return FZ_EXIT_OK;
    if (runs < 0)
        return fzi_archive_failed(a);
    if (runs == 0)
        return fzi_cli_complain(a->cli, "%s: the archive has no runs", a->path);
    if (runs > 1)
        return fzi_cli_complain(a->cli, "%s: the archive has %lld runs; choose one with --run "
                                "(`ferz export %s` lists them)", a->path, runs, a->path);
    a->run = fzi_archive_number(a, "SELECT run FROM run", 0);
    return a->failed ? FZ_EXIT_USAGE : FZ_EXIT_OK;
}

static int read_run(fzi_archived_run *r)
{
    fzi_archive *a = &r->archive;
    sqlite3_stmt *s = fzi_archive_prepare(a, "SELECT experiment, first, count, command, (SELECT "
                                          "count(*) = count(record) FROM game WHERE game.run = "
                                          "run.run) FROM run WHERE run = ?");
    bool found;

    if (!s)
        return FZ_EXIT_USAGE;
    sqlite3_bind_int64(s, 1, a->run);
    found = fzi_archive_next(a, s);
    if (found) {
        const char *dump = (const char *)sqlite3_column_text(s, 0);
        r->experiment = dump ? json_loads(dump, 0, NULL) : NULL;
        a->first = (uint64_t)sqlite3_column_int64(s, 1) - 1;
        a->count = (uint64_t)sqlite3_column_int64(s, 2);
        r->command = column_copy(s, 3);
        r->recorded = sqlite3_column_int(s, 4) == 1;
    }
    sqlite3_finalize(s);
    if (a->failed)
        return FZ_EXIT_USAGE;
    if (!found)
        return fzi_cli_complain(a->cli, "%s: there is no run %lld", a->path, a->run);
    if (!r->experiment || !fzi_experiment_is_whole(r->experiment) ||
        a->count > fzi_experiment_playouts(r->experiment) ||
        a->first > fzi_experiment_playouts(r->experiment) - a->count)
        return damaged(r, "a run has no experiment");
    return FZ_EXIT_OK;
}

/* Compiles the texts. */
static int open_session(fzi_archived_run *r)
{
    char fingerprint[FZI_FINGERPRINT_SIZE];
    int code;

    r->cli = *r->archive.cli;
    fzi_experiment_command(r->experiment, &r->cli);
    code = fzi_session_open_over(&r->session, &r->cli, r->texts[0].path, find_text, r);
    if (code != FZ_EXIT_OK)
        return code;
    fzi_fingerprint_program(r->session.program, fingerprint);
    if (strcmp(fingerprint, fzi_experiment_text(r->experiment, "program")) != 0)
        return fzi_cli_complain(&r->cli, "%s: run %lld cannot be compiled again: its texts have "
                                "another fingerprint", r->archive.path, r->archive.run);
    return FZ_EXIT_OK;
}

static int load_games(fzi_archived_run *r)
{
    if ((unsigned)fz_program_players(r->session.program) != fzi_experiment_players(r->experiment))
        return damaged(r, "a run has other players than its game");
    r->archive.program = r->session.program;
    return fzi_archive_load(&r->archive, &r->sums, NULL, NULL);
}

int fzi_archived_open(fzi_archived_run *r, const fzi_cli *cli, const char *path, uint64_t number)
{
    int code;

    *r = (fzi_archived_run){.cli = *cli};
    r->cli.settings = NULL;
    fz_sums_init(&r->sums, fzi_cli_resize, NULL);
    pthread_mutex_init(&r->lock, NULL);
    code = fzi_archive_open(&r->archive, cli, path, false);
    r->archive.run = (long long)number;
    if (code == FZ_EXIT_OK)
        code = choose_run(r);
    if (code == FZ_EXIT_OK)
        code = read_run(r);
    if (code == FZ_EXIT_OK)
        code = read_texts(r);
    if (code == FZ_EXIT_OK)
        code = open_session(r);
    if (code == FZ_EXIT_OK)
        code = load_games(r);
    return code;
}

void fzi_archived_close(fzi_archived_run *r)
{
    fzi_session_clear(&r->session);
    sqlite3_finalize(r->records);
    fzi_archive_close(&r->archive);
    for (size_t i = 0; i < r->text_count; i++) {
        free(r->texts[i].path);
        free(r->texts[i].text);
    }
    free(r->texts);
    free(r->command);
    free(r->cli.settings);
    json_decref(r->experiment);
    fz_sums_clear(&r->sums);
    pthread_mutex_destroy(&r->lock);
}

/* ---- players that repeat records ---- */

/* What the deciders of one thread share: the record of the game that is played. */
typedef struct script {
    fzi_archived_run *run;
    fz_machine *machine;
    fz_record record;
    size_t next;              /* entry */
    uint64_t stream;          /* of the game */
    bool loaded;
    unsigned users;
    char message[256];
} script;

static char *record_text(fzi_archived_run *r, uint64_t game)
{
    char *text = NULL;

    pthread_mutex_lock(&r->lock);
    if (!r->records)
        r->records = fzi_archive_prepare(&r->archive, "SELECT record FROM game WHERE run = ? AND "
                                         "game = ?");
    if (r->records) {
        sqlite3_bind_int64(r->records, 1, r->archive.run);
        sqlite3_bind_int64(r->records, 2, (sqlite3_int64)game);
        if (fzi_archive_next(&r->archive, r->records))
            text = column_copy(r->records, 0);
        sqlite3_reset(r->records);
    }
    pthread_mutex_unlock(&r->lock);
    return text;
}

/* The stream of thoughts of a player tells the game (fzi_decided). */
static void new_game(void *self, uint64_t seed, uint64_t thoughts)
{
    script *s = self;
    fzi_archived_run *r = s->run;
    uint64_t stream = thoughts / (unsigned)fz_program_players(r->session.program);
    char *text;

    (void)seed;
    if (s->loaded && s->stream == stream)
        return;
    fz_record_free(r->session.context, &s->record);
    s->record = (fz_record){0};
    s->next = 0;
    s->stream = stream;
    text = record_text(r, stream + 1);
    pthread_mutex_lock(&r->lock); /* the context is one for all threads */
    s->loaded = text && fz_record_read(r->session.context, text, &s->record) == FZ_OK;
    pthread_mutex_unlock(&r->lock);
    free(text);
}

static fz_status choose_move(void *self, const fz_state *state, fz_move *move)
{
    script *s = self;
    fz_status status;

    while (s->next < s->record.entry_count && *s->record.entries[s->next] == '{')
        s->next++; /* chance comes from the seed */
    if (!s->loaded || s->next == s->record.entry_count) {
        snprintf(s->message, sizeof s->message, "the archive has no move %zu of game %" PRIu64,
                 s->next + 1, s->stream + 1);
        return FZ_RUNTIME;
    }
    status = fz_move_parse(s->machine, state, s->record.entries[s->next], move);
    if (status == FZ_OK) {
        s->next++;
        return status;
    }
    snprintf(s->message, sizeof s->message, "the record of game %" PRIu64 " does not fit: '%.100s'",
             s->stream + 1, s->record.entries[s->next]);
    return FZ_RUNTIME;
}

static const char *why(void *self)
{
    return ((script *)self)->message;
}

static void release(void *self)
{
    script *s = self;

    if (--s->users)
        return;
    fz_record_free(s->run->session.context, &s->record);
    fz_machine_free(s->machine);
    free(s);
}

static fz_status make(void *user, fz_decider *deciders, char *message)
{
    fzi_archived_run *r = user;
    unsigned players = (unsigned)fz_program_players(r->session.program);
    script *s = fzi_cli_allocate(NULL, sizeof *s);

    *s = (script){.run = r, .users = players};
    s->machine = fz_machine_new(r->session.program, &r->cli.limits);
    if (!s->machine) {
        snprintf(message, 256, "out of memory");
        free(s);
        return FZ_NO_MEMORY;
    }
    for (unsigned p = 0; p < players; p++)
        deciders[p] = (fz_decider){.new_game = new_game, .choose_move = choose_move, .why = why,
                                   .release = release, .self = s};
    return FZ_OK;
}

fz_lineup fzi_archived_cast(fzi_archived_run *run)
{
    return (fz_lineup){.make = make, .user = run, .logs = true};
}

#else

int fzi_archived_open(fzi_archived_run *run, const fzi_cli *cli, const char *path, uint64_t number)
{
    (void)number;
    *run = (fzi_archived_run){.cli = *cli};
    return fzi_archive_open(&run->archive, cli, path, false);
}

void fzi_archived_close(fzi_archived_run *run)
{
    fzi_archive_close(&run->archive);
}

fz_lineup fzi_archived_cast(fzi_archived_run *run)
{
    return (fz_lineup){.user = run};
}

#endif
