/* Native functions of a program, bound through libffi: `extern fn` in a script. */
#ifndef FZ_INTERP_NATIVE_FFI_H
#define FZ_INTERP_NATIVE_FFI_H

#include "interp/support/context.h"
#include "interp/program/program.h"

typedef struct fzi_natives fzi_natives;

/* Binds all native functions of the program: those that the host has defined in the context, the others
 * from libraries in the context's native folders. FZ_REFUSED when the context does not allow native code,
 * FZ_NOT_FOUND when a library or symbol is missing; the context's message says which. */
fz_status fzi_natives_load(fz_context *context, const fz_program *program, fzi_natives **natives);
void fzi_natives_free(fzi_natives *natives);

/* What a machine calls: `user` is the fzi_natives. Integer and set arguments as the program orders them. */
bool fzi_natives_call(void *user, uint32_t index, const int64_t *ints, const uint64_t *sets,
                      int64_t *result, const char **message);

#endif
