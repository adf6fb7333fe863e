/* The formatter: `ferz fmt`. */
#ifndef FZ_GRAMMAR_SYNTAX_FORMAT_H
#define FZ_GRAMMAR_SYNTAX_FORMAT_H

#include "tree.h"

/* The text of a source in the house style: two columns of indentation per level, one blank between
 * words, at most one empty line in a row. Line breaks and the places of comments are the author's.
 * `file` is the source's tree, parsed without errors. The result has the same tree, and formatting
 * it again changes nothing. */
const char *fzi_format(fzi_arena *arena, const fzi_sources *sources, uint32_t source,
                       const fzi_node *file);

#endif
