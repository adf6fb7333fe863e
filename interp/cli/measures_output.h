/* Measures as text, JSON and CSV. */
#ifndef FZ_CLI_MEASURES_OUTPUT_H
#define FZ_CLI_MEASURES_OUTPUT_H

#include "session.h"
#include "interp/measures/measures.h"

typedef struct fzi_measures_page {
    const fzi_session *session;
    fzi_lines lines;
    fzi_measures measures;
    unsigned rollouts;
    bool has_depth;
    fzi_estimate depth;       /* strategic depth, in Elo */
} fzi_measures_page;

/* In the format of the command line; an exit code. */
int fzi_measures_print(const fzi_measures_page *page);

#endif
