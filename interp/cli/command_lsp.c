/* ferz lsp: the language server, on standard input and output. */
#include "cli.h"

#include "interp/lsp/lsp.h"

#include <unistd.h>

int fzi_cli_lsp(const fzi_cli *cli)
{
    fz_context *context = fzi_session_context(cli);

    if (!context)
        return FZ_EXIT_USAGE;
    int code = fzi_lsp_serve(context, STDIN_FILENO, STDOUT_FILENO);
    fz_context_free(context);
    return code;
}
