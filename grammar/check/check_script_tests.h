/* The tests of a script. */
#ifndef FZ_GRAMMAR_CHECK_CHECK_SCRIPT_TESTS_H
#define FZ_GRAMMAR_CHECK_CHECK_SCRIPT_TESTS_H

#include "checker.h"

void fzi_check_tests(fzi_checker *c);
/* Tools want to know the names in tests under other options, too. What is wrong there is not
 * reported: with these options it may be right. */
void fzi_check_other_tests(fzi_checker *c);

#endif
