/* Who thinks for an engine, and about what: the parts that all protocols share. Beside
 * engine_serve.c only files of protocols include this. */
#ifndef FZ_INTERP_TERMINAL_ENGINE_PLAYER_H
#define FZ_INTERP_TERMINAL_ENGINE_PLAYER_H

#include <pthread.h>

#include "interp/support/cancel.h"
#include "interp/text/notation.h"
#include "terminal.h"

typedef struct fzi_protocol_engine fzi_protocol_engine;

/* What an engine is asked to spend; 0: not said. Times in milliseconds. */
typedef struct fzi_order {
    uint64_t depth, nodes, movetime, time[2], increment[2], movestogo, byoyomi;
    bool infinite;
} fzi_order;

struct fzi_protocol_engine {
    fzi_setup *setup;
    fzi_protocol protocol;
    fz_state *start;      /* the beginning of the game */
    fz_state *state;      /* the position to think about */
    char *played;         /* how it was described: the start, and moves with blanks between */
    char *wanted;         /* the agent, as the user names it */
    char *made;           /* the description that `agent` was made of; NULL: it must be made */
    fz_agent *agent;
    fz_cancel stop;       /* ends its thinking */
    pthread_t thread;
    bool is_thinking;     /* the thread must be joined */
    bool is_endless;      /* it thinks until it is told to stop */
    bool quit;
    fzi_order order;      /* what it may still spend in this turn */
    void *client;         /* for `answer` */
    /* Prints what was chosen, in the thread that thinks. NULL: there is no move. True: the move has
     * been played, and the engine chooses the next one of the same turn, too. */
    bool (*answer)(fzi_protocol_engine *e, const fz_move *move);
    /* Prints what the user should know. */
    void (*say)(const char *what);
};

/* Begins to think, in a thread of its own, with the wanted agent and the effort of the order. */
void fzi_engine_go(fzi_protocol_engine *e, const fzi_order *order);
/* The answer comes now (`at_once`), or has come. */
void fzi_engine_settle(fzi_protocol_engine *e, bool at_once);
/* Uses the agent with this description, kept as long as the description stays. False: it cannot be
 * made; the context's message says why. */
bool fzi_engine_use_agent(fzi_protocol_engine *e, const char *description);
/* The agent that thinks if an order does not say otherwise. False, and said: it cannot be made. */
bool fzi_engine_want_agent(fzi_protocol_engine *e, const char *description);
void fzi_engine_drop_agent(fzi_protocol_engine *e);
/* Sets the position: "startpos" or the word of the protocol and a FEN, then perhaps "moves" and
 * moves. False, and said: that is no position. */
bool fzi_engine_set_position(fzi_protocol_engine *e, const char *text);
/* Plays a move of the position, which is then described so. */
void fzi_engine_play(fzi_protocol_engine *e, const fz_move *move, const char *played);

#endif
