/* Prints what fz_check_game finds, for `ferz check`: as text, or as a value of JSON. */
#ifndef FZ_CLI_PRINT_FINDINGS_H
#define FZ_CLI_PRINT_FINDINGS_H

#include "options.h"

void fzi_playout_findings_print(const fzi_cli *cli, fz_context *context, const fz_check *check,
                                const char *path);
/* With --record, also writes a record of each finding that has moves. The number of findings. */
size_t fzi_deep_findings_print(const fzi_cli *cli, fz_context *context, const fz_check *check,
                               const char *path);

#endif
