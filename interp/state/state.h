/* A game in progress: one flat block, copied with one memcpy. In memory, ascending:
 *
 *   pending filters, the newest first · head · own · kinds · set variables · int variables · at ·
 *   empty · stack
 *
 * Parts that no instruction of the program reads are missing (offset 0 in the layout). The history
 * for `repetitions` lies beside the block; the head says how many entries belong to this state. */
#ifndef FZ_INTERP_STATE_STATE_H
#define FZ_INTERP_STATE_STATE_H

#include <string.h>

#include "interp/program/layout.h"

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

struct fz_state {
    const fz_program *program;
    const fz_layout *layout;
    fzi_allocator allocator;
    uint8_t *memory, *block;  /* the head is at `block` */
    uint32_t capacity;        /* words of the stack there is room for */
    bool scratch;             /* of a machine: history borrowed, program not retained */
    struct fzi_history *history; /* NULL when the program does not use `repetitions` */
    struct fzi_log *log;      /* NULL in scratch states and playouts */
};

enum {
    FZ_PENDING_BYTES = FZ_MAX_PENDING * (int)sizeof(fzi_pending)
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

static inline uint64_t *fzi_sets_at(const fz_state *state, uint32_t offset)
{
    return fzi_block_sets(state->block, offset);
}

static inline size_t fzi_state_used(const fz_state *state)
{
    return state->layout->stack + (size_t)fzi_head_of(state)->top * 8;
}

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
/* Makes a scratch state a copy that borrows the history of `from`. */
static inline bool fzi_state_borrow(fz_state *into, const fz_state *from)
{
    into->history = from->history;
    return fzi_state_assign(into, from);
}
/* Copies the history too. */
bool fzi_state_copy(fz_state *into, const fz_state *from);

/* Stops logging: for states whose positions nobody writes. */
void fzi_state_forget(fz_state *state);
/* Resets the block to before set-up, with the key and position of the chance stream. Empties the
 * history. */
void fzi_state_reset(fz_state *state, uint64_t key, uint64_t counter);

/* The state as it is when turn number `turns` of `mover` is about to begin: nothing runs yet,
 * variables and board are untouched. The game goes
 * on with fzi_state_go. */
void fzi_state_prepare(fz_state *state, int mover, uint32_t turns);

/* A state that nothing has run on yet; freed with fz_state_free. */
fz_state *fzi_state_make(const fz_program *program);

/* A player's utility in parts of fzi_utility_denominator. */
int fzi_state_utility(const fz_state *state, int player);
/* The same from the ranks of all players, and `nature` of the head. */
int fzi_rank_utility(const fz_program *program, const int8_t *rank, int nature, int player);
int fzi_utility_denominator(const fz_program *program);
/* fz_state_utility of a game that is over, from its ranks. */
double fzi_utility_of(const fz_program *program, const int8_t *rank, int nature, int player);
/* The first player of the side that alone came first; -1 if there is none. */
int fzi_state_winner(const fz_state *state);
int fzi_rank_winner(const fz_program *program, const int8_t *rank, int nature);

/* Whose turn it will be: `next_mover`, or the next in order who is not out. -1: nobody is left. */
int fzi_state_next_mover(const fz_state *state);

#endif
