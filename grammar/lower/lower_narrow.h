/* Conditions of options as sets of the members that pass. */
#ifndef FZ_GRAMMAR_LOWER_LOWER_NARROW_H
#define FZ_GRAMMAR_LOWER_LOWER_NARROW_H

#include "gathering.h"

/* Gathers "for x in A if c(x)" as one set of the members that pass. False: the option does not have
 * this form. */
bool fzi_gather_passing(fzi_gather *g, fzi_way way, const fzi_node *option, const fzi_node *quant,
                        const fzi_node *node);
/* Before a loop over sites: reduces its set to members for which the conditions further in can
 * hold, as far as that is known for the whole set, and jumps to `none` if it is empty. Returns how
 * many shared sets are computed on every way to here. */
unsigned fzi_gather_narrowed(fzi_gather *g, fzi_view view, const fzi_node *option,
                             const fzi_node *quant, const fzi_node *node, fzi_binder *binder,
                             fzi_label *none);

#endif
