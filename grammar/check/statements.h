/* Declarations and bodies. The files call downwards: bodies.c and checked_tests.c call pieces.c and
 * statements.c, which call the expressions. */
#ifndef FZ_GRAMMAR_CHECK_STATEMENTS_H
#define FZ_GRAMMAR_CHECK_STATEMENTS_H

#include "expressions.h"

/* ---- collect.c ---- */

/* Adds the declarations of the unit to the scope and to the game. */
void fzi_collect(fzi_checker *c);

/* ---- statements.c ---- */

void fzi_check_stmt(fzi_checker *c, fzi_node *node);
/* The statement after `=>`, whose locals end with it. */
void fzi_check_effect(fzi_checker *c, fzi_node *stmt);
void fzi_check_quants(fzi_checker *c, fzi_node *list);
/* `label` may be NULL. */
void fzi_check_label(fzi_checker *c, fzi_node *label);
void fzi_check_options(fzi_checker *c, fzi_node *list);
void fzi_check_filters(fzi_checker *c, fzi_node *list);
/* Can control reach what follows the statement? */
bool fzi_goes_on(const fzi_checker *c, const fzi_node *stmt);
/* Checks the expression of `print` in the scope of the game, unless the statement at which the
 * debugger stands has been met before. */
void fzi_check_print(fzi_checker *c);

/* ---- pieces.c, bodies.c, checked_tests.c ---- */

void fzi_check_pieces(fzi_checker *c);
/* borrowed_moves.c: puts the items that `move as` borrows behind it. */
void fzi_borrow_moves(fzi_checker *c);
/* Checks the bodies of functions that have not been checked: the checker makes some later. */
void fzi_check_functions(fzi_checker *c);
void fzi_check_bodies(fzi_checker *c);
/* Checks the tests for the options of this compile, and the `set` of all tests. */
void fzi_check_tests(fzi_checker *c);
/* For tools: gives names and types to the other tests as well, and reports nothing. */
void fzi_check_other_tests(fzi_checker *c);

#endif
