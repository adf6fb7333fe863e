/* The report of playouts. See cli.h. */
#include "cli.h"

/* ---- text ---- */

static void share_row(fzi_table *table, const char *name, uint64_t hits, uint64_t total)
{
    fzi_estimate share = fzi_share_estimate(hits, total);
    char number[32];

    fzi_table_add(table, total ? "%s\t%s\t%.2f %%\t%.2f to %.2f" : "%s\t%s\t\t", name,
                  fzi_grouped(hits, number), 100 * share.value, 100 * share.low, 100 * share.high);
}

static void plain_row(fzi_table *table, const char *name, uint64_t count, const char *remark)
{
    char number[32];

    fzi_table_add(table, "%s\t%s\t\t%s", name, fzi_grouped(count, number), remark);
}

/* The first place was shared, and not by all. */
static void shared_rows(fzi_table *table, const json_t *x, const fz_tally *tally)
{
    uint64_t total = fzi_finished(tally);

    if (!tally->shared)
        return;
    share_row(table, "shared first", tally->shared, total);
    for (unsigned p = 0; p < fzi_experiment_players(x); p++) {
        char name[128];
        snprintf(name, sizeof name, "  by %s", fzi_experiment_player(x, p));
        share_row(table, name, tally->shared_by[p], total);
    }
}

static void print_shares(const json_t *x, const fz_tally *tally)
{
    uint64_t total = fzi_finished(tally);
    fzi_table table;

    fzi_table_begin(&table, "lrrl", "\tgames\tshare\t95 % interval");
    for (unsigned p = 0; p < fzi_experiment_players(x); p++) {
        char name[128];
        snprintf(name, sizeof name, "%s won", fzi_experiment_player(x, p));
        share_row(&table, name, tally->wins[p], total);
    }
    if (fzi_experiment_is(x, "one_side"))
        share_row(&table, "losses", tally->losses, total);
    shared_rows(&table, x, tally);
    if (!fzi_experiment_is(x, "one_side") || tally->draws)
        share_row(&table, "draws", tally->draws, total);
    if (tally->stopped)
        plain_row(&table, "stopped", tally->stopped, "by the limit; not in the shares");
    if (tally->failed)
        plain_row(&table, "failed", tally->failed, "by an error; not in the shares");
    fzi_table_print(&table, "  ");
}

static void print_payoffs(const json_t *x, const fz_tally *tally)
{
    fzi_table table;

    fzi_table_begin(&table, "lrrl", "payoff\tmean\tdeviation\t95 % interval");
    for (unsigned p = 0; p < fzi_experiment_players(x); p++) {
        fzi_estimate mean = fzi_payoff_estimate(tally, p);
        fzi_table_add(&table, isnan(mean.low) ? "%s\t%.4f\t%.4f\t" : "%s\t%.4f\t%.4f\t%.4f to %.4f",
                      fzi_experiment_player(x, p), mean.value, tally->payoff_deviation[p],
                      mean.low, mean.high);
    }
    putchar('\n');
    fzi_table_print(&table, "  ");
}

static void print_ends(const fz_sums *sums)
{
    fz_sums_end *ends = fzi_cli_allocate(NULL, (sums->end_count + 1) * sizeof *ends);
    size_t count = fzi_sums_ends(sums, ends);
    fzi_table table;
    char number[32];

    fzi_table_begin(&table, "llrr", "ended by\tplace\tgames\tshare");
    for (size_t i = 0; i < count; i++)
        fzi_table_add(&table, "%s\t%s\t%s\t%.2f %%", fzi_ending_name(ends[i].kind), ends[i].text,
                      fzi_grouped(ends[i].playouts, number),
                      100 * (double)ends[i].playouts / (double)sums->playouts);
    putchar('\n');
    fzi_table_print(&table, "  ");
    free(ends);
}

