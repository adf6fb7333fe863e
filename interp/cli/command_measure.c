/* ferz measure: measures of a game, from many games. */
#include "cli.h"

static int print(const fzi_cli *cli, const fzi_measure_run *run)
{
    return fzi_measures_print(cli, &run->page);
}

int fzi_cli_measure(const fzi_cli *cli)
{
    return fzi_measure_games(cli, false, print);
}
