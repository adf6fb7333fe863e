/* What must hold in every position of a game, tested in all positions after few moves and in random
 * games: texts of moves and positions read back, the rules treat both players alike, `attacked` is
 * true, every kind of piece is used. game_check.c calls this. */
#include "checks.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "interp/text/notation.h"

enum {
    MAX_FINDINGS = 20,
    MAX_POSITIONS = 400, /* of the search through all first moves */
    MAX_GAMES = 12,
    MAX_PLIES = 160,     /* of each of these games */
    MAX_TEXTS = 8,       /* moves of a position whose texts are read back */
    TEXTS_EVERY = 4,     /* positions: reading texts lists all moves each time */
    RESULTS_EVERY = 4,   /* positions: results of moves are compared with those of the mirror */
    HISTORY_EVERY = 16,  /* positions are written with those before them */
    LEAK_WORK = 4000,    /* events tried for second states in the search, and in each game */
    MAX_KINDS = 256
};

typedef struct deep {
    fz_check *check;
    const fz_check_options *options;
    const fz_setting *settings;
    size_t setting_count;
    fz_context *context;
    const fz_program *program;
    const char *script;    /* its text; NULL: not known */
    fz_machine *machine;
    fz_moves *moves;
    fz_state *other;
    fzi_mirror mirror;
    fzi_attack_check attacks;
    fzi_leak_check *leaks; /* NULL: nothing is hidden */
    unsigned leak_every;   /* positions: one is compared with a second state */
    size_t first;          /* of the findings of this check */
    bool seen[MAX_KINDS], moved[MAX_KINDS];
    unsigned games, at_once; /* of these, games of one decision */
} deep;

/* ---- findings ---- */

static fzi_finding *find(const deep *d, const char *key)
{
    for (size_t i = d->first; i < d->check->count; i++)
        if (strcmp(d->check->findings[i].key, key) == 0)
            return &d->check->findings[i];
    return NULL;
}

/* Of two witnesses the shorter one is kept. `state`: the position that shows it; NULL: none. The
 * finding of this key; NULL: there is no room for it. */
