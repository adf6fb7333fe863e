/* Counting in direct style, for generate_playout.c. */
#ifndef FZ_INTERP_NATIVE_GENERATE_COUNT_H
#define FZ_INTERP_NATIVE_GENERATE_COUNT_H

#include "playout_plan.h"

/* Adds C that counts sequences of turns, if the program can be counted so: its turn has one
 * decision, and no chance. Behind the C of whole games. False when memory is short. */
bool fzi_count_c(fzi_playout_plan *plan);

/* ---- generate_footprint.c ---- */

/* Can the footprint of a filter be found where its choice begins? */
bool fzi_footprint_fits(const fzi_playout_plan *plan, uint32_t filter);
/* Does the filter ask for the latest move? Then moves with different pieces have different ones. */
bool fzi_footprint_asks(const fzi_playout_plan *plan, uint32_t filter);
/* Is the function so short that it is compiled wherever moves are listed? */
bool fzi_footprint_tiny(const fzi_playout_plan *plan, uint32_t filter);
/* Writes the function that finds it. `done`: by function of the program, what it calls and has been
 * written. */
void fzi_footprint_function(fzi_playout_plan *plan, uint32_t filter, uint8_t *done);
/* Writes a call, with the registers as they are: of a fzi_found, and where the verdict goes. */
void fzi_footprint_call(fzi_playout_plan *plan, uint32_t filter, const char *found,
                        const char *verdict);

#endif
