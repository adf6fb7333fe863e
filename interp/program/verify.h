/* The verifier. It checks once all that does not depend on values, so that a damaged or hostile
 * file is refused; the loop checks only the rest. */
#ifndef FZ_INTERP_PROGRAM_VERIFY_H
#define FZ_INTERP_PROGRAM_VERIFY_H

#include "interp/support/context.h"
#include "program.h"

/* True if the program is sound. Otherwise `message` says why; "" if memory is short.
 * program->topology may be NULL. */
bool fzi_verify(const fz_program *program, fzi_allocator allocator, char *message, size_t size);

#endif
