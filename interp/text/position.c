/* Writes positions and observations (fz_state_write and its variants). position_read.c reads
 * them; docs/positions.md describes the text. */

#include <stdio.h>

#include "interp/ferz_tools.h"
#include "interp/support/chance.h"
#include "interp/vm/game.h"
#include "notation.h"
#include "let_values.h"

fzi_position fzi_position_of(const fz_state *state)
{
    const fzi_head *head = fzi_head_of(state);
    const fzi_log *log = state->log;
    fzi_position position = {0};

    if (head->waiting == FZ_GAME_OVER) {
        position.block = state->block;
    } else if (log && log->start_size && !log->lost) {
        const fzi_head *start = (const fzi_head *)(const void *)log->start;
        position.block = log->start;
        position.played_count = log->count - log->turn;
        position.played = position.played_count ? log->entries + log->turn : NULL;
        position.in_setup = start->phase == FZ_PHASE_SETUP || start->phase == FZ_PHASE_NEW;
    }
    return position;
}

/* The input of the lines of a position: a block, and the block that it is compared with. */
typedef struct source {
    const fz_program *program;
    const uint8_t *block, *base;
    const uint64_t *unseen; /* sites that are not shown; NULL */
    int viewer;             /* -1: all is shown */
} source;

/* ---- contents ---- */

static const char *site_text(const fz_program *program, int site)
{
    /* A damaged program file may have set any number here. */
    bool there = site >= 0 && site < program->board.site_count;
    return there ? fzi_text(program, program->board.site_names[site]) : "off";
}

static void write_options(const fz_program *program, fzi_buffer *out)
{
    for (uint32_t i = 0; i < program->setting_count; i++) {
        const fz_option_choice *setting = &program->settings[i];
        if (!setting->is_default)
            fzi_buffer_format(out, "option %s = %s\n", fzi_text(program, setting->name),
                              fzi_text(program, setting->value));
    }
}

static void write_list(const fz_program *program, const uint8_t *block, fzi_buffer *out)
{
    const char *between = "pieces: ";

    for (unsigned site = 0; site < program->board.site_count; site++) {
        int kind, owner;
        fzi_piece_get(program, block, site, &kind, &owner);
        if (kind < 0)
            continue;
        fzi_buffer_format(out, "%s%s ", between, site_text(program, (int)site));
        fzi_stack_write(program, block, site, out);
        between = ", ";
    }
    if (*between == ',')
        fzi_buffer_char(out, '\n');
}

static void write_contents(const source *s, fzi_buffer *out)
{
    const fz_program *program = s->program;

    if (program->kind_count && fzi_board_has_rows(&program->board))
        fzi_diagram_write(program, s->block, s->unseen, out);
    else if (program->kind_count)
        write_list(program, s->block, out);
    for (uint32_t i = 0; i < program->variable_count; i++) {
        const fz_variable *v = &program->variables[i];
        if (v->hidden)
            continue;
        fzi_variable_write(program, s->block, s->base, v, NULL, "", out);
        fzi_unknown_write(program, v, s->viewer, "", out);
    }
}

static void write_out(const fz_program *program, const fzi_head *head, fzi_buffer *out)
{
    const char *between = "out: ";

    for (uint32_t p = 0; p < program->player_count; p++) {
        if (!(head->out >> p & 1))
            continue;
        fzi_buffer_format(out, "%s%s", between, fzi_text(program, program->players[p].name));
        between = ", ";
    }
    if (*between == ',')
        fzi_buffer_char(out, '\n');
}

static void write_result(const fz_program *program, const fzi_head *head, fzi_buffer *out)
{
    fzi_buffer_text(out, "over:");
    for (uint32_t p = 0; p < program->player_count; p++)
        fzi_buffer_format(out, " %d", head->rank[p]);
    if (fz_program_has_one_side(program))
        fzi_buffer_format(out, " %d", head->nature);
    fzi_buffer_text(out, head->stopped ? " stopped\n" : "\n");
    if (head->decided) /* FEN shows that turn */
        fzi_buffer_format(out, "next: %s\n",
                          fzi_text(program, program->players[head->next_mover].name));
}

