/* A traced copy of a program. It calls a hook at chosen instructions, such as the places where the
 * text says something new. There the copy has the instruction TRACE, and the machine knows the
 * instruction that it replaces. Nothing else changes, so the same seeds play the same games. */
#ifndef FZ_INTERP_VM_TRACER_H
#define FZ_INTERP_VM_TRACER_H

#include "run.h"

/* The instruction at `pc` is about to run; `list` is the list of moves being made, or NULL. */
typedef void fzi_trace_hook(void *user, const fzi_run *run, const fzi_move_list *list, uint32_t pc);

typedef struct fzi_tracer {
    const fz_program *original;
    fz_program *program;  /* the copy; states of the original fit it */
    fz_machine *machine;
} fzi_tracer;

/* False: memory is short. Clear it in any case. */
bool fzi_tracer_init(fzi_tracer *tracer, const fz_program *program, const fz_limits *limits,
                     fzi_trace_hook *hook, void *user);
/* The same without any place; fzi_tracer_at adds the instruction at `pc`. */
bool fzi_tracer_open(fzi_tracer *tracer, const fz_program *program, const fz_limits *limits,
                     fzi_trace_hook *hook, void *user);
void fzi_tracer_at(fzi_tracer *tracer, uint32_t pc);
void fzi_tracer_everywhere(fzi_tracer *tracer);
void fzi_tracer_clear(fzi_tracer *tracer);

#endif
