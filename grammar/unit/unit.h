/* A unit: the declarations of one game, after modules, options and variants are resolved and before
 * names are resolved. Text → tree (parse.h) → unit (here) → checked game (check.h). */
#ifndef FZ_GRAMMAR_UNIT_UNIT_H
#define FZ_GRAMMAR_UNIT_UNIT_H

#include "ferz.h"
#include "grammar/source/diagnostics.h"
#include "grammar/syntax/tree.h"

/* Reads files for a compile. `read` sets text (from the arena) and length; false if the file cannot
 * be read. */
typedef enum fzi_read { FZI_READ_ABSENT, FZI_READ_FAILED, FZI_READ_DONE } fzi_read;

typedef struct fzi_reader {
    /* The text of a file; why it cannot be read, if it failed. A script names the path. */
    fzi_read (*read)(void *user, const char *path, fzi_arena *arena, const char **text,
                     size_t *length);
    void *user;
    const char *const *module_dirs; /* searched after the folder of the file itself, in order */
    size_t module_dir_count;
    const char *games; /* the folder of the library's games, which bases may name; NULL */
} fzi_reader;

typedef struct fzi_option {
    const char *name;
    const fzi_node *node;      /* D_OPTION */
    fz_option_type kind;
    int64_t low, high;         /* FZ_OPTION_NAMED: 0 .. count - 1 */
    int64_t chosen;            /* the value of this compile */
    int64_t initial;           /* the default of the declaration */
    int64_t tested;            /* the value of tests that do not set it: the files' value */
} fzi_option;

/* A declaration that a variant, or a file that uses a module, removed or replaced. */
typedef struct fzi_change {
    const fzi_node *old;     /* the removed declaration */
    const fzi_node *now;     /* its replacement; NULL: none */
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
    struct fzi_unused *unused; /* fzi_module_of_name: the modules of the lists */
    bool unused_known;
    fzi_change *changes;   /* in the order in which they were made */
    struct fzi_layer **layers; /* the files that were merged, bottom first (layers.h) */
    size_t layer_count;
    fzi_span header_span;
    bool is_library;
    bool is_broken; /* there were errors: declarations may be missing because of them, so the
                       checker does not run */
} fzi_unit;

/* An expression that `print` evaluates at a stop of the debugger. */
typedef struct fzi_print {
    const char *path;       /* the statement's place; NULL: it is a function of `me` */
    uint32_t start, end;
    const char *text;       /* the expression */
    fzi_node *node;         /* its tree */
    const fzi_node *stmt;   /* the statement in whose scope it was checked; NULL: the game's */
    const char *locals;     /* the names bound there, innermost first, a blank after each */
} fzi_print;

typedef struct fzi_load {
    fzi_arena *arena;
    fzi_sources *sources;
    fzi_diags *diags;
    const fzi_reader *reader;
    const fz_setting *settings; /* unknown names and values are errors without a place */
    size_t setting_count;
    size_t tested_count;  /* tests see the first so many settings as if the file had set them */
    bool without_prelude; /* for the formatter and parser tests */
    bool is_for_tools;    /* the checked tree is kept: tests for other options are checked, too */
    struct fzi_probe *probe; /* what the checker fills (check.h), or NULL */
    fzi_print *print;        /* or NULL */
} fzi_load;

/* Loads the file at `path` with the prelude, its modules and its bases. `text` is the file's text;
 * NULL: the reader reads it. NULL if the file cannot be read or has no header; otherwise a unit,
 * which is incomplete if there were errors. */
fzi_unit *fzi_unit_load(fzi_load *load, const char *path, const char *text, size_t length);

/* The module that declares the name, of those in the lists of the folders of modules
 * (modules.list): `preferred`, which may be NULL, if it does, else the first; NULL: none. */
const char *fzi_module_of_name(fzi_load *load, fzi_unit *unit, const char *name,
                               const char *preferred);

/* ---- nearness.c ----
 *
 * Files may declare the same name. A name means the nearest of these declarations. */

