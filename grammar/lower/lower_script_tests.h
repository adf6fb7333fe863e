/* The tests of a script. */
#ifndef FZ_GRAMMAR_LOWER_LOWER_SCRIPT_TESTS_H
#define FZ_GRAMMAR_LOWER_LOWER_SCRIPT_TESTS_H

#include "lower.h"

void fzi_lower_tests(fzi_lower *lw);

#endif
