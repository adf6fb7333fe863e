/* ferz disasm: the code of a program, for reading. */
#include "cli.h"

int fzi_cli_disasm(const fzi_cli *cli)
{
    fzi_session session;
    char *text = NULL;
    int code = fzi_session_open(&session, cli, cli->words.items[0]);

    if (code == FZ_EXIT_OK) {
        fz_status status = fz_program_disassemble(session.context, session.program, &text);
        if (status == FZ_OK) {
            fputs(text, stdout);
            fz_text_free(session.context, text);
        } else {
            code = fzi_session_failed(&session, status);
        }
    }
    fzi_session_clear(&session);
    return code;
}
