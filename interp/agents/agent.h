/* What the agents have in common: their description, their stream of chance, and the calls that
 * each kind of agent answers. */
#ifndef FZ_INTERP_AGENTS_AGENT_H
#define FZ_INTERP_AGENTS_AGENT_H

#include "interp/ferz_tools.h"
#include "interp/state/move_list.h"
#include "interp/state/state.h"
#include "interp/support/chance.h"
#include "interp/support/context.h"
#include "interp/vm/machine.h"

typedef enum fzi_agent_kind {
    FZ_AGENT_NOTHING,
#define AGENT(name, kind, argument, meaning) FZ_AGENT_##kind,
#include "agents.def"
} fzi_agent_kind;

/* How much an agent may think: a number of what it counts, or seconds. */
typedef struct fzi_effort {
    uint64_t count;        /* 0: not bounded */
    double seconds;        /* 0: not bounded */
} fzi_effort;

enum { FZ_MAX_SETTINGS = 4 }; /* of one agent */

typedef struct fzi_agent_settings {
    fzi_agent_kind kind;
    fzi_effort effort;
    double values[FZ_MAX_SETTINGS]; /* in the order of agents.def */
} fzi_agent_settings;

typedef struct fzi_agent_class {
    fz_status (*open)(fz_agent *agent); /* these three may be NULL; close comes after a failed */
    void (*close)(fz_agent *agent);     /* open too */
    void (*begin)(fz_agent *agent);     /* a new game begins */
    /* The list holds all legal moves of the waiting state, two at least. */
    fz_status (*choose)(fz_agent *agent, const fz_state *state, fzi_move_list *list, fz_move *move);
    /* A move was played in the agent's game, by anybody. May be NULL. */
    void (*played)(fz_agent *agent, const fz_move *move);
} fzi_agent_class;

struct fz_agent {
    const fz_program *program;
    fzi_allocator allocator;
    fz_machine *machine;
    char *description;
    fzi_agent_settings settings;
    const fzi_agent_class *class;
    /* The agent's own streams of chance, never that of the game: one for its decisions, one for
     * what happens in the states that it imagines. */
    uint64_t key, counter, imagined_key, imagined_counter;
    fz_state *scratch;      /* a state to try things on */
    fz_moves *moves;        /* the legal moves of the state that it chooses in */
    void *own;              /* of the class */
    const struct fzi_evaluation *known; /* of the agent that this one helps, while it is opened */
    fz_agent_host host;     /* of an agent that the host program brings */
};

extern const fzi_agent_class fzi_agent_random, fzi_agent_greedy, fzi_agent_softmax, fzi_agent_flat,
    fzi_agent_mcts, fzi_agent_alphabeta;

/* Reads a description; a message of at most `size` bytes says what is wrong with it. */
bool fzi_agent_settings_read(const char *description, fzi_agent_settings *settings, char *message,
                             size_t size);

/* The description of the same agent with twice the effort; false: it has none that can be doubled,
 * or the text is longer than `size`. */
bool fzi_agent_doubled(const char *description, char *text, size_t size);

/* An agent of the same class and settings, which need not survey the game: `known` is what the
 * agent knows of it. */
fz_status fzi_agent_help(fz_agent *agent, const fzi_agent_settings *settings,
                         const struct fzi_evaluation *known, fz_agent **helper);

/* ---- for the classes ---- */

/* Begins both streams of the agent. */
void fzi_agent_begin_chance(fz_agent *agent, uint64_t key);

/* A number below n from the agent's stream. */
static inline uint32_t fzi_agent_below(fz_agent *agent, uint64_t n)
{
    return fzi_chance_below(agent->key, &agent->counter, n);
}

/* A number of [0, 1). */
static inline double fzi_agent_uniform(fz_agent *agent)
{
    return fzi_chance_at(agent->key, agent->counter++) / 4294967296.0;
}

/* Chooses one of the best of a row evenly, whatever their order: true if the next of the row
 * replaces the one kept so far. `order`: above 0 if it is better than the kept one, 0 if both are
 * equally good. `equals` counts the equally good ones and begins at 0. */
static inline bool fzi_agent_takes(fz_agent *agent, int order, uint64_t *equals)
{
    if (*equals == 0 || order > 0) {
        *equals = 1;
        return true;
    }
    return order == 0 && fzi_agent_below(agent, ++*equals) == 0;
}

static inline int fzi_order_of(double a, double b)
{
    return (a > b) - (a < b);
}

/* Makes `into` a copy of the state that continues with the agent's stream for imagined states, so
 * that the agent cannot foresee the chance of the game. */
fz_status fzi_agent_imagine(fz_agent *agent, fz_state *into, const fz_state *state);
/* The next imagined state draws where this one stopped, so that two of them differ. */
void fzi_agent_resume(fz_agent *agent, const fz_state *imagined);

/* Plays a move of the imagined state. */
fz_status fzi_agent_take(fz_agent *agent, fz_state *imagined, const fz_move *move);
/* Random moves to the end of the game, `depth` of them at most. */
fz_status fzi_agent_play_on(fz_agent *agent, fz_state *imagined, uint64_t depth);
/* The legal moves of a waiting state. */
fz_status fzi_agent_list(fz_agent *agent, const fz_state *state, fzi_move_list *list);
fz_move fzi_agent_move_at(const fz_agent *agent, const fzi_move_list *list, uint32_t index);

/* A state without a log; the class frees it with fz_state_free. */
fz_state *fzi_agent_state_new(fz_agent *agent);

/* Makes the decider of a player. On failure `message` (256 bytes) says why. */
typedef fz_status fzi_decider_maker(void *user, unsigned player, fz_decider *decider,
                                    char *message);
/* The deciders of all players, 0 up to `players`. On failure there is none. */
fz_status fzi_deciders_make(unsigned players, fzi_decider_maker *maker, void *user,
                            fz_decider *deciders, char *message);
/* Then there is none. A decider that is not there has no way to release it. */
void fzi_deciders_release(fz_decider *deciders, unsigned players);
/* fz_agent_new with a message of its own (256 bytes). */
fz_status fzi_agent_describe(fz_context *context, const fz_program *program,
                             const char *description, fz_agent **agent, char *message);

/* Seconds on a clock that only goes forward. */
double fzi_agent_clock(void);

#endif
