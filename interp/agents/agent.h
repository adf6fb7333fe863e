/* Common to all agents: their description, their stream of chance, and the calls that
 * each kind of agent answers. */
#ifndef FZ_INTERP_AGENTS_AGENT_H
#define FZ_INTERP_AGENTS_AGENT_H

#include "interp/ferz_tools.h"
#include "learned.h"
#include "strategy.h"
#include "interp/state/move_list.h"
#include "interp/state/state.h"
#include "interp/support/chance.h"
#include "interp/support/context.h"
#include "interp/support/cancel.h"
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

enum { FZ_MAX_SETTINGS = 6 }; /* of one agent */

typedef struct fzi_agent_settings {
    fzi_agent_kind kind;
    fzi_effort effort;
    double values[FZ_MAX_SETTINGS]; /* in the order of agents.def */
    /* The path of `eval` or `strategy`: a part of the description, not terminated; NULL: there is
     * none. */
    const char *file;
    int file_length;
} fzi_agent_settings;

typedef struct fzi_agent_class {
    fz_status (*open)(fz_agent *agent); /* these three may be NULL; close comes after a failed */
    void (*close)(fz_agent *agent);     /* open too */
    void (*begin)(fz_agent *agent);     /* a new game begins */
    /* The list holds all legal moves of the waiting state, two at least. */
    fz_status (*choose)(fz_agent *agent, const fz_state *state, fzi_move_list *list, fz_move *move);
    /* The probability with which it chooses each move of the list; the agent has no other way to
     * choose. May be NULL: nobody knows. */
    fz_status (*probabilities)(fz_agent *agent, const fz_state *state, const fzi_move_list *list,
                               double *probabilities);
    /* A move was played in the agent's game, by anybody. May be NULL. */
    void (*played)(fz_agent *agent, const fz_move *move);
    /* What the last decision found of a move: see fz_agent_opinion. May be NULL. */
    void (*opinion)(const fz_agent *agent, const fz_state *state, const fz_move *move,
                    uint64_t *visits, double *proven);
} fzi_agent_class;

/* What an agent has read of files; NULL where there is none. */
typedef struct fzi_agent_files {
    fzi_learned *learned;
    fzi_strategy *strategy;
} fzi_agent_files;

void fzi_agent_files_free(fzi_agent_files files);

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
    fz_cancel thinking;       /* ends a decision: the effort in seconds, then what the host gave */
    fz_state *scratch;      /* a state to try things on */
    fz_moves *moves;        /* the legal moves of the state that it chooses in */
    void *own;              /* of the class */
    const struct fzi_evaluation *known; /* of the agent that this one helps, while it is opened */
    const fzi_learned *learned; /* NULL: it knows the worth of pieces only */
    fzi_agent_files files;  /* what this agent has read */
    fz_agent_host host;     /* of an agent that the host program brings */
};

extern const fzi_agent_class fzi_agent_random, fzi_agent_greedy, fzi_agent_softmax, fzi_agent_flat,
    fzi_agent_mcts, fzi_agent_cfr, fzi_agent_alphabeta;

/* Reads a description; a message of at most `size` bytes says what is wrong with it. */
bool fzi_agent_settings_read(const char *description, fzi_agent_settings *settings, char *message,
                             size_t size);

/* The path of the file that the description names, to be released; NULL: none, or memory is short.
 * `strategy`: is it a strategy, or an evaluation? */
char *fzi_agent_file(fzi_allocator allocator, const char *description, bool *strategy);

/* The description of the same agent with twice the effort; false: it has none that can be doubled,
 * or the text is longer than `size`. */
bool fzi_agent_doubled(const char *description, char *text, size_t size);
/* The description with all settings, in a fixed order, such as "mcts:1000:c=0.4:...". False: it is
 * none, or too long. */
bool fzi_agent_settled(const char *description, char *text, size_t size);

/* An agent of the same class and settings, which need not survey the game: `known` is what the
 * agent knows of it. */
fz_status fzi_agent_help(fz_agent *agent, const fzi_agent_settings *settings,
                         const struct fzi_evaluation *known, fz_agent **helper);

/* ---- for the classes ---- */

/* Begins to think: sets when the effort in seconds is used up. */
static inline void fzi_agent_think(fz_agent *agent)
{
    double seconds = agent->settings.effort.seconds;
    agent->thinking.deadline = seconds > 0 ? fzi_seconds() + seconds : 0;
}

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

/* Makes the state continue with the agent's stream for imagined states, so that the agent cannot
 * foresee the chance of the game. */
