/* Exact values of games: by positions of those that hide nothing, and equilibria of the others. */
#ifndef FZ_INTERP_SOLVE_SOLVE_H
#define FZ_INTERP_SOLVE_SOLVE_H

#include <math.h>

#include "interp/agents/strategy.h"
#include "interp/count/counting.h"

/* ---- position_store.c ---- */

/* Different rows of words, numbered in the order in which they came. Only bits that differ between
 * rows are stored, so a row of some hundred bytes takes about ten. */

/* Bits side by side in a word of the row that differ between rows. */
typedef struct fzi_bit_run {
    uint32_t word;
    uint8_t shift, length;
} fzi_bit_run;

enum { FZ_STORE_PAGE = 1 << 12 }; /* rows of one allocation */

typedef struct fzi_store {
    fzi_allocator allocator;
    size_t *memory, most;     /* bytes taken, and at most; the first is shared with others */
    uint64_t *first, *mask;   /* by word: the first row, and the bits that are stored */
    size_t first_room, mask_room;
    uint32_t words;           /* of the longest row; the others end with zeros */
    fzi_bit_run *runs;
    size_t run_count, run_room;
    uint32_t code_bytes;      /* of a stored row */
    uint8_t **pages;
    size_t page_count, page_room;
    uint32_t count;
    uint32_t *slots;          /* by hash: number + 1, and bits of the hash; 0: free */
    size_t slot_count;        /* a power of two */
    uint64_t *code, *row;     /* scratch */
    size_t code_room, row_room;
} fzi_store;

void fzi_store_init(fzi_store *store, fzi_allocator allocator, size_t *memory, size_t most);
void fzi_store_clear(fzi_store *store);
/* UINT32_MAX: the row is not there. */
uint32_t fzi_store_find(fzi_store *store, const uint64_t *row, uint32_t words);
/* The number of the row, which is stored if it is not there. Statuses as of fzi_array_grow. */
fz_status fzi_store_add(fzi_store *store, const uint64_t *row, uint32_t words, uint32_t *number);
/* Writes store->words words. */
void fzi_store_get(fzi_store *store, uint32_t number, uint64_t *row);

/* ---- draw_rules.c ---- */

/* What rules ask for: a bit each. The variable number i has the bit FZ_LEAVES_VARIABLE << i. */
#define FZ_LEAVES_EARLIER UINT64_C(1) /* positions */
#define FZ_LEAVES_TURNS UINT64_C(2)   /* the number of the turn */
#define FZ_LEAVES_VARIABLE UINT64_C(4)
enum { FZ_MOST_LEFT_OUT = 62 }; /* variables */

/* The rules of a game of wins and losses without some draws. What only these draws ask for is left
 * out of positions. */
typedef struct fzi_rules {
    fz_program *program;      /* NULL: there are no such draws */
    fz_machine *machine;
    uint64_t left_out;
    uint64_t drawing;         /* of it, what the draws ask for */
    bool proves;              /* a way on which no position comes twice meets no draw because of
                               * earlier positions */
} fzi_rules;

/* Clear them in any case. The machine's message says why they were not made. `forget`: rules about
 * earlier positions see none. */
fz_status fzi_rules_make(fzi_rules *rules, fz_machine *machine, bool forget);
void fzi_rules_clear(fzi_rules *rules);

/* ---- position_words.c ---- */

/* The side of a player: 0 or 1; other numbers in games of more sides. */
unsigned fzi_solve_side(const fz_program *program, int player);
/* The value of a state that is over for the first side: its payoff, or its utility. */
fz_status fzi_solve_end(fz_machine *machine, const fz_state *state, double *value);

/* What belongs to a position, as a row of words: the head, the board, the variables, and of each
 * frame its place and its live registers. What follows from the rest is left out, such as the set
 * of empty sites. */
typedef struct fzi_position_shape {
    const fz_program *program;
    fzi_allocator allocator;
    uint64_t left_out;        /* of fzi_rules; 0 */
    bool reads_turns, reads_last;
    bool from_bytes;          /* the bytes by site say which pieces there are, not the sets */
    uint32_t board_from, board_length; /* bytes of the block: the pieces and variables */
    void *live;               /* registers that code may read; by instruction */
    void *choosing;           /* the same while no filter is pending */
    /* By instruction: the beginning of a choice after which nothing asks for the latest move before
     * the next one is made. */
    uint8_t *forgets_last;
    uint64_t *row;            /* of the last call of fzi_position_row */
    size_t room;
} fzi_position_shape;

