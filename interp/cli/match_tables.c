/* Prints matches as text, JSON and CSV. See match_tables.h. */
#include "match_tables.h"

enum { NAME_SIZE = 128 };

static const char *verdict_of(const fzi_match_event *e, const fzi_match_result *r, char *text,
                              size_t size)
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
static const char *seat_name(const fzi_match_arena *a, unsigned seat, char *text)
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

static bool has_finished(const fzi_pairing *p)
{
    return p->result.games > p->result.stopped;
}

static fzi_estimate elo_of(const fzi_pairing *p)
{
    return fzi_elo_estimate(fzi_match_score(&p->result));
}

/* Counts losses, draws and wins of agent `which` in a seat. */
static void results_in(const fzi_pairing *p, unsigned which, unsigned seat, uint64_t results[3])
{
    const uint64_t *of_first = p->result.results[which ? 1 - seat : seat];

    for (unsigned k = 0; k < 3; k++)
        results[k] = of_first[which ? 2 - k : k];
}

static fzi_estimate score_in(const fzi_pairing *p, unsigned which, unsigned seat)
{
    uint64_t results[3] = {0};

    if (has_finished(p))
        results_in(p, which, seat, results);
    return fzi_results_score(results);
}

/* The score of a seat in all games of a ruleset. */
static fzi_estimate seat_score(const fzi_match_arena *a, unsigned seat)
{
    uint64_t sums[3] = {0};

    for (unsigned i = 0; i < a->count; i++)
        for (unsigned which = 0; which < 2; which++) {
            uint64_t results[3];
            results_in(&a->pairings[i], which, seat, results);
            for (unsigned k = 0; k < 3 && has_finished(&a->pairings[i]); k++)
                sums[k] += results[k];
        }
    return fzi_results_score(sums);
}

/* Payoff of agent 0 beyond that of agent 1, in a game. */
static fzi_estimate payoff_of(const fzi_match_result *r)
{
    double n = (double)r->games / 2, mean = n > 0 ? r->payoff / n : 0;
    double spread = n > 1 ? fmax(0, r->payoff_squares - n * mean * mean) / (n - 1) : 0;

    return fzi_mean_estimate(mean, sqrt(spread), r->games / 2);
}

static void rate(const fzi_match_arena *a, fzi_estimate *ratings, double *scores, double *games)
{
    double points[FZ_MAX_RATED][FZ_MAX_RATED] = {{0}}, met[FZ_MAX_RATED][FZ_MAX_RATED] = {{0}};

    for (unsigned i = 0; i < a->lineup.count; i++)
        scores[i] = games[i] = 0;
    for (unsigned i = 0; i < a->count; i++) {
        const fzi_pairing *p = &a->pairings[i];
        unsigned one = p->agents[0], other = p->agents[1];
        double n = (double)p->result.games;
        if (!has_finished(p))
            continue;
        points[one][other] = (double)total(&p->result, FZ_WON) +
                             (double)total(&p->result, FZ_DRAWN) / 2;
        points[other][one] = n - points[one][other];
        met[one][other] = met[other][one] = n;
        scores[one] += points[one][other];
        scores[other] += points[other][one];
        games[one] += n;
        games[other] += n;
    }
    fzi_ratings(a->lineup.count, points, met, ratings);
}

/* ---- text ---- */

/* "+12.3"; "inf" and "-inf" for players of whom one wins all games; "" for a number that is not
 * known. */
static const char *elo_text(double elo, char *text)
{
    *text = '\0';
    if (!isnan(elo))
        snprintf(text, 32, isfinite(elo) ? "%+.1f" : elo > 0 ? "+inf" : "-inf", elo);
    return text;
}

static void elo_cells(fzi_table *table, fzi_estimate elo)
{
    char value[32], low[32], high[32];

    fzi_table_add(table, "%s\t%s%s%s", elo_text(elo.value, value), elo_text(elo.low, low),
                  isnan(elo.low) ? "" : " to ", elo_text(elo.high, high));
}

static void score_cells(fzi_table *table, fzi_estimate score)
{
    if (isnan(score.value))
        fzi_table_add(table, "\t");
    else
        fzi_table_add(table, "%.2f %%\t%.2f to %.2f", 100 * score.value, 100 * score.low,
                      100 * score.high);
}

