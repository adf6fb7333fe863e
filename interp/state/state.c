/* States: memory and copies, the turn beginnings that `repetitions` counts, and what ferz.h says
 * about states. See state.h.
 *
 * Turn beginnings with the same hash hang together, so that counting looks at few of them however
 * long the game is. */
#include "state.h"

#include "history.h"
#include "interp/board/topology.h"
#include "interp/ferz_tools.h"
#include "interp/support/words.h"

/* ---- history ---- */

static fzi_turn_entry entry_of(const fz_state *state)
{
    return fzi_turn_entry_of(state->layout, state->program->board.words);
}

/* Bytes for an entry: of itself, and in each index a hash, a link and two heads of chains. */
static size_t bytes_each(const fzi_history *h)
{
    return h->entry.size +
           (h->whole.used + h->board.used) * (sizeof(uint64_t) + 3 * sizeof(uint32_t));
}

uint32_t fz_program_history_bytes(const fz_program *program)
{
    if (!program->uses_repetitions && !program->uses_board_repetitions)
        return 0;
    fzi_history h = {.entry = fzi_turn_entry_of(&program->layout, program->board.words),
                     .whole.used = program->uses_repetitions,
                     .board.used = program->uses_board_repetitions};
    return (uint32_t)bytes_each(&h);
}

static fzi_history *history_new(const fz_program *program, const fz_layout *layout,
                                fzi_allocator allocator)
{
    fzi_history *h = fzi_allocate(allocator, sizeof *h);
    if (h)
        *h = (fzi_history){.allocator = allocator,
                           .entry = fzi_turn_entry_of(layout, program->board.words),
                           .whole.used = program->uses_repetitions,
                           .board.used = program->uses_board_repetitions};
    return h;
}

static void free_index(const fzi_history *h, fzi_index *index)
{
    FZI_RELEASE(h->allocator, index->hashes, index->before, index->heads);
}

static void history_free(fzi_history *h)
{
    if (!h)
        return;
    free_index(h, &h->whole);
    free_index(h, &h->board);
    FZI_RELEASE(h->allocator, h->entries, h);
}

static void *resized(const fzi_history *h, void *old, size_t count, size_t size)
{
    return h->allocator.resize(h->allocator.user, old, count * size);
}

/* The chains are rebuilt when they are next used. */
static void unlink_all(fzi_index *index)
{
    if (index->heads)
        memset(index->heads, 0, ((size_t)index->mask + 1) * sizeof *index->heads);
    index->linked = 0;
}

static bool index_reserve(const fzi_history *h, fzi_index *index, uint32_t capacity)
{
    if (!index->used)
        return true;
    uint64_t *hashes = resized(h, index->hashes, capacity, sizeof *hashes);
    index->hashes = hashes ? hashes : index->hashes;
    uint32_t *before = hashes ? resized(h, index->before, capacity, sizeof *before) : NULL;
    index->before = before ? before : index->before;
    uint32_t *heads = before ? resized(h, index->heads, 2 * (size_t)capacity, sizeof *heads) : NULL;
    if (!heads)
        return false;
    index->heads = heads;
    index->mask = 2 * capacity - 1;
    unlink_all(index);
    return true;
}

/* Room for `count` entries and one more, in which the present is written to be compared. */
static bool reserve(fzi_history *h, uint32_t count, size_t limit)
{
    if (count < h->capacity)
        return true;
    uint32_t size = h->capacity ? h->capacity : 64;
    while (size <= count && size <= UINT32_MAX / 4)
        size *= 2;
    if (size <= count || size * bytes_each(h) > limit)
        return false;
    uint8_t *entries = resized(h, h->entries, size, h->entry.size);
    if (!entries)
        return false;
    h->entries = entries;
    if (!index_reserve(h, &h->whole, size) || !index_reserve(h, &h->board, size))
        return false;
    h->capacity = size;
    return true;
}

size_t fzi_history_wanted(const fz_state *state)
{
    const fzi_history *h = state->history;
    uint32_t count = fzi_head_of(state)->history + 1;
    return bytes_each(h) * (count < h->capacity ? h->capacity
                            : count < 64        ? 64
                                                : (size_t)count * 2);
}

