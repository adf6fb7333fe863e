/* Compiled files: a program as bytes, the same on every machine. After a head (magic, version,
 * fingerprint of the instruction set, length, checksum) come all arrays of fz_program, numbers with
 * their low byte first. What is loaded is checked part by part and then by the verifier, so that a
 * damaged or hostile file is refused and never run. */
#ifndef FZ_INTERP_PROGRAM_PROGRAM_FILE_H
#define FZ_INTERP_PROGRAM_PROGRAM_FILE_H

#include "interp/support/context.h"
#include "program.h"

#define FZ_GAMEC_MAGIC "FZGC"
enum { FZ_GAMEC_VERSION = 10, FZ_GAMEC_HEAD = 32 }; /* bytes of the head */

/* FZ_BAD_INPUT, with the reason in the context's message, when the bytes are no sound program.
 * Native functions are not bound yet. */
fz_status fzi_gamec_load(fz_context *context, const char *path, const char *bytes, size_t length,
                         fz_program **program);

/* Makes the head fit the bytes after it. For tests that damage those. */
void fzi_gamec_seal(char *bytes, size_t length);

#endif
