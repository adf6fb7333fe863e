/* `ferz check --deep`: plays a game at random and through all its first moves, and tests what must
 * hold in every position. */
#ifndef FZ_INTERP_CHECKS_DEEP_CHECK_H
#define FZ_INTERP_CHECKS_DEEP_CHECK_H

#include "interp/cli/json.h"
#include "interp/cli/options.h"

/* How many random games a deep check plays unless --playouts says so. */
enum { FZI_DEEP_PLAYOUTS = 200 };

/* Prints the findings, as text or, with `findings`, as objects of that array. With --record, writes
 * a record of each finding that has moves. An exit code: 1 if there is any. */
int fzi_deep_check(const fzi_cli *cli, fz_context *context, fz_program *program, const char *path,
                   json_t *findings);

#endif
