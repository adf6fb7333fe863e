/* Choices, their options and filters, and the items of pieces. */
#ifndef FZ_GRAMMAR_CHECK_CHECK_OPTION_H
#define FZ_GRAMMAR_CHECK_CHECK_OPTION_H

#include "checker.h"

void fzi_check_choose(fzi_checker *c, fzi_node *node);
void fzi_check_options(fzi_checker *c, fzi_node *list);
void fzi_check_filters(fzi_checker *c, fzi_node *list);
void fzi_check_pieces(fzi_checker *c);

#endif