/* False: memory is short. Clear it in any case. */
bool fzi_position_shape_init(fzi_position_shape *form, const fz_program *program,
                            uint64_t left_out, fzi_allocator allocator);
void fzi_position_shape_clear(fzi_position_shape *form);
/* Sets all that belongs to no position to 0: the number of the turn, dead registers and the
 * like. */
void fzi_position_settle(const fzi_position_shape *form, fz_state *state);
/* The row of a settled state, in form->row; how many words. 0: memory is short. */
uint32_t fzi_position_row(fzi_position_shape *form, const fz_state *state);
/* The settled state of a row. False: memory is short. */
bool fzi_position_state(const fzi_position_shape *form, const uint64_t *row, fz_state *state);

/* ---- position_symmetry.c ---- */

enum { FZ_MAX_SYMMETRIES = 48 };

/* Symmetries of a board: permutations of its sites that keep neighbours. The first one leaves all
 * sites where they are. A board that has more than FZ_MAX_SYMMETRIES has none but that. */
typedef struct fzi_symmetries {
    fzi_allocator allocator;
    const fz_program *program;
    unsigned sites, words, count;
    bool turns_last;          /* the latest move belongs to positions */
    uint16_t *image;          /* [number * sites + site] */
    uint64_t *tables;         /* of each but the first: by byte of a set and its value, the image */
    uint8_t *scratch;
    uint64_t *row;            /* of the last call of fzi_symmetries_turn */
    uint64_t *best;
    size_t room, best_room;
} fzi_symmetries;

/* False: memory is short. Clear them in any case. */
bool fzi_symmetries_init(fzi_symmetries *symmetries, const fz_program *program,
                         fzi_allocator allocator);
void fzi_symmetries_clear(fzi_symmetries *symmetries);
/* Moves a symmetry to a lower number. */
void fzi_symmetries_keep(fzi_symmetries *symmetries, unsigned from, unsigned to);
/* Makes symmetries->row the image of a position's row. False: memory is short. */
bool fzi_symmetries_turn(fzi_symmetries *symmetries, unsigned number,
                         const fzi_position_shape *form, const uint64_t *row, uint32_t words);
/* The least of the row and its images, by the players' pieces first, until the next call; it stands
 * for all of them. NULL: memory is short. */
const uint64_t *fzi_symmetries_least(fzi_symmetries *symmetries, const fzi_position_shape *form,
                                     const uint64_t *row, uint32_t words);

/* ---- position_graph.c ---- */

/* All positions that a game can reach, and which follow which: for games that hide nothing. Two
 * states are one position if they have the same future: the same board, variables, player to
 * decide, place in the code and live registers. The number of the turn belongs to a position only
 * if the rules ask for it; otherwise `limit` is left out.
 *
 * What follows the positions is a stream of bytes for each 256 of them: small numbers, since many
 * positions are found one after the other. */

enum { FZ_NODE_FIRST, FZ_NODE_SECOND, FZ_NODE_CHANCE, FZ_NODE_END }; /* who decides there */
enum { FZ_GRAPH_BLOCK = 256 }; /* positions of a stream */

/* What follows the positions of a block. */
typedef struct fzi_graph_block {
    uint32_t first[FZ_GRAPH_BLOCK + 1]; /* of each position, in `next` */
    uint32_t weights[FZ_GRAPH_BLOCK];   /* of chance: first of its probabilities, in the graph's */
    uint32_t *next;           /* positions after each move or result, in their order */
    size_t room;
} fzi_graph_block;

