/* The public functions for runs of games: measures, reports, shards and archives. Programs call
 * them; the command `ferz` uses the parts below, because it also shows progress and errors. */
#include "lab.h"

static const fz_run_options no_options;

/* Hands a text over, or frees it if the caller does not want it. */
static void hand_over(fz_context *context, char *text, char **result)
{
    if (result)
        *result = text;
    else
        fz_text_free(context, text);
}

/* ---- measures and reports ---- */

typedef fz_status writer(fzi_measure_run *run, char **text);

static fz_status write_measures(fzi_measure_run *run, char **text)
{
    return fzi_json_text(run->setup.context, fzi_measures_page_json(&run->page), text);
}

static fz_status write_page(fzi_measure_run *run, char **text)
{
    fzi_report report = {.run = run, .command = run->setup.options.command, .files = ""};
    char *html = NULL;

    if (!report.command)
        report.command = "";
    fz_status status = fzi_report_text(&report, &html);
    hand_over(run->setup.context, html, text);
    return status;
}

/* Measures the games of the run, and writes if there are some. */
static fz_status measure(fz_context *context, fz_program *program, const fz_run_options *options,
                         fzi_measure_run *run, writer *write, char **text)
{
    fzi_setup setup;
    fz_status status, written = FZ_OK;

    if (text)
        *text = NULL;
    status = fzi_setup_program(&setup, context, program, options ? options : &no_options);
    if (status == FZ_OK)
        status = fzi_measure_play(run, &setup);
    if (fzi_measure_has_page(run, status))
        written = write(run, text);
    fzi_measure_clear(run);
    fzi_setup_clear(&setup);
    return status == FZ_OK ? written : status;
}

fz_status fz_run_measure(fz_context *context, fz_program *program, const fz_run_options *options,
                         const fz_measure_options *measures, char **json)
{
    fzi_measure_run run = {0};

    if (measures)
        run.options = *measures;
    return measure(context, program, options, &run, write_measures, json);
}

fz_status fz_run_page(fz_context *context, fz_program *program, const fz_run_options *options,
                      const fz_measure_options *measures, char **html)
{
    fzi_measure_run run = {.wants_example = true};

    if (measures)
        run.options = *measures;
    return measure(context, program, options, &run, write_page, html);
}

fz_status fz_archive_measure(fz_context *context, const char *path, uint64_t number, bool stored,
                             const fz_measure_options *measures, char **json)
{
    fzi_measure_run run = {.stored = stored};
    fzi_archived_run archived;
    fz_status status = fzi_archived_open(&archived, context, path, number), written = FZ_OK;

    if (json)
        *json = NULL;
    if (measures)
        run.options = *measures;
    if (status == FZ_OK)
        status = fzi_measure_archived(&run, &archived);
    if (fzi_measure_has_page(&run, status))
        written = write_measures(&run, json);
    fzi_measure_clear(&run);
    fzi_archived_close(&archived);
    return status == FZ_OK ? written : status;
}

/* ---- playing a run ---- */

static fz_status play_shard(const fzi_setup *setup, const fzi_lineup *lineup, fz_archive *archive,
                            fzi_shard *shard, fz_tally *tally)
{
    fz_status status = FZ_OK;

    shard->experiment = fzi_experiment_of(setup, !lineup->timed);
    if (!shard->experiment)
        return FZ_RUNTIME;
    fzi_setup_range(setup, &shard->first, &shard->count);
    if (archive)
        status = fzi_archive_begin(archive, setup, shard);
    if (status == FZ_OK)
        status = fzi_shard_play(setup, lineup->games, archive, shard, tally);
    if (archive)
        fzi_archive_end_run(archive);
    return status;
}

