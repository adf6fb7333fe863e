/* ferz coverage: the rules of a script, and how often random games came to each. */
#include "cli.h"

static void print_csv(const fzi_cli *cli, const fz_coverage *coverage)
{
    char text[FZI_EXCERPT_SIZE];

    puts("file,line,column,rule,ran,tried,offered,removed");
    for (size_t i = 0; i < coverage->count; i++) {
        const fz_rule *rule = &coverage->rules[i];
        if (fzi_cli_has(cli, FZ_CLI_NEVER) && rule->ran)
            continue;
        fzi_csv_field(rule->path);
        printf(",%u,%u,", rule->line, rule->column);
        fzi_csv_field(fzi_excerpt(rule->text, rule->length, 60, text));
        printf(",%" PRIu64 ",%" PRIu64 ",", rule->ran, rule->tried);
        if (rule->is_option)
            printf("%" PRIu64, rule->offered);
        printf(",%d\n", rule->removed);
    }
}

static void print_table(const fzi_session *session, const fz_coverage *coverage)
{
    size_t columns = fzi_terminal_width(1), width = columns > 60 ? columns - 40 : 20;
    const char *path = "";
    char text[FZI_EXCERPT_SIZE], ran[32], offered[32];
    fzi_table table;

    fzi_table_begin(&table, "rrrl", "place\tran\toffered\trule");
    for (size_t i = 0; i < coverage->count; i++) {
        const fz_rule *rule = &coverage->rules[i];
        if (fzi_cli_has(session->cli, FZ_CLI_NEVER) && (rule->ran || rule->inside))
            continue;
        fzi_table_add(&table, "%s%s%u:%u\t%s\t%s\t%s", rule->path == path ? "" : rule->path,
                      rule->path == path ? "" : ":", rule->line, rule->column,
                      rule->removed ? "removed"
                      : rule->ran   ? fzi_grouped(rule->ran, ran)
                                    : "never",
                      rule->is_option ? fzi_grouped(rule->offered, offered) : "",
                      fzi_excerpt(rule->text, rule->length, width, text));
    }
    fzi_table_print(&table, "");
}

static void print_text(const fzi_session *session, const fz_tally *tally,
                       const fz_coverage *coverage)
{
    size_t ran = 0;
    char number[32];

    for (size_t i = 0; i < coverage->count; i++)
        ran += coverage->rules[i].ran > 0;
    printf("%s: %zu of %zu rules ran in %s playout%s, seed %" PRIu64 "\n\n",
           fz_program_title(session->program), ran, coverage->count,
           fzi_grouped(tally->playouts, number), tally->playouts == 1 ? "" : "s",
           session->cli->seed);
    print_table(session, coverage);
}

static int print_json(const fzi_session *session, const fz_tally *tally,
                      const fz_coverage *coverage)
{
    return fzi_json_print(
        json_pack("{s:s, s:o, s:I, s:I, s:o}", "game", fz_program_title(session->program),
                  "options", fzi_session_options(session->cli), "playouts",
                  (long long)tally->playouts, "seed", (long long)session->cli->seed, "rules",
                  fzi_rules_json(coverage, fzi_cli_has(session->cli, FZ_CLI_NEVER))));
}

static int run(fzi_session *session)
{
    const fzi_cli *cli = session->cli;
    bool from_here = fzi_session_begins_elsewhere(cli);
    fzi_progress progress;
    fz_watch watch = fzi_progress_begin(&progress, "playouts");
    fz_tally tally;
    fz_coverage coverage;
    char message[256] = "";
    int code = FZ_EXIT_OK;
    fz_status status;

    fzi_terminal_catch_interrupt();
    fz_playout_options sample = {.program = session->program, .limits = &cli->limits,
                        .from = from_here ? session->state : NULL, .seed = cli->seed,
                        .count = cli->count, .threads = fzi_threads(cli->threads), .watch = &watch};
    status = fz_playouts_covered(&sample, &tally, message, &coverage);
    fzi_progress_end(&progress);
    if (status == FZ_NO_MEMORY) {
        fz_coverage_free(&coverage);
        return fzi_cli_complain(cli, "%s", message);
    }
    if (cli->format == FZ_CLI_JSON)
        code = print_json(session, &tally, &coverage);
    else if (cli->format == FZ_CLI_CSV)
        print_csv(cli, &coverage);
    else
        print_text(session, &tally, &coverage);
    fz_coverage_free(&coverage);
    if (status != FZ_OK)
        return fzi_session_playouts_failed(session, &tally, NULL, message);
    return code;
}

int fzi_cli_coverage(const fzi_cli *cli)
{
    fzi_cli covering = *cli;

    covering.covers = true;
    return fzi_session_run(&covering, FZ_CHANCE_ASK, run);
}
