/* A study that is played: its cells, each with the games of one ruleset and one lineup. */
#ifndef FZ_INTERP_LAB_STUDY_H
#define FZ_INTERP_LAB_STUDY_H

#include "archive.h"
#include "study_file.h"

#include "interp/measures/measures.h"

typedef struct fzi_study_cell {
    const fzi_study_game *game;
    unsigned line;              /* of the file: of the ruleset, or of the game */
    char *name;                 /* of the ruleset, with its values of the axes */
    fzi_settings settings;
    const char *agents;         /* as in the study */
    uint64_t playouts;
    json_t *experiment;         /* NULL: not opened yet */
    /* what its games say */
    fz_sums sums;
    fz_tally tally;
    uint32_t line_count, site_count;
    char **line_names, **site_names;
    fzi_sum *lines, *sites;     /* a share of each, over games */
    double *halves[2];          /* use of the lines by games with an odd and an even number */
    int32_t *image[FZ_REFLECTIONS]; /* of lines; NULL: the board has no such symmetry */
    fzi_aligner aligner;
    uint64_t games_used;
} fzi_study_cell;

typedef struct fzi_study {
    fzi_study_file file;
    const fzi_cli *cli;
    fzi_archive archive;
    fzi_study_cell *cells;
    size_t count;
} fzi_study;

/* Makes the cells. An exit code. */
int fzi_study_expand(fzi_study *study);
/* Plays the games that the archive does not have, and fills the cells. An exit code. */
int fzi_study_play(fzi_study *study);
void fzi_study_clear(fzi_study *study);

/* The shares of the lines, or of the sites, of a cell; `out` has room for all. */
void fzi_cell_line_shares(const fzi_study_cell *cell, double *out);
void fzi_cell_site_shares(const fzi_study_cell *cell, double *out);
/* Have both the same lines, in the same order? */
bool fzi_cells_share_lines(const fzi_study_cell *one, const fzi_study_cell *other);

/* ---- study_pictures.c: --pictures ---- */

/* Makes the folder. An exit code. */
int fzi_study_prepare_pictures(const fzi_study *study);
/* Writes the board of a filled cell with its lines as wide as their use. An exit code. */
int fzi_study_draw(const fzi_study *study, const fzi_study_cell *cell, const fzi_session *session,
                   const fzi_lines *lines);

/* ---- study_figures.c: tables, as arrays of objects with the same members ---- */

/* How the games of each cell ended. */
json_t *fzi_study_results(const fzi_study *study);
/* The share of each line of each cell. */
json_t *fzi_study_lines(const fzi_study *study);
/* How the cells differ from those of a ruleset, or all from each other ("all"), with the same
 * agents; all rows are one family. NULL after a complaint. */
json_t *fzi_study_differences(const fzi_study *study, const char *with);
/* How far each two cells with the same agents are from each other. */
json_t *fzi_study_distances(const fzi_study *study);

/* ---- study_wear.c ---- */

/* The cells by how well their use of the lines fits the file of --wear. NULL after a complaint. */
json_t *fzi_study_wear(const fzi_study *study, const char *path);
/* How often the ruleset that wore the lines is found: a row for each cell and each noise of the
 * list. NULL after a complaint. */
json_t *fzi_study_recover(const fzi_study *study, const char *list);
/* The rows of fzi_study_recover together, by agents, noise and board. */
json_t *fzi_study_recovered(const json_t *rows);

#endif
