/* The agents of --agents: one for each player, made anew for each thread. */
#ifndef FZ_INTERP_LAB_LINEUP_H
#define FZ_INTERP_LAB_LINEUP_H

#include "interp/cli/session.h"
#include "ferz_tools.h"

typedef struct fzi_lineup {
    const fzi_session *session;
    char *list;                  /* the descriptions, each ended by a NUL */
    const char *descriptions[16];
    unsigned count;
    bool timed;                  /* an agent's time is limited: games need not repeat */
    fz_lineup cast;                /* for fz_playout_options */
} fzi_lineup;

/* Splits a list of descriptions at its commas; the first 16 are kept. */
void fzi_lineup_split(fzi_lineup *cast, const fzi_session *session, const char *list);
/* Reads a list of descriptions with commas between them: one for each player, or one for all. An
 * exit code; after a complaint there is nothing to clear. */
int fzi_lineup_read(fzi_lineup *cast, const fzi_session *session, const char *list);
void fzi_lineup_clear(fzi_lineup *cast);

/* An agent of the session's program, also `pipe:COMMAND`. The status, with a message of at most 256
 * bytes. */
fz_status fzi_agent_make(const fzi_session *session, const char *description, fz_agent **agent,
                         char *message);
/* The same as a decider. */
fz_status fzi_agent_decide(const fzi_session *session, const char *description, fz_decider *decider,
                           char *message);

#endif
