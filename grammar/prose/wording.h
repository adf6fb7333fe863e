/* An expression of a script in English, for editors. */
#ifndef FZ_GRAMMAR_PROSE_WORDING_H
#define FZ_GRAMMAR_PROSE_WORDING_H

#include "grammar/compile.h"

/* "an empty square one square forward", "the number of own pieces is at least three"; NULL if the
 * analysis has errors, and for what has no words or too many. The text is in the analysis's
 * arena. */
const char *fzi_in_english(const fzi_analysis *analysis, const fzi_node *expression);

#endif
