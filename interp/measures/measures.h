/* Measures of finished games: lines of boards and their use, sums over games, games that are
 * measured. measures.def lists the measures, docs/measures.md defines them. */
#ifndef FZ_INTERP_MEASURES_MEASURES_H
#define FZ_INTERP_MEASURES_MEASURES_H

#include "interp/board/topology.h"
#include "interp/count/counting.h"
#include "interp/play/play.h"
#include "interp/program/program.h"

/* ---- board_lines.c ---- */

/* The lines of a board: what connects two neighbouring sites, in whatever directions. Which lines a
 * move goes along, and which lines are mirror images of each other. */

enum { FZ_LEFT_RIGHT = FZI_TURN_LEFT_RIGHT, FZ_TOP_BOTTOM = FZI_TURN_TOP_BOTTOM, FZ_REFLECTIONS };

typedef struct fzi_board_line {
    uint16_t low, high;     /* sites; low < high */
    uint32_t orbit;         /* number of the set of lines that are images of each other */
    /* its images: left to right, top to bottom; -1 if the board has no such symmetry */
    int32_t image[FZ_REFLECTIONS];
} fzi_board_line;

typedef struct fzi_lines {
    fzi_allocator allocator;
    const fzi_topology *topology;
    fzi_board_line *lines;        /* by low, then high */
    uint32_t count, orbits;
    int32_t *of;            /* [site * dir_count + dir]: 2 * line + (1 if it goes down); -1 */
    unsigned symmetries;    /* of the board, without the identity */
    uint16_t *site_image[FZ_REFLECTIONS]; /* by site; NULL if the board has no such symmetry */
} fzi_lines;

/* False: memory is short. Clear it in any case. */
bool fzi_lines_init(fzi_lines *lines, const fz_program *program, fzi_allocator allocator);
void fzi_lines_clear(fzi_lines *lines);

/* The steps in one direction that lead from a site to another: their number, and in `steps` (room
 * for FZ_MAX_SITES) which line each takes: 2 * line, + 1 from high to low. 0: no direction leads
 * there. The shortest way; of several the first in the order of directions. */
unsigned fzi_lines_between(const fzi_lines *lines, int from, int to, uint32_t *steps);

/* ---- line_use.c ---- */

/* How finished games used the lines and the sites of a board, and how alike two uses are.
 * docs/studies.md describes it for users. */

/* Plays the finished game again, and adds how often pieces went along each line, in both
 * directions, and how often moves led to each site. The log of `over` has the whole game. The
 * machine samples chance afterwards. */
fz_status fzi_use_add(fz_machine *machine, const fzi_lines *lines, const fz_state *over,
                      uint32_t *line_steps, uint32_t *site_moves);

/* Counts the move at the site to which it leads, or else at the one where it begins. True: a piece
 * goes from `*from` to `*to`. */
bool fzi_note_visit(fz_machine *machine, const fz_state *before, const fz_move *move,
                    uint32_t *site_moves, int *from, int *to);

/* The reflections of the board, a bit for each, that map the pieces of the state onto themselves.
 * They are of the position; nobody knows whether the rules are symmetric too. */
unsigned fzi_use_mirrors(const fzi_lines *lines, const fz_state *state);

/* ---- aligning: games that are mirror images of each other differ by chance only ---- */

typedef enum fzi_align {
    FZ_ALIGN_NONE,
    FZ_ALIGN_NEAREST,   /* the mirror image that is nearest to the mean of the games before */
    FZ_ALIGN_STUDY      /* as in the study of Ludus Coriovalli: LC-50 */
} fzi_align;

typedef struct fzi_aligner {
    fzi_align how;
    unsigned mirrors;   /* of fzi_use_mirrors */
    uint32_t lines;
    const int32_t *image[FZ_REFLECTIONS]; /* of lines */
    uint64_t games;
    double *mean;       /* share of each line; every game weighs the same */
    double *shares;     /* room for a game's */
} fzi_aligner;

/* The reflections of the lines that align the game with those before: a bit for each; they are
 * applied together. The game's steps join the mean. Games without steps are left out. */
unsigned fzi_align_game(fzi_aligner *aligner, const uint32_t *steps);
/* The line that comes to the place of a line under these reflections. */
static inline uint32_t fzi_aligned_line(const fzi_aligner *a, unsigned mirrors, uint32_t line)
{
    for (unsigned r = 0; r < FZ_REFLECTIONS; r++)
        if (mirrors >> r & 1)
            line = (uint32_t)a->image[r][line];
    return line;
}

/* ---- comparing ---- */

/* Half the sum of the absolute differences: 0 for equal shares, 1 if nothing is in common. */
double fzi_shares_distance(const double *one, const double *other, size_t count);
/* Pearson's correlation; NAN if one of the two is constant. */
double fzi_correlation(const double *one, const double *other, size_t count);
/* Makes shares of numbers; of zeros zeros. */
void fzi_make_shares(double *numbers, size_t count);

/* Holm's adjustment: p values, in any order, become such that those below 0.05 are real with an
 * error in one family of twenty (S. Holm, 1979). False: memory is short. */