/* The games of the options, with their agents. Clear the shard in any case. */
static fz_status play_run(fz_context *context, fz_program *program, const fz_run_options *options,
                          fz_archive *archive, fzi_shard *shard, fz_tally *tally)
{
    fzi_setup setup;
    fzi_lineup lineup = {0};
    fz_status status = fzi_setup_program(&setup, context, program,
                                         options ? options : &no_options);

    *shard = (fzi_shard){.path = ""};
    fz_sums_init(&shard->sums, context->allocator.resize, context->allocator.user);
    if (status == FZ_OK)
        status = fzi_lineup_read(&lineup, &setup, setup.options.agents);
    if (status == FZ_OK)
        status = play_shard(&setup, &lineup, archive, shard, tally);
    fzi_lineup_clear(&lineup);
    fzi_setup_clear(&setup);
    return status;
}

/* ---- shards ---- */

fz_status fz_run_shard(fz_context *context, fz_program *program, const fz_run_options *options,
                       char **text)
{
    fz_tally tally = {0};
    fzi_shard shard;
    char *file = NULL;
    fz_status status = play_run(context, program, options, NULL, &shard, &tally);

    if (status == FZ_OK && shard.sums.playouts < shard.count)
        status = fzi_context_fail(context, FZ_RUNTIME, "the run was stopped: a shard needs all its "
                                  "games");
    if (status == FZ_OK)
        status = fzi_shard_text(&shard, context, &file);
    fzi_shard_clear(&shard);
    hand_over(context, file, text);
    return status;
}

static fz_status write_joined(fz_context *context, const fzi_shard *all, char **joined,
                              char **results)
{
    char *text = NULL;
    fz_status status = fzi_shard_text(all, context, &text);

    hand_over(context, text, joined);
    return status == FZ_OK ? fzi_json_text(context, fzi_results_json(all, NULL), results)
                           : status;
}

fz_status fz_shards_join(fz_context *context, const char *const *texts, const size_t *lengths,
                         size_t count, char **joined, char **results)
{
    fzi_shard *shards = calloc(count + 1, sizeof *shards), all = {0};
    fz_status status = shards ? FZ_OK : fzi_context_no_memory(context);
    size_t read = 0;

    if (joined)
        *joined = NULL;
    if (results)
        *results = NULL;
    if (!count)
        status = fzi_context_fail(context, FZ_USAGE, "there are no shards to join");
    for (; read < count && status == FZ_OK; read++)
        status = fzi_shard_parse(context, "a shard", texts[read], lengths[read], &shards[read]);
    read -= status != FZ_OK && read > 0;
    if (status == FZ_OK) {
        status = fzi_shards_join(context, shards, count, &all);
        if (status == FZ_OK)
            status = write_joined(context, &all, joined, results);
        fzi_shard_clear(&all);
    }
    while (read > 0)
        fzi_shard_clear(&shards[--read]);
    free(shards);
    return status;
}

/* ---- archives ---- */

fz_status fz_archive_open(fz_context *context, const char *path, bool create, fz_archive **result)
{
    fz_archive *archive = fzi_allocate(context->allocator, sizeof *archive);

    if (result)
        *result = NULL;
    if (!archive)
        return fzi_context_no_memory(context);
    fz_status status = fzi_archive_open(archive, context, path, create);
    if (status == FZ_OK && result) {
        *result = archive;
    } else {
        fzi_archive_clear(archive);
        fzi_release(context->allocator, archive);
    }
    return status;
}

void fz_archive_close(fz_archive *archive)
{
    fz_context *context = archive ? archive->context : NULL;

    if (!archive)
        return;
    fzi_archive_clear(archive);
    fzi_release(context->allocator, archive);
}

fz_status fz_archive_play(fz_archive *archive, fz_program *program, const fz_run_options *options,
                          fz_tally *tally)
{
    fz_tally own = {0};
    fzi_shard shard;

    archive->failed = false;
    fz_status status = play_run(archive->context, program, options, archive, &shard, &own);
    fz_sums_tally(&shard.sums, &own);
    fzi_shard_clear(&shard);
    if (tally)
        *tally = own;
    return status;
}
