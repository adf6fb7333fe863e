/* Descriptions of symbols: declaration, purpose, parameters. */
#ifndef FZ_GRAMMAR_QUERY_DESCRIBE_H
#define FZ_GRAMMAR_QUERY_DESCRIBE_H

#include "grammar/compile.h"

/* One line: what declares the symbol, without a body, and its type. */
const char *fzi_describe_symbol(const fzi_analysis *analysis, const fzi_symbol *symbol);
/* The `///` text of its declaration, or the manual's description of a built-in name; NULL: none. */
const char *fzi_describe_purpose(const fzi_analysis *analysis, const fzi_symbol *symbol);
/* "a function", "a site", ... */
const char *fzi_describe_sort(const fzi_symbol *symbol);
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
