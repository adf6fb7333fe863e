/* ferz study: an experiment with many rulesets, from one file. */
#include "cli.h"

#include <sys/stat.h>
#include <unistd.h>

/* ---- the report ---- */

bool fzi_cli_study_table(json_t *all, const fzi_cli *cli, fz_context *context, fz_study *study,
                         const char *key, const char *table, const char *argument)
{
    char *text = NULL;
    fz_status status = fz_study_table(study, table, argument, &text);
    json_t *part = text ? json_loads(text, JSON_DECODE_ANY, NULL) : NULL;

    fz_text_free(context, text);
    if (key)
        json_object_set(all, key, part);
    else
        json_object_update(all, part);
    json_decref(part);
    return fzi_cli_failed(cli, context, status, NULL) == FZ_EXIT_OK;
}

static bool gather(const fzi_cli *cli, fz_context *context, fz_study *study, json_t *all)
{
    bool lines = fzi_cli_has(cli, FZ_CLI_LINES), compare = fzi_cli_has(cli, FZ_CLI_COMPARE);
    const char *wear = cli->values[FZ_CLI_WEAR];
    const struct {
        bool given;
        const char *key, *table, *argument;
    } parts[] = {
        {true, NULL, "study", NULL},
        {true, "results", "results", NULL},
        {true, "runs", "runs", NULL},
        {true, "use", "use", NULL},
        {lines && !compare, "lines", "lines", NULL},
        {compare, "differences", lines ? "line differences" : "differences",
         cli->values[FZ_CLI_COMPARE]},
        {fzi_cli_has(cli, FZ_CLI_DISTANCES), "distances", "distances", NULL},
        {wear, "wear", "wear", wear && strcmp(wear, "-") == 0 ? "/dev/stdin" : wear},
        {fzi_cli_has(cli, FZ_CLI_RECOVER), NULL, "recovery", cli->values[FZ_CLI_RECOVER]},
    };
    bool good = true;

    for (size_t i = 0; i < sizeof parts / sizeof *parts && good; i++)
        good = !parts[i].given || fzi_cli_study_table(all, cli, context, study, parts[i].key,
                                                      parts[i].table, parts[i].argument);
    json_object_del(all, "cells"); /* they are the results */
    return good;
}

/* `title`: a line above the table, and one below that. */
static void print_rows(const json_t *all, const char *key, const char *title)
{
    json_t *rows = json_object_get(all, key);

    if (rows)
        fputs(title, stdout);
    fzi_json_print_rows(rows, false, NULL);
}

static void print_differences(json_t *rows)
{
    size_t count = 0, i;
    json_t *row;

    json_array_foreach(rows, i, row)
        count += json_is_true(json_object_get(row, "differs"));
    if (rows)
        printf("\n%zu of %zu differences are real (Holm, 5 %%):\n\n", count, json_array_size(rows));
    if (count)
        fzi_json_print_rows(rows, false, "differs");
}

static void print_text(const fzi_cli *cli, const json_t *all)
{
    const char *title = fzi_experiment_text(all, "study"), *wear = cli->values[FZ_CLI_WEAR];
    size_t cells = json_array_size(json_object_get(all, "results"));
    char *fit = fzi_cli_text("\nfit to %s:\n\n", wear ? wear : "");

    printf("%s: %zu cell%s, seed %s\n\n", *title ? title : cli->words.items[0], cells,
           fzi_plural(cells), fzi_experiment_text(all, "seed"));
    print_rows(all, "results", "");
    print_rows(all, "lines", json_array_size(json_object_get(all, "lines"))
                                 ? "\nuse of the lines:\n\n" : "\nno board has lines\n");
    print_differences(json_object_get(all, "differences"));
    print_rows(all, "distances", "\ndistances:\n\n");
    print_rows(all, "wear", fit);
    print_rows(all, "recovered", "\nrecovery, 100 trials for each ruleset and noise:\n\n");
    print_rows(all, "recovery", "\n");
    free(fit);
}

/* The run of the cell that has the row's agents and the ruleset which the member names. */
static void add_run(const json_t *all, json_t *row, const char *member, const char *prefix)
{
    const json_t *results = json_object_get(all, "results"), *found;
    const char *name = fzi_experiment_text(row, member);
    const char *agents = fzi_experiment_text(row, "agents");
    size_t i;

    json_array_foreach((json_t *)(uintptr_t)results, i, found) {
        if (strcmp(fzi_experiment_text(found, "ruleset"), name) == 0 &&
            strcmp(fzi_experiment_text(found, "agents"), agents) == 0) {
            fzi_json_add_run(row, json_array_get(json_object_get(all, "runs"), i), prefix);
            return;
        }
    }
}

static void add_runs(const json_t *all, json_t *rows)
{
    size_t i;
    json_t *row;

    json_array_foreach(rows, i, row) {
        add_run(all, row, "ruleset", "run");
        add_run(all, row, "first", "first run");
        add_run(all, row, "second", "second run");
    }
}

static int print_csv(const fzi_cli *cli, const json_t *all)
{
    static const char *const keys[] = {"lines", "differences", "distances", "wear", "recovery"};
    json_t *rows = json_object_get(all, "results"), *found;
    int given = 0;

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if ((found = json_object_get(all, keys[i]))) {
            given++;
            rows = found;
        }
    if (given > 1)
        return fzi_cli_complain(cli, "--format csv prints one table: give one of --lines, "
                                "--compare, --distances, --wear and --recover");
    add_runs(all, rows);
    fzi_json_print_rows(rows, true, NULL);
    return FZ_EXIT_OK;
}

