/* ferz info: describes a game. */
#include "cli.h"

static int print(fzi_session *session)
{
    if (session->cli->format == FZ_CLI_JSON)
        return fzi_json_print(fzi_game_json(session->program));
    fzi_game_print(session->program);
    return FZ_EXIT_OK;
}

int fzi_cli_info(const fzi_cli *cli)
{
    return fzi_session_run_compiled(cli, print);
}
