/* ferz solve: the exact value of small games. */
#include "session.h"
#include "table.h"
#include "interp/terminal/progress.h"
#include "interp/terminal/terminal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/solve/hidden_game.h"
#include "interp/solve/position_values.h"

static const size_t MEMORY = (size_t)1 << 30;
enum { SWEEPS = 1000000, ROUNDS = 100000 };

/* A move or a result of chance at the beginning, and what it leads to. */
typedef struct way {
    char *text;
    double probability, low, high;
    uint32_t steps;
    bool best;
    char *answer;             /* behind a result of chance, the best move; NULL */
} way;

typedef struct solution {
    fzi_session *session;
    fzi_graph graph;
    fzi_values values;
    way *ways;
    size_t count;
    bool chance;              /* the ways are results of chance */
} solution;

static size_t memory_of(const fzi_cli *cli)
{
    return cli->limits.memory ? cli->limits.memory : MEMORY;
}

static int read_precision(const fzi_cli *cli, double usual, double *precision)
{
    char *end;

    *precision = usual;
    if (!fzi_cli_has(cli, FZ_CLI_PRECISION))
        return FZ_EXIT_OK;
    *precision = strtod(cli->values[FZ_CLI_PRECISION], &end);
    if (!*end && *precision > 0 && *precision <= 1)
        return FZ_EXIT_OK;
    return fzi_cli_complain(cli, "--precision takes a number above 0 and up to 1, not '%s'",
                            cli->values[FZ_CLI_PRECISION]);
}

static int failed(const fzi_session *session, fz_status status)
{
    const char *message = fz_machine_message(session->machine);

    if (status == FZ_NOT_FOUND && fzi_terminal_interrupted()) {
        fzi_cli_complain(session->cli, "interrupted: the game is not solved");
        return FZ_EXIT_WRONG;
    }
    if (strstr(message, "too large")) {
        fzi_cli_complain(session->cli, "%s%s", message,
                         strstr(message, "bytes of memory") ? " (--limit memory=N allows more)"
                                                            : "");
        return FZ_EXIT_WRONG;
    }
    if (status == FZ_USAGE)
        return fzi_cli_complain(session->cli, "%s%s", message,
                                strstr(message, "earlier positions")
                                    ? " (--no-repetition leaves these rules out)" : "");
    return fzi_session_failed(session, status);
}

static char *copy_text(const char *text)
{
    char *copy = fzi_cli_allocate(NULL, strlen(text) + 1);

    return strcpy(copy, text);
}

/* ---- games that hide nothing ---- */

static void set_value(const solution *s, const fz_state *state, way *w)
{
    uint32_t number = fzi_graph_find(&s->graph, state);

    w->low = number == UINT32_MAX ? NAN : s->values.low[number];
    w->high = number == UINT32_MAX ? NAN : s->values.high[number];
    w->steps = number == UINT32_MAX ? 0 : s->values.steps[number];
}

static bool is_better(const way *a, const way *b, bool first)
{
    double left = a->low + a->high, right = b->low + b->high;

    return first ? left > right : left < right;
}

/* Which moves have the best value; a win takes few decisions, a loss many. */
static void mark_best(const solution *s, way *ways, size_t count, bool first)
{
    size_t best = 0;
    bool exact = s->values.method == FZ_SOLVE_RETROGRADE;

    for (size_t i = 1; i < count; i++)
        if (is_better(&ways[i], &ways[best], first))
            best = i;
    for (size_t i = 0; exact && i < count; i++) {
        bool alike = ways[i].low == ways[best].low, wins = ways[best].low == (first ? 1 : 0);
        if (alike && ways[best].low != 0.5 && (wins ? ways[i].steps < ways[best].steps
                                                    : ways[i].steps > ways[best].steps))
            best = i;
    }
    for (size_t i = 0; i < count; i++)
        ways[i].best = exact ? ways[i].low == ways[best].low &&
                                   (ways[i].low == 0.5 || ways[i].steps == ways[best].steps)
                             : ways[i].high >= ways[best].low && ways[i].low <= ways[best].high;
}

