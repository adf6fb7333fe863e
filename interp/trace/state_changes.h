/* What differs between two blocks (layout.h) of a game. */
#ifndef FZ_INTERP_TRACE_STATE_CHANGES_H
#define FZ_INTERP_TRACE_STATE_CHANGES_H

#include "interp/state/state.h"
#include "interp/support/buffer.h"

/* Pieces, variables, players who are out, the player of the next turn: a line for each sort. */
void fzi_changes_write(const fz_program *program, const uint8_t *old, const uint8_t *now,
                       const char *indent, fzi_buffer *out);
/* The pieces alone; all else. */
void fzi_changed_pieces_write(const fz_program *program, const uint8_t *old, const uint8_t *now,
                              const char *indent, fzi_buffer *out);
void fzi_changed_values_write(const fz_program *program, const uint8_t *old, const uint8_t *now,
                              const char *indent, fzi_buffer *out);

#endif
