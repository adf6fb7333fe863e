/* ferz match: agents against each other with seats exchanged, in one or several rulesets. */
#include "interp/lab/lineup.h"
#include "files.h"
#include "playout_records.h"
#include "ruleset.h"
#include "interp/lab/sampling.h"
#include "table.h"
#include "interp/terminal/progress.h"
#include "interp/terminal/terminal.h"
#include "interp/agents/agent.h"
#include "interp/play/match.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RULESETS = 16, MAX_PAIRINGS = FZ_MAX_RATED * (FZ_MAX_RATED - 1) / 2, NAME_SIZE = 128 };

/* Two of the agents. */
typedef struct pairing {
    const fzi_lineup *cast;
    unsigned agents[2];
    const unsigned *side_of;
    fzi_match_result result;
} pairing;

typedef struct arena { /* one ruleset */
    fzi_ruleset rules;
    fzi_lineup cast;
    unsigned side_of[16];
    pairing pairings[MAX_PAIRINGS];
    unsigned count;
} arena;

typedef struct event {
    const fzi_cli *cli;
    fzi_sprt sprt;
    bool tests;             /* --sprt */
    arena *arenas[MAX_RULESETS];
    unsigned count;
} event;

static const char *agent_of(const pairing *p, unsigned which)
{
    return p->cast->descriptions[p->agents[which]];
}

/* ---- the sequential test ---- */

static int read_sprt(const fzi_cli *cli, const char *text, fzi_sprt *sprt)
{
    const struct {
        const char *name;
        double *value;
    } settings[] = {{"elo0", &sprt->elo0}, {"elo1", &sprt->elo1}, {"alpha", &sprt->alpha},
                    {"beta", &sprt->beta}};
    bool good = true;

    *sprt = (fzi_sprt){0, 20, 0.05, 0.05};
    while (good && *text) {
        size_t length = strcspn(text, "="), i = 0;
        char *end = NULL;
        while (i < 4 && (strlen(settings[i].name) != length ||
                         strncmp(settings[i].name, text, length) != 0))
            i++;
        good = i < 4 && text[length] == '=' && text[length + 1] && text[length + 1] != ',';
        if (good)
            *settings[i].value = strtod(text + length + 1, &end);
        good = good && (!*end || (*end == ',' && end[1]));
        text = good ? end + (*end == ',') : text;
    }
    if (good && fabs(sprt->elo0) <= 1000 && fabs(sprt->elo1) <= 1000 && sprt->elo0 < sprt->elo1 &&
        sprt->alpha > 0 && sprt->alpha < 0.5 && sprt->beta > 0 && sprt->beta < 0.5)
        return FZ_EXIT_OK;
    return fzi_cli_complain(cli, "--sprt takes elo0=E,elo1=E,alpha=P,beta=P with elo0 < elo1 and "
                            "P between 0 and 0.5, such as elo0=0,elo1=20,alpha=0.05,beta=0.05, "
                            "not '%s'", cli->values[FZ_CLI_SPRT]);
}

static const char *verdict_of(const event *e, const fzi_match_result *r, char *text, size_t size)
{
    double lower, upper;

    fzi_sprt_bounds(&e->sprt, &lower, &upper);
    snprintf(text, size, "elo0=%g against elo1=%g, alpha=%g, beta=%g: LLR %.2f (%.2f to %.2f), %s",
             e->sprt.elo0, e->sprt.elo1, e->sprt.alpha, e->sprt.beta, r->ratio, lower, upper,
             r->verdict > 0   ? "elo1 is accepted"
             : r->verdict < 0 ? "elo0 is accepted" : "not decided");
    return text;
}

/* ---- figures ---- */

static uint64_t total(const fzi_match_result *r, unsigned result)
{
    return r->results[0][result] + r->results[1][result];
}

/* The seats of agent 0 in even (0) or odd games: the names of their players. */
static const char *seat_name(const arena *a, unsigned seat, char *text)
{
    size_t used = 0;

    *text = '\0';
    for (int p = 0; p < fz_program_players(a->rules.session.program); p++) {
        if (fzi_match_agent(a->side_of, (unsigned)p, seat) != 0 || used >= NAME_SIZE)
            continue;
        used += (size_t)snprintf(text + used, NAME_SIZE - used, "%s%s", used ? ", " : "",
                                 fz_program_player_name(a->rules.session.program, p));
    }
    return text;
}

