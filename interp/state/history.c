/* The turn beginnings that `repetitions` counts. Entries with the same hash hang together, so that
 * counting looks at few of them however long the game is. */
#include "history.h"

#include <string.h>

#include "interp/ferz_tools.h"

static uint32_t entry_size(const fz_program *program, const fz_layout *layout)
{
    uint32_t clock_sets = layout->clock_set_count * program->board.words * 8u;
    return layout->position_end - layout->own - clock_sets + 8;
}

/* Bytes for an entry: of itself, and in each index a hash, a link and two heads of chains. */
static size_t bytes_each(const fzi_history *h)
{
    return h->entry_size +
           (h->whole.used + h->board.used) * (sizeof(uint64_t) + 3 * sizeof(uint32_t));
}

uint32_t fz_program_history_bytes(const fz_program *program)
{
    if (!program->uses_repetitions && !program->uses_board_repetitions)
        return 0;
    fzi_history h = {.entry_size = entry_size(program, &program->layout),
                     .whole.used = program->uses_repetitions,
                     .board.used = program->uses_board_repetitions};
    return (uint32_t)bytes_each(&h);
}

fzi_history *fzi_history_new(const fz_program *program, const fz_layout *layout,
                             fzi_allocator allocator)
{
    fzi_history *h = fzi_allocate(allocator, sizeof *h);
    if (h)
        *h = (fzi_history){.allocator = allocator, .entry_size = entry_size(program, layout),
                           .board_size = layout->sets - layout->own,
                           .whole.used = program->uses_repetitions,
                           .board.used = program->uses_board_repetitions};
    return h;
}

static void free_index(const fzi_history *h, fzi_index *index)
{
    fzi_release(h->allocator, index->hashes);
    fzi_release(h->allocator, index->before);
    fzi_release(h->allocator, index->heads);
}

void fzi_history_free(fzi_history *h)
{
    if (!h)
        return;
    free_index(h, &h->whole);
    free_index(h, &h->board);
    fzi_release(h->allocator, h->entries);
    fzi_release(h->allocator, h);
}

/* ---- room ---- */

static void *resized(const fzi_history *h, void *old, size_t count, size_t size)
{
    return h->allocator.resize(h->allocator.user, old, count * size);
}

/* The chains are made anew, when they are next wanted. */
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
    uint8_t *entries = resized(h, h->entries, size, h->entry_size);
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

/* ---- chains ---- */

static void link_one(fzi_index *index)
{
    uint32_t *head = &index->heads[index->hashes[index->linked] & index->mask];
    index->before[index->linked] = *head;
    *head = ++index->linked;
}

/* Exactly the first `count` entries, or at least those. */
static void link_up_to(fzi_index *index, uint32_t count, bool exactly)
{
    while (index->linked < count)
        link_one(index);
    while (exactly && index->linked > count) {
        index->linked--;
        index->heads[index->hashes[index->linked] & index->mask] = index->before[index->linked];
    }
}

/* What was noted behind it is forgotten. */
static void note(fzi_index *index, uint32_t number, uint64_t hash)
{
    link_up_to(index, number, true);
    index->hashes[number] = hash;
    link_one(index);
}

bool fzi_history_copy(fzi_history *into, const fzi_history *from, uint32_t count)
{
    if (!reserve(into, count, SIZE_MAX))
        return false;
    unlink_all(&into->whole);
    unlink_all(&into->board);
    into->counted = 0;
    if (!count)
        return true;
    memcpy(into->entries, from->entries, (size_t)count * into->entry_size);
    if (into->whole.used)
        memcpy(into->whole.hashes, from->whole.hashes, count * sizeof *from->whole.hashes);
    if (into->board.used)
        memcpy(into->board.hashes, from->board.hashes, count * sizeof *from->board.hashes);
    return true;
}

/* ---- positions ---- */

static inline uint64_t hash_word(uint64_t hash, uint64_t word)
{
    hash += word * UINT64_C(0xd6e8feb86659fd93);
    return hash << 29 | hash >> 35;
}

