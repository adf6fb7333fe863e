/* Questions about an analysed script, for editors and the rules in English. */
#ifndef FZ_GRAMMAR_QUERY_QUERY_H
#define FZ_GRAMMAR_QUERY_QUERY_H

#include "grammar/compile.h"

/* ---- mentions.c: the names in a text, with their places and meanings ---- */

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


/* The innermost expression that contains the offset in the analysed text; NULL. */
const fzi_node *fzi_expression_at(const fzi_analysis *analysis, uint32_t offset);


/* ---- candidates.c: the names that fit a place of the text ---- */

typedef struct fzi_candidate {
    const fzi_symbol *symbol;
    bool fits; /* its type is the expected one */
} fzi_candidate;

typedef struct fzi_candidates {
    fzi_candidate *items; /* locals first, the innermost at the beginning */
    size_t count, capacity;
} fzi_candidates;

/* The names that the probed place accepts. Where a type is expected, names of other types are left
 * out; but a condition may begin with a value of any type. */
fzi_candidates fzi_candidates_find(const fzi_analysis *analysis, const fzi_probe *probe);

/* All globals of a kind in `kinds` (bits 1 << FZI_SYM_...), in order of declaration. */
fzi_candidates fzi_globals_of(const fzi_analysis *analysis, uint32_t kinds);
/* The globals that are called by this name: overloads in order of declaration. */
fzi_candidates fzi_globals_named(const fzi_analysis *analysis, const char *name);

/* ---- describe.c: declaration, purpose and parameters of symbols ---- */

/* One line: what declares the symbol, without a body, and its type. */
const char *fzi_describe_symbol(const fzi_analysis *analysis, const fzi_symbol *symbol);
/* The `///` text of its declaration, or the manual's description of a built-in name; NULL: none. */
const char *fzi_describe_purpose(const fzi_analysis *analysis, const fzi_symbol *symbol);
/* The short type of a value, "" if it has none. */
const char *fzi_describe_type(const fzi_symbol *symbol);

/* A call of the symbol, with the places of the parameters in the text. */
enum { FZI_MOST_PARAMETERS = 16 };
typedef struct fzi_signature_text {
    const char *text;
    unsigned count;
    uint32_t start[FZI_MOST_PARAMETERS], end[FZI_MOST_PARAMETERS];
} fzi_signature_text;
/* False: it takes no arguments. */
bool fzi_describe_signature(const fzi_analysis *analysis, const fzi_symbol *symbol,
                            fzi_signature_text *signature);

#endif
