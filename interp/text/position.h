/* Positions as texts. docs/positions.md describes the form; fz_state_write and fz_state_read are in
 * ferz.h. What FEN and the tests of scripts need of them too: */
#ifndef FZ_INTERP_TEXT_POSITION_H
#define FZ_INTERP_TEXT_POSITION_H

#include "interp/support/buffer.h"
#include "interp/state/state.h"

/* A state of the same program as before set-up, with `state`'s stream of chance and without
 * history. NULL: memory is short. */
fz_state *fzi_position_new(const fz_state *state);
/* The turn begins in `built`, and `state` becomes it; `built` is freed, also on failure. */
fz_status fzi_position_begin(fz_machine *machine, fz_state *state, fz_state *built, int mover,
                             uint32_t turns, uint32_t plies);

/* What makes the position of a state: the block its turn began with and what was played since; of a
 * finished game the block itself. */
typedef struct fzi_position {
    const uint8_t *block; /* head and contents; NULL: it is not known */
    const struct fzi_log_entry *played;
    size_t played_count;
    bool in_setup;
} fzi_position;
fzi_position fzi_position_of(const fz_state *state);
/* Makes `state`, a clone of the position's, what it was when its turn or set-up began, and goes
 * on. */
fz_status fzi_position_restart(fz_machine *machine, fz_state *state, const fzi_position *position);

/* The text of a move of the state, or of a chance in braces; playing one. */
fz_status fzi_log_entry_write(fz_machine *machine, const fz_state *state,
                              const struct fzi_log_entry *entry, bool shown, fzi_buffer *out);
fz_status fzi_log_entry_play(fz_machine *machine, fz_state *state,
                             const struct fzi_log_entry *entry);
/* Plays what a line says: the text of a move, or of a chance in braces. */
fz_status fzi_position_play(fz_machine *machine, fz_state *state, const char *text, size_t length);

/* Adds what was played since the turn began, each entry between `before` and `after`; with `viewer`
 * not -1, as that player was shown it. */
fz_status fzi_played_write(fz_machine *machine, const fz_state *state, const fzi_position *position,
                           int viewer, const char *before, const char *after, fzi_buffer *out);

/* Adds a line for each value of the variable's elements that differ from those in `base`. */
void fzi_variable_write(const fz_program *program, const uint8_t *block, const uint8_t *base,
                        const fz_variable *variable, const char *indent, fzi_buffer *out);

#endif
