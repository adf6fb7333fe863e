/* A player's own view of a game: the player is number 0, the others follow in the order of turns,
 * and the board is turned so that the player sits where the first player does. */
#ifndef FZ_INTERP_BATCH_PLAYER_VIEW_H
#define FZ_INTERP_BATCH_PLAYER_VIEW_H

#include "action_numbers.h"
#include "interp/program/program.h"

/* How one player sees the sites and directions. */
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
/* Of an element of a variable. */
uint32_t fzi_own_element(const fzi_own_view *own, int viewer, const fz_variable *variable,
                         uint32_t element);
/* Of an action; -1 stays. */
int64_t fzi_own_action(const fzi_own_view *own, const fzi_actions *actions, int viewer,
                       int64_t action, bool back);

#endif
