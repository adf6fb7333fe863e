/* Runs of archives, opened to be played again. See lab.h. */
#include "lab.h"
#include "sqlite.h"

#include "interp/support/text.h"

/* Freed with free; NULL: memory is short. */
static char *column_copy(sqlite3_stmt *s, int column)
{
    const char *text = fzi_archive_text(s, column);

    return fzi_copy_text(fzi_allocator_default(), text, strlen(text));
}

static fz_status damaged(fzi_archived_run *r, const char *what)
{
    return fzi_archive_say(&r->archive, FZ_BAD_INPUT, "the archive is damaged: %s", what);
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
        if (fits && (!found || fzi_begins_library(t->text, strlen(t->text))))
            found = t;
    }
    *length = found ? strlen(found->text) : FZ_NO_FILE;
    return found ? found->text : "";
}

static fz_status read_texts(fzi_archived_run *r)
{
    sqlite3_stmt *s = fzi_archive_query(&r->archive, "SELECT path, text FROM source WHERE program "
                                        "= ? ORDER BY number", "t",
                                        fzi_experiment_text(r->experiment, "program"));
    bool short_of_memory = false;

    while (!short_of_memory && fzi_archive_next(&r->archive, s)) {
        fzi_archived_text *more = realloc(r->texts, (r->text_count + 1) * sizeof *more);
        if (more) {
            r->texts = more;
            more += r->text_count++;
            *more = (fzi_archived_text){column_copy(s, 0), column_copy(s, 1)};
        }
        short_of_memory = !more || !more->path || !more->text;
    }
    sqlite3_finalize(s);
    if (short_of_memory)
        return fzi_context_no_memory(r->archive.context);
    if (r->archive.failed)
        return FZ_BAD_INPUT;
    return r->text_count ? FZ_OK : damaged(r, "it lacks the texts of a run");
}

/* ---- opening ---- */

/* The only run. */
static fz_status choose_run(fzi_archived_run *r)
{
    fz_archive *a = &r->archive;
    long long runs = fzi_archive_number(a, "SELECT count(*) FROM run", -1);

    if (a->run)
        return FZ_OK;
    if (runs < 0)
        return fzi_archive_failed(a);
    if (runs == 0)
        return fzi_archive_say(a, FZ_NOT_FOUND, "the archive has no runs");
    if (runs > 1)
        return fzi_archive_say(a, FZ_USAGE, "the archive has %lld runs, and none is chosen", runs);
    a->run = fzi_archive_number(a, "SELECT run FROM run", 0);
    return a->failed ? FZ_BAD_INPUT : FZ_OK;
}

static fz_status read_run(fzi_archived_run *r)
{
    fz_archive *a = &r->archive;
    sqlite3_stmt *s = fzi_archive_query(a, "SELECT experiment, first, count, command, (SELECT "
                                        "count(*) = count(record) FROM game WHERE game.run = "
                                        "run.run), ended NOTNULL FROM run WHERE run = ?", "i",
                                        a->run);
    bool found = fzi_archive_next(a, s);

    if (found) {
        r->experiment = fzi_archive_json(s, 0);
        a->first = (uint64_t)sqlite3_column_int64(s, 1) - 1;
        a->count = (uint64_t)sqlite3_column_int64(s, 2);
        r->command = column_copy(s, 3);
        r->recorded = sqlite3_column_int(s, 4) == 1;
        r->ended = sqlite3_column_int(s, 5) == 1;
    }
    sqlite3_finalize(s);
    if (a->failed)
        return FZ_BAD_INPUT;
    if (!found)
        return fzi_archive_say(a, FZ_NOT_FOUND, "there is no run %lld", a->run);
    if (!fzi_experiment_is_whole(r->experiment) ||
        a->count > fzi_experiment_playouts(r->experiment) ||
        a->first > fzi_experiment_playouts(r->experiment) - a->count)
        return damaged(r, "a run has no experiment");
    return FZ_OK;
}

/* The context reads the texts of the archive until the run is closed. */
static fz_status compile_texts(fzi_archived_run *r)
{
    fz_context *context = r->archive.context;

    r->overlay = context->overlay;
    r->overlay_user = context->overlay_user;
    r->limits = context->limits;
    r->lends = true;
    fz_context_set_overlay(context, find_text, r);
    fz_context_set_limits(context, &r->options.limits);
    return fzi_setup_compile(&r->setup, &r->report);
}

