/* ferz engine: a game as an engine of graphical boards. */
#include "cli.h"

#include "interp/terminal/engine_serve.h"

static int run(fzi_session *session)
{
    const fzi_cli *cli = session->cli;
    const char *agent = cli->values[FZ_CLI_AGENTS];
    fzi_setup setup = fzi_session_setup(session);

    if (session->program->uses_chance || fz_program_hides(session->program))
        return fzi_cli_complain(cli, "the protocols of engines have no chance and hide nothing");
    if (!fzi_engine_serve(&setup, agent ? agent : "alphabeta"))
        return fzi_cli_complain(cli, "--agents: %s", fz_context_message(session->context));
    if (ferror(stdin))
        return fzi_cli_complain(cli, "standard input cannot be read");
    return FZ_EXIT_OK;
}

int fzi_cli_engine(const fzi_cli *cli)
{
    return fzi_session_run(cli, FZ_CHANCE_SAMPLE, run);
}