enum fzi_closeness {
    FZI_OWN,          /* of the file itself, or of a base */
    FZI_LISTED,       /* `use module only name` of the file or a base */
    FZI_USED,         /* of a module that the file or a base uses */
    FZI_USED_BY_USED, /* of a module that such a module uses */
    FZI_PRELUDE,
    FZI_GAME,         /* of a module's game, or of a variant of the file */
    FZI_ELSEWHERE,    /* of a module that the file does not use */
    FZI_LEFT_OUT      /* `use` lists other names: never meant */
};

/* How near a declaration of the name in source `home` is to the text of source `from`. */
int fzi_unit_nearness(const fzi_unit *unit, uint32_t from, uint32_t home, const char *name);
/* The source of the first declaration, which this one replaces or extends, or is. */
uint32_t fzi_unit_home(const fzi_unit *unit, const fzi_node *decl);
/* The source of the module of that interned name; 0: it is not loaded. */
uint32_t fzi_unit_module(const fzi_unit *unit, const char *name);
/* The module's name; NULL: the source is none. */
const char *fzi_unit_module_at(const fzi_unit *unit, uint32_t source);
/* The source of the prelude, also when it is compiled itself; 0: there is none. */
uint32_t fzi_unit_prelude(const fzi_unit *unit);

/* The removal of a declaration of that name, for the note "removed here"; NULL if there was
 * none. */
const fzi_change *fzi_unit_removed(const fzi_unit *unit, const char *name);

/* "removed here", "overridden here", "extended here". */
const char *fzi_change_text(const fzi_change *change);

/* Notes the change that caused it at each error in a declaration below the file that made the
 * change. */
void fzi_note_changes(fzi_diags *diags, const fzi_unit *unit);

/* ---- constant_values.c ---- */

/* A known value: of an option or of a finite type, a number, or a truth. The order is that of
 * fz_option_type. */
enum fzi_known_kind { FZI_NAMED, FZI_NUMBER, FZI_TRUTH };
typedef struct fzi_known {
    enum fzi_known_kind kind;
    int64_t number;
    const void *of; /* FZI_NAMED: the option, or the type */
} fzi_known;

typedef struct fzi_constants {
    fzi_load *load;
    const fzi_unit *unit;
    const fzi_node *file; /* whose declarations are not in the unit yet, or NULL */
    bool complain;
    /* The value of a name, a member or `#name` after names are resolved; NULL: names are those of
     * options. */
    bool (*meaning)(struct fzi_constants *e, const fzi_node *expr, fzi_known *result);
    const void *user; /* for `meaning` */
    unsigned work, depth;
} fzi_constants;

/* False: the expression is not constant, which is reported if the evaluation complains. */
bool fzi_known_value(fzi_constants *e, const fzi_node *expr, fzi_known *result);
/* The same beside another operand, or NULL: a name is a value of the other's option first. */
bool fzi_known_beside(fzi_constants *e, const fzi_node *expr, const fzi_known *other,
                         fzi_known *result);
/* False also after reporting an expression that is no condition. */
bool fzi_condition(fzi_constants *e, const fzi_node *expr, bool *holds);
/* Evaluates a constant of options, numbers, `#player` and arithmetic, before names are resolved: in
 * `when`, ranges of options, and `set`. False for any other expression, which is reported if
 * `complain` is true. */
bool fzi_unit_constant(fzi_load *load, const fzi_unit *unit, const fzi_node *expr, bool complain,
                       int64_t *value);
/* The same for a condition; false also after reporting one that is none. */
bool fzi_unit_condition(fzi_load *load, const fzi_unit *unit, const fzi_node *expr);

/* The option of that name; NULL. */
fzi_option *fzi_find_option(const fzi_unit *unit, const char *name);
/* The place of a value among those that the option lists; -1 if it is none of them. */
int64_t fzi_named_value(const fzi_option *option, const char *name);
/* A value of the option, as the author writes it. */
const char *fzi_option_text(fzi_arena *arena, const fzi_option *option, int64_t value);
/* Reports a text that is no value of the option, with those that are. */
void fzi_not_a_value(fzi_diags *diags, fzi_span span, const fzi_option *option, const char *name);
/* Reports an option that is not declared. */
void fzi_unknown_option(fzi_diags *diags, const fzi_unit *unit, fzi_span span, const char *name);

#endif
