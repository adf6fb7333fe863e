/* The names in a text, with their places and meanings. */
#ifndef FZ_GRAMMAR_QUERY_MENTIONS_H
#define FZ_GRAMMAR_QUERY_MENTIONS_H

#include "grammar/compile.h"

/* A name in a source text. `symbol` is NULL for the names of modules and of removed declarations,
 * whose `target` is known all the same. */
typedef struct fzi_mention {
    fzi_span span;
    const fzi_symbol *symbol;
    const fzi_node *node;  /* whose name it is */
    fzi_span target;       /* the name in the first declaration; source 0: built in */
    bool declares;         /* it is the name in a declaration */
    bool writes;           /* it is assigned to */
} fzi_mention;

typedef struct fzi_mentions {
    fzi_mention *items;    /* in the order of their places */
    size_t count, capacity;
} fzi_mentions;

/* All names of one source text (`source` 0: of all of them). */
fzi_mentions fzi_mentions_find(const fzi_analysis *analysis, uint32_t source);
/* The one that contains or ends at the offset; NULL: there is none. */
const fzi_mention *fzi_mention_at(const fzi_mentions *mentions, uint32_t offset);

/* The place of the name in the first declaration of the symbol: of what overrides, in the
 * declaration that is overridden. Source 0: it is built in. */
fzi_span fzi_symbol_origin(const fzi_analysis *analysis, const fzi_symbol *symbol);

/* The innermost expression that contains the offset in the analysed text; NULL. */
const fzi_node *fzi_expression_at(const fzi_analysis *analysis, uint32_t offset);

/* Calls `visit` for each node of a list and of its subtrees, parents first. */
typedef void fzi_visit(void *user, fzi_node *node);
void fzi_walk(fzi_node *list, fzi_visit *visit, void *user);
/* The same for all declarations and tests of the analysis. */
void fzi_walk_all(const fzi_analysis *analysis, fzi_visit *visit, void *user);

#endif
