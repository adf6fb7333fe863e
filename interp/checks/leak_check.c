/* Tests that a player cannot learn what is hidden from it. Draws a second state that the player
 * cannot tell from the first (text/determinize.h), plays the same on both, and compares what the
 * player sees: legal moves and their texts, public variables, pieces, whose decision it is, the
 * end. Results of `reveal` may tell something: where they differ, nothing is compared. The deep
 * check calls this at positions of games that hide something. */
#include "checks.h"

#include <stdarg.h>
#include <stdio.h>

#include "interp/program/values.h"
#include "interp/state/state.h"
#include "interp/support/chance.h"
#include "interp/support/text.h"
#include "interp/text/determinize.h"
#include "interp/text/notation.h"
#include "interp/text/position.h"
#include "interp/vm/tracer.h"

enum {
    TRIES = 12,         /* courses of the game that are tried for one world */
    SETUPS = 8,         /* compared for each player */
    WORLDS = 3,         /* second states for each player */
    EVENTS = 6,         /* moves played on both states */
    EVENT_WORK = 10,    /* one of these, measured in events of drawing a state */
    ROLLS = 8,          /* that may follow one move */
    PATH = 4096,        /* instructions of an event that are remembered */
    MAX_LIST = 2048,    /* moves of lists that are compared */
    TEXT = 100
};

/* A move, or none for the set-up, and the rolls after it: what is played on both states. */
typedef struct event {
    const fz_state *from[2];
    fz_move move;
    bool moves;
    char text[TEXT];
    int64_t rolls[2][ROLLS];
    unsigned count;
} event;

/* What everybody sees: the whole state, or an element of a variable, or the pieces of a site. */
typedef enum subject { RESULT, DECIDER, VALUE, PIECES } subject;
typedef struct sight {
    subject subject;
    uint32_t variable, element;
} sight;

struct fzi_leak_check {
    fz_machine *machine;      /* of the game itself */
    fzi_tracer tracer;        /* plays, and notes what is revealed */
    fzi_worlds worlds;
    fz_moves *moves[2];
    uint64_t revealed;        /* hash of what was revealed since it was set */
    const sight *watched;     /* NULL: nothing is */
    uint64_t last;            /* value of what is watched */
    uint32_t pc, placed;      /* the instruction before; the one that changed what is watched */
    uint32_t path[PATH];      /* instructions that the first side of an event ran */
    uint32_t steps, parted;   /* how many; where the other side left this path, or 0 */
    unsigned side;
    uint64_t counter;
    uint64_t work;            /* what is left of it */
    fzi_leak_found *found;
    void *user;
    const fz_state *state;    /* the position that is compared */
    int player;
};

static const fz_program *program_of(const fzi_leak_check *l)
{
    return l->machine->program;
}

static const char *player_name(const fzi_leak_check *l, int player)
{
    return fz_program_player_name(program_of(l), player);
}

static uint32_t below(fzi_leak_check *l, size_t count)
{
    return fzi_chance_below(l->worlds.key, &l->counter, count);
}

/* ---- what is seen ---- */

static uint64_t hash_words(uint64_t hash, const void *words, size_t bytes)
{
    return fzi_text_hash(words, bytes, hash);
}

static uint64_t hash_sight(const fz_program *p, const fz_state *state, const sight *s)
{
    const fzi_head *head = fzi_head_of(state);
    int64_t values[4] = {0};
    if (s->subject == RESULT) {
        return hash_words(head->phase == FZ_PHASE_OVER, head->rank, sizeof head->rank);
    } else if (s->subject == DECIDER) {
        values[0] = fz_state_decider(state);
    } else if (s->subject == PIECES) {
        int kind, owner;
        fzi_piece_get(p, state->block, s->element, &kind, &owner);
        values[0] = kind;
        values[1] = owner;
    } else {
        const fz_variable *v = &p->variables[s->variable];
        if (fzi_element_is_set(v))
            return hash_words(1, fzi_element_sites(p, state->block, v, s->element),
                              p->board.words * sizeof(uint64_t));
        values[0] = fzi_element_get(p, state->block, v, s->element);
    }
    return hash_words(1, values, sizeof values);
}

