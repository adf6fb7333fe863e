/* ferz measure: what games say about a game. */
#include "measure_run.h"

static int print(const fzi_measure_run *run)
{
    return fzi_measures_print(run->session->cli, &run->page);
}

int fzi_cli_measure(const fzi_cli *cli)
{
    return fzi_measure_games(cli, print);
}
