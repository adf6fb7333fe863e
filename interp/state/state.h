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
#include "interp/support/context.h"

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

static inline uint64_t *fzi_frames_of(const fz_state *state)
{
    return (uint64_t *)(void *)(state->block + state->layout->frames);
}

static inline uint64_t *fzi_sets_at(const fz_state *state, uint32_t offset)
{
    return fzi_block_sets(state->block, offset);
}

static inline size_t fzi_state_used(const fz_state *state)
{
    return state->layout->frames + (size_t)fzi_head_of(state)->top * 8;
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

/* A side is a team, or a player of no team. */
static inline bool fzi_same_side(const fz_program *program, unsigned a, unsigned b)
{
    return a == b || (program->has_teams && program->players[a].team == program->players[b].team);
}
/* The number of the side of each player, in order of their first players; how many there are. */
unsigned fzi_sides(const fz_program *program, unsigned *side_of);

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

/* The player of the next turn: `next_mover`, or the next in order who is not out. -1: nobody is
 * left. */
int fzi_state_next_mover(const fz_state *state);

/* ---- contents.c ---- */

/* An element of a variable that is no set; 0 when out of range. */
int64_t fzi_state_get(const fz_state *state, uint32_t variable, uint32_t element);
void fzi_state_set_out(fz_state *state, int player);

/* ---- history ---- */

/* The positions in which turns began, for `repetitions`: their bytes, and chains of equal
 * hashes. */

/* The hashes of turn beginnings, chained by their low bits; a number of an entry is one more than
 * its index, 0 ends a chain. */
typedef struct fzi_index {
    uint64_t *hashes;
    uint32_t *before;         /* of an entry: the one before it in its chain */
    uint32_t *heads;          /* by the low bits: the last of the chain */
    uint32_t mask;            /* which bits these are */
    uint32_t linked, hashed;  /* entries that are in chains; whose hashes are known */
    bool used;
} fzi_index;

/* The bytes of an entry: the sets that count (those of clocks lie behind them), the numbers, and
 * eight for the player to move, each from a whole word on: what was stored is loaded alike. */
typedef struct fzi_turn_entry {
    uint32_t own, sets, ints, numbers, size, board;
} fzi_turn_entry;

/* Turn beginnings: for each the position's bytes. Only ever appended to, so that a scratch state
 * can borrow its parent's. */
typedef struct fzi_history {
    fzi_allocator allocator;
    fzi_index whole, board;
    uint8_t *entries;
    fzi_turn_entry entry; /* the pieces' bytes come first */
    uint32_t capacity;
    /* one more than the entry in which the position that was counted last is; 0: none */
    uint32_t counted;
    uint32_t known;       /* behind so many entries, nothing is known of any */
} fzi_history;

/* The bytes of a position: its pieces, its variables except clocks, and the player to move. */
uint32_t fzi_position_size(const fz_state *state);
void fzi_position_bytes(const fz_state *state, uint8_t *out, int to_move);
uint64_t fzi_bytes_hash(const uint8_t *bytes, size_t length);

/* Notes the position at a turn's beginning. False when memory is short, or the history would take
 * more than `limit` bytes: it wants fzi_history_wanted. */
bool fzi_history_note(fz_state *state, size_t limit);
size_t fzi_history_wanted(const fz_state *state);
/* The position as it is now, with who is to play next, among the beginnings of the turns from
 * `from_turn` on; the last one noted is that of the current turn. */
int64_t fzi_history_count(fz_state *state, bool board_only, int64_t from_turn);

/* ---- move_log.c ---- */

/* The log of a state: the block with which the turn began, and the moves and chance results since.
 * Positions inside a turn are written as these two. States of playouts have no log (state->log is
 * NULL). For records of games a log keeps the entries of all turns. */
typedef struct fzi_log_entry {
    bool is_chance;
    int8_t decider;       /* who made the move */
    fz_move move;
    int64_t value;        /* of chance */
    uint16_t blind;       /* of chance: the players who do not see it */
} fzi_log_entry;

typedef struct fzi_log {
    fzi_allocator allocator;
    uint8_t *start;       /* the block up to its stack, as it was when the turn (or set-up) began */
    size_t start_size;    /* 0: nothing has begun */
    fzi_log_entry *entries;
    size_t count, capacity;
    size_t turn;          /* the first entry of this turn */
    bool keep;            /* entries of earlier turns stay */
    bool whole;           /* entries begin before set-up */
    /* or at this position, after the first `before` entries; NULL */
    char *origin;
    size_t before;
    bool lost;            /* memory was short: the log is incomplete */
    /* While a call is under way that may fail and change nothing: */
    bool marked, begun;   /* a turn has begun since the mark; then `spare` is the start before it */
    bool was_lost;
    uint8_t *spare;
    size_t spare_size, mark_count, mark_turn;
} fzi_log;

fzi_log *fzi_log_new(fzi_allocator allocator); /* NULL: memory is short */
void fzi_log_free(fzi_log *log);
bool fzi_log_copy(fzi_log *into, const fzi_log *from);

/* Forgets all entries: a game begins. Takes NULL. */
void fzi_log_forget(fzi_log *log);
/* Set-up or a turn begins; `block` is the head and what follows, `size` up to the stack. */
void fzi_log_begin(fzi_log *log, const uint8_t *block, size_t size);
void fzi_log_move(fzi_log *log, const fz_move *move, int decider);
void fzi_log_chance(fzi_log *log, int64_t value, uint16_t blind);

/* Call mark before a call that may fail, and commit or rollback after it. All three take NULL. */
void fzi_log_mark(fzi_log *log);
void fzi_log_commit(fzi_log *log);
void fzi_log_rollback(fzi_log *log);

#endif