static void copy_hashes(fzi_index *into, const fzi_index *from, uint32_t count)
{
    unlink_all(into);
    into->hashed = from->hashed < count ? from->hashed : count;
    if (into->hashed)
        memcpy(into->hashes, from->hashes, into->hashed * sizeof *from->hashes);
}

/* The first `count` entries; false when memory is short. */
static bool history_copy(fzi_history *into, const fzi_history *from, uint32_t count)
{
    if (!reserve(into, count, SIZE_MAX))
        return false;
    copy_hashes(&into->whole, &from->whole, count);
    copy_hashes(&into->board, &from->board, count);
    into->counted = 0;
    into->known = into->whole.hashed > into->board.hashed ? into->whole.hashed : into->board.hashed;
    if (count)
        memcpy(into->entries, from->entries, (size_t)count * into->entry.size);
    return true;
}

/* ---- states ---- */

static size_t block_size(const fz_state *state, uint32_t words)
{
    return FZ_PENDING_BYTES + state->layout->frames + (size_t)words * 8;
}

bool fzi_state_init(fz_state *state, const fz_program *program, const fz_layout *layout,
                    fzi_allocator allocator, bool scratch)
{
    *state = (fz_state){.program = program, .layout = layout, .allocator = allocator,
                        .scratch = scratch, .capacity = 64};
    const int32_t phases[] = {program->setup, program->turn, program->end, program->limit};
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
        uint32_t frame = phases[i] < 0
                           ? 0
                           : fzi_frame_size(&program->functions[phases[i]], program->board.words);
        state->capacity = frame > state->capacity ? frame : state->capacity;
    }
    state->memory = fzi_allocate_zeroed(allocator, block_size(state, state->capacity));
    if (!state->memory)
        return false;
    state->block = state->memory + FZ_PENDING_BYTES;
    if (scratch || (!program->uses_repetitions && !program->uses_board_repetitions))
        return true;
    state->history = history_new(program, layout, allocator);
    return state->history != NULL;
}

void fzi_state_clear(fz_state *state)
{
    fzi_log_free(state->log);
    state->log = NULL;
    fzi_release(state->allocator, state->memory);
    if (!state->scratch)
        history_free(state->history);
    state->memory = state->block = NULL;
    state->history = NULL;
}

bool fzi_state_grow(fz_state *state, uint32_t words)
{
    if (words <= state->capacity)
        return true;
    if (words > state->layout->frame_words)
        return false;
    uint32_t size = state->capacity * 2;
    while (size < words)
        size *= 2;
    size_t old = block_size(state, state->capacity), new = block_size(state, size);
    uint8_t *memory = state->allocator.resize(state->allocator.user, state->memory, new);
    if (!memory)
        return false;
    memset(memory + old, 0, new - old);
    state->memory = memory;
    state->block = memory + FZ_PENDING_BYTES;
    state->capacity = size;
    return true;
}

bool fzi_state_copy(fz_state *into, const fz_state *from)
{
    uint32_t count = fzi_head_of(from)->history;
    if (into->log && from->log && !fzi_log_copy(into->log, from->log))
        return false;
    if (into->history && from->history && into->history != from->history &&
        !history_copy(into->history, from->history, count))
        return false;
    return fzi_state_assign(into, from);
}

void fzi_state_forget(fz_state *state)
{
    fzi_log_free(state->log);
    state->log = NULL;
}

void fzi_state_reset(fz_state *state, uint64_t key, uint64_t counter)
{
    fzi_head *head = fzi_head_of(state);
    memset(head, 0, sizeof *head);
    head->key = key;
    head->counter = counter;
    head->last_from = head->last_to = FZ_NOT_THERE;
    if (!state->program->initial) {
        fzi_empty_settle(state->program, state->layout, state->block);
        return;
    }
    memcpy(state->block + state->layout->own, state->program->initial,
           state->layout->frames - state->layout->own);
    if (state->layout->empty) /* no piece is there before the set-up */
        fzi_words_copy(fzi_block_sets(state->block, state->layout->empty),
                       state->program->topology->all, state->program->board.words);
}

