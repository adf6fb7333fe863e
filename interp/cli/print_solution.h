/* Prints a solved game, for `ferz solve`: as text or as JSON. Exit codes. */
#ifndef FZ_CLI_PRINT_SOLUTION_H
#define FZ_CLI_PRINT_SOLUTION_H

#include "interp/solve/solution.h"
#include "session.h"

int fzi_solution_print(const fzi_session *session, const fzi_solution *solution);
int fzi_hidden_print(const fzi_session *session, const fzi_hidden *hidden, double exploitability);

#endif
