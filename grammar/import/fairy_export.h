/* Scripts as sections of a variants.ini. */
#ifndef FZ_GRAMMAR_IMPORT_FAIRY_EXPORT_H
#define FZ_GRAMMAR_IMPORT_FAIRY_EXPORT_H

#include "interp/ferz_tools.h"

/* A game with these options as a section of a variants.ini, in `text`; or in `refused`, a line for
 * each rule that no key says, with its place. `fen`: its start position. Free both with
 * fz_text_free. */
fz_status fzi_fairy_export(fz_context *context, const char *path, const fz_setting *settings,
                           size_t setting_count, const char *fen, char **text, char **refused);

#endif