/* Of agent `which` in a seat: its losses, draws and wins. */
static void results_in(const pairing *p, unsigned which, unsigned seat, uint64_t results[3])
{
    const uint64_t *of_first = p->result.results[which ? 1 - seat : seat];

    for (unsigned k = 0; k < 3; k++)
        results[k] = of_first[which ? 2 - k : k];
}

/* Of a seat in all games of a ruleset. */
static fzi_estimate seat_score(const arena *a, unsigned seat)
{
    uint64_t sums[3] = {0};

    for (unsigned i = 0; i < a->count; i++)
        for (unsigned which = 0; which < 2; which++) {
            uint64_t results[3];
            results_in(&a->pairings[i], which, seat, results);
            for (unsigned k = 0; k < 3; k++)
                sums[k] += results[k];
        }
    return fzi_results_score(sums);
}

/* Payoff of agent 0 beyond that of agent 1, in a game. */
static fzi_estimate payoff_of(const fzi_match_result *r)
{
    double n = (double)r->games / 2, mean = n > 0 ? r->payoff / n : 0;
    double spread = n > 1 ? fmax(0, r->payoff_squares - n * mean * mean) / (n - 1) : 0;
    fzi_estimate estimate = {.value = mean};

    fzi_mean_interval(mean, sqrt(spread), r->games / 2, &estimate.low, &estimate.high);
    return estimate;
}

static void rate(const arena *a, fzi_estimate *ratings, double *scores, double *games)
{
    double points[FZ_MAX_RATED][FZ_MAX_RATED] = {{0}}, met[FZ_MAX_RATED][FZ_MAX_RATED] = {{0}};

    for (unsigned i = 0; i < a->cast.count; i++)
        scores[i] = games[i] = 0;
    for (unsigned i = 0; i < a->count; i++) {
        const pairing *p = &a->pairings[i];
        unsigned one = p->agents[0], other = p->agents[1];
        double n = (double)p->result.games;
        points[one][other] = (double)total(&p->result, FZ_WON) +
                             (double)total(&p->result, FZ_DRAWN) / 2;
        points[other][one] = n - points[one][other];
        met[one][other] = met[other][one] = n;
        scores[one] += points[one][other];
        scores[other] += points[other][one];
        games[one] += n;
        games[other] += n;
    }
    fzi_ratings(a->cast.count, points, met, ratings);
}

/* ---- text ---- */

/* "+12.3"; "inf" and "-inf" for players of whom one wins all games. */
static const char *elo_text(double elo, char *text)
{
    snprintf(text, 32, isfinite(elo) ? "%+.1f" : elo > 0 ? "+inf" : "-inf", elo);
    return text;
}

static void elo_cells(fzi_table *table, fzi_estimate elo)
{
    char value[32], low[32], high[32];

    fzi_table_cell(table, "%s", elo_text(elo.value, value));
    fzi_table_cell(table, "%s to %s", elo_text(elo.low, low), elo_text(elo.high, high));
}

static void score_cells(fzi_table *table, fzi_estimate score)
{
    fzi_table_cell(table, "%.2f %%", 100 * score.value);
    fzi_table_cell(table, "%.2f to %.2f", 100 * score.low, 100 * score.high);
}

static void header(fzi_table *table, const char *alignment, const char *const *names)
{
    fzi_table_begin(table, alignment);
    for (; *names; names++)
        fzi_table_cell(table, "%s", *names);
}

static void finish(fzi_table *table)
{
    fzi_table_print(table, "  ", true);
    fzi_table_clear(table);
}

static void print_pairings(const arena *a)
{
    static const char *const names[] = {"agent", "against", "games", "score", "95 % interval",
                                        "Elo", "95 % interval", NULL};
    fzi_table table;

    header(&table, "llrrlrl", names);
    for (unsigned i = 0; i < a->count; i++) {
        const pairing *p = &a->pairings[i];
        fzi_table_cell(&table, "%s", agent_of(p, 0));
        fzi_table_cell(&table, "%s", agent_of(p, 1));
        fzi_table_cell(&table, "%" PRIu64, p->result.games);
        score_cells(&table, fzi_pairs_score(&p->result.pairs));
        elo_cells(&table, fzi_pairs_elo(&p->result.pairs));
    }
    finish(&table);
}