static void note_revealed(fzi_leak_check *l, const fzi_run *run, fz_code code)
{
    const uint64_t *frame = fzi_frames_of(run->state) + fzi_head_of(run->state)->frame;
    const uint64_t *ints = frame + FZ_FRAME_HEADER, *sets = ints + (frame[1] >> 40 & 0xff);
    unsigned words = program_of(l)->board.words;
    l->revealed = FZ_CODE_OP(code) == FZ_OP_REVEAL
                      ? hash_words(l->revealed, ints + FZ_CODE_B(code), sizeof *ints)
                      : hash_words(l->revealed, sets + (size_t)FZ_CODE_B(code) * words,
                                   words * sizeof *sets);
}

static void meet(void *user, const fzi_run *run, const fzi_move_list *list, uint32_t pc)
{
    fzi_leak_check *l = user;
    const fz_code code = program_of(l)->code[pc];
    (void)list;
    if (FZ_CODE_OP(code) == FZ_OP_REVEAL || FZ_CODE_OP(code) == FZ_OP_SREVEAL)
        note_revealed(l, run, code);
    if (!l->watched || run->mode != FZ_RUN_PLAY)
        return;
    uint64_t now = hash_sight(program_of(l), run->state, l->watched);
    if (now != l->last)
        l->placed = l->pc;
    l->last = now;
    l->pc = pc;
    if (l->steps < PATH && l->side == 0)
        l->path[l->steps] = pc;
    else if (l->steps < PATH && !l->parted && l->path[l->steps] != pc)
        l->parted = l->steps;
    l->steps++;
}

/* ---- findings ---- */

/* "card[Ann] = King", or "b2 is empty". */
static void write_sight(const fzi_leak_check *l, const fz_state *state, const sight *s,
                        char *text, size_t size)
{
    const fz_program *p = program_of(l);
    const fzi_head *head = fzi_head_of(state);
    fzi_buffer out = fzi_buffer_in(l->machine->allocator);
    if (s->subject == RESULT) {
        fzi_buffer_text(&out, head->phase == FZ_PHASE_OVER ? "the game is over"
                                                          : "the game goes on");
        for (int i = 0; head->phase == FZ_PHASE_OVER && i < (int)p->player_count; i++)
            fzi_buffer_format(&out, "%s %s %d", i ? "," : ":", player_name(l, i), head->rank[i]);
    } else if (s->subject == DECIDER && head->waiting == FZ_WAITING_MOVE) {
        fzi_buffer_format(&out, "decision of %s", player_name(l, fz_state_decider(state)));
    } else if (s->subject == DECIDER) {
        fzi_buffer_text(&out, "chance decides");
    } else if (s->subject == PIECES) {
        fzi_buffer_format(&out, "%s has ", fz_program_site_name(p, (int)s->element));
        int kind, owner;
        fzi_piece_get(p, state->block, s->element, &kind, &owner);
        fzi_buffer_text(&out, kind < 0 ? "no piece" : fz_program_kind_name(p, kind));
        if (kind >= 0 && owner >= 0)
            fzi_buffer_format(&out, " of %s", player_name(l, owner));
    } else {
        const fz_variable *v = &p->variables[s->variable];
        fzi_buffer_text(&out, fzi_text(p, v->name));
        fzi_element_index_write(p, v, s->element, &out);
        fzi_buffer_text(&out, " = ");
        fzi_element_write(p, state->block, v, s->element, &out);
    }
    snprintf(text, size, "%s", out.failed ? "" : fzi_buffer_get(&out));
    fzi_buffer_free(&out);
}

/* An element in which the two states differ: of secret variables, or of all others. */
static bool differing_value(const fzi_leak_check *l, const fz_state *a, const fz_state *b,
                            bool secret, bool carried, sight *s)
{
    const fz_program *p = program_of(l);
    for (uint32_t i = 0; i < p->variable_count; i++) {
        const fz_variable *v = &p->variables[i];
        if (v->hidden || (v->secret != 0) != secret || (v->carried && !carried))
            continue;
        for (uint32_t e = 0; e < fzi_element_count(p, v); e++)
            if (!fzi_element_same(p, a->block, b->block, v, e)) {
                *s = (sight){VALUE, i, e};
                return true;
            }
    }
    return false;
}

