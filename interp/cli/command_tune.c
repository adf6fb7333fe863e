/* ferz tune: variants of a game that meet a target. */
#include "cli.h"

#include <math.h>

/* "62.31 (58.1 to 66.5)" */
static json_t *figure_cell(const json_t *row, const char *name)
{
    char *low = fzi_cli_text("%s low", name), *high = fzi_cli_text("%s high", name);
    const json_t *numbers[] = {json_object_get(row, name), json_object_get(row, low),
                               json_object_get(row, high)};
    char *text = json_is_null(numbers[0])
                     ? fzi_cli_text("unknown")
                     : fzi_cli_text("%.4g (%.4g to %.4g)", json_number_value(numbers[0]),
                                    json_is_null(numbers[1]) ? NAN : json_number_value(numbers[1]),
                                    json_is_null(numbers[2]) ? NAN : json_number_value(numbers[2]));
    json_t *cell = json_string(text);

    free(low);
    free(high);
    free(text);
    return cell;
}

/* The row as people read it. */
static json_t *short_row(const json_t *row)
{
    static const char *const kept[] = {"rank", "variant", "met", "games"};
    json_t *made = json_object();
    const char *name;
    json_t *value;

    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        json_object_set(made, kept[i], json_object_get(row, kept[i]));
    json_object_foreach((json_t *)(uintptr_t)row, name, value) {
        char *low = fzi_cli_text("%s low", name);
        if (json_object_get(row, low))
            json_object_set_new(made, name, figure_cell(row, name));
        free(low);
    }
    return made;
}

static void print_failed(const json_t *all)
{
    const json_t *failed = json_object_get(all, "failed");
    size_t count = json_array_size(failed);

    if (count)
        printf("\n%zu variant%s cannot be played, such as '%s': %s\n", count, fzi_plural(count),
               fzi_experiment_text(json_array_get(failed, 0), "variant"),
               fzi_experiment_text(json_array_get(failed, 0), "failed"));
}

static void print_text(const fzi_cli *cli, const json_t *all)
{
    const json_t *rows = json_object_get(all, "variants");
    long long tried = json_integer_value(json_object_get(all, "tried"));
    json_t *kept = json_array();

    printf("%s: %lld of %lld variant%s, seed %s, target: %s\n\n", cli->words.items[0], tried,
           json_integer_value(json_object_get(all, "possible")),
           fzi_plural((uint64_t)json_integer_value(json_object_get(all, "possible"))),
           fzi_experiment_text(all, "seed"), fzi_experiment_text(all, "target"));
    for (size_t i = 0; i < json_array_size(rows); i++)
        if (json_is_true(json_object_get(json_array_get(rows, i), "frontier")))
            json_array_append_new(kept, short_row(json_array_get(rows, i)));
    fzi_json_print_rows(kept, false, NULL);
    size_t others = json_array_size(rows) - json_array_size(kept);
    if (others)
        printf("  %zu more variant%s\n", others, fzi_plural(others));
    print_failed(all);
    json_decref(kept);
}

static int print_csv(const fzi_cli *cli, const json_t *all)
{
    json_t *rows = json_object_get(all, "variants"), *row;
    size_t i;

    (void)cli;
    json_array_foreach(rows, i, row) {
        json_t *run = json_incref(json_object_get(row, "run"));
        json_object_del(row, "run");
        fzi_json_add_run(row, run, "run");
        json_decref(run);
    }
    fzi_json_print_rows(rows, true, NULL);
    return FZ_EXIT_OK;
}

static bool gather(const fzi_cli *cli, fz_context *context, fz_study *study, json_t *all)
{
    return fzi_cli_study_table(all, cli, context, study, NULL, "study", NULL) &&
           fzi_cli_study_table(all, cli, context, study, NULL, "tuning", NULL);
}

int fzi_cli_tune(const fzi_cli *cli)
{
    static const fzi_cli_study_report report = {gather, print_text, print_csv};

    if (!fzi_cli_has(cli, FZ_CLI_TARGET))
        return fzi_cli_complain(cli, "--target is missing: it says what the games are to be like, "
                                "such as --target \"length 60..120, draws < 10 %%\"");
    return fzi_cli_with_study(cli, &report);
}
