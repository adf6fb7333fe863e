/* A game of the command line that may have options of its own: "a.game:Size=7,Swap=true". */
#ifndef FZ_CLI_RULESET_H
#define FZ_CLI_RULESET_H

#include "session.h"

typedef struct fzi_ruleset {
    fzi_cli cli;          /* with its own options behind those of the command line */
    const char *word;     /* as it was given */
    char *path;
    fzi_session session;
} fzi_ruleset;

/* Compiles the game; its errors go to stderr. An exit code. Close it in any case. */
int fzi_ruleset_open(fzi_ruleset *ruleset, const fzi_cli *cli, const char *word);
void fzi_ruleset_close(fzi_ruleset *ruleset);

#endif