static void write_head(const fz_program *program, const uint8_t *block, bool over, fzi_buffer *out)
{
    const fzi_head *head = (const fzi_head *)(const void *)block;

    fzi_buffer_format(out, "mover: %s\nturns: %u\n",
                      fzi_text(program, program->players[head->mover].name), head->turns);
    if (head->plies != (head->turns ? head->turns - 1 : 0))
        fzi_buffer_format(out, "plies: %u\n", head->plies);
    write_out(program, head, out);
    if ((head->last_from >= 0 || head->last_to >= 0) && program->reads_last)
        fzi_buffer_format(out, "last: %s %s\n", site_text(program, head->last_from),
                          site_text(program, head->last_to));
    if (over)
        write_result(program, head, out);
}

/* ---- what was played since ---- */

static fz_status position_restart(fz_machine *machine, fz_state *state,
                                  const fzi_position *position)
{
    const fzi_head *start = (const fzi_head *)(const void *)position->block;

    if (position->in_setup) {
        fzi_state_reset(state, start->key, start->counter);
    } else {
        memcpy(state->block, position->block, state->layout->frames);
        fzi_state_prepare(state, start->mover, start->turns);
    }
    return fzi_state_go(machine, state, 0);
}

fz_status fzi_log_entry_write(fz_machine *machine, const fz_state *state,
                              const fzi_log_entry *entry, int viewer, bool sealed,
                              fzi_buffer *out)
{
    bool shown = viewer >= 0 && fz_state_decider(state) != viewer;

    if (sealed && shown && !entry->is_chance && fzi_move_is_sealed(state->program, &entry->move)) {
        fzi_buffer_char(out, '?');
        return FZ_OK;
    }
    if (!entry->is_chance)
        return shown ? fzi_move_write(machine, state, &entry->move, true, out)
                     : fzi_move_name(machine, state, &entry->move, out);
    fzi_buffer_format(out, "{%s}", fz_chance_text_for(machine, state, entry->value, viewer));
    return FZ_OK;
}

fz_status fzi_log_entry_play(fz_machine *machine, fz_state *state, const fzi_log_entry *entry)
{
    return entry->is_chance ? fz_state_set_chance(machine, state, entry->value)
                            : fz_state_play(machine, state, &entry->move);
}

/* Sides with the numbers 1, 2, ..., all as likely. */
static bool is_die(const fz_outcome *outcomes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (outcomes[i].value != (int64_t)i + 1 || outcomes[i].weight != outcomes[0].weight)
            return false;
    return count == 4 || count == 6;
}

/* How many ways there are for `up` of `lots`. */
static uint64_t ways_up(uint64_t lots, uint64_t up)
{
    uint64_t ways = 1;

    for (uint64_t i = 0; i < up; i++)
        ways = ways * (lots - i) / (i + 1);
    return ways;
}

/* How many of count - 1 lots show their mark at a value: as many as it says, if the weights are
 * those of lots. Rare throws, such as all blank, may have any value. -1: these are no lots. */
static int lots_up(const fz_outcome *outcomes, size_t count, int64_t value)
{
    enum { LEAST = 3, MOST = 8 };
    uint64_t lots = count - 1, taken = 0;
    int found = -1;

    if (lots < LEAST || lots > MOST)
        return -1;
    for (size_t i = 0; i < count; i++) {
        uint64_t number = (uint64_t)outcomes[i].value;
        if (number <= lots && ways_up(lots, number) == outcomes[i].weight)
            taken |= UINT64_C(1) << number;
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t up = (uint64_t)outcomes[i].value;
        if (up > lots || ways_up(lots, up) != outcomes[i].weight) {
            for (up = lots; taken >> up & 1 || ways_up(lots, up) != outcomes[i].weight; up--)
                if (up == 0)
                    return -1;
            taken |= UINT64_C(1) << up;
        }
        if (outcomes[i].value == value)
            found = (int)up;
    }
    return found;
}

/* What was thrown, if the viewer sees it. */
static fzi_throw throw_of(fz_machine *machine, const fz_state *state, const fzi_log_entry *entry,
                          int viewer)
{
    const fz_outcome *outcomes;
    size_t count = 0;
    char number[24];

    if (!entry->is_chance || (viewer >= 0 && entry->blind >> viewer & 1) ||
        fzi_head_of(state)->waiting != FZ_WAITING_CHANCE ||
        fz_state_outcomes(machine, state, &outcomes, &count) != FZ_OK || !count)
        return (fzi_throw){0};
    int up = lots_up(outcomes, count, entry->value);
    fzi_throw thrown = {.value = (int32_t)entry->value};
    if (is_die(outcomes, count))
        thrown.sides = (uint8_t)count;
    else if (up >= 0)
        thrown.lots = (uint8_t)(count - 1), thrown.up = (uint8_t)up;
    snprintf(number, sizeof number, "%lld", (long long)entry->value);
    return strcmp(fz_chance_text_for(machine, state, entry->value, viewer), number) == 0
               ? thrown : (fzi_throw){0};
}

