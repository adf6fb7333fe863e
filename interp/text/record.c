/* Writes and reads records of games (fz_record_write, fz_record_read): a header, the moves
 * numbered by turn with chance results in braces, the result. A record replays exactly: every
 * entry is a line, and chance is written down. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "interp/ferz_tools.h"
#include "interp/support/chance.h"
#include "interp/vm/game.h"
#include "position.h"

static const char first_line[] = "ferz record 1";

/* "%6u. " before the first entry of a turn, blanks before the others. */
enum { NUMBER_COLUMNS = 8 };

/* ---- keeping ---- */

bool fz_state_last_move(const fz_state *before, const fz_state *after, fz_move *move)
{
    size_t from = before->log && before->log->keep ? before->log->count : 0;

    if (!after->log || !after->log->keep || after->log->lost)
        return false;
    for (size_t i = from; i < after->log->count; i++) {
        if (!after->log->entries[i].is_chance) {
            if (move)
                *move = after->log->entries[i].move;
            return true;
        }
    }
    return false;
}

fz_state *fz_record_begin(fz_machine *machine, uint64_t seed, uint64_t stream)
{
    fz_chance mode = machine->chance;
    int64_t value;

    /* Asking for chance, so that nothing is rolled before the log keeps it. */
    machine->chance = FZ_CHANCE_ASK;
    fz_state *state = fz_state_new(machine, seed, stream);
    machine->chance = mode;
    if (!state)
        return NULL;
    if (state->log)
        state->log->keep = state->log->whole = true;
    while (mode == FZ_CHANCE_SAMPLE && fz_state_waiting(state) == FZ_WAITING_CHANCE) {
        if (fz_state_sample_chance(machine, state, &value) != FZ_OK) {
            fz_state_free(state);
            return NULL;
        }
    }
    return state;
}

fz_status fz_record_from_here(fz_machine *machine, fz_state *state)
{
    char *text = NULL;
    fz_status status = fz_state_write(machine, state, true, &text);

    if (status != FZ_OK)
        return status;
    fzi_release(state->log->allocator, state->log->origin);
    state->log->origin = fzi_copy_text(state->log->allocator, text, strlen(text));
    fzi_release(machine->allocator, text);
    if (!state->log->origin)
        return fzi_machine_no_memory(machine);
    state->log->before = state->log->count;
    state->log->whole = false;
    state->log->keep = true;
    return FZ_OK;
}

/* Why there is no new state. */
static fz_status no_state(const fz_machine *machine)
{
    return machine->fault ? FZ_RUNTIME : FZ_NO_MEMORY;
}

/* ---- writing ---- */

static void payoff_text(fz_machine *machine, const fz_state *state, fzi_buffer *out)
{
    const char *between = "; payoffs ";

    for (int p = 0; p < (int)machine->program->player_count; p++) {
        int64_t value;
        if (fz_state_payoff(machine, state, p, &value) != FZ_OK)
            return;
        fzi_buffer_format(out, "%s%lld", between, (long long)value);
        between = ", ";
    }
}

static void result_text(fz_machine *machine, const fz_state *state, fzi_buffer *out)
{
    const fz_program *program = machine->program;
    const char *between = "";

    if (fz_state_waiting(state) != FZ_GAME_OVER)
        return;
    for (uint32_t p = 0; p < program->player_count; p++) {
        fzi_buffer_format(out, "%s%s %d", between, fzi_text(program, program->players[p].name),
                          fz_state_rank(state, (int)p));
        between = ", ";
    }
    if (fz_program_has_payoffs(program))
        payoff_text(machine, state, out);
    if (fz_state_stopped(state))
        fzi_buffer_text(out, " (stopped)");
}

fz_status fz_record_result_text(fz_machine *machine, const fz_state *state, char **text)
{
    fzi_buffer out = fzi_buffer_in(machine->allocator);

    result_text(machine, state, &out);
    return fzi_text_finish(machine, FZ_OK, &out, text);
}

/* Each line of a position after a bar, so that none can be taken for an entry or a header. */
static void write_origin(const char *text, fzi_buffer *out)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        fzi_buffer_text(out, "| ");
        fzi_buffer_add(out, text, length);
        fzi_buffer_char(out, '\n');
        text += length + (text[length] == '\n');
    }
}

