/* Constant folding: the compiler evaluates constants on a machine, so every operation has one
 * meaning. */
#ifndef FZ_INTERP_VM_EVALUATOR_H
#define FZ_INTERP_VM_EVALUATOR_H

#include "interp/program/program.h"

/* Calls functions that are pure and take integers only, on the initial state. The program must not
 * change while an evaluator lives. NULL: memory is short. */
typedef struct fz_machine fzi_evaluator;
fzi_evaluator *fzi_evaluator_new(const fz_program *program);
void fzi_evaluator_free(fzi_evaluator *evaluator);
/* One call, within `*budget` instructions; those it took are taken off. `set` receives W words. On
 * failure false, and `*message` says why: a constant text, or NULL when memory was short. */
bool fzi_evaluate(fzi_evaluator *evaluator, uint32_t function, const int64_t *arguments,
                  uint64_t *budget, int64_t *number, uint64_t *set, const char **message,
                  uint32_t *place);

#endif