static bool differing_pieces(const fzi_leak_check *l, const fz_state *a, const fz_state *b,
                             sight *s)
{
    for (uint32_t site = 0; site < program_of(l)->board.site_count; site++) {
        *s = (sight){PIECES, 0, site};
        if (hash_sight(program_of(l), a, s) != hash_sight(program_of(l), b, s))
            return true;
    }
    return false;
}

/* The other state, as the condition of a sentence: "if card[Ann] = 3". */
static void write_condition(const fzi_leak_check *l, const fz_state *const from[2], char *text,
                            size_t size)
{
    sight s;
    char value[TEXT];
    if (differing_value(l, from[0], from[1], true, true, &s) ||
        differing_pieces(l, from[0], from[1], &s) ||
        differing_value(l, from[0], from[1], false, true, &s)) {
        write_sight(l, from[1], &s, value, sizeof value);
        snprintf(text, size, "if %s", value);
    } else {
        snprintf(text, size, "if others had played or rolled what %s does not see",
                 player_name(l, l->player));
    }
}

static void report(fzi_leak_check *l, const char *sort, const fz_place *place, const char *format,
                   ...) __attribute__((format(printf, 4, 5)));
static void report(fzi_leak_check *l, const char *sort, const fz_place *place, const char *format,
                   ...)
{
    const fz_program *p = program_of(l);
    fzi_leak leak = {0};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(leak.note, sizeof leak.note, format, arguments);
    va_end(arguments);
    if (place && place->source && place->source < p->source_count) {
        leak.path = fzi_text(p, p->sources[place->source].path);
        fzi_place_begin(p, place, &leak.line, &leak.column);
    }
    snprintf(leak.key, sizeof leak.key, "leak %s %u:%u", sort, leak.line, leak.column);
    l->found(l->user, l->state, &leak);
}

/* ---- legal moves ---- */

static const fz_place *option_place(const fzi_leak_check *l, const fz_move *move)
{
    return &program_of(l)->places[program_of(l)->options[move->option].place];
}

static void copy_text(fzi_leak_check *l, const fz_state *state, const fz_move *move, char *text)
{
    const char *shown = fz_move_text_for(l->machine, state, move, l->player);
    snprintf(text, TEXT, "%s", shown ? shown : "");
}

/* The place of the move in the list; its length: there is none. */
static size_t find_move(const fz_moves *moves, const fz_move *move)
{
    size_t i = 0;
    for (; i < fz_moves_count(moves); i++) {
        const fz_move other = fz_moves_at(moves, i);
        if (fzi_move_same(&other, move))
            break;
    }
    return i;
}

static size_t find_hash(const uint64_t *hashes, size_t count, uint64_t hash)
{
    size_t i = 0;
    while (i < count && hashes[i] != hash)
        i++;
    return i;
}

/* Move `i` of list `side` is in the other list without this text, or not at all. */
static void report_move(fzi_leak_check *l, const fz_state *const from[2], unsigned side, size_t i)
{
    const fz_move move = fz_moves_at(l->moves[side], i);
    const char *name = player_name(l, l->player);
    char text[TEXT], other[TEXT], condition[TEXT + 60];
    write_condition(l, from, condition, sizeof condition);
    copy_text(l, from[side], &move, text);
    if (find_move(l->moves[!side], &move) < fz_moves_count(l->moves[!side])) {
        copy_text(l, from[!side], &move, other);
        report(l, "text", option_place(l, &move),
               "the text of a move reveals a secret to %s: '%.40s' would be '%.40s' %s", name,
               side ? other : text, side ? text : other, condition);
    } else {
        report(l, "moves", option_place(l, &move),
               "the legal moves reveal a secret to %s: '%.40s' is %s %s", name, text,
               side ? "not legal here, but is" : "legal here, but not", condition);
    }
}

