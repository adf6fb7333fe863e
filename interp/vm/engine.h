/* The engine that runs the code of a program: the loops (vm_loop.inc.h), or C that native/ has
 * compiled and attached. */
#ifndef FZ_INTERP_VM_ENGINE_H
#define FZ_INTERP_VM_ENGINE_H

#include "run.h"

typedef fzi_end fzi_engine(fz_machine *machine, fzi_run *run);
typedef void fzi_games_engine(fz_machine *machine, fzi_run *run, fzi_games *games);
/* Counts the sequences of `turns` turns, at least 1, from a state between two turns, which is
 * changed. False: it cannot be counted so. */
typedef bool fzi_count_engine(fz_machine *machine, fz_state *state, uint32_t turns,
                              uint64_t *nodes);

/* The loops: for each width of a set; `_fast` for x86 processors with BMI2 and AVX2. */
#define WIDTH(words) fzi_engine fzi_run_w##words, fzi_run_w##words##_fast;
#include "interp/program/widths.def"
#undef WIDTH
#ifdef FZ_STANDALONE
fzi_engine ferz_native_run; /* the one engine of the one game */
#endif

/* The progress of a machine that waits for native code. */
typedef struct fzi_work {
    uint32_t calls_left, step; /* public calls until the next report, and between two */
    double reported;           /* time of the last one; 0: there was none */
} fzi_work;

/* Attached as fz_program.compiled: native code that runs in the place of the loop, now or later. */
typedef struct fzi_compiled {
    fzi_attachment attachment;
    /* Atomic, as machines of other threads read them. */
    fzi_engine *run;           /* NULL: not yet. It is set after the others */
    fzi_games_engine *games;   /* NULL: there is none */
    fzi_count_engine *count;   /* NULL: there is none */
    bool awaited;              /* machines look for it later on; they report how much they do */
    void (*report)(struct fzi_compiled *compiled, fzi_work *work);
    void (*progress)(struct fzi_compiled *compiled, uint64_t done, uint64_t total);
} fzi_compiled;

/* A run says how many of its games it has played; all of them when it ends. */
static inline void fzi_note_progress(const fz_program *program, uint64_t done, uint64_t total)
{
    fzi_compiled *compiled = (fzi_compiled *)(void *)program->compiled;
    if (compiled && __atomic_load_n(&compiled->awaited, __ATOMIC_RELAXED))
        compiled->progress(compiled, done, total);
}

/* Calls native function `index` of the program. `ints` and `sets` are its arguments, in the order
 * of the program. False: it failed, and `*message` says why. */
typedef bool fzi_native_call(void *user, uint32_t index, const int64_t *ints, const uint64_t *sets,
                             int64_t *result, const char **message);

/* Attached as fz_program.native_code. `user` of the call is the fzi_natives. */
typedef struct fzi_natives {
    fzi_attachment attachment;
    fzi_native_call *call;
} fzi_natives;

#endif
