/* Data-flow analyses of a verified program. fzi_program_make stores what most of them find. */
#ifndef FZ_INTERP_PROGRAM_DATA_FLOW_H
#define FZ_INTERP_PROGRAM_DATA_FLOW_H

#include "program.h"

/* Does it read last_from or last_to of an earlier turn (last_move.c)? Then they are part of a
 * position. False: memory is short. */
bool fzi_program_find_last(const fz_program *program, fzi_allocator allocator, uint8_t *reads);
/* Fills `last` of the program's choices (last_choice.c). False: memory is short. */
bool fzi_program_find_last_choices(const fz_program *program, fzi_allocator allocator,
                                   fz_choice *choices);
/* Fills `at_once` of the program's choices and options (in_place_trials.c). False: memory is
 * short. */
bool fzi_program_find_trials(const fz_program *program, fzi_allocator allocator, fz_choice *choices,
                             fz_option_info *options);

#endif