static void write_header(const fz_program *program, const char *path, uint64_t seed,
                         const fzi_log *log, fzi_buffer *out)
{
    size_t length;
    const char *name = fzi_library_name(path, &length);

    fzi_buffer_format(out, "%s\ngame: %.*s\ntitle: %s\nseed: %llu\n", first_line, (int)length,
                      name, fzi_text(program, program->title), (unsigned long long)seed);
    for (uint32_t i = 0; i < program->setting_count; i++) {
        if (!program->settings[i].is_default)
            fzi_buffer_format(out, "option: %s=%s\n", fzi_text(program, program->settings[i].name),
                              fzi_text(program, program->settings[i].value));
    }
    if (!log->whole)
        write_origin(log->origin, out);
}

/* Plays the log again from where it begins, writing each entry before it is played. With `failed`
 * the game ended in an error, and its last entry may end in it here too. */
static fz_status write_entries(fz_machine *machine, fz_state *replay, const fzi_log *log,
                               bool failed, fzi_buffer *out)
{
    uint32_t turn = UINT32_MAX;
    fz_status status = FZ_OK;

    for (size_t i = log->whole ? 0 : log->before; i < log->count && status == FZ_OK; i++) {
        uint32_t now = fz_state_turns(replay);
        if (now != turn)
            fzi_buffer_format(out, "%6u. ", now);
        else
            fzi_buffer_text(out, "        ");
        turn = now;
        status = fzi_log_entry_write(machine, replay, &log->entries[i], -1, false, out);
        fzi_buffer_char(out, '\n');
        if (status == FZ_OK)
            status = fzi_log_entry_play(machine, replay, &log->entries[i]);
    }
    return failed && status == FZ_RUNTIME ? FZ_OK : status;
}

/* `error`: the message in which the game ended; NULL. */
static fz_status write_record(fz_machine *machine, const fz_state *state, const char *path,
                              uint64_t seed, const char *error, char **text)
{
    fzi_buffer out = fzi_buffer_in(machine->allocator);
    fz_chance mode = machine->chance;

    if (state->log && state->log->lost)
        return fzi_machine_say(machine, FZ_NO_MEMORY,
                               "memory was short for the record of the game, or it is too long");
    if (!state->log || !(state->log->whole || state->log->origin))
        return fzi_machine_say(machine, FZ_USAGE,
                               "where the game's record would begin is not known");
    write_header(machine->program, path, seed, state->log, &out);
    machine->chance = FZ_CHANCE_ASK;
    fz_state *replay = fz_state_new(machine, 0, 0);
    fz_status status = replay ? FZ_OK : no_state(machine);
    if (replay && !state->log->whole)
        status = fz_state_read(machine, replay, state->log->origin);
    if (status == FZ_OK)
        status = write_entries(machine, replay, state->log, error != NULL, &out);
    machine->chance = mode;
    fz_state_free(replay);
    if (status == FZ_OK && error) {
        fzi_buffer_format(&out, "error: %s\n", error);
    } else if (status == FZ_OK && fz_state_waiting(state) == FZ_GAME_OVER) {
        fzi_buffer_text(&out, "result: ");
        result_text(machine, state, &out);
        fzi_buffer_char(&out, '\n');
    }
    return fzi_text_finish(machine, status, &out, text);
}

fz_status fz_record_write(fz_machine *machine, const fz_state *state, const char *path,
                          uint64_t seed, char **text)
{
    return write_record(machine, state, path, seed, NULL, text);
}

/* The position with the chance of the stream, as a playout from it begins. */
static fz_state *begin_from(fz_machine *machine, const fz_state *from, uint64_t seed,
                            uint64_t stream)
{
    fz_state *state = fz_state_clone(from);

    if (!state)
        return NULL;
    fzi_head_of(state)->key = fzi_chance_key(seed, stream);
    fzi_head_of(state)->counter = 0;
    if ((state->log && state->log->whole) || fz_record_from_here(machine, state) == FZ_OK)
        return state;
    fz_state_free(state);
    return NULL;
}

/* Plays the choice of the player's decider, and reports it to all deciders. */
static fz_status play_decided(fz_machine *machine, fz_state *state, const fz_decider *deciders)
{
    const fz_decider *d = &deciders[fz_state_decider(state)];
    fz_move move = {0};
    fz_status status = d->choose_move(d->self, state, &move);

    if (status != FZ_OK)
        return fzi_machine_say(machine, status, "%s", d->why(d->self));
    status = fz_state_play(machine, state, &move);
    for (uint32_t p = 0; p < machine->program->player_count && status == FZ_OK; p++)
        if (deciders[p].note_move)
            deciders[p].note_move(deciders[p].self, &move);
    return status;
}

