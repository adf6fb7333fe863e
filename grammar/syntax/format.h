/* The house style of scripts: what `ferz fmt` writes. */
#ifndef FZ_GRAMMAR_SYNTAX_FORMAT_H
#define FZ_GRAMMAR_SYNTAX_FORMAT_H

#include "tree.h"

/* The text of a source in the house style: two columns of indentation a level, one blank between
 * words, comments where they stand, at most one blank line in a row. Line breaks are the author's.
 * `file` is the source's tree, parsed without errors. Formatting the result again changes nothing,
 * and its tree is the same. */
const char *fzi_format(fzi_arena *arena, const fzi_sources *sources, uint32_t source,
                       const fzi_node *file);

#endif
