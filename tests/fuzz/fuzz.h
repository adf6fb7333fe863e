/* What the fuzz targets share: a context that finds no files, limits that keep a run short. */
#ifndef FZ_FUZZ_H
#define FZ_FUZZ_H

#include "ferz.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const fz_limits fuzz_limits = {.instructions = 200000, .frames = 64, .moves = 10000,
                                      .memory = 16u << 20, .idle_turns = 100};

static inline fz_context *fuzz_context(void)
{
    fz_context *context = fz_context_new(NULL);

    if (!context)
        abort();
    return context;
}

/* Plays a little with a program: nothing it says may bring the machine down. */
static inline void fuzz_play(fz_context *context, fz_program *program)
{
    fz_machine *machine = fz_machine_new(program, &fuzz_limits);
    fz_state *state = machine ? fz_state_new(machine, 1, 0) : NULL;
    char *drawn = NULL;

    if (state && fz_state_playout(machine, state, 100) == FZ_OK &&
        fz_state_draw(machine, state, false, &drawn) == FZ_OK)
        fz_text_free(context, drawn);
    fz_state_free(state);
    fz_machine_free(machine);
}

#endif
