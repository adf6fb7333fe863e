/* Strategies for games of two players that hide something: how likely a player chooses each move,
 * by what it has seen. `ferz learn` (lab/) and `ferz solve` (solve/) find them by regrets; the
 * agent `cfr` plays one.
 *
 * An information set is what a player has seen since the beginning: the sequence of its different
 * observations (fz_state_observation), and its own choices. So players forget nothing, which the
 * methods need. */
#ifndef FZ_INTERP_AGENTS_STRATEGY_H
#define FZ_INTERP_AGENTS_STRATEGY_H

#include "interp/count/counting.h"

enum { FZ_STRATEGY_PLAYERS = 2 };
#define FZ_MOST_REGRET 1e300 /* so the sums of a set are finite */

/* What both players have seen so far; FZI_RECALL_START at the beginning. */
typedef struct fzi_recall {
    fzi_position_key keys[FZ_STRATEGY_PLAYERS];
    uint64_t latest[FZ_STRATEGY_PLAYERS];
} fzi_recall;
#define FZI_RECALL_START {.keys = {{1, 3}, {2, 4}}}

/* Both look at the state, as they must at each state on the way. Who sees nothing new has seen
 * nothing. */
fz_status fzi_recall_look(fz_machine *machine, const fz_state *state, fzi_recall *recall);
/* A player knows its own choice, the move with this number, whatever can be seen of it. */
static inline void fzi_recall_choice(fzi_recall *recall, int player, size_t number)
{
    fzi_key_mix(&recall->keys[player], number + 1);
}

/* An information set, with a row in the arrays of moves. */
typedef struct fzi_information_set {
    uint32_t first, count;
    uint32_t depth;           /* decisions of the player before */
    uint8_t side;
} fzi_information_set;

typedef struct fzi_strategy {
    fzi_allocator allocator;
    size_t memory, most;      /* bytes */
    fzi_keys keys;            /* of the sets */
    fzi_information_set *sets;
    size_t count, set_room;
    /* By move of a set: by how much it is regretted not to have played it, and how much it was
     * played in all. */
    double *regrets, *played;
    size_t move_count, regret_room, played_room;
} fzi_strategy;

void fzi_strategy_clear(fzi_strategy *strategy);
/* One without sets, for `most` bytes. NULL: memory is short. */
fzi_strategy *fzi_strategy_new(fzi_allocator allocator, size_t most);
void fzi_strategy_free(fzi_strategy *strategy);
/* UINT32_MAX: the set is not there. */
uint32_t fzi_strategy_find(const fzi_strategy *strategy, fzi_position_key key);
/* Adds a set that is not there. Statuses as of fzi_array_grow. */
fz_status fzi_strategy_add(fzi_strategy *strategy, fzi_position_key key, unsigned side,
                           uint32_t depth, size_t moves, uint32_t *set);

/* What is played next while it learns: each move in proportion to its regret, if that is above 0,
 * evenly if none is. */
void fzi_strategy_match(const fzi_strategy *strategy, uint32_t set, double *probabilities);
/* The average probability of a move of the set. */
double fzi_strategy_probability(const fzi_strategy *strategy, size_t set, uint32_t move);
/* The number of a move with its probability, for a number drawn from [0, 1). */
uint32_t fzi_strategy_draw(const double *probabilities, uint32_t count, double drawn);

#endif
