/* ferz merge: joins the shards of a run, in shard files or archives. */
#include "cli.h"

#include "interp/lab/archive.h"

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

/* What the functions below share: the command line, a context, the shards read so far. */
typedef struct merging {
    const fzi_cli *cli;
    fz_context *context;
    fzi_shard *shards;
    size_t count;
} merging;

static int failed(const merging *m, fz_status status)
{
    return status == FZ_OK ? FZ_EXIT_OK : fzi_cli_failed(m->cli, m->context, status, NULL);
}

static fzi_shard *next_shard(merging *m)
{
    m->shards = fzi_cli_allocate(m->shards, (m->count + 1) * sizeof *m->shards);
    return &m->shards[m->count];
}

static void clear_shards(merging *m)
{
    while (m->count > 0)
        fzi_shard_clear(&m->shards[--m->count]);
    free(m->shards);
    m->shards = NULL;
}

/* The games of a run that the archive has; 0: its only run. */
static int read_archive(merging *m, const char *path, long long number)
{
    fz_report *errors = NULL;
    fz_status status = fzi_archive_shard(m->context, path, (uint64_t)number, next_shard(m),
                                         &errors);

    m->count += status == FZ_OK;
    return status == FZ_OK ? FZ_EXIT_OK : fzi_cli_failed(m->cli, m->context, status, errors);
}

static int read(merging *m, const char *path)
{
    size_t length;
    fz_status status;
    char *text;

    if (fzi_archive_is(path))
        return read_archive(m, path, (long long)m->cli->run);
    if (fzi_cli_has(m->cli, FZ_CLI_DB))
        return fzi_cli_complain(m->cli, "%s: this is not an archive, and --db joins archives",
                                path);
    text = fzi_file_read(m->cli, path, &length);
    if (!text)
        return FZ_EXIT_USAGE;
    status = fzi_shard_parse(m->context, path, text, length, next_shard(m));
    m->count += status == FZ_OK;
    free(text);
    return failed(m, status);
}

/* Adds the shards to the archive as one run. An exit code. */
static int join_into(const merging *m, fz_archive *into)
{
    size_t without, with;
    fz_status status = fzi_archives_join(into, m->shards, m->count, m->cli->line, &without, &with);

    if (without != with)
        fprintf(stderr, "%s lacks the use of the board, which %s has: it is left out, and no study "
                "can go on with these games\n", m->shards[without - 1].path,
                m->shards[with - 1].path);
    return failed(m, status);
}

/* Commits or rolls back after `code`, the result of what came before. */
static int end_join(const merging *m, fz_archive *into, int code)
{
    fz_status status = fzi_archives_join_end(into, code == FZ_EXIT_OK ? FZ_OK : FZ_USAGE);

    return code == FZ_EXIT_OK ? failed(m, status) : code;
}

static int join(merging *m)
{
    const fzi_cli *cli = m->cli;
    fz_archive into;
    fzi_shard all;
    int code = failed(m, fzi_shards_join(m->context, m->shards, m->count, &all));

    if (code == FZ_EXIT_OK && fzi_cli_has(cli, FZ_CLI_DB)) {
        code = failed(m, fzi_archives_join_begin(&into, m->context, cli->values[FZ_CLI_DB]));
        if (code == FZ_EXIT_OK)
            code = join_into(m, &into);
        code = end_join(m, &into, code);
    }
    if (code == FZ_EXIT_OK)
        code = fzi_cli_has(cli, FZ_CLI_OUTPUT) ? fzi_report_shard(cli, m->context, &all)
                                               : report(cli, &all);
    fzi_shard_clear(&all);
    return code;
}

/* ---- archives of several runs, such as those of a study ---- */

/* The run after number `after` of the archive, of the experiment unless it is NULL; 0 if there is
 * none, -1 after a complaint. */
