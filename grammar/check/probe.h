/* Probes: what the checker tells tools about one place of a text (fzi_probe in check.h). */
#ifndef FZ_GRAMMAR_CHECK_PROBE_H
#define FZ_GRAMMAR_CHECK_PROBE_H

#include "checker.h"

/* Notes what is wanted if the load's probe asks for the name at this place. A known type replaces
 * an unknown one. */
void fzi_probe_note(fzi_checker *c, fzi_span span, enum fzi_probe_kind wanted,
                    const fzi_type *type);
/* The same for the arguments of a call that does not have the right number of them yet. */
void fzi_probe_arguments(fzi_checker *c, const fzi_symbol *callee, const fzi_node *arguments);

#endif
