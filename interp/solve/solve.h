/* Exact values of games: by positions of those that hide nothing, and equilibria of the others. */
#ifndef FZ_INTERP_SOLVE_SOLVE_H
#define FZ_INTERP_SOLVE_SOLVE_H

#include <math.h>

#include "interp/count/counting.h"

/* ---- position_graph.c ---- */

/* All positions that a game can reach, and which follow which: for games that hide nothing. Two
 * states are one position if they have the same future: the same board, variables, player to
 * decide, place in the code and live registers. Positions are compared by 128 bits of hash. The
 * number of the turn belongs to a position only if the rules ask for it; otherwise `limit` is left
 * out. */

enum { FZ_NODE_FIRST, FZ_NODE_SECOND, FZ_NODE_CHANCE, FZ_NODE_END }; /* who decides there */

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

/* ---- hidden_game.c ---- */

/* Games of two players that hide something and are played for opposite stakes: equilibria by
 * counterfactual regret minimization (M. Zinkevich and others, 2007) with regrets that are cut at 0
 * and linear averaging (CFR+, O. Tammelin, 2014).
 *
 * An information set is what a player has seen since the beginning: the sequence of its different
 * observations (fz_state_observation). So players forget nothing, which the method needs. */

/* A state of the tree of the game, with the way that led to it. */
typedef struct fzi_tree_node {
    uint32_t first, count;    /* in `next` */
    uint32_t set;             /* of a decision: the information set */
    uint8_t kind;             /* FZ_NODE_... */
    double value;             /* of an end, for the first player */
} fzi_tree_node;

typedef struct fzi_information_set {
    uint32_t first, count;    /* in the arrays of moves */
    uint8_t side;
    uint32_t depth;           /* decisions of the player before */
    char *observation;        /* the last one, and the moves below it, a line each */
} fzi_information_set;

typedef struct fzi_hidden {
    fz_machine *machine;
    fzi_allocator allocator;
    size_t memory, most;
    fzi_tree_node *nodes;
    size_t count, room;
    uint32_t *next;
    double *weights;          /* of chance, as `next` */
    size_t next_count, next_room, weight_room;
    fzi_information_set *sets;
    size_t set_count, set_room;
    fzi_keys keys;            /* of the sets: what the player has seen */
    double *regrets, *played, *now; /* by move of an information set */
    size_t move_count, regret_room, played_room, now_room;
    double low, high;         /* of the values of ends */
    uint64_t rounds;
} fzi_hidden;

/* Walks the whole tree. Clear it in any case. Statuses as of fzi_graph_make. */
fz_status fzi_hidden_make(fzi_hidden *hidden, fz_machine *machine, const fz_state *from,
                          size_t most, const fz_watch *watch);
void fzi_hidden_clear(fzi_hidden *hidden);

/* Learns for so many rounds more. */
void fzi_hidden_learn(fzi_hidden *hidden, uint64_t rounds);
/* The gain of the first player if both play their average strategies. */
double fzi_hidden_value(const fzi_hidden *hidden);
/* By how much a best answer to the other's average play gains more than the game's value, as the
 * mean of both players: 0 in an equilibrium. Negative: memory is short. */
double fzi_hidden_exploitability(const fzi_hidden *hidden);
/* The average probability of a move of an information set. */
double fzi_hidden_probability(const fzi_hidden *hidden, size_t set, uint32_t move);

/* ---- solution.c ---- */

/* A solved game with the values of what may follow first. */

/* A move or a result of chance at the beginning, and what it leads to. */
typedef struct fzi_solved_way {
    char *text;
    double probability, low, high;
    uint32_t steps;
    bool best;
    char *answer;             /* after a result of chance, the best move; NULL */
} fzi_solved_way;

typedef struct fzi_solution {
    fzi_graph graph;
    fzi_values values;
    fzi_solved_way *ways;
    size_t count;
    bool chance;              /* the ways are results of chance */
} fzi_solution;

/* A game that hides nothing. Clear the solution, which begins as 0, in any case. Statuses as of
 * fzi_graph_make. */
fz_status fzi_solution_make(fzi_solution *solution, const fzi_graph_task *task, double precision);
void fzi_solution_clear(fzi_solution *solution);

/* Learns until a best answer gains at most `precision`. What it gains; negative: memory is
 * short. */
double fzi_hidden_solve(fzi_hidden *hidden, double precision, const fz_watch *watch);

#endif
