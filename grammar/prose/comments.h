/* What the author says about a declaration in its `///`, taken apart for the rules in English. */
#ifndef FZ_GRAMMAR_PROSE_COMMENTS_H
#define FZ_GRAMMAR_PROSE_COMMENTS_H

#include "grammar/compile.h"

typedef struct fzi_comment {
    const char *rule; /* what stands behind `rule:`, "": the declaration is bookkeeping; NULL: there
                          is no such line */
    const char *prose; /* sentences, without names of the script; "": there are none */
    const char *cited; /* of a comment that begins with a bare citation, such as "FIDE 3.4."; or
                          "" */
} fzi_comment;

/* In the prose, citations that introduce a sentence stand at its end: "FIDE 3.7.1: one square
 * ahead." becomes "One square ahead (FIDE 3.7.1)." */
fzi_comment fzi_comment_of(const fzi_analysis *analysis, const fzi_node *node);

/* The first sentence as a phrase, "the square behind it": what a value is, or when it is true. NULL
 * if it is no such phrase. */
const char *fzi_comment_noun(const fzi_analysis *analysis, const fzi_node *node);
const char *fzi_comment_clause(const fzi_analysis *analysis, const fzi_node *node);

#endif
