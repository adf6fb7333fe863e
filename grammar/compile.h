/* Checked trees that outlive their compile, for tools that answer questions about a script. ferz.h
 * has the compiler's other entries. The next stage is grammar/query/. */
#ifndef FZ_GRAMMAR_COMPILE_H
#define FZ_GRAMMAR_COMPILE_H

#include "ferz.h"
#include "grammar/check/check.h"

/* What is known about a text, mistakes or not. It lives until it is freed. */
typedef struct fzi_analysis {
    fzi_arena *arena; /* set its handler before anything is allocated in it */
    fzi_sources *sources; /* the text is the first: number 1 */
    fzi_diags *diags; /* sorted */
    fzi_unit *unit;   /* NULL: the text has no header */
    fzi_game *game;   /* NULL if there is no unit; declarations with mistakes may be missing */
} fzi_analysis;
enum { FZI_OWN_SOURCE = 1 };

/* Loads and checks a text that stands for the file at `path`. `is_whole`: reports also what only
 * lowering finds, so the diagnostics are those of fz_compile. `probe`: NULL, or what the checker
 * fills (check.h). NULL if memory is short or the text is too large. */
fzi_analysis *fzi_analyse(fz_context *context, const char *path, const char *text, size_t length,
                          fzi_probe *probe, bool is_whole);
/* The same for the file of a game whose options are chosen, as fz_compile reports it. */
fzi_analysis *fzi_analyse_game(fz_context *context, const char *path, const fz_setting *settings,
                               size_t setting_count);
void fzi_analysis_free(fzi_analysis *analysis);

#endif
