/* Native functions of a program, bound through libffi: `extern fn` in a script. */
#ifndef FZ_INTERP_NATIVE_FFI_H
#define FZ_INTERP_NATIVE_FFI_H

#include "interp/support/context.h"
#include "interp/program/program.h"

/* Binds all native functions of the program, as an fzi_natives (vm/engine.h), from libraries in the
 * context's native folders. FZ_REFUSED when the context does not allow native code, FZ_NOT_FOUND
 * when a library or symbol is missing; the context's message says which. */
fz_status fzi_natives_load(fz_context *context, const fz_program *program,
                           fzi_attachment **natives);

/* Attaches the choice of an engine, an fzi_compiled (engine_choice.c): `auto`, or what $FERZ_ENGINE
 * says. FZ_NO_MEMORY. */
fz_status fzi_engine_attach(fz_context *context, fz_program *program);

#endif
