/* Reads positions (fz_state_read), line by line into a state before set-up. Then the turn
 * begins, and the moves that were played in it are played again. docs/positions.md describes the
 * text. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "position.h"
#include "interp/vm/game.h"

fz_state *fzi_position_new(const fz_state *state)
{
    const fzi_head *head = fzi_head_of(state);
    fz_state *fresh = fz_state_clone(state);

    if (!fresh)
        return NULL;
    fzi_state_reset(fresh, head->key, head->counter);
    if (fresh->log) {
        fresh->log->count = fresh->log->turn = 0;
        fresh->log->keep = fresh->log->whole = false;
        fzi_release(fresh->log->allocator, fresh->log->origin);
        fresh->log->origin = NULL;
    }
    return fresh;
}

/* Begins the turn, unless `end` finds that the game is over. */
static fz_status begin_turn(fz_machine *machine, fz_state *built)
{
    bool over;
    fz_status status = fzi_state_end(machine, built, &over);

    return status == FZ_OK && !over ? fzi_state_go(machine, built, 0) : status;
}

fz_status fzi_position_begin(fz_machine *machine, fz_state *state, fz_state *built, int mover,
                             uint32_t turns, uint32_t plies)
{
    fzi_head_of(built)->plies = plies;
    fzi_state_prepare(built, mover, turns);
    fz_status status = begin_turn(machine, built);
    if (status == FZ_OK)
        status = fz_state_copy(state, built);
    fz_state_free(built);
    return status;
}

fz_status fzi_position_add(fz_machine *machine, fz_state *built, const fzi_position_extra *extra,
                           int *mover)
{
    if (extra->mover >= 0)
        *mover = extra->mover;
    fzi_head_of(built)->mover = (int8_t)*mover;
    if (extra->function < 0)
        return FZ_OK;
    const fz_function *function = &built->program->functions[extra->function];
    int64_t me = *mover;
    return fzi_state_effect(machine, built, (uint32_t)extra->function, &me,
                            function->int_params ? 1 : 0);
}

/* ---- playing texts ---- */

fz_status fz_chance_parse(fz_machine *machine, const fz_state *state, const char *text,
                          size_t length, int64_t *value)
{
    const fz_outcome *outcomes;
    size_t count;

    if (fz_state_waiting(state) != FZ_WAITING_CHANCE)
        return fzi_machine_say(machine, FZ_BAD_INPUT, "no chance is waited for before {%.*s}",
                               (int)length, text);
    fz_status status = fz_state_outcomes(machine, state, &outcomes, &count);
    for (size_t i = 0; i < count && status == FZ_OK; i++) {
        *value = outcomes[i].value;
        if (fzi_slice_is(fz_chance_text(machine, state, *value), text, length))
            return FZ_OK;
        /* The array is the machine's until its next call, and the text was one. */
        status = fz_state_outcomes(machine, state, &outcomes, &count);
    }
    if (status != FZ_OK)
        return status;
    return fzi_machine_say(machine, FZ_BAD_INPUT, "chance cannot bring {%.*s} here", (int)length,
                           text);
}

fz_status fzi_position_play(fz_machine *machine, fz_state *state, const char *text, size_t length)
{
    fz_move move;
    fz_status status;
    int64_t value;

    if (length >= 2 && text[0] == '{' && text[length - 1] == '}') {
        status = fz_chance_parse(machine, state, text + 1, length - 2, &value);
        return status == FZ_OK ? fz_state_set_chance(machine, state, value) : status;
    }
    if (fz_state_waiting(state) != FZ_WAITING_MOVE)
        return fzi_machine_say(machine, FZ_BAD_INPUT, "'%.*s': no move is waited for", (int)length,
                               text);
    char *copy = fzi_copy_text(machine->allocator, text, length);
    if (!copy)
        return fzi_machine_no_memory(machine);
    status = fz_move_parse(machine, state, copy, &move);
    fzi_release(machine->allocator, copy);
    if (status == FZ_NOT_FOUND)
        return fzi_machine_say(machine, FZ_BAD_INPUT, "'%.*s' is not a legal move", (int)length,
                               text);
    return status == FZ_OK ? fz_state_play(machine, state, &move) : status;
}

