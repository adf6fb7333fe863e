/* Warnings about code without use. */
#ifndef FZ_GRAMMAR_CHECK_CHECK_USE_H
#define FZ_GRAMMAR_CHECK_CHECK_USE_H

#include "checker.h"

/* Warns about a local that was not used when its block ends. */
void fzi_local_ended(fzi_checker *c, const fzi_symbol *symbol);
void fzi_check_use(fzi_checker *c);

/* Visits all nodes of a list, or all nodes below a node; each node before its children. */
typedef void fzi_visitor(fzi_checker *c, fzi_node *node, void *user);
void fzi_visit(fzi_checker *c, fzi_node *list, fzi_visitor *look, void *user);
void fzi_visit_children(fzi_checker *c, fzi_node *node, fzi_visitor *look, void *user);

#endif