fz_status fzi_played_write(fz_machine *machine, const fz_state *state, const fzi_position *position,
                           int viewer, const char *before, const char *after,
                           fzi_result *results, fzi_buffer *out)
{
    fz_chance mode = machine->chance;
    fz_state *replay = fz_state_clone(state); /* with its history: it may decide what is legal */
    uint32_t sealed = fz_state_hidden_decisions(state);

    if (!replay)
        return FZ_NO_MEMORY;
    machine->chance = FZ_CHANCE_ASK;
    fz_status status = position_restart(machine, replay, position);
    for (size_t i = 0; i < position->played_count && status == FZ_OK; i++) {
        if (results)
            results[i] = (fzi_result){
                throw_of(machine, replay, &position->played[i], viewer),
                position->played[i].is_chance ? fzi_chance_type(machine, replay) : -1};
        fzi_buffer_text(out, before);
        status = fzi_log_entry_write(machine, replay, &position->played[i], viewer,
                                     i + sealed >= position->played_count, out);
        fzi_buffer_text(out, after);
        if (status == FZ_OK)
            status = fzi_log_entry_play(machine, replay, &position->played[i]);
    }
    machine->chance = mode;
    fz_state_free(replay);
    return status;
}

/* ---- history ---- */

/* The block as it was when the entry was noted; clocks are not known any more. */
static void restore_entry(const fz_state *state, const uint8_t *entry, uint8_t *block)
{
    fzi_turn_entry e = fzi_turn_entry_of(state->layout, state->program->board.words);

    memcpy(block + e.own, entry, e.sets);
    memcpy(block + e.ints, entry + e.sets, e.numbers);
    fzi_pieces_settle(state->program, block);
    fzi_empty_settle(state->program, state->layout, block);
}

/* The positions at the beginnings of the turns before this one. */
static fz_status write_history(const fz_state *state, const fzi_position *position,
                               const uint8_t *base, fzi_buffer *out)
{
    const fz_program *program = state->program;
    const fzi_history *history = state->history;
    const fzi_head *start = (const fzi_head *)(const void *)position->block;

    if (!history || !start->history)
        return FZ_OK;
    uint8_t *block = fzi_allocate(out->allocator, state->layout->frames);
    if (!block)
        return FZ_NO_MEMORY;
    memcpy(block, base, state->layout->frames);
    for (uint32_t i = 0; i < start->history; i++) {
        const uint8_t *entry = history->entries + (size_t)i * history->entry.size;
        source s = {.program = program, .block = block, .base = base, .viewer = -1};
        restore_entry(state, entry, block);
        fzi_buffer_text(out, "before:\n");
        write_contents(&s, out);
        fzi_buffer_format(out, "mover: %s\n",
                          fzi_text(program, program->players[entry[history->entry.size - 8]].name));
    }
    fzi_release(out->allocator, block);
    return FZ_OK;
}

/* ---- positions ---- */

fz_status fzi_text_finish(fz_machine *machine, fz_status status, fzi_buffer *out, char **text)
{
    if (status != FZ_OK) {
        fzi_buffer_free(out);
        return status;
    }
    return fzi_buffer_finish(out, text) == FZ_OK ? FZ_OK : fzi_machine_no_memory(machine);
}

static fz_status write_position(fz_machine *machine, const fz_state *state, bool history,
                                const fzi_position *position, const uint8_t *base, fzi_buffer *out)
{
    const fz_program *program = state->program;
    source s = {.program = program, .block = position->block, .base = base, .viewer = -1};

    if (!position->block)
        return fzi_machine_say(machine, FZ_USAGE, "how this turn began is not known");
    write_options(program, out);
    if (position->in_setup) {
        fzi_buffer_text(out, "start\n");
    } else {
        write_contents(&s, out);
        write_head(program, position->block,
                   fzi_head_of(state)->waiting == FZ_GAME_OVER, out);
    }
    if (history && !position->in_setup) {
        fz_status status = write_history(state, position, base, out);
        if (status != FZ_OK)
            return status;
    }
    if (position->played_count == 0)
        return FZ_OK;
    fzi_buffer_text(out, "played:\n"); /* line by line: texts may hold anything but a line's end */
    return fzi_played_write(machine, state, position, -1, "  ", "\n", NULL, out);
}

