/* A script with its bases as one text that stands alone, formatted. */
#ifndef FZ_CLI_RULES_TEXT_H
#define FZ_CLI_RULES_TEXT_H

#include "options.h"

/* The text, to be freed with free; NULL after a complaint, and *code is an exit code. `tests`: with
 * the tests of the script, and those of its bases that pass in it. */
char *fzi_rules_text(const fzi_cli *cli, fz_context *context, const char *path, bool tests,
                     int *code);

#endif
