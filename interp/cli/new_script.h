/* Texts of new scripts, for `ferz new`. */
#ifndef FZ_CLI_NEW_SCRIPT_H
#define FZ_CLI_NEW_SCRIPT_H

#include "ferz.h"

typedef struct fzi_new_script {
    fz_context *context;
    const char *path;
    fz_report *report; /* of the latest text that was compiled; the caller frees it */
} fzi_new_script;

/* A script that is valid and passes its test, to be freed with free; NULL if no skeleton fits:
 * `report` may say why. Without a board or players (NULL), the usual ones. */
char *fzi_new_game(fzi_new_script *script, const char *board, const char *players);
char *fzi_new_variant(fzi_new_script *script, const char *base);

#endif