/* ---- lines ---- */

typedef struct reader {
    fz_machine *machine;
    const fz_program *program;
    fz_state *built;
    const char *at;          /* the line */
    size_t length;           /* of the line, without blanks around it */
    const char *next;        /* where the next line begins */
    unsigned line;
    bool start, over, stopped, has_diagram;
    int mover, next_mover;   /* -1: the text does not say it */
    uint32_t turns, plies;   /* UINT32_MAX: the text does not say it */
    uint16_t out;
    int last_from, last_to;
    int8_t rank[FZ_MAX_PLAYERS], nature;
    bool played;             /* what was played comes line by line */
    fz_state *whole;         /* the state to be built, while `built` is one of before; else NULL */
    int whole_mover;
    const fzi_position_extra *extra;
} reader;

static fz_status bad(reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static fz_status bad(reader *r, const char *format, ...)
{
    char text[300];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return fzi_machine_say(r->machine, FZ_BAD_INPUT, "position, line %u: %s", r->line, text);
}

/* Goes to the next line that is not empty and no comment. */
static bool next_line(reader *r)
{
    while (*r->next) {
        r->at = r->next;
        r->length = strcspn(r->at, "\n");
        r->next = r->at + r->length + (r->at[r->length] == '\n');
        r->line++;
        fzi_slice_strip(&r->at, &r->length);
        if (r->length && strncmp(r->at, "//", 2) != 0)
            return true;
    }
    return false;
}

/* If the line begins with the word, what follows it (and a colon) is left of it. */
static bool take_word(reader *r, const char *word)
{
    size_t n = strlen(word);

    if (r->length < n || memcmp(r->at, word, n) != 0 ||
        (r->length > n && r->at[n] != ':' && !isspace((unsigned char)r->at[n])))
        return false;
    /* `turns = 3` would be a variable of that name. */
    for (size_t i = n; i < r->length && (r->at[i] == ' ' || r->at[i] == '='); i++) {
        if (r->at[i] == '=')
            return false;
    }
    n += n < r->length && r->at[n] == ':';
    r->at += n;
    r->length -= n;
    fzi_slice_strip(&r->at, &r->length);
    return true;
}

/* The next word of the line, up to blanks or a comma. */
static bool next_word(reader *r, const char **word, size_t *length)
{
    while (r->length && (isspace((unsigned char)*r->at) || *r->at == ',')) {
        r->at++;
        r->length--;
    }
    *word = r->at;
    while (r->length && !isspace((unsigned char)*r->at) && *r->at != ',') {
        r->at++;
        r->length--;
    }
    *length = (size_t)(r->at - *word);
    return *length > 0;
}

static fz_status read_number(reader *r, uint32_t most, uint32_t *number)
{
    unsigned long long value = 0;
    size_t i = 0;

    for (; i < r->length && isdigit((unsigned char)r->at[i]) && value <= most; i++)
        value = value * 10 + (unsigned)(r->at[i] - '0');
    if (value > most)
        return bad(r, "'%.*s' is more than %lu", (int)r->length, r->at, (unsigned long)most);
    if (i == 0 || i != r->length)
        return bad(r, "'%.*s' is no number", (int)r->length, r->at);
    *number = (uint32_t)value;
    return FZ_OK;
}

static fz_status read_player(reader *r, const char *name, size_t length, int *player)
{
    *player = fzi_player_find(r->program, name, length);
    return *player < 0 ? bad(r, "no player '%.*s'", (int)length, name) : FZ_OK;
}

/* "Name = Value": a position of a game with other options is no position of this one. */
static fz_status read_option(reader *r)
{
    const fz_program *program = r->program;
    const char *at = r->at, *equals = memchr(at, '=', r->length), *value;

    if (!equals)
        return bad(r, "option NAME = VALUE is expected");
    size_t name_length = (size_t)(equals - r->at);
    value = equals + 1;
    size_t value_length = r->length - name_length - 1;
    fzi_slice_strip(&at, &name_length);
    fzi_slice_strip(&value, &value_length);
    for (uint32_t i = 0; i < program->setting_count; i++) {
        const char *name = fzi_text(program, program->settings[i].name);
        const char *chosen = fzi_text(program, program->settings[i].value);
        if (!fzi_slice_is(name, r->at, name_length))
            continue;
        if (fzi_slice_is(chosen, value, value_length))
            return FZ_OK;
        return bad(r, "the position is one with %s=%.*s, the game is set to %s", name,
                   (int)value_length, value, chosen);
    }
    return bad(r, "no option '%.*s'", (int)name_length, r->at);
}

/* "a1 P, b3 p" */
static fz_status read_pieces(reader *r)
{
    const char *word;
    size_t length;

    while (next_word(r, &word, &length)) {
        int site = fzi_site_find(r->program, word, length);
        if (site < 0)
            return bad(r, "no site '%.*s'", (int)length, word);
        if (!next_word(r, &word, &length) ||
            !fzi_cell_put(r->program, r->built->block, (unsigned)site, word, length))
            return bad(r, "'%.*s' is no piece", (int)length, word);
    }
    return FZ_OK;
}

static fz_status read_out(reader *r)
{
    const char *word;
    size_t length;

    while (next_word(r, &word, &length)) {
        int player;
        fz_status status = read_player(r, word, length, &player);
        if (status != FZ_OK)
            return status;
        r->out = (uint16_t)(r->out | 1u << player);
    }
    return FZ_OK;
}

static fz_status read_last(reader *r)
{
    int sites[2];

    for (int i = 0; i < 2; i++) {
        const char *word;
        size_t length;
        if (!next_word(r, &word, &length))
            return bad(r, "last: FROM TO is expected");
        sites[i] = fzi_site_find(r->program, word, length);
        if (sites[i] < 0 && !fzi_slice_is("off", word, length))
            return bad(r, "no site '%.*s'", (int)length, word);
    }
    r->last_from = sites[0];
    r->last_to = sites[1];
    return FZ_OK;
}

/* "1 2" or "1 1 stopped": the ranks in the order of the players; then, where they are one side,
 * that of what they play against. */
static fz_status read_over(reader *r)
{
    const char *word;
    size_t length;
    bool alone = fz_program_has_one_side(r->program);
    int most = alone ? 2 : (int)r->program->player_count;

    for (uint32_t p = 0; p < r->program->player_count + alone; p++) {
        int rank = next_word(r, &word, &length) ? atoi(word) : 0;
        if (rank < 1 || rank > most)
            return bad(r, "over: a rank of each player is expected");
        if (p < r->program->player_count)
            r->rank[p] = (int8_t)rank;
        else
            r->nature = (int8_t)rank;
    }
    r->over = true;
    r->stopped = next_word(r, &word, &length) && fzi_slice_is("stopped", word, length);
    return FZ_OK;
}

static fz_status read_diagram(reader *r)
{
    char message[200];
    const char *rest = r->at;

    if (r->has_diagram)
        return bad(r, "a second diagram, or '%.*s' means nothing", (int)r->length, r->at);
    r->has_diagram = true;
    if (!fzi_diagram_read(r->program, r->built->block, r->at, &rest, message, sizeof message))
        return bad(r, "%s", message);
    bool further = rest > r->next; /* what is left of its last line is read as a line again */
    for (const char *c = r->next; c < rest; c++)
        r->line += *c == '\n';
    r->next = further ? rest : r->next;
    rest += strspn(rest, " \t\r");
    r->line += further && *rest && *rest != '\n';
    if (*rest && *rest != '\n')
        return bad(r, "the board has %u sites, and the diagram goes on: '%.*s'",
                   r->program->board.site_count, (int)strcspn(rest, " \t\r\n"), rest);
    return FZ_OK;
}

static bool is_row(const reader *r)
{
    const char *word = r->at;
    size_t length = strcspn(word, " \t\r\n");

    length = length > r->length ? r->length : length;
    return (length == 1 && (*word == '.' || *word == '?')) ||
           fzi_cell_is_pieces(r->program, word, length);
}

static fz_status read_mover(reader *r)
{
    return read_player(r, r->at, r->length, &r->mover);
}

/* In a position that is over: a decision of the mover ended it, and whose turn would come. */
static fz_status read_next(reader *r)
{
    return read_player(r, r->at, r->length, &r->next_mover);
}

static fz_status read_turns(reader *r)
{
    return read_number(r, INT32_MAX, &r->turns);
}

static fz_status read_plies(reader *r)
{
    return read_number(r, INT32_MAX, &r->plies);
}

static fz_status read_start(reader *r)
{
    r->start = true;
    return FZ_OK;
}

/* Lines that begin with a word. */
static const struct {
    const char *word;
    fz_status (*read)(reader *r);
    bool is_content; /* earlier positions have it too */
} parts[] = {
    {"pieces", read_pieces, true}, {"mover", read_mover, true},  {"option", read_option, false},
    {"turns", read_turns, false},  {"plies", read_plies, false}, {"out", read_out, false},
    {"last", read_last, false},    {"over", read_over, false},   {"start", read_start, false},
    {"next", read_next, false},
};

static fz_status read_line(reader *r)
{
    char message[240];

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if ((parts[i].is_content || !r->whole) && take_word(r, parts[i].word))
            return parts[i].read(r);
    }
    if (memchr(r->at, '=', r->length))
        return fzi_assignment_read(r->program, r->built->block, r->at, r->length, message,
                                   sizeof message) ? FZ_OK : bad(r, "%s", message);
    if (is_row(r))
        return read_diagram(r);
    return bad(r, "'%.*s' means nothing here", (int)r->length, r->at);
}

