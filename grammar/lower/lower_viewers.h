/* Who sees the results of chance in a value: `shown to`, and secret variables. */
#ifndef FZ_GRAMMAR_LOWER_LOWER_VIEWERS_H
#define FZ_GRAMMAR_LOWER_LOWER_VIEWERS_H

#include "codegen.h"
#include "elaborate.h"

/* Around the code of an assignment, `let` or `var`. False: everybody sees the results, and there is
 * nothing to end. */
bool fzi_viewers_begin(fzi_codegen *e, fzi_view view, const fzi_node *stmt, unsigned *outer);
void fzi_viewers_end(fzi_codegen *e, unsigned outer);

#endif