static void print_seats(const arena *a)
{
    static const char *const names[] = {"agent", "against", "as", "wins", "draws", "losses",
                                        "score", "95 % interval", NULL};
    fzi_table table;
    char name[NAME_SIZE];

    header(&table, "lllrrrrl", names);
    for (unsigned i = 0; i < 4 * a->count; i++) {
        const pairing *p = &a->pairings[i / 4];
        unsigned which = i / 2 % 2, seat = i % 2;
        uint64_t results[3];
        results_in(p, which, seat, results);
        fzi_table_cell(&table, "%s", agent_of(p, which));
        fzi_table_cell(&table, "%s", agent_of(p, 1 - which));
        fzi_table_cell(&table, "%s", seat_name(a, seat, name));
        for (unsigned k = 3; k-- > 0;)
            fzi_table_cell(&table, "%" PRIu64, results[k]);
        score_cells(&table, fzi_results_score(results));
    }
    for (unsigned seat = 0; seat < 2; seat++) {
        fzi_table_cell(&table, "all");
        fzi_table_cell(&table, "%s", "");
        fzi_table_cell(&table, "%s", seat_name(a, seat, name));
        for (unsigned k = 0; k < 3; k++)
            fzi_table_cell(&table, "%s", "");
        score_cells(&table, seat_score(a, seat));
    }
    finish(&table);
}

static void print_ratings(const arena *a)
{
    static const char *const names[] = {"agent", "Elo", "95 % interval", "points", "games", NULL};
    fzi_estimate ratings[FZ_MAX_RATED];
    double scores[FZ_MAX_RATED], games[FZ_MAX_RATED];
    fzi_table table;

    rate(a, ratings, scores, games);
    header(&table, "lrlrr", names);
    for (unsigned i = 0; i < a->cast.count; i++) {
        fzi_table_cell(&table, "%s", a->cast.descriptions[i]);
        elo_cells(&table, ratings[i]);
        fzi_table_cell(&table, "%.1f", scores[i]);
        fzi_table_cell(&table, "%.0f", games[i]);
    }
    putchar('\n');
    finish(&table);
}

static void print_payoffs(const arena *a)
{
    static const char *const names[] = {"agent", "against", "payoff", "95 % interval", NULL};
    fzi_table table;

    header(&table, "llrl", names);
    for (unsigned i = 0; i < a->count; i++) {
        const pairing *p = &a->pairings[i];
        fzi_estimate payoff = payoff_of(&p->result);
        fzi_table_cell(&table, "%s", agent_of(p, 0));
        fzi_table_cell(&table, "%s", agent_of(p, 1));
        fzi_table_cell(&table, "%+.4f", payoff.value);
        fzi_table_cell(&table, "%+.4f to %+.4f", payoff.low, payoff.high);
    }
    putchar('\n');
    finish(&table);
}

static void print_arena(const event *e, const arena *a)
{
    uint64_t games = 0, plies = 0, stopped = 0;
    char text[256];

    for (unsigned i = 0; i < a->count; i++) {
        games += a->pairings[i].result.games;
        plies += a->pairings[i].result.plies;
        stopped += a->pairings[i].result.stopped;
    }
    printf("%s (%s): %" PRIu64 " game%s, seed %" PRIu64 "\n\n",
           fz_program_title(a->rules.session.program), a->rules.word, games,
           fzi_plural(games), e->cli->seed);
    print_pairings(a);
    putchar('\n');
    print_seats(a);
    if (a->cast.count > 2)
        print_ratings(a);
    if (fz_program_has_payoffs(a->rules.session.program))
        print_payoffs(a);
    if (e->tests)
        printf("\n  sequential test of %s\n",
               verdict_of(e, &a->pairings[0].result, text, sizeof text));
    printf("\n  length mean %.2f decisions; %" PRIu64 " game%s stopped by the limit\n",
           games ? (double)plies / (double)games : 0, stopped, fzi_plural(stopped));
}

