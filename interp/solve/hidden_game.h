/* Games of two players that hide something and are played for opposite stakes: equilibria by
 * counterfactual regret minimization (M. Zinkevich and others, 2007) with regrets that are cut at 0
 * and linear averaging (CFR+, O. Tammelin, 2014).
 *
 * An information set is what a player has seen since the beginning: the sequence of its different
 * observations (fz_state_observation). So players forget nothing, which the method needs. */
#ifndef FZ_INTERP_SOLVE_HIDDEN_GAME_H
#define FZ_INTERP_SOLVE_HIDDEN_GAME_H

#include "position_graph.h"

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

#endif