/* Lists the legal moves of both states. False: that failed, or what is revealed differs. */
static bool list_moves(fzi_leak_check *l, const fz_state *const from[2])
{
    uint64_t revealed[2];
    for (unsigned side = 0; side < 2; side++) {
        l->revealed = FZI_HASH_START;
        if (fz_state_moves(l->tracer.machine, from[side], l->moves[side]) != FZ_OK)
            return false;
        revealed[side] = l->revealed;
    }
    return revealed[0] == revealed[1] && fz_moves_count(l->moves[0]) <= MAX_LIST &&
           fz_moves_count(l->moves[1]) <= MAX_LIST;
}

static void compare_lists(fzi_leak_check *l, const fz_state *const from[2])
{
    size_t counts[2] = {fz_moves_count(l->moves[0]), fz_moves_count(l->moves[1])}, i;
    uint64_t texts[2][MAX_LIST];
    char text[TEXT], condition[TEXT + 60];
    for (unsigned side = 0; side < 2; side++)
        for (i = 0; i < counts[side]; i++) {
            const fz_move move = fz_moves_at(l->moves[side], i);
            copy_text(l, from[side], &move, text);
            texts[side][i] = fzi_text_hash(text, strlen(text), FZI_HASH_START);
        }
    for (unsigned side = 0; side < 2; side++)
        for (i = 0; i < counts[side]; i++)
            if (find_hash(texts[!side], counts[!side], texts[side][i]) == counts[!side]) {
                report_move(l, from, side, i);
                return;
            }
    for (i = 0; i < counts[0] && i < counts[1] && texts[0][i] == texts[1][i];)
        i++;
    if (i == counts[0])
        return;
    const fz_move move = fz_moves_at(l->moves[0], i);
    copy_text(l, from[0], &move, text);
    write_condition(l, from, condition, sizeof condition);
    report(l, "order", option_place(l, &move),
           "the order of moves reveals a secret to %s: '%.40s' is move %zu here, but move %zu %s",
           player_name(l, l->player), text, i + 1,
           find_hash(texts[1], counts[1], texts[0][i]) + 1, condition);
}

/* ---- events ---- */

/* Plays roll number `number` of the event, or its move for -1. */
static fz_status play_part(fzi_leak_check *l, fz_state *state, const event *e, unsigned side,
                           int number)
{
    fz_machine *m = l->tracer.machine;
    if (number >= 0)
        return fz_state_set_chance(m, state, e->rolls[side][number]);
    return e->moves ? fz_state_play(m, state, &e->move) : FZ_OK;
}

/* The instruction that changed what is watched on this side of the event; 0: none did. */
static uint32_t changer_on(fzi_leak_check *l, const event *e, unsigned side, const sight *watched)
{
    fz_state *state = fz_state_clone(e->from[side]);
    fz_status status = state ? FZ_OK : FZ_NO_MEMORY;
    l->placed = l->steps = l->parted = 0;
    l->side = side;
    for (int i = -1; i < (int)e->count && status == FZ_OK; i++) {
        l->watched = watched;
        l->last = hash_sight(program_of(l), state, watched);
        status = play_part(l, state, e, side, i);
        if (status == FZ_OK && hash_sight(program_of(l), state, watched) != l->last)
            l->placed = l->pc;
        l->watched = NULL;
    }
    fz_state_free(state);
    return l->placed;
}

/* A decision is placed where the two sides begin to run different instructions, anything else where
 * it changes. */
static const fz_place *place_of(fzi_leak_check *l, const event *e, const sight *s)
{
    uint32_t here = changer_on(l, e, 0, s), there = changer_on(l, e, 1, s);
    uint32_t pc = here ? here : there;
    if (s->subject == DECIDER)
        pc = l->parted ? l->path[l->parted - 1] : 0;
    return pc ? fzi_program_place(program_of(l), pc) : NULL;
}