/* How the difference between two agents differs between the first ruleset and each other one. */
static void print_rulesets(const event *e)
{
    static const char *const names[] = {"agent", "against", "ruleset", "Elo", "beyond the first",
                                        "95 % interval", "", NULL};
    fzi_table table;

    header(&table, "lllrrll", names);
    for (unsigned i = 0; i < e->arenas[0]->count; i++)
        for (unsigned r = 0; r < e->count; r++) {
            const pairing *p = &e->arenas[r]->pairings[i];
            fzi_estimate first = fzi_pairs_elo(&e->arenas[0]->pairings[i].result.pairs);
            fzi_estimate elo = fzi_pairs_elo(&p->result.pairs);
            fzi_estimate d = fzi_estimate_difference(first, elo);
            bool known = r > 0 && isfinite(d.low) && isfinite(d.high);
            char value[32];
            fzi_table_cell(&table, "%s", agent_of(p, 0));
            fzi_table_cell(&table, "%s", agent_of(p, 1));
            fzi_table_cell(&table, "%s", e->arenas[r]->rules.word);
            fzi_table_cell(&table, "%s", elo_text(elo.value, value));
            if (known) {
                elo_cells(&table, d);
            } else {
                fzi_table_cell(&table, "%s", r ? "not known" : "");
                fzi_table_cell(&table, "%s", "");
            }
            fzi_table_cell(&table, "%s", known && (d.low > 0 || d.high < 0) ? "differs" : "");
        }
    putchar('\n');
    finish(&table);
}

static void print_text(const event *e)
{
    for (unsigned r = 0; r < e->count; r++) {
        fputs(r ? "\n" : "", stdout);
        print_arena(e, e->arenas[r]);
    }
    if (e->count > 1)
        print_rulesets(e);
}

/* ---- JSON and CSV ---- */

static json_t *number_json(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* Infinite bounds are null. */
static json_t *estimate_json(fzi_estimate estimate)
{
    return json_pack("{s:o, s:[o, o]}", "value", number_json(estimate.value), "interval",
                     number_json(estimate.low), number_json(estimate.high));
}

static json_t *seats_json(const arena *a, const pairing *p)
{
    json_t *seats = json_array();
    char name[NAME_SIZE];

    for (unsigned i = 0; i < 4; i++) {
        uint64_t results[3];
        results_in(p, i / 2, i % 2, results);
        json_array_append_new(
            seats, json_pack("{s:s, s:s, s:I, s:I, s:I, s:o}", "agent", agent_of(p, i / 2), "as",
                             seat_name(a, i % 2, name), "wins", (json_int_t)results[2], "draws",
                             (json_int_t)results[1], "losses", (json_int_t)results[0], "score",
                             estimate_json(fzi_results_score(results))));
    }
    return seats;
}

static json_t *pairing_json(const event *e, const arena *a, const pairing *p)
{
    const fzi_match_result *r = &p->result;
    json_t *pairs = json_array();
    json_t *object = json_pack("{s:s, s:s, s:I, s:I, s:f, s:o, s:o, s:o}", "agent", agent_of(p, 0),
                               "against", agent_of(p, 1), "games", (json_int_t)r->games, "stopped",
                               (json_int_t)r->stopped, "length",
                               r->games ? (double)r->plies / (double)r->games : 0.0, "score",
                               estimate_json(fzi_pairs_score(&r->pairs)), "elo",
                               estimate_json(fzi_pairs_elo(&r->pairs)), "seats", seats_json(a, p));

    for (unsigned k = 0; k < 5; k++)
        json_array_append_new(pairs, json_integer((json_int_t)r->pairs.counts[k]));
    json_object_set_new(object, "pairs", pairs);
    if (fz_program_has_payoffs(a->rules.session.program))
        json_object_set_new(object, "payoff", estimate_json(payoff_of(r)));
    if (e->tests)
        json_object_set_new(object, "sprt",
                            json_pack("{s:f, s:f, s:f, s:f, s:f, s:i}", "elo0", e->sprt.elo0,
                                      "elo1", e->sprt.elo1, "alpha", e->sprt.alpha, "beta",
                                      e->sprt.beta, "llr", r->ratio, "verdict", r->verdict));
    return object;
}

static json_t *arena_json(const event *e, const arena *a)
{
    json_t *pairings = json_array(), *list = json_array(), *seats = json_array();
    fzi_estimate ratings[FZ_MAX_RATED];
    double scores[FZ_MAX_RATED], games[FZ_MAX_RATED];
    char name[NAME_SIZE];

    for (unsigned i = 0; i < a->count; i++)
        json_array_append_new(pairings, pairing_json(e, a, &a->pairings[i]));
    for (unsigned seat = 0; seat < 2; seat++)
        json_array_append_new(seats, json_pack("{s:s, s:o}", "seat", seat_name(a, seat, name),
                                               "score", estimate_json(seat_score(a, seat))));
    rate(a, ratings, scores, games);
    for (unsigned i = 0; i < a->cast.count; i++)
        json_array_append_new(list, json_pack("{s:s, s:o, s:f, s:f}", "agent",
                                              a->cast.descriptions[i], "elo",
                                              estimate_json(ratings[i]), "points", scores[i],
                                              "games", games[i]));
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o}", "file", a->rules.path, "game",
                     fz_program_title(a->rules.session.program), "options",
                     fzi_session_options(&a->rules.cli), "pairings", pairings, "ratings", list,
                     "seats", seats);
}

