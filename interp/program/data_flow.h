/* Data-flow analyses of a verified program. fzi_program_make stores what most of them find. */
#ifndef FZ_INTERP_PROGRAM_DATA_FLOW_H
#define FZ_INTERP_PROGRAM_DATA_FLOW_H

#include "interp/support/context.h"
#include "program.h"

/* Does it read last_from or last_to of an earlier turn (turn_flow.c)? Then they are part of a
 * position. False: memory is short. */
bool fzi_program_find_last(const fz_program *program, fzi_allocator allocator, uint8_t *reads);
/* Fills `last` of the program's options (turn_flow.c). False: memory is short. */
bool fzi_program_find_last_moves(const fz_program *program, fzi_allocator allocator,
                                 fz_option_info *options);
/* Fills `at_once` of the program's choices and options (in_place_trials.c), and `quiet` of options.
 * False: memory is short. */
bool fzi_program_find_trials(const fz_program *program, fzi_allocator allocator, fz_choice *choices,
                             fz_option_info *options);

/* ---- liveness.c ---- */

/* Liveness: the registers that code may still read. Native code keeps registers outside of the
 * state and writes only live ones to it. */
enum { FZ_LIVE_WORDS = 8 }; /* four for integer registers, four for sets */

typedef struct fzi_live {
    uint64_t w[FZ_LIVE_WORDS];
} fzi_live;

static inline bool fzi_live_int(const fzi_live *live, unsigned reg)
{
    return live->w[reg / 64] >> reg % 64 & 1;
}

static inline bool fzi_live_set(const fzi_live *live, unsigned reg)
{
    return live->w[4 + reg / 64] >> reg % 64 & 1;
}

/* Adds registers from `first` on. */
static inline void fzi_live_add(fzi_live *live, bool sets, unsigned first, unsigned count)
{
    for (unsigned i = first; i < first + count && i < 256; i++)
        live->w[4 * sets + i / 64] |= UINT64_C(1) << i % 64;
}

/* Where the filter's code ends, which lies in one piece: the place of its FILTER_END. The end of
 * the function when there is none, in a damaged program. */
uint32_t fzi_filter_verdict(const fz_program *program, uint32_t filter);

/* Finds the live registers at each instruction of the function. `live` has room for code_length
 * items; those of the function are empty. An instruction that suspends a frame reads all that its
 * successors, its labels and its filters read. */
void fzi_live_find(const fz_program *program, uint32_t function, fzi_live *live);
/* Finds the live registers at each instruction, code_length + 1 items that are empty at first.
 * `choosing`, as many: the same while no filter is pending, since moves bring the values of their
 * registers. */
void fzi_live_all(const fz_program *program, fzi_live *live, fzi_live *choosing);
/* Adds to the filters of choices with trials (in_place_trials.c) the registers that are live
 * after their FILTER_BEGINs, where the code goes on. */
void fzi_live_keep(const fz_program *program, uint32_t function, fzi_live *live);
/* Adds the registers that the instruction reads and writes. */
void fzi_live_uses(const fz_program *program, uint32_t pc, fzi_live *reads, fzi_live *writes);

#endif
