/* ferz compare: random games of two scripts, or of one under different options, side by side. */
#include "ruleset.h"
#include "sampling.h"
#include "table.h"
#include "terminal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct contender {
    fzi_ruleset rules;
    fz_tally tally;
    char message[256];
} contender;

enum { MAX_SEATS = 16, NAME_SIZE = 128 };

typedef struct figure {
    const char *name, *unit;
    double one, other, low, high; /* of the difference: its 95 % interval */
} figure;

/* ---- figures ---- */

/* Of the difference of two shares, by Newcombe's method from Wilson's intervals. */
static figure share(const char *name, uint64_t hits, uint64_t total, uint64_t other_hits,
                    uint64_t other_total)
{
    double p = total ? (double)hits / (double)total : 0;
    double q = other_total ? (double)other_hits / (double)other_total : 0;
    double p_low, p_high, q_low, q_high;

    fzi_interval(hits, total, &p_low, &p_high);
    fzi_interval(other_hits, other_total, &q_low, &q_high);
    return (figure){name, " %", 100 * p, 100 * q,
                    100 * (q - p - sqrt((p_high - p) * (p_high - p) + (q - q_low) * (q - q_low))),
                    100 * (q - p + sqrt((p - p_low) * (p - p_low) + (q_high - q) * (q_high - q)))};
}

/* Of the difference of two means, from the deviations of single values. */
static figure mean(const char *name, double one, double deviation, uint64_t count, double other,
                   double other_deviation, uint64_t other_count)
{
    double n = count ? (double)count : 1, m = other_count ? (double)other_count : 1;
    double error =
        1.959963984540054 * sqrt(deviation * deviation / n + other_deviation * other_deviation / m);

    return (figure){name, "", one, other, other - one - error, other - one + error};
}

/* Of two seats: one name if both have it. */
static const char *seat_name(char *text, const char *name, const char *second, const char *what)
{
    if (strcmp(name, second) == 0)
        snprintf(text, NAME_SIZE, "%s %s", name, what);
    else
        snprintf(text, NAME_SIZE, "%s, %s %s", name, second, what);
    return text;
}

/* What is compared; the names of the first one's players hold for both, seat by seat. */
static size_t make_figures(const contender *one, const contender *other, figure *figures,
                           char names[][NAME_SIZE])
{
    const fz_tally *a = &one->tally, *b = &other->tally;
    int players = fz_program_players(one->rules.session.program),
        most = fz_program_players(other->rules.session.program);
    uint64_t n = fzi_finished(a), m = fzi_finished(b);
    size_t count = 0;
    bool pays = fz_program_has_payoffs(one->rules.session.program) &&
                fz_program_has_payoffs(other->rules.session.program);

    for (int p = 0; p < players && p < most; p++) {
        const char *name = fz_program_player_name(one->rules.session.program, p);
        const char *second = fz_program_player_name(other->rules.session.program, p);
        figures[count++] = share(seat_name(names[p], name, second, "wins"), a->wins[p], n,
                                 b->wins[p], m);
    }
    if (a->losses || b->losses)
        figures[count++] = share("losses", a->losses, n, b->losses, m);
    figures[count++] = share("draws", a->draws, n, b->draws, m);
    if (a->stopped || b->stopped)
        figures[count++] = share("stopped", a->stopped, a->playouts, b->stopped, b->playouts);
    figures[count++] = mean("decisions", a->mean, a->deviation, a->playouts, b->mean,
                            b->deviation, b->playouts);
    for (int p = 0; pays && p < players && p < most; p++) {
        const char *name = fz_program_player_name(one->rules.session.program, p);
        const char *second = fz_program_player_name(other->rules.session.program, p);
        figures[count++] = mean(seat_name(names[MAX_SEATS + p], name, second, "payoff"),
                                a->payoff_mean[p], a->payoff_deviation[p], n, b->payoff_mean[p],
                                b->payoff_deviation[p], m);
    }
    return count;
}

/* ---- printing ---- */

