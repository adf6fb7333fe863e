/* ferz playout: random games, and how they end. */
#include "cast.h"
#include "files.h"
#include "sampling.h"
#include "session.h"
#include "table.h"
#include "terminal.h"
#include "ferz_tools.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- text ---- */

static void share_row(fzi_table *table, const char *name, uint64_t hits, uint64_t total)
{
    double low, high;
    char number[32];

    fzi_interval(hits, total, &low, &high);
    fzi_table_cell(table, "%s", name);
    fzi_table_cell(table, "%s", fzi_grouped(hits, number));
    fzi_table_cell(table, "%.2f %%", total ? 100 * (double)hits / (double)total : 0.0);
    fzi_table_cell(table, "%.2f to %.2f", 100 * low, 100 * high);
}

static void plain_row(fzi_table *table, const char *name, uint64_t count, const char *remark)
{
    char number[32];

    fzi_table_cell(table, "%s", name);
    fzi_table_cell(table, "%s", fzi_grouped(count, number));
    fzi_table_cell(table, "%s", "");
    fzi_table_cell(table, "%s", remark);
}

static void print_shares(const fzi_session *session, const fz_tally *tally)
{
    uint64_t total = fzi_finished(tally);
    fzi_table table;

    fzi_table_begin(&table, "lrrl");
    fzi_table_cell(&table, "%s", "");
    fzi_table_cell(&table, "games");
    fzi_table_cell(&table, "share");
    fzi_table_cell(&table, "95 %% interval");
    for (int p = 0; p < fz_program_players(session->program); p++) {
        char name[128];
        snprintf(name, sizeof name, "%s wins", fz_program_player_name(session->program, p));
        share_row(&table, name, tally->wins[p], total);
    }
    if (fz_program_has_one_side(session->program))
        share_row(&table, "losses", tally->losses, total);
    if (!fz_program_has_one_side(session->program) || tally->draws)
        share_row(&table, "draws", tally->draws, total);
    if (tally->stopped)
        plain_row(&table, "stopped", tally->stopped, "by the limit; not in the shares");
    if (tally->failed)
        plain_row(&table, "failed", tally->failed, "by an error; not in the shares");
    fzi_table_print(&table, "  ", true);
    fzi_table_clear(&table);
}

static void print_payoffs(const fzi_session *session, const fz_tally *tally)
{
    fzi_table table;

    fzi_table_begin(&table, "lrrl");
    fzi_table_cell(&table, "payoff");
    fzi_table_cell(&table, "mean");
    fzi_table_cell(&table, "deviation");
    fzi_table_cell(&table, "95 %% interval");
    for (int p = 0; p < fz_program_players(session->program); p++) {
        double low, high, mean = tally->payoff_mean[p], deviation = tally->payoff_deviation[p];
        fzi_mean_interval(mean, deviation, fzi_finished(tally), &low, &high);
        fzi_table_cell(&table, "%s", fz_program_player_name(session->program, p));
        fzi_table_cell(&table, "%.4f", mean);
        fzi_table_cell(&table, "%.4f", deviation);
        fzi_table_cell(&table, "%.4f to %.4f", low, high);
    }
    putchar('\n');
    fzi_table_print(&table, "  ", true);
    fzi_table_clear(&table);
}

static void print_text(const fzi_session *session, const fz_tally *tally)
{
    uint64_t n = tally->playouts;
    char number[32];

    printf("%s: %s playout%s, seed %" PRIu64 "\n", fz_program_title(session->program),
           fzi_grouped(n, number), n == 1 ? "" : "s", session->cli->seed);
    if (fzi_cli_has(session->cli, FZ_CLI_AGENTS))
        printf("agents: %s\n", session->cli->values[FZ_CLI_AGENTS]);
    putchar('\n');
    if (n || tally->failed)
        print_shares(session, tally);
    if (n == 0)
        return;
    if (fz_program_has_payoffs(session->program))
        print_payoffs(session, tally);
    printf("\n  length     mean %.2f, deviation %.2f, median %g, from %" PRIu64 " to %" PRIu64
           " decisions\n", tally->mean, tally->deviation, tally->median, tally->shortest,
           tally->longest);
    printf("  turns      mean %.2f\n", (double)tally->turns / (double)n);
    if (tally->branching > 0)
        printf("  branching  mean %.2f\n", tally->branching);
    fflush(stdout);
    fprintf(stderr, "%.2f s, %s playouts a second", tally->seconds,
            fzi_grouped(tally->seconds > 0 ? (unsigned long long)((double)n / tally->seconds) : 0,
                        number));
    fprintf(stderr, ", %s decisions a second\n",
            fzi_grouped(tally->seconds > 0
                            ? (unsigned long long)((double)tally->plies / tally->seconds)
                            : 0,
                        number));
}

