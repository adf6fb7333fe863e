/* ferz measure: what games say about a game. */
#include "measure_run.h"

static int run(fzi_session *session)
{
    const fzi_cli *cli = session->cli;
    fzi_measure_run measured;
    int code = fzi_measure_run_play(&measured, session, 0, cli->count);

    if (measured.page.names && (code == FZ_EXIT_OK || measured.page.measures.games)) {
        int printed = fzi_measures_print(cli, &measured.page);
        code = code == FZ_EXIT_OK ? printed : code;
    }
    fzi_measure_run_clear(&measured);
    return code;
}

int fzi_cli_measure(const fzi_cli *cli)
{
    return fzi_session_run(cli, FZ_CHANCE_ASK, run);
}