static void print_pairings(const fzi_match_arena *a)
{
    fzi_table table;

    fzi_table_begin(&table, "llrrlrl",
                    "agent\tagainst\tgames\tscore\t95 % interval\tElo\t95 % interval");
    for (unsigned i = 0; i < a->count; i++) {
        const fzi_pairing *p = &a->pairings[i];
        fzi_table_add(&table, "%s\t%s\t%" PRIu64, fzi_pairing_agent(p, 0),
                      fzi_pairing_agent(p, 1), p->result.games);
        score_cells(&table, fzi_match_score(&p->result));
        elo_cells(&table, elo_of(p));
    }
    fzi_table_print(&table, "  ");
}

static void print_seats(const fzi_match_arena *a)
{
    fzi_table table;
    char name[NAME_SIZE];

    fzi_table_begin(&table, "lllrrrrl",
                    "agent\tagainst\tas\twins\tdraws\tlosses\tscore\t95 % interval");
    for (unsigned i = 0; i < 4 * a->count; i++) {
        const fzi_pairing *p = &a->pairings[i / 4];
        unsigned which = i / 2 % 2, seat = i % 2;
        uint64_t results[3];
        results_in(p, which, seat, results);
        fzi_table_add(&table, "%s\t%s\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64,
                      fzi_pairing_agent(p, which), fzi_pairing_agent(p, 1 - which),
                      seat_name(a, seat, name), results[2], results[1], results[0]);
        score_cells(&table, score_in(p, which, seat));
    }
    for (unsigned seat = 0; seat < 2; seat++) {
        fzi_table_add(&table, "all\t\t%s\t\t\t", seat_name(a, seat, name));
        score_cells(&table, seat_score(a, seat));
    }
    fzi_table_print(&table, "  ");
}

static void print_ratings(const fzi_match_arena *a)
{
    fzi_estimate ratings[FZ_MAX_RATED];
    double scores[FZ_MAX_RATED], games[FZ_MAX_RATED];
    fzi_table table;

    rate(a, ratings, scores, games);
    fzi_table_begin(&table, "lrlrr", "agent\tElo\t95 % interval\tpoints\tgames");
    for (unsigned i = 0; i < a->lineup.count; i++) {
        fzi_table_add(&table, "%s", a->lineup.descriptions[i]);
        elo_cells(&table, ratings[i]);
        fzi_table_add(&table, "%.1f\t%.0f", scores[i], games[i]);
    }
    putchar('\n');
    fzi_table_print(&table, "  ");
}

static void print_payoffs(const fzi_match_arena *a)
{
    fzi_table table;

    fzi_table_begin(&table, "llrl", "agent\tagainst\tpayoff\t95 % interval");
    for (unsigned i = 0; i < a->count; i++) {
        const fzi_pairing *p = &a->pairings[i];
        fzi_estimate payoff = payoff_of(&p->result);
        fzi_table_add(&table, isnan(payoff.value) ? "%s\t%s\t\t"
                              : isnan(payoff.low) ? "%s\t%s\t%+.4f\t"
                                                : "%s\t%s\t%+.4f\t%+.4f to %+.4f",
                      fzi_pairing_agent(p, 0), fzi_pairing_agent(p, 1), payoff.value, payoff.low,
                      payoff.high);
    }
    putchar('\n');
    fzi_table_print(&table, "  ");
}

static void print_arena(const fzi_match_event *e, const fzi_match_arena *a)
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
    if (a->lineup.count > 2)
        print_ratings(a);
    if (fz_program_has_payoffs(a->rules.session.program))
        print_payoffs(a);
    if (e->tests)
        printf("\n  sequential test of %s\n",
               verdict_of(e, &a->pairings[0].result, text, sizeof text));
    if (games)
        printf("\n  length mean %.2f decisions; %" PRIu64 " game%s stopped by the limit\n",
               (double)plies / (double)games, stopped, fzi_plural(stopped));
}

