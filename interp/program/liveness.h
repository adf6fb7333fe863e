/* Which registers the code of a program may still read, for those that keep registers elsewhere
 * than in the state: only these are written to it and read from it. */
#ifndef FZ_INTERP_PROGRAM_LIVENESS_H
#define FZ_INTERP_PROGRAM_LIVENESS_H

#include "interp/support/context.h"
#include "program.h"

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

/* For each place of the function's code the registers that may be read from there on before they
 * are written. `live` has room for the program's code_length items, those of the function empty.
 * What suspends a frame counts as reading what its ways on, its labels and its filters read. */
void fzi_live_find(const fz_program *program, uint32_t function, fzi_live *live);
/* Adds to the filters of choices that are drawn from at once (trials.c) what is live behind their
 * JUDGEs: there the verdict goes on. */
void fzi_live_keep(const fz_program *program, uint32_t function, fzi_live *live);
/* Adds what the instruction reads and writes. */
void fzi_live_uses(const fz_program *program, uint32_t pc, fzi_live *reads, fzi_live *writes);

#endif
