/* Superinstructions: one instruction of the loop for several of the program that follow each other.
 * They stand in the machine's own copy of the code, each in the place of the first of its
 * instructions; the others stay behind it as they are. docs/design.md describes them. */
#ifndef FZ_INTERP_VM_SUPERINSTRUCTIONS_H
#define FZ_INTERP_VM_SUPERINSTRUCTIONS_H

#include "machine.h"

enum fzi_superinstruction {
    FZ_SUPER_BEFORE = FZ_OP_COUNT - 1,
#define SUPER(name, first, second, third, fits, meaning) FZ_OP_##name,
#include "superinstructions.def"
#undef SUPER
    FZ_SUPER_PAST
};
_Static_assert(FZ_OP_TRACE + 1 == FZ_OP_COUNT, "what replaces instructions is behind them");
_Static_assert(FZ_SUPER_PAST <= 256, "an opcode is one byte");

#endif
