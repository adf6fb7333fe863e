/* Runs of traced copies: coverage, and the differences between two states. */
#ifndef FZ_INTERP_TRACE_TRACE_H
#define FZ_INTERP_TRACE_TRACE_H

#include "interp/ferz_tools.h"
#include "interp/state/state.h"
#include "interp/support/buffer.h"
#include "interp/vm/tracer.h"

/* The text of a place in a script; NULL: it is in none. */
const char *fzi_placed_text(const fz_program *program, const fz_place *place);

/* ---- coverage.c ---- */

/* Counts how often the code of a script runs, with traced copies, while games are played. */
struct fz_cover {
    const fz_program *program;
    uint64_t *ran, *tried;      /* by instruction: for real, and while a move was only tried */
    uint64_t *offered, *played; /* by option: decisions in which it had candidates; moves taken */
    uint64_t *seen;             /* by option: the decision that was last counted */
    uint64_t *changed;          /* by instruction that writes pieces: runs that changed some */
    uint8_t *before;            /* the state when `writer` began */
    uint32_t writer;            /* 1 + the instruction that runs, if it writes pieces; 0 */
    uint32_t *option_of;        /* by instruction: 1 + the option whose effect begins there */
    uint32_t *items_of;         /* by option: the first of its items in program.items */
    uint64_t *item_offered, *item_played, *item_seen; /* by item, as for options */
    uint64_t *item_alone;       /* by item: moves taken that no other item makes */
    fz_machine *asker;          /* evaluates the functions of items; NULL: there are none */
    bool lacks_memory;          /* some item could not be asked */
    uint64_t decisions;
    bool without_setup;         /* the games began at a position */
    uint64_t *block;            /* all of them */
    fzi_tracer tracer;          /* its machine plays */
};

/* Adds what another one of the same program has counted. */
void fzi_cover_add(fz_cover *sum, const fz_cover *part);

/* ---- state_changes.c ---- */

/* Writes the differences between two blocks (layout.h) of a game as lines. */

/* Pieces, variables, players who are out, the player of the next turn: a line for each sort. */
void fzi_changes_write(const fz_program *program, const uint8_t *old, const uint8_t *now,
                       const char *indent, fzi_buffer *out);
/* The pieces alone; all else. */
void fzi_changed_pieces_write(const fz_program *program, const uint8_t *old, const uint8_t *now,
                              const char *indent, fzi_buffer *out);
void fzi_changed_values_write(const fz_program *program, const uint8_t *old, const uint8_t *now,
                              const char *indent, fzi_buffer *out);

#endif
