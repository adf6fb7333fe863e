/* A game in progress: one flat block, copied with one memcpy. In memory, ascending:
 *
 *   pending filters, the newest first · head · own · kinds · set variables · int variables · at ·
 *   empty · stack
 *
 * What a program's instructions never read is not there (layout offset 0). The history that
 * `repetitions` needs lies beside the block; the head says how much of it is this state's. */
#ifndef FZ_INTERP_STATE_STATE_H
#define FZ_INTERP_STATE_STATE_H

#include <string.h>

#include "interp/support/context.h"
#include "interp/program/program.h"

enum fzi_phase {
    FZ_PHASE_NEW,   /* set-up has not begun */
    FZ_PHASE_SETUP,
    FZ_PHASE_READY, /* the next turn is about to begin */
    FZ_PHASE_TURN,
    FZ_PHASE_END,
    FZ_PHASE_LIMIT,
    FZ_PHASE_OVER
};

typedef struct fzi_pending {
    uint32_t frame, filter;
} fzi_pending;

typedef struct fzi_head {
    uint64_t key, counter;    /* of the stream of chance */
    int64_t chance;           /* the value given for the chance that is waited for */
    uint32_t turns, plies;
    uint32_t frame, top;      /* the current frame and the first free word of the stack */
    uint32_t pc;              /* the instruction to go on at */
    uint32_t depth;           /* frames on the stack */
    uint32_t idle;            /* turns in a row without a decision */
    uint32_t history;         /* turn beginnings noted */
    uint32_t begun;           /* plies when the turn began */
    uint16_t out;             /* players who play no more turns */
    int16_t last_from, last_to;
    int8_t mover, upcoming, decider, pending_decider;
    uint8_t phase;            /* fzi_phase */
    uint8_t waiting;          /* fz_waiting */
    uint8_t pendings;
    uint8_t chance_given;
    uint8_t decided;          /* a decision was taken in this turn */
    uint8_t stopped;          /* ended by `limit` */
    int8_t rank[FZ_MAX_PLAYERS]; /* 0: not decided */
} fzi_head;
_Static_assert(sizeof(fzi_head) % 8 == 0, "sets follow the head");

/* The hashes of turn beginnings, chained by their low bits; a number of an entry is one more than its index,
 * 0 ends a chain. */
typedef struct fzi_index {
    uint64_t *hashes;
    uint32_t *before;         /* of an entry: the one before it in its chain */
    uint32_t *heads;          /* by the low bits: the last of the chain */
    uint32_t mask;            /* which bits these are */
    uint32_t linked;          /* entries that are in chains */
    bool used;
} fzi_index;

/* Turn beginnings: for each the position's bytes. Only ever appended to, so that a scratch state can borrow
 * its parent's. */
typedef struct fzi_history {
    fzi_allocator allocator;
    fzi_index whole, board;
    uint8_t *entries;
    uint32_t entry_size, board_size; /* the pieces' bytes come first in an entry */
    uint32_t capacity;
    uint32_t counted;         /* one more than the entry in which the position that was counted last is; 0: none */
    const fzi_index *counter; /* in this index, */
    uint64_t hash;            /* under this hash */
} fzi_history;

struct fz_state {
    const fz_program *program;
    const fz_layout *layout;
    fzi_allocator allocator;
    uint8_t *memory, *block;  /* the head is at `block` */
    uint32_t capacity;        /* words of the stack there is room for */
    bool scratch;             /* of a machine: history borrowed, program not retained */
    fzi_history *history;     /* NULL when the program does not ask */
    struct fzi_log *log;      /* of this turn; NULL: none is kept (scratch states, playouts) */
};

enum {
    FZ_PENDING_BYTES = FZ_MAX_PENDING * (int)sizeof(fzi_pending),
    FZ_FRAME_HEADER = 2,      /* words: function | pc << 32; caller | result << 32 | ints << 40 */
    FZ_STACK_WORDS = 1 << 20  /* what a layout allows at most */
};

static inline fzi_head *fzi_head_of(const fz_state *state)
{
    return (fzi_head *)(void *)state->block;
}

static inline fzi_pending *fzi_pending_at(const fz_state *state, unsigned index)
{
    return (fzi_pending *)(void *)state->block - 1 - index;
}

static inline uint64_t *fzi_stack_of(const fz_state *state)
{
    return (uint64_t *)(void *)(state->block + state->layout->stack);
}

