/* The tests of a script. */
#ifndef FZ_GRAMMAR_CHECK_CHECK_SCRIPT_TESTS_H
#define FZ_GRAMMAR_CHECK_CHECK_SCRIPT_TESTS_H

#include "checker.h"

void fzi_check_tests(fzi_checker *c);

#endif
