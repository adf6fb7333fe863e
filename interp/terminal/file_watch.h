/* The files that a command has read, and waiting until one of them changes. */
#ifndef FZ_INTERP_TERMINAL_FILE_WATCH_H
#define FZ_INTERP_TERMINAL_FILE_WATCH_H

#include "ferz_tools.h"

typedef struct fzi_watched_file fzi_watched_file;
typedef struct fzi_watched {
    fzi_watched_file *items;
    size_t count, capacity;
} fzi_watched;

/* Notes each file that the context reads from now on, also those that are not there. The context
 * needs it as long. */
void fzi_watched_begin(fzi_watched *watched, fz_context *context);
/* Has one of the files been written, replaced, removed or made since then? */
bool fzi_watched_changed(const fzi_watched *watched);
/* Waits until one of the files is written, replaced, removed or made. */
void fzi_watched_wait(const fzi_watched *watched);
void fzi_watched_clear(fzi_watched *watched);

#endif
