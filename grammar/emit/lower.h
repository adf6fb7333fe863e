/* Lowering of a checked game, for grammar/compile.c. */
#ifndef FZ_GRAMMAR_EMIT_LOWER_H
#define FZ_GRAMMAR_EMIT_LOWER_H

#include "grammar/ir/lowering.h"

/* The purpose of a program: `why`, coverage and stepping need more than the games. */
enum fzi_purpose { FZI_FOR_GAMES, FZI_FOR_WHY, FZI_FOR_COVERAGE, FZI_FOR_STEPS };

/* Lowers a checked game, with all optimisations except those whose bits `without` has. `print`:
 * what a program for stepping prints, or NULL. Returns NULL if there were errors. The program is
 * `lw->build.program`: its arrays live in the arena. Its topology comes from `allocator`; the
 * caller frees it, also after an error. */
const fz_program *fzi_lower_game(fzi_lower *lw, fzi_game *game, uint32_t without,
                                 enum fzi_purpose purpose, const fzi_print *print,
                                 const fzi_allocator *allocator);

#endif