typedef struct fzi_graph {
    fz_machine *machine;      /* asks for chance */
    fzi_allocator allocator;
    size_t memory, most;      /* bytes taken, and at most */
    fzi_store store;          /* of the positions: the first one is where it begins */
    fzi_position_shape form;
    /* By position: FZ_NODE_FIRST to CHANCE, or FZ_NODE_END and above: an end, with the number of
     * its value. */
    uint16_t *kinds;
    size_t kind_room;
    uint32_t count;
    double *ends;             /* different values of ends, for the first side */
    size_t end_count, end_room;
    uint8_t **streams;        /* by block */
    size_t stream_count, stream_room;
    uint8_t *bytes;           /* of the block that is being written */
    size_t byte_count, byte_room;
    double *weights;          /* probabilities of results: different rows, one after the other */
    uint32_t weight_count;
    size_t weight_room;
    fzi_graph_block block;    /* read last */
    bool has_chance, has_limit;
    double low, high;         /* of the values of ends */
    uint32_t expanded;
    /* Positions that these turn into each other are one; there may be none but the first. */
    fzi_symmetries symmetries;
    fzi_position_key *tested; /* what follows a position and its image */
    size_t tested_count, tested_room;
    uint64_t tests_left;      /* successors that random games may still test */
    fz_state *state, *after, *image;
    uint64_t *row;
    size_t row_room;
    fzi_successors ways;
} fzi_graph;

/* Finds all positions from the state on. Clear it in any case. FZ_USAGE: the game cannot be solved
 * in this way, FZ_RUNTIME: it is too large or a move fails, FZ_NO_MEMORY; the machine's message
 * says why. FZ_NOT_FOUND: it was stopped. */
typedef struct fzi_graph_task {
    fz_machine *machine;      /* asks for chance */
    const fz_state *from;
    size_t most;              /* bytes of memory */
    uint64_t left_out;        /* of fzi_rules, of which the machine is; 0 */
    bool forget;              /* rules about earlier positions see none; otherwise FZ_USAGE */
    bool symmetric;           /* positions that are images of each other are one */
    uint64_t tests;           /* of symmetries by random games, successors; 0: not bounded */
    const fz_watch *watch;
} fzi_graph_task;
fz_status fzi_graph_make(fzi_graph *graph, const fzi_graph_task *task);
/* The same without the positions: only graph->symmetries, as far as random games show. */
fz_status fzi_graph_symmetries(fzi_graph *graph, const fzi_graph_task *task);
void fzi_graph_clear(fzi_graph *graph);
/* The number of the state's position, which it settles; UINT32_MAX if there is none. */
uint32_t fzi_graph_find(fzi_graph *graph, fz_state *state);
static inline bool fzi_graph_is_end(const fzi_graph *graph, uint32_t position)
{
    return graph->kinds[position] >= FZ_NODE_END;
}
static inline double fzi_graph_end(const fzi_graph *graph, uint32_t position)
{
    return graph->ends[graph->kinds[position] - FZ_NODE_END];
}
/* Reads a block into graph->block. False: memory is short. */
bool fzi_graph_read(fzi_graph *graph, uint32_t block);

/* ---- rule_symmetry.c ---- */

/* Keeps those of graph->symmetries under which the same follows positions and their images, as far
 * as random games from the state show. */
fz_status fzi_symmetry_find(fzi_graph *graph, const fz_state *from);
/* The same for one position that was found, and one of its images. Not all are tested. */
fz_status fzi_symmetry_test(fzi_graph *graph, const fz_state *state, uint32_t number, bool *holds);

/* ---- position_values.c ---- */

/* The values of all positions of a game without hidden information. */
typedef enum fzi_solve_method {
    FZ_SOLVE_RETROGRADE,      /* wins and losses, backwards from the ends */
    FZ_SOLVE_ITERATION        /* bounds of expected values that come closer */
} fzi_solve_method;

typedef struct fzi_values {
    fzi_allocator allocator;
    fzi_solve_method method;
    /* With retrograde analysis, by position: a fzi_result, and in how many decisions the winner
     * wins at most. */
    uint8_t *results;
    uint16_t *steps;
    /* With iteration, for the first side: the value lies between them. The first counts play
     * without end as the worst for the first side, the second as the best. */
    double *low, *high;
    uint32_t sweeps;
} fzi_values;

/* Games of chance, with payoffs, or of more results than two are iterated until the values of the
 * first position are closer than `precision`, or for `sweeps` sweeps. FZ_RUNTIME: more memory than
 * the graph may have. Clear them in any case. */
fz_status fzi_values_make(fzi_values *values, fzi_graph *graph, double precision, uint32_t sweeps,
                          const fz_watch *watch);
void fzi_values_clear(fzi_values *values);
/* The bounds of the value of a position, and after a retrograde analysis the number of decisions,
 * else 0. */
void fzi_values_of(const fzi_values *values, uint32_t position, double *low, double *high,
                   uint32_t *steps);

/* ---- hidden_game.c ---- */

