/* The rules of a game in English: a page made from the checked tree. The author's `///` texts stand
 * where there are some; other rules are said in sentences made from their structure. */
#ifndef FZ_GRAMMAR_PROSE_RULEBOOK_H
#define FZ_GRAMMAR_PROSE_RULEBOOK_H

#include "page.h"

#include "grammar/compile.h"

/* `drawing`: the start position as text; NULL: none is shown. The analysis has no errors and is of
 * a game. The page is in its arena. */
fzi_page *fzi_rulebook(const fzi_analysis *analysis, const char *drawing);

/* An expression in English, for editors: "an empty square one square forward"; NULL if the analysis
 * has errors, and for what has no words or too many. The text is in the analysis's arena. */
const char *fzi_in_english(const fzi_analysis *analysis, const fzi_node *expression);

#endif