/* ---- JSON and CSV ---- */

static json_t *payoffs_json(const fzi_session *session, const fz_tally *tally)
{
    json_t *payoffs = json_array();

    for (int p = 0; p < fz_program_players(session->program); p++) {
        double low, high, mean = tally->payoff_mean[p], deviation = tally->payoff_deviation[p];
        fzi_mean_interval(mean, deviation, fzi_finished(tally), &low, &high);
        json_array_append_new(payoffs, json_pack("{s:f, s:f, s:[f, f]}", "mean", mean, "deviation",
                                                 deviation, "interval", low, high));
    }
    return payoffs;
}

static int print_json(const fzi_session *session, const fz_tally *tally, unsigned threads)
{
    json_t *wins = json_array(), *players = json_array(), *intervals = json_array();
    json_t *ranks = json_array(), *utilities = json_array(), *object = json_object();
    double n = tally->playouts ? (double)tally->playouts : 1;

    for (int p = 0; p < fz_program_players(session->program); p++) {
        double low, high;
        fzi_interval(tally->wins[p], fzi_finished(tally), &low, &high);
        json_array_append_new(wins, json_integer((long long)tally->wins[p]));
        json_array_append_new(players, json_string(fz_program_player_name(session->program, p)));
        json_array_append_new(intervals, json_pack("[f, f]", low, high));
        json_array_append_new(ranks, json_real(tally->rank_sum[p] / n));
        json_array_append_new(utilities, json_real(tally->utility_sum[p] / n));
    }
    json_object_set_new(object, "game", json_string(fz_program_title(session->program)));
    json_object_set_new(object, "options", fzi_session_options(session->cli));
    json_object_set_new(object, "playouts", json_integer((long long)tally->playouts));
    json_object_set_new(object, "seconds", json_real(tally->seconds));
    json_object_set_new(object, "plies", json_integer((long long)tally->plies));
    json_object_set_new(object, "turns", json_integer((long long)tally->turns));
    json_object_set_new(object, "wins", wins);
    json_object_set_new(object, "intervals", intervals);
    json_object_set_new(object, "players", players);
    json_object_set_new(object, "ranks", ranks);
    json_object_set_new(object, "utilities", utilities);
    if (fz_program_has_payoffs(session->program))
        json_object_set_new(object, "payoffs", payoffs_json(session, tally));
    if (fz_program_has_one_side(session->program))
        json_object_set_new(object, "losses", json_integer((long long)tally->losses));
    json_object_set_new(object, "draws", json_integer((long long)tally->draws));
    json_object_set_new(object, "stopped", json_integer((long long)tally->stopped));
    json_object_set_new(object, "failed", json_integer((long long)tally->failed));
    json_object_set_new(object, "length",
                        json_pack("{s:f, s:f, s:f, s:I, s:I}", "mean", tally->mean, "deviation",
                                  tally->deviation, "median", tally->median, "min",
                                  (long long)tally->shortest, "max", (long long)tally->longest));
    json_object_set_new(object, "branching", tally->branching > 0 ? json_real(tally->branching)
                                                                  : json_null());
    if (fzi_cli_has(session->cli, FZ_CLI_AGENTS))
        json_object_set_new(object, "agents",
                            json_string(session->cli->values[FZ_CLI_AGENTS]));
    json_object_set_new(object, "seed", json_integer((long long)session->cli->seed));
    json_object_set_new(object, "threads", json_integer((long long)threads));
    return fzi_json_print(object);
}

