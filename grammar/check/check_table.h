/* Tables: the values of indexed `let`s and `var`s. */
#ifndef FZ_GRAMMAR_CHECK_CHECK_TABLE_H
#define FZ_GRAMMAR_CHECK_CHECK_TABLE_H

#include "checker.h"

/* The value for `count` indexes: a table, or one value for all elements. Returns the type of the
 * elements, which is inferred if `type` is NULL. */
const fzi_type *fzi_check_table(fzi_checker *c, fzi_node *node, const fzi_type *const *index,
                                unsigned count, const fzi_type *type);

#endif
