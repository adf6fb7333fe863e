/* Elaboration: expressions of the checked tree → IR. Names are resolved by a view, which says what
 * every name and `me` mean at a place of the text. The files of this room call each other, as
 * expressions contain expressions. */
#ifndef FZ_GRAMMAR_ELABORATE_ELABORATE_H
#define FZ_GRAMMAR_ELABORATE_ELABORATE_H

#include "grammar/ir/codegen.h"
#include "grammar/ir/lowering.h"

/* Names and their values: an immutable chain, innermost first. */
typedef struct fzi_env {
    const struct fzi_env *outer;
    const fzi_symbol *symbol;
    const fzi_ir *value;
} fzi_env;

typedef struct fzi_view {
    const fzi_env *env;
    const fzi_ir *me;
} fzi_view;

fzi_view fzi_view_bind(fzi_lower *lw, fzi_view view, const fzi_symbol *symbol, const fzi_ir *value);
fzi_view fzi_view_me(fzi_view view, const fzi_ir *me);
/* The view of constants: no name is bound, and values do not depend on `me`. */
fzi_view fzi_view_constant(fzi_lower *lw);
/* NULL when the symbol is not bound. */
const fzi_ir *fzi_view_find(fzi_view view, const fzi_symbol *symbol);

/* ---- expressions ---- */

/* The value of an expression; a set if its type is a set of sites. */
const fzi_ir *fzi_elaborate(fzi_lower *lw, fzi_view view, const fzi_node *node);
/* The value, converted to a set of sites. */
const fzi_ir *fzi_elaborate_sites(fzi_lower *lw, fzi_view view, const fzi_node *node);
/* The value, converted to `type`. */
const fzi_ir *fzi_elaborate_as(fzi_lower *lw, fzi_view view, const fzi_node *node,
                               const fzi_type *type);
/* The same three, with constant tables: ready for code generation. */
const fzi_ir *fzi_value_of(fzi_lower *lw, fzi_view view, const fzi_node *node);
const fzi_ir *fzi_sites_of(fzi_lower *lw, fzi_view view, const fzi_node *node);
const fzi_ir *fzi_value_as(fzi_lower *lw, fzi_view view, const fzi_node *node,
                           const fzi_type *type);
/* The value of an expression that must be constant; false after a complaint, in which `what` names
 * it. */
bool fzi_constant_of(fzi_lower *lw, fzi_view view, const fzi_node *node, const char *what,
                     int64_t *value);
/* Reports an expression without an implementation, once, and returns a value to go on with. */
const fzi_ir *fzi_elaborate_bug(fzi_lower *lw, const fzi_node *node, const char *what);

/* A call of a function, property or part of a name. */
const fzi_ir *fzi_elaborate_call(fzi_lower *lw, fzi_view view, const fzi_node *node);
/* A call of a function of the prelude, by name; `argument` is NULL if it has none. */
const fzi_ir *fzi_prelude(fzi_lower *lw, fzi_view view, const char *name, const fzi_ir *argument);
/* A name or a call of primitives.def. */
const fzi_ir *fzi_elaborate_primitive(fzi_lower *lw, fzi_view view, const fzi_node *node);
const fzi_ir *fzi_elaborate_index(fzi_lower *lw, fzi_view view, const fzi_node *node);
/* The value of a `let` for these indexes. */
const fzi_ir *fzi_elaborate_let(fzi_lower *lw, fzi_view view, fzi_symbol *let,
                                const fzi_ir **indexes);

/* ---- variables ---- */

/* A variable of the program; VAR symbols point to it (`lowered`). */
typedef struct fzi_lowered_var {
    uint32_t variable;
    bool is_set, is_bits;
    bool is_wide; /* a set of a finite type other than sites and directions: MLOAD and so on */
} fzi_lowered_var;

/* The position of a variable's element in its array. */
const fzi_ir *fzi_variable_index(fzi_lower *lw, fzi_view view, const fzi_symbol *symbol,
                                 const fzi_node *indexes);