static fz_status open_setup(fzi_archived_run *r)
{
    fz_context *context = r->archive.context;
    char fingerprint[FZI_FINGERPRINT_SIZE];
    fz_status status = fzi_experiment_run(r->experiment, context, &r->options);

    r->setup = (fzi_setup){.context = context, .path = r->texts[0].path,
                           .options = r->options.run};
    if (status == FZ_OK)
        status = compile_texts(r);
    if (status != FZ_OK)
        return status;
    fzi_fingerprint_program(r->setup.program, fingerprint);
    if (strcmp(fingerprint, fzi_experiment_text(r->experiment, "program")) != 0)
        return fzi_archive_say(&r->archive, FZ_BAD_INPUT, "run %lld cannot be compiled again: its "
                               "texts have another fingerprint", r->archive.run);
    return FZ_OK;
}

static fz_status load_games(fzi_archived_run *r)
{
    if ((unsigned)fz_program_players(r->setup.program) != fzi_experiment_players(r->experiment))
        return damaged(r, "a run has other players than its game");
    r->archive.program = r->setup.program;
    fz_status status = fzi_archive_load(&r->archive, &r->sums, NULL, NULL);
    if (status == FZ_OK && r->ended && r->archive.done < r->archive.count)
        return damaged(r, "a run that ended lacks games");
    return status;
}

fz_status fzi_archived_open(fzi_archived_run *r, fz_context *context, const char *path,
                            uint64_t number)
{
    *r = (fzi_archived_run){0};
    fz_sums_init(&r->sums, context->allocator.resize, context->allocator.user);
    pthread_mutex_init(&r->lock, NULL);
    fz_status status = fzi_archive_open(&r->archive, context, path, false);
    r->archive.run = (long long)number;
    if (status == FZ_OK)
        status = choose_run(r);
    if (status == FZ_OK)
        status = read_run(r);
    if (status == FZ_OK)
        status = read_texts(r);
    if (status == FZ_OK)
        status = open_setup(r);
    if (status == FZ_OK)
        status = load_games(r);
    return status;
}

void fzi_archived_close(fzi_archived_run *r)
{
    fz_context *context = r->archive.context;

    fzi_setup_clear(&r->setup);
    if (r->lends) {
        fz_context_set_overlay(context, r->overlay, r->overlay_user);
        fz_context_set_limits(context, &r->limits);
    }
    fzi_release(context->allocator, r->options.settings);
    fzi_archive_clear(&r->archive);
    for (size_t i = 0; i < r->text_count; i++) {
        free(r->texts[i].path);
        free(r->texts[i].text);
    }
    free(r->texts);
    free(r->command);
    json_decref(r->experiment);
    fz_report_free(r->report);
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

/* A player's stream of thoughts identifies the game (fzi_decided). */
static void new_game(void *self, uint64_t seed, uint64_t thoughts)
{
    script *s = self;
    fzi_archived_run *r = s->run;
    uint64_t stream = thoughts / (unsigned)fz_program_players(r->setup.program);
    char *text = NULL;

    (void)seed;
    if (s->loaded && s->stream == stream)
        return;
    fz_record_free(r->setup.context, &s->record);
    s->record = (fz_record){0};
    s->next = 0;
    s->stream = stream;
    pthread_mutex_lock(&r->lock); /* the context is one for all threads */
    s->loaded = fz_archive_record(&r->archive, (uint64_t)r->archive.run, stream + 1, &text) ==
                    FZ_OK &&
                fz_record_read(r->setup.context, text, &s->record) == FZ_OK;
    fz_text_free(r->setup.context, text);
    pthread_mutex_unlock(&r->lock);
}

static fz_status choose_move(void *self, const fz_state *state, fz_move *move)
{
    script *s = self;

    while (s->next < s->record.entry_count && *s->record.entries[s->next] == '{')
        s->next++; /* chance comes from the seed */
    if (!s->loaded || s->next == s->record.entry_count) {
        snprintf(s->message, sizeof s->message, "the archive has no move %zu of game %" PRIu64,
                 s->next + 1, s->stream + 1);
        return FZ_RUNTIME;
    }
    fz_status status = fz_move_parse(s->machine, state, s->record.entries[s->next], move);
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
    fz_record_free(s->run->setup.context, &s->record);
    fz_machine_free(s->machine);
    free(s);
}

static fz_status make(void *user, fz_decider *deciders, char *message)
{
    fzi_archived_run *r = user;
    unsigned players = (unsigned)fz_program_players(r->setup.program);
    script *s = malloc(sizeof *s);

    if (s) {
        *s = (script){.run = r, .users = players};
        s->machine = fz_machine_new(r->setup.program, &r->options.limits);
    }
    if (!s || !s->machine) {
        snprintf(message, 256, "out of memory");
        free(s);
        return FZ_NO_MEMORY;
    }
    for (unsigned p = 0; p < players; p++)
        deciders[p] = (fz_decider){.new_game = new_game, .choose_move = choose_move, .why = why,
                                   .release = release, .self = s};
    return FZ_OK;
}

fz_lineup fzi_archived_lineup(fzi_archived_run *run)
{
    return (fz_lineup){.make = make, .user = run, .logs = true};
}
