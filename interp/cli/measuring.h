/* The games that `ferz measure` and `ferz report` play and measure. */
#ifndef FZ_CLI_MEASURING_H
#define FZ_CLI_MEASURING_H

#include "interp/lab/measure_run.h"
#include "options.h"

/* Opens the script or the archive of the command line, plays and measures the games, and calls
 * `print` if some were measured, also after an interrupt or an error. `example`: a game without a
 * board has its first game as an example. An exit code. */
int fzi_measure_games(const fzi_cli *cli, bool example,
                      int (*print)(const fzi_cli *cli, const fzi_measure_run *run));

#endif
