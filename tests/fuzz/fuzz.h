/* What the fuzz targets share. A target is a function of bytes; libFuzzer calls it, or main.c here,
 * which replays files (and is what AFL runs: `ferz-fuzz-script @@`). What may never happen ends in
 * abort(). */
#ifndef FZ_FUZZ_H
#define FZ_FUZZ_H

#include "ferz.h"
#include "interp/program/program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
/* A folder `stdlib` beside the program takes the place of that of the sources. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
/* The path of games/..., stdlib/... or tests/... */
void fuzz_path(char *path, size_t size, const char *name);

/* Is this one of the inputs that are looked at closely? One of so many, chosen by its bytes, so
 * that a find can be repeated; all when files are replayed. What was compiled is then also played,
 * explained, drawn and written, which takes a hundred times as long as reading it. */
bool fuzz_closely(const uint8_t *data, size_t size, unsigned one_of);
extern bool fuzz_replays;

/* Bounds that keep a run short. */
extern const fz_limits fuzz_limits;

/* A context that finds the standard library and nothing else, and has no large blocks of memory. */
fz_context *fuzz_context(void);
void fuzz_want(bool holds, const char *what);

/* Plays so many plies of a program, looking at everything on the way. Strict: what the compiler has
 * made also keeps its promises, such as reading back every text that it writes. */
void fuzz_play(fz_context *context, fz_program *program, int plies, bool strict);

/* Asks it for every text and count that there is. */
void fuzz_tour(fz_context *context, fz_program *program);

/* The tests in a compiled file, unless they count for ever. */
void fuzz_run_tests(fz_context *context, const fz_program *program, const char *bytes, size_t size);

/* For targets that read a text: the first byte says which shipped game, the second how many random
 * moves have been made in it, the rest is the text. */
typedef struct fuzz_input {
    fz_context *context;
    fz_machine *machine;
    fz_state *state;
    char *text;
} fuzz_input;
bool fuzz_input_begin(fuzz_input *input, const uint8_t *data, size_t size);
void fuzz_input_end(fuzz_input *input);
/* The state writes itself as a text from which another becomes the same. */
void fuzz_write_and_read(fz_context *context, fz_machine *machine, const fz_state *state);

#endif