void fzi_agent_blind(const fz_agent *agent, fz_state *state);
/* Makes `into` such a copy of the state. */
fz_status fzi_agent_imagine(fz_agent *agent, fz_state *into, const fz_state *state);
/* The next imagined state draws where this one stopped, so that two of them differ. */
void fzi_agent_resume(fz_agent *agent, const fz_state *imagined);

/* Plays a move of the imagined state. */
fz_status fzi_agent_take(fz_agent *agent, fz_state *imagined, const fz_move *move);
/* The same. If it then waits for a move, `list` holds its legal moves. */
fz_status fzi_agent_take_listing(fz_agent *agent, fz_state *imagined, const fz_move *move,
                                 fzi_move_list *list);
/* Plays a move, then as fzi_agent_play_on: at once is quicker. */
fz_status fzi_agent_take_on(fz_agent *agent, fz_state *imagined, const fz_move *move,
                            uint64_t depth);
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
/* fz_agent_new with a message of its own (256 bytes). `files`: what was read of the file that the
 * description names, which is given up. */
fz_status fzi_agent_describe(fz_context *context, const fz_program *program,
                             const char *description, fzi_agent_files files,
                             fz_agent **agent, char *message);

/* ---- evaluation.c ---- */

/* An evaluation of positions by the worth of pieces. A piece is worth the mean number of moves that
 * a piece of its kind has in random games, so values need no table for each game. */
typedef struct fzi_evaluation {
    const fzi_learned *learned; /* takes the place of material; NULL */
    double kinds[256];      /* by kind: the value of one piece */
    double unit;            /* of an average piece on the board; with `learned`, of the odds */
    double low, high;       /* payoffs seen so far in this game; low > high: none */
    double first_low, first_high; /* before the game */
    double total;           /* of all pieces of the first positions; never 0 */
} fzi_evaluation;

/* Plays some random games with streams of its own: the result depends on the program only. */
fz_status fzi_evaluation_make(fz_agent *agent, fzi_evaluation *evaluation);

/* A game begins: what was seen in earlier ones does not count, so that a game does not depend on
 * them. */
void fzi_evaluation_begin(fzi_evaluation *evaluation);

/* The worth of the pieces of the player's side, and of all others. */
void fzi_evaluation_count(const fzi_evaluation *evaluation, const fz_state *state, int player,
                          double *own, double *others);
/* Material of the player's side minus the mean of the other sides' material; or the logarithm of
 * the odds that it wins. The game is not over. */
double fzi_evaluation_material(const fzi_evaluation *evaluation, const fz_state *state, int player);

/* The utility of the player, from 0 to 1: when the game is over, from the player's rank or, if the
 * game has payoffs, the place of its payoff between the least and the greatest seen so far; else an
 * estimate. */
double fzi_evaluation_utility(fz_agent *agent, fzi_evaluation *evaluation, const fz_state *state,
                              int player);

/* ---- search_tree.c ---- */

/* The tree of a Monte Carlo search. Nodes are numbers into arrays, so that these can grow. A node
 * stands for the moves that led to it from the root; with chance between them it stands for many
 * positions (an open loop), and not all of its children are legal in each. Only moves that have
 * been tried have nodes: the children of a node, side by side, in the order in which they were
 * tried. Without chance (a closed loop) the list of moves is kept, and a child has the number of
 * its move in it. */
enum { FZ_NO_NODE = 0 }; /* node 0 is nobody's; the root is 1 */

#define FZ_MAX_LISTED ((UINT32_C(1) << 24) - 1) /* moves of a list that a tree keeps */

/* An upper confidence bound, mean + root * spread, for the root that goes with the visits of the
 * parent. */
typedef struct fzi_search_bound {
    float mean, spread;     /* value / visits, 1 / sqrt(visits); or what is proven, and 0 */
} fzi_search_bound;

/* Two to a line of the cache, since a search reads one for each move of its way down. */
typedef struct fzi_search_node {
    uint32_t visits;
    uint32_t proof;         /* 1 + number of a row of results; 0: nothing is proven */
    uint32_t first, count;  /* the children */
    uint32_t total : 24;    /* closed loop: legal moves; 0: nobody has listed them */
    signed decider : 8;     /* who chooses here; -1: nobody has been here */
    /* Closed loop: the child that was chosen when all were last compared, or FZ_NO_NODE. As long as
     * its bound is above `others`, so is it above those of all other children. */
    uint32_t favourite;
    fzi_search_bound others;
} fzi_search_node;
_Static_assert(sizeof(fzi_search_node) == 32, "two to a line of the cache");