static int print_json(const event *e)
{
    json_t *rulesets = json_array();

    for (unsigned r = 0; r < e->count; r++)
        json_array_append_new(rulesets, arena_json(e, e->arenas[r]));
    return fzi_json_print(json_pack("{s:I, s:o}", "seed", (json_int_t)e->cli->seed, "rulesets",
                                    rulesets));
}

static void print_csv(const event *e)
{
    puts("ruleset,agent,against,games,wins,draws,losses,stopped,score,score_low,score_high,elo,"
         "elo_low,elo_high,length,llr,verdict");
    for (unsigned r = 0; r < e->count; r++)
        for (unsigned i = 0; i < e->arenas[r]->count; i++) {
            const pairing *p = &e->arenas[r]->pairings[i];
            const fzi_match_result *m = &p->result;
            fzi_estimate score = fzi_pairs_score(&m->pairs), elo = fzi_pairs_elo(&m->pairs);
            fzi_csv_field(e->arenas[r]->rules.word);
            putchar(',');
            fzi_csv_field(agent_of(p, 0));
            putchar(',');
            fzi_csv_field(agent_of(p, 1));
            printf(",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
                   ",%.6f,%.6f,%.6f,%.2f,%.2f,%.2f,%.4f,%.4f,%d\n", m->games,
                   total(m, FZ_WON), total(m, FZ_DRAWN), total(m, FZ_LOST), m->stopped,
                   score.value, score.low, score.high, elo.value, elo.low, elo.high,
                   m->games ? (double)m->plies / (double)m->games : 0, m->ratio, m->verdict);
        }
}

/* ---- playing ---- */

static fz_status make_agent(void *user, unsigned which, fz_decider *decider, char *message)
{
    const pairing *p = user;

    return fzi_agent_decide(&p->cast->setup, agent_of(p, which), decider, message);
}

static fz_status make_seated(void *user, unsigned player, fz_decider *decider, char *message)
{
    const pairing *p = user;

    return make_agent(user, fzi_match_agent(p->side_of, player, 0), decider, message);
}

/* The deciders of the first game, for its record. */
static fz_status make_first(void *user, fz_decider *deciders, char *message)
{
    const pairing *p = user;

    return fzi_deciders_make((unsigned)fz_program_players(p->cast->setup.program), make_seated,
                             user, deciders, message);
}

static int record_first(arena *a)
{
    fzi_session *session = &a->rules.session;
    fz_lineup cast = {make_first, &a->pairings[0], fz_program_hides(session->program)};

    return fzi_record_first(session, &cast, 0);
}

static int play_pairing(const event *e, arena *a, pairing *p, const fz_state *from)
{
    const fzi_cli *cli = e->cli;
    fzi_progress progress;
    fz_watch watch = fzi_watch(&progress);
    fzi_match match = {.program = a->rules.session.program, .limits = &cli->limits, .from = from,
                       .make = make_agent, .user = p,
                       .logs = fz_program_hides(a->rules.session.program), .seed = cli->seed,
                       .pairs = cli->count / 2 + cli->count % 2,
                       .sprt = e->tests ? &e->sprt : NULL, .threads = fzi_threads(cli->threads),
                       .watch = &watch};
    char message[256];
    uint64_t failed;
    fz_status status;

    fzi_progress_begin(&progress, "games");
    status = fzi_match_play(&match, &p->result, &failed, message);
    fzi_progress_end(&progress);
    if (status == FZ_OK)
        return FZ_EXIT_OK;
    fzi_cli_complain(cli, "%s%s", message, fzi_cli_limit_hint(cli, message));
    if (status == FZ_RUNTIME)
        fprintf(stderr, "  in game %" PRIu64 " of %s against %s, seed %" PRIu64 "\n", failed + 1,
                agent_of(p, 0), agent_of(p, 1), cli->seed);
    return status == FZ_RUNTIME || status == FZ_REFUSED ? FZ_EXIT_WRONG : FZ_EXIT_USAGE;
}

