/* A syntax error as its message sees it, and the hints for typical mistakes. */
#ifndef FZ_GRAMMAR_SYNTAX_SYNTAX_ERRORS_H
#define FZ_GRAMMAR_SYNTAX_SYNTAX_ERRORS_H

#include "parser.h"

typedef struct fzi_mistake {
    fzi_parser *p;
    const bool *expected;
    const fzi_token *wrong, *previous; /* previous is NULL at the start */
    const fzi_bracket *open;           /* the innermost open bracket, or NULL */
} fzi_mistake;

/* ---- syntax_hints.c ---- */

bool fzi_expects(const fzi_mistake *mistake, int token);
fzi_span fzi_span_of(const fzi_mistake *mistake, const fzi_token *token);
/* The kind of the token that stands `offset` tokens after the wrong one (or before: a negative
 * number); 0 outside of the text. */
int fzi_kind_at(const fzi_mistake *mistake, int offset);
bool fzi_begins_statement(int token);

/* The place of the parser, judged by the tokens that it expects. */
enum fzi_parse_place {
    FZI_PLACE_DECLARATION, FZI_PLACE_STATEMENT, FZI_PLACE_ITEM, FZI_PLACE_TEST, FZI_PLACE_OPTION,
    FZI_PLACE_EXPRESSION, FZI_PLACE_OPERATOR
};
bool fzi_is_place(const fzi_mistake *mistake, enum fzi_parse_place place);

/* Reports phrases of other languages whose mistake lies before the wrong token. False: it is
 * none. */
bool fzi_foreign_phrase(const fzi_mistake *mistake);
/* The hint for "x expected, found y"; NULL: there is none. */
const char *fzi_syntax_hint(const fzi_mistake *mistake);
/* Adds such a hint. After a line break it says what to write in the place of the diagnostic. */
void fzi_syntax_hint_add(const fzi_mistake *mistake, fzi_diag *diag, const char *hint);
/* The word to write instead of a reserved word that stands for a name; NULL: any other name. */
const char *fzi_reserved_hint(const fzi_mistake *mistake);

#endif
