/* Prints the differences of two games, for `ferz diff`: as text or as JSON. Exit codes. */
#ifndef FZ_CLI_PRINT_DIFF_H
#define FZ_CLI_PRINT_DIFF_H

#include "ferz_tools.h"
#include "options.h"

typedef struct fzi_diff_texts {
    const fzi_cli *cli;
    const char *paths[2];
    fz_declarations *lists[2];
    fz_declaration_change *changes;
    size_t count;
} fzi_diff_texts;

int fzi_diff_print_rules(const fzi_diff_texts *texts);
int fzi_diff_print_behaviour(const fzi_diff_texts *texts, const fz_diff *found);

#endif
