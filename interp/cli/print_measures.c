/* Prints measures as text, JSON or CSV. See cli.h. */
#include "cli.h"

static void row(fzi_table *table, const char *name, fzi_estimate e, const char *meaning)
{
    char value[32], low[32], high[32];
    bool known = !isnan(e.low);

    fzi_table_add(table, "%s\t%s\t%s%s%s\t%s", name, fzi_number_text(e.value, value),
                  known ? fzi_number_text(e.low, low) : "", known ? " to " : "",
                  known ? fzi_number_text(e.high, high) : "", meaning);
}

static void print_measures(const fzi_measures_page *page)
{
    fzi_figure figures[FZI_MOST_FIGURES];
    size_t count = fzi_measures_figures(page, figures);
    fzi_table table;

    fzi_table_begin(&table, "lrll", "measure\tvalue\t95 % interval\t");
    for (size_t i = 0; i < count; i++)
        if (!isnan(figures[i].estimate.value))
            row(&table, figures[i].name, figures[i].estimate, figures[i].meaning);
    fzi_table_print(&table, "  ");
}

static void print_list(const fzi_measures_page *page, unsigned list)
{
    char name[FZI_ELEMENT_SIZE];
    fzi_table table;
    bool known = false;

    for (uint32_t i = 0; i < page->measures.sizes[list] && !known; i++)
        known = !isnan(fzi_list_value(&page->measures, list, i).value);
    if (!known)
        return;
    fzi_table_begin(&table, "lrll", NULL);
    fzi_table_add(&table, "%s\tvalue\t95 %% interval\t", fzi_list_infos[list].name);
    for (uint32_t i = 0; i < page->measures.sizes[list]; i++) {
        fzi_estimate e = fzi_list_value(&page->measures, list, i);
        if (!isnan(e.value))
            row(&table, fzi_element_name(page, list, i, name), e, "");
    }
    putchar('\n');
    fzi_table_print(&table, "  ");
}

/* ---- skill ---- */

/* The last fields of a row. */
static void csv_row(const char *element, fzi_estimate e, const json_t *run)
{
    const double numbers[] = {e.value, e.low, e.high};

    putchar(',');
    fzi_csv_field(element);
    for (unsigned i = 0; i < 3; i++) {
        putchar(',');
        if (!isnan(numbers[i]))
            printf("%.9g", numbers[i]);
    }
    fzi_csv_run(run);
    putchar('\n');
}

static void add_curve(fzi_table *table, const fzi_skill *skill, const fzi_skill_curve *curve)
{
    fzi_estimate limit = curve->limit;
    char value[32], low[32], high[32];

    fzi_table_add(table, "%s\t%s", curve->name, curve->element);
    for (unsigned i = 0; i < skill->efforts; i++)
        fzi_table_add(table, "%s", fzi_number_text(curve->values[i].value, value));
    fzi_table_add(table, "%s", fzi_number_text(limit.value, value));
    if (isnan(limit.value))
        fzi_table_add(table, "%s", isnan(curve->fit) ? "" : "not a line");
    else
        fzi_table_add(table, "%s to %s", fzi_number_text(limit.low, low),
                      fzi_number_text(limit.high, high));
}

static void print_skill(const fzi_skill *skill)
{
    char columns[FZI_MOST_EFFORTS + 5] = "ll";
    fzi_table table;

    memset(columns + 2, 'r', skill->efforts);
    strcpy(columns + 2 + skill->efforts, "rl");
    fzi_table_begin(&table, columns, "measure\t");
    for (unsigned i = 0; i < skill->efforts; i++)
        fzi_table_add(&table, "%s", skill->agents[i]);
    fzi_table_add(&table, "limit\t95 %% interval");
    for (size_t c = 0; c < skill->count; c++)
        if (fzi_skill_is_shown(skill, &skill->curves[c]))
            add_curve(&table, skill, &skill->curves[c]);
    putchar('\n');
    fzi_table_print(&table, "  ");
}

static void csv_skill(const fzi_measures_page *page)
{
    json_t *run = fzi_experiment_trace(page->experiment, 0, page->measures.games);
    const fzi_skill *skill = page->skill;

    json_object_del(run, "agents");
    fputs("measure,element,agent,value,low,high", stdout);
    fzi_csv_run_names(run, "run ");
    putchar('\n');
    for (size_t c = 0; c < skill->count; c++)
        for (unsigned i = 0; i <= skill->efforts; i++) {
            const fzi_skill_curve *curve = &skill->curves[c];
            if (!fzi_skill_is_shown(skill, curve))
                break;
            fzi_csv_field(curve->name);
            putchar(',');
            fzi_csv_field(curve->element);
            csv_row(i < skill->efforts ? skill->agents[i] : "limit",
                    i < skill->efforts ? curve->values[i] : curve->limit, run);
        }
    json_decref(run);
}

/* ---- the page ---- */

static void print_text(const fzi_cli *cli, const fzi_measures_page *page)
{
    const json_t *x = page->experiment;
    char number[32];

    printf("%s: %s game%s, seed %" PRIu64 "\n", fzi_experiment_text(x, "game"),
           fzi_grouped(page->measures.games, number), fzi_plural(page->measures.games),
           fzi_experiment_seed(x));
    printf("agents: %s\n", *fzi_experiment_text(x, "agents") ? fzi_experiment_text(x, "agents")
                                                             : "random moves");
    puts(fzi_experiment_is(x, "repeatable") ? ""
                                            : "not repeatable: an agent's time is limited\n");
    print_measures(page);
    print_list(page, FZ_LIST_WINS);
    print_list(page, FZ_LIST_SEAT);
    if (page->skill)
        print_skill(page->skill);
    if (!fzi_cli_has(cli, FZ_CLI_LINES))
        return;
    print_list(page, FZ_LIST_LINE);
    print_list(page, FZ_LIST_LINE_PAIR);
    if (page->lines->symmetries)
        print_list(page, FZ_LIST_LINE_MIRRORED);
    print_list(page, FZ_LIST_LINE_DIFFERENCE);
}

static void print_csv(const fzi_measures_page *page)
{
    fzi_figure figures[FZI_MOST_FIGURES];
    size_t count = fzi_measures_figures(page, figures);
    char name[FZI_ELEMENT_SIZE];

    json_t *run = fzi_experiment_trace(page->experiment, 0, page->measures.games);
    fputs("measure,element,value,low,high", stdout);
    fzi_csv_run_names(run, "run ");
    putchar('\n');
    for (size_t i = 0; i < count; i++) {
        fzi_csv_field(figures[i].name);
        csv_row("", figures[i].estimate, run);
    }
    for (unsigned list = 0; list < FZ_LISTS; list++)
        for (uint32_t i = 0; i < page->measures.sizes[list]; i++) {
            fzi_estimate e = fzi_list_value(&page->measures, list, i);
            if (isnan(e.value))
                continue;
            fzi_csv_field(fzi_list_infos[list].name);
            csv_row(fzi_element_name(page, list, i, name), e, run);
        }
    json_decref(run);
}

int fzi_measures_print(const fzi_cli *cli, const fzi_measures_page *page)
{
    if (cli->format == FZ_CLI_JSON) {
        json_t *all = fzi_measures_page_json(page);
        if (page->skill)
            json_object_set_new(all, "skill", fzi_skill_json(page->skill));
        return fzi_json_print(all);
    }
    if (cli->format == FZ_CLI_CSV && page->skill)
        csv_skill(page);
    else if (cli->format == FZ_CLI_CSV)
        print_csv(page);
    else
        print_text(cli, page);
    return FZ_EXIT_OK;
}
