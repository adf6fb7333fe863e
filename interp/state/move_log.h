/* The log of a state: the block with which the turn began, and the moves and chance results since.
 * Positions inside a turn are written as these two. States of playouts have no log (state->log is
 * NULL). For records of games a log keeps the entries of all turns. */
#ifndef FZ_INTERP_STATE_MOVE_LOG_H
#define FZ_INTERP_STATE_MOVE_LOG_H

#include "interp/support/context.h"

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