/* ---- what was played ---- */

/* One entry a line, or several on the line of `played:` itself, separated by commas. */
static fz_status play_line(reader *r)
{
    const char *at = r->at, *end = r->at + r->length;

    while (at < end) {
        size_t length = (size_t)(end - at), taken;
        const char *text = at;
        if (isspace((unsigned char)*at) || (*at == ',' && !r->played)) {
            at++;
            continue;
        }
        if (!r->played)
            length = fz_move_length(r->machine, r->built, at, length);
        taken = length;
        fzi_slice_strip(&text, &taken);
        fz_status status = fzi_position_play(r->machine, r->built, text, taken);
        if (status == FZ_BAD_INPUT) {
            char message[300];
            snprintf(message, sizeof message, "%s", fz_machine_message(r->machine));
            return bad(r, "%s", message);
        }
        if (status != FZ_OK)
            return status;
        at += length;
    }
    return FZ_OK;
}

static fz_status play_rest(reader *r)
{
    fz_status status = play_line(r);

    r->played = true;
    while (status == FZ_OK && next_line(r))
        status = play_line(r);
    return status;
}

/* ---- the turn begins ---- */

static fz_status finish_over(reader *r)
{
    fzi_head *head = fzi_head_of(r->built);

    fzi_state_prepare(r->built, r->mover, r->turns);
    head->mover = (int8_t)r->mover;
    head->turns = r->turns;
    head->phase = FZ_PHASE_OVER;
    head->waiting = FZ_GAME_OVER;
    head->stopped = r->stopped;
    head->decided = r->next_mover >= 0;
    if (head->decided)
        head->next_mover = (int8_t)r->next_mover;
    memcpy(head->rank, r->rank, sizeof head->rank);
    head->nature = r->nature;
    return FZ_OK;
}

