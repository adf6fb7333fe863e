/* The parts of moves of .lud games, and the sites that they lead to: what lud_moves.c builds on. */
#ifndef FZ_GRAMMAR_IMPORT_LUD_REACH_H
#define FZ_GRAMMAR_IMPORT_LUD_REACH_H

#include "lud_writer.h"

/* What stands in `(move Step (from …) Diagonal (between …) (to …) (then …))`. */
typedef struct fzi_lud_parts {
    const fzi_lud *node, *from, *dirs, *between, *to, *then, *piece, *other;
    bool copy; /* the piece stays, and another one is made */
} fzi_lud_parts;

/* Sorts the items of a move from number `first` on. */
bool fzi_lud_read_parts(fzi_lud_writer *w, const fzi_lud *node, size_t first, fzi_lud_parts *p);

/* What stands in `(to REGION if:C (apply if:C E))`, also for `from` and `between`. */
typedef struct fzi_lud_place {
    const fzi_lud *region, *test, *effect, *range, *before, *after;
} fzi_lud_place;

bool fzi_lud_read_place(fzi_lud_writer *w, const fzi_lud *node, fzi_lud_place *p);
/* The statements of (then …), with those that follow all the same. */
const char *fzi_lud_after(fzi_lud_writer *w, const fzi_lud *then, const char *outer);
/* The statements after a move's own effect. */
const char *fzi_lud_follow(fzi_lud_writer *w, const fzi_lud_parts *p, const char *then);
/* The set that a condition such as `to in empty or to in theirs` is about; NULL: it is no set. */
const char *fzi_lud_set_of(fzi_lud_writer *w, const char *condition, const char *name);
/* The targets that fulfil the test, as `SET & empty`, or with the test left in *rest. */
const char *fzi_lud_targets(fzi_lud_writer *w, const char *set, const fzi_lud *test,
                            const char **rest);
/* The effect of (apply …), without the removal of what `go` captures anyway. */
const char *fzi_lud_applied(fzi_lud_writer *w, const fzi_lud *effect);
void fzi_lud_add_option(fzi_lud_writer *w, fzi_growing *to, const char *quantifiers,
                        const char *test, const char *label, const char *effect);
/* `for from in SET`, or nothing inside a piece's body or a loop that has bound the name. The name
 * is then in `w->names.from`. */
const char *fzi_lud_origins(fzi_lud_writer *w, const fzi_lud_parts *p, const char **test);
const char *fzi_lud_directions(fzi_lud_writer *w, const fzi_lud_parts *p);
/* `a and b`; either may be NULL. */
const char *fzi_lud_both(fzi_lud_writer *w, const char *a, const char *b);

/* ---- lud_hops.c ---- */

/* (move Hop …) as an option. */
bool fzi_lud_add_hop(fzi_lud_writer *w, const fzi_lud_parts *p, const char *then, fzi_growing *to);

/* ---- lud_moves.c ---- */

/* The last item if it is (then …); NULL. */
const fzi_lud *fzi_lud_then_of(const fzi_lud *node);
/* What must hold after a move: (do MOVES ifAfterwards:C). NULL: it is not said. */
const char *fzi_lud_ensured(fzi_lud_writer *w, const fzi_lud *node);

/* The sites that a step or a slide leads to, and what must hold besides. */
typedef struct fzi_lud_reach {
    const char *set, *test, *effect;
} fzi_lud_reach;

typedef bool fzi_lud_reach_fn(fzi_lud_writer *w, const fzi_lud_parts *p, fzi_lud_reach *r);
/* A slide of so many steps as an effect; NULL: it is none. */
const char *fzi_lud_slide_effect(fzi_lud_writer *w, const fzi_lud *node);
fzi_lud_reach_fn fzi_lud_step, fzi_lud_slide, fzi_lud_leap, fzi_lud_jump;

#endif
