/* Choices: `choose`, and the expansion of generators into leaves. */
#ifndef FZ_GRAMMAR_LOWER_LOWER_CHOICE_H
#define FZ_GRAMMAR_LOWER_LOWER_CHOICE_H

#include "gathering.h"

void fzi_lower_choose(fzi_codegen *e, fzi_view view, const fzi_node *choose, bool tail);
/* The code of a choice up to its DECIDE, which jumps to `otherwise` if there is no move. */
void fzi_gather_choice(fzi_gather *g, fzi_codegen *e, fzi_view view, const fzi_node *choose,
                       bool explains, fzi_label *otherwise);
/* Begins the gathering of a choice. With `test` no list is made, so there is no choice. */
void fzi_gather_begin(fzi_gather *g, fzi_codegen *e, fzi_span span, bool test);
/* Ends it: the options, as the EMIT instructions from `from` on name them, are numbered from 0
 * until all are known: those of a choice inside an effect come to lie elsewhere. */
void fzi_gather_number(fzi_gather *g, uint32_t from);

/* ---- the way to an option ---- */

void fzi_gather_options(fzi_gather *g, fzi_way way, const fzi_node *options);
/* Adds a binding, whose new local is in *local. */
fzi_way fzi_way_bind(fzi_gather *g, fzi_way way, const fzi_symbol *symbol, fzi_local **local);
/* Adds a `let`; `gather`: gathering needs its value too. */
fzi_way fzi_way_let(fzi_gather *g, fzi_way way, const fzi_symbol *symbol, const fzi_ir *value,
                    bool gather);
/* Adds a statement that runs after the effect. */
fzi_way fzi_way_then(fzi_gather *g, fzi_way way, const fzi_node *then);
/* A number without a name that effects and filters need: inlined, or bound on the way. */
const fzi_ir *fzi_way_value(fzi_gather *g, fzi_way *way, const fzi_ir *value, const fzi_type *type);
/* Is the value cheap and independent enough of the state to be inlined where it is used? */
bool fzi_is_substitutable(const fzi_ir *ir);

/* ---- leaves ---- */

fzi_leaf *fzi_gather_leaf(fzi_gather *g, const fzi_way *way, const fzi_node *label,
                          const fzi_node *effect, fzi_span span);
/* Lists a move of the leaf for each member of its last binder. */
void fzi_gather_last(fzi_gather *g, fzi_leaf *leaf, const fzi_binder *binder);

/* ---- the tree ---- */

/* Does the list of nodes mention the symbol? */
bool fzi_tree_mentions(const fzi_node *list, const fzi_symbol *symbol);
/* The same for one node without its siblings. */
bool fzi_node_mentions(const fzi_node *node, const fzi_symbol *symbol);
/* The list of BINDER or BOUND of a `for` or `let`; NULL for other quantifiers and NULL. */
const fzi_node *fzi_quant_parts(const fzi_node *quant);

#endif