static fz_status write_text(fz_machine *machine, const fz_state *state, bool history,
                            const fzi_position *position, char **text)
{
    fzi_buffer out = fzi_buffer_in(machine->allocator);
    fz_state *base = fzi_position_new(state);

    if (!base)
        return fzi_machine_no_memory(machine);
    fzi_machine_begin(machine);
    fz_status status = write_position(machine, state, history, position, base->block, &out);
    fz_state_free(base);
    return fzi_text_finish(machine, status, &out, text);
}

fz_status fz_state_write(fz_machine *machine, const fz_state *state, bool history, char **text)
{
    fzi_position position = fzi_position_of(state);

    return write_text(machine, state, history, &position, text);
}

/* The entries since the turn began. */
static fz_status write_seen(fz_machine *machine, const fz_state *state, int player,
                            fzi_buffer *out)
{
    fzi_position position = fzi_position_of(state);

    if (!position.block || position.played_count == 0)
        return FZ_OK;
    fzi_buffer_text(out, "seen:\n");
    return fzi_played_write(machine, state, &position, player, "  ", "\n", NULL, out);
}

/* The pieces and variables as the player knows them; with `lets`, also what shown values reveal. */
static fz_status write_observed(fz_machine *machine, const fz_state *state, int player, bool lets,
                                const uint8_t *base, fzi_buffer *out)
{
    const fz_program *program = state->program;
    fzi_observed seen = {0};
    fz_status status = fzi_observe(machine, state, player, base, &seen);

    if (status == FZ_OK) {
        source s = {program, seen.state->block, base, seen.unseen, player};
        write_options(program, out);
        write_contents(&s, out);
        write_head(program, s.block, fzi_head_of(state)->waiting == FZ_GAME_OVER, out);
        if (lets)
            status = fzi_revealed_write(machine, &(fzi_lets_of){state, seen.state, &seen, player},
                                        out);
    }
    fzi_observed_clear(&seen);
    return status;
}

/* ---- sights: what a player sees, event by event ---- */

enum { MEMO = 1 << 12 };

/* Functions of the script name sites that the player does not see, and they may take long. They
 * also know earlier positions, if the game does. */
static bool tells_sites(const fz_state *state)
{
    const fz_program *p = state->program;

    return (p->unseen >= 0 || p->invisible >= 0) && !state->history;
}

static size_t told_size(const fz_state *state)
{
    return 1 + 2 * (size_t)state->program->board.words;
}

bool fzi_onlooker_init(fzi_onlooker *o, const fz_state *state, int player)
{
    fzi_allocator a = state->allocator;

    *o = (fzi_onlooker){.allocator = a, .player = player, .base = fzi_position_new(state),
                        .memo = fzi_allocate_zeroed(a, MEMO * sizeof *o->memo)};
    if (tells_sites(state))
        o->told = fzi_allocate_zeroed(a, MEMO * told_size(state) * sizeof *o->told);
    return o->base && o->memo;
}

void fzi_onlooker_clear(fzi_onlooker *o)
{
    fzi_observed_clear(&o->seen);
    fz_state_free(o->base);
    if (o->allocator.resize)
        FZI_RELEASE(o->allocator, o->memo, o->told);
    *o = (fzi_onlooker){0};
}

static uint64_t block_hash(const fz_state *state, size_t from)
{
    uint64_t hash = FZI_HASH_START;

    for (size_t at = from; at < state->layout->frames; at += 8) {
        uint64_t word = 0;
        size_t left = state->layout->frames - at;
        memcpy(&word, state->block + at, left < 8 ? left : 8);
        hash = fzi_chance_mix(hash ^ word);
    }
    return hash;
}

/* A hash of all that the text of the contents is made of. */
static uint64_t contents_key(const fzi_onlooker *o)
{
    uint64_t hash = block_hash(o->seen.state, sizeof(fzi_head));

    for (unsigned i = 0; i < o->base->program->board.words; i++)
        hash = fzi_chance_mix(hash ^ o->seen.unseen[i]);
    return hash;
}

