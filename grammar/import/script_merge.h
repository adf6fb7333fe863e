/* Several scripts of a game as one with options. */
#ifndef FZ_GRAMMAR_IMPORT_SCRIPT_MERGE_H
#define FZ_GRAMMAR_IMPORT_SCRIPT_MERGE_H

#include "script_settings.h"

/* Where the declarations of the options belong in the script that is made. */
#define FZ_OPTIONS_HERE "\1"

/* One script that is, in each setting, the script of this setting. Options whose titles have a
 * number that the scripts have, too, become numbers. NULL: it would be too much work. */
const char *fzi_merge_scripts(fzi_arena *arena, fzi_script_settings *settings,
                              const char *const *texts);

#endif