static inline uint64_t *fzi_block_sets(const uint8_t *block, uint32_t offset)
{
    return (uint64_t *)(uintptr_t)(block + offset);
}

static inline uint64_t *fzi_sets_at(const fz_state *state, uint32_t offset)
{
    return fzi_block_sets(state->block, offset);
}

static inline size_t fzi_state_used(const fz_state *state)
{
    return state->layout->stack + (size_t)fzi_head_of(state)->top * 8;
}

/* Words of a frame. */
static inline uint32_t fzi_frame_size(const fz_function *function, unsigned words)
{
    return FZ_FRAME_HEADER + function->ints + function->sets * words;
}

/* ---- the layout: the compiler calls these when the code is made ---- */

/* Fills program->layout, and the `offset` of each of `variables` (which are the program's), from
 * the counts and from what the code reads. */
void fzi_layout_make(fz_program *program, fz_variable *variables);
/* Bytes of program->initial. */
uint32_t fzi_layout_initial_length(const fz_program *program);
/* An initial block with all variables at their defaults, then single values written into it. A
 * `bool` array over sites kept as one set takes its elements by site. */
void fzi_initial_clear(const fz_program *program, uint8_t *initial);
void fzi_initial_set(const fz_program *program, uint8_t *initial, uint32_t variable,
                     uint32_t element, int64_t value);
void fzi_initial_set_sites(const fz_program *program, uint8_t *initial, uint32_t variable,
                           uint32_t element, const uint64_t *set);

/* ---- states ---- */

/* With room for the first frame of each phase. */
bool fzi_state_init(fz_state *state, const fz_program *program, const fz_layout *layout,
                    fzi_allocator allocator, bool scratch);
void fzi_state_clear(fz_state *state);
bool fzi_state_grow(fz_state *state, uint32_t words); /* room for a stack of that many words */
/* Everything but the history. */
static inline bool fzi_state_assign(fz_state *into, const fz_state *from)
{
    const fzi_head *head = fzi_head_of(from);
    if (into->capacity < head->top && !fzi_state_grow(into, head->top))
        return false;
    size_t pending = head->pendings * sizeof(fzi_pending);
    memcpy(into->block - pending, from->block - pending, pending + fzi_state_used(from));
    return true;
}
/* A scratch state that looks at `from`'s history. */
static inline bool fzi_state_borrow(fz_state *into, const fz_state *from)
{
    into->history = from->history;
    return fzi_state_assign(into, from);
}
/* The history too, copied. */
bool fzi_state_copy(fz_state *into, const fz_state *from);

/* Keeps no log from now on: for states whose positions nobody writes. */
void fzi_state_forget(fz_state *state);
/* Takes what stands there off, then puts the piece (kind -1: none; owner -1: nobody's). */
void fzi_piece_put(const fz_program *program, uint8_t *block, unsigned site, int kind, int owner);
/* Makes `empty`, where there is one, from the sets of owners. */
void fzi_empty_settle(const fz_program *program, const fz_layout *layout, uint8_t *block);
/* The block as it is before set-up, with the stream's key and place; the history is emptied. */
void fzi_state_reset(fz_state *state, uint64_t key, uint64_t counter);

/* ---- repetitions (history.c) ---- */

fzi_history *fzi_history_new(const fz_program *program, const fz_layout *layout, fzi_allocator allocator);
void fzi_history_free(fzi_history *history);
/* The first `count` entries; false when memory is short. */
bool fzi_history_copy(fzi_history *into, const fzi_history *from, uint32_t count);

/* What makes a position: its pieces and variables but for clocks, and the player to move. */
uint32_t fzi_position_size(const fz_state *state);
void fzi_position_bytes(const fz_state *state, uint8_t *out, int to_move);
uint64_t fzi_bytes_hash(const uint8_t *bytes, size_t length);

/* Notes the position at a turn's beginning. False when memory is short, or the history would take more
 * than `limit` bytes: it wants fzi_history_wanted. */
bool fzi_history_note(fz_state *state, size_t limit);
size_t fzi_history_wanted(const fz_state *state);
int64_t fzi_history_count(fz_state *state, bool board_only);

/* Whose turn it will be: `upcoming`, or the next in order who is not out. -1: nobody is left. */
int fzi_state_next_mover(const fz_state *state);

#endif
