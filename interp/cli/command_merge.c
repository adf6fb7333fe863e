/* ferz merge: joins the shards of a run, in shard files or archives. */
#include "interp/lab/archive_join.h"
#include "interp/lab/archive_replay.h"
#include "files.h"
#include "playout_report.h"
#include "print_measures.h"
#include "interp/lab/shard_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int print(const fzi_cli *cli, const fzi_shard *all)
{
    fzi_measures_page page = {.experiment = all->experiment, .names = all->names};

    if (!all->measures)
        return fzi_report_print(cli, all->experiment, NULL, &all->sums);
    page.measures = *all->measures;
    return fzi_measures_print(cli, &page);
}

static int report(const fzi_cli *cli, const fzi_shard *all)
{
    int code = print(cli, all);

    if (!all->sums.failed)
        return code;
    fflush(stdout);
    fzi_cli_complain(cli, "%s", all->sums.message);
    fprintf(stderr, "  in game %" PRIu64 " of seed %" PRIu64 "\n", all->sums.failed_stream + 1,
            fzi_experiment_seed(all->experiment));
    return FZ_EXIT_WRONG;
}

/* The games of a run that the archive has; 0: its only run. */
static int read_archive(const fzi_cli *cli, const char *path, long long number, fzi_shard *shard)
{
    fzi_archived_run run;
    int code = fzi_archived_open(&run, cli, path, (uint64_t)number);

    if (code == FZ_EXIT_OK) {
        *shard = (fzi_shard){.path = path, .experiment = json_incref(run.experiment),
                             .first = run.archive.first, .count = run.archive.done,
                             .run = run.archive.run,
                             .sums = run.sums};
        fz_sums_init(&run.sums, fzi_cli_resize, NULL); /* the shard has them now */
    }
    fzi_archived_close(&run);
    return code;
}

static int read(const fzi_cli *cli, const char *path, fzi_shard *shard)
{
    if (fzi_archive_is(path))
        return read_archive(cli, path, (long long)cli->run, shard);
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
    fzi_archive into;
    fzi_shard all;
    int code = fzi_shards_join(cli, shards, count, &all);

    if (code == FZ_EXIT_OK && fzi_cli_has(cli, FZ_CLI_DB)) {
        code = fzi_archives_join_begin(&into, cli);
        if (code == FZ_EXIT_OK)
            code = fzi_archives_join(&into, shards, count);
        code = fzi_archives_join_end(&into, code);
    }
    if (code == FZ_EXIT_OK)
        code = fzi_cli_has(cli, FZ_CLI_OUTPUT) ? write_sums(cli, &all) : report(cli, &all);
    fzi_shard_clear(&all);
    return code;
}

/* ---- archives of several runs, such as those of a study ---- */

/* Adds the run, and all others of its experiment in the other archives. `*taken` counts them. */
static int join_run(fzi_archive *into, long long number, size_t *taken)
{
    const fzi_cli *cli = into->cli;
    size_t room = cli->words.count, count = 0;
    fzi_shard *shards = fzi_cli_allocate(NULL, room * sizeof *shards);
    int code = read_archive(cli, cli->words.items[0], number, &shards[0]);
    fzi_shard all = {0};

    count += code == FZ_EXIT_OK;
    for (size_t i = 0; code == FZ_EXIT_OK && i < room; i++) {
        const json_t *experiment = shards[0].experiment;
        long long run = i ? 0 : number;
        while (code == FZ_EXIT_OK &&
               (run = fzi_archive_find_run(cli, cli->words.items[i], experiment, run)) > 0) {
            shards = fzi_cli_allocate(shards, (count + room) * sizeof *shards);
            code = read_archive(cli, cli->words.items[i], run, &shards[count]);
            count += code == FZ_EXIT_OK;
        }
        code = run < 0 ? FZ_EXIT_USAGE : code;
    }
    if (code == FZ_EXIT_OK)
        code = fzi_shards_join(cli, shards, count, &all);
    if (code == FZ_EXIT_OK)
        code = fzi_archives_join(into, shards, count);
    *taken += count;
    fzi_shard_clear(&all);
    while (count > 0)
        fzi_shard_clear(&shards[--count]);
    free(shards);
    return code;
}

/* In all archives. An exit code. */
static int count_runs(const fzi_cli *cli, size_t *count)
{
    long long run = 0;

    *count = 0;
    for (size_t i = 0; i < cli->words.count && run >= 0; i++)
        for (run = 0; (run = fzi_archive_find_run(cli, cli->words.items[i], NULL, run)) > 0;)
            ++*count;
    return run < 0 ? FZ_EXIT_USAGE : FZ_EXIT_OK;
}

static bool has_several_runs(const fzi_cli *cli)
{
    const char *path = cli->words.items[0];
    long long first;

    if (!fzi_cli_has(cli, FZ_CLI_DB) || cli->run || !fzi_archive_is(path))
        return false;
    first = fzi_archive_find_run(cli, path, NULL, 0);
    return first > 0 && fzi_archive_find_run(cli, path, NULL, first) > 0;
}

/* Each run of the first archive, with its other parts. */
static int join_all(fzi_archive *into, size_t runs)
{
    const fzi_cli *cli = into->cli;
    long long run = 0;
    size_t taken = 0;
    int code = FZ_EXIT_OK;

    while (code == FZ_EXIT_OK &&
           (run = fzi_archive_find_run(cli, cli->words.items[0], NULL, run)) > 0)
        code = join_run(into, run, &taken);
    if (run < 0)
        return FZ_EXIT_USAGE;
    if (code == FZ_EXIT_OK && taken < runs)
        return fzi_cli_complain(cli, "another archive has runs that %s does not have: nothing was "
                                "joined", cli->words.items[0]);
    return code;
}

static int join_runs(const fzi_cli *cli)
{
    fzi_archive into;
    size_t runs;
    int code;

    if (fzi_cli_has(cli, FZ_CLI_OUTPUT))
        return fzi_cli_complain(cli, "--output takes the sums of one run: choose one with --run");
    code = count_runs(cli, &runs);
    if (code != FZ_EXIT_OK)
        return code;
    code = fzi_archives_join_begin(&into, cli);
    if (code == FZ_EXIT_OK)
        code = join_all(&into, runs);
    return fzi_archives_join_end(&into, code);
}

int fzi_cli_merge(const fzi_cli *cli)
{
    if (has_several_runs(cli))
        return join_runs(cli);
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