/* `played`: what was played in the turn follows, so nothing had ended before it. */
static fz_status begin(reader *r, bool played)
{
    fzi_head *head = fzi_head_of(r->built);

    if (r->start)
        return fzi_state_go(r->machine, r->built, 0);
    fz_status status = fzi_position_add(r->machine, r->built, r->extra, &r->mover);
    if (status != FZ_OK)
        return status;
    if (r->turns == UINT32_MAX)
        r->turns = 1 + (uint32_t)r->mover;
    head->plies = r->plies != UINT32_MAX ? r->plies : r->turns ? r->turns - 1 : 0;
    head->last_from = (int16_t)r->last_from;
    head->last_to = (int16_t)r->last_to;
    for (uint32_t p = 0; p < r->program->player_count; p++) {
        if (r->out >> p & 1)
            fzi_state_set_out(r->built, (int)p);
    }
    if (r->over)
        return finish_over(r);
    fzi_state_prepare(r->built, r->mover, r->turns);
    return played ? fzi_state_go(r->machine, r->built, 0) : begin_turn(r->machine, r->built);
}

/* ---- history ---- */

/* The position of an earlier turn is complete: it is noted in the history of the whole. */
static fz_status close_before(reader *r)
{
    fz_state *before = r->built, *whole = r->whole;
    fzi_history *history;
    bool noted = true;

    if (!whole)
        return FZ_OK;
    fzi_head_of(before)->mover = (int8_t)r->mover;
    fzi_head_of(before)->history = fzi_head_of(whole)->history;
    if (whole->history) {
        /* Noted by the earlier state into the other's history, which it borrows for the moment. */
        history = before->history;
        before->history = whole->history;
        noted = fzi_history_note(before, r->machine->limits.memory);
        before->history = history;
        fzi_head_of(whole)->history = fzi_head_of(before)->history;
    }
    fz_state_free(before);
    r->built = whole;
    r->mover = r->whole_mover;
    r->whole = NULL;
    return noted ? FZ_OK : fzi_machine_no_memory(r->machine);
}