static fz_status list_moves(const solution *s, const fz_state *state, way **ways, size_t *count)
{
    fz_machine *m = s->session->machine;
    fz_moves *moves = fz_moves_new(m);
    fz_status status = moves ? fz_state_moves(m, state, moves) : FZ_NO_MEMORY;

    *count = status == FZ_OK ? fz_moves_count(moves) : 0;
    *ways = fzi_cli_allocate(NULL, (*count + 1) * sizeof **ways);
    memset(*ways, 0, (*count + 1) * sizeof **ways);
    for (size_t i = 0; i < *count && status == FZ_OK; i++) {
        fz_move move = fz_moves_at(moves, i);
        fz_state *after = fz_state_clone(state);
        (*ways)[i].text = copy_text(fz_move_text(m, state, &move));
        status = after ? fz_state_play(m, after, &move) : FZ_NO_MEMORY;
        if (status == FZ_OK) {
            fzi_graph_settle(&s->graph, after);
            set_value(s, after, &(*ways)[i]);
        }
        fz_state_free(after);
    }
    if (status == FZ_OK && *count)
        mark_best(s, *ways, *count,
                  fzi_solve_side(s->session->program, fz_state_decider(state)) == 0);
    fz_moves_free(moves);
    return status;
}

static void free_ways(way *ways, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(ways[i].text);
        free(ways[i].answer);
    }
    free(ways);
}

/* The best move after a result of chance, if one follows. */
static fz_status find_answer(const solution *s, const fz_state *after, way *w)
{
    way *moves;
    size_t count;
    fz_status status;

    if (fz_state_waiting(after) != FZ_WAITING_MOVE)
        return FZ_OK;
    status = list_moves(s, after, &moves, &count);
    for (size_t i = 0; i < count && status == FZ_OK && !w->answer; i++)
        if (moves[i].best)
            w->answer = copy_text(moves[i].text);
    free_ways(moves, count);
    return status;
}

static fz_status list_results(solution *s, const fz_state *state)
{
    fz_machine *m = s->session->machine;
    const fz_outcome *outcomes;
    fz_status status = fz_state_outcomes(m, state, &outcomes, &s->count);
    fz_outcome *own = fzi_cli_allocate(NULL, (s->count + 1) * sizeof *own);
    double total = 0;

    memcpy(own, outcomes, s->count * sizeof *own);
    s->ways = fzi_cli_allocate(NULL, (s->count + 1) * sizeof *s->ways);
    memset(s->ways, 0, (s->count + 1) * sizeof *s->ways);
    for (size_t i = 0; i < s->count; i++)
        total += (double)own[i].weight;
    for (size_t i = 0; i < s->count && status == FZ_OK; i++) {
        fz_state *after = fz_state_clone(state);
        s->ways[i].text = copy_text(fz_chance_text(m, state, own[i].value));
        s->ways[i].probability = (double)own[i].weight / total;
        status = after ? fz_state_set_chance(m, after, own[i].value) : FZ_NO_MEMORY;
        if (status == FZ_OK) {
            fzi_graph_settle(&s->graph, after);
            set_value(s, after, &s->ways[i]);
            status = find_answer(s, after, &s->ways[i]);
        }
        fz_state_free(after);
    }
    free(own);
    return status;
}

/* "White wins in 7 decisions", "draw", "White 0.523". */
static const char *value_text(const solution *s, double low, double high, uint32_t steps,
                              char *text, size_t size)
{
    const fz_program *p = s->session->program;
    const char *first = fz_program_player_name(p, 0);
    bool alone = fz_program_has_one_side(p);
    int other = 0;

    while (!alone && fzi_solve_side(p, other) == 0)
        other++;
    if (s->values.method == FZ_SOLVE_ITERATION)
        snprintf(text, size, high - low < 5e-7 ? "%.6f" : "%.6f to %.6f", low, high);
    else if (low == 0.5)
        snprintf(text, size, alone ? "neither won nor lost" : "draw");
    else if (alone)
        snprintf(text, size, low == 1 ? "won" : "lost");
    else
        snprintf(text, size, "%s wins", low == 1 ? first : fz_program_player_name(p, other));
    if (s->values.method == FZ_SOLVE_RETROGRADE && low != 0.5 && steps)
        snprintf(text + strlen(text), size - strlen(text), " in %" PRIu32 " decision%s", steps,
                 fzi_plural(steps));
    return text;
}

static const char *method_name(const solution *s)
{
    return s->values.method == FZ_SOLVE_RETROGRADE ? "retrograde analysis" : "value iteration";
}

static void print_ways(const solution *s)
{
    fzi_table table;
    char text[160];

    fzi_table_begin(&table, s->chance ? "lrrl" : "lll");
    fzi_table_cell(&table, s->chance ? "chance" : "move");
    if (s->chance)
        fzi_table_cell(&table, "probability");
    fzi_table_cell(&table, "value");
    fzi_table_cell(&table, s->chance ? "best move" : "%s", "");
    for (size_t i = 0; i < s->count; i++) {
        const way *w = &s->ways[i];
        fzi_table_cell(&table, "%s", w->text);
        if (s->chance)
            fzi_table_cell(&table, "%.4f", w->probability);
        fzi_table_cell(&table, "%s",
                       value_text(s, w->low, w->high, w->steps, text, sizeof text));
        fzi_table_cell(&table, "%s", s->chance ? w->answer ? w->answer : "" : w->best ? "best"
                                                                                      : "");
    }
    putchar('\n');
    fzi_table_print(&table, "  ", true);
    fzi_table_clear(&table);
}

