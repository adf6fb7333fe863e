/* The notes that known_value.c keeps while a function runs. */
#ifndef FZ_INTERP_TEXT_KNOWN_STEP_H
#define FZ_INTERP_TEXT_KNOWN_STEP_H

#include "known_value.h"

/* The hook of the knower's tracer: notes what the viewer will know after the instruction. */
void fzi_known_step(void *user, const fzi_run *run, const fzi_move_list *list, uint32_t pc);
/* All registers of the call are known. */
void fzi_known_clear_call(const fzi_knower *k, fzi_known_call *call, const fz_function *f);

#endif
