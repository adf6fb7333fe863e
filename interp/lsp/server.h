/* The entry of the language server. */
#ifndef FZ_INTERP_LSP_SERVER_H
#define FZ_INTERP_LSP_SERVER_H

#include "ferz.h"

/* Serves one client on the descriptors until the input ends or it sends `exit`. Returns 0 after
 * `shutdown`, else 1. */
int fzi_lsp_serve(fz_context *context, int in, int out);

#endif
