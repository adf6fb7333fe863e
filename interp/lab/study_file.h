/* Study files: which games are played under which options by which agents. docs/studies.md
 * describes them. */
#ifndef FZ_INTERP_LAB_STUDY_FILE_H
#define FZ_INTERP_LAB_STUDY_FILE_H

#include "interp/cli/options.h"

#include "interp/measures/line_use.h"

/* Texts lie in the text of the file, or of --grid. */
typedef struct fzi_settings {
    fz_setting *items;
    size_t count;
} fzi_settings;

/* An axis: an option with some of its values. */
typedef struct fzi_axis {
    const char *option;
    unsigned line;              /* of the file; 0: of --grid */
    const char **values;
    size_t count;
    bool all;                   /* all of the option's: then the values are copies */
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
    size_t ruleset_count;
    fzi_axis *axes;
    size_t axis_count;
} fzi_study_game;

typedef struct fzi_study_cast {
    const char *agents;         /* a list as of --agents */
    uint64_t playouts;          /* of each ruleset */
} fzi_study_cast;

typedef struct fzi_study_file {
    const fzi_cli *cli;
    const char *path;
    char *text, *grid;          /* grid: a copy of --grid; NULL */
    const char *title;          /* "" if it has none */
    fzi_study_game *games;
    size_t game_count;
    fzi_study_cast *casts;
    size_t cast_count;
    uint64_t playouts, seed;    /* playouts: of the next lineup */
    fzi_align align;
} fzi_study_file;

/* An exit code, after a complaint that names the line. Free it in any case. */
int fzi_study_read(fzi_study_file *study, const fzi_cli *cli, const char *path);
void fzi_study_free(fzi_study_file *study);

/* Fills the axes that take all values of their option; compiles the game for it. An exit code. */
int fzi_study_fill_axes(const fzi_study_file *study, fzi_study_game *game);

/* Adds "NAME=VALUE, NAME=VALUE" to the settings, in place. False: `*wrong` is no such item. */
bool fzi_settings_parse(fzi_settings *settings, char *text, const char **wrong);

#endif
