/* Runs the game in the debugger: stop by stop, to breakpoints, from move to move. */
#include "debugger.h"

/* Runs the last entry of a record. False: it fails, or cannot be run. */
static bool run_record(fzi_debugger *d, const char *text)
{
    fz_record_free(d->setup.context, &d->record);
    if (fz_record_read(d->setup.context, text, &d->record) != FZ_OK)
        return false;
    /* A position begins a record without a set-up, so there may be nothing to run. */
    return fz_stepper_run(d->stepper, &d->record, d->record.entry_count) == FZ_OK;
}

/* The record of the game, with another entry (may be ""); to be freed. NULL after a complaint. */
static char *record_with(fzi_debugger *d, const char *entry)
{
    fzi_setup *s = &d->setup;
    char *text = NULL;

    if (fz_record_write(s->machine, s->state, s->path, s->options.seed, &text) != FZ_OK) {
        puts(fz_machine_message(s->machine));
        return NULL;
    }
    char *whole = fzi_cli_text(*entry ? "%s        %s\n" : "%s", text, entry);
    fz_text_free(s->context, text);
    return whole;
}

bool fzi_debugger_begin(fzi_debugger *d)
{
    char *text = record_with(d, "");
    bool done = text && run_record(d, text);

    free(text);
    d->failed = false;
    d->at = fzi_debugger_stops(d);
    fzi_debugger_remember(d, done ? fz_stepper_state(d->stepper, d->at) : NULL);
    return done;
}

/* ---- breakpoints ---- */

void fzi_debugger_list_breaks(const fzi_debugger *d)
{
    for (unsigned i = 0; i < d->break_count; i++)
        printf("%u  %s:%u\n", i + 1, d->breaks[i].file, d->breaks[i].line);
    if (!d->break_count)
        puts("There are no breakpoints.");
}

void fzi_debugger_break(fzi_debugger *d, const char *where)
{
    const char *colon = strrchr(where, ':'), *number = colon ? colon + 1 : where;
    const char *file = colon ? where : d->setup.path;
    char *name = fzi_cli_text("%.*s", (int)(colon ? colon - where : (ptrdiff_t)strlen(file)), file);
    uint64_t line;
    unsigned found = fzi_number_read(number, &line) && line <= INT32_MAX
                         ? fz_stepper_line(d->stepper, name, (unsigned)line) : 0;
    if (!found || d->break_count == FZI_MAX_BREAKS) {
        if (found)
            puts("There are too many breakpoints.");
        else
            printf("No statement begins at %s or below.\n", where);
        free(name);
        return;
    }
    d->breaks[d->break_count++] = (fzi_breakpoint){name, found};
    printf("Breakpoint %u at %s:%u.\n", d->break_count, name, found);
}

void fzi_debugger_delete_break(fzi_debugger *d, const char *which)
{
    uint64_t number;

    if (!fzi_number_read(which, &number) || number < 1 || number > d->break_count) {
        printf("There is no breakpoint %s.\n", which);
        return;
    }
    free(d->breaks[number - 1].file);
    memmove(&d->breaks[number - 1], &d->breaks[number],
            (d->break_count - number) * sizeof *d->breaks);
    d->break_count--;
}

static bool breaks_at(const fzi_debugger *d, size_t stop)
{
    for (unsigned i = 0; i < d->break_count; i++)
        if (fz_stepper_is_at(d->stepper, stop, d->breaks[i].file, d->breaks[i].line))
            return true;
    return false;
}

/* ---- going ---- */

static unsigned depth_at(const fzi_debugger *d, size_t stop)
{
    return fz_stepper_place(d->stepper, stop).depth;
}

bool fzi_debugger_must_run(const fzi_debugger *d)
{
    if (!fzi_debugger_runs(d))
        puts("Nothing runs. Type a move, or `random`.");
    return fzi_debugger_runs(d);
}

void fzi_debugger_step(fzi_debugger *d, uint64_t count)
{
    if (!fzi_debugger_must_run(d))
        return;
    d->at = count < fzi_debugger_stops(d) - d->at ? d->at + (size_t)count : fzi_debugger_stops(d);
    fzi_debugger_show(d);
}

/* On to the next stop whose depth of calls is less than `depth`; breakpoints on the way count. */
static void go_on(fzi_debugger *d, unsigned depth)
{
    if (!fzi_debugger_must_run(d))
        return;
    do
        d->at++;
    while (fzi_debugger_runs(d) && depth_at(d, d->at) >= depth && !breaks_at(d, d->at));
    fzi_debugger_show(d);
}

void fzi_debugger_next(fzi_debugger *d)
{
    go_on(d, fzi_debugger_runs(d) ? depth_at(d, d->at) + 1 : 0);
}

void fzi_debugger_out(fzi_debugger *d)
{
    go_on(d, fzi_debugger_runs(d) ? depth_at(d, d->at) : 0);
}

void fzi_debugger_continue(fzi_debugger *d)
{
    go_on(d, 0);
}

bool fzi_debugger_undo(fzi_debugger *d)
{
    fzi_setup *s = &d->setup;

    if (d->failed) /* the state is still the one before */
        return fzi_debugger_begin(d);
    if (!d->past_count)
        return false;
    fz_state_free(s->state);
    s->state = d->past[--d->past_count];
    return fzi_debugger_begin(d);
}

