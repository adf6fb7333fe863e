/* Warnings about code that is allowed and hardly meant. */
#ifndef FZ_GRAMMAR_CHECK_CHECK_SENSE_H
#define FZ_GRAMMAR_CHECK_CHECK_SENSE_H

#include "checker.h"

/* Runs after fzi_check_use, which knows the names that other options use. */
void fzi_check_sense(fzi_checker *c);

#endif
