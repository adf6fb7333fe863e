/* ferz coverage: the rules of a script, and how often random games, or all sequences of some turns,
 * came to each. */
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

/* Prints the extent: so many playouts, or a count of so many sequences. */
typedef struct covered {
    const fzi_session *session;
    fz_tally tally;
    uint64_t nodes;
    fz_coverage coverage;
} covered;

static void print_text(const covered *c)
{
    const fzi_cli *cli = c->session->cli;
    const fz_coverage *coverage = &c->coverage;
    size_t ran = 0;
    char number[32];

    for (size_t i = 0; i < coverage->count; i++)
        ran += coverage->rules[i].ran > 0;
    printf("%s: %zu of %zu rules ran in ", fz_program_title(c->session->program), ran,
           coverage->count);
    if (cli->perft)
        printf("perft to depth %" PRIu64 ", %s sequence%s\n\n", cli->perft,
               fzi_grouped(c->nodes, number), c->nodes == 1 ? "" : "s");
    else
        printf("%s playout%s, seed %" PRIu64 "\n\n", fzi_grouped(c->tally.playouts, number),
               c->tally.playouts == 1 ? "" : "s", cli->seed);
    print_table(c->session, coverage);
}

static int print_json(const covered *c)
{
    const fzi_cli *cli = c->session->cli;
    json_t *object = json_pack("{s:s}", "game", fz_program_title(c->session->program));

    if (cli->perft)
        json_object_update_new(object, json_pack("{s:I, s:I}", "perft", (long long)cli->perft,
                                                 "nodes", (long long)c->nodes));
    else
        json_object_set_new(object, "playouts", json_integer((json_int_t)c->tally.playouts));
    json_object_set_new(object, "rules",
                        fzi_rules_json(&c->coverage, fzi_cli_has(cli, FZ_CLI_NEVER)));
    json_object_set_new(object, "run", fzi_session_trace(c->session));
    return fzi_json_print(object);
}

static int print(const covered *c)
{
    if (c->session->cli->format == FZ_CLI_JSON)
        return print_json(c);
    if (c->session->cli->format == FZ_CLI_CSV)
        print_csv(c->session->cli, &c->coverage);
    else
        print_text(c);
    return FZ_EXIT_OK;
}

static fz_status cover(covered *c, const fz_watch *watch, char *message)
{
    const fzi_session *session = c->session;
    const fzi_cli *cli = session->cli;
    fz_playout_options sample = {.program = session->program, .limits = &cli->limits,
                        .from = fzi_session_begins_elsewhere(cli) ? session->state : NULL,
                        .seed = cli->seed, .count = cli->count,
                        .threads = fzi_threads(cli->threads), .watch = watch};

    if (!cli->perft)
        return fz_playouts_covered(&sample, &c->tally, message, &c->coverage);
    fz_status status = fz_perft(session->machine, session->state, (unsigned)cli->perft,
                                fzi_cli_has(cli, FZ_CLI_DECISIONS), watch, &c->nodes);
    if (status == FZ_OK)
        status = fz_cover_rules(session->cover, &c->coverage);
    return status;
}

static int run(fzi_session *session)
{
    const fzi_cli *cli = session->cli;
    fzi_progress progress;
    fz_watch watch = fzi_progress_begin(&progress, cli->perft ? "nodes" : "playouts");
    covered c = {.session = session};
    char message[256] = "";
    int code;

    fzi_terminal_catch_interrupt();
    fz_status status = cover(&c, &watch, message);
    fzi_progress_end(&progress);
    if (status == FZ_NO_MEMORY)
        code = fzi_cli_complain(cli, "out of memory");
    else if (status != FZ_OK && cli->perft)
        code = fzi_session_failed(session, status);
    else if (cli->perft && fzi_terminal_interrupted())
        code = fzi_cli_complain(cli, "interrupted: there is no whole count");
    else
        code = print(&c);
    fz_coverage_free(&c.coverage);
    if (status != FZ_OK && status != FZ_NO_MEMORY && !cli->perft)
        return fzi_session_playouts_failed(session, &c.tally, NULL, message);
    return code;
}

int fzi_cli_coverage(const fzi_cli *cli)
{
    if (fzi_cli_has(cli, FZ_CLI_DECISIONS) && !cli->perft)
        return fzi_cli_complain(cli, "--decisions needs --perft");
    fzi_cli covering = *cli;

    covering.covers = true;
    return fzi_session_run(&covering, FZ_CHANCE_ASK, run);
}
