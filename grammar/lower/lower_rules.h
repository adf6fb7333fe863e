/* The rules of a game that have no code, for coverage: constant conditions removed them. */
#ifndef FZ_GRAMMAR_LOWER_LOWER_RULES_H
#define FZ_GRAMMAR_LOWER_LOWER_RULES_H

#include "gathering.h"

/* The statement, or the option of a decision, at the span has code. */
void fzi_rule_met(fzi_lower *lw, fzi_span span);
/* The same for an option; a `can` only asks whether it has moves. */
void fzi_option_met(const fzi_gather *g, fzi_span span);
/* Records the rules that were not met. The phases have been lowered, and nothing else. */
void fzi_lower_removed(fzi_lower *lw);

#endif
