/* ferz disasm: the code of a program, for reading. */
#include "cli.h"

static int print(fzi_session *session)
{
    char *text = NULL;
    fz_status status = fz_program_disassemble(session->context, session->program, &text);

    return fzi_session_write(session, status, text, "-");
}

int fzi_cli_disasm(const fzi_cli *cli)
{
    return fzi_session_run_compiled(cli, print);
}
