/* The effect of a move on the board, where it is small and known. */
#ifndef FZ_INTERP_PROGRAM_QUIET_EFFECTS_H
#define FZ_INTERP_PROGRAM_QUIET_EFFECTS_H

#include "data_flow.h"

/* The bit of a kind or variable; the last one is of all that have none of their own. */
#define FZ_QUIET_BIT(number) (UINT64_C(1) << ((uint64_t)(number) < 63 ? (uint64_t)(number) : 63))

/* For each function: what it stores, and all that it calls (FZ_QUIET_BIT); UINT64_MAX: it may
 * change the board or more. `stores` is zeroed. */
void fzi_quiet_functions(const fz_program *program, uint64_t *stores);

/* Fills `quiet` of an option whose filters are judged `at_once` (in_place_trials.c). `live`: the
 * registers that are live at each instruction. */
void fzi_quiet_option(const fz_program *program, const uint64_t *stores, const fzi_live *live,
                      fz_option_info *option);

#endif
