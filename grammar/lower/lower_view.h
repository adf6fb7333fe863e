/* The hints of `view { ... }` as rows of the program. */
#ifndef FZ_GRAMMAR_LOWER_LOWER_VIEW_H
#define FZ_GRAMMAR_LOWER_LOWER_VIEW_H

#include "lower.h"

void fzi_lower_hints(fzi_lower *lw);

#endif
