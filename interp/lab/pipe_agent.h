/* Agents that are programs: `pipe:COMMAND` or `pipe:timeout=5s:COMMAND` runs the command in a
 * shell, once for each agent, and talks with it in JSON lines (docs/agents.md). */
#ifndef FZ_INTERP_LAB_PIPE_AGENT_H
#define FZ_INTERP_LAB_PIPE_AGENT_H

#include "setup.h"

/* On failure `message` (256 bytes) says why. */
fz_status fzi_pipe_agent_new(const fzi_setup *setup, const char *description, fz_agent **agent,
                             char *message);

#endif
