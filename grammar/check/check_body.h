/* Declarations: their types, and their bodies. */
#ifndef FZ_GRAMMAR_CHECK_CHECK_BODY_H
#define FZ_GRAMMAR_CHECK_CHECK_BODY_H

#include "checker.h"

/* Checks the declaration of a LET, VAR, FN, ... unless that is done: its type is known then. */
void fzi_declare(fzi_checker *c, fzi_symbol *symbol, fzi_span user);
void fzi_check_bodies(fzi_checker *c);

#endif
