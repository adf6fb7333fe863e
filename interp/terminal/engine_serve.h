/* A game as an engine of graphical boards: UCI, UCCI, USI and XBoard on standard input and output.
 * The command `engine` calls this. */
#ifndef FZ_INTERP_TERMINAL_ENGINE_SERVE_H
#define FZ_INTERP_TERMINAL_ENGINE_SERVE_H

#include "terminal.h"

/* Answers until `quit` or the end of the input. `agent`: who thinks, such as "mcts:1000"; times and
 * depths of `go` replace its effort. The setup is at the beginning of a game. False: the agent
 * cannot be made, and the context's message says why. */
bool fzi_engine_serve(fzi_setup *setup, const char *agent);

#endif
