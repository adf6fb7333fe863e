/* ferz study: an experiment with many rulesets, from one file. */
#include "cli.h"

#include <sys/stat.h>

/* ---- parts of the report ---- */

typedef struct parts {
    json_t *study, *results, *use, *lines, *differences, *distances, *wear, *recovery, *recovered;
} parts;

/* A table of the study. False: it was complained about. */
static bool get(const fzi_cli *cli, fz_context *context, fz_study *study, const char *table,
                const char *argument, json_t **part)
{
    char *text = NULL;
    fz_status status = fz_study_table(study, table, argument, &text);

    *part = text ? json_loads(text, JSON_DECODE_ANY, NULL) : NULL;
    fz_text_free(context, text);
    if (status != FZ_OK)
        fzi_cli_failed(cli, context, status, NULL);
    return status == FZ_OK;
}

static bool get_parts(const fzi_cli *cli, fz_context *context, fz_study *study, parts *p)
{
    bool lines = fzi_cli_has(cli, FZ_CLI_LINES), compare = fzi_cli_has(cli, FZ_CLI_COMPARE);
    const char *wear = cli->values[FZ_CLI_WEAR];
    json_t *both = NULL;
    bool good = get(cli, context, study, "study", NULL, &p->study) &&
                get(cli, context, study, "results", NULL, &p->results) &&
                get(cli, context, study, "use", NULL, &p->use) &&
                (!lines || compare || get(cli, context, study, "lines", NULL, &p->lines)) &&
                (!fzi_cli_has(cli, FZ_CLI_DISTANCES) ||
                 get(cli, context, study, "distances", NULL, &p->distances)) &&
                (!compare || get(cli, context, study, lines ? "line differences" : "differences",
                                 cli->values[FZ_CLI_COMPARE], &p->differences)) &&
                (!fzi_cli_has(cli, FZ_CLI_WEAR) ||
                 get(cli, context, study, "wear", strcmp(wear, "-") == 0 ? "/dev/stdin" : wear,
                     &p->wear)) &&
                (!fzi_cli_has(cli, FZ_CLI_RECOVER) ||
                 get(cli, context, study, "recovery", cli->values[FZ_CLI_RECOVER], &both));

    p->recovery = json_incref(json_object_get(both, "recovery"));
    p->recovered = json_incref(json_object_get(both, "recovered"));
    json_decref(both);
    return good;
}

static void free_parts(parts *p)
{
    json_t *const all[] = {p->study, p->results, p->use, p->lines, p->differences, p->distances,
                           p->wear, p->recovery, p->recovered};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        json_decref(all[i]);
}

static size_t count_true(const json_t *rows, const char *member)
{
    size_t count = 0;

    for (size_t i = 0; i < json_array_size(rows); i++)
        count += json_is_true(json_object_get(json_array_get(rows, i), member));
    return count;
}

static void print_text(const fzi_cli *cli, const parts *p)
{
    const char *title = json_string_value(json_object_get(p->study, "study"));
    uint64_t cells = (uint64_t)json_integer_value(json_object_get(p->study, "cells"));

    printf("%s: %llu cell%s, seed %lld\n\n", *title ? title : cli->words.items[0],
           (unsigned long long)cells, fzi_plural(cells),
           (long long)json_integer_value(json_object_get(p->study, "seed")));
    fzi_json_print_rows(p->results, false, NULL);
    if (p->lines) {
        puts(json_array_size(p->lines) ? "\nuse of the lines:\n" : "\nno board has lines");
        fzi_json_print_rows(p->lines, false, NULL);
    }
    if (p->differences) {
        printf("\n%zu of %zu differences are real (Holm, 5 %%):\n\n",
               count_true(p->differences, "differs"), json_array_size(p->differences));
        if (count_true(p->differences, "differs"))
            fzi_json_print_rows(p->differences, false, "differs");
    }
    if (p->distances) {
        printf("\ndistances:\n\n");
        fzi_json_print_rows(p->distances, false, NULL);
    }
    if (p->wear) {
        printf("\nfit to %s:\n\n", cli->values[FZ_CLI_WEAR]);
        fzi_json_print_rows(p->wear, false, NULL);
    }
    if (p->recovery) {
        printf("\nrecovery, 100 trials for each ruleset and noise:\n\n");
        fzi_json_print_rows(p->recovered, false, NULL);
        putchar('\n');
        fzi_json_print_rows(p->recovery, false, NULL);
    }
}