/* ---- locals ---- */

/* A local that can hold the values of a type. */
fzi_local *fzi_local_new(fzi_lower *lw, const char *name, const fzi_type *type);
/* The same for values that are always there, as those of a loop. */
fzi_local *fzi_present_local(fzi_lower *lw, const char *name, const fzi_type *type);
/* A local for `me`, which is always a player: in `as nobody`, `me` is the constant. */
fzi_local *fzi_me_new(fzi_lower *lw);
/* The binder that gives `local` every value of the domain of a `for`. */
fzi_binder fzi_binder_make(fzi_lower *lw, fzi_view view, const fzi_node *domain, fzi_local *local);
/* The same, ready for code generation. */
fzi_binder fzi_binder_of(fzi_lower *lw, fzi_view view, const fzi_node *domain, fzi_local *local);

/* ---- functions and registers (function_frames.c) ---- */

/* Begins a function whose first parameter is `me`; `result`: 0 none, 1 integer, 2 set. */
fzi_view fzi_begin_function(fzi_lower *lw, fzi_codegen *e, uint32_t function, uint8_t result);
/* The next parameter, bound to the symbol. */
fzi_view fzi_bind_parameter(fzi_codegen *e, fzi_view view, const fzi_symbol *symbol,
                            const fzi_type *type);
/* Ends a function that returns the value. */
void fzi_return_value(fzi_codegen *e, const fzi_ir *ir);
/* The function of `me` that returns an expression's value, under this name in listings. */
uint32_t fzi_value_function(fzi_lower *lw, const char *name, const fzi_node *node);
/* A register with the value: a number, or a set of sites. */
unsigned fzi_int_value(fzi_codegen *e, fzi_view view, const fzi_node *node);
unsigned fzi_set_value(fzi_codegen *e, fzi_view view, const fzi_node *node);

/* ---- types ---- */

bool fzi_is_sites(const fzi_type *type);
int64_t fzi_type_default(const fzi_type *type);
/* The number of the first value of an integer or named type; 0 for others. */
int64_t fzi_type_low(const fzi_type *type);
/* How many values a player, a direction or a name turns through. */
int64_t fzi_cycle_size(const fzi_lower *lw, const fzi_type *type);
/* Is the type an int of a range of its own? */
bool fzi_is_ranged(const fzi_type *type);
/* Must a value of type `have` be checked at run time before it is stored as a `want`? */
bool fzi_needs_check(const fzi_type *want, const fzi_type *have);

/* ---- constants: the machine evaluates, at compile time, what does not depend on the state ---- */

/* The same value, with a table for each part whose free locals have few values (fold.c). */
const fzi_ir *fzi_fold_to_table(fzi_lower *lw, const fzi_ir *ir);
/* The same value as one look-up, or as a constant; NULL: there is no table of it. */
const fzi_ir *fzi_constant_table(fzi_lower *lw, const fzi_ir *ir);
/* Would the table have so many rows that its parts are better made tables first? */
bool fzi_has_many_rows(fzi_lower *lw, const fzi_ir *ir);
/* The same as fzi_constant_table; the tables made since the mark are of parts of `ir`, and a table
 * of the whole takes their place. */
const fzi_ir *fzi_constant_table_from(fzi_lower *lw, const fzi_ir *ir,
                                      const fzi_table_mark *since);
/* Evaluates a constant; false if it is not constant or cannot be evaluated. */
bool fzi_constant_int(fzi_lower *lw, const fzi_ir *ir, int64_t *value);
bool fzi_constant_set(fzi_lower *lw, const fzi_ir *ir, uint64_t *words);
/* Reports that `what` has no constant value, after one of these returned false: with `code`, or
 * with the reason why it could not be evaluated. */
void fzi_not_constant(fzi_lower *lw, fzi_span span, int code, const char *what);

#endif
