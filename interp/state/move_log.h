/* What was played since the turn began, and the position it began with: a position inside a turn is
 * written as these two. States of playouts keep none (state->log is NULL); the loop asks for
 * nothing but that pointer. A log may also be told to keep everything from now on, for records of
 * games. */
#ifndef FZ_INTERP_STATE_MOVE_LOG_H
#define FZ_INTERP_STATE_MOVE_LOG_H

#include "interp/support/context.h"

typedef struct fzi_log_entry {
    bool is_chance;
    fz_move move;
    int64_t value;        /* of chance */
} fzi_log_entry;

typedef struct fzi_log {
    fzi_allocator allocator;
    uint8_t *start;       /* the block up to its stack, as it was when the turn (or set-up) began */
    size_t start_size;    /* 0: nothing has begun */
    fzi_log_entry *entries;
    size_t count, capacity;
    size_t turn;          /* the first entry of this turn */
    bool keep;            /* entries of earlier turns stay */
    bool whole;           /* they are all there are since before set-up */
    /* or since this position, given as text, behind the first `before`; NULL */
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

/* Set-up or a turn begins; `block` is the head and what follows, `size` up to the stack. */
void fzi_log_begin(fzi_log *log, const uint8_t *block, size_t size);
void fzi_log_move(fzi_log *log, const fz_move *move);
void fzi_log_chance(fzi_log *log, int64_t value);

/* Before a call that may fail; afterwards one of the others. All three take NULL. */
void fzi_log_mark(fzi_log *log);
void fzi_log_commit(fzi_log *log);
void fzi_log_rollback(fzi_log *log);

#endif
