/* Notes about random games of a script: rules that never ran, games that do not end, players with
 * unequal chances. They are notes, not errors, because only the author knows the intention. */
#ifndef FZ_INTERP_CHECKS_RANDOM_CHECK_H
#define FZ_INTERP_CHECKS_RANDOM_CHECK_H

#include "interp/cli/options.h"

/* Plays and prints, as text or as a JSON object. An exit code: 1 when a game ended in an error. */
int fzi_random_check(const fzi_cli *cli, fz_context *context, fz_program *program,
                     const char *path);

#endif
