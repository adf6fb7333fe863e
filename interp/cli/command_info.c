/* ferz info: describes a game. */
#include "cli.h"

int fzi_cli_info(const fzi_cli *cli)
{
    fzi_session session;
    int code = fzi_session_open(&session, cli, cli->words.items[0]);

    if (code == FZ_EXIT_OK && cli->format == FZ_CLI_CSV) {
        code = fzi_cli_no_csv(cli);
    } else if (code == FZ_EXIT_OK && cli->format == FZ_CLI_JSON) {
        code = fzi_json_print(fzi_game_json(session.program));
    } else if (code == FZ_EXIT_OK) {
        fzi_game_print(session.program);
    }
    fzi_session_clear(&session);
    return code;
}