/* The numbers of a child that selection reads. */
typedef struct fzi_search_arm {
    double value;           /* sum of utilities of the player who chose the move */
    fzi_search_bound bound;
} fzi_search_arm;

/* How a node is reached and goes on. */
typedef struct fzi_search_link {
    /* Closed loop: the number of the node's move in the parent's list. Open loop: visits of the
     * parent in which it was legal. */
    uint32_t number;
    uint32_t kept;          /* closed loop: first word of the node's list; 0: there is none */
} fzi_search_link;

typedef struct fzi_tree_arrays {
    fzi_search_node *nodes;
    fzi_search_arm *arms;   /* of the nodes, as are the links */
    fzi_search_link *links;
    fz_move *moves;         /* open loop: that lead to the nodes */
    uint64_t *kept;         /* lists of moves and, while there is much room, positions */
    uint32_t count;         /* of nodes */
    uint32_t kept_count;
    size_t node_room, arm_room, link_room, move_room, kept_room;
} fzi_tree_arrays;

/* How far the live registers of a frame reach. */
typedef struct fzi_live_reach {
    uint16_t ints, sets;
} fzi_live_reach;

typedef struct fzi_tree {
    fzi_allocator allocator;
    fzi_tree_arrays now, spare; /* `spare`: for the next fzi_tree_advance */
    size_t limit;           /* bytes */
    bool closed;            /* moves are numbers in the lists that are kept */
    const fz_program *program;
    fzi_live_reach *live;   /* closed loop: by place in the code, where a choice waits */
    uint32_t left[32];      /* by logarithm of the size: the first block of nodes that are free */
    /* Rows of the utilities that perfect play leads to, by side. NAN: not known, because a player
     * to whom two moves are worth the same may choose either, and they differ for others. */
    double *results;
    uint32_t result_count;
    size_t result_room;
    unsigned players, sides;
    unsigned side[FZ_MAX_PLAYERS]; /* by player; all players of a side have the same utility */
} fzi_tree;

/* False: memory is short. Free it in any case. */
bool fzi_tree_init(fzi_tree *tree, fzi_allocator allocator, const fz_program *program,
                   size_t bytes, bool closed);
void fzi_tree_free(fzi_tree *tree);
/* Only a root without children. False: memory is short. */
bool fzi_tree_reset(fzi_tree *tree);

/* A new child. FZ_NO_NODE: the tree may not grow any more. In an open loop, `move` leads to it; in
 * a closed loop, the move with this number among the moves of the node without a child. */
uint32_t fzi_tree_add_move(fzi_tree *tree, uint32_t node, const fz_move *move);
uint32_t fzi_tree_add_untried(fzi_tree *tree, uint32_t node, uint32_t number);
/* The child with this move; FZ_NO_NODE. It is looked for at `place` first. */
uint32_t fzi_tree_find(const fzi_tree *tree, uint32_t node, const fz_move *move, uint32_t place);

/* Keeps the legal moves of a node, and its position if it has no history and there is much room.
 * False: the tree may not grow any more. */
bool fzi_tree_keep(fzi_tree *tree, uint32_t node, const fz_state *state,
                   const fzi_move_list *list);
/* A move of the list that is kept. */
void fzi_tree_move(const fzi_tree *tree, uint32_t node, uint32_t number, fz_move *move);
/* The move that leads from the node to its child. */
void fzi_tree_move_to(const fzi_tree *tree, uint32_t node, uint32_t child, fz_move *move);
bool fzi_tree_has_position(const fzi_tree *tree, uint32_t node);
/* False: memory is short. */
bool fzi_tree_load_position(const fzi_tree *tree, uint32_t node, fz_state *state);
/* Is the state in the position that is kept? */
bool fzi_tree_same_position(const fzi_tree *tree, uint32_t node, const fz_state *state);

/* Keeps only what follows the move at the root. Without such a child: as reset. */
bool fzi_tree_advance(fzi_tree *tree, const fz_move *move);

/* Stores the utilities of the end at the last node of the path, by player. Passes up along the path
 * what it proves there. False: memory is short. */
bool fzi_tree_prove(fzi_tree *tree, const uint32_t *path, size_t length, const double *utilities);
/* The utility that perfect play from the node gives the player; NAN: not known. */
double fzi_tree_proven(const fzi_tree *tree, uint32_t node, int player);
/* Is it known for all players? */
bool fzi_tree_settled(const fzi_tree *tree, uint32_t node);

#endif
