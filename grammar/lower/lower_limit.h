/* Limits of a program's size. Inlining can make expressions and options grow without bounds. */
#ifndef FZ_GRAMMAR_LOWER_LOWER_LIMIT_H
#define FZ_GRAMMAR_LOWER_LOWER_LIMIT_H

#include "lower.h"

/* Reports more than `most` of something: fzi_at_most(..., "the game", 17, "players", 16). */
bool fzi_at_most(const fzi_game *game, fzi_span span, const char *what, unsigned count,
                 const char *of, unsigned most);
/* Begins elaborating a part of the text. False, after reporting it once, if the nesting is too deep
 * or the game too large. After true, call fzi_lower_leave. */
bool fzi_lower_enter(fzi_lower *lw, fzi_span span);
void fzi_lower_leave(fzi_lower *lw);
/* Reports, once, an expression that is too large or too deep to go on with. */
bool fzi_ir_fits(fzi_lower *lw, const fzi_ir *ir, fzi_span span);

#endif
