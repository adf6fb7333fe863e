/* Going through an entry of a record statement by statement: the stops of a program for stepping
 * (stops.c) are traced. Nothing waits in the middle of a statement. To be at a stop is to know
 * its number; its state is made by playing the entry again up to there. See ferz_tools.h. */
#include <stdio.h>

#include "trace.h"
#include "interp/program/values.h"
#include "interp/support/words.h"
#include "interp/vm/game.h"

enum { MAX_STOPS = 1 << 20, NOWHERE = -1 };

typedef struct visit {
    uint32_t stop, depth;
} visit;

struct fz_stepper {
    fzi_tracer tracer;
    fzi_buffer record;     /* of visits */
    size_t count;
    const fz_record *game; /* of the entry that has been run */
    size_t entry;
    bool on;               /* the entry is played: stops are met */
    bool notes;            /* for the first time: they are noted */
    size_t met;
    /* the stop whose state, or whose printed value, is wanted: the number of stops for the end */
    int64_t wanted;
    bool wants_value, has_value;
    fz_state *found;       /* the state at stop number `found_at`, or NULL */
    int64_t found_at;
    int64_t number;
    uint64_t set[FZ_MAX_WORDS];
    uint16_t type;
    bool is_set;
    fzi_buffer text;
    char message[512];
};

/* ---- the hook ---- */

static const visit *visits(const fz_stepper *s)
{
    return (const visit *)(const void *)s->record.data;
}

/* -1: the instruction is no stop. */
static int64_t stop_at(const fz_program *p, uint32_t pc)
{
    uint32_t stop = fzi_row_from(p->stops, p->stop_count, sizeof *p->stops, pc);
    return stop < p->stop_count && p->stops[stop].code == pc ? (int64_t)stop : NOWHERE;
}

static void take_value(fz_stepper *s, const fz_state *state, const fz_stop *stop)
{
    const uint64_t *frame = fzi_frames_of(state) + fzi_head_of(state)->frame;
    const uint64_t *ints = frame + FZ_FRAME_HEADER, *sets = ints + (frame[1] >> 40 & 0xff);
    unsigned words = s->tracer.original->board.words;
    s->has_value = true;
    s->is_set = stop->is_set;
    s->type = stop->type;
    if (stop->is_set)
        memcpy(s->set, sets + (size_t)stop->reg * words, words * sizeof *s->set);
    else
        s->number = (int64_t)ints[stop->reg];
}

static void meet(void *user, const fzi_run *run, const fzi_move_list *list, uint32_t pc)
{
    fz_stepper *s = user;
    (void)list;
    if (!s->on || run->mode != FZ_RUN_PLAY)
        return;
    int64_t number = stop_at(s->tracer.original, pc);
    if (number < 0)
        return;
    const fz_stop *stop = &s->tracer.original->stops[number];
    if (stop->prints) {
        if (s->wants_value && !s->has_value && (int64_t)s->met == s->wanted + 1)
            take_value(s, run->state, stop);
        return;
    }
    if (s->notes && s->count < MAX_STOPS) {
        visit v = {(uint32_t)number, fzi_head_of(run->state)->depth};
        fzi_buffer_add(&s->record, &v, sizeof v);
        s->count++;
    }
    if (!s->wants_value && (int64_t)s->met == s->wanted && !s->found)
        s->found = fz_state_clone(run->state);
    s->met++;
}

/* ---- playing ---- */

static fz_status fail(fz_stepper *s, fz_status status)
{
    snprintf(s->message, sizeof s->message, "%s", fz_machine_message(s->tracer.machine));
    return status;
}

/* Plays the entry with stops, or the set-up, up to its end; *state is then the state there. */
static fz_status play(fz_stepper *s, fz_state **state)
{
    fz_machine *m = s->tracer.machine;
    fz_status status = FZ_OK;
    s->met = 0;
    s->on = !s->entry && !s->game->position; /* a position has no set-up */
    *state = fz_record_start(m, s->game);
    s->on = false;
    if (!*state)
        return fail(s, FZ_RUNTIME);
    for (size_t i = 0; i < s->entry && status == FZ_OK; i++) {
        s->on = i + 1 == s->entry;
        status = fz_record_play(m, *state, s->game->entries[i]);
        s->on = false;
    }
    if (status == FZ_OK)
        return FZ_OK;
    fail(s, status);
    fz_state_free(*state);
    *state = NULL;
    return status;
}

