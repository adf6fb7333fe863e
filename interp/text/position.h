/* Positions as texts: what fz_state_write and fz_state_read share with FEN, records and the tests
 * of scripts. docs/positions.md describes the format. */
#ifndef FZ_INTERP_TEXT_POSITION_H
#define FZ_INTERP_TEXT_POSITION_H

#include <ctype.h>

#include "interp/program/layout.h"
#include "interp/program/cells.h"
#include "interp/program/values.h"
#include "interp/state/history.h"
#include "interp/support/buffer.h"
#include "interp/support/text.h"
#include "interp/vm/fault.h"

/* A new state of the same program before set-up, with the stream of chance of `state` and no
 * history. NULL: memory is short. */
fz_state *fzi_position_new(const fz_state *state);
/* Before a state is written for a player: `*base` becomes a state of fzi_position_new, which the
 * caller frees. FZ_USAGE: there is no such player. */
fz_status fzi_observe_begin(fz_machine *machine, const fz_state *state, int player,
                            fz_state **base);
/* Hands the text over if the status is FZ_OK and nothing was dropped, else frees it. Returns the
 * status, or FZ_NO_MEMORY with a message. */
fz_status fzi_text_finish(fz_machine *machine, fz_status status, fzi_buffer *out, char **text);
/* Begins the turn in `built`, moves the result to `state`, and frees `built`, also on failure. */
fz_status fzi_position_begin(fz_machine *machine, fz_state *state, fz_state *built, int mover,
                             uint32_t turns, uint32_t plies);

/* Added by a test to the text of a position before its turn begins. */
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
/* Adds the FEN of a position in SFEN: "RANKS b HANDS NUMBER", where b is the first player. The
 * number is dropped. */
void fzi_fen_of_sfen(const fz_program *program, const char *sfen, fzi_buffer *out);

/* The position of a state: the block with which its turn began, and the moves and chance results
 * since. For a finished game, its block. */
typedef struct fzi_position {
    const uint8_t *block; /* head and contents; NULL: unknown */
    const struct fzi_log_entry *played;
    size_t played_count;
    bool in_setup;
} fzi_position;
fzi_position fzi_position_of(const fz_state *state);

/* Writes and plays an entry of a log: the text of a move, or a chance result in braces; as `viewer`
 * saw it, -1: all. `sealed`: others do not know it yet. */
fz_status fzi_log_entry_write(fz_machine *machine, const fz_state *state,
                              const struct fzi_log_entry *entry, int viewer, bool sealed,
                              fzi_buffer *out);
fz_status fzi_log_entry_play(fz_machine *machine, fz_state *state,
                             const struct fzi_log_entry *entry);
/* Plays a line of text: a move, or a chance result in braces. */
fz_status fzi_position_play(fz_machine *machine, fz_state *state, const char *text, size_t length);

/* A thrown die, or lots with two sides (sticks, cowries), of which some lie with their mark up. */
typedef struct fzi_throw {
    uint8_t sides, lots, up; /* a die has sides 1 to `sides`; both 0: nothing that can be drawn */
    int32_t value;
} fzi_throw;
static inline bool fzi_is_throw(fzi_throw thrown)
{
    return thrown.sides || thrown.lots;
}

/* What chance gave in an entry. */
typedef struct fzi_result {
    fzi_throw thrown; /* nothing, if the viewer does not see it */
    int32_t type;     /* the value type; -1: a site, or no chance */
} fzi_result;

/* Adds the entries since the turn began, each between `before` and `after`, as `viewer` saw them;
 * -1: all. `results`, unless it is NULL, has room for each entry. */
fz_status fzi_played_write(fz_machine *machine, const fz_state *state, const fzi_position *position,
                           int viewer, const char *before, const char *after,
                           fzi_result *results, fzi_buffer *out);

/* ---- variable_lines.c ---- */

/* Adds a line for each value whose elements differ from those in `base`; NULL: for all. `unknown`
 * has a byte for each element: 1 is written as `?`; NULL: none is. */
void fzi_variable_write(const fz_program *program, const uint8_t *block, const uint8_t *base,
                        const fz_variable *variable, const uint8_t *unknown, const char *indent,
                        fzi_buffer *out);
