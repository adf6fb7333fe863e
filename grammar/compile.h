/* Checked trees that outlive their compile, for tools that answer questions about a script. ferz.h
 * has the compiler's other entries. The next stage is grammar/query/. */
#ifndef FZ_GRAMMAR_COMPILE_H
#define FZ_GRAMMAR_COMPILE_H

#include "ferz.h"
#include "grammar/check/check.h"

/* The analysis of a text, which may have mistakes. It lives until it is freed. */
typedef struct fzi_analysis {
    fzi_arena *arena; /* set its handler before anything is allocated in it */
    fzi_sources *sources; /* the text is the first: number 1 */
    fzi_diags *diags; /* sorted */
    fzi_unit *unit;   /* NULL: the text has no header */
    fzi_game *game;   /* NULL if there is no unit; declarations with mistakes may be missing */
} fzi_analysis;
enum { FZI_OWN_SOURCE = 1 };

/* Loads and checks a text in place of the file at `path`. `is_whole`: lowers it, too, so the
 * diagnostics are those of fz_compile. `probe`: NULL, or filled by the checker (check.h). NULL if
 * memory is short, or the text is too large or takes too long: the context's message says so. */
fzi_analysis *fzi_analyse(fz_context *context, const char *path, const char *text, size_t length,
                          fzi_probe *probe, bool is_whole);
/* The same for the file of a game whose options are chosen, as fz_compile reports it. */
fzi_analysis *fzi_analyse_game(fz_context *context, const char *path, const fz_setting *settings,
                               size_t setting_count);
void fzi_analysis_free(fzi_analysis *analysis);

#endif
