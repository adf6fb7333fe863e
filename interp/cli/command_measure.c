/* ferz measure: measures of a game, from many games. */
#include "cli.h"

/* For `ferz merge`, which needs all games. */
static int write_shard(const fzi_cli *cli, const fzi_measure_run *run)
{
    uint64_t games = run->sums.playouts + run->sums.failed;
    fzi_measures measures = run->page.measures;
    fzi_shard shard = {.experiment = run->experiment, .first = run->first, .count = run->count,
                       .sums = run->sums, .names = run->page.names, .measures = &measures};

    if (games < run->count) {
        fzi_cli_complain(cli, "%s was not written: only %" PRIu64 " of %" PRIu64 " games were "
                         "played", cli->values[FZ_CLI_OUTPUT], games, run->count);
        return FZ_EXIT_WRONG;
    }
    return fzi_report_shard(cli, run->setup.context, &shard);
}

static int print(const fzi_cli *cli, const fzi_measure_run *run)
{
    return fzi_cli_has(cli, FZ_CLI_OUTPUT) ? write_shard(cli, run)
                                           : fzi_measures_print(cli, &run->page);
}

int fzi_cli_measure(const fzi_cli *cli)
{
    if (fzi_cli_has(cli, FZ_CLI_STRATEGIC_DEPTH) &&
        (fzi_cli_has(cli, FZ_CLI_SHARD) || fzi_cli_has(cli, FZ_CLI_OUTPUT)))
        return fzi_cli_complain(cli, "--strategic-depth is a match of its own, which has no "
                                "shards");
    if (fzi_cli_has(cli, FZ_CLI_STORED) && fzi_cli_has(cli, FZ_CLI_OUTPUT))
        return fzi_cli_complain(cli, "--output needs the games themselves: leave --stored out");
    return fzi_measure_games(cli, false, print);
}
