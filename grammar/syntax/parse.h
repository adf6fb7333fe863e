/* Text to tree. What the syntax is stands in ferz.y; what follows is unit.h. */
#ifndef FZ_GRAMMAR_SYNTAX_PARSE_H
#define FZ_GRAMMAR_SYNTAX_PARSE_H

#include "grammar/source/diagnostics.h"
#include "tree.h"

/* The tree of a source: N_FILE, never NULL. Mistakes are in `diags`, and the tree is what could be
 * read: a statement, item or declaration with a mistake in it is left out. `lenient`: a text
 * without a header is right as well (its `op` is FZ_T_NONE), for pieces of scripts. */
fzi_node *fzi_parse_file(fzi_arena *arena, fzi_sources *sources, fzi_diags *diags,
                         uint32_t source, bool lenient);

/* Is the first word of the text, behind comments, `library`? */
bool fzi_begins_library(const char *text, size_t length);

#endif