static void report_sight(fzi_leak_check *l, const event *e, fz_state *const now[2], const sight *s)
{
    static const char *const sorts[] = {
        [RESULT] = "the result", [DECIDER] = "whose decision it is", [PIECES] = "a piece"};
    char values[2][TEXT], condition[TEXT + 60], sort[TEXT];
    const fz_place *place = place_of(l, e, s);
    if (s->subject == VALUE)
        snprintf(sort, sizeof sort, "'%s'",
                 fzi_text(program_of(l), program_of(l)->variables[s->variable].name));
    else
        snprintf(sort, sizeof sort, "%s", sorts[s->subject]);
    for (unsigned side = 0; side < 2; side++)
        write_sight(l, now[side], s, values[side], sizeof values[side]);
    write_condition(l, e->moves ? e->from : (const fz_state *const *)now, condition,
                    sizeof condition);
    report(l, sort, place, "%s reveals a secret to %s: after %s, %.80s, but %.80s %s", sort,
           player_name(l, l->player), e->text, values[0], values[1], condition);
}

/* True: everybody sees a difference. */
static bool find_sight(const fzi_leak_check *l, fz_state *const now[2], sight *s)
{
    const fz_program *p = program_of(l);
    const fzi_head *a = fzi_head_of(now[0]), *b = fzi_head_of(now[1]);
    bool views = p->unseen >= 0 || p->invisible >= 0;
    *s = (sight){.subject = RESULT};
    if (a->phase != b->phase || memcmp(a->rank, b->rank, sizeof a->rank) != 0)
        return a->phase == FZ_PHASE_OVER || b->phase == FZ_PHASE_OVER;
    s->subject = DECIDER;
    if (a->waiting != b->waiting || (a->waiting == FZ_WAITING_MOVE && a->decider != b->decider))
        return true;
    return differing_value(l, now[0], now[1], false, !views, s) ||
           (!views && differing_pieces(l, now[0], now[1], s));
}

/* Draws a result for each state: the same if the player sees it. False: there is none. */
static bool draw_rolls(fzi_leak_check *l, fz_state *const now[2], event *e)
{
    bool sees = fz_state_sees_chance(now[0], l->player);
    for (unsigned side = 0; side < 2; side++) {
        const fz_outcome *outcomes;
        size_t count, i;
        if (fz_state_outcomes(l->machine, now[side], &outcomes, &count) != FZ_OK || !count)
            return false;
        if (side == 1 && sees) {
            for (i = 0; i < count && outcomes[i].value != e->rolls[0][e->count];)
                i++;
            if (i == count)
                return false;
        } else {
            i = below(l, count);
        }
        e->rolls[side][e->count] = outcomes[i].value;
    }
    e->count++;
    return true;
}

static void compare_event(fzi_leak_check *l, event *e)
{
    fz_state *now[2] = {fz_state_clone(e->from[0]), fz_state_clone(e->from[1])};
    sight s;
    bool goes = now[0] && now[1];
    for (int part = -1; goes; part++) {
        uint64_t revealed[2];
        for (unsigned side = 0; side < 2 && goes; side++) {
            l->revealed = FZI_HASH_START;
            goes = play_part(l, now[side], e, side, part) == FZ_OK;
            revealed[side] = l->revealed;
        }
        if (!goes || revealed[0] != revealed[1])
            break;
        if (find_sight(l, now, &s)) {
            report_sight(l, e, now, &s);
            break;
        }
        goes = fz_state_waiting(now[0]) == FZ_WAITING_CHANCE && e->count < ROLLS &&
               draw_rolls(l, now, e);
    }
    fz_state_free(now[0]);
    fz_state_free(now[1]);
}

/* Some moves that are legal in both states. */
static void compare_moves_played(fzi_leak_check *l, const fz_state *const from[2])
{
    size_t count = fz_moves_count(l->moves[0]), first = count ? below(l, count) : 0;
    size_t step = count / EVENTS + 1;
    for (size_t i = 0; i < count; i += step) {
        event e = {.from = {from[0], from[1]}, .moves = true,
                   .move = fz_moves_at(l->moves[0], (first + i) % count)};
        if (find_move(l->moves[1], &e.move) == fz_moves_count(l->moves[1]))
            continue;
        snprintf(e.text, sizeof e.text, "'%.40s'",
                 fz_move_text_shown(l->machine, from[0], &e.move));
        compare_event(l, &e);
        l->worlds.tried += EVENT_WORK;
    }
}

