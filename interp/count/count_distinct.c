/* Counting with equal positions counted once. The ends of a turn are kept in a set of positions:
 * for each its key, which says what makes it the same as another, and the block to go on from. One
 * state walks the whole tree, as an end is all that the turns below it need. */
#include "counting.h"

typedef struct position_set {
    fz_machine *machine;
    fzi_keys keys;
    uint8_t *blocks;      /* by number of the key */
    uint64_t *words;      /* room for what a key is made of; NULL before the first one */
    size_t room, memory, word_count, block_size;
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
    set->word_count = (fzi_position_size(state) + more + 7) / 8;
}

static void set_free(position_set *set)
{
    FZI_RELEASE(set->machine->allocator, set->blocks, set->words);
    fzi_keys_clear(&set->keys, set->machine->allocator);
}

static fzi_position_key key_of(const position_set *set, const fz_state *state)
{
    const fzi_head *head = fzi_head_of(state);
    bool over = head->phase == FZ_PHASE_OVER;
    uint8_t *bytes = (uint8_t *)set->words, *more = bytes + fzi_position_size(state);
    fzi_position_key key = {1, 1};
    memset(set->words, 0, set->word_count * sizeof *set->words);
    fzi_position_bytes(state, bytes, over ? FZ_NOT_THERE : fzi_state_next_mover(state));
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
    for (size_t i = 0; i < set->word_count; i++)
        fzi_key_mix(&key, set->words[i]);
    return key;
}

/* The leaf function of the count. */
static bool set_add(void *user, const fz_state *state)
{
    position_set *set = user;
    fzi_allocator a = set->machine->allocator;
    size_t most = set->machine->limits.memory, count = set->keys.count;
    if (!set->words && !(set->words = fzi_allocate(a, set->word_count * sizeof *set->words)))
        return false;
    fzi_position_key key = key_of(set, state);
    if (fzi_keys_find(&set->keys, key) != UINT32_MAX)
        return true;
    fz_status status = fzi_array_grow(a, &set->memory, most, (void **)&set->blocks, &set->room,
                                      count + 1, set->block_size);
    if (status == FZ_OK)
        status = fzi_keys_add(&set->keys, key, a, &set->memory, most);
    if (status == FZ_OK)
        memcpy(set->blocks + count * set->block_size, state->block, set->block_size);
    set->full = status == FZ_RUNTIME;
    return status == FZ_OK;
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
    memcpy(state->block, set->blocks + index * set->block_size, set->block_size);
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
        *number += set.keys.count;
    for (size_t i = 0; i < set.keys.count && status == FZ_OK && turns > 1; i++) {
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
        for (size_t i = 0; i < now.keys.count && status == FZ_OK; i++) {
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
    *number = now.keys.count;
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
