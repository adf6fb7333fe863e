/* Positions as texts: what fz_state_write and fz_state_read share with FEN, records and the tests
 * of scripts. docs/positions.md describes the format. */
#ifndef FZ_INTERP_TEXT_POSITION_H
#define FZ_INTERP_TEXT_POSITION_H

#include "interp/support/buffer.h"
#include "interp/state/state.h"

/* A new state of the same program before set-up, with the stream of chance of `state` and no
 * history. NULL: memory is short. */
fz_state *fzi_position_new(const fz_state *state);
/* Before a state is written for a player: `*base` becomes a state of fzi_position_new, which the
 * caller frees. FZ_USAGE: there is no such player. */
fz_status fzi_observe_begin(fz_machine *machine, const fz_state *state, int player,
                            fz_state **base);
/* Begins the turn in `built`, moves the result to `state`, and frees `built`, also on failure. */
fz_status fzi_position_begin(fz_machine *machine, fz_state *state, fz_state *built, int mover,
                             uint32_t turns, uint32_t plies);

/* What a test adds to the text of a position before its turn begins. */
typedef struct fzi_position_extra {
    int mover;        /* -1: the text says who is to move */
    int32_t function; /* statements; -1: none */
} fzi_position_extra;
fz_status fzi_position_add(fz_machine *machine, fz_state *built, const fzi_position_extra *extra,
                           int *mover);
/* fz_state_read and fz_state_read_fen with something added. */
fz_status fzi_position_read(fz_machine *machine, fz_state *state, const char *text,
                            const fzi_position_extra *extra);
fz_status fzi_fen_read(fz_machine *machine, fz_state *state, const char *text,
                       const fzi_position_extra *extra);

/* The position of a state: the block with which its turn began, and the moves and chance results
 * since. For a finished game, its block. */
typedef struct fzi_position {
    const uint8_t *block; /* head and contents; NULL: unknown */
    const struct fzi_log_entry *played;
    size_t played_count;
    bool in_setup;
} fzi_position;
fzi_position fzi_position_of(const fz_state *state);
/* Resets `state`, a clone of the position's state, to the beginning of its turn or set-up, and runs
 * it. */
fz_status fzi_position_restart(fz_machine *machine, fz_state *state, const fzi_position *position);

/* Writes and plays an entry of a log: the text of a move, or a chance result in braces; as `viewer`
 * saw it, -1: all. `sealed`: others do not know it yet. */
fz_status fzi_log_entry_write(fz_machine *machine, const fz_state *state,
                              const struct fzi_log_entry *entry, int viewer, bool sealed,
                              fzi_buffer *out);
fz_status fzi_log_entry_play(fz_machine *machine, fz_state *state,
                             const struct fzi_log_entry *entry);
/* Plays a line of text: a move, or a chance result in braces. */
fz_status fzi_position_play(fz_machine *machine, fz_state *state, const char *text, size_t length);

/* Adds the entries since the turn began, each between `before` and `after`, as `viewer` saw them;
 * -1: all. */
fz_status fzi_played_write(fz_machine *machine, const fz_state *state, const fzi_position *position,
                           int viewer, const char *before, const char *after, fzi_buffer *out);

/* Adds a line for each value whose elements differ from those in `base`. */
void fzi_variable_write(const fz_program *program, const uint8_t *block, const uint8_t *base,
                        const fz_variable *variable, const char *indent, fzi_buffer *out);
/* Adds a line that names the elements of a secret variable that the viewer does not know:
 * "bid[Bob|Cid] = ?", or "code = ?" if nobody knows it. Nothing for other variables. */
void fzi_unknown_write(const fz_program *program, const fz_variable *variable, int viewer,
                       const char *indent, fzi_buffer *out);

#endif
