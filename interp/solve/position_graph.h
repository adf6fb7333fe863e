/* All positions that a game can reach, and which follow which: for games that hide nothing. Two
 * states are one position if they have the same future: the same board, variables, player to
 * decide, place in the code and live registers. Positions are compared by 128 bits of hash. The
 * number of the turn belongs to a position only if the rules ask for it; otherwise `limit` is left
 * out. */
#ifndef FZ_INTERP_SOLVE_POSITION_GRAPH_H
#define FZ_INTERP_SOLVE_POSITION_GRAPH_H

#include "interp/count/counting.h"

enum { FZ_NODE_FIRST, FZ_NODE_SECOND, FZ_NODE_CHANCE, FZ_NODE_END }; /* who decides there */

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

typedef struct fzi_graph_position {
    uint32_t first, count;    /* in `next` */
    uint8_t kind;
    double value;             /* of an end, for the first side */
} fzi_graph_position;

typedef struct fzi_graph {
    fz_machine *machine;      /* asks for chance */
    fzi_allocator allocator;
    size_t memory, most;      /* bytes taken, and at most */
    fzi_graph_position *positions;  /* the first one is where it begins */
    fzi_keys keys;            /* of the positions */
    uint32_t count;
    size_t room;
    uint32_t *next;           /* positions after each move or result, in their order */
    double *weights;          /* probabilities of results; NULL if there is no chance */
    uint32_t next_count;
    size_t next_room, weight_room;
    bool reads_turns, has_chance, has_limit;
    double low, high;         /* of the values of ends */
    void *live;               /* registers that code may read; by instruction */
    void *choosing;           /* the same where a move is waited for: it brings its own values */
    /* By instruction: the beginning of a choice after which nothing asks for the latest move before
     * the next one is made. */
    uint8_t *forgets_last;
    /* states that are still to be expanded, first in first out; ends are not */
    uint8_t *queue;
    size_t queue_begin, queue_end, queue_room;
    uint32_t expanded;
    fz_state *state, *after;
    fzi_successors ways;
} fzi_graph;

/* Finds all positions from the state on. Clear it in any case. FZ_USAGE: the game cannot be solved
 * in this way, FZ_RUNTIME: it is too large or a move fails, FZ_NO_MEMORY; the machine's message
 * says why. FZ_NOT_FOUND: it was stopped. */
typedef struct fzi_graph_task {
    fz_machine *machine;      /* asks for chance */
    const fz_state *from;
    size_t most;              /* bytes of memory */
    bool forget;              /* rules about earlier positions see none; otherwise FZ_USAGE */
    const fz_watch *watch;
} fzi_graph_task;
fz_status fzi_graph_make(fzi_graph *graph, const fzi_graph_task *task);
void fzi_graph_clear(fzi_graph *graph);
/* Leaves out of a state what belongs to no position: the number of its turn and the like. */
void fzi_graph_settle(const fzi_graph *graph, fz_state *state);
/* The number of a settled state's position; UINT32_MAX if there is none. */
uint32_t fzi_graph_find(const fzi_graph *graph, const fz_state *state);

/* The side of a player: 0 or 1; other numbers in games of more sides. */
unsigned fzi_solve_side(const fz_program *program, int player);
/* The value of a state that is over for the first side: its payoff, or its utility. */
fz_status fzi_solve_end(fz_machine *machine, const fz_state *state, double *value);

/* ---- position_values.c ---- */

/* The values of all positions of a game without hidden information. */
typedef enum fzi_solve_method {
    FZ_SOLVE_RETROGRADE,      /* wins and losses, backwards from the ends */
    FZ_SOLVE_ITERATION        /* bounds of expected values that come closer */
} fzi_solve_method;

typedef struct fzi_values {
    fzi_allocator allocator;
    fzi_solve_method method;
    /* For the first side, by position. With retrograde analysis both are the value, and `steps`
     * says in how many decisions the winner wins at most. With iteration, the value lies between
     * them: the first counts play without end as the worst for the first side, the second as the
     * best. */
    double *low, *high;
    uint32_t *steps;
    uint32_t sweeps;
} fzi_values;

/* Games of chance, with payoffs, or of more results than two are iterated until the values of the
 * first position are closer than `precision`, or for `sweeps` sweeps. False: memory is short. Clear
 * them in any case. */
bool fzi_values_make(fzi_values *values, const fzi_graph *graph, double precision, uint32_t sweeps,
                     const fz_watch *watch);
void fzi_values_clear(fzi_values *values);

#endif