static void print_csv(const fzi_session *session, const fz_tally *tally)
{
    const fz_program *program = session->program;
    int players = fz_program_players(program);
    bool pays = fz_program_has_payoffs(program), alone = fz_program_has_one_side(program);

    fputs("game,seed,playouts", stdout);
    for (int p = 0; p < players; p++) {
        putchar(',');
        fzi_csv_field(fz_program_player_name(session->program, p));
    }
    fputs(alone ? ",losses" : "", stdout);
    fputs(",draws,stopped,failed,mean,deviation,median,min,max,turns,branching,seconds", stdout);
    for (int p = 0; pays && p < players; p++)
        for (size_t i = 0; i < 3; i++) {
            static const char *const columns[] = {"payoff", "low", "high"};
            char name[160];
            snprintf(name, sizeof name, "%s %s", fz_program_player_name(program, p), columns[i]);
            putchar(',');
            fzi_csv_field(name);
        }
    putchar('\n');
    fzi_csv_field(fz_program_title(session->program));
    printf(",%" PRIu64 ",%" PRIu64, session->cli->seed, tally->playouts);
    for (int p = 0; p < players; p++)
        printf(",%" PRIu64, tally->wins[p]);
    if (alone)
        printf(",%" PRIu64, tally->losses);
    printf(",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.4f,%.4f,%g,%" PRIu64 ",%" PRIu64 ",%" PRIu64
           ",%.4f,%.3f", tally->draws, tally->stopped, tally->failed, tally->mean,
           tally->deviation, tally->median, tally->shortest, tally->longest, tally->turns,
           tally->branching, tally->seconds);
    for (int p = 0; pays && p < players; p++) {
        double low, high;
        fzi_mean_interval(tally->payoff_mean[p], tally->payoff_deviation[p], fzi_finished(tally),
                          &low, &high);
        printf(",%.6f,%.6f,%.6f", tally->payoff_mean[p], low, high);
    }
    putchar('\n');
}

/* ---- running ---- */

/* The first game again, move by move, for --record. */
static int record_first(fzi_session *session, const fz_state *from, const fz_cast *cast)
{
    char *text = NULL;
    fz_status status;
    int code;

    status = fzi_session_record_playout(session, from, cast, 0, &text);
    /* A game that ends in an error is reported with the others. */
    if (status != FZ_OK && status != FZ_RUNTIME)
        return fzi_session_failed(session, status);
    if (!text)
        return FZ_EXIT_OK;
    code = fzi_file_write(session->cli, session->cli->values[FZ_CLI_RECORD], text, strlen(text));
    fz_text_free(session->context, text);
    return code;
}

/* The games of --records: numbers from 1. */
typedef struct wanted {
    uint64_t first, last;
    bool failed; /* only those that fail */
} wanted;

static int read_wanted(const fzi_cli *cli, wanted *w)
{
    const char *text = cli->values[FZ_CLI_RECORDS], *dots = strstr(text, "..");
    char low[32];

    *w = (wanted){1, cli->count, strcmp(text, "failed") == 0};
    if (!fzi_cli_has(cli, FZ_CLI_RECORD))
        return fzi_cli_complain(cli, "--records needs --record FOLDER");
    if (w->failed || strcmp(text, "all") == 0)
        return FZ_EXIT_OK;
    snprintf(low, sizeof low, "%.*s", dots ? (int)(dots - text) : (int)sizeof low - 1, text);
    if (!fzi_cli_number(low, &w->first) || !fzi_cli_number(dots ? dots + 2 : low, &w->last) ||
        w->first < 1 || w->first > w->last)
        return fzi_cli_complain(cli, "--records takes all, failed, N or N..M, not '%s'", text);
    if (w->last > cli->count)
        return fzi_cli_complain(cli, "--records %s: there are only %" PRIu64 " playouts", text,
                                cli->count);
    return FZ_EXIT_OK;
}

