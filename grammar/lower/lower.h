/* Lowering: checked tree → IR → tables and code → program. lower.c runs its stages. */
#ifndef FZ_GRAMMAR_LOWER_LOWER_H
#define FZ_GRAMMAR_LOWER_LOWER_H

#include "interp/support/context.h"
#include "ir.h"
#include "program_builder.h"

/* The state of lowering one game. */
typedef struct fzi_lower {
    fzi_build build;
    fzi_game *game;
    fzi_ir_maker maker;
    unsigned depth;     /* of inlining in the current function */
    unsigned nested;    /* the same, plus the functions that wait for the current one */
    uint64_t expanded;  /* number of expressions elaborated so far */
    fzi_span at;        /* the statement or option that is being elaborated */
    const char *fault;  /* why the last expression could not be evaluated; NULL: not a constant */
    bool explains;      /* an explaining program: conditions are filters (lower_condition.c) */
    bool covers;        /* a program for coverage: it tells items apart (lower_items.c) */
    bool steps;         /* a program for stepping: statements have stops (lower_stop.c) */
    const fzi_print *print; /* what it prints; NULL: nothing */
    bool reads_last;    /* some rule reads last_from or last_to */
    bool puts_nobodys;  /* some piece is put as nobody's */
    bool puts_players;  /* some piece is put as a player's */
    int32_t attack_function;  /* answers `attacked`; -1: not generated yet */
    int32_t capture_function; /* `on capture`; -1: none */
    fzi_array effects;        /* lowered_effect: functions of effects (lower_effect.c) */
    fzi_array questions;      /* functions of `can` (lower_can.c) */
    fzi_array items;          /* functions of plain items (lower_items.c) */
    unsigned inside;          /* nesting of inlined procedures (lower_function.c) */
    unsigned unrolling;       /* nesting of loops that are being unrolled (unroll.c) */
    uint8_t **met; /* by source and byte: a rule that begins there has code (lower_rules.c) */
    unsigned trying;          /* nesting of `let`s whose inlining is being tried (unroll.c) */
} fzi_lower;

/* Is the program compiled with this optimisation? */
static inline bool fzi_uses(const fzi_lower *lw, enum fzi_optimisation optimisation)
{
    return fzi_on(&lw->build.program, optimisation);
}

/* What the program is for: `why`, coverage and stepping need more than the games. */
enum fzi_purpose { FZI_FOR_GAMES, FZI_FOR_WHY, FZI_FOR_COVERAGE, FZI_FOR_STEPS };

/* Lowers a checked game, with all optimisations except those whose bits `without` has. `print`:
 * what a program for stepping prints, or NULL. Returns NULL if there were errors. The program is
 * `lw->build.program`: its arrays live in the arena. Its topology comes from `allocator`; the
 * caller frees it, also after an error. */
const fz_program *fzi_lower_game(fzi_lower *lw, fzi_game *game, uint32_t without,
                                 enum fzi_purpose purpose, const fzi_print *print,
                                 const fzi_allocator *allocator);

#endif