/* Eight bytes at a time; the tail is padded with zeros. */
uint64_t fzi_bytes_hash(const uint8_t *bytes, size_t length)
{
    uint64_t hash = length, words[2];
    for (; length >= sizeof words; bytes += sizeof words, length -= sizeof words) {
        memcpy(words, bytes, sizeof words);
        hash = hash_word(hash_word(hash, words[0]), words[1]);
    }
    if (length) {
        memset(words, 0, sizeof words);
        memcpy(words, bytes, length);
        hash = hash_word(hash_word(hash, words[0]), words[1]);
    }
    hash = (hash ^ hash >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

uint32_t fzi_position_size(const fz_state *state)
{
    return entry_size(state->program, state->layout);
}

/* The bytes of the sets that count, and of the variables: the clocked sets lie in between. */
static uint32_t bytes_of_sets(const fz_state *state)
{
    const fz_layout *l = state->layout;
    return l->sets + (l->set_count - l->clock_set_count) * state->program->board.words * 8u -
           l->own;
}

void fzi_position_bytes(const fz_state *state, uint8_t *out, int to_move)
{
    const fz_layout *l = state->layout;
    uint32_t sets = bytes_of_sets(state), ints = l->position_end - l->ints;
    memcpy(out, state->block + l->own, sets);
    memcpy(out + sets, state->block + l->ints, ints);
    memset(out + sets + ints, 0, 8);
    out[sets + ints] = (uint8_t)to_move;
}

/* Are these the bytes of the position? */
static bool is_position(const fz_state *state, const uint8_t *bytes, int to_move)
{
    const fz_layout *l = state->layout;
    uint32_t sets = bytes_of_sets(state), ints = l->position_end - l->ints;
    return bytes[sets + ints] == (uint8_t)to_move && !memcmp(bytes, state->block + l->own, sets) &&
           !memcmp(bytes + sets, state->block + l->ints, ints);
}

/* What was counted last is mostly what is noted next: then its bytes and one hash are there. */
bool fzi_history_note(fz_state *state, size_t limit)
{
    fzi_history *h = state->history;
    fzi_head *head = fzi_head_of(state);
    uint32_t number = head->history;
    if (!reserve(h, number + 1, limit))
        return false;
    uint8_t *entry = h->entries + (size_t)number * h->entry_size;
    const fzi_index *counted =
        h->counted == number + 1 && is_position(state, entry, head->mover) ? h->counter : NULL;
    if (!counted)
        fzi_position_bytes(state, entry, head->mover);
    if (h->whole.used)
        note(&h->whole, number,
             counted == &h->whole ? h->hash : fzi_bytes_hash(entry, h->entry_size));
    if (h->board.used)
        note(&h->board, number,
             counted == &h->board ? h->hash : fzi_bytes_hash(entry, h->board_size));
    h->counted = 0;
    head->history++;
    return true;
}

/* The position as it is now, with who is to play next, among the turn beginnings. It is written
 * where the next one would be noted, so that nothing is allocated. */
int64_t fzi_history_count(fz_state *state, bool board_only)
{
    fzi_history *h = state->history;
    uint32_t noted = h ? fzi_head_of(state)->history : 0;
    if (!noted)
        return 0;
    fzi_index *index = board_only ? &h->board : &h->whole;
    size_t size = board_only ? h->board_size : h->entry_size;
    uint8_t *now = h->entries + (size_t)noted * h->entry_size;
    link_up_to(index, noted, false);
    fzi_position_bytes(state, now, fzi_state_next_mover(state));
    uint64_t hash = fzi_bytes_hash(now, size);
    h->counted = noted + 1;
    h->counter = index;
    h->hash = hash;
    int64_t count = 0;
    for (uint32_t n = index->heads[hash & index->mask]; n; n = index->before[n - 1])
        if (n <= noted && index->hashes[n - 1] == hash &&
            !memcmp(h->entries + (size_t)(n - 1) * h->entry_size, now, size))
            count++;
    return count;
}
