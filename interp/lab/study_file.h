/* Study files: which games are played under which options by which agents. docs/studies.md
 * describes them. study_run.c makes the cells of a study from the file. */
#ifndef FZ_INTERP_LAB_STUDY_FILE_H
#define FZ_INTERP_LAB_STUDY_FILE_H

#include "ferz.h"
#include "grammar/source/arena.h"
#include "interp/measures/line_use.h"

/* Adds an item to an array of the arena; the item. */
#define FZI_GROW(arena, array, count, capacity)                                                    \
    ((array) = fzi_arena_grow((arena), (array), (count), &(capacity), sizeof *(array)),            \
     &(array)[(count)++])

/* All texts and arrays are the arena's. */
typedef struct fzi_settings {
    fz_setting *items;
    size_t count, capacity;
} fzi_settings;

/* An axis: an option with some of its values. */
typedef struct fzi_axis {
    const char *option;
    unsigned line;              /* of the file; 0: of fz_study_options.grid */
    const char **values;
    size_t count, capacity;
    bool all;                   /* all of the option's */
} fzi_axis;

typedef struct fzi_study_ruleset {
    const char *name;           /* NULL: the only one of a game without any */
    unsigned line;
    fzi_settings settings;
} fzi_study_ruleset;

typedef struct fzi_study_game {
    char *path;                 /* as seen from the current folder */
    unsigned line;
    fzi_settings settings;      /* of `set` */
    fzi_study_ruleset *rulesets;
    size_t ruleset_count, ruleset_capacity;
    fzi_axis *axes;
    size_t axis_count, axis_capacity;
} fzi_study_game;

typedef struct fzi_study_lineup {
    const char *agents;         /* a list of descriptions */
    uint64_t playouts;          /* of each ruleset */
} fzi_study_lineup;

typedef struct fzi_study_file {
    fz_context *context;        /* has the message of what failed, which names the line */
    fzi_arena *arena;           /* its handler is set */
    const char *path;
    const char *title;          /* "" if it has none */
    fzi_study_game *games;
    size_t game_count, game_capacity;
    fzi_study_lineup *lineups;
    size_t lineup_count, lineup_capacity;
    uint64_t playouts, seed;    /* playouts: of the next lineup */
    fzi_align align;
} fzi_study_file;

/* Reads the text; context, arena and path are set. */
fz_status fzi_study_file_read(fzi_study_file *study, const char *text, size_t length,
                              const fz_study_options *options);

/* Fills the axes that take all values of their option; compiles the game for it. */
fz_status fzi_study_fill_axes(const fzi_study_file *study, fzi_study_game *game);

#endif