/* Games of two players that hide something and are played for opposite stakes: equilibria by
 * counterfactual regret minimization (M. Zinkevich and others, 2007) with regrets that are cut at 0
 * and linear averaging (CFR+, O. Tammelin, 2014). */

enum { FZ_HIDDEN_DEEPEST = 1000 }; /* events in a row, each some C frames */

/* A state of the tree of the game, with the way that led to it. */
typedef struct fzi_tree_node {
    uint32_t first, count;    /* in `next` */
    uint32_t set;             /* of a decision: the information set */
    uint8_t kind;             /* FZ_NODE_... */
    double value;             /* of an end, for the first player */
} fzi_tree_node;

typedef struct fzi_hidden {
    fz_machine *machine;
    fzi_allocator allocator;
    fzi_tree_node *nodes;
    size_t count, room;
    uint32_t *next;
    double *weights;          /* of chance, as `next` */
    size_t next_count, next_room, weight_room;
    fzi_strategy strategy;
    double *now;              /* what is played in this round, as the arrays of the strategy */
    size_t now_room;
    char **observations;      /* by set: the last one, and the moves below it, a line each */
    size_t observation_room;
    double low, high;         /* of the values of ends */
    uint64_t rounds;
} fzi_hidden;

/* Walks the whole tree; what it makes has `most` bytes. Clear it in any case. Statuses as of
 * fzi_graph_make. */
fz_status fzi_hidden_make(fzi_hidden *hidden, fz_machine *machine, const fz_state *from,
                          size_t most, const fz_watch *watch);
void fzi_hidden_clear(fzi_hidden *hidden);

/* Learns for so many rounds more. */
void fzi_hidden_learn(fzi_hidden *hidden, uint64_t rounds);
/* The gain of the first player if both play their average strategies. */
double fzi_hidden_value(const fzi_hidden *hidden);
/* The average probability of the way number `i` from a node of the tree. */
double fzi_hidden_probability(const fzi_hidden *hidden, const fzi_tree_node *node, uint32_t i);

/* ---- best_answer.c ---- */

/* By how much a best answer to the other's average play gains more than the game's value, as the
 * mean of both players: 0 in an equilibrium. Negative: memory is short. */
double fzi_hidden_exploitability(const fzi_hidden *hidden);

/* What agents are asked: which move they choose in each information set, at its first state. */
typedef struct fzi_hidden_task {
    fz_agent *const *agents;  /* by player */
    uint64_t samples;         /* for each set, two at least, of agents that cannot say how likely
                               * they choose a move */
    uint64_t seed;            /* of their streams */
    const fz_watch *watch;
} fzi_hidden_task;

/* What a best answer of each player gains, in the unit of the ends for that player. From samples,
 * `low` is below the true value on average, and `high` above it. */
typedef struct fzi_hidden_loss {
    double low[FZ_STRATEGY_PLAYERS], high[FZ_STRATEGY_PLAYERS];
    bool exact;               /* both are the true value */
} fzi_hidden_loss;

/* The strategy becomes what the agents play, as far as it is known. FZ_NOT_FOUND: cancelled. */
fz_status fzi_hidden_try(fzi_hidden *hidden, const fzi_hidden_task *task, fzi_hidden_loss *loss);

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
    fzi_rules rules;
    fzi_graph graph;
    fzi_values values;
    double low, high;         /* of the first position */
    uint32_t steps;
    fzi_solved_way *ways;
    size_t count;
    bool chance;              /* the ways are results of chance */
} fzi_solution;

/* A game that hides nothing. Clear the solution, which begins as 0, in any case. Statuses as of
 * fzi_graph_make. Draws are left out as fzi_rules_make finds them. */
fz_status fzi_solution_make(fzi_solution *solution, const fzi_graph_task *task, double precision);
void fzi_solution_clear(fzi_solution *solution);

/* ---- proven_wins.c ---- */

/* Where the solution has left draws out: wins of the first ways become wins or draws unless they
 * are shown to be wins by all rules. */
fz_status fzi_prove_wins(fzi_solution *solution, const fzi_graph_task *task);

/* ---- solution.c, hidden games ---- */

/* Learns until a best answer gains at most `precision`. What it gains; negative: memory is
 * short. */
double fzi_hidden_solve(fzi_hidden *hidden, double precision, const fz_watch *watch);

#endif
