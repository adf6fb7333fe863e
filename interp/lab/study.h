/* Studies: files, cells, evidence, searches. The public functions fz_study_... and the parts that
 * reconstructions use. */
#ifndef FZ_INTERP_LAB_STUDY_H
#define FZ_INTERP_LAB_STUDY_H

#include "allocation.h"
#include "lab.h"

/* ---- study_file.c ---- */

/* Study files: which games are played under which options by which agents. docs/studies.md
 * describes them. study_run.c makes the cells of a study from the file. */

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
    bool thin;                  /* of a number with many values some */
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
    unsigned line;              /* of the file; 0: the command says so */
    uint64_t playouts;          /* of each ruleset */
} fzi_study_lineup;

/* What is known or wanted beside the rules, for reconstructions. */
typedef struct fzi_weighted {
    const char *value;
    double weight;
} fzi_weighted;
typedef struct fzi_prior {
    const char *option;
    unsigned line;
    fzi_weighted *values;
    size_t count, capacity;
} fzi_prior;

enum fzi_study_figure {
#define FIGURE(id, name, is_part, meaning) FZI_FIGURE_##id,
#include "interp/lab/preferences.def"
#undef FIGURE
    FZI_FIGURES
};

/* A figure of games that are worth playing, or that are searched for, lies in a range. */
typedef struct fzi_preference {
    enum fzi_study_figure figure;
    double low, high, weight;   /* of a target: high may be INFINITY, and there is no weight */
} fzi_preference;

typedef struct fzi_evidence {
    fzi_prior *priors;
    size_t prior_count, prior_capacity;
    fzi_preference *preferences;
    size_t preference_count, preference_capacity;
    const char *wear;           /* a file, as seen from the current folder; NULL */
    double error[2];            /* of the wear: the deviation of its logarithm, or its range */
} fzi_evidence;

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
    fzi_evidence evidence;
} fzi_study_file;

/* ---- study_lines.c ---- */