static fz_status play_on(fz_machine *machine, fz_state *state, const fz_decider *deciders)
{
    int64_t value;

    if (fz_state_waiting(state) == FZ_WAITING_CHANCE)
        return fz_state_sample_chance(machine, state, &value);
    return deciders ? play_decided(machine, state, deciders)
                    : fz_state_play_random(machine, state);
}

/* Does the failed step again without undoing it, so that the log ends with what failed. */
static fz_status record_failure(fz_machine *machine, fz_state *state, const char *path,
                                uint64_t seed, char **text)
{
    char message[sizeof machine->message];
    fz_chance mode = machine->chance;

    snprintf(message, sizeof message, "%s", fz_machine_message(machine));
    machine->chance = FZ_CHANCE_SAMPLE;
    fzi_machine_begin(machine);
    fzi_state_go(machine, state, 1);
    machine->chance = mode;
    write_record(machine, state, path, seed, message, text);
    return fzi_machine_say(machine, FZ_RUNTIME, "%s", message);
}

fz_status fz_record_playout(fz_machine *machine, const fz_state *from, const char *path,
                            uint64_t seed, uint64_t stream, const fz_decider *deciders, char **text)
{
    uint32_t players = machine->program->player_count;

    if (text)
        *text = NULL;
    for (uint32_t p = 0; deciders && p < players; p++)
        if (deciders[p].new_game)
            deciders[p].new_game(deciders[p].self, seed, stream * players + p);
    fz_state *state = from ? begin_from(machine, from, seed, stream)
                           : fz_record_begin(machine, seed, stream);
    fz_status status = state ? FZ_OK : no_state(machine);

    while (status == FZ_OK && fz_state_waiting(state) != FZ_GAME_OVER && !state->log->lost)
        status = play_on(machine, state, deciders);
    if (status == FZ_OK)
        status = fz_record_write(machine, state, path, seed, text);
    else if (state && status == FZ_RUNTIME)
        status = record_failure(machine, state, path, seed, text);
    fz_state_free(state);
    return status;
}

/* ---- reading ---- */

typedef struct record_reader {
    fz_context *context;
    fz_record *record;
    fzi_buffer position;
    unsigned line;
} record_reader;

static void *grow(record_reader *r, void *array, size_t count, size_t item)
{
    fzi_allocator allocator = r->context->allocator;

    /* Doubling at the powers of two is all the capacity there needs to be. */
    if (count & (count - 1))
        return array;
    return allocator.resize(allocator.user, array, (count ? 2 * count : 1) * item);
}

static fz_status add_entry(record_reader *r, const char *entry)
{
    const char **grown = grow(r, r->record->entries, r->record->entry_count, sizeof *grown);

    if (!grown)
        return fzi_context_no_memory(r->context);
    r->record->entries = grown;
    grown[r->record->entry_count++] = entry;
    return FZ_OK;
}

/* A line of the position, without its bar. */
static fz_status add_position(record_reader *r, const char *line)
{
    line += 1 + (line[1] == ' ');
    fzi_buffer_text(&r->position, line);
    fzi_buffer_char(&r->position, '\n');
    return r->position.failed ? fzi_context_no_memory(r->context) : FZ_OK;
}

static fz_status add_option(record_reader *r, char *text)
{
    char *equals = strchr(text, '=');
    fz_setting *grown;

    if (!equals)
        return fzi_context_fail(r->context, FZ_BAD_INPUT, "line %u: option: Name=Value is expected",
                                r->line);
    grown = grow(r, r->record->settings, r->record->setting_count, sizeof *grown);
    if (!grown)
        return fzi_context_no_memory(r->context);
    *equals = '\0';
    r->record->settings = grown;
    grown[r->record->setting_count++] = (fz_setting){text, equals + 1};
    return FZ_OK;
}

/* Takes the rest of a line "key: value". False: the line has another key. */
static bool take(char *line, const char *key, const char **value)
{
    size_t n = strlen(key);

    if (strncmp(line, key, n) != 0 || line[n] != ':')
        return false;
    line += n + 1;
    *value = line + strspn(line, " ");
    return true;
}

