/* Prints the measures of games for `ferz measure` and `ferz merge`. */
#ifndef FZ_CLI_PRINT_MEASURES_H
#define FZ_CLI_PRINT_MEASURES_H

#include "interp/lab/measures_page.h"
#include "options.h"

/* In the format of the command line; an exit code. */
int fzi_measures_print(const fzi_cli *cli, const fzi_measures_page *page);

#endif
