/* The state of the checker, which its files share. Other rooms use check.h.
 *
 * check.c runs the stages in this order:
 * 1. check_decl.c collects the names of the game.
 * 2. check_body.c and the files that it calls check bodies. The type of a `let` without a declared
 *    type is inferred when it is first needed.
 * 3. check_effects.c computes effects over the graph of uses.
 * 4. check_use.c warns about declarations that are never used and code that is never reached.
 * 5. check_sense.c warns about code that is allowed and hardly meant. */
#ifndef FZ_GRAMMAR_CHECK_CHECKER_H
#define FZ_GRAMMAR_CHECK_CHECKER_H

#include "scope.h"

/* What is allowed at the place that is being checked. */
typedef struct fzi_region {
    fzi_entry *owner;       /* whose body it is, so whose edges its uses are; NULL: the game's */
    bool gathers;           /* evaluated with the owner, not only when a move is made */
    const fzi_node *together; /* the statement among whose options it is; NULL: none */
    const char *pure;       /* name of a construct that may not change anything; NULL: may change */
    const char *no_chance;  /* name of a construct that may not roll; NULL: may roll */
    const char *no_choice;  /* name of a construct that may not choose; NULL: may choose */
    bool returns;           /* `return` is allowed */
    const fzi_type *result; /* type of the returned value; NULL: none */
} fzi_region;

typedef struct fzi_checker {
    fzi_arena *arena;
    fzi_diags *diags;
    fzi_load *load;
    fzi_unit *unit;
    fzi_game *game;
    fzi_scope *scope;
    fzi_locals locals;
    size_t block; /* first local of the current block: the locals from here on differ in name */
    fzi_region at;
    unsigned depth;           /* nesting of the expressions being checked */
    const fzi_symbol *callee; /* whose argument the expected type belongs to; NULL: nobody's */
    unsigned *sense_left;     /* work that a question of check_sense may still cost */
    bool negated;             /* the operand of `not` is being compared with its type */
    const char *missing_module; /* a module whose `use` is missing, as has been reported */
    fzi_diag *missing_diag;
    bool not_a_generator;     /* another option of the same list names something that is none */
    bool unsure; /* the unit has errors, so declarations may be missing: report no absence */
    bool refused; /* a declaration was refused because its name is taken */
    uint32_t own_source; /* the file that was asked for; only it gets warnings */
    fzi_entry *piece_moves, *moves_of;
    fzi_entry *hook;   /* `on capture`, whether it is declared or not */
    fzi_entry *unused; /* unused locals whose blocks have ended, linked by `following` */
} fzi_checker;

#endif
