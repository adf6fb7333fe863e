/* Worlds: states that are possible for a player who does not see everything. Called by Monte Carlo
 * agents. The game is played again from its beginning. Events that the player saw are repeated,
 * hidden ones are drawn at random, and a course is kept only if the player would have seen the
 * same.
 *
 * Few random courses fit the later events: a player who played a card must have drawn it before. So
 * if the text of a later move of another player is that of a possible result, such as the name of a
 * card, this result becomes a wish for the hidden results that this player sees before. Results
 * that other players play or draw later are avoided. */
#ifndef FZ_INTERP_TEXT_DETERMINIZE_H
#define FZ_INTERP_TEXT_DETERMINIZE_H

#include "interp/vm/machine.h"
#include "position.h"

/* An event as the player saw it. */
typedef struct fzi_sight {
    bool is_chance, known;  /* known: the value or the move itself */
    bool revealed;          /* a decision of `together` that all have seen since */
    fz_move move;
    int64_t value;
    uint16_t seers;         /* of chance: the players who see it */
    int8_t decider;         /* of a move */
    uint64_t text;          /* hash of the text of the move or known result */
    uint64_t seen;          /* hash of what fzi_sight_write writes of it */
} fzi_sight;

typedef struct fzi_worlds {
    fz_machine *machine;
    uint64_t key, counter;  /* of the stream of chance that draws */
    int player;             /* the player who knows this; -1: not set yet */
    fzi_sight *sights;
    size_t count, room;
    fz_state *spare;
    fz_state *near;         /* where the last search found no world: what fitted longest; NULL */
    fzi_onlooker onlooker;  /* the player */
    fzi_buffer sight;       /* room for a text */
    fz_moves *moves;        /* of a world */
    uint64_t text;          /* hash of the result of chance that was tried last */
    uint64_t tried;         /* events so far: callers bound their work by it */
    const fz_cancel *cancel; /* ends a search at once; NULL */
} fzi_worlds;

void fzi_worlds_init(fzi_worlds *worlds, fz_machine *machine);
void fzi_worlds_free(fzi_worlds *worlds);
/* Another game begins. */
void fzi_worlds_forget(fzi_worlds *worlds);

/* Takes in what the player has seen so far. Only this function looks at the true state. The state
 * must have a log that begins before set-up; FZ_USAGE otherwise. */
fz_status fzi_worlds_look(fzi_worlds *worlds, const fz_state *state, int player);

/* A possible state, freed with fz_state_free. It has the log of its own course. `before`: a world
 * of the same player at an earlier decision of the game, from which the search begins, or NULL.
 * FZ_NOT_FOUND: none was found in at most `tries` courses of the game and their changes; then the
 * next search without `before` begins where this one stopped, and does less. */
fz_status fzi_worlds_draw(fzi_worlds *worlds, const fz_state *before, unsigned tries,
                          fz_state **world);

#endif
