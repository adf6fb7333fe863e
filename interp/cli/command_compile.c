/* ferz compile: writes a compiled program or C code to a file. */
#include "cli.h"

static int save(fzi_session *session)
{
    const char *given = session->cli->values[FZ_CLI_OUTPUT];
    bool alone = fzi_cli_has(session->cli, FZ_CLI_STANDALONE);
    bool c = alone || fzi_cli_has(session->cli, FZ_CLI_C);
    char *path = given ? NULL : fzi_file_named(session->path, c ? ".c" : ".gamec"), *bytes = NULL;
    size_t length = 0;
    fz_status status;
    int code;

    status = alone ? fz_program_c_standalone(session->context, session->program, &bytes, &length)
             : c ? fz_program_c(session->context, session->program, &bytes, &length)
               : fz_program_save(session->context, session->program, &bytes, &length);
    if (status != FZ_OK)
        code = fzi_session_failed(session, status);
    else
        code = fzi_file_write(session->cli, given ? given : path, bytes, length);
    if (code == FZ_EXIT_OK && path)
        fprintf(stderr, "%s: %zu bytes\n", path, length);
    fz_text_free(session->context, bytes);
    free(path);
    return code;
}

int fzi_cli_compile(const fzi_cli *cli)
{
    fzi_cli writing = *cli;

    writing.writes_program = true;
    return fzi_session_run_compiled(&writing, save);
}
