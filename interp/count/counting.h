/* Counting sequences of turns or decisions: what perft.c (the recursion), count_distinct.c (equal
 * positions counted once) and parallel_count.c (threads, the public side) share. */
#ifndef FZ_INTERP_COUNT_COUNTING_H
#define FZ_INTERP_COUNT_COUNTING_H

#include "interp/ferz_tools.h"
#include "interp/program/data_flow.h"
#include "interp/state/state.h"
#include "interp/support/cancel.h"
#include "interp/vm/fault.h"
#include "interp/vm/game.h"

/* ---- count_cache.c ---- */

/* A cache of counts: how many sequences of so many turns begin at a position. It has a fixed size;
 * when it is full, the entry that took the least work is replaced. The threads of a count share
 * it. */
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
/* Mixes a word into a key. */
void fzi_key_mix(fzi_position_key *key, uint64_t word);

/* Mixes the frames of a waiting state: the live registers by place in the code, those of the
 * newest frame from `top`, of the others from `live`; and the pending filters. Dead
 * registers differ between engines. */
void fzi_key_mix_frames(fzi_position_key *key, const fz_state *state, const fzi_live *live,
                        const fzi_live *top);

bool fzi_counted_find(const fzi_counted *counted, fzi_position_key key, uint64_t *number);
void fzi_counted_note(fzi_counted *counted, fzi_position_key key, uint64_t number);

/* Numbers for keys, in the order in which they came. */
typedef struct fzi_keys {
    fzi_position_key *items;
    size_t count, room;
    uint32_t *slots;          /* number + 1 by hash; 0: free */
    size_t slot_count, slot_room; /* a power of two */
} fzi_keys;

/* UINT32_MAX: the key is not there. */
uint32_t fzi_keys_find(const fzi_keys *keys, fzi_position_key key);
/* Adds a key that is not there. Memory and statuses as of fzi_array_grow. */
fz_status fzi_keys_add(fzi_keys *keys, fzi_position_key key, fzi_allocator allocator,
                       size_t *memory, size_t most);
/* Forgets all keys, but keeps the room for them. */
void fzi_keys_forget(fzi_keys *keys);
void fzi_keys_clear(fzi_keys *keys, fzi_allocator allocator);

/* ---- chance_outcomes.c ---- */

/* The successors of a waiting state: its legal moves, or the results of chance. All zero before the
 * first state. */
typedef struct fzi_successors {
    fz_machine *machine;
    fz_moves *moves;
    fz_outcome *outcomes; /* NULL: it is a choice */
    size_t count;
    uint64_t total;       /* the weights of the outcomes */
} fzi_successors;

/* Lists the successors of the state; they replace those of an earlier one. Clear them in any case.
 * */
fz_status fzi_successors_find(fzi_successors *s, fz_machine *machine, const fz_state *state);
/* The state, or a copy, goes on with number `i`, up to a turn above `turn_stop`. */
fz_status fzi_successors_play(const fzi_successors *s, size_t i, fz_state *state,
                              uint32_t turn_stop);
/* The text of number `i`, as fz_move_text and fz_chance_text give it. */
const char *fzi_successors_text(const fzi_successors *s, size_t i, const fz_state *state);
/* The probability of a result of chance. */
fz_ratio fzi_successors_probability(const fzi_successors *s, size_t i);
void fzi_successors_clear(fzi_successors *s);

/* ---- perft.c, count_distinct.c ---- */

/* The data that all threads of a count share. */
typedef struct fzi_count_shared {
    const fz_watch *watch;
    uint64_t seen;        /* leaves, about; atomic */
    int asking;           /* a thread is asking the watch; atomic */
    int stop;             /* atomic */
} fzi_count_shared;

typedef struct fzi_counting {
    fz_machine *machine;
    fzi_count_shared *shared;
    bool decisions;
    bool weighed;         /* chance results count by their probability */
    uint32_t turn_stop;   /* turns: no turn with a higher number begins */
    uint32_t rolled;      /* the turn in which chance was resolved, further up */
    uint64_t nodes;       /* leaves; if weighed, those that are not in `expected` yet */
    fz_ratio expected;
    /* Called with each leaf instead of counting it; false: memory is short. */
    bool (*leaf)(void *user, const fz_state *state);
    void *user;
    fzi_counted *counted; /* what is known of positions between two turns; NULL: nothing is kept */
    uint64_t visits, fresh; /* leaves that `shared` does not know of yet */
    fz_moves **lists;     /* by depth */
    unsigned depth;
    size_t capacity;
} fzi_counting;

/* Adds what lies below the state, which is changed: `left` decisions, or the turns up to
 * turn_stop. */
fz_status fzi_count(fzi_counting *c, fz_state *state, uint64_t left);
/* The number counted. */
fz_ratio fzi_count_number(const fzi_counting *c);
/* Frees the lists. */
void fzi_count_clear(fzi_counting *c);

/* The same with turns that lead to the same position counted once, or (`positions`) all sequences
 * that do. `turns` whole turns; the state is changed. */
fz_status fzi_count_merged(fzi_counting *c, fz_state *state, unsigned turns, bool positions);

#endif