int fzi_state_next_mover(const fz_state *state)
{
    const fzi_head *head = fzi_head_of(state);
    unsigned count = state->program->player_count, next = (unsigned)head->next_mover;
    for (unsigned i = 0; i < count; i++, next = next + 1 < count ? next + 1 : 0)
        if (!(head->out >> next & 1))
            return (int)next;
    return FZ_NOT_THERE;
}

void fzi_state_prepare(fz_state *state, int mover, uint32_t turns)
{
    fzi_head *head = fzi_head_of(state);
    head->phase = FZ_PHASE_READY;
    head->waiting = FZ_WAITING_MOVE;
    head->next_mover = head->mover = (int8_t)mover;
    head->turns = turns ? turns - 1 : 0;
    head->frame = head->top = head->depth = 0;
    head->pendings = head->chance_given = head->stopped = head->decided = head->no_legal_move = 0;
    head->idle = 0;
    memset(head->rank, 0, sizeof head->rank);
    head->nature = 0;
}

/* ---- positions ---- */

uint64_t fzi_bytes_hash(const uint8_t *bytes, size_t length)
{
    return fzi_hash_of(bytes, (uint32_t)length);
}

uint32_t fzi_position_size(const fz_state *state)
{
    return entry_of(state).size;
}

void fzi_position_bytes(const fz_state *state, uint8_t *out, int to_move)
{
    fzi_turn_entry_write(entry_of(state), out, state->block, to_move);
}

bool fzi_history_note(fz_state *state, size_t limit)
{
    fzi_history *h = state->history;
    fzi_head *head = fzi_head_of(state);
    if (!reserve(h, head->history + 1, limit))
        return false;
    fzi_history_add(h, h->entry, state->block, head->history++, head->mover, false);
    return true;
}

int64_t fzi_history_count(fz_state *state, bool board_only, int64_t from_turn)
{
    fzi_history *h = state->history;
    const fzi_head *head = fzi_head_of(state);
    if (!h || !head->history)
        return 0;
    return fzi_history_find(h, h->entry, state->block, head->history,
                            fzi_state_next_mover(state), board_only,
                            fzi_history_left_out(head, from_turn));
}

/* ---- states of callers ---- */

fz_state *fzi_state_make(const fz_program *program)
{
    fzi_allocator allocator = fzi_program_allocator(program);
    fz_state *state = fzi_allocate(allocator, sizeof *state);
    if (!state)
        return NULL;
    bool done = fzi_state_init(state, program, &program->layout, allocator, false);
    state->log = fzi_log_new(allocator);
    if (!done || !state->log) {
        fzi_state_clear(state);
        fzi_release(allocator, state);
        return NULL;
    }
    fz_program_retain((fz_program *)program);
    return state;
}

void fz_state_free(fz_state *state)
{
    if (!state)
        return;
    const fz_program *program = state->program;
    fzi_allocator allocator = state->allocator;
    fzi_state_clear(state);
    fzi_release(allocator, state);
    fz_program_release((fz_program *)program);
}

fz_status fz_state_copy(fz_state *into, const fz_state *from)
{
    if (into->program != from->program)
        return FZ_USAGE;
    return into == from || fzi_state_copy(into, from) ? FZ_OK : FZ_NO_MEMORY;
}

size_t fz_state_size(const fz_state *state)
{
    return fzi_head_of(state)->pendings * sizeof(fzi_pending) + fzi_state_used(state);
}

fz_state *fz_state_clone(const fz_state *from)
{
    fz_state *state = fzi_state_make(from->program);
    if (state && !fzi_state_copy(state, from)) {
        fz_state_free(state);
        return NULL;
    }
    return state;
}

/* ---- looking ---- */

fz_waiting fz_state_waiting(const fz_state *state)
{
    return (fz_waiting)fzi_head_of(state)->waiting;
}

int fz_state_decider(const fz_state *state)
{
    const fzi_head *head = fzi_head_of(state);
    return head->waiting == FZ_WAITING_MOVE ? head->decider : head->mover;
}

int fz_state_mover(const fz_state *state)
{
    return fzi_head_of(state)->mover;
}

uint32_t fz_state_turns(const fz_state *state)
{
    return fzi_head_of(state)->turns;
}

