/* Counting with equal positions counted once. The ends of a turn are kept in a set of positions:
 * for each its key, which says what makes it the same as another, and the block to go on from. One
 * state walks the whole tree, as an end is all that the turns below it need. */

#include "counting.h"

typedef struct position_set {
    fz_machine *machine;
    uint8_t *entries;     /* key, then block */
    uint32_t *slots;      /* index + 1 by hash; 0: free */
    size_t count, capacity, slot_count; /* slots: a power of two, over twice the entries */
    size_t key_size, block_size;
    bool reads_last, full;
} position_set;

static void set_init(position_set *set, fz_machine *machine, const fz_state *state)
{
    /* Compared besides the position's bytes: last_from, last_to, who is out, the result,
     * and the pieces by site where no sets tell their kinds. */
    size_t more = 8 + FZ_MAX_PLAYERS;
    if (state->layout->at && !state->layout->kinds)
        more += state->program->board.site_count;
    *set = (position_set){.machine = machine, .block_size = state->layout->frames,
                          .reads_last = state->program->reads_last};
    set->key_size = (fzi_position_size(state) + more + 7) / 8 * 8;
}

static void set_free(position_set *set)
{
    FZI_RELEASE(set->machine->allocator, set->entries, set->slots);
}

static size_t entry_size(const position_set *set)
{
    return set->key_size + set->block_size;
}

static uint8_t *entry_at(const position_set *set, size_t index)
{
    return set->entries + index * entry_size(set);
}

static void write_key(const position_set *set, const fz_state *state, uint8_t *key)
{
    const fzi_head *head = fzi_head_of(state);
    bool over = head->phase == FZ_PHASE_OVER;
    uint8_t *more = key + fzi_position_size(state);
    memset(key, 0, set->key_size);
    fzi_position_bytes(state, key, over ? FZ_NOT_THERE : fzi_state_next_mover(state));
    if (set->reads_last) {
        memcpy(more, &head->last_from, 2);
        memcpy(more + 2, &head->last_to, 2);
    }
    memcpy(more + 4, &head->out, 2);
    more[6] = head->stopped;
    more[7] = (uint8_t)head->nature;
    memcpy(more + 8, head->rank, FZ_MAX_PLAYERS);
    if (state->layout->at && !state->layout->kinds)
        memcpy(more + 8 + FZ_MAX_PLAYERS, state->block + state->layout->at,
               state->program->board.site_count);
}

/* The slot of the key, or the free one where it would be. */
static uint32_t *slot_of(const position_set *set, const uint8_t *key)
{
    size_t mask = set->slot_count - 1, at = fzi_bytes_hash(key, set->key_size) & mask;
    while (set->slots[at] && memcmp(entry_at(set, set->slots[at] - 1), key, set->key_size) != 0)
        at = (at + 1) & mask;
    return &set->slots[at];
}

static bool grow(position_set *set)
{
    fzi_allocator a = set->machine->allocator;
    size_t capacity = set->capacity ? set->capacity * 2 : 64, slot_count = capacity * 4;
    if (capacity * entry_size(set) + slot_count * sizeof *set->slots >
        set->machine->limits.memory) {
        set->full = true;
        return false;
    }
    uint8_t *entries = a.resize(a.user, set->entries, capacity * entry_size(set));
    if (!entries)
        return false;
    set->entries = entries;
    uint32_t *slots = fzi_allocate(a, slot_count * sizeof *slots);
    if (!slots)
        return false;
    fzi_release(a, set->slots);
    memset(slots, 0, slot_count * sizeof *slots);
    set->slots = slots;
    set->slot_count = slot_count;
    set->capacity = capacity;
    for (size_t i = 0; i < set->count; i++)
        *slot_of(set, entry_at(set, i)) = (uint32_t)i + 1;
    return true;
}

/* As the leaf of a count. */
static bool set_add(void *user, const fz_state *state)
{
    position_set *set = user;
    if (set->count == set->capacity && !grow(set))
        return false;
    uint8_t *entry = entry_at(set, set->count);
    write_key(set, state, entry);
    uint32_t *slot = slot_of(set, entry);
    if (!*slot) {
        memcpy(entry + set->key_size, state->block, set->block_size);
        *slot = (uint32_t)++set->count;
    }
    return true;
}

/* The ends of the turn that the state is in. */
static fz_status collect(fzi_counting *c, fz_state *state, position_set *set)
{
    set_init(set, c->machine, state);
    c->leaf = set_add;
    c->user = set;
    c->rolled = 0;
    fz_status status = fzi_count(c, state, 0);
    if (set->full)
        return fzi_machine_say(c->machine, FZ_RUNTIME,
                               "the positions of this depth take more than %zu bytes of memory",
                               c->machine->limits.memory);
    return status;
}

/* The state becomes what the entry says, and its next turn begins. False: the game is over. */
static bool begin_turn(fzi_counting *c, fz_state *state, const position_set *set, size_t index,
                       bool without_history, fz_status *status)
{
    fz_machine *m = c->machine;
    memcpy(state->block, entry_at(set, index) + set->key_size, set->block_size);
    fzi_head *head = fzi_head_of(state);
    if (head->phase == FZ_PHASE_OVER)
        return false;
    if (without_history)
        head->history = 0;
    head->frame = head->top = head->depth = head->pendings = 0;
    fzi_machine_begin(m);
    fzi_run run = fzi_run_of(m, state, FZ_RUN_PLAY);
    run.turn_stop = c->turn_stop;
    run.ask = true;
    *status = fzi_machine_run(m, &run) == FZ_END_ERROR ? fzi_machine_fail(m) : FZ_OK;
    return *status == FZ_OK;
}

/* Turns that lead to the same position are one; the state is inside its turn. */
static fz_status count_turns(fzi_counting *c, fz_state *state, unsigned turns, uint64_t *number)
{
    position_set set;
    fz_status status = collect(c, state, &set);
    if (turns == 1)
        *number += set.count;
    for (size_t i = 0; i < set.count && status == FZ_OK && turns > 1; i++) {
        c->turn_stop++;
        if (begin_turn(c, state, &set, i, false, &status))
            status = count_turns(c, state, turns - 1, number);
        c->turn_stop--;
    }
    set_free(&set);
    return status;
}

/* All sequences that lead to the same position are one: turn by turn, the positions there are. */
static fz_status count_positions(fzi_counting *c, fz_state *state, unsigned turns, uint64_t *number)
{
    position_set now, next;
    fz_status status = collect(c, state, &now);
    while (--turns && status == FZ_OK) {
        c->turn_stop++;
        set_init(&next, c->machine, state);
        for (size_t i = 0; i < now.count && status == FZ_OK; i++) {
            c->user = &next;
            c->rolled = 0;
            if (begin_turn(c, state, &now, i, true, &status))
                status = fzi_count(c, state, 0);
        }
        if (next.full)
            status = fzi_machine_say(c->machine, FZ_RUNTIME,
                                     "the positions of depth %u take more than %zu bytes of memory",
                                     c->turn_stop, c->machine->limits.memory);
        set_free(&now);
        now = next;
    }
    *number = now.count;
    set_free(&now);
    return status;
}

fz_status fzi_count_merged(fzi_counting *c, fz_state *state, unsigned turns, bool positions)
{
    uint32_t begun = fzi_head_of(state)->turns;
    uint64_t number = 0;
    c->turn_stop = begun + (begun == 0);
    fz_status status = positions ? count_positions(c, state, turns, &number)
                                 : count_turns(c, state, turns, &number);
    c->nodes = number;
    c->leaf = NULL;
    return status;
}
