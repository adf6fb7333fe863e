/* Hints with the edits that carry them out. */
#ifndef FZ_GRAMMAR_CHECK_HINT_EDITS_H
#define FZ_GRAMMAR_CHECK_HINT_EDITS_H

#include "checker.h"

/* Each adds the hint. The edit puts texts around an expression ... */
void fzi_hint_wrap(fzi_checker *c, fzi_diag *diag, const fzi_node *node, const char *before,
                   const char *after, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
/* ... replaces a place (NULL: that of the diagnostic) ... */
void fzi_hint_replace(fzi_checker *c, fzi_diag *diag, const fzi_span *span, const char *text,
                      const char *format, ...) __attribute__((format(printf, 5, 6)));
/* ... or replaces the operator of an E_BINARY. */
void fzi_hint_operator(fzi_checker *c, fzi_diag *diag, const fzi_node *node, const char *text,
                       const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Adds an edit to the last hint: a declaration at the end of the file. */
void fzi_hint_declaration(fzi_checker *c, fzi_diag *diag, const char *text);

/* An empty place at the beginning or the end of one. */
fzi_span fzi_before(fzi_span span);
fzi_span fzi_behind(fzi_span span);
/* The place of an operator between its operands. False: not found. */
bool fzi_operator_span(const fzi_checker *c, const fzi_node *node, fzi_span *span);

#endif
