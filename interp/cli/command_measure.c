/* ferz measure: what games say about a game. */
#include "files.h"
#include "print_measures.h"
#include "interp/lab/measure_run.h"
#include "interp/lab/shard_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* For `ferz merge`, which needs all games. */
static int write_shard(const fzi_measure_run *run)
{
    const fzi_cli *cli = run->session->cli;
    const char *path = cli->values[FZ_CLI_OUTPUT];
    uint64_t games = run->sums.playouts + run->sums.failed;
    fzi_measures measures = run->page.measures;
    fzi_shard shard = {.experiment = run->experiment, .first = run->first, .count = run->count,
                       .sums = run->sums, .names = run->page.names, .measures = &measures};
    char *text;
    int code;

    if (games < run->count) {
        fzi_cli_complain(cli, "%s was not written: only %" PRIu64 " of %" PRIu64 " games were "
                         "played", path, games, run->count);
        return FZ_EXIT_WRONG;
    }
    text = fzi_shard_text(&shard);
    code = fzi_file_write(cli, path, text, strlen(text));
    free(text);
    return code;
}

static int tell(const fzi_measure_run *run)
{
    const fzi_cli *cli = run->session->cli;

    return fzi_cli_has(cli, FZ_CLI_OUTPUT) ? write_shard(run)
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
    return fzi_measure_games(cli, false, tell);
}
