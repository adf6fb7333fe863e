/* Lowering: checked tree → IR → tables and code → program. This is what all its rooms share; each
 * later room has a struct of its own behind a pointer. docs/design.md, "Lowering". */
#ifndef FZ_GRAMMAR_IR_LOWERING_H
#define FZ_GRAMMAR_IR_LOWERING_H

#include "interp/support/context.h"
#include "ir.h"
#include "program_builder.h"

typedef struct fzi_lower fzi_lower;

/* Elaboration meets calls of functions whose code later rooms generate. These are its only ways up.
 * Each returns the index of a function, and generates the function's code if nobody has yet. */
typedef struct fzi_function_makers {
    uint32_t (*called)(fzi_lower *lw, fzi_symbol *symbol); /* grammar/emit/functions.c */
    uint32_t (*attacked)(fzi_lower *lw);                   /* grammar/choices/attacks.c */
    uint32_t (*can)(fzi_lower *lw, const fzi_node *call);  /* grammar/emit/can.c */
} fzi_function_makers;

/* The state of lowering one game. */
struct fzi_lower {
    fzi_build build;
    fzi_game *game;
    fzi_ir_maker maker;
    const fzi_function_makers *makers;
    struct fzi_choices *choices;   /* grammar/choices/choices.h */
    struct fzi_emission *emission; /* grammar/emit/emit.h */
    bool reads_last;    /* some rule reads last_from or last_to */
    /* limits.c */
    unsigned nested;    /* of expressions, plus the functions that wait for the current one */
    uint64_t expanded;  /* number of expressions elaborated so far */
    fzi_span at;        /* the statement or option that is being elaborated */
    /* grammar/elaborate */
    unsigned depth;     /* of inlining in the current function */
    const char *fault;  /* why the last expression could not be evaluated; NULL: not a constant */
    bool exhausted;     /* one value of an expression took too many instructions */
    bool unaffordable;  /* no decision could evaluate some constant: reported */
    unsigned unroll_depth;    /* nesting of loops that are being unrolled (fold.c) */
    unsigned let_trial_depth; /* nesting of `let`s whose inlining is being tried (fold.c) */
};

/* Is the program compiled with this optimisation? */
static inline bool fzi_uses(const fzi_lower *lw, enum fzi_optimisation optimisation)
{
    return fzi_on(&lw->build.program, optimisation);
}

/* ---- limits of a program's size ---- */

/* Reports more than `most` of something: fzi_at_most(..., "the game", 17, "players", 16). */
bool fzi_at_most(const fzi_game *game, fzi_span span, const char *what, unsigned count,
                 const char *of, unsigned most);
/* Reports that compiling cannot go on, unless that has been reported. */
void fzi_give_up(fzi_build *b, fzi_span span, int code, const char *what);
/* Begins elaborating a part of the text. False, after reporting it once, if the nesting is too deep
 * or the game too large. After true, call fzi_lower_leave. */
bool fzi_lower_enter(fzi_lower *lw, fzi_span span);
void fzi_lower_leave(fzi_lower *lw);
/* Reports, once, an expression that is too large or too deep to go on with. */
bool fzi_ir_fits(fzi_lower *lw, const fzi_ir *ir, fzi_span span);

#endif
