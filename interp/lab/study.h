/* A study: its cells, each with the games of one ruleset and one lineup. The public
 * functions fz_study_... are here; `ferz study` calls only these. */
#ifndef FZ_INTERP_LAB_STUDY_H
#define FZ_INTERP_LAB_STUDY_H

#include "archive.h"
#include "lineup.h"
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
    /* results of its games */
    fz_sums sums;
    fz_tally tally;
    uint32_t line_count, site_count;
    char **line_names, **site_names;
    fzi_sum *lines, *sites;     /* a share of each, over games */
    double *halves[2];          /* use of the lines by games with an odd and an even number */
    int32_t *image[FZ_REFLECTIONS]; /* of lines; NULL: the board has no such symmetry */
    fzi_aligner aligner;
    uint64_t games_used;
    double *line_shares, *site_shares; /* values of `lines` and `sites` */
} fzi_study_cell;

/* The cell that is played. */
typedef struct fzi_study_player {
    fzi_study_cell *cell;
    fzi_setup setup;
    fzi_lines lines;
    fzi_lineup lineup;
    bool has_lineup;
    fzi_shard shard;
    uint64_t before, all;       /* games, for the watch */
} fzi_study_player;

struct fz_study {
    fz_context *context;
    fzi_arena *arena;           /* of the file, the cells and the tables; its handler is set while
                                 * a public function runs */
    fz_study_options options;
    fzi_study_file file;
    fz_archive archive;
    fzi_study_player player;
    bool stopped;               /* by the watch */
    int theme;                  /* enum fzi_theme */
    fzi_study_cell *cells;
    size_t count, capacity;
};

/* ---- study_cells.c ---- */

/* Makes the cells of a game. */
fz_status fzi_study_expand(fz_study *study, fzi_study_game *game);
/* Have both the same lines, in the same order? */
bool fzi_cells_share_lines(const fzi_study_cell *one, const fzi_study_cell *other);

/* ---- study_pictures.c ---- */

/* Gives the board of the cell that was played, with its lines as wide as their use, to
 * options.picture. */
fz_status fzi_study_draw(const fz_study *study);

/* ---- study_wear.c ---- */

/* The cells by how well their use of the lines fits a file of wear. NULL: a failure. */
json_t *fzi_study_wear(const fz_study *study, const char *path);
/* How often the ruleset that wore the lines is found: an object with the rows of each cell and each
 * noise of the list ("recovery"), and with these by agents, noise and board ("recovered"). NULL: a
 * failure. */
json_t *fzi_study_recover(const fz_study *study, const char *list);

#endif
