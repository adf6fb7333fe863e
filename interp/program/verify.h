/* Is a program fit to run? The loop checks only what depends on values; everything else is looked
 * at here, once, so that a damaged or hostile file is refused instead of reading outside of its
 * tables. */
#ifndef FZ_INTERP_PROGRAM_VERIFY_H
#define FZ_INTERP_PROGRAM_VERIFY_H

#include "interp/support/context.h"
#include "program.h"

/* True if it is; else `message` says what is wrong: "" that memory is short. program->topology may still
 * be NULL. */
bool fzi_verify(const fz_program *program, fzi_allocator allocator, char *message, size_t size);

/* Words of an instruction with its extension; 1 for an opcode that is none. */
unsigned fzi_opcode_length(unsigned opcode);
const char *fzi_opcode_name(unsigned opcode);
const char *fzi_opcode_operands(unsigned opcode);
const char *fzi_opcode_extension(unsigned opcode);
/* Nothing goes on to the instruction behind it. */
bool fzi_opcode_ends(unsigned opcode);
/* What the four bytes of a `4` extension are: `I` and `S` registers, `_` unused. */
const char *fzi_opcode_bytes(unsigned opcode);

#endif
