/* Learning an evaluation by self-play: learning.c plays and corrects the weights, learning_begin.c
 * finds out what there is to see, evaluation_file.c keeps it. */
#ifndef FZ_INTERP_LAB_LEARNING_H
#define FZ_INTERP_LAB_LEARNING_H

#include "lab.h"

#include "interp/agents/learned.h"

/* An evaluation that is being learned. */
typedef struct fzi_learning {
    const fzi_setup *setup;
    fz_machine *machine;      /* draws chance */
    fzi_learned *learned;
    uint64_t seed, games;     /* that it has learned from: streams 0 .. games - 1 of the seed */
    /* Of each weight, the sum of its errors and of their amounts: where the errors are of both
     * signs, it changes slowly (temporal coherence). */
    float *sums, *amounts;
    fz_state *state, *after;  /* the second borrows the first one's history */
    fz_moves *moves;
    struct fzi_step *steps;   /* of the game that is played */
    size_t step_count, step_room;
    uint32_t *seen;           /* weights that the steps show */
    size_t seen_count, seen_room;
} fzi_learning;

/* What a game told. */
typedef struct fzi_lesson {
    double error;             /* mean squared difference between values and the result */
    double first;             /* result of the first player's side, 0 to 1 */
    size_t decisions;
} fzi_lesson;

/* Begins with the seed of the setup. FZ_REFUSED: this game cannot be learned. The context's message
 * says why. Clear it in any case. */
fz_status fzi_learning_begin(fzi_learning *learning, const fzi_setup *setup);
/* Goes on from a file that fzi_learning_text has made, with its seed. */
fz_status fzi_learning_resume(fzi_learning *learning, const fzi_setup *setup, const char *path);
void fzi_learning_clear(fzi_learning *learning);

/* Plays the next game and learns from it. FZ_RUNTIME: a rule failed, so it teaches nothing; the
 * next game can be played. FZ_NOT_FOUND: cancelled in the middle of a game, which does not count.
 */
fz_status fzi_learning_play(fzi_learning *learning, fzi_lesson *lesson);

/* ---- learning_begin.c ---- */

/* Random games show which pieces there are and which values variables take, and, with the rules,
 * which symmetries hold. Makes learning->learned. */
fz_status fzi_learning_look(fzi_learning *learning);

/* ---- evaluation_file.c ---- */

/* The evaluation as a text, to be freed with fz_text_free. docs/agents.md describes the format. */
fz_status fzi_learning_text(const fzi_learning *learning, char **text);
/* Reads an evaluation of the program. `learning`: also reads how to go on; NULL. On failure the
 * context's message says why: FZ_NOT_FOUND, FZ_BAD_INPUT, FZ_REFUSED (it is of another game),
 * FZ_NO_MEMORY. */
fz_status fzi_evaluation_read(fz_context *context, const fz_program *program, const char *path,
                              fzi_learned **learned, fzi_learning *learning);

#endif