static void print_text(const json_t *x, const char *part, const fz_sums *sums,
                       const fz_tally *tally)
{
    uint64_t n = tally->playouts;
    char number[32];

    printf("%s: %s playout%s, seed %" PRIu64 "\n", fzi_experiment_text(x, "game"),
           fzi_grouped(n, number), n == 1 ? "" : "s", fzi_experiment_seed(x));
    if (json_is_string(json_object_get(x, "agents")))
        printf("agents: %s\n", fzi_experiment_text(x, "agents"));
    if (!fzi_experiment_is(x, "repeatable"))
        puts("not repeatable: an agent's time is limited");
    if (part)
        printf("%s\n", part);
    putchar('\n');
    if (n || tally->failed)
        print_shares(x, tally);
    if (n == 0)
        return;
    if (fzi_experiment_is(x, "payoffs"))
        print_payoffs(x, tally);
    printf("\n  length     mean %.2f, deviation %.2f, median %g, from %" PRIu64 " to %" PRIu64
           " decisions\n", tally->mean, tally->deviation, tally->median, tally->shortest,
           tally->longest);
    printf("  turns      mean %.2f\n", (double)tally->turns / (double)n);
    if (tally->branching > 0)
        printf("  branching  mean %.2f\n", tally->branching);
    print_ends(sums);
}

void fzi_report_rates(uint64_t playouts, uint64_t plies, double seconds)
{
    char number[32];

    if (!playouts || seconds <= 0)
        return;
    fflush(stdout);
    fprintf(stderr, "%.2f s, %s playouts a second", seconds,
            fzi_grouped((unsigned long long)((double)playouts / seconds), number));
    fprintf(stderr, ", %s decisions a second\n",
            fzi_grouped((unsigned long long)((double)plies / seconds), number));
}

/* ---- JSON and CSV ---- */

static void print_csv(const fzi_shard *shard, const fz_tally *tally)
{
    const json_t *x = shard->experiment;
    json_t *run = fzi_shard_trace(shard);
    unsigned players = fzi_experiment_players(x);
    bool pays = fzi_experiment_is(x, "payoffs"), alone = fzi_experiment_is(x, "one_side");

    fputs("game,seed,playouts", stdout);
    for (unsigned p = 0; p < players; p++) {
        putchar(',');
        fzi_csv_field(fzi_experiment_player(x, p));
    }
    fputs(alone ? ",losses" : "", stdout);
    fputs(players > 2 ? ",shared" : "", stdout);
    fputs(",draws,stopped,failed,mean,deviation,median,min,max,turns,branching", stdout);
    for (unsigned p = 0; pays && p < players; p++)
        for (size_t i = 0; i < 3; i++) {
            static const char *const columns[] = {"payoff", "low", "high"};
            char name[160];
            snprintf(name, sizeof name, "%s %s", fzi_experiment_player(x, p), columns[i]);
            putchar(',');
            fzi_csv_field(name);
        }
    fzi_csv_run_names(run, "run ");
    putchar('\n');
    fzi_csv_field(fzi_experiment_text(x, "game"));
    printf(",%" PRIu64 ",%" PRIu64, fzi_experiment_seed(x), tally->playouts);
    for (unsigned p = 0; p < players; p++)
        printf(",%" PRIu64, tally->wins[p]);
    if (alone)
        printf(",%" PRIu64, tally->losses);
    if (players > 2)
        printf(",%" PRIu64, tally->shared);
    printf(",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.4f,%.4f,%g,%" PRIu64 ",%" PRIu64 ",%" PRIu64
           ",", tally->draws, tally->stopped, tally->failed, tally->mean, tally->deviation,
           tally->median, tally->shortest, tally->longest, tally->turns);
    if (tally->branching > 0) /* it was counted */
        printf("%.4f", tally->branching);
    for (unsigned p = 0; pays && p < players; p++) {
        fzi_estimate mean = fzi_payoff_estimate(tally, p);
        fzi_csv_number(mean.value, 6);
        fzi_csv_number(mean.low, 6);
        fzi_csv_number(mean.high, 6);
    }
    fzi_csv_run(run);
    putchar('\n');
    json_decref(run);
}

int fzi_report_print(const fzi_cli *cli, const fzi_shard *shard, const char *part)
{
    fz_tally tally;

    fz_sums_tally(&shard->sums, &tally);
    if (cli->format == FZ_CLI_JSON)
        return fzi_json_print(fzi_results_json(shard, part));
    if (cli->format == FZ_CLI_CSV)
        print_csv(shard, &tally);
    else
        print_text(shard->experiment, part, &shard->sums, &tally);
    return FZ_EXIT_OK;
}

int fzi_report_shard(const fzi_cli *cli, fz_context *context, const fzi_shard *shard)
{
    char *text = NULL;
    fz_status status = fzi_shard_text(shard, context, &text);

    return fzi_cli_write(cli, context, status, text, cli->values[FZ_CLI_OUTPUT]);
}
