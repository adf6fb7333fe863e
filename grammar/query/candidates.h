/* The names that fit a place of the text. */
#ifndef FZ_GRAMMAR_QUERY_CANDIDATES_H
#define FZ_GRAMMAR_QUERY_CANDIDATES_H

#include "grammar/compile.h"

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

#endif
