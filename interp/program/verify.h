/* Is a program fit to run? The loop checks only what depends on values; everything else is looked
 * at here, once, so that a damaged or hostile file is refused instead of reading outside of its
 * tables. */
#ifndef FZ_INTERP_PROGRAM_VERIFY_H
#define FZ_INTERP_PROGRAM_VERIFY_H

#include "interp/support/context.h"
#include "program.h"

/* True if it is; else `message` says what is wrong: "" that memory is short. program->topology may
 * still be NULL. */
bool fzi_verify(const fz_program *program, fzi_allocator allocator, char *message, size_t size);

#endif
