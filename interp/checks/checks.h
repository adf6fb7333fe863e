/* What the checks of a game share: the findings, and the comparisons that the deep check makes at
 * each position. game_check.c (fz_check_game) runs the checks. */
#ifndef FZ_INTERP_CHECKS_CHECKS_H
#define FZ_INTERP_CHECKS_CHECKS_H

#include "interp/program/program.h"
#include "interp/support/context.h"

enum { FZI_NOTE_SIZE = 320 };

typedef struct fzi_finding {
    fz_finding shown;          /* its message is `note` */
    char key[FZI_NOTE_SIZE];   /* the deep check keeps one finding for each */
    char note[FZI_NOTE_SIZE];
    uint32_t plies;
    char *record;
} fzi_finding;

struct fz_check {
    fz_context *context;
    char *path;
    fz_report *report;
    fz_program *program;
    fzi_finding *findings;
    size_t count, room;
    fz_coverage coverage;
    fz_tally tally;
    uint64_t positions;
    char message[256];
    bool no_memory;
};

/* ---- findings.c ---- */

/* A new finding without a place; NULL when memory is short, which the check remembers. */
fzi_finding *fzi_check_add(fz_check *check, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- playout_check.c: rules that never ran, games that do not end, unequal chances ---- */

/* FZ_RUNTIME: a game failed, and check->message says why. */
fz_status fzi_check_playouts(fz_check *check, const fz_check_options *options);

/* ---- deep_check.c: what must hold in every position ---- */

fz_status fzi_check_deep(fz_check *check, const fz_check_options *options,
                         const fz_setting *settings, size_t setting_count);

/* ---- symmetry_check.c: a game with a mirrored set-up should treat both players alike ---- */

typedef struct fzi_mirror {
    const fz_program *program;
    fz_machine *machine;
    /* Ways of mirroring: the rows in reverse order, and a half turn. */
    uint16_t image[2][FZ_MAX_SITES];
    bool fits[2];        /* the set-up is the same for the other player */
    bool differs[2];     /* a position has been found that treats the players unequally */
    fz_state *ours, *theirs, *after;
    fz_moves *moves;
    uint64_t rolls;      /* where the stream of chance begins that both positions use */
    char note[240];      /* the latest difference */
} fzi_mirror;

/* Finds out whether the beginning of the game is mirrored. */
void fzi_mirror_begin(fzi_mirror *mirror, fz_machine *machine, const fz_state *start);
/* Compares the position, at the beginning of a turn, with its mirror image: the number of moves;
 * with `results`, also where they lead. True, once: every way of mirroring has been found unequal;
 * `note` says how. */
bool fzi_mirror_compare(fzi_mirror *mirror, const fz_state *state, bool results);
void fzi_mirror_end(fzi_mirror *mirror);

/* ---- attack_check.c: `attacked` agrees with the captures of the pieces' moves ---- */

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
void fzi_attack_check_begin(fzi_attack_check *attacks, const fz_check *check, fz_machine *machine,
                            const fz_limits *limits, const fz_setting *settings,
                            size_t setting_count);
/* Compares the position, at the beginning of a turn. True, once for each way round: they differ;
 * `note` says how. */
bool fzi_attack_check_compare(fzi_attack_check *check, const fz_state *state);
void fzi_attack_check_end(fzi_attack_check *check);

/* ---- leak_check.c: no player can find out what is hidden from it ---- */

typedef struct fzi_leak {
    char key[FZI_NOTE_SIZE], note[FZI_NOTE_SIZE];
    const char *path;       /* of the program; NULL: it has no place */
    unsigned line, column;
} fzi_leak;

/* `state`: the position that shows the leak. */
typedef void fzi_leak_found(void *user, const fz_state *state, const fzi_leak *leak);

typedef struct fzi_leak_check fzi_leak_check;

/* NULL: the game hides nothing, or memory is short. Calls `found` for each leak, also again for the
 * same. */
fzi_leak_check *fzi_leak_check_new(fz_machine *machine, const fz_limits *limits, uint64_t seed,
                                   fzi_leak_found *found, void *user);
/* What the set-up reveals. */
void fzi_leak_check_setup(fzi_leak_check *check, uint64_t seed);
/* From now on comparisons may try so many events. */
void fzi_leak_check_allow(fzi_leak_check *check, uint64_t work);
/* Compares a position that waits for a move, of a game from fz_record_begin. */
void fzi_leak_check_compare(fzi_leak_check *check, const fz_state *state);
void fzi_leak_check_free(fzi_leak_check *check);

#endif
