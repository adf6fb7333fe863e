/* Instructions: their numbers, their encoding, and what opcodes.def says about them. */
#ifndef FZ_INTERP_PROGRAM_OPCODES_H
#define FZ_INTERP_PROGRAM_OPCODES_H

#include <stdbool.h>
#include <stdint.h>

enum fzi_opcode {
#define OP(name, operands, extension, flags, meaning) FZ_OP_##name,
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

enum fzi_opcode_flag_number {
#define FLAG(name, meaning) FZ_FLAG_NUMBER_##name,
#include "opcode_flags.def"
#undef FLAG
    FZ_FLAG_COUNT
};
_Static_assert(FZ_FLAG_COUNT < 32, "flags are bits of an enum");

enum fzi_opcode_flag {
#define FLAG(name, meaning) FZ_FLAG_##name = 1 << FZ_FLAG_NUMBER_##name,
#include "opcode_flags.def"
#undef FLAG
};

/* The functions accept any number: an opcode that does not exist has no name, operands, extension
 * or flags. */

/* Extension words and flags, by opcode: analyses ask for them at every instruction. */
extern const uint8_t fzi_opcode_extra[256];
extern const uint32_t fzi_opcode_flags[256];

/* Words of an instruction with its extension. */
static inline unsigned fzi_opcode_length(unsigned opcode)
{
    return opcode < 256 ? 1u + fzi_opcode_extra[opcode] : 1;
}
const char *fzi_opcode_name(unsigned opcode);
const char *fzi_opcode_operands(unsigned opcode);
const char *fzi_opcode_extension(unsigned opcode);
/* The four bytes of a `4` extension: `I` and `S` registers, `_` unused. */
const char *fzi_opcode_bytes(unsigned opcode);
/* Does the instruction have any of the flags? */
static inline bool fzi_opcode_is(unsigned opcode, unsigned flags)
{
    return opcode < 256 && (fzi_opcode_flags[opcode] & flags);
}
/* How many of its option's last bindings an EMIT instruction supplies itself. */
unsigned fzi_opcode_binds(unsigned opcode);

/* Where the instruction may jump to. */
enum { FZ_NO_JUMP = -1 };
int64_t fzi_opcode_jump(const fz_code *code);

/* Loop over the instructions of a piece of code, and of a function; `at` is declared by the
 * macros. */
#define FZI_FOR_CODE(at, program, from, past)                                                     \
    for (uint32_t at = (from); at < (past);                                                       \
         at += fzi_opcode_length(FZ_CODE_OP((program)->code[at])))
#define FZI_FOR_INSTRUCTIONS(at, program, function)                                               \
    FZI_FOR_CODE (at, program, (function)->start, (function)->end)

#endif