/* A line of a study file whose first word is `word`. */
typedef struct fzi_study_line {
    fzi_study_file *study;
    unsigned line;
    const char *start;          /* of the line */
} fzi_study_line;
/* Sets the message, which names the place of the line; FZ_BAD_INPUT. */
fz_status fzi_study_wrong(const fzi_study_line *line, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Without the blanks around it. */
char *fzi_study_trim(char *text);
/* Cuts at the next separator and returns what follows; NULL: there is none. */
char *fzi_study_cut(char *text, char separator);
/* The path of a file that the study names, as seen from the current folder. */
char *fzi_study_path(const fzi_study_file *study, const char *name);

/* ---- study_evidence.c ---- */

fz_status fzi_study_read_prior(const fzi_study_line *line, char *rest);
fz_status fzi_study_read_preference(const fzi_study_line *line, char *rest);
fz_status fzi_study_read_error(const fzi_study_line *line, char *rest);

/* ---- study_target.c ---- */

/* The figure whose name the text begins with, and what follows it; FZI_FIGURES: none. */
enum fzi_study_figure fzi_figure_called(const char *text, const char **rest);
const char *fzi_figure_name(enum fzi_study_figure figure);
bool fzi_figure_is_part(enum fzi_study_figure figure);
/* The names of all figures, with commas. */
extern const char fzi_figure_names[];

/* A line of `agents`. */
void fzi_study_add_lineup(fzi_study_file *study, fzi_study_lineup lineup);
/* Adds axes such as "Setup=all,Limit=100,200" to each game. FZ_USAGE: they are wrong. */
fz_status fzi_study_add_grid(fzi_study_file *study, const char *grid);
/* Reads the text; context, arena and path are set. */
fz_status fzi_study_file_read(fzi_study_file *study, const char *text, size_t length,
                              const fz_study_options *options);

/* ---- study_judge.c ---- */

/* The figures of the games of a cell by which rulesets are judged. */
typedef struct fzi_judged {
    fzi_sum length, draws, stopped;
    fzi_sum *seats;             /* the utility of each player */
    unsigned players;
    uint64_t from;              /* games with smaller numbers do not count */
} fzi_judged;

void fzi_judge_game(fzi_judged *judged, const fz_program *program, const fz_game_row *row);
/* The figure with its interval; NAN: no game has one. */
fzi_estimate fzi_judged_figure(const fzi_judged *judged, enum fzi_study_figure figure);

/* ---- study_play.c ---- */

/* A study: its cells, each with the games of one ruleset and one lineup. The public
 * functions fz_study_... are here; `ferz study` calls only these. */

enum { FZI_USE_GROUPS = 20 };   /* an even number: those of odd and of even games are halves */
typedef struct fzi_study_cell {
    const fzi_study_game *game;
    unsigned line;              /* of the file: of the ruleset, or of the game */
    char *name;                 /* of the ruleset, with its values of the axes */
    fzi_settings settings;
    const char *agents;         /* as in the study */
    uint64_t playouts;          /* with a budget: at most */
    uint64_t played;            /* so many of them */
    json_t *experiment;         /* NULL: not opened yet */
    const char *failed;         /* why it cannot be played; of variants only */
    /* results of its games */
    fz_sums sums;
    fz_tally tally;
    uint32_t line_count, site_count;
    char **line_names, **site_names;
    fzi_sum *lines, *sites;     /* a share of each, over games */
    double *groups[FZI_USE_GROUPS]; /* use of the lines by every 20th game from the first on, ... */
    int32_t *image[FZ_REFLECTIONS]; /* of lines; NULL: the board has no such symmetry */
    fzi_aligner aligner;
    uint64_t games_used;
    double *line_shares, *site_shares; /* values of `lines` and `sites` */
    fzi_judged judged;
} fzi_study_cell;

/* The cell that is played. */
typedef struct fzi_study_player {
    fzi_study_cell *cell;
    fzi_setup setup;
    fzi_lines lines;
    fzi_lineup lineup;
    fzi_shard shard;
} fzi_study_player;

struct fz_study {
    fz_context *context;
    fzi_arena *arena;           /* of the file, the cells and the tables; its handler is set while
                                 * a public function runs */
    fz_study_options options;
    fzi_study_file file;
    fz_archive archive;
    fzi_study_player player;
    uint64_t before, all;       /* games before the player's, and in all, for the watch */
    bool played;
    bool stopped;               /* by the watch */
    fzi_preference *targets;    /* of options.target */
    size_t target_count, target_room;
    uint64_t possible;          /* variants that the grid has; some of them are cells */
    fzi_allocation allocation;  /* of a budget, over rulesets */
    int theme;                  /* enum fzi_theme */
    fzi_study_cell *cells;
    size_t count, capacity;
};

/* Asks the watch of the study `user`. */
bool fzi_study_stop(void *user, uint64_t done, uint64_t total);
/* Has the time of options.run.limits ended? */
bool fzi_study_cancelled(const fz_study *study);
void fzi_study_clear_player(fzi_study_player *player);
/* Plays the cell up to so many games, and reads all of its results. */
fz_status fzi_study_play_cell(fz_study *study, fzi_study_cell *cell, uint64_t games,
                              fz_report **report);

/* ---- study_search.c ---- */

/* Makes the cells of options.target, which are variants of the game at file.path. */
fz_status fzi_study_open_search(fz_study *study);
/* Prepares the allocation of options.budget, or of 100 games for each variant. */
fz_status fzi_study_begin_search(fz_study *study);
/* Plays them. */
fz_status fzi_study_search(fz_study *study, fz_report **report);

/* ---- study_target.c ---- */

/* Reads options.target. */
fz_status fzi_study_read_target(fz_study *study);

/* ---- tune.c ---- */

/* Orders variants, the best first. */
void fzi_tune_rank(const fz_study *study, size_t *variants, size_t count);
/* Gives a plot of the frontier for each target to options.picture. */
fz_status fzi_tune_draw(const fz_study *study);
/* The table "tuning"; NULL: a failure. */
json_t *fzi_study_tuning(const fz_study *study);

/* ---- study_cells.c ---- */

/* Makes the cells of a game. */
fz_status fzi_study_expand(fz_study *study, fzi_study_game *game);
/* Have both the same lines, in the same order? */
bool fzi_cells_share_lines(const fzi_study_cell *one, const fzi_study_cell *other);

/* ---- study_pictures.c ---- */

/* Gives the board of the cell that was played, with its lines as wide as their use, to
 * options.picture. */
fz_status fzi_study_draw(const fz_study *study);
/* Gives the scene, as SVG, to options.picture. */
fz_status fzi_study_paint(const fz_study *study, const fzi_scene *scene, const char *name);

/* ---- study_wear.c ---- */

/* The wear of the lines of a board, of the arena. */
typedef struct fzi_worn_line {
    const char *name;
    double wear;
} fzi_worn_line;
typedef struct fzi_wear {
    fzi_worn_line *lines;
    size_t count, room;
} fzi_wear;

fz_status fzi_wear_read(const fz_study *study, const char *path, fzi_wear *wear);
/* The wear as shares in the order of the cell's lines, which may be named from either end. False:
 * the cell has other lines. */
bool fzi_wear_of(const fzi_wear *wear, const fzi_study_cell *cell, double *out);

/* Fails with the reason why no cell has exactly the lines of the wear: a line that it has and the
 * nearest cell lacks, or one that it lacks. */
fz_status fzi_wear_unfit(const fz_study *study, const char *path, const fzi_wear *wear);
/* What a cell's lines have as mirror images (bits of FZ_REFLECTIONS) of the board show it. False:
 * the board has no such symmetry. */
bool fzi_cell_mirrored(const fzi_study_cell *cell, unsigned mirrors, const double *lines,
                       double *out);
/* The cells by how well their use of the lines fits a file of wear. NULL: a failure. */
json_t *fzi_study_wear(const fz_study *study, const char *path);
/* Noise of wear: normal, of mean 0 and deviation 1 (Box and Muller, 1958). Draws two numbers of the
 * stream. */
double fzi_wear_noise(uint64_t key, uint64_t *counter);
/* How often the ruleset that wore the lines is found: an object with the rows of each cell and each
 * noise of the list ("recovery"), and with these by agents, noise and board ("recovered"). NULL: a
 * failure. */
json_t *fzi_study_recover(const fz_study *study, const char *list);

/* ---- reconstruct.c ---- */

/* What evidence and preferences of the study say about its rulesets: an object with the tables
 * "rulesets", "values", "lineups", "calibration" and "sensitivity". `trials` of each row of the
 * calibration; 0: no calibration. NULL: a failure. */
json_t *fzi_study_reconstruct(const fz_study *study, unsigned trials);
/* Orders rulesets by their probability, the most probable first. */
fz_status fzi_reconstruct_rank(const fz_study *study, size_t *rulesets, size_t count);

#endif
