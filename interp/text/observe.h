/* What a player knows of a state (docs/language.md §8): the common ground of drawings and positions
 * for a player. */
#ifndef FZ_INTERP_TEXT_OBSERVE_H
#define FZ_INTERP_TEXT_OBSERVE_H

#include "interp/state/state.h"

typedef struct fzi_observed {
    /* a copy in which what the player does not know is as at the beginning */
    fz_state *state;
    /* sites of which the player knows that something may stand there */
    uint64_t unseen[FZ_MAX_WORDS];
} fzi_observed;

/* May the viewer see the element? Of a secret variable whose first index is a player, only its
 * own. */
bool fzi_element_visible(const fz_program *program, const fz_variable *variable, uint32_t element,
                         int viewer);

/* `base`: the block of a state without anything. To be cleared, whatever the status. */
fz_status fzi_observe(fz_machine *machine, const fz_state *state, int viewer, const uint8_t *base,
                      fzi_observed *seen);
void fzi_observed_clear(fzi_observed *seen);

/* Are these lines among those of the text, one after the other? Blanks around lines, and empty
 * lines at the ends of `lines`, do not count. */
bool fzi_has_lines(const char *text, const char *lines);

#endif