static void print_table(const figure *figures, size_t count)
{
    fzi_table table;

    fzi_table_begin(&table, "lrrrll");
    fzi_table_cell(&table, "%s", "");
    fzi_table_cell(&table, "first");
    fzi_table_cell(&table, "second");
    fzi_table_cell(&table, "difference");
    fzi_table_cell(&table, "95 %% interval");
    fzi_table_cell(&table, "%s", "");
    for (size_t i = 0; i < count; i++) {
        const figure *f = &figures[i];
        fzi_table_cell(&table, "%s", f->name);
        fzi_table_cell(&table, "%.2f%s", f->one, f->unit);
        fzi_table_cell(&table, "%.2f%s", f->other, f->unit);
        fzi_table_cell(&table, "%+.2f", f->other - f->one);
        fzi_table_cell(&table, "%+.2f to %+.2f", f->low, f->high);
        fzi_table_cell(&table, "%s", f->low > 0 || f->high < 0 ? "differs" : "");
    }
    fzi_table_print(&table, "  ", true);
    fzi_table_clear(&table);
}

static void print_csv(const figure *figures, size_t count)
{
    puts("figure,first,second,difference,low,high,differs");
    for (size_t i = 0; i < count; i++) {
        const figure *f = &figures[i];
        fzi_csv_field(f->name);
        printf(",%.4f,%.4f,%.4f,%.4f,%.4f,%s\n", f->one, f->other, f->other - f->one, f->low,
               f->high, f->low > 0 || f->high < 0 ? "true" : "false");
    }
}

static json_t *side_json(const contender *c)
{
    return json_pack("{s:s, s:s, s:o, s:I, s:I, s:I}", "file", c->rules.path, "game",
                     fz_program_title(c->rules.session.program), "options",
                     fzi_session_options(&c->rules.cli), "playouts",
                     (long long)c->tally.playouts, "stopped", (long long)c->tally.stopped,
                     "failed", (long long)c->tally.failed);
}

static int print_json(const contender *sides, const figure *figures, size_t count)
{
    json_t *list = json_array();

    for (size_t i = 0; i < count; i++)
        json_array_append_new(
            list, json_pack("{s:s, s:f, s:f, s:f, s:[f, f], s:b}", "name", figures[i].name, "first",
                            figures[i].one, "second", figures[i].other, "difference",
                            figures[i].other - figures[i].one, "interval", figures[i].low,
                            figures[i].high, "differs", figures[i].low > 0 || figures[i].high < 0));
    return fzi_json_print(json_pack("{s:I, s:o, s:o, s:o}", "seed",
                                    (long long)sides[0].rules.cli.seed, "first",
                                    side_json(&sides[0]), "second", side_json(&sides[1]),
                                    "figures", list));
}

static int print_all(const fzi_cli *cli, const contender *sides)
{
    figure figures[2 * MAX_SEATS + 4];
    char names[2 * MAX_SEATS][NAME_SIZE], number[32];
    size_t count = make_figures(&sides[0], &sides[1], figures, names);

    if (cli->format == FZ_CLI_JSON)
        return print_json(sides, figures, count);
    if (cli->format == FZ_CLI_CSV) {
        print_csv(figures, count);
        return FZ_EXIT_OK;
    }
    printf("first:  %s\nsecond: %s\n%s playout%s of each, seed %" PRIu64 "\n\n",
           cli->words.items[0], cli->words.items[1], fzi_grouped(sides[0].tally.playouts, number),
           fzi_cli_plural(sides[0].tally.playouts), cli->seed);
    print_table(figures, count);
    return FZ_EXIT_OK;
}

static int play(contender *c)
{
    const fzi_cli *cli = &c->rules.cli;
    fzi_progress progress;
    fz_watch watch = fzi_watch(&progress);
    fz_status status;

    fzi_progress_begin(&progress, "playouts");
    status = fz_playouts(c->rules.session.program, &cli->limits, cli->seed, 0, cli->count,
                         fzi_threads(cli), false, &watch, &c->tally, c->message);
    fzi_progress_end(&progress);
    return status == FZ_OK ? FZ_EXIT_OK
                           : fzi_session_playouts_failed(&c->rules.session, &c->tally, NULL,
                                                         c->message);
}

int fzi_cli_compare(const fzi_cli *cli)
{
    contender sides[2] = {0};
    int code = FZ_EXIT_OK;

    for (size_t i = 0; i < 2 && code == FZ_EXIT_OK; i++)
        code = fzi_ruleset_open(&sides[i].rules, cli, cli->words.items[i]);
    fzi_terminal_catch_interrupt();
    for (size_t i = 0; i < 2 && code == FZ_EXIT_OK; i++)
        code = play(&sides[i]);
    if (code == FZ_EXIT_OK)
        code = print_all(cli, sides);
    fzi_ruleset_close(&sides[0].rules);
    fzi_ruleset_close(&sides[1].rules);
    return code;
}