static void forget(fz_stepper *s)
{
    fz_state_free(s->found);
    s->found = NULL;
    s->found_at = NOWHERE;
}

fz_stepper *fz_stepper_new(const fz_program *program, const fz_limits *limits)
{
    fzi_allocator a = fzi_program_allocator(program);
    fz_stepper *s = fzi_allocate(a, sizeof *s);
    if (!s)
        return NULL;
    *s = (fz_stepper){.record = fzi_buffer_in(a), .text = fzi_buffer_in(a), .found_at = NOWHERE,
                      .wanted = NOWHERE};
    if (!fzi_tracer_open(&s->tracer, program, limits, meet, s)) {
        fz_stepper_free(s);
        return NULL;
    }
    for (uint32_t i = 0; i < program->stop_count; i++)
        fzi_tracer_at(&s->tracer, program->stops[i].code);
    fz_machine_set_chance(s->tracer.machine, FZ_CHANCE_ASK);
    return s;
}

void fz_stepper_free(fz_stepper *s)
{
    if (!s)
        return;
    forget(s);
    fzi_tracer_clear(&s->tracer);
    fzi_buffer_free(&s->record);
    fzi_buffer_free(&s->text);
    fzi_release(s->text.allocator, s);
}

fz_status fz_stepper_run(fz_stepper *s, const fz_record *record, size_t entry)
{
    fz_state *state = NULL;
    forget(s);
    fzi_buffer_clear(&s->record);
    s->count = 0;
    s->game = record;
    s->entry = entry;
    s->wanted = NOWHERE;
    s->wants_value = false;
    *s->message = '\0';
    s->notes = true;
    fz_status status = play(s, &state);
    s->notes = false;
    s->found = state;
    s->found_at = (int64_t)s->count;
    return s->record.failed ? FZ_NO_MEMORY : status;
}

const char *fz_stepper_message(const fz_stepper *s)
{
    return s->message;
}

size_t fz_stepper_stops(const fz_stepper *s)
{
    return s->count;
}

fz_machine *fz_stepper_machine(fz_stepper *s)
{
    return s->tracer.machine;
}

const fz_state *fz_stepper_state(fz_stepper *s, size_t stop)
{
    fz_state *end = NULL;
    if (s->found_at == (int64_t)stop)
        return s->found;
    forget(s);
    s->wanted = (int64_t)stop;
    fz_status status = play(s, &end);
    s->wanted = NOWHERE;
    if (stop == s->count && status == FZ_OK) {
        s->found = end;
        end = NULL;
    }
    fz_state_free(end);
    s->found_at = (int64_t)stop;
    return s->found;
}

/* ---- what is there ---- */

static fz_step_place place_of(const fz_program *p, const fz_place *place)
{
    const fz_source_info *source = &p->sources[place->source];
    fz_step_place found = {.path = fzi_text(p, source->path), .text = fzi_text(p, source->text),
                           .start = place->start, .end = place->end};
    fzi_place_begin(p, place, &found.line, &found.column);
    return found;
}

fz_step_place fz_stepper_place(const fz_stepper *s, size_t stop)
{
    const fz_program *p = s->tracer.original;
    const visit *v = &visits(s)[stop];
    fz_step_place place = place_of(p, &p->places[p->stops[v->stop].place]);
    place.depth = v->depth;
    const fz_function *function = fzi_program_function_at(p, p->stops[v->stop].code);
    place.function = function ? fzi_text(p, function->name) : "";
    return place;
}

/* Is it the file that `name` means: the path, or its last parts? */
static bool is_file(const char *path, const char *name)
{
    size_t length = strlen(path), wanted = strlen(name);
    return length >= wanted && strcmp(path + length - wanted, name) == 0 &&
           (length == wanted || path[length - wanted - 1] == '/');
}

