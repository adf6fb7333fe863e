/* ferz study: an experiment with many rulesets, from one file. */
#include "interp/lab/study.h"

#include "table.h"
#include "interp/terminal/terminal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tables of rows ---- */

static void print_value(const json_t *value, bool exact, char *text, size_t size)
{
    double number = json_number_value(value);

    if (json_is_string(value))
        snprintf(text, size, "%s", json_string_value(value));
    else if (json_is_boolean(value))
        snprintf(text, size, "%s", json_is_true(value) ? "true" : "false");
    else if (json_is_integer(value))
        snprintf(text, size, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        snprintf(text, size, exact ? "%.6g" : fabs(number) < 10 ? "%.4f" : "%.2f", number);
    else
        *text = '\0';
}

static bool is_kept(const json_t *row, const char *only)
{
    return !only || json_is_true(json_object_get(row, only));
}

/* The members of the first row are the columns. `only`: rows in which this is true; NULL. */
static void print_rows(json_t *rows, bool csv, const char *only)
{
    json_t *first = json_array_get(rows, 0);
    char alignment[64], text[2048];
    const char *member;
    fzi_table table;
    json_t *value;
    size_t columns = 0;

    json_object_foreach(first, member, value) {
        if (columns + 1 < sizeof alignment)
            alignment[columns++] = json_is_string(value) ? 'l' : 'r';
    }
    alignment[columns] = '\0';
    fzi_table_begin(&table, alignment);
    json_object_foreach(first, member, value)
        fzi_table_cell(&table, "%s", member);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        json_t *row = json_array_get(rows, i);
        if (!csv && !is_kept(row, only))
            continue;
        json_object_foreach(first, member, value) {
            print_value(json_object_get(row, member), csv, text, sizeof text);
            fzi_table_cell(&table, "%s", text);
        }
    }
    if (csv)
        fzi_table_print_csv(&table);
    else
        fzi_table_print(&table, "  ", true);
    fzi_table_clear(&table);
}

/* ---- parts of the report ---- */

typedef struct parts {
    json_t *results, *lines, *differences, *distances, *wear, *recovery;
} parts;

static bool make(const fzi_study *study, enum fzi_cli_option option, json_t **part,
                 json_t *(*function)(const fzi_study *study, const char *value))
{
    if (fzi_cli_has(study->cli, option))
        *part = function(study, study->cli->values[option]);
    return !fzi_cli_has(study->cli, option) || *part;
}

static bool make_parts(const fzi_study *study, parts *p)
{
    p->results = fzi_study_results(study);
    if (fzi_cli_has(study->cli, FZ_CLI_LINES) && !fzi_cli_has(study->cli, FZ_CLI_COMPARE))
        p->lines = fzi_study_lines(study);
    if (fzi_cli_has(study->cli, FZ_CLI_DISTANCES))
        p->distances = fzi_study_distances(study);
    return make(study, FZ_CLI_COMPARE, &p->differences, fzi_study_differences) &&
           make(study, FZ_CLI_WEAR, &p->wear, fzi_study_wear) &&
           make(study, FZ_CLI_RECOVER, &p->recovery, fzi_study_recover);
}

static size_t count_true(const json_t *rows, const char *member)
{
    size_t count = 0;

    for (size_t i = 0; i < json_array_size(rows); i++)
        count += json_is_true(json_object_get(json_array_get(rows, i), member));
    return count;
}

static void print_text(const fzi_study *study, const parts *p)
{
    printf("%s: %zu cell%s, seed %" PRIu64 "\n\n",
           *study->file.title ? study->file.title : study->file.path, study->count,
           fzi_plural(study->count), study->file.seed);
    print_rows(p->results, false, NULL);
    if (p->lines) {
        puts(json_array_size(p->lines) ? "\nuse of the lines:\n" : "\nno board has lines");
        print_rows(p->lines, false, NULL);
    }
    if (p->differences) {
        printf("\n%zu of %zu differences are real (Holm, 5 %%):\n\n",
               count_true(p->differences, "differs"), json_array_size(p->differences));
        if (count_true(p->differences, "differs"))
            print_rows(p->differences, false, "differs");
    }
    if (p->distances) {
        printf("\ndistances:\n\n");
        print_rows(p->distances, false, NULL);
    }
    if (p->wear) {
        printf("\nfit to %s:\n\n", study->cli->values[FZ_CLI_WEAR]);
        print_rows(p->wear, false, NULL);
    }
    if (p->recovery) {
        json_t *groups = fzi_study_recovered(p->recovery);
        printf("\nrecovery, 100 trials for each ruleset and noise:\n\n");
        print_rows(groups, false, NULL);
        putchar('\n');
        print_rows(p->recovery, false, NULL);
        json_decref(groups);
    }
}