/* ---- a position ---- */

/* Pieces that the player does not see: others may meet them, which then shows. */
static bool hides_pieces(const fzi_leak_check *l, const fz_state *a, const fz_state *b)
{
    const fz_program *p = program_of(l);
    sight s;
    return (p->unseen >= 0 || p->invisible >= 0) &&
           (differing_pieces(l, a, b, &s) || differing_value(l, a, b, false, true, &s));
}

static void compare_pair(fzi_leak_check *l, const fz_state *state, const fz_state *world)
{
    const fz_state *const from[2] = {state, world};
    if (fz_state_waiting(world) != FZ_WAITING_MOVE ||
        fz_state_decider(state) != fz_state_decider(world) || !list_moves(l, from))
        return;
    if (fz_state_decider(state) == l->player)
        compare_lists(l, from);
    if (!fz_state_hidden_decisions(state) && !hides_pieces(l, state, world))
        compare_moves_played(l, from);
}

static void compare_for(fzi_leak_check *l, const fz_state *state, int player)
{
    fz_status status = fzi_worlds_look(&l->worlds, state, player);
    l->state = state;
    l->player = player;
    for (unsigned i = 0; i < WORLDS && status == FZ_OK && l->worlds.tried < l->work; i++) {
        fz_state *world = NULL;
        status = fzi_worlds_draw(&l->worlds, NULL, TRIES, &world);
        if (status == FZ_OK)
            compare_pair(l, state, world);
        fz_state_free(world);
    }
}

void fzi_leak_check_compare(fzi_leak_check *l, const fz_state *state)
{
    uint32_t players = program_of(l)->player_count;
    int decider = fz_state_decider(state);
    compare_for(l, state, decider);
    if (players > 1)
        compare_for(l, state, (decider + 1 + (int)below(l, players - 1)) % (int)players);
}

void fzi_leak_check_allow(fzi_leak_check *l, uint64_t work)
{
    l->work = l->worlds.tried + work;
}

void fzi_leak_check_setup(fzi_leak_check *l, uint64_t seed)
{
    fz_state *start = fz_record_begin(l->tracer.machine, seed, 0);
    uint32_t players = program_of(l)->player_count;
    for (uint32_t i = 0; start && i < SETUPS * players; i++) {
        event e = {.from = {start, start}, .text = "the set-up"};
        l->state = start;
        l->player = (int)(i % players);
        compare_event(l, &e);
    }
    fz_state_free(start);
}

fzi_leak_check *fzi_leak_check_new(fz_machine *machine, const fz_limits *limits, uint64_t seed,
                                   fzi_leak_found *found, void *user)
{
    if (!fz_program_hides(machine->program))
        return NULL;
    fzi_leak_check *l = fzi_allocate(machine->allocator, sizeof *l);
    if (!l)
        return NULL;
    *l = (fzi_leak_check){.machine = machine, .found = found, .user = user};
    fzi_worlds_init(&l->worlds, machine);
    l->worlds.key = fzi_chance_key(seed, 1);
    if (fzi_tracer_open(&l->tracer, machine->program, limits, meet, l)) {
        fzi_tracer_everywhere(&l->tracer);
        fz_machine_set_chance(l->tracer.machine, FZ_CHANCE_ASK);
        l->moves[0] = fz_moves_new(l->tracer.machine);
        l->moves[1] = fz_moves_new(l->tracer.machine);
    }
    if (l->moves[0] && l->moves[1])
        return l;
    fzi_leak_check_free(l);
    return NULL;
}

void fzi_leak_check_free(fzi_leak_check *l)
{
    if (!l)
        return;
    fz_moves_free(l->moves[0]);
    fz_moves_free(l->moves[1]);
    fzi_worlds_free(&l->worlds);
    fzi_tracer_clear(&l->tracer);
    fzi_release(l->machine->allocator, l);
}
