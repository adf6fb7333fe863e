/* The C back end: a program as C, made with the very text of the loop (the vm_*.inc.h), compiled
 * by the system's compiler and loaded. docs/design.md, "Native code". */
#ifndef FZ_INTERP_NATIVE_NATIVE_H
#define FZ_INTERP_NATIVE_NATIVE_H

#include "interp/support/buffer.h"
#include "interp/vm/engine.h"

enum { FZ_NATIVE_PARTS = 64, /* at most */
       FZ_MAX_OBJECT = 40 };

/* Adds C of the whole program to the buffer. It defines
 *   const unsigned long ferz_native_check      sizes of what it shares with libferz
 *   void ferz_native_bind(void *const *api)    before anything else: fzi_native_api
 *   fzi_end ferz_native_run(fz_machine *, fzi_run *)    in the place of the machine's loop
 *   void ferz_native_games(fz_machine *, fzi_run *, fzi_games *)    if it plays whole games
 *   bool ferz_native_count(fz_machine *, fz_state *, uint32_t, uint64_t *)    if it counts turns
 * in `parts` functions. With -DFERZ_PART=n only the n-th is defined (the first together with the
 * symbols above), so that the parts can be compiled in parallel and linked. Part number `playouts`
 * plays whole games; 0: none does. `small`: it has few instructions. False when memory is short. */
bool fzi_native_generate(const fz_program *program, fzi_buffer *out, unsigned *parts,
                         unsigned *playouts, bool *small);

/* The same as fzi_native_generate as a part of a file that has the library's own text in it:
 * functions are called directly, and the texts of moves are in it too, as there is no loop. */
bool fzi_native_generate_alone(const fz_program *program, fzi_buffer *out);
/* Does it call functions of native libraries? */
bool fzi_native_calls_out(const fz_program *program);

/* Adds types for the parts of a block, for ops_board.h (block_parts.c). `whole`: the number of the
 * part of the C in which they are locals, in no struct; 0: none. */
void fzi_native_block(const fz_program *program, unsigned whole, fzi_buffer *out);
/* Adds the program's tables as constants (constant_data.c). */
void fzi_native_data(const fz_machine *machine, fzi_buffer *out);

/* The making of a program's native code. It begins with zeros and the allocator of its text. Only
 * fzi_native_prepare reads the program, so the rest may be done in another thread. */
typedef struct fzi_native_job {
    fzi_buffer text;             /* C; empty: not prepared */
    unsigned parts, playouts;    /* see fzi_native_generate */
    const struct fzi_levels *level;
    bool small;                  /* its whole games are compiled with more effort */
    const char *const *processor;
    char object[FZ_MAX_OBJECT];  /* the library's name in the cache */
    fz_cancel cancel;            /* the compiler is to end */
    char why[512];               /* what failed */
    void *handle;                /* of the library, once it is loaded */
    fzi_engine *run;
    fzi_games_engine *games;     /* NULL: it plays no whole games */
    fzi_count_engine *count;     /* NULL: it does not count turns */
} fzi_native_job;

/* Writes the text and names the library; once. */
fz_status fzi_native_prepare(fzi_native_job *job, const fz_program *program);
/* Loads the library from the cache; `make`: compiles it if it is not there. FZ_NOT_FOUND: it is not
 * there, or there is no compiler. FZ_REFUSED: compiling or loading failed. */
fz_status fzi_native_load(fzi_native_job *job, bool make);
/* Frees the text and unloads the library. */
void fzi_native_job_clear(fzi_native_job *job);

extern void *const fzi_native_api[];
unsigned long fzi_native_check(void);

#endif