static long long find_run(const merging *m, const char *path, const json_t *experiment,
                          long long after)
{
    long long run = fzi_archive_find_run(m->context, path, experiment, after);

    if (run < 0)
        failed(m, FZ_BAD_INPUT);
    return run;
}

/* Adds the run, and all others of its experiment in the other archives. `*taken` counts them. */
static int join_run(merging *m, fz_archive *into, long long number, size_t *taken)
{
    const fzi_cli *cli = m->cli;
    int code = read_archive(m, cli->words.items[0], number);
    fzi_shard all = {0};

    for (size_t i = 0; code == FZ_EXIT_OK && i < cli->words.count; i++) {
        long long run = i ? 0 : number;
        while (code == FZ_EXIT_OK &&
               (run = find_run(m, cli->words.items[i], m->shards[0].experiment, run)) > 0)
            code = read_archive(m, cli->words.items[i], run);
        code = run < 0 ? FZ_EXIT_USAGE : code;
    }
    if (code == FZ_EXIT_OK)
        code = failed(m, fzi_shards_join(m->context, m->shards, m->count, &all));
    if (code == FZ_EXIT_OK)
        code = join_into(m, into);
    *taken += m->count;
    fzi_shard_clear(&all);
    clear_shards(m);
    return code;
}

/* In all archives. An exit code. */
static int count_runs(const merging *m, size_t *count)
{
    long long run = 0;

    *count = 0;
    for (size_t i = 0; i < m->cli->words.count && run >= 0; i++)
        for (run = 0; (run = find_run(m, m->cli->words.items[i], NULL, run)) > 0;)
            ++*count;
    return run < 0 ? FZ_EXIT_USAGE : FZ_EXIT_OK;
}

static bool has_several_runs(const merging *m)
{
    const char *path = m->cli->words.items[0];
    long long first;

    if (!fzi_cli_has(m->cli, FZ_CLI_DB) || m->cli->run || !fzi_archive_is(path))
        return false;
    first = find_run(m, path, NULL, 0);
    return first > 0 && find_run(m, path, NULL, first) > 0;
}

/* Each run of the first archive, with its other parts. */
static int join_all(merging *m, fz_archive *into, size_t runs)
{
    const char *path = m->cli->words.items[0];
    long long run = 0;
    size_t taken = 0;
    int code = FZ_EXIT_OK;

    while (code == FZ_EXIT_OK && (run = find_run(m, path, NULL, run)) > 0)
        code = join_run(m, into, run, &taken);
    if (run < 0)
        return FZ_EXIT_USAGE;
    if (code == FZ_EXIT_OK && taken < runs)
        return fzi_cli_complain(m->cli, "another archive has runs that %s does not have: nothing "
                                "was joined", path);
    return code;
}

static int join_runs(merging *m)
{
    const fzi_cli *cli = m->cli;
    fz_archive into;
    size_t runs;
    int code;

    if (fzi_cli_has(cli, FZ_CLI_OUTPUT))
        return fzi_cli_complain(cli, "--output takes the sums of one run: choose one with --run");
    code = count_runs(m, &runs);
    if (code != FZ_EXIT_OK)
        return code;
    code = failed(m, fzi_archives_join_begin(&into, m->context, cli->values[FZ_CLI_DB]));
    if (code == FZ_EXIT_OK)
        code = join_all(m, &into, runs);
    return end_join(m, &into, code);
}

int fzi_cli_merge(const fzi_cli *cli)
{
    merging m = {.cli = cli, .context = fzi_session_context(cli)};
    int code = m.context ? FZ_EXIT_OK : FZ_EXIT_USAGE;

    if (code == FZ_EXIT_OK && has_several_runs(&m)) {
        code = join_runs(&m);
    } else {
        for (size_t i = 0; code == FZ_EXIT_OK && i < cli->words.count; i++)
            code = read(&m, cli->words.items[i]);
        if (code == FZ_EXIT_OK)
            code = join(&m);
    }
    clear_shards(&m);
    fz_context_free(m.context);
    return code;
}
