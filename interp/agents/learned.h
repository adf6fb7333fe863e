/* A learned evaluation: a linear function of what stands where. `ferz learn` (lab/) finds its
 * weights. Here are what it reads of a position, and its value.
 *
 * A position is read as cells, small numbers: the piece on each site, and each element of the
 * variables. A pattern is a cell, or a line of neighbouring cells; each of its contents has a
 * weight. The sum of the weights is the logarithm of the odds that the player wins who decides. */
#ifndef FZ_INTERP_AGENTS_LEARNED_H
#define FZ_INTERP_AGENTS_LEARNED_H

#include "interp/state/state.h"

enum { FZ_MAX_LAYERS = 48, FZ_MAX_PATTERN = 4, FZ_MAX_CELLS = 1 << 13 };

/* What the cells of a layer hold, where it is no variable. */
enum { FZ_LAYER_PIECES = -1, FZ_LAYER_HEIGHTS = -2, FZ_LAYER_CHOICE = -3 };

/* Cells with contents of one kind: one for each site, or for each element of a variable. */
typedef struct fzi_cell_layer {
    int32_t variable;        /* its number, or one of those above */
    uint32_t element;        /* of a variable that holds a set: which set */
    bool by_site;
    int64_t low;             /* a number v is in step (v - low) / step of the levels, or the last */
    uint32_t step, levels;
    uint32_t first, count;   /* cells */
} fzi_cell_layer;

/* The index of a content is that of its levels, the first cell's most significant. */
typedef struct fzi_pattern {
    uint32_t own;            /* first weight of this place, and of its images */
    uint32_t shared;         /* of all patterns of this direction; the same as own: there is none */
    uint16_t cells[FZ_MAX_PATTERN];
    uint8_t count, levels;
} fzi_pattern;

typedef struct fzi_learned {
    fzi_allocator allocator;
    fz_program *program;     /* retained */
    /* Players see the board as the first one does, and have the same weights: for each player and
     * cell, which cell that is to the first. NULL: each player has weights of its own. */
    uint16_t *seats;
    /* Permutations of the sites under which the rules are the same, without the one that changes
     * nothing: one after the other. */
    uint16_t *symmetries;
    uint32_t symmetry_count;
    uint8_t *codes;          /* level of a piece: [kind * (players + 1) + owner + 1]; 0: no site */
    fzi_cell_layer layers[FZ_MAX_LAYERS];
    uint32_t layer_count;
    /* Derived by fzi_learned_derive: */
    uint32_t cells;
    fzi_pattern *patterns;
    uint32_t pattern_count;
    uint32_t weight_count;   /* of one table */
    uint32_t tables;         /* one, or one for each player */
    float *weights;          /* [table * weight_count + weight], 0 at first */
} fzi_learned;

/* An evaluation without cells. NULL: memory is short. */
fzi_learned *fzi_learned_new(fz_program *program, fzi_allocator allocator);
void fzi_learned_free(fzi_learned *learned);
size_t fzi_learned_code(const fz_program *program, int kind, int owner);

/* Can the variable's elements be cells? `by_site`: one for each site. */
bool fzi_learned_reads(const fz_program *program, const fz_variable *variable, bool *by_site);
/* Adds a layer, whose `first` and `count` it sets. False: there are too many layers or cells. */
bool fzi_learned_add(fzi_learned *learned, fzi_cell_layer layer);
/* Makes patterns and weights from all the rest. False: memory is short. */
bool fzi_learned_derive(fzi_learned *learned);

/* The player from whose side the state is seen: who decides, or is to roll. */
int fzi_learned_viewer(const fz_state *state);
/* The numbers of the weights that the state shows to its viewer, pattern by pattern. Returns how
 * many: 2 * pattern_count + 1 at most. */
size_t fzi_learned_see(const fzi_learned *learned, const fz_state *state, uint32_t *numbers);
/* The logarithm of the odds that the player's side wins; of a game of two sides that is not
 * over. */
double fzi_learned_odds(const fzi_learned *learned, const fz_state *state, int player);

static inline double fzi_probability_of(double odds)
{
    return 1 / (1 + __builtin_exp(-odds));
}

#endif
