/* The features of a state: numbers for all that a player sees. Features of the same program have
 * the same places. */
#ifndef FZ_INTERP_BATCH_FEATURES_H
#define FZ_INTERP_BATCH_FEATURES_H

#include "interp/program/program.h"
#include "interp/state/state.h"

/* ---- action_numbers.c ---- */

/* Moves as numbers: the options of a program one after the other, and in each of them the values of
 * its bindings, the last one fastest. */

/* The first action of each option. */
typedef struct fzi_actions {
    const fz_program *program;
    int64_t *first;
    int64_t count;   /* 0: too many, or none */
} fzi_actions;

/* False: memory is short. */
bool fzi_actions_init(fzi_actions *actions, const fz_program *program);
void fzi_actions_clear(fzi_actions *actions);
/* -1: it has no number. */
int64_t fzi_action_of(const fzi_actions *actions, const fz_move *move);
/* The move of this number; false: no move has it. */
bool fzi_action_move(const fzi_actions *actions, int64_t action, fz_move *move);

/* ---- player_view.c ---- */

/* A player's own view of a game: the player is number 0, the others follow in the order of turns,
 * and the board is turned so that the player sits where the first player does. */

/* The sites and directions as one player sees them. */
typedef struct fzi_viewed_seat {
    const uint16_t *sites;       /* where each site lies in the player's view */
    uint8_t dirs[FZ_MAX_DIRS];   /* what each direction is there */
} fzi_viewed_seat;

typedef struct fzi_own_view {
    const fz_program *program;
    uint16_t *memory;
    fzi_viewed_seat there[FZ_MAX_PLAYERS];
    fzi_viewed_seat back[FZ_MAX_PLAYERS]; /* from the view to the game */
} fzi_own_view;

/* False: memory is short. Clear it in any case. */
bool fzi_own_view_init(fzi_own_view *own, const fz_program *program);
void fzi_own_view_clear(fzi_own_view *own);

/* The number of a player in the view of another; what is no player is the same. */
int fzi_own_player(const fzi_own_view *own, int viewer, int player);
/* The same of a value of a type: what is no site, direction, player, team or set of them is the
 * same. `back`: from the view to the game. */
int64_t fzi_own_value(const fzi_own_view *own, int viewer, uint16_t type, int64_t value, bool back);
/* Translates the number of an element of a variable. */
uint32_t fzi_own_element(const fzi_own_view *own, int viewer, const fz_variable *variable,
                         uint32_t element);
/* Translates the number of an action; -1 stays. */
int64_t fzi_own_action(const fzi_own_view *own, const fzi_actions *actions, int viewer,
                       int64_t action, bool back);

/* ---- features.c ---- */

/* A feature, and where it comes from. */
typedef struct fzi_feature {
    fz_feature told;
    uint8_t source; /* of features.c */
} fzi_feature;

typedef struct fzi_features {
    const fz_program *program;
    fzi_feature *rows;
    unsigned count;
    size_t planes, values;   /* of all */
    fzi_actions actions;
    bool hides;
} fzi_features;

/* False: memory is short. Clear it in any case. */
bool fzi_features_init(fzi_features *features, const fz_program *program);
void fzi_features_clear(fzi_features *features);
/* fz_state_observe. `base`: a state without anything (fzi_position_new); `own`: NULL, or the views
 * of this program. */
fz_status fzi_features_write(const fzi_features *features, fz_machine *machine,
                             const fz_state *state, const fz_state *base, int player,
                             const fzi_own_view *own, uint8_t *planes, int32_t *values);

#endif
