/* The positions in which turns began, for `repetitions`: their bytes, and chains of equal
 * hashes. */
#ifndef FZ_INTERP_STATE_HISTORY_H
#define FZ_INTERP_STATE_HISTORY_H

#include "state.h"

/* The hashes of turn beginnings, chained by their low bits; a number of an entry is one more than
 * its index, 0 ends a chain. */
typedef struct fzi_index {
    uint64_t *hashes;
    uint32_t *before;         /* of an entry: the one before it in its chain */
    uint32_t *heads;          /* by the low bits: the last of the chain */
    uint32_t mask;            /* which bits these are */
    uint32_t linked;          /* entries that are in chains */
    bool used;
} fzi_index;

/* Turn beginnings: for each the position's bytes. Only ever appended to, so that a scratch state
 * can borrow its parent's. */
typedef struct fzi_history {
    fzi_allocator allocator;
    fzi_index whole, board;
    uint8_t *entries;
    uint32_t entry_size, board_size; /* the pieces' bytes come first in an entry */
    uint32_t capacity;
    /* one more than the entry in which the position that was counted last is; 0: none */
    uint32_t counted;
    const fzi_index *counter; /* in this index, */
    uint64_t hash;            /* under this hash */
} fzi_history;

fzi_history *fzi_history_new(const fz_program *program, const fz_layout *layout,
                             fzi_allocator allocator);
void fzi_history_free(fzi_history *history);
/* The first `count` entries; false when memory is short. */
bool fzi_history_copy(fzi_history *into, const fzi_history *from, uint32_t count);

/* What makes a position: its pieces and variables but for clocks, and the player to move. */
uint32_t fzi_position_size(const fz_state *state);
void fzi_position_bytes(const fz_state *state, uint8_t *out, int to_move);
uint64_t fzi_bytes_hash(const uint8_t *bytes, size_t length);

/* Notes the position at a turn's beginning. False when memory is short, or the history would take
 * more than `limit` bytes: it wants fzi_history_wanted. */
bool fzi_history_note(fz_state *state, size_t limit);
size_t fzi_history_wanted(const fz_state *state);
int64_t fzi_history_count(fz_state *state, bool board_only);

#endif
