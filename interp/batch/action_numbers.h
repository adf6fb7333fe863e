/* Moves as numbers: the options of a program one after the other, and in each of them the values of
 * its bindings, the last one fastest. */
#ifndef FZ_INTERP_BATCH_ACTION_NUMBERS_H
#define FZ_INTERP_BATCH_ACTION_NUMBERS_H

#include "interp/program/program.h"

/* The first action of each option. */
typedef struct fzi_actions {
    const fz_program *program;
    int64_t *first;
    int64_t count;   /* 0: too many, or none */
} fzi_actions;

/* False: memory is short. */
bool fzi_actions_init(fzi_actions *actions, const fz_program *program);
void fzi_actions_clear(fzi_actions *actions);
/* -1: it has no number. */
int64_t fzi_action_of(const fzi_actions *actions, const fz_move *move);
/* The move of this number; false: no move has it. */
bool fzi_action_move(const fzi_actions *actions, int64_t action, fz_move *move);

#endif