uint32_t fz_state_plies(const fz_state *state)
{
    return fzi_head_of(state)->plies;
}

bool fz_state_at_turn_start(const fz_state *state)
{
    const fzi_head *head = fzi_head_of(state);
    return head->waiting == FZ_WAITING_MOVE && !head->decided;
}

int fz_state_rank(const fz_state *state, int player)
{
    bool known = player >= 0 && (uint32_t)player < state->program->player_count;
    return known ? fzi_head_of(state)->rank[player] : 0;
}

/* Is the player the first of its side? */
static bool leads(const fz_program *p, unsigned player)
{
    for (unsigned q = 0; p->has_teams && q < player; q++)
        if (p->players[q].team == p->players[player].team)
            return false;
    return true;
}

unsigned fzi_sides(const fz_program *p, unsigned *side_of)
{
    unsigned count = 0;

    for (unsigned q = 0; q < p->player_count; q++) {
        unsigned first = 0;
        while (!fzi_same_side(p, first, q))
            first++;
        side_of[q] = first < q ? side_of[first] : count++;
    }
    return count;
}

static int side_count(const fz_program *p)
{
    int sides = 0;
    for (unsigned q = 0; q < p->player_count; q++)
        sides += leads(p, q);
    return sides;
}

bool fz_program_has_one_side(const fz_program *p)
{
    return p->player_count == 1 || (p->has_teams && side_count(p) == 1);
}

int fzi_utility_denominator(const fz_program *p)
{
    if (p->player_count == 2)
        return 2;
    int sides = side_count(p);
    return sides > 1 ? 2 * (sides - 1) : 2;
}

int fzi_rank_utility(const fz_program *p, const int8_t *rank, int nature, int player)
{
    if (p->player_count == 2 && !p->has_teams)
        return rank[player] == rank[1 - player] ? 1 : rank[player] == 1 ? 2 : 0;
    int sides = side_count(p), shared = 0;
    if (sides < 2)
        return rank[player] == nature ? 1 : rank[player] < nature ? 2 : 0;
    for (unsigned q = 0; q < p->player_count; q++)
        shared += leads(p, q) && rank[q] == rank[player];
    /* Ranks r .. r + shared - 1 in the mean, doubled. */
    return 2 * sides - (2 * rank[player] + shared - 1);
}

int fzi_state_utility(const fz_state *state, int player)
{
    const fzi_head *head = fzi_head_of(state);
    return fzi_rank_utility(state->program, head->rank, head->nature, player);
}

double fzi_utility_of(const fz_program *p, const int8_t *rank, int nature, int player)
{
    return (double)fzi_rank_utility(p, rank, nature, player) / fzi_utility_denominator(p);
}

double fz_state_utility(const fz_state *state, int player)
{
    const fzi_head *head = fzi_head_of(state);
    if (!fz_state_rank(state, player))
        return 0;
    return fzi_utility_of(state->program, head->rank, head->nature, player);
}

int fzi_rank_winner(const fz_program *p, const int8_t *rank, int nature)
{
    int first = -1;

    if (nature == 1)
        return -1;
    for (unsigned i = 0; i < p->player_count; i++) {
        if (rank[i] != 1)
            continue;
        if (first >= 0 && !(p->has_teams && p->players[i].team == p->players[first].team))
            return -1;
        first = first < 0 ? (int)i : first;
    }
    return first;
}

int fzi_state_winner(const fz_state *state)
{
    const fzi_head *head = fzi_head_of(state);

    return fzi_rank_winner(state->program, head->rank, head->nature);
}

bool fz_state_stopped(const fz_state *state)
{
    return fzi_head_of(state)->stopped;
}

fz_ending fz_state_ending(const fz_state *state, uint32_t *place)
{
    const fzi_head *head = fzi_head_of(state);
    if (place)
        *place = 0;
    if (head->waiting != FZ_GAME_OVER)
        return FZ_NOT_ENDED;
    if (place)
        *place = fzi_program_place_index(state->program, head->pc);
    return head->stopped ? FZ_ENDED_BY_LIMIT : head->no_legal_move ? FZ_ENDED_WITHOUT_MOVE
                                                           : FZ_ENDED_BY_RULE;
}