/* How the difference between two agents differs between the first ruleset and each other one. */
static void print_rulesets(const fzi_match_event *e)
{
    fzi_table table;

    fzi_table_begin(&table, "lllrrll",
                    "agent\tagainst\truleset\tElo\tbeyond the first\t95 % interval\t");
    for (unsigned i = 0; i < e->arenas[0]->count; i++)
        for (unsigned r = 0; r < e->count; r++) {
            const fzi_pairing *p = &e->arenas[r]->pairings[i];
            fzi_estimate first = elo_of(&e->arenas[0]->pairings[i]), elo = elo_of(p);
            fzi_estimate d = fzi_estimate_difference(first, elo);
            bool known = r > 0 && isfinite(d.low) && isfinite(d.high);
            char value[32];
            fzi_table_add(&table, "%s\t%s\t%s\t%s", fzi_pairing_agent(p, 0),
                          fzi_pairing_agent(p, 1), e->arenas[r]->rules.word,
                          elo_text(elo.value, value));
            if (known)
                elo_cells(&table, d);
            else
                fzi_table_add(&table, "%s\t", r ? "not known" : "");
            fzi_table_add(&table, "%s", known && (d.low > 0 || d.high < 0) ? "differs" : "");
        }
    putchar('\n');
    fzi_table_print(&table, "  ");
}

static void print_text(const fzi_match_event *e)
{
    for (unsigned r = 0; r < e->count; r++) {
        fputs(r ? "\n" : "", stdout);
        print_arena(e, e->arenas[r]);
    }
    if (e->count > 1)
        print_rulesets(e);
}

/* ---- JSON and CSV ---- */

static json_t *seats_json(const fzi_match_arena *a, const fzi_pairing *p)
{
    json_t *seats = json_array();
    char name[NAME_SIZE];

    for (unsigned i = 0; i < 4; i++) {
        uint64_t results[3];
        results_in(p, i / 2, i % 2, results);
        json_array_append_new(
            seats, json_pack("{s:s, s:s, s:I, s:I, s:I, s:o}", "agent", fzi_pairing_agent(p, i / 2),
                             "as", seat_name(a, i % 2, name), "wins", (json_int_t)results[2],
                             "draws", (json_int_t)results[1], "losses", (json_int_t)results[0],
                             "score", fzi_estimate_json(score_in(p, i / 2, i % 2))));
    }
    return seats;
}

static json_t *pairing_json(const fzi_match_event *e, const fzi_match_arena *a,
                            const fzi_pairing *p)
{
    const fzi_match_result *r = &p->result;
    json_t *pairs = json_array();
    json_t *object = json_pack("{s:s, s:s, s:I, s:I, s:o, s:o, s:o, s:o}", "agent",
                               fzi_pairing_agent(p, 0), "against", fzi_pairing_agent(p, 1), "games",
                               (json_int_t)r->games, "stopped", (json_int_t)r->stopped, "length",
                               fzi_number_json((double)r->plies / (double)r->games), "score",
                               fzi_estimate_json(fzi_match_score(r)), "elo",
                               fzi_estimate_json(elo_of(p)), "seats",
                               seats_json(a, p));

    for (unsigned k = 0; k < 5; k++)
        json_array_append_new(pairs, json_integer((json_int_t)r->pairs.counts[k]));
    json_object_set_new(object, "pairs", pairs);
    if (fz_program_has_payoffs(a->rules.session.program))
        json_object_set_new(object, "payoff", fzi_estimate_json(payoff_of(r)));
    if (e->tests)
        json_object_set_new(object, "sprt",
                            json_pack("{s:f, s:f, s:f, s:f, s:f, s:i}", "elo0", e->sprt.elo0,
                                      "elo1", e->sprt.elo1, "alpha", e->sprt.alpha, "beta",
                                      e->sprt.beta, "llr", r->ratio, "verdict", r->verdict));
    return object;
}

static json_t *arena_json(const fzi_match_event *e, const fzi_match_arena *a)
{
    json_t *pairings = json_array(), *list = json_array(), *seats = json_array();
    fzi_estimate ratings[FZ_MAX_RATED];
    double scores[FZ_MAX_RATED], games[FZ_MAX_RATED];
    char name[NAME_SIZE];

    for (unsigned i = 0; i < a->count; i++)
        json_array_append_new(pairings, pairing_json(e, a, &a->pairings[i]));
    for (unsigned seat = 0; seat < 2; seat++)
        json_array_append_new(seats, json_pack("{s:s, s:o}", "seat", seat_name(a, seat, name),
                                               "score", fzi_estimate_json(seat_score(a, seat))));
    rate(a, ratings, scores, games);
    for (unsigned i = 0; i < a->lineup.count; i++)
        json_array_append_new(list, json_pack("{s:s, s:o, s:f, s:f}", "agent",
                                              a->lineup.descriptions[i], "elo",
                                              fzi_estimate_json(ratings[i]), "points", scores[i],
                                              "games", games[i]));
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:O}", "file", a->rules.path, "game",
                     fz_program_title(a->rules.session.program), "pairings", pairings, "ratings",
                     list, "seats", seats, "run", a->run);
}

