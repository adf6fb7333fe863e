/* Shared by the parts of `why`: explain_legality.c asks what rejects a move, explain_reason.c says
 * why a condition is false or a set does not contain a site. */
#ifndef FZ_INTERP_EXPLAIN_EXPLAIN_H
#define FZ_INTERP_EXPLAIN_EXPLAIN_H

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "interp/ferz_tools.h"
#include "interp/support/words.h"
#include "interp/text/position.h"
#include "interp/trace/trace.h"
#include "interp/vm/game.h"
#include "interp/vm/machine.h"

/* The game in which reasons of an explaining program are evaluated. */
typedef struct fzi_explained {
    fz_machine *machine;   /* of the explaining program */
    const fz_state *state;
    uint32_t frame;        /* of the choice, in the state's stack */
    int64_t slots[FZ_REASON_SLOTS];
    uint32_t known;        /* the slots that have a value, a bit for each */
    fzi_buffer *out;       /* clauses, separated by ", " */
    unsigned clauses;
} fzi_explained;

/* How near a rule comes to a site that it does not reach. */
typedef enum fzi_nearness { FZI_ELSEWHERE, FZI_IN_LINE, FZI_STOPPED } fzi_nearness;

/* Adds clauses that say why the condition is false, in the scene's state. */
void fzi_why_false(fzi_explained *scene, uint32_t reason);
/* Adds clauses that say why the set does not contain the site. */
fzi_nearness fzi_why_outside(fzi_explained *scene, uint32_t reason, unsigned site);
/* Does the set contain the site? -1: it is not known. */
int fzi_reason_has(fzi_explained *scene, uint32_t reason, unsigned site);
/* "the Pawn of White on e2" */
void fzi_add_piece(const fz_program *program, const fz_state *state, unsigned site,
                   fzi_buffer *out);
/* The text of a place on one line; after `width` characters it is cut, and `mark` added. */
void fzi_add_source(const fz_program *program, const fz_place *place, size_t width,
                    const char *mark, fzi_buffer *out);

/* The question that `why` answers. */
typedef struct fzi_question {
    fz_machine *machine;
    const fz_program *program;
    const fz_state *state;
    const fz_state *whole;          /* of which `state` is what `player` knows; NULL: all */
    int player;
    uint64_t unseen[FZ_MAX_WORDS];  /* sites of which the player does not know what is there */
    const char *text;
    fz_program *explaining; /* NULL: there is none */
    fz_moves *legal;
    fzi_buffer out, label;
} fzi_question;

/* ---- explain_near.c ---- */

/* In the explaining program: where the rules lead that could make a move with the text's sites.
 * False: there is none. */
bool fzi_explain_rules(fzi_question *q);
/* Does the move have the text? */
bool fzi_reads_alike(fzi_question *q, const fz_state *state, const fz_move *move,
                     const char *text);
/* No rule makes the text; the nearest legal moves. */
void fzi_explain_unknown(fzi_question *q);

#endif