static fz_status open_before(reader *r)
{
    fz_status status = close_before(r);

    if (status != FZ_OK)
        return status;
    r->whole = r->built;
    r->whole_mover = r->mover;
    r->has_diagram = false;
    r->built = fzi_position_new(r->whole);
    if (r->built)
        return FZ_OK;
    r->built = r->whole;
    r->whole = NULL;
    return fzi_machine_no_memory(r->machine);
}

/* ---- the whole ---- */

static fz_status read_position(reader *r)
{
    bool played = false;
    fz_status status = r->next[strspn(r->next, " \t\r\n")] ? FZ_OK : bad(r, "the text is empty");

    while (status == FZ_OK && !played && next_line(r)) {
        if (take_word(r, "played"))
            played = true;
        else if (take_word(r, "before"))
            status = open_before(r);
        else
            status = read_line(r);
    }
    if (status == FZ_OK)
        status = close_before(r);
    if (status == FZ_OK)
        status = begin(r, played);
    if (status == FZ_OK && played)
        status = play_rest(r);
    /* Else the position could be written, and the text not be read. */
    if (status == FZ_OK && fzi_head_of(r->built)->plies > INT32_MAX)
        status = bad(r, "more than %ld decisions", (long)INT32_MAX);
    return status;
}

fz_status fz_state_read(fz_machine *machine, fz_state *state, const char *text)
{
    return fzi_position_read(machine, state, text, &(fzi_position_extra){-1, -1});
}

fz_status fzi_position_read(fz_machine *machine, fz_state *state, const char *text,
                            const fzi_position_extra *extra)
{
    reader r = {.machine = machine, .program = state->program, .next = text, .last_from = -1,
                .last_to = -1, .next_mover = -1, .turns = UINT32_MAX, .plies = UINT32_MAX,
                .extra = extra};
    fz_chance mode = machine->chance;

    fzi_machine_begin(machine);
    r.built = fzi_position_new(state);
    if (!r.built)
        return fzi_machine_no_memory(machine);
    /* results of chance are in the text; later ones are asked for */
    machine->chance = FZ_CHANCE_ASK;
    fz_status status = read_position(&r);
    machine->chance = mode;
    if (status == FZ_OK && mode == FZ_CHANCE_SAMPLE &&
        fz_state_waiting(r.built) == FZ_WAITING_CHANCE)
        status = fzi_state_go(machine, r.built, 0);
    if (status == FZ_OK)
        status = fz_state_copy(state, r.built);
    fz_state_free(r.built);
    fz_state_free(r.whole);
    return status;
}
