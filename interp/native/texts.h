/* The library's own text that generated C consists of. texts.c is made by texts.awk when the
 * library is built. */
#ifndef FZ_INTERP_NATIVE_TEXTS_H
#define FZ_INTERP_NATIVE_TEXTS_H

#include "interp/program/opcodes.h"

/* By opcode: its text in the parts of the loop. NULL: it has none (TRACE). */
extern const char *const fzi_native_instructions[FZ_OP_COUNT];

/* The headers of generated C, one after the other, with the functions of api.def called through
 * fz_api; opcodes.def; the parts of the loop that are no instructions. */
extern const char fzi_native_headers[], fzi_native_opcodes[], fzi_native_macros[],
    fzi_native_begin[], fzi_native_phases[], fzi_native_playout[], fzi_native_count[],
    fzi_native_count_turn[];

/* The parts of a standalone file, in this order: the text of its first comment, ferz.h, all other
 * headers, the source files (NULL ends the list), and after the program's bytes the main program.
 * */
extern const char fzi_alone_preface[], fzi_alone_interface[], fzi_alone_headers[];
extern const char *const fzi_alone_sources[];
extern const char fzi_alone_main[];

#endif
