/* `attacked`: the items of pieces reversed. */
#ifndef FZ_GRAMMAR_LOWER_ATTACKS_H
#define FZ_GRAMMAR_LOWER_ATTACKS_H

#include "lower.h"

/* The function (me: the attacker; sites): is one of the sites attacked? */
uint32_t fzi_lower_attacked(fzi_lower *lw);

#endif
