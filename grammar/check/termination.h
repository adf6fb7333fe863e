/* Why a game ends, and variables that change in one direction only. */
#ifndef FZ_GRAMMAR_CHECK_TERMINATION_H
#define FZ_GRAMMAR_CHECK_TERMINATION_H

#include "checker.h"

/* Warns if nothing shows that the game ends, and about variables that begin at one end of their
 * range and are only moved beyond it. */
void fzi_check_termination(fzi_checker *c);

#endif