/* Plays one of the games again; false, with the exit status, if its record cannot be written. */
static bool record_one(fzi_session *session, const fz_state *from, const fz_cast *cast,
                       uint64_t number, bool only_failed, int *code)
{
    const char *folder = session->cli->values[FZ_CLI_RECORD];
    size_t size = strlen(folder) + 32;
    char *text = NULL, *path;
    fz_status status = fzi_session_record_playout(session, from, cast, number - 1, &text);

    if (status != FZ_OK && status != FZ_RUNTIME) {
        *code = fzi_session_failed(session, status);
        return false;
    }
    if (!text || (only_failed && status == FZ_OK)) {
        fz_text_free(session->context, text);
        return true;
    }
    path = fzi_cli_allocate(NULL, size);
    snprintf(path, size, "%s/%" PRIu64 ".txt", folder, number);
    *code = fzi_file_write(session->cli, path, text, strlen(text));
    free(path);
    fz_text_free(session->context, text);
    return *code == FZ_EXIT_OK;
}

/* Writes the records of --records. */
static int record_wanted(fzi_session *session, const fz_state *from, const fz_cast *cast,
                         const wanted *w, const fz_tally *tally)
{
    const char *folder = session->cli->values[FZ_CLI_RECORD];
    uint64_t played = tally->playouts + tally->failed;
    int code = FZ_EXIT_OK;

    if (w->failed && !tally->failed)
        return code;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return fzi_cli_complain(session->cli, "%s: %s", folder, strerror(errno));
    for (uint64_t n = w->first; n <= w->last && n <= played && !fzi_terminal_interrupted(); n++)
        if (!record_one(session, from, cast, n, w->failed, &code))
            break;
    return code;
}

static int run_as(fzi_session *session, const fz_cast *cast)
{
    const fzi_cli *cli = session->cli;
    unsigned threads = fzi_threads(cli);
    fzi_progress progress;
    fz_watch watch = fzi_watch(&progress);
    fz_tally tally = {0};
    char message[256] = "";
    const fz_state *from = fzi_session_begins_elsewhere(cli) ? session->state : NULL;
    fz_sample sample = {.program = session->program, .limits = &cli->limits, .from = from,
                        .cast = cast, .seed = cli->seed, .count = cli->count, .threads = threads,
                        .branching = fzi_cli_has(cli, FZ_CLI_BRANCHING), .watch = &watch};
    int code = FZ_EXIT_OK;
    bool records = fzi_cli_has(cli, FZ_CLI_RECORDS);
    wanted which;
    fz_status status;

    if (from && fz_state_waiting(from) == FZ_GAME_OVER)
        return fzi_cli_complain(cli, "the game is over in this position");
    if (records)
        code = read_wanted(cli, &which);
    else if (fzi_cli_has(cli, FZ_CLI_RECORD))
        code = record_first(session, from, cast);
    if (code != FZ_EXIT_OK)
        return code;
    fzi_terminal_catch_interrupt();
    fzi_progress_begin(&progress, "playouts");
    status = fz_playouts_of(&sample, &tally, message);
    fzi_progress_end(&progress);
    if (cli->format == FZ_CLI_JSON)
        code = print_json(session, &tally, threads);
    else if (cli->format == FZ_CLI_CSV)
        print_csv(session, &tally);
    else
        print_text(session, &tally);
    if (fzi_terminal_interrupted())
        fprintf(stderr, "interrupted after %" PRIu64 " of %" PRIu64 " playouts\n", tally.playouts,
                cli->count);
    if (records)
        code = record_wanted(session, from, cast, &which, &tally);
    if (code == FZ_EXIT_OK && (tally.failed || (status != FZ_OK && !fzi_terminal_interrupted())))
        code = fzi_session_playouts_failed(session, &tally, cast, message);
    return code;
}

static int run(fzi_session *session)
{
    fzi_cast cast;
    int code;

    if (!fzi_cli_has(session->cli, FZ_CLI_AGENTS))
        return run_as(session, NULL);
    code = fzi_cast_read(&cast, session, session->cli->values[FZ_CLI_AGENTS]);
    if (code != FZ_EXIT_OK)
        return code;
    code = run_as(session, &cast.cast);
    fzi_cast_clear(&cast);
    return code;
}

int fzi_cli_playout(const fzi_cli *cli)
{
    fzi_session session;
    int code = fzi_session_open_warned(&session, cli, cli->words.items[0]);

    if (code == FZ_EXIT_OK)
        code = fzi_session_begin(&session, FZ_CHANCE_ASK);
    if (code == FZ_EXIT_OK)
        code = run(&session);
    fzi_session_clear(&session);
    return code;
}
