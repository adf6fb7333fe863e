/* Constants whose value the checker needs. */
#ifndef FZ_GRAMMAR_CHECK_CHECK_CONST_H
#define FZ_GRAMMAR_CHECK_CHECK_CONST_H

#include "checker.h"

/* Evaluates a constant number, truth value or value of a finite type; false if it is none. */
bool fzi_constant(const fzi_checker *c, const fzi_node *node, int64_t *value);
/* The same, and reports an expression that is not constant; `what` is the message's subject. */
bool fzi_need_constant(fzi_checker *c, const fzi_node *node, const char *what, int64_t *value);

#endif
