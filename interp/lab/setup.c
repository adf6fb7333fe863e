/* Games that are ready to be played many times. See lab.h. */
#include "lab.h"

fz_status fzi_setup_compile(fzi_setup *s, fz_report **report)
{
    fz_report *own = NULL;
    fz_status status = fz_compile(s->context, s->path, NULL, 0, s->options.settings,
                                  s->options.setting_count, &s->program, &own);
    bool errors = own && fz_report_errors(own);

    if (report && errors)
        *report = own;
    else
        fz_report_free(own);
    if (status == FZ_INVALID && errors)
        return fzi_context_fail(s->context, status, "%s: the script has errors", s->path);
    if ((status == FZ_OK || status == FZ_INVALID) && !s->program)
        return fzi_context_fail(s->context, FZ_USAGE, "%s: this is a library, not a game", s->path);
    return status;
}

fz_status fzi_setup_failed(const fzi_setup *s, fz_status status)
{
    const char *message = fz_machine_message(s->machine);

    if (status == FZ_NO_MEMORY)
        return fzi_context_no_memory(s->context);
    return fzi_context_fail(s->context, status, "%s",
                            message && *message ? message : "the operation failed");
}

const fz_limits *fzi_setup_limits(const fzi_setup *s)
{
    static const fz_limits defaults;

    return s->options.limits ? s->options.limits : &defaults;
}

fz_status fzi_setup_begin(fzi_setup *s, const char *position)
{
    fz_status status = FZ_OK;

    s->machine = fz_machine_new(s->program, fzi_setup_limits(s));
    if (!s->machine)
        return fzi_context_no_memory(s->context);
    fz_machine_set_chance(s->machine, FZ_CHANCE_ASK);
    s->state = fz_record_begin(s->machine, s->options.seed, 0);
    if (!s->state)
        return fzi_setup_failed(s, FZ_RUNTIME);
    if (position) {
        status = fz_state_read(s->machine, s->state, position);
        if (status == FZ_OK)
            status = fz_record_from_here(s->machine, s->state);
        s->options.from = s->state;
    }
    return status == FZ_OK ? FZ_OK : fzi_setup_failed(s, status);
}

fz_status fzi_setup_program(fzi_setup *s, fz_context *context, fz_program *program,
                            const fz_run_options *options)
{
    *s = (fzi_setup){.context = context, .path = "", .options = *options};
    if (!options->script)
        fz_program_source(program, 0, &s->path, NULL, NULL);
    else
        s->path = options->script;
    fz_program_retain(program);
    s->program = program;
    s->options.from = NULL;
    fz_status status = fzi_setup_begin(s, NULL);
    if (status == FZ_OK && options->from) {
        fz_state_free(s->state);
        s->options.from = s->state = fz_state_clone(options->from);
        if (!s->state)
            status = fzi_context_no_memory(context);
    }
    return status;
}

void fzi_setup_clear(fzi_setup *s)
{
    fz_state_free(s->state);
    fz_machine_free(s->machine);
    fz_program_release(s->program);
    s->state = NULL;
    s->machine = NULL;
    s->program = NULL;
}

void fzi_setup_range(const fzi_setup *s, uint64_t *first, uint64_t *count)
{
    uint64_t total = s->options.count;
    unsigned shard = s->options.shard, shards = s->options.shards;

    *first = 0;
    *count = total;
    if (shard) {
        *first = (uint64_t)((fz_uint128)total * (shard - 1) / shards);
        *count = (uint64_t)((fz_uint128)total * shard / shards) - *first;
    }
}

/* ---- records ---- */

fz_status fzi_setup_record(const fzi_setup *s, const fz_lineup *lineup, uint64_t stream,
                           char **text)
{
    fz_decider deciders[16] = {{0}};
    char message[256] = "";
    fz_status status = lineup ? lineup->make(lineup->user, deciders, message) : FZ_OK;

    *text = NULL;
    if (status != FZ_OK)
        return fzi_context_fail(s->context, status, "%s", message);
    fz_machine_set_chance(s->machine, FZ_CHANCE_SAMPLE);
    status = fz_record_playout(s->machine, s->options.from, s->path, s->options.seed, stream,
                               lineup ? deciders : NULL, text);
    fz_machine_set_chance(s->machine, FZ_CHANCE_ASK);
    for (int p = 0; p < 16; p++)
        if (deciders[p].release)
            deciders[p].release(deciders[p].self);
    return status == FZ_OK ? FZ_OK : fzi_setup_failed(s, status);
}

