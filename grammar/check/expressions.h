/* Names and types of expressions.
 *
 * Four files call each other here, as expressions do: an expression contains names (resolve.c) and
 * calls (calls.c), a name may need the type of a declaration (declared_types.c), and that type may
 * have to be inferred from an expression (expressions.c). No other files of the room are in this
 * circle. */
#ifndef FZ_GRAMMAR_CHECK_EXPRESSIONS_H
#define FZ_GRAMMAR_CHECK_EXPRESSIONS_H

#include "checker.h"

/* ---- expressions.c ---- */

/* The type of an expression, never NULL. `want`, which may be NULL, is the expected type: it
 * resolves names and `{}`, but other types are accepted. */
const fzi_type *fzi_check_expr(fzi_checker *c, fzi_node *node, const fzi_type *want);
/* The same, and reports a value that does not fit `type`. */
const fzi_type *fzi_check_as(fzi_checker *c, fzi_node *node, const fzi_type *type);
/* The right side of a `let` or `=`, which may call a procedure. */
const fzi_type *fzi_check_value(fzi_checker *c, fzi_node *node, const fzi_type *type);
/* Reports a checked expression that does not fit `type`. */
bool fzi_require_type(fzi_checker *c, fzi_node *node, const fzi_type *type);
/* Each expression of a list; `type` NULL: of any type. */
void fzi_check_list(fzi_checker *c, fzi_node *list, const fzi_type *type);
/* The indexes of an array; reports a wrong number of them at the place. */
void fzi_check_indexes(fzi_checker *c, fzi_node *list, const fzi_symbol *array, fzi_span place);
/* A set of any element type; returns the element type. */
const fzi_type *fzi_check_set(fzi_checker *c, fzi_node *node, const fzi_type *want);
/* Binds a list of BINDERs. Each one is visible to those after it. */
void fzi_check_binders(fzi_checker *c, fzi_node *list);

/* ---- resolve.c ---- */

/* Sets the symbol of an E_NAME and returns its type. `want`, which may be NULL, chooses among
 * several meanings. `bare`: allows the name of an indexed variable without indexes. */
const fzi_type *fzi_check_name(fzi_checker *c, fzi_node *node, const fzi_type *want, bool bare);
const fzi_type *fzi_check_member(fzi_checker *c, fzi_node *node);
/* Does the meaning of the expression depend on the expected type? */
bool fzi_needs_context(const fzi_checker *c, const fzi_node *node);
/* Sets and returns the type of a type node. */
const fzi_type *fzi_check_type(fzi_checker *c, fzi_node *node);

/* ---- calls.c ---- */

/* E_CALL in an expression. `whole`: it is all of the right side of a statement's `let` or `=`. */
const fzi_type *fzi_check_call(fzi_checker *c, fzi_node *node, const fzi_type *want, bool whole);
void fzi_check_call_statement(fzi_checker *c, fzi_node *node);
/* A GENERATOR, an E_CALL, or the E_NAME of a generator; its arguments included. */
void fzi_check_generator(fzi_checker *c, fzi_node *node);

/* ---- declared_types.c ---- */

/* Checks the declaration of a LET, VAR, FN, ... unless that is done: its type is known then. */
void fzi_declare(fzi_checker *c, fzi_symbol *symbol, fzi_span user);
/* The type of what has a value of this type and states none. `stated`: an example, for values whose
 * type is unknown. */
const fzi_type *fzi_inferred_type(fzi_checker *c, const fzi_node *value, const fzi_type *type,
                                  const char *stated);
/* The same of a variable; reports sets that cannot be stored. */
const fzi_type *fzi_stored_type(fzi_checker *c, const fzi_node *value, const fzi_type *type,
                                const char *stated);
/* Makes the parameters of a declared symbol visible. */
void fzi_bind_params(fzi_checker *c, const fzi_symbol *symbol);
void fzi_check_let_value(fzi_checker *c, fzi_symbol *symbol);

/* ---- operand_hints.c, which calls none of them ---- */

/* Reports operands whose types do not fit; poison. `want`: the type that the whole should have, or
 * NULL. */
const fzi_type *fzi_wrong_operands(fzi_checker *c, const fzi_node *node, const fzi_type *want);
/* Adds what to write where the two sides cannot be compared. */
/* `max(score)` of a table by player. */
void fzi_hint_extreme(fzi_checker *c, fzi_diag *diag, const fzi_node *call);
/* A value that states who wins: `winner = S;`, or `win max(score);`. The message is `diag`, or a
 * new one if that is NULL. False: there is nothing to hint at. */
bool fzi_hint_result(fzi_checker *c, fzi_diag *diag, const fzi_node *stmt, const fzi_node *value);
/* `a1..e1`: the sites from one to the other. */
void fzi_hint_row(fzi_checker *c, fzi_diag *diag, const fzi_node *range);
void fzi_hint_compared(fzi_checker *c, fzi_diag *diag, const fzi_node *node);
/* Names the nothing of `type` where the node is another one of `none`, `nobody` and `off`. */
void fzi_hint_nothing(fzi_diag *diag, const fzi_node *node, const fzi_type *type);

#endif
