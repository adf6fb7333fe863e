/* Rules of a script as the commands show them. */
#ifndef FZ_CLI_RULES_H
#define FZ_CLI_RULES_H

#include "json.h"
#include "ferz_tools.h"

enum { FZI_EXCERPT_SIZE = 512 };
/* The rule's text on one line, cut after `width` characters, into `text`. */
const char *fzi_rule_excerpt(const fz_rule *rule, size_t width, char *text);
/* An array of objects. `never` keeps only the rules that never ran and are not inside another such
 * rule. */
json_t *fzi_rules_json(const fz_coverage *coverage, bool never);

#endif