/* Before the first statement of an entry, the game waits. */
void fzi_debugger_back(fzi_debugger *d, uint64_t count)
{
    uint64_t moved = 0;

    for (; moved < count; moved++) {
        if (d->at > 0)
            d->at--;
        else if (!fzi_debugger_undo(d))
            break;
    }
    if (!moved)
        puts("This is the beginning.");
    fzi_debugger_show(d);
}

/* Plays an entry, up to its first statement. */
static void play_entry(fzi_debugger *d, const char *entry, const fz_move *move, int64_t chance)
{
    fzi_setup *s = &d->setup;
    char *text = record_with(d, entry);
    fz_state *before = text ? fz_state_clone(s->state) : NULL;

    if (!before) {
        free(text);
        return;
    }
    run_record(d, text);
    free(text);
    d->at = 0;
    d->failed = (move ? fz_state_play(s->machine, s->state, move)
                      : fz_state_set_chance(s->machine, s->state, chance)) != FZ_OK;
    if (d->failed) {
        fz_state_free(s->state);
        s->state = before;
        return;
    }
    d->past = fzi_cli_allocate(d->past, (d->past_count + 1) * sizeof *d->past);
    d->past[d->past_count++] = before;
}

static bool may_play(const fzi_debugger *d)
{
    bool may = !fzi_debugger_runs(d) && !d->failed;

    if (!may)
        puts("The rules still run: `continue` first, or go `back`.");
    return may;
}

bool fzi_debugger_play(fzi_debugger *d, const char *text)
{
    fzi_setup *s = &d->setup;
    int64_t value = 0;
    fz_move move = {0};
    char entry[256];

    if (!may_play(d))
        return false;
    if (*text == '{' && fz_state_waiting(s->state) == FZ_WAITING_CHANCE) {
        size_t length = strcspn(text + 1, "}");
        if (fz_chance_parse(s->machine, s->state, text + 1, length, &value) == FZ_OK) {
            snprintf(entry, sizeof entry, "{%.*s}", (int)length, text + 1);
            play_entry(d, entry, NULL, value);
            return true;
        }
        printf("'%.*s' is not a possible chance result here.\n", (int)length, text + 1);
        return false;
    }
    if (fz_state_waiting(s->state) == FZ_WAITING_MOVE &&
        fz_move_parse(s->machine, s->state, text, &move) == FZ_OK) {
        snprintf(entry, sizeof entry, "%s", fz_move_text(s->machine, s->state, &move));
        play_entry(d, entry, &move, 0);
        return true;
    }
    if (fz_state_waiting(s->state) == FZ_WAITING_CHANCE)
        puts("Chance is waited for: type {RESULT}, or `random`.");
    else
        fputs(fzi_why(s, &d->explaining, s->state, FZI_SEES_ALL, text), stdout);
    return false;
}

/* A number below `most`: always the same for the seed and the length of the game. */
static uint64_t draw_number(const fzi_debugger *d, uint64_t most)
{
    uint64_t x = d->setup.options.seed * UINT64_C(0x9e3779b97f4a7c15) + d->past_count;

    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (x ^ x >> 31) % most;
}

static void draw_move(fzi_debugger *d, char *entry, size_t size)
{
    fzi_setup *s = &d->setup;
    fz_moves *moves = fz_moves_new(s->machine);

    if (moves && fz_state_moves(s->machine, s->state, moves) == FZ_OK) {
        fz_move move = fz_moves_at(moves, draw_number(d, fz_moves_count(moves)));
        snprintf(entry, size, "%s", fz_move_text(s->machine, s->state, &move));
    }
    fz_moves_free(moves);
}

static void draw_chance(fzi_debugger *d, char *entry, size_t size)
{
    fzi_setup *s = &d->setup;
    const fz_outcome *outcomes;
    size_t count, i = 0;
    uint64_t total = 0;

    if (fz_state_outcomes(s->machine, s->state, &outcomes, &count) != FZ_OK)
        return;
    for (size_t k = 0; k < count; k++)
        total += outcomes[k].weight;
    for (uint64_t number = draw_number(d, total); number >= outcomes[i].weight; i++)
        number -= outcomes[i].weight;
    snprintf(entry, size, "{%s}", fz_chance_text(s->machine, s->state, outcomes[i].value));
}

/* Plays a random move, or lets chance decide. The state's own stream is not used: if the rules fail
 * after the move, it is still known which one it was. */
bool fzi_debugger_play_random(fzi_debugger *d)
{
    fzi_setup *s = &d->setup;
    char entry[256] = "";

    if (!may_play(d))
        return false;
    switch (fz_state_waiting(s->state)) {
    case FZ_WAITING_MOVE: draw_move(d, entry, sizeof entry); break;
    case FZ_WAITING_CHANCE: draw_chance(d, entry, sizeof entry); break;
    default: puts("The game is over."); return false;
    }
    puts(*entry ? entry : fz_machine_message(s->machine));
    return *entry && fzi_debugger_play(d, entry);
}

void fzi_debugger_run(fzi_debugger *d)
{
    if (fzi_debugger_runs(d))
        d->at++;
    while (!fzi_terminal_interrupted()) {
        while (fzi_debugger_runs(d) && !breaks_at(d, d->at))
            d->at++;
        if (fzi_debugger_runs(d) || d->failed ||
            fz_state_waiting(d->setup.state) == FZ_GAME_OVER || !fzi_debugger_play_random(d))
            break;
        fzi_debugger_remember(d, NULL);
    }
    fzi_debugger_show(d);
}
