/* Texts of moves: what files besides notation.c need of them. */
#ifndef FZ_INTERP_TEXT_NOTATION_H
#define FZ_INTERP_TEXT_NOTATION_H

#include <string.h>

#include "interp/vm/machine.h"

/* The same text, blanks at the ends aside. */
bool fzi_move_text_is(const char *text, const char *wanted);
/* Adds the text by which the move is known among the legal moves of the state: its label without
 * blanks at its ends, and `#2`, `#3` and so on after it for the second and later ones that read
 * alike. An empty label is `#1`. */
fz_status fzi_move_name(fz_machine *machine, const fz_state *state, const fz_move *move,
                        fzi_buffer *out);

/* The same option and values. */
static inline bool fzi_move_same(const fz_move *a, const fz_move *b)
{
    return a->option == b->option && a->count == b->count &&
           memcmp(a->values, b->values, a->count * sizeof *a->values) == 0;
}

/* True for a decision of `together` without a text for others: until all have decided, others
 * see "?". */
static inline bool fzi_move_is_sealed(const fz_program *program, const fz_move *move)
{
    const fz_option_info *option = &program->options[move->option];

    return program->choices[option->choice].sealed && option->shown == option->label;
}

/* ---- engine_notation.c ---- */

/* Protocols of engines. They differ in a few words and in the names of sites. */
typedef enum fzi_protocol {
#define PROTOCOL(name, ready, none) FZI_PROTOCOL_##name,
#include "protocols.def"
    FZI_PROTOCOLS
} fzi_protocol;

/* Adds the move as the protocol writes it: e2e4, e7e8q, N@e4; h2e2 with ranks from 0 in UCCI; 7g7f,
 * 8h2b+ and P*5e in USI. What the text of the script has beside sites follows them. */
void fzi_engine_move_write(fzi_protocol protocol, fz_machine *machine, const fz_state *state,
                           const fz_move *move, fzi_buffer *out);
/* The legal move that the protocol writes so. False: there is none. */
bool fzi_engine_move_read(fzi_protocol protocol, fz_machine *machine, const fz_state *state,
                          const char *word, fz_move *move);

/* ---- typed_move.c ---- */

/* Moves as people type them: g1f3, g1 f3, G1-F3, a beginning, a number of the list. */

enum { FZI_NO_MOVE = -1, FZI_SEVERAL_MOVES = -2 };

/* The index of the move that was typed among the texts of the legal moves. In this order:
 * - the text itself,
 * - the text but for the case of letters, and for what is neither letter nor digit ('-', blanks)
 *   nor the sign of a number, and for an 'x' between two sites,
 * - a beginning of one text only, read likewise,
 * - the number of the text, from 1, if no move is called by a number.
 * FZI_SEVERAL_MOVES: more than one text fits, and `fits[i]` is 1 for each of them. FZI_NO_MOVE. */
long fzi_typed_move(const char *const *texts, size_t count, const char *typed,
                    unsigned char *fits);

#endif