static int play_arena(const event *e, arena *a)
{
    const fz_state *from = fzi_session_begins_elsewhere(e->cli) ? a->rules.session.state : NULL;
    int code = FZ_EXIT_OK;

    if (from && fz_state_waiting(from) == FZ_GAME_OVER)
        return fzi_cli_complain(e->cli, "the game is over in this position");
    if (a == e->arenas[0] && fzi_cli_has(e->cli, FZ_CLI_RECORD))
        code = record_first(a);
    for (unsigned i = 0; i < a->count && code == FZ_EXIT_OK; i++)
        code = play_pairing(e, a, &a->pairings[i], from);
    return code;
}

/* Makes each agent once, so that what is wrong is said before anything runs. */
static int try_agents(const fzi_cli *cli, const arena *a)
{
    for (unsigned i = 0; i < a->cast.count; i++) {
        fz_agent *agent;
        char message[256] = "";
        if (fzi_agent_make(&a->cast.setup, a->cast.descriptions[i], &agent, message) != FZ_OK)
            return fzi_cli_complain(cli, "%s", message);
        fz_agent_free(agent);
    }
    return FZ_EXIT_OK;
}

static void pair_agents(arena *a)
{
    for (unsigned i = 0; i < a->cast.count; i++)
        for (unsigned j = i + 1; j < a->cast.count; j++)
            a->pairings[a->count++] =
                (pairing){.cast = &a->cast, .agents = {i, j}, .side_of = a->side_of};
}

static int open_arena(event *e, arena *a, const char *word)
{
    const fzi_cli *cli = e->cli;
    fzi_setup setup;
    int code = fzi_ruleset_open(&a->rules, cli, word);

    if (code == FZ_EXIT_OK)
        code = fzi_session_begin(&a->rules.session, FZ_CHANCE_ASK);
    if (code != FZ_EXIT_OK)
        return code;
    if (fzi_match_sides(a->rules.session.program, a->side_of) < 2)
        return fzi_cli_complain(cli, "%s: all players are on one side; `ferz playout --agents` "
                                "shows how well an agent does", a->rules.path);
    setup = fzi_session_setup(&a->rules.session);
    if (fzi_lineup_split(&a->cast, &setup, setup.options.agents) != FZ_OK)
        return fzi_cli_complain(cli, "out of memory");
    if (a->cast.count < 2 || a->cast.count > FZ_MAX_RATED)
        return fzi_cli_complain(cli, "--agents takes 2 to %d agents here, such as mcts:1000,random",
                                FZ_MAX_RATED);
    if (e->tests && a->cast.count > 2)
        return fzi_cli_complain(cli, "--sprt tests two agents, not %u", a->cast.count);
    pair_agents(a);
    return try_agents(cli, a);
}

static int run(event *e)
{
    const fzi_cli *cli = e->cli;
    int code = FZ_EXIT_OK;

    if (!fzi_cli_has(cli, FZ_CLI_AGENTS))
        return fzi_cli_complain(cli, "--agents is required, such as --agents mcts:1000,random");
    e->tests = fzi_cli_has(cli, FZ_CLI_SPRT);
    if (e->tests)
        code = read_sprt(cli, cli->values[FZ_CLI_SPRT], &e->sprt);
    for (size_t i = 0; i < cli->words.count && code == FZ_EXIT_OK; i++) {
        arena *a = fzi_cli_allocate(NULL, sizeof *a);
        memset(a, 0, sizeof *a);
        e->arenas[e->count++] = a;
        code = open_arena(e, a, cli->words.items[i]);
    }
    if (code == FZ_EXIT_OK)
        fzi_terminal_catch_interrupt();
    for (unsigned i = 0; i < e->count && code == FZ_EXIT_OK; i++)
        code = play_arena(e, e->arenas[i]);
    if (code != FZ_EXIT_OK)
        return code;
    if (fzi_terminal_interrupted())
        fputs("interrupted: the results so far\n", stderr);
    if (cli->format == FZ_CLI_JSON)
        return print_json(e);
    if (cli->format == FZ_CLI_CSV)
        print_csv(e);
    else
        print_text(e);
    return FZ_EXIT_OK;
}

int fzi_cli_match(const fzi_cli *cli)
{
    event e = {.cli = cli};
    int code = run(&e);

    for (unsigned i = 0; i < e.count; i++) {
        fzi_lineup_clear(&e.arenas[i]->cast);
        fzi_ruleset_close(&e.arenas[i]->rules);
        free(e.arenas[i]);
    }
    return code;
}