/* Observes the state; courses that begin alike have many states in common. */
static fz_status observe(fzi_onlooker *o, fz_machine *machine, const fz_state *state)
{
    const size_t bytes = state->program->board.words * sizeof(uint64_t);
    const uint64_t key = o->told ? block_hash(state, 0) : 0;
    uint64_t *told = o->told ? o->told + key % MEMO * told_size(state) : NULL;

    o->seen.told = told && told[0] == key;
    if (o->seen.told) {
        memcpy(o->seen.unseen, told + 1, bytes);
        memcpy(o->seen.invisible, told + 1 + state->program->board.words, bytes);
    }
    fz_status status = fzi_observe(machine, state, o->player, o->base->block, &o->seen);
    if (status == FZ_OK && told && !o->seen.told) {
        told[0] = key;
        memcpy(told + 1, o->seen.unseen, bytes);
        memcpy(told + 1 + state->program->board.words, o->seen.invisible, bytes);
    }
    return status;
}

/* Writes the hash of the text of the contents, which is known if they were seen before. */
static void write_contents_hash(fzi_onlooker *o, fzi_buffer *out)
{
    const fz_state *seen = o->seen.state;
    const source s = {seen->program, seen->block, o->base->block, o->seen.unseen, o->player};
    const uint64_t key = contents_key(o);
    fzi_known_contents *memo = &o->memo[key % MEMO];
    size_t before = out->length;

    if (memo->key != key) {
        write_contents(&s, out);
        if (out->failed)
            return;
        *memo = (fzi_known_contents){key, fzi_text_hash(out->data + before, out->length - before,
                                              FZI_HASH_START)};
        out->length = before;
    }
    fzi_buffer_add(out, &memo->text, sizeof memo->text);
}

static fz_status write_event(fzi_onlooker *o, fz_machine *machine, const fz_state *before,
                             const fz_state *state, fzi_buffer *out)
{
    const fzi_log *log = state->log;
    size_t played = fzi_position_of(state).played_count;

    if (!played)
        return FZ_OK;
    /* Decisions that others do not know yet are told all at once. */
    if (fz_state_hidden_decisions(before) || fz_state_hidden_decisions(state))
        return write_seen(machine, state, o->player, out);
    fzi_buffer_format(out, "%zu: ", played);
    return fzi_log_entry_write(machine, before, &log->entries[log->count - 1], o->player, false,
                               out);
}

fz_status fzi_sight_write(fzi_onlooker *o, fz_machine *machine, const fz_state *before,
                          const fz_state *state, fzi_buffer *out)
{
    fzi_machine_begin(machine);
    fz_status status = observe(o, machine, state);
    if (status != FZ_OK)
        return status;
    write_contents_hash(o, out);
    write_head(state->program, o->seen.state->block,
               fzi_head_of(state)->waiting == FZ_GAME_OVER, out);
    const fzi_lets_of lets = {state, o->seen.state, &o->seen, o->player};
    status = fzi_revealed_write(machine, &lets, out);
    return status == FZ_OK ? write_event(o, machine, before, state, out) : status;
}

fz_status fzi_observe_begin(fz_machine *machine, const fz_state *state, int player,
                            fz_state **base)
{
    fzi_machine_begin(machine);
    if (!fzi_is_player(state->program, player))
        return fzi_machine_say(machine, FZ_USAGE, "there is no player %d", player);
    *base = fzi_position_new(state);
    return *base ? FZ_OK : fzi_machine_no_memory(machine);
}

static fz_status write_for(fz_machine *machine, const fz_state *state, int player, bool events,
                           char **text)
{
    fzi_buffer out = fzi_buffer_in(machine->allocator);
    fz_state *base;
    fz_status status = fzi_observe_begin(machine, state, player, &base);

    if (status != FZ_OK)
        return status;
    status = write_observed(machine, state, player, events, base->block, &out);
    if (status == FZ_OK && events)
        status = write_seen(machine, state, player, &out);
    fz_state_free(base);
    return fzi_text_finish(machine, status, &out, text);
}

fz_status fz_state_write_for(fz_machine *machine, const fz_state *state, int player, char **text)
{
    return write_for(machine, state, player, false, text);
}

fz_status fz_state_observation(fz_machine *machine, const fz_state *state, int player, char **text)
{
    return write_for(machine, state, player, true, text);
}

fz_status fz_state_write_now(fz_machine *machine, const fz_state *state, char **text)
{
    fzi_position now = {.block = state->block};

    return write_text(machine, state, false, &now, text);
}
