/* Effects of declarations and constructs. */
#ifndef FZ_GRAMMAR_CHECK_CHECK_EFFECTS_H
#define FZ_GRAMMAR_CHECK_CHECK_EFFECTS_H

#include "checker.h"

void fzi_check_effects(fzi_checker *c);

#endif
