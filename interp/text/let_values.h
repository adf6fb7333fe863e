/* The values of the `let`s that `show` names, as a player knows them. */
#ifndef FZ_INTERP_TEXT_LET_VALUES_H
#define FZ_INTERP_TEXT_LET_VALUES_H

#include "position.h"

/* The states from which they are computed. */
typedef struct fzi_lets_of {
    const fz_state *truth, *known; /* the state, and what the viewer observes of it */
    const fzi_observed *seen;      /* NULL: all is known */
    int viewer;                    /* -1: `me` is the player who decides */
} fzi_lets_of;

typedef struct fzi_lets {
    fz_program layout;      /* the program with the layout of the block */
    fz_variable *likes;     /* for each of program.shown: its place in the block */
    uint8_t *block, *unknown;
    void *memory;           /* of all of them; released by the caller */
} fzi_lets;

/* Computes all, or only those whose value `reveal` takes part in. */
fz_status fzi_lets_find(fzi_lets *lets, fz_machine *machine, const fzi_lets_of *of,
                        bool revealing);
/* By element of program.shown[number]: 1 if the viewer does not know it. */
const uint8_t *fzi_let_unknown(const fzi_lets *lets, uint32_t number);
/* Adds those that reveal something below the line "shown:"; nothing if there are none. A player
 * sees nothing else that its observation does not say. */
fz_status fzi_revealed_write(fz_machine *machine, const fzi_lets_of *of, fzi_buffer *out);

#endif
