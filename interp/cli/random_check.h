/* What random games show of a script: rules that play no part, games that do not end, sides that
 * are not equal. Notes and no faults, as only the author knows what is meant. */
#ifndef FZ_CLI_RANDOM_CHECK_H
#define FZ_CLI_RANDOM_CHECK_H

#include "options.h"

/* Plays and prints, as text or as a JSON object. An exit code: 1 when a game ended in an error. */
int fzi_random_check(const fzi_cli *cli, fz_context *context, fz_program *program,
                     const char *path);

#endif
