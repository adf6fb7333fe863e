/* ferz reconstruct: what the evidence of a study says about its rulesets. */
#include "cli.h"

static void print_table(const json_t *all, const char *key, const char *title)
{
    json_t *rows = json_object_get(all, key);

    if (json_array_size(rows) == 0)
        return;
    printf("\n%s\n\n", title);
    fzi_json_print_rows(rows, false, NULL);
}

/* The most plausible rulesets only: those of the 95 % set. */
static void print_rulesets(const json_t *all)
{
    json_t *rows = json_object_get(all, "rulesets"), *kept = json_array(), *row;
    double rest = 0;
    size_t i;

    json_array_foreach(rows, i, row) {
        if (*fzi_experiment_text(row, "set"))
            json_array_append(kept, row);
        else
            rest += json_number_value(json_object_get(row, "posterior"));
    }
    fzi_json_print_rows(kept, false, NULL);
    size_t others = json_array_size(rows) - json_array_size(kept);
    if (others)
        printf("  %zu more ruleset%s together: %.1f %%\n", others, fzi_plural(others), 100 * rest);
    json_decref(kept);
}

/* Says what the calibration shows: sets that are too small, or games that are too few. */
static void advise(const json_t *all)
{
    json_t *rows = json_object_get(all, "calibration"), *row;
    double chance = json_real_value(json_object_get(all, "chance"));
    double error = json_real_value(json_object_get(all, "error"));
    bool small = false;
    size_t i;

    json_array_foreach(rows, i, row)
        small = small || json_real_value(json_object_get(row, "high")) < 0.95;
    if (small)
        printf("\nThe 95 %% sets are too small, and the probabilities too sure: see `in 95 %%`. "
               "More games may help.\n");
    if (json_array_size(rows) && chance > error / 2)
        printf("\nPlay more games: by chance the use of a line varies by %.0f %%, and the error of "
               "the wear is %.0f %%.\n", 100 * chance, 100 * error);
}

static void print_text(const fzi_cli *cli, const json_t *all)
{
    const char *title = fzi_experiment_text(all, "study");
    size_t rulesets = json_array_size(json_object_get(all, "rulesets"));

    printf("%s: %zu ruleset%s, seed %s; open questions: %.2f bits before the evidence, %.2f "
           "after it\n\n", *title ? title : cli->words.items[0], rulesets, fzi_plural(rulesets),
           fzi_experiment_text(all, "seed"), json_real_value(json_object_get(all, "bits before")),
           json_real_value(json_object_get(all, "bits")));
    print_rulesets(all);
    print_table(all, "values", "values of options; bits: what knowing the option would tell");
    if (json_array_size(json_object_get(all, "lineups")) > 1)
        print_table(all, "lineups", "agents");
    print_table(all, "sensitivity", "if one assumption is changed");
    print_table(all, "calibration",
                "calibration: rulesets that are known wear the lines, and are looked for");
    advise(all);
}

static int print_csv(const fzi_cli *cli, const json_t *all)
{
    (void)cli;
    fzi_json_print_rows(json_object_get(all, "rulesets"), true, NULL);
    return FZ_EXIT_OK;
}

static bool gather(const fzi_cli *cli, fz_context *context, fz_study *study, json_t *all)
{
    return fzi_cli_study_table(all, cli, context, study, NULL, "study", NULL) &&
           fzi_cli_study_table(all, cli, context, study, NULL, "reconstruction",
                               cli->values[FZ_CLI_TRIALS]) &&
           (cli->format != FZ_CLI_JSON ||
            fzi_cli_study_table(all, cli, context, study, "runs", "runs", NULL));
}

int fzi_cli_reconstruct(const fzi_cli *cli)
{
    static const fzi_cli_study_report report = {gather, print_text, print_csv};

    return fzi_cli_with_study(cli, &report);
}