static void print_text(const solution *s)
{
    const fz_program *p = s->session->program;
    bool pays = fz_program_has_payoffs(p);
    char text[160], number[32];

    printf("%s: %s position%s, %s\n", fz_program_title(p), fzi_grouped(s->graph.count, number),
           fzi_plural(s->graph.count), method_name(s));
    if (s->graph.has_limit)
        puts("`limit` is left out");
    if (fzi_cli_has(s->session->cli, FZ_CLI_NO_REPETITION))
        puts("rules about earlier positions are left out");
    if (s->values.method == FZ_SOLVE_ITERATION)
        printf("%s of %s: %s (%" PRIu32 " sweeps)\n", pays ? "payoff" : "utility",
               fz_program_player_name(p, 0),
               value_text(s, s->values.low[0], s->values.high[0], 0, text, sizeof text),
               s->values.sweeps);
    else
        printf("value: %s\n", value_text(s, s->values.low[0], s->values.high[0],
                                         s->values.steps[0], text, sizeof text));
    if (s->count)
        print_ways(s);
}

static int print_json(const solution *s)
{
    json_t *ways = json_array();
    const fz_program *p = s->session->program;

    for (size_t i = 0; i < s->count; i++) {
        const way *w = &s->ways[i];
        json_t *object = json_pack("{s:s, s:f, s:f}", s->chance ? "chance" : "move", w->text,
                                   "low", w->low, "high", w->high);
        if (s->values.method == FZ_SOLVE_RETROGRADE)
            json_object_set_new(object, "decisions",
                                w->low == 0.5 ? json_null() : json_integer(w->steps));
        if (s->chance) {
            json_object_set_new(object, "probability", json_real(w->probability));
            json_object_set_new(object, "best", w->answer ? json_string(w->answer) : json_null());
        } else {
            json_object_set_new(object, "best", json_boolean(w->best));
        }
        json_array_append_new(ways, object);
    }
    return fzi_json_print(json_pack(
        "{s:s, s:o, s:s, s:I, s:b, s:I, s:s, s:s, s:f, s:f, s:o}", "game", fz_program_title(p),
        "options", fzi_session_options(s->session->cli), "method", method_name(s), "positions",
        (json_int_t)s->graph.count, "without_limit", s->graph.has_limit, "sweeps",
        (json_int_t)s->values.sweeps, "for", fz_program_player_name(p, 0), "unit",
        fz_program_has_payoffs(p) ? "payoff" : "utility", "low", s->values.low[0], "high",
        s->values.high[0], "ways", ways));
}

static int solve_graph(solution *s, const fz_watch *watch)
{
    fzi_session *session = s->session;
    fzi_graph_task task;
    double precision;
    int code = read_precision(session->cli, 1e-6, &precision);
    fz_status status;

    if (code != FZ_EXIT_OK)
        return code;
    task = (fzi_graph_task){session->machine, session->state, memory_of(session->cli),
                            fzi_cli_has(session->cli, FZ_CLI_NO_REPETITION), watch};
    status = fzi_graph_make(&s->graph, &task);
    if (status != FZ_OK)
        return failed(session, status);
    if (!fzi_values_make(&s->values, &s->graph, precision, SWEEPS, watch))
        return fzi_cli_complain(session->cli, "out of memory");
    if (fz_state_waiting(session->state) == FZ_WAITING_MOVE)
        status = list_moves(s, session->state, &s->ways, &s->count);
    else if (fz_state_waiting(session->state) == FZ_WAITING_CHANCE) {
        s->chance = true;
        status = list_results(s, session->state);
    }
    return status == FZ_OK ? FZ_EXIT_OK : fzi_session_failed(session, status);
}

static int run_open(fzi_session *session, const fz_watch *watch, fzi_progress *progress)
{
    solution s = {.session = session};
    int code = solve_graph(&s, watch);

    fzi_progress_end(progress);
    if (code == FZ_EXIT_OK && session->cli->format == FZ_CLI_JSON)
        code = print_json(&s);
    else if (code == FZ_EXIT_OK)
        print_text(&s);
    free_ways(s.ways, s.count);
    fzi_values_clear(&s.values);
    fzi_graph_clear(&s.graph);
    return code;
}

/* ---- games that hide something ---- */