bool fzi_holm(double *p, size_t count, fzi_allocator allocator);

/* ---- measures.c: sums over games, and their values ---- */

/* Measures of many finished games: sums of whole numbers, so that they do not depend on the order
 * of the games, and sums of parts can be added. measures.def lists the measures, docs/measures.md
 * defines them. */

enum {
#define MEASURE(id, name, shape, meaning) FZ_MEASURE_##id,
#include "measures.def"
    FZ_MEASURES
};
enum {
#define LIST(id, name, shape, meaning) FZ_LIST_##id,
#include "measures.def"
    FZ_LISTS
};
/* The numbers whose occurrences are counted. */
enum { FZ_COUNT_DECISIONS, FZ_COUNT_TURNS, FZ_COUNT_BRANCHING, FZ_COUNTS };

enum {
    FZ_MEASURE_UNIT = 1 << 20,
    FZ_MEASURED_TURNS = 500,  /* turns with a branching and prospects of their own */
    FZ_SKETCH = 1 << 12       /* registers of the sketch of positions */
};

__extension__ typedef __int128 fzi_exact;

/* Sums of two numbers a and b of each game, and of their products of two and three. */
typedef struct fzi_sum {
    uint64_t games;           /* that count */
    fzi_exact a, b, aa, ab, bb;
    fz_uint128 aaa, aab, abb, bbb; /* modulo 2^128: only small differences of them are used */
} fzi_sum;

typedef enum fzi_measure_shape {
    FZ_AS_SHARE, FZ_AS_RATIO, FZ_AS_PART, FZ_AS_COUNT
} fzi_measure_shape;

typedef struct fzi_measure_info {
    const char *name, *meaning;
    fzi_measure_shape shape;
} fzi_measure_info;
extern const fzi_measure_info fzi_measure_infos[FZ_MEASURES], fzi_list_infos[FZ_LISTS];

typedef struct fzi_counts {
    uint64_t *of;             /* by number */
    size_t room;
} fzi_counts;

/* The contents that a site has had. */
typedef struct fzi_contents {
    uint64_t tops[4];         /* bits: nothing, or a kind and an owner */
    uint64_t heights;         /* bits, of stacks; the last one for all others */
} fzi_contents;

typedef struct fzi_measures {
    fzi_allocator allocator;
    uint64_t games;
    fzi_sum sums[FZ_MEASURES];
    fzi_sum *lists[FZ_LISTS];
    uint32_t sizes[FZ_LISTS];
    fzi_counts counts[FZ_COUNTS];
    fzi_contents *contents;   /* by site */
    uint32_t sites;
    /* HyperLogLog (Flajolet and others, 2007) of the positions at turn beginnings */
    uint8_t sketch[FZ_SKETCH];
} fzi_measures;

/* Without games; `rollouts`: prospects are measured. False: memory is short. Clear them in any
 * case. */
bool fzi_measures_init(fzi_measures *measures, const fz_program *program, const fzi_lines *lines,
                       bool rollouts, fzi_allocator allocator);
void fzi_measures_clear(fzi_measures *measures);
/* Adds all of `from`, which is of the same program. False: memory is short, nothing is added. */
bool fzi_measures_merge(fzi_measures *into, const fzi_measures *from);

/* A game for which b may be 0. */
static inline void fzi_sum_add_all(fzi_sum *sum, int64_t a, int64_t b)
{
    sum->games++;
    sum->a += a;
    sum->b += b;
    sum->aa += (fzi_exact)a * a;
    sum->ab += (fzi_exact)a * b;
    sum->bb += (fzi_exact)b * b;
    sum->aaa += (fz_uint128)((fzi_exact)a * a) * (fz_uint128)a;
    sum->aab += (fz_uint128)((fzi_exact)a * a) * (fz_uint128)b;
    sum->abb += (fz_uint128)((fzi_exact)b * b) * (fz_uint128)a;
    sum->bbb += (fz_uint128)((fzi_exact)b * b) * (fz_uint128)b;
}
/* A game that counts only if b is not 0. */
static inline void fzi_sum_add(fzi_sum *sum, int64_t a, int64_t b)
{
    if (b)
        fzi_sum_add_all(sum, a, b);
}
/* False: memory is short. */
bool fzi_counts_add(fzi_counts *counts, fzi_allocator allocator, uint64_t number, uint64_t times);
void fzi_sketch_add(uint8_t *sketch, uint64_t hash);

/* ---- values ---- */

/* The value with its 95 % interval; NAN if no game has one. A mean or ratio of one game has a value
 * without an interval: NAN to NAN. */
fzi_estimate fzi_sum_estimate(const fzi_sum *sum, fzi_measure_shape shape);
fzi_estimate fzi_measure_value(const fzi_measures *measures, unsigned measure);
fzi_estimate fzi_list_value(const fzi_measures *measures, unsigned list, uint32_t element);
/* 1 less the greatest difference of the mean utilities of two players. */
fzi_estimate fzi_measures_balance(const fzi_measures *measures);
/* Least, middle and greatest number, and the deviation of the numbers. If there are none, the
 * median and the deviation are NAN. */
