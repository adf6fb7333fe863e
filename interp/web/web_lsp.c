/* Runs the language server in the WebAssembly engine. See web_engine.h. */
#include "web_engine.h"

#include "interp/lsp/lsp.h"

int fzi_web_serve(void)
{
    return fzi_lsp_serve(fzi_web_context(), 0, 1);
}
