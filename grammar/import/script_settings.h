/* The options of a script that is made of several, and what texts of the script say of them: in
 * which settings something holds, and numbers that depend on the setting. */
#ifndef FZ_GRAMMAR_IMPORT_SCRIPT_SETTINGS_H
#define FZ_GRAMMAR_IMPORT_SCRIPT_SETTINGS_H

#include "importer.h"

enum { FZ_MOST_OPTIONS = 8, FZ_MOST_VALUES = 64, FZ_MOST_SETTINGS = 400 };

enum fzi_option_kind { FZ_VALUES_NAMED, FZ_VALUES_BOOL, FZ_VALUES_NUMBERS };

typedef struct fzi_script_option {
    enum fzi_option_kind kind;
    const char *name;
    const char *titles[FZ_MOST_VALUES]; /* of the values, in the foreign file */
    const char *names[FZ_MOST_VALUES];  /* in the script: of FZ_VALUES_NAMED */
    long numbers[FZ_MOST_VALUES];       /* of FZ_VALUES_BOOL and FZ_VALUES_NUMBERS */
    size_t count, preset;
} fzi_script_option;

typedef struct fzi_script_settings {
    fzi_arena *arena;
    fzi_script_option options[FZ_MOST_OPTIONS];
    size_t option_count;
    size_t count; /* of settings: one for each choice of values; the last option's change first */
} fzi_script_settings;

/* Some values of each option: a set of settings. */
typedef struct fzi_box {
    uint64_t values[FZ_MOST_OPTIONS];
} fzi_box;

/* All settings. Sets `count`. */
fzi_box fzi_all_settings(fzi_script_settings *s);
/* The value that a setting has of an option. */
size_t fzi_setting_value(const fzi_script_settings *s, size_t setting, size_t option);
bool fzi_box_has(const fzi_script_settings *s, const fzi_box *box, size_t setting);
/* The first setting of a box. */
size_t fzi_box_first(const fzi_script_settings *s, const fzi_box *box);
/* Does the key, of which each setting has one, depend on the option? Keys are compared as pointers.
 */
bool fzi_depends(const fzi_script_settings *s, const fzi_box *box, const char *const *keys,
                 size_t option);
/* A condition of the script that holds in the settings of the box that have the key. */
const char *fzi_settings_where(const fzi_script_settings *s, const fzi_box *box,
                               const char *const *keys, const char *key);
/* An expression with this value in each setting of the box; NULL: it is no sum of options that are
 * numbers. */
const char *fzi_sum_of_options(const fzi_script_settings *s, const fzi_box *box,
                               const long *numbers);
/* A title as a name: `Flying Kings` as FlyingKings. */
const char *fzi_option_name(fzi_arena *arena, const char *title);
/* `Name=Value` of the option. */
const char *fzi_option_setting(const fzi_script_settings *s, size_t option, size_t value);
/* The declarations of the options. */
const char *fzi_declared_options(const fzi_script_settings *s);

#endif
