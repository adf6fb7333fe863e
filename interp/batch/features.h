/* What a player sees of a state, as numbers: features of the same program have the same places. */
#ifndef FZ_INTERP_BATCH_FEATURES_H
#define FZ_INTERP_BATCH_FEATURES_H

#include "action_numbers.h"
#include "player_view.h"
#include "interp/state/state.h"

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
