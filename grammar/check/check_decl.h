/* The names of a game. */
#ifndef FZ_GRAMMAR_CHECK_CHECK_DECL_H
#define FZ_GRAMMAR_CHECK_CHECK_DECL_H

#include "checker.h"

/* Adds the declarations of the unit to the scope and to the game. */
void fzi_collect(fzi_checker *c);

#endif
