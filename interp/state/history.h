/* Positions in which turns began, for `repetitions`: how one is written, compared, noted and
 * counted where there is room and the chains are complete. state.c does the rest. Generated C
 * includes this too and knows the layout, so each position is a few loads and stores there. */
#ifndef FZ_INTERP_STATE_HISTORY_H
#define FZ_INTERP_STATE_HISTORY_H

#include "state.h"

#define FZ_HISTORY static inline __attribute__((always_inline, unused))

FZ_HISTORY fzi_turn_entry fzi_turn_entry_of(const fz_layout *l, uint32_t words)
{
    uint32_t sets = l->sets + (l->set_count - l->clock_set_count) * words * 8u - l->own;
    uint32_t numbers = l->position_end - l->ints;
    return (fzi_turn_entry){l->own, sets, l->ints, numbers, (sets + numbers + 15) / 8 * 8,
                            l->sets - l->own};
}

FZ_HISTORY uint64_t fzi_load_word(const uint8_t *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

/* The last bytes of a part that is no number of whole words. */
FZ_HISTORY uint64_t fzi_load_rest(const uint8_t *part, uint32_t size)
{
    uint64_t word = 0;
    memcpy(&word, part + size / 8 * 8, size % 8);
    return word;
}

FZ_HISTORY void fzi_part_write(uint8_t *to, const uint8_t *from, uint32_t size)
{
    if (size % 8) {
        uint64_t word = fzi_load_rest(from, size);
        memcpy(to + size / 8 * 8, &word, 8);
    }
    if (!__builtin_constant_p(size)) {
        memcpy(to, from, size / 8 * 8);
        return;
    }
#pragma GCC unroll 16
    for (uint32_t i = 0; i < size / 8; i++)
        memcpy(to + 8 * i, from + 8 * i, 8);
}

FZ_HISTORY bool fzi_part_is(const uint8_t *part, const uint8_t *from, uint32_t size)
{
    uint64_t other = 0;
    if (!__builtin_constant_p(size))
        return !memcmp(part, from, size);
#pragma GCC unroll 16
    for (uint32_t i = 0; i < size / 8; i++)
        other |= fzi_load_word(part + 8 * i) ^ fzi_load_word(from + 8 * i);
    if (size % 8)
        other |= fzi_load_word(part + size / 8 * 8) ^ fzi_load_rest(from, size);
    return !other;
}

FZ_HISTORY void fzi_turn_entry_write(fzi_turn_entry e, uint8_t *entry, const uint8_t *block,
                                     int to_move)
{
    uint64_t last = (uint8_t)to_move;
    fzi_part_write(entry, block + e.own, e.sets);
    fzi_part_write(entry + e.sets, block + e.ints, e.numbers);
    memcpy(entry + e.size - 8, &last, 8);
}

FZ_HISTORY bool fzi_turn_entry_is(fzi_turn_entry e, const uint8_t *entry, const uint8_t *block,
                                  int to_move)
{
    return entry[e.size - 8] == (uint8_t)to_move && fzi_part_is(entry, block + e.own, e.sets) &&
           fzi_part_is(entry + e.sets, block + e.ints, e.numbers);
}

FZ_HISTORY uint64_t fzi_hash_word(uint64_t hash, uint64_t word)
{
    return (hash + word) * UINT64_C(0xd6e8feb86659fd93);
}

/* Words in turn, since a product has to wait for the one before it. */
FZ_HISTORY uint64_t fzi_hash_of(const uint8_t *bytes, uint32_t size)
{
    uint64_t even = size, odd = 0;
    uint32_t words = size / 8;
#pragma GCC unroll 16
    for (uint32_t i = 0; i + 1 < words; i += 2) {
        even = fzi_hash_word(even, fzi_load_word(bytes + 8 * i));
        odd = fzi_hash_word(odd, fzi_load_word(bytes + 8 * i + 8));
    }
    if (words % 2)
        even = fzi_hash_word(even, fzi_load_word(bytes + 8 * (words - 1)));
    if (size % 8)
        odd = fzi_hash_word(odd, fzi_load_rest(bytes, size));
    uint64_t hash = even ^ (odd << 32 | odd >> 32);
    hash = (hash ^ hash >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

/* Puts the next entry into its chain. */
FZ_HISTORY void fzi_link_next(const fzi_history *h, fzi_turn_entry e, fzi_index *index)
{
    uint32_t number = index->linked;
    if (number == index->hashed) {
        uint32_t size = index == &h->board ? e.board : e.size;
        index->hashes[number] = fzi_hash_of(h->entries + (size_t)number * e.size, size);
        index->hashed++;
    }
    uint32_t *head = &index->heads[index->hashes[number] & index->mask];
    index->before[number] = *head;
    *head = ++index->linked;
}

/* Forgets what is known of entries after the first `count`, which are about to change. */
FZ_HISTORY void fzi_unlink(fzi_index *index, uint32_t count)
{
    while (index->linked > count) {
        index->linked--;
        index->heads[index->hashes[index->linked] & index->mask] = index->before[index->linked];
    }
    index->hashed = index->hashed > count ? count : index->hashed;
}

/* Writes the position after the `number` that are noted. */
FZ_HISTORY uint8_t *fzi_history_write(fzi_history *h, fzi_turn_entry e, const uint8_t *block,
                                      uint32_t number, int mover)
{
    uint8_t *entry = h->entries + (size_t)number * e.size;
    if (__builtin_expect(h->known > number, 0)) {
        fzi_unlink(&h->whole, number);
        fzi_unlink(&h->board, number);
        h->known = number;
    }
    fzi_turn_entry_write(e, entry, block, mover);
    return entry;
}

/* Notes the position after the `number` that are noted. Often it is the one that was counted
 * last: then its bytes and a hash are there. `still`: nothing has changed since then. */
FZ_HISTORY void fzi_history_add(fzi_history *h, fzi_turn_entry e, const uint8_t *block,
                                uint32_t number, int mover, bool still)
{
    const uint8_t *entry = h->entries + (size_t)number * e.size;
    if (h->counted != number + 1 ||
        !(still ? entry[e.size - 8] == (uint8_t)mover : fzi_turn_entry_is(e, entry, block, mover)))
        fzi_history_write(h, e, block, number, mover);
    h->counted = 0;
}

/* How many of the noted are of turns before that one. */
FZ_HISTORY int64_t fzi_history_left_out(const fzi_head *head, int64_t from_turn)
{
    int64_t earlier = from_turn - 1 - ((int64_t)head->turns - head->history);
    return earlier > 0 ? earlier : 0;
}

/* The same as fzi_history_find, by comparing. */
FZ_HISTORY int64_t fzi_history_compare(const fzi_history *h, fzi_turn_entry e, const uint8_t *block,
                                       uint32_t noted, int to_move, bool board_only,
                                       int64_t left_out)
{
    int64_t count = 0;
    for (int64_t n = left_out; n < noted; n++) {
        const uint8_t *entry = h->entries + (size_t)n * e.size;
        if (fzi_load_word(entry) == fzi_load_word(block + e.own))
            count += board_only ? fzi_part_is(entry, block + e.own, e.board)
                                : fzi_turn_entry_is(e, entry, block, to_move);
    }
    return count;
}

/* How often the position is among those noted after the first `left_out`. It is written where the
 * next one would be noted, so that nothing is allocated. A few are compared one by one, without
 * chains. */
FZ_HISTORY int64_t fzi_history_find(fzi_history *h, fzi_turn_entry e, const uint8_t *block,
                                    uint32_t noted, int to_move, bool board_only, int64_t left_out)
{
    enum { FEW = 8 };
    fzi_index *index = board_only ? &h->board : &h->whole;
    uint32_t size = board_only ? e.board : e.size;
    if (noted <= left_out + FEW)
        return fzi_history_compare(h, e, block, noted, to_move, board_only, left_out);
    const uint8_t *now = fzi_history_write(h, e, block, noted, to_move);
    uint64_t hash = fzi_hash_of(now, size);
    while (index->linked < noted)
        fzi_link_next(h, e, index);
    index->hashes[noted] = hash;
    index->hashed = h->known = h->counted = noted + 1;
    int64_t count = 0;
    for (uint32_t n = index->heads[hash & index->mask]; n > left_out; n = index->before[n - 1])
        if (index->hashes[n - 1] == hash &&
            !memcmp(h->entries + (size_t)(n - 1) * e.size, now, size))
            count++;
    return count;
}

#endif
