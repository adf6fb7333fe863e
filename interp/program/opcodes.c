/* The rows of opcodes.def as functions, for code that reads instructions without running them. */
#include "opcodes.h"

#include <string.h>

typedef struct description {
    const char *name, *operands, *extension, *bytes;
} description;

enum { /* as opcodes.def names them */
    PURE = 0,
#define FLAG(name, meaning) name = FZ_FLAG_##name,
#include "opcode_flags.def"
#undef FLAG
};

static const description descriptions[] = {
#define OP(name, operands, extension, flags, meaning) {#name, operands, extension, "____"},
#define OP4(name, operands, extension, bytes, flags, meaning) \
    {#name, operands, extension, bytes},
#include "opcodes.def"
#undef OP
};

const uint8_t fzi_opcode_extra[256] = {
#define OP(name, operands, extension, flags, meaning) \
    [FZ_OP_##name] = (uint8_t)sizeof(extension) - 1,
#include "opcodes.def"
#undef OP
};

const uint32_t fzi_opcode_flags[256] = {
#define OP(name, operands, extension, flags, meaning) [FZ_OP_##name] = flags,
#include "opcodes.def"
#undef OP
};

#define PART_OF(part, otherwise)                                                                  \
    const char *fzi_opcode_##part(unsigned opcode)                                                \
    {                                                                                             \
        return opcode < FZ_OP_COUNT ? descriptions[opcode].part : otherwise;                      \
    }
PART_OF(name, "?")
PART_OF(operands, "___")
PART_OF(extension, "")
PART_OF(bytes, "____")

int64_t fzi_opcode_jump(const fz_code *code)
{
    const char *more = fzi_opcode_extension(FZ_CODE_OP(*code)), *jump = strchr(more, 'J');
    return jump ? (int64_t)code[1 + (jump - more)] : FZ_NO_JUMP;
}

unsigned fzi_opcode_binds(unsigned opcode)
{
    return fzi_opcode_is(opcode, FZ_FLAG_BINDS2) ? 2
         : fzi_opcode_is(opcode, FZ_FLAG_BINDS1) ? 1
                                                 : 0;
}