/* Adds a line that names the elements of a secret variable that the viewer does not know:
 * "bid[Bob|Cid] = ?", or "code = ?" if nobody knows it. Nothing for other variables. */
void fzi_unknown_write(const fz_program *program, const fz_variable *variable, int viewer,
                       const char *indent, fzi_buffer *out);

/* ---- diagram.c ---- */

/* Makes the byte board what the sets say. */
void fzi_pieces_settle(const fz_program *program, uint8_t *block);

/* ---- what stands on a site: a piece, or a stack ---- */

/* All pieces of the site from the bottom; with `+` between them if they could be read in another
 * way. */
void fzi_stack_write(const fz_program *program, const uint8_t *block, unsigned site,
                    fzi_buffer *out);
/* Puts the pieces of the word on the site in place of what is there; false: it is none, or they are
 * too many. */
bool fzi_cell_put(const fz_program *program, uint8_t *block, unsigned site, const char *word,
                  size_t length);

/* The sites whose row has the number, ordered by where they lie across; returns how many. `sites`
 * has room for all. */
unsigned fzi_sites_in_order(unsigned site_count, const int16_t *row, int number,
                            const int16_t *across, uint16_t *sites);
/* The sites of row `row` ordered by column; returns how many. `sites` has room for all. */
unsigned fzi_row_sites(const fz_board *board, unsigned row, uint16_t *sites);

void fzi_diagram_write(const fz_program *program, const uint8_t *block, const uint64_t *unseen,
                       fzi_buffer *out);
/* Puts a diagram's pieces into the block, which has none. With `rest`, the text goes on after the
 * last cell, at `*rest`; otherwise there may be nothing more. */
bool fzi_diagram_read(const fz_program *program, uint8_t *block, const char *text,
                      const char **rest, char *message, size_t size);

/* ---- observe.c ---- */

/* The part of a state that a player knows (docs/language/hidden.md), for drawings, positions and
 * observations of a player. */
typedef struct fzi_observed {
    /* a copy in which what the player does not know is as at the beginning */
    fz_state *state;
    /* sites of which the player knows that something may stand there */
    uint64_t unseen[FZ_MAX_WORDS];
    /* sites that look empty to the player */
    uint64_t invisible[FZ_MAX_WORDS];
    bool told;                  /* these sites need not be computed */
} fzi_observed;

/* The sites that a function of the script names for the player; none if `function` is -1. */
fz_status fzi_sites_told(fz_machine *machine, const fz_state *state, int32_t function, int player,
                         uint64_t *sites);
/* True if the viewer sees the element. Of a secret variable whose first index is a player, a
 * player sees its own elements only. */
bool fzi_element_visible(const fz_program *program, const fz_variable *variable, uint32_t element,
                         int viewer);

/* `base`: the block of a state without anything. To be cleared, whatever the status. */
fz_status fzi_observe(fz_machine *machine, const fz_state *state, int viewer, const uint8_t *base,
                      fzi_observed *seen);
void fzi_observed_clear(fzi_observed *seen);

/* Someone who sees many states of a game, event by event. */
typedef struct fzi_known_contents {
    uint64_t key, text;         /* of contents, and a hash of their text; 0: none */
} fzi_known_contents;
typedef struct fzi_onlooker {
    fzi_allocator allocator;
    int player;
    fz_state *base;             /* of fzi_position_new */
    fzi_observed seen;
    fzi_known_contents *memo;
    uint64_t *told;             /* of some states: a hash, their unseen and invisible sites */
} fzi_onlooker;

/* False: memory is short. Clear it in any case. */
bool fzi_onlooker_init(fzi_onlooker *onlooker, const fz_state *state, int player);
void fzi_onlooker_clear(fzi_onlooker *onlooker);
/* Adds what the player sees of the event that made `state` of `before`, and of the position then,
 * as bytes. Two courses of a game have the same observations (fz_state_observation) after each of
 * their events if and only if they have the same bytes, but for collisions of hashes. */
fz_status fzi_sight_write(fzi_onlooker *onlooker, fz_machine *machine, const fz_state *before,
                          const fz_state *state, fzi_buffer *out);

/* True if the text contains these lines one after the other. Blanks around lines and empty lines
 * at the ends of `lines` do not count. */
bool fzi_has_lines(const char *text, const char *lines);

#endif
