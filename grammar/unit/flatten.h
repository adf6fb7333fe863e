/* The text of a game with its bases and the libraries that change it: one game that needs no other
 * file but modules of the standard library. Options and `when` stay. The result is not formatted;
 * fzi_format of syntax/ does that. */
#ifndef FZ_GRAMMAR_UNIT_FLATTEN_H
#define FZ_GRAMMAR_UNIT_FLATTEN_H

#include "unit.h"

typedef struct fzi_merged_test {
    const char *text;
    const char *path; /* of the file that it stands in */
    bool is_own;      /* of the file that was asked for, not of a base */
    struct fzi_merged_test *next;
} fzi_merged_test;

typedef struct fzi_merged {
    const char *text;       /* all but the tests */
    fzi_merged_test *tests; /* those of the bases first, in the order of the files */
} fzi_merged;

/* The merged text of a unit without errors that is no library. `inlines`: what a variant replaces
 * and uses (`base`, `extend`) is written into the replacement where that is possible; otherwise it
 * always stays a declaration with a name of its own, `base_turn`. NULL: it cannot be written in one
 * file. */
const fzi_merged *fzi_merged_text(fzi_load *load, const fzi_unit *unit, bool inlines);

#endif
