/* ferz merge: joins the shards of a run, in shard files or archives. */
#include "cli.h"

static int report(const fzi_cli *cli, const fzi_shard *all)
{
    int code = fzi_report_print(cli, all, NULL);

    if (!all->sums.failed)
        return code;
    fflush(stdout);
    fzi_cli_complain(cli, "%s", all->sums.message);
    fprintf(stderr, "  in game %" PRIu64 " of seed %" PRIu64 "\n", all->sums.failed_stream + 1,
            fzi_experiment_seed(all->experiment));
    return FZ_EXIT_WRONG;
}

/* The command line, a context, and the shards read so far. */
typedef struct merging {
    const fzi_cli *cli;
    fz_context *context;
    fzi_shard *shards;
    size_t count;
} merging;

static fzi_shard *next_shard(merging *m)
{
    m->shards = fzi_cli_allocate(m->shards, (m->count + 1) * sizeof *m->shards);
    return &m->shards[m->count];
}

/* The games of a run that the archive has; 0: its only run. */
static int read_archive(merging *m, const char *path, long long number)
{
    fz_report *errors = NULL;
    fz_status status = fzi_archive_shard(m->context, path, (uint64_t)number, next_shard(m),
                                         &errors);

    m->count += status == FZ_OK;
    return fzi_cli_failed(m->cli, m->context, status, errors);
}

static int read(merging *m, const char *path)
{
    size_t length;

    if (fzi_archive_is(path))
        return read_archive(m, path, (long long)m->cli->run);
    if (fzi_cli_has(m->cli, FZ_CLI_DB))
        return fzi_cli_complain(m->cli, "%s: this is not an archive, and --db joins archives",
                                path);
    char *text = fzi_file_read(m->cli, path, &length);
    if (!text)
        return FZ_EXIT_USAGE;
    fz_status status = fzi_shard_parse(m->context, path, text, length, next_shard(m));
    m->count += status == FZ_OK;
    free(text);
    return fzi_cli_failed(m->cli, m->context, status, NULL);
}

/* The shards become a run of the archive of --db, or all runs of the archives, if there are no
 * shards. An exit code. */
static int join_archives(const merging *m)
{
    const fzi_cli *cli = m->cli;
    fz_archive into;
    fz_status status = fzi_archive_open(&into, m->context, cli->values[FZ_CLI_DB], true);

    if (status == FZ_OK)
        status = m->count ? fzi_archive_join(&into, m->shards, m->count, cli->line)
                          : fz_archives_join(&into, (const char *const *)cli->words.items,
                                             cli->words.count, cli->line);
    fzi_archive_clear(&into);
    if (status == FZ_OK && *fz_context_message(m->context)) /* what was left out */
        fprintf(stderr, "%s\n", fz_context_message(m->context));
    return fzi_cli_failed(m->cli, m->context, status, NULL);
}

static int join(merging *m)
{
    const fzi_cli *cli = m->cli;
    fzi_shard all;
    fz_status status = fzi_shards_join(m->context, m->shards, m->count, &all);
    int code = fzi_cli_failed(cli, m->context, status, NULL);

    if (code == FZ_EXIT_OK && fzi_cli_has(cli, FZ_CLI_DB))
        code = join_archives(m);
    if (code == FZ_EXIT_OK)
        code = fzi_cli_has(cli, FZ_CLI_OUTPUT) ? fzi_report_shard(cli, m->context, &all)
                                               : report(cli, &all);
    fzi_shard_clear(&all);
    return code;
}

static bool has_several_runs(const merging *m)
{
    const char *path = m->cli->words.items[0];

    return fzi_cli_has(m->cli, FZ_CLI_DB) && !m->cli->run && fzi_archive_is(path) &&
           fzi_archive_count(m->context, path) > 1;
}

int fzi_cli_merge(const fzi_cli *cli)
{
    merging m = {.cli = cli, .context = fzi_session_context(cli)};
    int code = m.context ? FZ_EXIT_OK : FZ_EXIT_USAGE;

    if (code == FZ_EXIT_OK && has_several_runs(&m)) {
        code = fzi_cli_has(cli, FZ_CLI_OUTPUT)
                   ? fzi_cli_complain(cli, "--output takes the sums of one run: choose one with "
                                      "--run")
                   : join_archives(&m);
    } else {
        for (size_t i = 0; code == FZ_EXIT_OK && i < cli->words.count; i++)
            code = read(&m, cli->words.items[i]);
        if (code == FZ_EXIT_OK)
            code = join(&m);
    }
    while (m.count > 0)
        fzi_shard_clear(&m.shards[--m.count]);
    free(m.shards);
    fz_context_free(m.context);
    return code;
}
