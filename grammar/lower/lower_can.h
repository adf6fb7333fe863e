/* `can(generator)` → code: is there a legal move? */
#ifndef FZ_GRAMMAR_LOWER_LOWER_CAN_H
#define FZ_GRAMMAR_LOWER_LOWER_CAN_H

#include "lower.h"

/* The function that answers the call; its parameters are `me` and the generator's. */
uint32_t fzi_lower_can(fzi_lower *lw, const fzi_node *call);

#endif