static int print_csv(const fzi_study *study, const parts *p)
{
    json_t *const all[] = {p->lines, p->differences, p->distances, p->wear, p->recovery};
    json_t *rows = p->results;
    int given = 0;

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        given += all[i] != NULL;
        rows = all[i] ? all[i] : rows;
    }
    if (given > 1)
        return fzi_cli_complain(study->cli, "--format csv prints one table: give one of --lines, "
                                "--compare, --distances, --wear and --recover");
    print_rows(rows, true, NULL);
    return FZ_EXIT_OK;
}

static json_t *lines_json(const fzi_study *study)
{
    json_t *cells = json_array();

    for (size_t i = 0; i < study->count; i++) {
        const fzi_study_cell *cell = &study->cells[i];
        json_t *lines = json_object();
        for (uint32_t k = 0; k < cell->line_count; k++) {
            double value = fzi_sum_estimate(&cell->lines[k], FZ_AS_PART).value;
            json_object_set_new(lines, cell->line_names[k],
                                isfinite(value) ? json_real(value) : json_null());
        }
        json_array_append_new(cells, json_pack("{s:s, s:s, s:s, s:o}", "ruleset", cell->name,
                                               "agents", cell->agents, "seed",
                                               fzi_experiment_text(cell->experiment, "seed"),
                                               "lines", lines));
    }
    return cells;
}

static int print_json(const fzi_study *study, const parts *p)
{
    json_t *whole = json_pack("{s:s, s:I, s:O, s:o}", "study", study->file.title, "seed",
                              (long long)study->file.seed, "results", p->results, "use",
                              lines_json(study));

    if (p->lines)
        json_object_set(whole, "lines", p->lines);
    if (p->differences)
        json_object_set(whole, "differences", p->differences);
    if (p->distances)
        json_object_set(whole, "distances", p->distances);
    if (p->wear)
        json_object_set(whole, "wear", p->wear);
    if (p->recovery) {
        json_object_set(whole, "recovery", p->recovery);
        json_object_set_new(whole, "recovered", fzi_study_recovered(p->recovery));
    }
    return fzi_json_print(whole);
}

static int report(const fzi_study *study)
{
    parts p = {0};
    int code = make_parts(study, &p) ? FZ_EXIT_OK : FZ_EXIT_USAGE;

    if (code == FZ_EXIT_OK && study->cli->format == FZ_CLI_JSON)
        code = print_json(study, &p);
    else if (code == FZ_EXIT_OK && study->cli->format == FZ_CLI_CSV)
        code = print_csv(study, &p);
    else if (code == FZ_EXIT_OK)
        print_text(study, &p);
    json_decref(p.results);
    json_decref(p.lines);
    json_decref(p.differences);
    json_decref(p.distances);
    json_decref(p.wear);
    json_decref(p.recovery);
    return code;
}

static int run(fzi_study *study)
{
    const fzi_cli *cli = study->cli;
    const char *path = fzi_cli_has(cli, FZ_CLI_DB) ? cli->values[FZ_CLI_DB]
                                                   : fzi_archive_in_memory;
    int code = fzi_study_read(&study->file, cli, cli->words.items[0]);

    if (code == FZ_EXIT_OK)
        code = fzi_study_expand(study);
    if (code == FZ_EXIT_OK && !fzi_cli_has(cli, FZ_CLI_DB) &&
        (fzi_cli_has(cli, FZ_CLI_RESUME) || fzi_cli_has(cli, FZ_CLI_SHARD)))
        code = fzi_cli_complain(cli, "%s needs an archive: --db FILE",
                                fzi_cli_has(cli, FZ_CLI_RESUME) ? "--resume" : "--shard");
    if (code == FZ_EXIT_OK)
        code = fzi_study_prepare_pictures(study);
    if (code == FZ_EXIT_OK)
        code = fzi_archive_open(&study->archive, cli, path, true);
    if (code == FZ_EXIT_OK)
        code = fzi_study_play(study);
    return code == FZ_EXIT_OK ? report(study) : code;
}

int fzi_cli_study(const fzi_cli *cli)
{
    fzi_study study = {.cli = cli};
    int code = run(&study);

    fzi_study_clear(&study);
    return code;
}
