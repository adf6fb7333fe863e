/* Instructions: their numbers, their encoding, and what opcodes.def says about them. */
#ifndef FZ_INTERP_PROGRAM_OPCODES_H
#define FZ_INTERP_PROGRAM_OPCODES_H

#include <stdbool.h>
#include <stdint.h>

enum fzi_opcode {
#define OP(name, operands, extension, effect, meaning) FZ_OP_##name,
#include "opcodes.def"
#undef OP
    FZ_OP_COUNT
};
_Static_assert(FZ_OP_COUNT <= 256, "an opcode is one byte");

/* An instruction: opcode | a << 8 | b << 16 | c << 24. */
typedef uint32_t fz_code;
#define FZ_CODE(op, a, b, c)                                                                      \
    ((fz_code)(op) | (fz_code)(a) << 8 | (fz_code)(b) << 16 | (fz_code)(c) << 24)
#define FZ_CODE_OP(w) ((w)&0xff)
#define FZ_CODE_A(w) ((w) >> 8 & 0xff)
#define FZ_CODE_B(w) ((w) >> 16 & 0xff)
#define FZ_CODE_C(w) ((w) >> 24)

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