enum { MOST_ENTRIES = 12 }; /* of a failed game that its message has */

/* "  in game 3 of seed 1, the moves: a1, b2, {Heads}, c3": the last moves and chance results. */
static void describe_game(const fzi_setup *s, uint64_t stream, const fz_record *record)
{
    size_t count = record->entry_count, first = count > MOST_ENTRIES ? count - MOST_ENTRIES : 0;
    fzi_buffer moves = fzi_buffer_in(s->context->allocator);

    if (count)
        fzi_buffer_text(&moves, first ? ", the last moves: ..." : ", the moves: ");
    for (size_t i = first; i < count; i++)
        fzi_buffer_format(&moves, "%s%s", i || first ? ", " : "", record->entries[i]);
    fzi_context_add_line(s->context, "  in game %" PRIu64 " of seed %" PRIu64 "%s", stream + 1,
                         s->options.seed, fzi_buffer_get(&moves));
    fzi_buffer_free(&moves);
}

fz_status fzi_setup_playouts_failed(const fzi_setup *s, const fz_tally *tally,
                                    const fz_lineup *lineup, const char *message, char **text)
{
    uint64_t stream = tally->failed_stream;
    fz_record record = {0};
    char *own = NULL;

    if (tally->failed)
        fzi_setup_record(s, lineup, stream, &own);
    if (own && fz_record_read(s->context, own, &record) != FZ_OK)
        record.entry_count = 0;
    fzi_context_fail(s->context, FZ_RUNTIME, "%s", *message ? message : "the playouts failed");
    if (tally->failed)
        describe_game(s, stream, &record);
    fz_record_free(s->context, &record);
    if (text)
        *text = own;
    else
        fz_text_free(s->context, own);
    return FZ_RUNTIME;
}

fz_status fzi_wanted_read(const fzi_setup *s, fzi_wanted *w)
{
    const char *text = s->options.records, *dots = text ? strstr(text, "..") : NULL;
    char low[32];

    *w = (fzi_wanted){1, s->options.count, text && strcmp(text, "failed") == 0};
    if (!text)
        w->last = 0;
    if (!text || w->failed || strcmp(text, "all") == 0)
        return FZ_OK;
    snprintf(low, sizeof low, "%.*s", dots ? (int)(dots - text) : (int)sizeof low - 1, text);
    if (!fzi_number_read(low, &w->first) || !fzi_number_read(dots ? dots + 2 : low, &w->last) ||
        w->first < 1 || w->first > w->last)
        return fzi_context_fail(s->context, FZ_USAGE,
                                "records are all, failed, N or N..M, not '%s'", text);
    if (w->last > s->options.count)
        return fzi_context_fail(s->context, FZ_USAGE,
                                "records %s: there are only %" PRIu64 " playouts", text,
                                s->options.count);
    return FZ_OK;
}

bool fzi_number_read(const char *text, uint64_t *number)
{
    uint64_t value = 0, factor = 1;
    const char *at = text;

    for (; (*at >= '0' && *at <= '9') || (*at == '_' && at > text); at++) {
        if (*at == '_')
            continue;
        uint64_t digit = (uint64_t)(*at - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    if (at == text)
        return false;
    if (*at == 'k' || *at == 'M' || *at == 'G') {
        factor = *at == 'k' ? 1000 : *at == 'M' ? 1000000 : 1000000000;
        at++;
    }
    if (*at || value > UINT64_MAX / factor)
        return false;
    *number = value * factor;
    return true;
}

bool fzi_seed_read(const char *text, uint64_t *seed)
{
    return text && !text[strspn(text, "0123456789")] && (*text != '0' || !text[1]) &&
           fzi_number_read(text, seed);
}

void fzi_script_name(const char *path, char name[FZI_SCRIPT_NAME])
{
    const char *slash = strrchr(path, '/'), *from = slash ? slash + 1 : path;
    size_t length = 0;

    for (; *from && *from != '.' && length < FZI_SCRIPT_NAME - 1; from++)
        name[length++] = strchr(" \t\n\r\",", *from) ? '-' : *from;
    name[length] = '\0';
}
