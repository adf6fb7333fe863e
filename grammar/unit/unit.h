/* A unit: everything one game is made of, after modules, options and variants are resolved and
 * before names are looked up. Text → tree (parse.h) → unit (here) → checked program (check.h). */
#ifndef FZ_GRAMMAR_UNIT_UNIT_H
#define FZ_GRAMMAR_UNIT_UNIT_H

#include "grammar/source/diagnostics.h"
#include "grammar/syntax/tree.h"

/* Reads files for a compile. `read` fills text (from the arena) and length; false: cannot be
 * read. */
typedef struct fzi_reader {
    bool (*read)(void *user, const char *path, fzi_arena *arena, const char **text,
                 size_t *length);
    void *user;
    const char *const *module_dirs; /* searched after the folder of the file itself, in order */
    size_t module_dir_count;
} fzi_reader;

/* A choice made outside the script: `-o Name=Value`, or `set` in a test. */
typedef struct fzi_setting {
    const char *name;
    const char *value; /* the name of a value, a number, true or false */
} fzi_setting;

enum fzi_option_kind { FZ_OPTION_NAMED, FZ_OPTION_NUMBER, FZ_OPTION_SWITCH };

typedef struct fzi_option {
    const char *name;
    const fzi_node *node;      /* D_OPTION */
    enum fzi_option_kind kind;
    int64_t low, high;         /* FZ_OPTION_NAMED: 0 .. count - 1 */
    int64_t chosen, initial;   /* the value in force; the value that the text says */
    int64_t tested; /* the value that tests are about unless they say otherwise: the files' */
} fzi_option;

/* What a variant, or a file above its modules, took away or replaced. */
typedef struct fzi_change {
    const fzi_node *old;     /* the declaration that is gone */
    const fzi_node *now;     /* what stands in its place; NULL when it was removed */
    fzi_span span;           /* the `remove`, or the name after `override` */
    struct fzi_change *next;
} fzi_change;

typedef struct fzi_unit {
    const char *title;
    fzi_node *file; /* the tree of the file that was asked for */
    /* All declarations: of the prelude, the modules, the base games from the root down, and the
     * file itself. An overriding declaration has the place of the overridden one. D_USE, D_WHEN,
     * D_SET and D_REMOVE are gone. The nodes are copies of those in the files' trees; their
     * children are shared. */
    fzi_node *decls;
    fzi_node *tests; /* D_TEST of the file itself; tests of its bases belong to the bases */
    fzi_option *options;
    size_t option_count;
    fzi_change *changes;   /* in the order in which they were made */
    const char *base_path; /* of a variant; NULL otherwise */
    fzi_span header_span;
    bool is_library;
    bool is_broken; /* there were errors: declarations may be missing because of them, so the
                       checker does not run */
} fzi_unit;

typedef struct fzi_load {
    fzi_arena *arena;
    fzi_sources *sources;
    fzi_diags *diags;
    const fzi_reader *reader;
    const fzi_setting *settings; /* unknown names and values are errors at the header's place */
    size_t setting_count;
    size_t
        tested_count; /* so many of them, from the first, count for tests as if the file said so */
    bool without_prelude;        /* for the formatter and parser tests */
} fzi_load;

/* Loads the file at `path` whose text is given (or read through the reader when `text` is NULL),
 * with the prelude, its modules and its bases. NULL when the file cannot be read or has no
 * header; otherwise a unit, as far as it could be made, even when there were errors (see diags). */
fzi_unit *fzi_unit_load(fzi_load *load, const char *path, const char *text, size_t length);

/* The removal of a declaration called `name`, NULL if there was none: for the note "removed
 * here". */
const fzi_change *fzi_unit_removed(const fzi_unit *unit, const char *name);

/* The value of a constant of options, numbers, `#player` and arithmetic, before names are
 * settled; false when it is none of that (and says so when `complain`). Used for `when`, option
 * ranges, `set`. */
bool fzi_unit_constant(fzi_load *load, const fzi_unit *unit, const fzi_node *expr, bool complain,
                       int64_t *value);

#endif
