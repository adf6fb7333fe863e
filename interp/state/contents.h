/* Pieces and variables of a state. */
#ifndef FZ_INTERP_STATE_CONTENTS_H
#define FZ_INTERP_STATE_CONTENTS_H

#include "state.h"

/* An element of a variable that is no set; 0 when out of range. */
int64_t fzi_state_get(const fz_state *state, uint32_t variable, uint32_t element);
/* kind -1: takes off; carried values are left alone. */
void fzi_state_place(fz_state *state, unsigned site, int kind, int owner);
void fzi_state_at(const fz_state *state, unsigned site, int *kind, int *owner);
void fzi_state_take_all(fz_state *state); /* an empty board, variables at their initial values */
bool fzi_state_is_out(const fz_state *state, int player);
void fzi_state_set_out(fz_state *state, int player);

#endif
