/* Elaboration: expressions of the checked tree → IR. Names are resolved by a view, which says what
 * every name and `me` mean at a place of the text. */
#ifndef FZ_GRAMMAR_LOWER_ELABORATE_H
#define FZ_GRAMMAR_LOWER_ELABORATE_H

#include "lower.h"

/* Names and their values: an immutable chain, innermost first. */
typedef struct fzi_env {
    const struct fzi_env *outer;
    const fzi_symbol *symbol;
    const fzi_ir *value;
} fzi_env;

typedef struct fzi_view {
    const fzi_env *env;
    const fzi_ir *me;
} fzi_view;

fzi_view fzi_view_bind(fzi_lower *lw, fzi_view view, const fzi_symbol *symbol, const fzi_ir *value);
fzi_view fzi_view_me(fzi_view view, const fzi_ir *me);
/* The view of constants: no name is bound, and values do not depend on `me`. */
fzi_view fzi_view_constant(fzi_lower *lw);
/* NULL when the symbol is not bound. */
const fzi_ir *fzi_view_find(fzi_view view, const fzi_symbol *symbol);

/* ---- expressions ---- */

/* The value of an expression; a set if its type is a set of sites. */
const fzi_ir *fzi_expr(fzi_lower *lw, fzi_view view, const fzi_node *node);
/* The value, converted to a set of sites. */
const fzi_ir *fzi_expr_sites(fzi_lower *lw, fzi_view view, const fzi_node *node);
/* The value, converted to `type`. */
const fzi_ir *fzi_expr_as(fzi_lower *lw, fzi_view view, const fzi_node *node, const fzi_type *type);
/* The same, with constant tables: ready for code generation. */
const fzi_ir *fzi_expr_final(fzi_lower *lw, fzi_view view, const fzi_node *node,
                             const fzi_type *type);
/* Reports an expression without an implementation, once, and returns a value to go on with. */
const fzi_ir *fzi_expr_bug(fzi_lower *lw, const fzi_node *node, const char *what);

/* ---- locals ---- */

/* A local that can hold the values of a type. */
fzi_local *fzi_local_new(fzi_lower *lw, const char *name, const fzi_type *type);
/* A local for `me`, which is always a player: in `as nobody`, `me` is the constant. */
fzi_local *fzi_me_new(fzi_lower *lw);
/* The binder that gives `local` every value of the domain of a `for`. */
fzi_binder fzi_binder_make(fzi_lower *lw, fzi_view view, const fzi_node *domain, fzi_local *local);

/* ---- types ---- */

bool fzi_is_sites(const fzi_type *type);
int64_t fzi_type_default(const fzi_type *type);
/* How many values a player, a direction or a name turns through. */
int64_t fzi_cycle_size(const fzi_lower *lw, const fzi_type *type);
/* Sets of anything but sites are masks of one word. */
enum { FZI_MASK_BITS = 64 };
/* Can a mask hold all numbers from low to high? */
bool fzi_fits_mask(int64_t low, int64_t high);

#endif
