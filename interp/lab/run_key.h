/* An experiment: all that determines the games of a run, and the names that its report needs. It is
 * a JSON object, so that shard files and archives hold it as it is:
 *
 *   ferz          the version
 *   program       the fingerprint of its texts
 *   game, players, one_side, payoffs    as the program says
 *   options       all options of the game with their values
 *   agents        descriptions; null: random moves
 *   limits        those that are set
 *   position      where the games begin; null: at the beginning
 *   branching     whether legal moves are counted
 *   seed          as text: a number of 64 bits
 *   playouts      how many there are in all
 *   measures      {"rollouts", "influence"}; only if the games are measured
 *   script, given, repeatable           for reports only: where the script lay, the options that
 *                 were set, and whether no agent's time is limited */
#ifndef FZ_INTERP_LAB_RUN_KEY_H
#define FZ_INTERP_LAB_RUN_KEY_H

#include "setup.h"

#include <jansson.h>
#include "ferz.h"

/* `repeatable`: no agent's time is limited. NULL: the context's message says why. */
json_t *fzi_experiment_of(const fzi_setup *setup, bool repeatable);

/* Adds the member `measures`. */
void fzi_experiment_measures(json_t *experiment, const fz_measure_options *options);

/* Compares what determines the games. NULL: nothing differs; otherwise what does, such as "other
 * options: {} and {\"Size\": \"5\"}", into `text`. */
enum { FZI_DIFFERENCE_SIZE = 400 };
const char *fzi_experiment_difference(const json_t *one, const json_t *other,
                                      char text[FZI_DIFFERENCE_SIZE]);
bool fzi_experiment_is_same(const json_t *one, const json_t *other);
/* Is this an experiment, all of whose members have the right types? Files may hold anything. */
bool fzi_experiment_is_whole(const json_t *experiment);
/* Has an archive the use of the board of its games? That of a study has. */
bool fzi_experiment_has_use(const json_t *experiment);
/* From now on it has not. */
void fzi_experiment_forget_use(json_t *experiment);

/* The options of a run of the experiment; `run` points to the others and into the experiment. */
typedef struct fzi_experiment_options {
    fz_setting *settings; /* from the context's allocator */
    fz_limits limits;
    fz_run_options run;
} fzi_experiment_options;
fz_status fzi_experiment_run(const json_t *experiment, fz_context *context,
                             fzi_experiment_options *into);

uint64_t fzi_experiment_seed(const json_t *experiment);
uint64_t fzi_experiment_playouts(const json_t *experiment);
unsigned fzi_experiment_players(const json_t *experiment);
const char *fzi_experiment_player(const json_t *experiment, unsigned player);
/* A member that is a text; "" if it is null. */
const char *fzi_experiment_text(const json_t *experiment, const char *member);
bool fzi_experiment_is(const json_t *experiment, const char *member);

/* ---- fingerprint.c: SHA-256, for telling whether programs and files are the same ---- */

enum { FZI_FINGERPRINT_SIZE = 65 }; /* hexadecimal, with the NUL */

/* Of bytes. */
void fzi_fingerprint(const char *bytes, size_t length, char text[FZI_FINGERPRINT_SIZE]);
/* Of all texts that the program was compiled from, each with its length before it; the paths do not
 * count. */
void fzi_fingerprint_program(const fz_program *program, char text[FZI_FINGERPRINT_SIZE]);

#endif