static int print_json(const fzi_match_event *e)
{
    json_t *rulesets = json_array();

    for (unsigned r = 0; r < e->count; r++)
        json_array_append_new(rulesets, arena_json(e, e->arenas[r]));
    return fzi_json_print(json_pack("{s:o}", "rulesets", rulesets));
}

static void csv_estimate(fzi_estimate e, int digits)
{
    fzi_csv_number(e.value, digits);
    fzi_csv_number(e.low, digits);
    fzi_csv_number(e.high, digits);
}

/* `against`: "" for all games of the agent. */
static void csv_names(const fzi_match_arena *a, const char *agent, const char *against)
{
    fzi_csv_field(a->rules.word);
    putchar(',');
    fzi_csv_field(agent);
    putchar(',');
    fzi_csv_field(against);
}

static void csv_pairing(const fzi_match_arena *a, const fzi_pairing *p)
{
    const fzi_match_result *m = &p->result;

    csv_names(a, fzi_pairing_agent(p, 0), fzi_pairing_agent(p, 1));
    printf(",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, m->games,
           total(m, FZ_WON), total(m, FZ_DRAWN), total(m, FZ_LOST), m->stopped);
    csv_estimate(fzi_match_score(m), 6);
    csv_estimate(elo_of(p), 2);
    fzi_csv_number((double)m->plies / (double)m->games, 4);
    printf(",%.4f,%d", m->ratio, m->verdict);
    fzi_csv_run(a->run);
    putchar('\n');
}

/* All games of an agent in a round robin; its score and rating where rules ended games. */
static void csv_rating(const fzi_match_arena *a, unsigned agent, double score, fzi_estimate rating)
{
    uint64_t games = 0, results[3] = {0}, stopped = 0, plies = 0;

    for (unsigned i = 0; i < a->count; i++) {
        const fzi_pairing *p = &a->pairings[i];
        bool second = p->agents[1] == agent;
        if (p->agents[0] != agent && !second)
            continue;
        for (unsigned k = 0; k < 3; k++)
            results[k] += total(&p->result, second ? 2 - k : k);
        games += p->result.games;
        stopped += p->result.stopped;
        plies += p->result.plies;
    }
    csv_names(a, a->lineup.descriptions[agent], "");
    printf(",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, games, results[FZ_WON],
           results[FZ_DRAWN], results[FZ_LOST], stopped);
    fzi_csv_number(score, 6);
    fputs(",,", stdout);
    csv_estimate(rating, 2);
    fzi_csv_number(games ? (double)plies / (double)games : NAN, 4);
    fputs(",,", stdout);
    fzi_csv_run(a->run);
    putchar('\n');
}

static void print_csv(const fzi_match_event *e)
{
    fputs("ruleset,agent,against,games,wins,draws,losses,stopped,score,score_low,score_high,elo,"
          "elo_low,elo_high,length,llr,verdict", stdout);
    fzi_csv_run_names(e->arenas[0]->run, "run ");
    putchar('\n');
    for (unsigned r = 0; r < e->count; r++) {
        const fzi_match_arena *a = e->arenas[r];
        fzi_estimate ratings[FZ_MAX_RATED];
        double scores[FZ_MAX_RATED], games[FZ_MAX_RATED];
        for (unsigned i = 0; i < a->count; i++)
            csv_pairing(a, &a->pairings[i]);
        rate(a, ratings, scores, games);
        for (unsigned i = 0; i < a->lineup.count && a->lineup.count > 2; i++)
            csv_rating(a, i, games[i] > 0 ? scores[i] / games[i] : NAN, ratings[i]);
    }
}

int fzi_match_print(const fzi_match_event *e)
{
    if (e->cli->format == FZ_CLI_JSON)
        return print_json(e);
    if (e->cli->format == FZ_CLI_CSV)
        print_csv(e);
    else
        print_text(e);
    return FZ_EXIT_OK;
}