static int print_csv(const fzi_cli *cli, const parts *p)
{
    json_t *const all[] = {p->lines, p->differences, p->distances, p->wear, p->recovery};
    json_t *rows = p->results;
    int given = 0;

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        given += all[i] != NULL;
        rows = all[i] ? all[i] : rows;
    }
    if (given > 1)
        return fzi_cli_complain(cli, "--format csv prints one table: give one of --lines, "
                                "--compare, --distances, --wear and --recover");
    fzi_json_print_rows(rows, true, NULL);
    return FZ_EXIT_OK;
}

static int print_json(const parts *p)
{
    return fzi_json_print(json_pack(
        "{s:O, s:O, s:O, s:O, s:O*, s:O*, s:O*, s:O*, s:O*, s:O*}",
        "study", json_object_get(p->study, "study"), "seed", json_object_get(p->study, "seed"),
        "results", p->results, "use", p->use, "lines", p->lines, "differences", p->differences,
        "distances", p->distances, "wear", p->wear, "recovery", p->recovery, "recovered",
        p->recovered));
}

static int report(const fzi_cli *cli, fz_context *context, fz_study *study)
{
    parts p = {0};
    int code = get_parts(cli, context, study, &p) ? FZ_EXIT_OK : FZ_EXIT_USAGE;

    if (code == FZ_EXIT_OK && cli->format == FZ_CLI_JSON)
        code = print_json(&p);
    else if (code == FZ_EXIT_OK && cli->format == FZ_CLI_CSV)
        code = print_csv(cli, &p);
    else if (code == FZ_EXIT_OK)
        print_text(cli, &p);
    free_parts(&p);
    return code;
}

/* ---- playing ---- */

static bool write_picture(void *user, const char *name, const char *svg)
{
    const fzi_cli *cli = user;
    char *path = fzi_cli_text("%s/%s", cli->values[FZ_CLI_PICTURES], name);
    int code = fzi_file_write(cli, path, svg, strlen(svg));

    free(path);
    return code == FZ_EXIT_OK;
}

static void native_failed(void *user, const char *message)
{
    fzi_cli_complain(user, "--engine native: %s; the loop plays", message);
}

/* Reads the study; an exit code. */
static int open_study(const fzi_cli *cli, fz_context *context, const fz_study_options *options,
                      fz_study **study)
{
    const char *folder = cli->values[FZ_CLI_PICTURES], *path = cli->words.items[0];
    size_t length;
    char *text = fzi_file_read(cli, path, &length);
    fz_status status;

    if (!text)
        return FZ_EXIT_USAGE;
    status = fz_study_open(context, path, text, length, options, study);
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
    fz_status status;

    fzi_terminal_catch_interrupt();
    status = fz_study_play(study, &errors);
    fzi_progress_end(progress);
    return status == FZ_OK ? FZ_EXIT_OK : fzi_cli_failed(cli, context, status, errors);
}

int fzi_cli_study(const fzi_cli *cli)
{
    fzi_progress progress;
    fz_watch watch = fzi_progress_begin(&progress, "playouts");
    bool pictures = fzi_cli_has(cli, FZ_CLI_PICTURES);
    fz_study_options options = {.run = fzi_cli_run_options(cli),
                                .sets_count = fzi_cli_has(cli, FZ_CLI_COUNT),
                                .sets_seed = fzi_cli_has(cli, FZ_CLI_SEED),
                                .grid = cli->values[FZ_CLI_GRID],
                                .archive = cli->values[FZ_CLI_DB],
                                .engine = cli->engine,
                                .native_failed = native_failed,
                                .picture = pictures ? write_picture : NULL,
                                .theme = pictures ? cli->values[FZ_CLI_THEME] : NULL,
                                .user = (void *)cli};
    fz_context *context = fzi_session_context(cli);
    fz_study *study = NULL;
    int code;

    options.run.watch = &watch;
    code = context ? open_study(cli, context, &options, &study) : FZ_EXIT_USAGE;

    if (code == FZ_EXIT_OK)
        code = play(cli, context, study, &progress);
    if (code == FZ_EXIT_OK)
        code = report(cli, context, study);
    fz_study_free(study);
    fz_context_free(context);
    return code;
}
