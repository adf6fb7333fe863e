/* Evaluating constants. See evaluator.h. */
#include "evaluator.h"

#include "game.h"
#include "machine.h"

fzi_evaluator *fzi_evaluator_new(const fz_program *program)
{
    return fzi_machine_make(program, NULL, false);
}

void fzi_evaluator_free(fzi_evaluator *evaluator)
{
    fz_machine_free(evaluator);
}

bool fzi_evaluate(fzi_evaluator *m, uint32_t function, const int64_t *arguments, uint64_t *budget,
                  int64_t *number, uint64_t *set, const char **message, uint32_t *place)
{
    const char *what = NULL;
    uint32_t where = 0;
    bool done = false;
    m->limits.instructions = *budget ? *budget : 1;
    fzi_machine_begin(m);
    fz_state *state = fzi_scratch_push(m);
    if (state) {
        fzi_state_reset(state, 0, 0);
        done = fzi_state_call(m, state, function, arguments,
                              m->program->functions[function].int_params, number, set) == FZ_OK;
    }
    if (!done && m->fault)
        what = m->fault == m->fault_text ? "a value outside its range" : m->fault;
    if (!done && m->fault_pc != UINT32_MAX)
        where = fzi_program_place_index(m->program, m->fault_pc);
    *budget = m->budget > 0 ? (uint64_t)m->budget : 0;
    if (!done && message)
        *message = what;
    if (!done && place)
        *place = where;
    return done;
}