/* The lines of an information set: what was seen, and behind it the moves. */
static json_t *set_json(const fzi_session *session, const fzi_hidden *h, size_t number)
{
    const fzi_information_set *s = &h->sets[number];
    const char *end = s->observation + strlen(s->observation), *moves = end;
    json_t *list = json_array();

    for (uint32_t i = 0; i < s->count; i++)
        for (moves--; moves > s->observation && moves[-1] != '\n';)
            moves--;
    json_t *seen = json_stringn(s->observation, (size_t)(moves - s->observation));
    for (uint32_t i = 0; i < s->count; i++) {
        size_t length = strcspn(moves, "\n");
        json_array_append_new(list, json_pack("{s:s#, s:f}", "move", moves, (int)length,
                                              "probability",
                                              fzi_hidden_probability(h, number, i)));
        moves += length + 1;
    }
    return json_pack("{s:s, s:o, s:o}", "player",
                     fz_program_player_name(session->program, s->side), "observation", seen,
                     "moves", list);
}

static int print_hidden(const fzi_session *session, const fzi_hidden *h, double exploitability)
{
    const fz_program *p = session->program;
    const char *unit = fz_program_has_payoffs(p) ? "payoff" : "utility";
    double value = fzi_hidden_value(h);
    char states[32], sets[32], rounds[32];
    json_t *strategy;

    if (session->cli->format != FZ_CLI_JSON) {
        printf("%s: %s states, %s information sets, counterfactual regret minimization\n"
               "%s of %s: %.6f (%s rounds, exploitability %.6f)\n", fz_program_title(p),
               fzi_grouped(h->count, states), fzi_grouped(h->set_count, sets), unit,
               fz_program_player_name(p, 0), value, fzi_grouped(h->rounds, rounds),
               exploitability);
        return FZ_EXIT_OK;
    }
    strategy = json_array();
    for (size_t i = 0; i < h->set_count; i++)
        json_array_append_new(strategy, set_json(session, h, i));
    return fzi_json_print(json_pack(
        "{s:s, s:o, s:s, s:I, s:I, s:I, s:s, s:s, s:f, s:f, s:o}", "game", fz_program_title(p),
        "options", fzi_session_options(session->cli), "method",
        "counterfactual regret minimization", "states", (json_int_t)h->count, "information_sets",
        (json_int_t)h->set_count, "rounds", (json_int_t)h->rounds, "for",
        fz_program_player_name(p, 0), "unit", unit, "value", value, "exploitability",
        exploitability, "strategy", strategy));
}

/* Until a best answer gains little; looks after 1, 2, 4, ... rounds, then every 256. */
static double learn(fzi_hidden *h, double precision, const fz_watch *watch)
{
    double exploitability = fzi_hidden_exploitability(h);

    while (exploitability > precision && h->rounds < ROUNDS &&
           !watch->stop(watch->user, h->rounds, ROUNDS)) {
        fzi_hidden_learn(h, h->rounds == 0 ? 1 : h->rounds < 256 ? h->rounds : 256);
        exploitability = fzi_hidden_exploitability(h);
    }
    return exploitability;
}

static int run_hidden(fzi_session *session, const fz_watch *watch, fzi_progress *progress)
{
    const fzi_cli *cli = session->cli;
    fzi_hidden h = {0};
    double precision, exploitability = 0;
    int code = read_precision(cli, 1e-3, &precision);
    fz_status status;

    if (fzi_session_begins_elsewhere(cli))
        return fzi_cli_complain(cli, "a game that hides something is solved from its beginning");
    if (code != FZ_EXIT_OK)
        return code;
    status = fzi_hidden_make(&h, session->machine, session->state, memory_of(cli), watch);
    if (status == FZ_OK)
        exploitability = learn(&h, precision, watch);
    fzi_progress_end(progress);
    if (status != FZ_OK)
        code = failed(session, status);
    else if (exploitability < 0)
        code = fzi_cli_complain(cli, "out of memory");
    else
        code = print_hidden(session, &h, exploitability);
    if (code == FZ_EXIT_OK && exploitability > precision)
        fprintf(stderr, "stopped before the exploitability was at most %g\n", precision);
    fzi_hidden_clear(&h);
    return code;
}

static int run(fzi_session *session)
{
    fzi_progress progress;
    fz_watch watch = fzi_watch(&progress);

    if (session->cli->format == FZ_CLI_CSV)
        return fzi_cli_no_csv(session->cli);
    fzi_terminal_catch_interrupt();
    fzi_progress_begin(&progress, "positions");
    return fz_program_hides(session->program) ? run_hidden(session, &watch, &progress)
                                              : run_open(session, &watch, &progress);
}

int fzi_cli_solve(const fzi_cli *cli)
{
    return fzi_session_run(cli, FZ_CHANCE_ASK, run);
}