unsigned fz_stepper_line(const fz_stepper *s, const char *file, unsigned line)
{
    const fz_program *p = s->tracer.original;
    unsigned nearest = 0;
    for (uint32_t i = 0; i < p->stop_count; i++) {
        fz_step_place place = place_of(p, &p->places[p->stops[i].place]);
        if (is_file(place.path, file) && place.line >= line && (!nearest || place.line < nearest))
            nearest = place.line;
    }
    return nearest;
}

bool fz_stepper_is_at(const fz_stepper *s, size_t stop, const char *file, unsigned line)
{
    fz_step_place place = fz_stepper_place(s, stop);
    return place.line == line && is_file(place.path, file);
}

const char *fz_stepper_changes(fz_stepper *s, const fz_state *before, const fz_state *after)
{
    fzi_buffer_clear(&s->text);
    fzi_changes_write(s->tracer.original, before->block, after->block, "    ", &s->text);
    return fzi_buffer_get(&s->text);
}

const char *fz_stepper_calls(fz_stepper *s, size_t stop)
{
    const fz_program *p = s->tracer.original;
    const fz_state *state = fz_stepper_state(s, stop);
    fz_step_place at = fz_stepper_place(s, stop);
    uint32_t frame = state ? fzi_head_of(state)->frame : 0;
    fzi_buffer_clear(&s->text);
    for (unsigned i = 0; state; i++) {
        const uint64_t *words = fzi_frames_of(state) + frame;
        const fz_function *f = &p->functions[(uint32_t)words[0]];
        if (i) /* the caller goes on after its call */
            at = place_of(p, fzi_program_place(p, (uint32_t)(words[0] >> 32) - 1));
        fzi_buffer_format(&s->text, "%s at %s:%u\n", fzi_text(p, f->name), at.path, at.line);
        if (!frame)
            break;
        frame = (uint32_t)words[1];
    }
    return fzi_buffer_get(&s->text);
}

/* ---- expressions ---- */

/* The value of an expression that belongs to no statement, for the player to decide. */
static fz_status call_printed(fz_stepper *s, size_t stop)
{
    const fz_program *p = s->tracer.original;
    const fz_state *state = fz_stepper_state(s, stop);
    if (!state)
        return FZ_USAGE;
    const fzi_head *head = fzi_head_of(state);
    int64_t me = stop == s->count && head->waiting == FZ_WAITING_MOVE ? head->decider : head->mover;
    s->is_set = p->functions[p->printed].result == 2;
    s->type = p->printed_type;
    fz_status status = fzi_state_call(s->tracer.machine, state, (uint32_t)p->printed, &me, 1,
                                      &s->number, s->is_set ? s->set : NULL);
    return status == FZ_OK ? status : fail(s, status);
}

static fz_status stop_and_print(fz_stepper *s, size_t stop)
{
    fz_state *end = NULL;
    s->wanted = (int64_t)stop;
    s->wants_value = true;
    s->has_value = false;
    fz_status status = play(s, &end);
    fz_state_free(end);
    s->wanted = NOWHERE;
    s->wants_value = false;
    if (s->has_value)
        return FZ_OK; /* what fails later is another matter */
    return status == FZ_OK ? FZ_USAGE : status;
}

fz_status fz_stepper_print(fz_stepper *s, size_t stop, const char **text, uint64_t *set,
                           bool *is_set)
{
    const fz_program *p = s->tracer.original;
    fz_status status = p->printed >= 0 ? call_printed(s, stop) : stop_and_print(s, stop);
    fzi_buffer_clear(&s->text);
    if (status == FZ_OK && s->is_set)
        fzi_sites_text(p, s->set, &s->text);
    else if (status == FZ_OK)
        fzi_value_text(p, s->type, s->number, false, &s->text);
    if (status == FZ_OK && s->is_set && set)
        memcpy(set, s->set, p->board.words * sizeof *set);
    if (text)
        *text = fzi_buffer_get(&s->text);
    if (is_set)
        *is_set = s->is_set;
    return status;
}
