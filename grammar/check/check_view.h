/* Checks the hints of `view { ... }`. */
#ifndef FZ_GRAMMAR_CHECK_CHECK_VIEW_H
#define FZ_GRAMMAR_CHECK_CHECK_VIEW_H

#include "checker.h"

/* After effects are known: what a hint names must be constant. */
void fzi_check_views(fzi_checker *c);

#endif
