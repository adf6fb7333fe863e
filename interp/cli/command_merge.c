/* ferz merge: joins the shards of a run, in shard files or archives. */
#include "archive_join.h"
#include "archived_run.h"
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

/* The games of a run that the archive has. */
static int read_archive(const fzi_cli *cli, const char *path, fzi_shard *shard)
{
    fzi_archived_run run;
    int code = fzi_archived_open(&run, cli, path, cli->run);

    if (code == FZ_EXIT_OK) {
        *shard = (fzi_shard){.path = path, .experiment = json_incref(run.experiment),
                             .first = run.archive.first, .count = run.archive.done,
                             .sums = run.sums};
        fz_sums_init(&run.sums, fzi_cli_resize, NULL); /* the shard has them now */
    }
    fzi_archived_close(&run);
    return code;
}

static int read(const fzi_cli *cli, const char *path, fzi_shard *shard)
{
    if (fzi_archive_is(path))
        return read_archive(cli, path, shard);
    if (fzi_cli_has(cli, FZ_CLI_DB))
        return fzi_cli_complain(cli, "%s: this is not an archive, and --db joins archives", path);
    return fzi_shard_read(cli, path, shard);
}

static int write_sums(const fzi_cli *cli, const fzi_shard *all)
{
    char *text = fzi_shard_text(all);
    int code = fzi_file_write(cli, cli->values[FZ_CLI_OUTPUT], text, strlen(text));

    free(text);
    return code;
}

static int join(const fzi_cli *cli, fzi_shard *shards, size_t count)
{
    fzi_shard all = {.experiment = shards[0].experiment};
    int code = fzi_shards_join(cli, shards, count, &all.sums);

    all.count = fzi_experiment_playouts(all.experiment);
    if (code == FZ_EXIT_OK && fzi_cli_has(cli, FZ_CLI_DB))
        code = fzi_archives_join(cli, shards, count);
    if (code == FZ_EXIT_OK)
        code = fzi_cli_has(cli, FZ_CLI_OUTPUT) ? write_sums(cli, &all)
                                               : report(cli, all.experiment, &all.sums);
    fz_sums_clear(&all.sums);
    return code;
}

int fzi_cli_merge(const fzi_cli *cli)
{
    fzi_shard *shards = fzi_cli_allocate(NULL, cli->words.count * sizeof *shards);
    size_t count = 0;
    int code = FZ_EXIT_OK;

    while (code == FZ_EXIT_OK && count < cli->words.count) {
        code = read(cli, cli->words.items[count], &shards[count]);
        count += code == FZ_EXIT_OK;
    }
    if (code == FZ_EXIT_OK)
        code = join(cli, shards, count);
    while (count > 0)
        fzi_shard_clear(&shards[--count]);
    free(shards);
    return code;
}
