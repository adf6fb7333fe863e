/* Checks of what players may not see. */
#ifndef FZ_GRAMMAR_CHECK_CHECK_SECRET_H
#define FZ_GRAMMAR_CHECK_CHECK_SECRET_H

#include "checker.h"

/* After effects are known: `shown to` without chance; values of public variables that come from
 * secrets. */
void fzi_check_secrets(fzi_checker *c);

#endif
