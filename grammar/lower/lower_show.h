/* The `let`s that drawings show. */
#ifndef FZ_GRAMMAR_LOWER_LOWER_SHOW_H
#define FZ_GRAMMAR_LOWER_LOWER_SHOW_H

#include "lower.h"

void fzi_lower_shown(fzi_lower *lw);

#endif
