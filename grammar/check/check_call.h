/* Calls: functions, procedures, primitives and generators. */
#ifndef FZ_GRAMMAR_CHECK_CHECK_CALL_H
#define FZ_GRAMMAR_CHECK_CHECK_CALL_H

#include "checker.h"

/* ---- primitives.def ---- */

typedef struct fzi_primitive_row {
    const char *name, *parameters, *effects;
    char result;
} fzi_primitive_row;
const fzi_primitive_row *fzi_primitive_at(int64_t index);
uint32_t fzi_primitive_effects(int64_t index);
/* Does it exist in games with stacks only? */
bool fzi_is_of_stacks(const fzi_primitive_row *row);
/* The type of a letter of primitives.def. */
const fzi_type *fzi_primitive_type(const fzi_game *game, char letter);
/* The least and the greatest number of arguments. */
void fzi_primitive_count(const char *parameters, unsigned *least, unsigned *most);

/* ---- calls ---- */

/* The symbol with its parameters, as messages print it. */
const char *fzi_signature(const fzi_checker *c, const fzi_symbol *symbol);
/* E_CALL in an expression. `whole`: it is all of the right side of a statement's `let` or `=`. */
const fzi_type *fzi_check_call(fzi_checker *c, fzi_node *node, const fzi_type *want, bool whole);
void fzi_check_call_statement(fzi_checker *c, fzi_node *node);
/* Adds that a declaration of stacks would help. */
void fzi_hint_stacks(const fzi_checker *c, fzi_diag *diag);
/* A GENERATOR, an E_CALL, or the E_NAME of a generator; its arguments included. */
void fzi_check_generator(fzi_checker *c, fzi_node *node);

#endif
