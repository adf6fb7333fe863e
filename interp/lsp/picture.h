/* Pictures of sets of sites. */
#ifndef FZ_INTERP_LSP_PICTURE_H
#define FZ_INTERP_LSP_PICTURE_H

#include "lsp.h"

/* The start position with a star on each site of the set, in the analysis; NULL: the script has
 * errors, or the set depends on names that have no value there. A set that depends on `here` is
 * drawn for a site in the middle. */
const char *fzi_set_picture(fzi_lsp *lsp, const fzi_lsp_place *at, const fzi_node *set);

#endif
