/* Hints for words of other languages (foreign.def). */
#ifndef FZ_GRAMMAR_SOURCE_FOREIGN_H
#define FZ_GRAMMAR_SOURCE_FOREIGN_H

#include "diagnostics.h"

/* Where the word stands. */
enum fzi_foreign_place {
    FZI_FOREIGN_DECLARATION, /* it begins a declaration */
    FZI_FOREIGN_STATEMENT,
    FZI_FOREIGN_TEST,        /* it begins a statement of a test */
    FZI_FOREIGN_ITEM,        /* it begins an item of a piece */
    FZI_FOREIGN_NAME,        /* it is a name in an expression */
    FZI_FOREIGN_TYPE,
    FZI_FOREIGN_BOARD
};

/* Is there a row for the word? */
bool fzi_is_foreign(int place, const char *word);
/* Adds the hint of its row. False: there is none. */
bool fzi_hint_foreign(fzi_diags *diags, fzi_diag *diag, int place, const char *word);

#endif
