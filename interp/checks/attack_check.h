/* What `attacked` says, against the captures that the pieces' moves make. */
#ifndef FZ_INTERP_CHECKS_ATTACK_CHECK_H
#define FZ_INTERP_CHECKS_ATTACK_CHECK_H

#include "interp/cli/options.h"

typedef struct fzi_attack_check {
    fz_context *context;
    fz_machine *machine;    /* of the game itself */
    fz_program *program;    /* of a variant that lists the moves of pieces; NULL: nothing to do */
    fz_machine *lister;
    fz_state *state;
    fz_moves *moves;
    int attacked, theirs;   /* variables of the variant */
    bool said[2];
    char note[240];         /* the latest difference */
} fzi_attack_check;

/* Does nothing if the game does not ask for attacks. */
void fzi_attack_check_begin(fzi_attack_check *check, const fzi_cli *cli, fz_context *context,
                            const fz_program *program, fz_machine *machine, const char *path);
/* Compares the position, at the beginning of a turn. True, once for each way round: they differ;
 * `note` says how. */
bool fzi_attack_check_compare(fzi_attack_check *check, const fz_state *state);
void fzi_attack_check_end(fzi_attack_check *check);

#endif
