/* The parser: text → tree. ferz.y has the grammar. The next stage is unit.h. */
#ifndef FZ_GRAMMAR_SYNTAX_PARSE_H
#define FZ_GRAMMAR_SYNTAX_PARSE_H

#include "grammar/source/diagnostics.h"
#include "tree.h"

/* The tree of a source: N_FILE, never NULL. Errors go to `diags`; statements, items and
 * declarations with an error are missing from the tree. `lenient`: accepts a text without a header
 * (its `op` is FZ_T_NONE), for parts of scripts. */
fzi_node *fzi_parse_file(fzi_arena *arena, fzi_sources *sources, fzi_diags *diags,
                         uint32_t source, bool lenient);

/* Is `library` the first word of the text after comments? */
bool fzi_begins_library(const char *text, size_t length);

#endif
