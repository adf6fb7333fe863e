/* What opcodes.def says of each instruction, for those that read code without running it. */
#include "opcodes.h"

typedef struct description {
    const char *name, *operands, *extension;
} description;

static const description descriptions[] = {
#define OP(name, operands, extension, effect, meaning) {#name, operands, extension},
#include "opcodes.def"
#undef OP
};

unsigned fzi_opcode_length(unsigned opcode)
{
    unsigned length = 1;
    for (const char *e = fzi_opcode_extension(opcode); *e; e++)
        length++;
    return length;
}

const char *fzi_opcode_name(unsigned opcode)
{
    return opcode < FZ_OP_COUNT ? descriptions[opcode].name : "?";
}

const char *fzi_opcode_operands(unsigned opcode)
{
    return opcode < FZ_OP_COUNT ? descriptions[opcode].operands : "___";
}

const char *fzi_opcode_extension(unsigned opcode)
{
    return opcode < FZ_OP_COUNT ? descriptions[opcode].extension : "";
}

const char *fzi_opcode_bytes(unsigned opcode)
{
    switch (opcode) {
    case FZ_OP_WALK: case FZ_OP_LEAP: case FZ_OP_FLOOD: case FZ_OP_LINE:
        return "I___";
    case FZ_OP_SLIDE: case FZ_OP_CONNECTED: case FZ_OP_FLANKED: case FZ_OP_FLANKING:
        return "SI__";
    case FZ_OP_RIDE:
        return "IS__";
    case FZ_OP_LINE_AT:
        return "II__";
    case FZ_OP_EMIT_SLIDES:
        return "S___";
    default:
        return "____";
    }
}

bool fzi_opcode_ends(unsigned opcode)
{
    switch (opcode) {
    case FZ_OP_JUMP: case FZ_OP_TAILCALL: case FZ_OP_RETURN: case FZ_OP_IRETURN: case FZ_OP_SRETURN:
    case FZ_OP_STOP: case FZ_OP_WIN: case FZ_OP_LOSE: case FZ_OP_DRAW: case FZ_OP_RANK:
    case FZ_OP_DECIDE: case FZ_OP_VERDICT: case FZ_OP_TEXT_END:
        return true;
    default:
        return false;
    }
}
