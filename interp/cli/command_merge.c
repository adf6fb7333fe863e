/* ferz merge: joins the shards of a run. */
#include "files.h"
#include "playout_report.h"
#include "shard_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int report(const fzi_cli *cli, const json_t *experiment, const fz_sums *sums)
{
    int code = fzi_report_print(cli, experiment, NULL, sums);

    if (!sums->failed)
        return code;
    fflush(stdout);
    fzi_cli_complain(cli, "%s", sums->message);
    fprintf(stderr, "  in game %" PRIu64 " of seed %" PRIu64 "\n", sums->failed_stream + 1,
            fzi_experiment_seed(experiment));
    return FZ_EXIT_WRONG;
}

static int join(const fzi_cli *cli, fzi_shard *shards, size_t count)
{
    fzi_shard all = {.experiment = shards[0].experiment};
    int code = fzi_shards_join(cli, shards, count, &all.sums);
    char *text;

    all.count = fzi_experiment_playouts(all.experiment);
    if (code == FZ_EXIT_OK && fzi_cli_has(cli, FZ_CLI_OUTPUT)) {
        text = fzi_shard_text(&all);
        code = fzi_file_write(cli, cli->values[FZ_CLI_OUTPUT], text, strlen(text));
        free(text);
    } else if (code == FZ_EXIT_OK) {
        code = report(cli, all.experiment, &all.sums);
    }
    fz_sums_clear(&all.sums);
    return code;
}

int fzi_cli_merge(const fzi_cli *cli)
{
    fzi_shard *shards = fzi_cli_allocate(NULL, cli->words.count * sizeof *shards);
    size_t count = 0;
    int code = FZ_EXIT_OK;

    while (code == FZ_EXIT_OK && count < cli->words.count) {
        code = fzi_shard_read(cli, cli->words.items[count], &shards[count]);
        count += code == FZ_EXIT_OK;
    }
    if (code == FZ_EXIT_OK)
        code = join(cli, shards, count);
    while (count > 0)
        fzi_shard_clear(&shards[--count]);
    free(shards);
    return code;
}