static fz_status read_seed(record_reader *r, const char *value)
{
    errno = 0;
    r->record->seed = strtoull(value, NULL, 10);
    return *value && !value[strspn(value, "0123456789")] && errno == 0
               ? FZ_OK
               : fzi_context_fail(r->context, FZ_BAD_INPUT, "line %u: seed: '%.40s' is no number "
                                  "of at most 64 bits", r->line, value);
}

/* Header lines come before the first entry, so that no move's text can be taken for one. */
static fz_status read_header(record_reader *r, char *line, bool *is_header)
{
    const char *value;

    *is_header = take(line, "game", &r->record->game) || take(line, "title", &r->record->title);
    if (*is_header)
        return FZ_OK;
    *is_header = true;
    if (take(line, "seed", &value))
        return read_seed(r, value);
    if (take(line, "option", &value))
        return add_option(r, line + (value - line));
    else
        *is_header = false;
    return FZ_OK;
}

/* Entries are indented. The number of the turn before an entry is skipped; an entry that is
 * indented as far as one after a number has none, so digits at its beginning belong to the move. */
static fz_status read_line(record_reader *r, char *line)
{
    char *end = line + strlen(line);
    size_t indent = strspn(line, " \t"), digits;

    while (end > line && isspace((unsigned char)end[-1]))
        *--end = '\0';
    if (!*line)
        return FZ_OK;
    if (r->record->entry_count == 0 && *line == '|')
        return add_position(r, line);
    if (r->record->entry_count == 0 && *line != ' ') {
        bool is_header;
        fz_status status = read_header(r, line, &is_header);
        if (status != FZ_OK || is_header)
            return status;
    }
    if (*line != ' ' && (take(line, "result", &r->record->result) ||
                         take(line, "error", &r->record->error)))
        return FZ_OK;
    line += indent;
    digits = strspn(line, "0123456789");
    if (indent < NUMBER_COLUMNS && digits && strncmp(line + digits, ". ", 2) == 0)
        line += digits + 2;
    return add_entry(r, line);
}

static bool is_first_line(const char *line)
{
    size_t length = strlen(first_line);

    return strncmp(line, first_line, length) == 0 &&
           line[length + strspn(line + length, " \t\r")] == '\0';
}

static fz_status no_record(fz_context *context)
{
    return fzi_context_fail(context, FZ_BAD_INPUT, "this is no record: it does not begin with '%s'",
                            first_line);
}

fz_status fz_record_read(fz_context *context, const char *text, fz_record *record)
{
    record_reader r = {.context = context, .record = record,
                       .position = fzi_buffer_in(context->allocator)};
    fz_status status = FZ_OK;
    fz_record unused;
    char *line;

    if (!record) {
        status = fz_record_read(context, text, &unused);
        fz_record_free(context, &unused);
        return status;
    }
    *record = (fz_record){.game = "", .title = "", .result = "", .error = ""};
    record->text = line = fzi_copy_text(context->allocator, text, strlen(text));
    if (!line)
        return fzi_context_no_memory(r.context);
    while (status == FZ_OK && *line) {
        size_t length = strcspn(line, "\n");
        bool last = !line[length];
        line[length] = '\0';
        if (r.line++ == 0) {
            if (!is_first_line(line))
                status = no_record(context);
        } else {
            status = read_line(&r, line);
        }
        line += length + !last;
    }
    if (status == FZ_OK && r.position.length)
        status = fzi_buffer_finish(&r.position, &record->position) == FZ_OK
                     ? FZ_OK : fzi_context_no_memory(context);
    else
        fzi_buffer_free(&r.position);
    if (status == FZ_OK && !r.line)
        return no_record(context);
    if (status == FZ_OK && !*record->game)
        return fzi_context_fail(context, FZ_BAD_INPUT,
                                "the record does not say its game ('game: FILE')");
    return status;
}

void fz_record_free(fz_context *context, fz_record *record)
{
    if (!record)
        return;
    FZI_RELEASE(context->allocator, record->text, record->position, record->settings,
                record->entries);
    *record = (fz_record){0};
}

fz_state *fz_record_start(fz_machine *machine, const fz_record *record)
{
    fz_state *state = fz_record_begin(machine, record->seed, 0);

    if (!state || !record->position)
        return state;
    if (fz_state_read(machine, state, record->position) == FZ_OK &&
        fz_record_from_here(machine, state) == FZ_OK)
        return state;
    fz_state_free(state);
    return NULL;
}

fz_status fz_record_play(fz_machine *machine, fz_state *state, const char *entry)
{
    return fzi_position_play(machine, state, entry, strlen(entry));
}
