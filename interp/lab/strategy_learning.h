/* Learning a strategy by self-play, for games of two players that hide something:
 * strategy_learning.c plays and sums regrets, strategy_file.c keeps them. */
#ifndef FZ_INTERP_LAB_STRATEGY_LEARNING_H
#define FZ_INTERP_LAB_STRATEGY_LEARNING_H

#include "lab.h"

#include "interp/agents/strategy.h"

/* What a walk through the game tries. Chance is drawn in each. */
typedef enum fzi_sampling {
    FZ_SAMPLING_OUTCOME,      /* one move of each decision */
    FZ_SAMPLING_EXTERNAL,     /* all moves of the player who learns, one of the other's */
    FZ_SAMPLING_CHANCE,       /* all moves */
} fzi_sampling;

/* The names of the samplings, in their order, NULL at the end. */
extern const char *const fzi_sampling_names[];

typedef struct fzi_regret_learning {
    const fzi_setup *setup;
    fz_machine *machine;      /* asks for chance */
    fzi_strategy *strategy;
    fzi_sampling sampling;
    uint64_t seed, games;     /* that it has learned from: streams 0 .. games - 1 of the seed */
    uint64_t full;            /* decisions of which nothing was learned, as memory was full */
    size_t set_count;         /* sets that these games have met */
    /* The sets that the game has changed, and of each its row, the regrets first: what is added to
     * it until a walk ends, then what it was, so that a game without an end changes nothing. */
    uint32_t *changed;
    double *changes;
    size_t changed_count, changed_room, change_count, change_room;
    fz_state **states;        /* by depth */
    size_t state_room;
} fzi_regret_learning;

/* Begins with the seed of the setup, or goes on from the file `resumed`, with its seed and
 * sampling; `most` bytes for the strategy. FZ_REFUSED: this game cannot be learned. The context's
 * message says why. Clear it in any case. */
fz_status fzi_regrets_begin(fzi_regret_learning *learning, const fzi_setup *setup,
                            const char *resumed, fzi_sampling sampling, size_t most);
void fzi_regrets_clear(fzi_regret_learning *learning);

/* Each player walks through the game once, and learns. Statuses as of fzi_learning_play. */
fz_status fzi_regrets_play(fzi_regret_learning *learning);

/* ---- strategy_file.c ---- */

/* The strategy as a text, to be freed with fz_text_free. docs/agents.md describes the format. */
fz_status fzi_strategy_text(const fzi_regret_learning *learning, char **text);
/* Reads a strategy of the program, of at most `most` bytes in memory. `learning`: also reads how to
 * go on; NULL. Statuses as of fzi_evaluation_read. */
fz_status fzi_strategy_read(fz_context *context, const fz_program *program, const char *path,
                            size_t most, fzi_strategy **strategy, fzi_regret_learning *learning);

#endif
