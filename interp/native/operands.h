/* The operands in the texts of instructions, as macros of generated C. */
#ifndef FZ_INTERP_NATIVE_OPERANDS_H
#define FZ_INTERP_NATIVE_OPERANDS_H

#include "interp/program/program.h"
#include "interp/support/buffer.h"

/* `name` may be that of a macro with parameters. */
void fzi_define(fzi_buffer *out, const char *name, const char *value);
void fzi_define_number(fzi_buffer *out, const char *name, uint32_t value);
/* A B C, X(n), BYTE(n) and so on of the instruction at a place; `next` is the place of the one that
 * follows. */
void fzi_define_operands(fzi_buffer *out, const fz_program *p, uint32_t at, uint32_t next);
/* TAKE(option, move): the bindings of a move of the choice go to their registers. */
void fzi_define_take(fzi_buffer *out, const fz_program *p, const fz_choice *c);

#endif
