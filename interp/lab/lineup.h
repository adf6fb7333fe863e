/* The agents that play a game: one for each player, made for each thread. Commands and runs make
 * them from descriptions. */
#ifndef FZ_INTERP_LAB_LINEUP_H
#define FZ_INTERP_LAB_LINEUP_H

#include "setup.h"

typedef struct fzi_lineup {
    fzi_setup setup;             /* what it points to must live as long */
    char *list;                  /* the descriptions, each ended by a NUL */
    const char *descriptions[16];
    unsigned count;
    bool timed;                  /* an agent's time is limited: games need not repeat */
    fz_lineup maker;             /* makes them for fz_sample */
} fzi_lineup;

/* Splits a list of descriptions at its commas; the first 16 are kept. FZ_NO_MEMORY. */
fz_status fzi_lineup_split(fzi_lineup *lineup, const fzi_setup *setup, const char *list);
/* Reads a list of descriptions with commas between them: one for each player, or one for all. After
 * a failure there is nothing to clear. */
fz_status fzi_lineup_read(fzi_lineup *lineup, const fzi_setup *setup, const char *list);
void fzi_lineup_clear(fzi_lineup *lineup);

/* An agent, also `pipe:COMMAND`. On failure `message` (256 bytes) says why. */
fz_status fzi_agent_make(const fzi_setup *setup, const char *description, fz_agent **agent,
                         char *message);
/* The same as a decider. */
fz_status fzi_agent_decide(const fzi_setup *setup, const char *description, fz_decider *decider,
                           char *message);

/* ---- pipe_agent.c ---- */

/* Agents that are programs: `pipe:COMMAND` or `pipe:timeout=5s:COMMAND` runs the command in a
 * shell, once for each agent, and talks with it in JSON lines (docs/agents.md). On failure
 * `message` (256 bytes) says why. */
fz_status fzi_pipe_agent_new(const fzi_setup *setup, const char *description, fz_agent **agent,
                             char *message);

#endif
