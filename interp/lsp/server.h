/* The entry of the language server. */
#ifndef FZ_INTERP_LSP_SERVER_H
#define FZ_INTERP_LSP_SERVER_H

#include "ferz.h"

/* Serves one client on the descriptors until it leaves. Returns 0 if it said goodbye, else 1. */
int fzi_lsp_serve(fz_context *context, int in, int out);

#endif
