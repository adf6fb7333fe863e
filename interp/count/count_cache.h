/* What has been counted: how many sequences of so many turns begin at a position. Of a fixed
 * size; where there is no room, what took the least work is forgotten. Shared by the threads of
 * a count. */
#ifndef FZ_INTERP_COUNT_COUNT_CACHE_H
#define FZ_INTERP_COUNT_COUNT_CACHE_H

#include "interp/state/state.h"

typedef struct fzi_counted fzi_counted;

/* NULL: memory is short. `bytes` is rounded down to a power of two. */
fzi_counted *fzi_counted_new(fzi_allocator allocator, size_t bytes);
void fzi_counted_free(fzi_counted *counted);

/* Of a state between two turns: all that decides what can follow, but for earlier positions and the
 * number of the turn, mixed with `turns`, how many follow. Two words: equal ones are taken for the
 * same. */
typedef struct fzi_position_key {
    uint64_t place, check;
} fzi_position_key;
fzi_position_key fzi_position_key_of(const fz_state *state, uint64_t turns);

bool fzi_counted_find(const fzi_counted *counted, fzi_position_key key, uint64_t *number);
void fzi_counted_note(fzi_counted *counted, fzi_position_key key, uint64_t number);

#endif