static fzi_finding *found(deep *d, const fz_state *state, const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static fzi_finding *found(deep *d, const fz_state *state, const char *key, const char *format, ...)
{
    uint32_t plies = state ? fz_state_plies(state) : 0;
    fzi_finding *f = find(d, key);
    va_list arguments;
    if (f && (!f->record || f->plies <= plies))
        return f;
    if (!f && d->check->count - d->first == MAX_FINDINGS)
        return NULL;
    if (!f)
        f = fzi_check_add(d->check, "%s", "");
    if (!f)
        return NULL;
    fz_text_free(d->context, f->record);
    *f = (fzi_finding){.plies = plies, .shown = {.is_deep = true}};
    snprintf(f->key, sizeof f->key, "%s", key);
    va_start(arguments, format);
    vsnprintf(f->note, sizeof f->note, format, arguments);
    va_end(arguments);
    if (state && fz_record_write(d->machine, state, d->check->path, d->options->seed,
                                 &f->record) != FZ_OK)
        f->record = NULL;
    return f;
}

static bool is_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* Does the body of a piece, if one follows its name and letter, contain `move` or `moves`? */
static bool states_moves(const char *at)
{
    unsigned depth = 0;
    at += strcspn(at, "{,;");
    for (; *at && (*at == '{' || depth); at++) {
        depth += *at == '{';
        depth -= *at == '}';
        if (strncmp(at, "move", 4) == 0)
            return true;
    }
    return false;
}

/* The line and column of the declaration of a piece in the script. False: it is in another file, or
 * has no moves. */
static bool place_of_piece(const deep *d, const char *name, unsigned *row, unsigned *column)
{
    unsigned line = 1;
    size_t length = strlen(name);
    const char *start = d->script;
    for (const char *at = d->script; at && *at; at++) {
        if (strncmp(at, name, length) == 0 && !is_word(at[length]) &&
            (at == start || !is_word(at[-1])) && strncmp(start, "piece", 5) == 0) {
            *row = line;
            *column = (unsigned)(at - start) + 1;
            return states_moves(at + length);
        }
        if (*at == '\n') {
            line++;
            start = at + 1 + strspn(at + 1, " ");
        }
    }
    return false;
}

/* ---- one position ---- */

/* `a#2`: another move of this decision has the text `a`. */
static bool is_numbered(const char *text)
{
    const char *sign = strrchr(text, '#');
    return sign && sign > text && sign[1] && strspn(sign + 1, "0123456789") == strlen(sign + 1);
}

/* The position after the move, to be freed with fz_text_free; NULL. */
static char *position_after(deep *d, const fz_state *state, const fz_move *move)
{
    fz_state *after = fz_state_clone(state);
    char *text = NULL;
    if (after && (fz_state_play(d->machine, after, move) != FZ_OK ||
                  fz_state_write_now(d->machine, after, &text) != FZ_OK))
        text = NULL;
    fz_state_free(after);
    return text;
}

/* Two moves of one decision have the same text. If they do the same, one option repeats moves of
 * another, which then count twice. */
static void check_same_text(deep *d, const fz_state *state, const char *text, const fz_move *move)
{
    char first[120], places[2][200];
    fz_move other;
    snprintf(first, sizeof first, "%.*s", (int)(strrchr(text, '#') - text), text);
    if (fz_move_parse(d->machine, state, first, &other) != FZ_OK)
        return;
    char *one = position_after(d, state, &other), *two = position_after(d, state, move);
    fz_option_place(d->program, other.option, places[0], sizeof places[0]);
    fz_option_place(d->program, move->option, places[1], sizeof places[1]);
    if (one && two && strcmp(one, two) == 0 && fz_state_at_turn_start(state))
        found(d, state, "listed twice",
              "'%.40s' is listed twice and does the same: %.110s and %.110s", first, places[0],
              places[1]);
    else
        found(d, state, "same text", "two moves of one decision have the same text: '%s'", first);
    fz_text_free(d->context, one);
    fz_text_free(d->context, two);
}

static void check_text(deep *d, const fz_state *state, const fz_move *move)
{
    char text[120];
    fz_move read;
    snprintf(text, sizeof text, "%s", fz_move_text(d->machine, state, move));
    if (strlen(text) + 1 == sizeof text)
        return;
    if (is_numbered(text))
        check_same_text(d, state, text, move);
    if (fz_move_parse(d->machine, state, text, &read) != FZ_OK)
        found(d, state, "unread text", "the text of the move '%s' does not read back as a move",
              text);
    else if (!fzi_move_same(move, &read))
        found(d, state, "other text", "the text of the move '%s' reads back as another move", text);
}

static void check_moves(deep *d, const fz_state *state)
{
    if (fz_state_moves(d->machine, state, d->moves) != FZ_OK)
        return;
    size_t count = fz_moves_count(d->moves);
    size_t step = count / MAX_TEXTS + 1;
    for (size_t i = 0; d->check->positions % TEXTS_EVERY == 1 && i < count; i += step) {
        fz_move move = fz_moves_at(d->moves, i);
        check_text(d, state, &move);
    }
    for (size_t i = 0; i < count; i++) {
        fz_move move = fz_moves_at(d->moves, i);
        int from, to, kind, owner;
        fz_move_sites(d->machine, state, &move, &from, &to);
        if (from < 0 || from == to)
            continue;
        fz_state_piece(state, from, &kind, &owner);
        if (kind >= 0 && kind < MAX_KINDS)
            d->moved[kind] = true;
    }
}

/* Kinds that have left one site and are new on another, however the move is called. */
static void note_changes(deep *d, const fz_state *before, const fz_state *after)
{
    bool left[MAX_KINDS] = {false};
    int kind, owner, now, now_owner;
    for (int s = 0; s < fz_program_sites(d->program); s++) {
        fz_state_piece(before, s, &kind, &owner);
        fz_state_piece(after, s, &now, &now_owner);
        if (kind >= 0 && kind < MAX_KINDS && kind != now)
            left[kind] = true;
    }
    for (int s = 0; s < fz_program_sites(d->program); s++) {
        fz_state_piece(before, s, &kind, &owner);
        fz_state_piece(after, s, &now, &now_owner);
        if (now >= 0 && now < MAX_KINDS && kind != now && left[now])
            d->moved[now] = true;
    }
}

/* The text of a position gives exactly the same state. */
static void check_round_trip(deep *d, const fz_state *state)
{
    char *first = NULL, *second = NULL;
    bool history = d->check->positions % HISTORY_EVERY == 1;
    if (fz_state_write(d->machine, state, history, &first) != FZ_OK)
        return;
    if (fz_state_read(d->machine, d->other, first) != FZ_OK)
        found(d, state, "unread position", "the text of the position cannot be read: %.200s",
              fz_machine_message(d->machine));
    else if (fz_state_write(d->machine, d->other, history, &second) != FZ_OK ||
             strcmp(first, second) != 0)
        found(d, state, "other position",
              "the text of the position reads back as another position");
    fz_text_free(d->context, first);
    fz_text_free(d->context, second);
}

static void note_pieces(deep *d, const fz_state *state)
{
    for (int s = 0; s < fz_program_sites(d->program); s++) {
        int kind, owner;
        fz_state_piece(state, s, &kind, &owner);
        if (kind >= 0 && kind < MAX_KINDS)
            d->seen[kind] = true;
    }
}

static void check_attacks(deep *d, const fz_state *state)
{
    if (fzi_attack_check_compare(&d->attacks, state))
        found(d, state, d->attacks.said[0] && d->attacks.said[1] ? "attacks" : "attack", "%s",
              d->attacks.note);
}

static void found_leak(void *user, const fz_state *state, const fzi_leak *leak)
{
    deep *d = user;
    fzi_finding *f = found(d, state, leak->key, "%s", leak->note);
    if (f) {
        f->shown.path = leak->path;
        f->shown.line = leak->line;
        f->shown.column = leak->column;
    }
}

static void check_leaks(deep *d, const fz_state *state)
{
    if (d->leaks && fz_state_plies(state) % d->leak_every == 0)
        fzi_leak_check_compare(d->leaks, state);
}

static void allow_leaks(deep *d, unsigned every)
{
    d->leak_every = every;
    if (d->leaks)
        fzi_leak_check_allow(d->leaks, LEAK_WORK);
}

static void check_position(deep *d, const fz_state *state)
{
    d->check->positions++;
    note_pieces(d, state);
    check_moves(d, state);
    check_round_trip(d, state);
    check_attacks(d, state);
    check_leaks(d, state);
    if (fzi_mirror_compare(&d->mirror, state, d->check->positions % RESULTS_EVERY == 1))
        found(d, state, "unequal", "the set-up is mirrored, but the rules are not: %s",
              d->mirror.note);
}

static void check_failure(deep *d, const fz_state *before)
{
    const char *message = fz_machine_message(d->machine);
    found(d, before, message, "a game ends in an error after this: %.240s", message);
}

/* ---- all first moves ---- */

/* Breadth first: the first witness is a shortest one. */
static void search(deep *d, const fz_state *start)
{
    fz_state *queue[MAX_POSITIONS];
    size_t head = 0, tail = 0;
    fz_state *first = fz_state_clone(start);
    if (first)
        queue[tail++] = first;
    for (; head < tail; head++) {
        fz_state *state = queue[head];
        if (fz_state_waiting(state) == FZ_WAITING_MOVE) {
            check_position(d, state);
            size_t count = fz_state_moves(d->machine, state, d->moves) == FZ_OK
                               ? fz_moves_count(d->moves)
                               : 0;
            for (size_t i = 0; i < count && tail < MAX_POSITIONS; i++) {
                fz_move move = fz_moves_at(d->moves, i);
                fz_state *next = fz_state_clone(state);
                if (next && fz_state_play(d->machine, next, &move) == FZ_OK) {
                    queue[tail++] = next;
                    continue;
                }
                if (next)
                    check_failure(d, state);
                fz_state_free(next);
            }
        }
        fz_state_free(state);
    }
}

/* ---- random games ---- */

static void play_game(deep *d, unsigned number)
{
    fz_state *state = fz_record_begin(d->machine, d->options->seed, number);
    for (unsigned plies = 0; state && plies < MAX_PLIES; plies++) {
        if (fz_state_waiting(state) != FZ_WAITING_MOVE)
            break;
        check_position(d, state);
        fz_state *before = fz_state_clone(state);
        fz_status status = fz_state_play_random(d->machine, state);
        if (status != FZ_OK && before)
            check_failure(d, before);
        else if (before)
            note_changes(d, before, state);
        fz_state_free(before);
        if (status != FZ_OK)
            break;
    }
    if (state) {
        d->games++;
        note_pieces(d, state);
        d->at_once += fz_state_waiting(state) == FZ_GAME_OVER && fz_state_turns(state) <= 1 &&
                      fz_state_plies(state) <= 1;
    }
    fz_state_free(state);
}

/* ---- the set-up ---- */

/* Armies of two players that differ in one or two pieces. */
static void check_armies(deep *d, const fz_state *start)
{
    int armies[2][MAX_KINDS] = {{0}}, total[2] = {0, 0}, difference = 0, kind, owner, odd = -1;
    if (fz_program_players(d->program) != 2 || fz_program_kinds(d->program) > MAX_KINDS)
        return;
    for (int s = 0; s < fz_program_sites(d->program); s++) {
        fz_state_piece(start, s, &kind, &owner);
        if (kind < 0 || (owner != 0 && owner != 1))
            continue;
        armies[owner][kind]++;
        total[owner]++;
    }
    for (int k = 0; k < fz_program_kinds(d->program); k++)
        if (armies[0][k] != armies[1][k]) {
            difference += abs(armies[0][k] - armies[1][k]);
            odd = k;
        }
    if (odd < 0 || difference > 2 || total[0] < 6 || total[1] < 6)
        return;
    found(d, NULL, "armies",
          "the players begin with almost the same pieces: %s has %d of kind %s, %s has %d",
          fz_program_player_name(d->program, 0), armies[0][odd],
          fz_program_kind_name(d->program, odd), fz_program_player_name(d->program, 1),
          armies[1][odd]);
}

static void check_kinds(deep *d)
{
    bool some = false;
    for (int k = 0; k < fz_program_kinds(d->program) && k < MAX_KINDS; k++)
        some |= d->moved[k];
    for (int k = 0; k < fz_program_kinds(d->program) && k < MAX_KINDS; k++) {
        char note[FZI_NOTE_SIZE];
        const char *name = fz_program_kind_name(d->program, k);
        unsigned line = 0, column = 0;
        bool has_moves = place_of_piece(d, name, &line, &column);
        if (!line || (d->seen[k] && (d->moved[k] || !some || !has_moves)))
            continue;
        snprintf(note, sizeof note, d->seen[k] ? "no %s could move in %" PRIu64 " positions"
                                               : "no %s was on the board in %" PRIu64 " positions",
                 name, d->check->positions);
        fzi_finding *f = found(d, NULL, note, "%s", note);
        if (f) {
            f->shown.path = d->check->path;
            f->shown.line = line;
            f->shown.column = column;
        }
    }
}

static void check_length(deep *d)
{
    if (d->games && d->at_once == d->games)
        found(d, NULL, "at once", "every random game is over after the first move");
}

/* ---- the whole ---- */

static void examine(deep *d)
{
    fz_state *start = fz_record_begin(d->machine, d->options->seed, 0);
    if (!start) {
        found(d, NULL, "set-up", "%s", fz_machine_message(d->machine));
        return;
    }
    fzi_mirror_begin(&d->mirror, d->machine, start);
    fzi_attack_check_begin(&d->attacks, d->check, d->machine, d->options->limits, d->settings,
                           d->setting_count);
    if (fz_state_at_turn_start(start))
        check_armies(d, start);
    d->leaks = fzi_leak_check_new(d->machine, d->options->limits, d->options->seed, found_leak, d);
    if (d->leaks)
        fzi_leak_check_setup(d->leaks, d->options->seed);
    allow_leaks(d, 1);
    search(d, start);
    for (unsigned i = 0; i < MAX_GAMES; i++) {
        allow_leaks(d, 1 + i % 4);
        play_game(d, i);
    }
    check_kinds(d);
    check_length(d);
    fzi_mirror_end(&d->mirror);
    fzi_attack_check_end(&d->attacks);
    fzi_leak_check_free(d->leaks);
    fz_state_free(start);
}

/* The text of the script itself; NULL: not known. */
static const char *script_of(const fz_program *program)
{
    const char *path, *text;
    size_t length;

    return fz_program_source(program, 0, &path, &text, &length) ? text : NULL;
}

fz_status fzi_check_deep(fz_check *check, const fz_check_options *options,
                         const fz_setting *settings, size_t setting_count)
{
    deep d = {.check = check, .options = options, .context = check->context,
              .program = check->program, .settings = settings, .setting_count = setting_count,
              .first = check->count};

    d.script = script_of(check->program);
    d.machine = fz_machine_new(check->program, options->limits);
    if (!d.machine)
        return FZ_NO_MEMORY;
    fz_machine_set_chance(d.machine, FZ_CHANCE_SAMPLE);
    d.moves = fz_moves_new(d.machine);
    d.other = fz_state_new(d.machine, options->seed, 0);
    if (d.moves && d.other)
        examine(&d);
    fz_state_free(d.other);
    fz_moves_free(d.moves);
    fz_machine_free(d.machine);
    return FZ_OK;
}
