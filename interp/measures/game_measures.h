/* Measures one game while it is played, and adds it to sums when it is over. What a game adds
 * depends on the game alone: its moves, its chance, and for `rollouts` the seed and the number of
 * the game. */
#ifndef FZ_INTERP_MEASURES_GAME_MEASURES_H
#define FZ_INTERP_MEASURES_GAME_MEASURES_H

#include "interp/play/played_game.h"
#include "measures.h"

/* The positions of a game so far, by hash. */
typedef struct fzi_seen {
    uint64_t *hashes;          /* a table; 0: free */
    size_t count, room;        /* a power of two */
} fzi_seen;

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

    /* of this game */
    uint64_t counter;          /* in the chance of rollouts */
    uint64_t decisions, turns, legal, forced, entropy, tree;
    uint64_t moved, distance, off_line, steps, arrivals, most_pieces, repeated;
    uint64_t turn_legal[FZ_MEASURED_TURNS], turn_decisions[FZ_MEASURED_TURNS];
    uint64_t occupied[FZ_MAX_WORDS];
    uint32_t *line_steps;      /* [2 * line + direction] */
    uint32_t *both_ways;       /* [line] */
    uint32_t *site_moves;
    fzi_counts branching;      /* legal moves of a decision */
    uint64_t most_legal;
    fzi_seen seen;
    uint8_t *position;         /* bytes of one */
    /* Prospects: sums of utilities over the rollouts, in parts of the denominator. */
    uint64_t estimates, lead_changes, change;
    int64_t prospects[FZ_MAX_PLAYERS];
    uint64_t behind[FZ_MAX_PLAYERS], most_behind[FZ_MAX_PLAYERS];
    int leader;                /* the last one that was clear; -1 */
    int64_t *turn_prospects;   /* [turn][player] of the turns with an estimate; NULL */
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

#endif