static int print(const fzi_cli *cli, fz_context *context, fz_study *study,
                 const fzi_cli_study_report *report)
{
    json_t *all = json_object();
    int code = report->gather(cli, context, study, all) ? FZ_EXIT_OK : FZ_EXIT_USAGE;

    if (code == FZ_EXIT_OK && cli->format == FZ_CLI_JSON)
        code = fzi_json_print(json_incref(all));
    else if (code == FZ_EXIT_OK && cli->format == FZ_CLI_CSV)
        code = report->print_csv(cli, all);
    else if (code == FZ_EXIT_OK)
        report->print_text(cli, all);
    json_decref(all);
    return code;
}

/* ---- playing ---- */

/* What the study calls back with. */
typedef struct study_asker {
    const fzi_cli *cli;
    struct {
        char engine[256];
        size_t cells;
    } played[4]; /* in their order; what does not fit is not told */
} study_asker;

static bool write_picture(void *user, const char *name, const char *svg)
{
    const fzi_cli *cli = ((const study_asker *)user)->cli;
    char *path = fzi_cli_text("%s/%s", cli->values[FZ_CLI_PICTURES], name);
    int code = fzi_file_write(cli, path, svg, strlen(svg));

    free(path);
    return code == FZ_EXIT_OK;
}

static void native_failed(void *user, const char *message)
{
    const study_asker *a = user;

    fzi_cli_complain(a->cli, "--engine native: %s; the loop plays", message);
}

static void note_engine(void *user, const char *engine)
{
    study_asker *a = user;

    for (size_t i = 0; i < 4; i++) {
        if (a->played[i].cells && strcmp(a->played[i].engine, engine) != 0)
            continue;
        strcpy(a->played[i].engine, engine);
        a->played[i].cells++;
        return;
    }
}

static void say_engines(const study_asker *a)
{
    bool one = !a->played[1].cells;

    if (!a->played[0].cells || !fzi_terminal_is(STDERR_FILENO))
        return;
    fputs("engine: ", stderr);
    for (size_t i = 0; i < 4 && a->played[i].cells; i++) {
        fprintf(stderr, "%s%s", i ? "; " : "", a->played[i].engine);
        if (!one)
            fprintf(stderr, " (%zu cell%s)", a->played[i].cells,
                    fzi_plural(a->played[i].cells));
    }
    fputc('\n', stderr);
}

/* Reads the study; an exit code. */
static int open_study(const fzi_cli *cli, fz_context *context, const fz_study_options *options,
                      fz_study **study)
{
    const char *folder = cli->values[FZ_CLI_PICTURES], *path = cli->words.items[0];
    size_t length = 0;
    char *text = options->target ? NULL : fzi_file_read(cli, path, &length);

    if (!text && !options->target)
        return FZ_EXIT_USAGE;
    fz_status status = fz_study_open(context, path, text, length, options, study);
    free(text);
    if (status != FZ_OK)
        return fzi_cli_failed(cli, context, status, NULL);
    if (fzi_picture_theme(cli) < 0)
        return FZ_EXIT_USAGE;
    if (folder && mkdir(folder, 0777) != 0 && errno != EEXIST)
        return fzi_cli_complain(cli, "%s: %s", folder, strerror(errno));
    return FZ_EXIT_OK;
}

static int play(const fzi_cli *cli, fz_context *context, fz_study *study, fzi_progress *progress)
{
    fz_report *errors;

    fzi_terminal_catch_interrupt();
    fz_status status = fz_study_play(study, &errors);
    fzi_progress_end(progress);
    return fzi_cli_failed(cli, context, status, errors);
}

int fzi_cli_with_study(const fzi_cli *cli, const fzi_cli_study_report *report)
{
    fzi_progress progress;
    fz_watch watch = fzi_progress_begin(&progress, "playouts");
    bool pictures = fzi_cli_has(cli, FZ_CLI_PICTURES);
    study_asker asker = {.cli = cli};
    fz_study_options options = {.run = fzi_cli_run_options(cli),
                                .sets_count = fzi_cli_has(cli, FZ_CLI_COUNT),
                                .sets_seed = fzi_cli_has(cli, FZ_CLI_SEED),
                                .allow_pipe = fzi_cli_has(cli, FZ_CLI_ALLOW_PIPE),
                                .grid = cli->values[FZ_CLI_GRID],
                                .target = cli->values[FZ_CLI_TARGET],
                                .budget = cli->budget,
                                .variants = cli->variants,
                                .archive = cli->values[FZ_CLI_DB],
                                .engine = cli->engine,
                                .native_failed = native_failed,
                                .played = note_engine,
                                .picture = pictures ? write_picture : NULL,
                                .theme = pictures ? cli->values[FZ_CLI_THEME] : NULL,
                                .user = &asker};
    fz_context *context = fzi_session_context(cli);
    fz_study *study = NULL;

    options.run.watch = &watch;
    int code = context ? open_study(cli, context, &options, &study) : FZ_EXIT_USAGE;

    if (code == FZ_EXIT_OK)
        code = play(cli, context, study, &progress);
    if (code == FZ_EXIT_OK)
        code = print(cli, context, study, report);
    say_engines(&asker);
    fz_study_free(study);
    fz_context_free(context);
    return code;
}

int fzi_cli_study(const fzi_cli *cli)
{
    static const fzi_cli_study_report report = {gather, print_text, print_csv};

    return fzi_cli_with_study(cli, &report);
}