void fzi_counts_describe(const fzi_counts *counts, uint64_t *least, double *median,
                         uint64_t *greatest, double *deviation);
/* The number of different positions, within about 2 %. */
double fzi_measures_positions(const fzi_measures *measures);
/* log10 of the number of ways to fill each site with what was seen there; NAN if nothing was. */
double fzi_measures_state_space(const fzi_measures *measures);

/* ---- archived_measures.c: games that are not played ---- */

/* What measures know of a game without playing it: its row in an archive, and its use of the
 * board. */

/* Adds who won: ranks of the players, and of what a game of one side is played against (or 0).
 * `stopped`: `limit` ended the game. */
void fzi_measures_add_result(fzi_measures *measures, const fz_program *program, const int8_t *rank,
                             int nature, bool stopped);
/* Adds how often pieces went along each line, both ways, and how often moves led to each site. */
void fzi_measures_add_use(fzi_measures *measures, const fzi_lines *lines,
                          const uint32_t *line_steps, const uint32_t *site_moves);
/* Adds a game that did not fail: its result, its length, its legal moves if they were counted, and
 * its use, if it is not NULL. False: memory is short. */
bool fzi_measures_add_row(fzi_measures *measures, const fz_program *program,
                          const fzi_lines *lines, const fz_game_row *row,
                          const uint32_t *line_steps, const uint32_t *site_moves);

/* ---- game_measures.c: one game while it is played ---- */

/* Measures one game while it is played, and adds it to sums when it is over. What a game adds
 * depends on the game alone: its moves, its chance, and for `rollouts` the seed and the number of
 * the game. */

typedef struct fzi_measured_game {
    const fz_program *program;
    const fzi_lines *lines;
    fzi_measures *measures;    /* what it adds to */
    fzi_allocator allocator;
    fz_moves *moves;
    fz_state *before, *scratch;
    unsigned rollouts;         /* random games from each turn on; 0: prospects are not estimated */
    uint64_t key;              /* of the chance of rollouts */
    uint64_t before_turns;     /* turns before the position in which games begin */
    uint8_t *position;         /* bytes of one */

    /* of this game, in memory of its own */
    uint32_t *line_steps;      /* [2 * line + direction] */
    uint32_t *both_ways;       /* [line] */
    uint32_t *site_moves;
    fzi_counts branching;      /* legal moves of a decision */
    fzi_keys seen;             /* the positions of the game so far */
    int64_t *turn_prospects;   /* [turn][player] of the turns with an estimate; NULL */

    /* of this game, 0 at its beginning */
    uint64_t counter;          /* in the chance of rollouts */
    uint64_t decisions, turns, legal, forced, entropy, tree;
    uint64_t moved, distance, off_line, steps, most_pieces, repeated;
    uint64_t turn_legal[FZ_MEASURED_TURNS], turn_decisions[FZ_MEASURED_TURNS];
    uint64_t occupied[FZ_MAX_WORDS];
    uint64_t most_legal;
    /* Prospects: sums of utilities over the rollouts, in parts of the denominator. */
    uint64_t estimates, lead_changes, change;
    int64_t prospects[FZ_MAX_PLAYERS];
    uint64_t behind[FZ_MAX_PLAYERS], most_behind[FZ_MAX_PLAYERS];
    int leader;                /* the last one that was clear; -1 */
    int64_t turn_lead[FZ_MEASURED_TURNS];
    bool has_prospects[FZ_MEASURED_TURNS];
} fzi_measured_game;

/* `from`: where games begin; NULL: at the beginning. False: memory is short. Clear it in any
 * case. */
bool fzi_measured_init(fzi_measured_game *game, fz_machine *machine, const fz_state *from,
                       const fzi_lines *lines, fzi_measures *measures, unsigned rollouts);
void fzi_measured_clear(fzi_measured_game *game);

/* The watcher of a game (fzi_decided). `key` decides about the rollouts. */
fzi_watcher fzi_measured_watcher(fzi_measured_game *game, uint64_t key);
/* Adds the game that is over to the sums. False: memory is short. */
bool fzi_measured_add(fzi_measured_game *game, const fz_state *over);

/* ---- measure_games.c: many games, in threads ---- */

/* Plays games and measures them, in threads. */

typedef struct fzi_measuring {
    fz_playout_options sample;          /* the games: those of fz_playouts_run */
    unsigned rollouts;         /* random games from each turn on, for prospects; 0: none */
    /* Who plays the games for the influence of chance, four for each game; NULL: it is not
     * measured. The players must have streams of their own. */
    const fz_lineup *influence;
} fzi_measuring;

/* Measures the games into `measures`, which is empty and has prospects if there are rollouts, and
 * adds them to the sums of the sample, if it has some. FZ_RUNTIME: some failed, the first of them
 * is game number `*failed` and `message` (256 bytes) says why; the measures are those of the
 * others. If a player could not be made, the status is that of its lineup. */
fz_status fzi_measure(const fzi_measuring *task, const fzi_lines *lines, fzi_measures *measures,
                      uint64_t *failed, char *message);

#endif
