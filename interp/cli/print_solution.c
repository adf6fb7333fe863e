/* Prints a solved game, for `ferz solve`. */
#include "cli.h"

/* "win for White in 7 decisions", "draw", "White 0.523". */
static const char *value_text(const fzi_session *session, const fzi_solution *s, double low,
                              double high, uint32_t steps, char *text, size_t size)
{
    const fz_program *p = session->program;
    const char *first = fz_program_player_name(p, 0);
    bool alone = fz_program_has_one_side(p);
    int other = 0;

    while (!alone && fzi_solve_side(p, other) == 0)
        other++;
    if (s->values.method == FZ_SOLVE_ITERATION)
        snprintf(text, size, high - low < 5e-7 ? "%.6f" : "%.6f to %.6f", low, high);
    else if (low == 0.5 && high == 0.5)
        snprintf(text, size, alone ? "neither won nor lost" : "draw");
    else if (alone)
        snprintf(text, size, high == 1 ? "won" : "lost");
    else
        snprintf(text, size, "win for %s", high == 1 ? first : fz_program_player_name(p, other));
    if (s->values.method == FZ_SOLVE_RETROGRADE && (low != 0.5 || high != 0.5) && steps)
        snprintf(text + strlen(text), size - strlen(text), " in %" PRIu32 " decision%s%s", steps,
                 fzi_plural(steps), low == high ? "" : ", or draw");
    return text;
}

/* What the draws that are left out ask for. */
static json_t *left_out(const fzi_solution *s)
{
    json_t *names = json_array();
    const fz_program *p = s->rules.program;
    uint64_t drawing = s->rules.drawing;

    if (drawing & FZ_LEAVES_EARLIER)
        json_array_append_new(names, json_string("repetitions"));
    if (drawing & FZ_LEAVES_TURNS)
        json_array_append_new(names, json_string("turns"));
    for (uint32_t i = 0; p && i < p->variable_count && i < FZ_MOST_LEFT_OUT; i++)
        if (drawing & FZ_LEAVES_VARIABLE << i)
            json_array_append_new(names, json_string(p->text + p->variables[i].name));
    return names;
}

static const char *method_name(const fzi_solution *s)
{
    return s->values.method == FZ_SOLVE_RETROGRADE ? "retrograde analysis" : "value iteration";
}

static void print_ways(const fzi_session *session, const fzi_solution *s)
{
    fzi_table table;
    char text[160];

    if (s->chance)
        fzi_table_begin(&table, "lrrl", "chance\tprobability\tvalue\tbest move");
    else
        fzi_table_begin(&table, "lll", "move\tvalue\t");
    for (size_t i = 0; i < s->count; i++) {
        const fzi_solved_way *w = &s->ways[i];
        value_text(session, s, w->low, w->high, w->steps, text, sizeof text);
        if (s->chance)
            fzi_table_add(&table, "%s\t%.4f\t%s\t%s", w->text, w->probability, text,
                          w->answer ? w->answer : "");
        else
            fzi_table_add(&table, "%s\t%s\t%s", w->text, text, w->best ? "best" : "");
    }
    putchar('\n');
    fzi_table_print(&table, "  ");
}

static void print_left_out(const fzi_solution *s)
{
    json_t *names = left_out(s);

    for (size_t i = 0; i < json_array_size(names); i++)
        printf("%s`%s`", i ? ", " : "draws by ", json_string_value(json_array_get(names, i)));
    if (json_array_size(names))
        puts(" are left out");
    json_decref(names);
}

static void print_text(const fzi_session *session, const fzi_solution *s)
{
    const fz_program *p = session->program;
    bool pays = fz_program_has_payoffs(p);
    char text[160], number[32];

    printf("%s: %s position%s, %s\n", fz_program_title(p), fzi_grouped(s->graph.count, number),
           fzi_plural(s->graph.count), method_name(s));
    if (s->graph.has_limit)
        puts("`limit` is left out");
    print_left_out(s);
    if (fzi_cli_has(session->cli, FZ_CLI_NO_REPETITION))
        puts("rules about earlier positions are left out");
    if (s->graph.symmetries.count > 1)
        printf("positions that %u symmetries turn into each other are one\n",
               s->graph.symmetries.count);
    if (s->values.method == FZ_SOLVE_ITERATION)
        printf("%s of %s: %s (%" PRIu32 " sweeps)\n", pays ? "payoff" : "utility",
               fz_program_player_name(p, 0),
               value_text(session, s, s->low, s->high, 0, text, sizeof text), s->values.sweeps);
    else
        printf("value: %s\n",
               value_text(session, s, s->low, s->high, s->steps, text, sizeof text));
    if (s->count)
        print_ways(session, s);
}

static int print_json(const fzi_session *session, const fzi_solution *s)
{
    json_t *ways = json_array();
    const fz_program *p = session->program;

    for (size_t i = 0; i < s->count; i++) {
        const fzi_solved_way *w = &s->ways[i];
        json_t *object = json_pack("{s:s, s:f, s:f}", s->chance ? "chance" : "move", w->text,
                                   "low", w->low, "high", w->high);
        bool drawn = w->low == 0.5 && w->high == 0.5;
        if (s->values.method == FZ_SOLVE_RETROGRADE)
            json_object_set_new(object, "decisions", drawn ? json_null() : json_integer(w->steps));
        if (s->chance) {
            json_object_set_new(object, "probability", json_real(w->probability));
            json_object_set_new(object, "best", w->answer ? json_string(w->answer) : json_null());
        } else {
            json_object_set_new(object, "best", json_boolean(w->best));
        }
        json_array_append_new(ways, object);
    }
    return fzi_json_print(json_pack(
        "{s:s, s:s, s:I, s:i, s:b, s:o, s:I, s:s, s:s, s:f, s:f, s:o, s:o}", "game",
        fz_program_title(p), "method", method_name(s), "positions",
        (json_int_t)s->graph.count, "symmetries",
        s->graph.symmetries.count > 1 ? (int)s->graph.symmetries.count : 1, "without_limit",
        s->graph.has_limit, "without_draws_by", left_out(s), "sweeps",
        (json_int_t)s->values.sweeps, "for", fz_program_player_name(p, 0), "unit",
        fz_program_has_payoffs(p) ? "payoff" : "utility",
        "low", s->low, "high", s->high, "ways", ways, "run", fzi_session_trace(session)));
}

int fzi_solution_print(const fzi_session *session, const fzi_solution *s)
{
    if (session->cli->format == FZ_CLI_JSON)
        return print_json(session, s);
    print_text(session, s);
    return FZ_EXIT_OK;
}

/* ---- games that hide something ---- */

/* The lines of an information set: what was seen, and after it the moves. */
static json_t *set_json(const fzi_session *session, const fzi_hidden *h, size_t number)
{
    const fzi_information_set *s = &h->strategy.sets[number];
    const char *seen_text = h->observations[number];
    const char *end = seen_text + strlen(seen_text), *moves = end;
    json_t *list = json_array();

    for (uint32_t i = 0; i < s->count; i++)
        for (moves--; moves > seen_text && moves[-1] != '\n';)
            moves--;
    json_t *seen = json_stringn(seen_text, (size_t)(moves - seen_text));
    for (uint32_t i = 0; i < s->count; i++) {
        size_t length = strcspn(moves, "\n");
        json_array_append_new(list, json_pack("{s:s#, s:f}", "move", moves, (int)length,
                                              "probability",
                                              fzi_strategy_probability(&h->strategy, number, i)));
        moves += length + 1;
    }
    return json_pack("{s:s, s:o, s:o}", "player",
                     fz_program_player_name(session->program, s->side), "observation", seen,
                     "moves", list);
}

int fzi_hidden_print(const fzi_session *session, const fzi_hidden *h, double exploitability)
{
    const fz_program *p = session->program;
    const char *unit = fz_program_has_payoffs(p) ? "payoff" : "utility";
    double value = fzi_hidden_value(h);
    char states[32], sets[32], rounds[32];

    if (session->cli->format != FZ_CLI_JSON) {
        printf("%s: %s states, %s information sets, counterfactual regret minimization\n"
               "%s of %s: %.6f (%s rounds, exploitability %.6f)\n", fz_program_title(p),
               fzi_grouped(h->count, states), fzi_grouped(h->strategy.count, sets), unit,
               fz_program_player_name(p, 0), value, fzi_grouped(h->rounds, rounds),
               exploitability);
        return FZ_EXIT_OK;
    }
    json_t *strategy = json_array();
    for (size_t i = 0; i < h->strategy.count; i++)
        json_array_append_new(strategy, set_json(session, h, i));
    return fzi_json_print(json_pack(
        "{s:s, s:s, s:I, s:I, s:I, s:s, s:s, s:f, s:f, s:o, s:o}", "game", fz_program_title(p),
        "method", "counterfactual regret minimization", "states", (json_int_t)h->count,
        "information_sets",
        (json_int_t)h->strategy.count, "rounds", (json_int_t)h->rounds, "for",
        fz_program_player_name(p, 0), "unit", unit, "value", value, "exploitability",
        exploitability, "strategy", strategy, "run", fzi_session_trace(session)));
}

int fzi_hidden_loss_print(const fzi_session *session, const fzi_hidden *h,
                          const fzi_hidden_loss *loss, uint64_t samples)
{
    const fz_program *p = session->program;
    const char *unit = fz_program_has_payoffs(p) ? "payoff" : "utility";
    const char *agents = session->cli->values[FZ_CLI_AGENTS];
    double low = fmax(0, (loss->low[0] + loss->low[1]) / 2);
    double high = fmax(0, (loss->high[0] + loss->high[1]) / 2);
    char states[32], sets[32], number[32];

    if (session->cli->format == FZ_CLI_JSON) {
        json_t *answers = json_array();
        for (int i = 0; i < FZ_STRATEGY_PLAYERS; i++)
            json_array_append_new(answers, json_pack("{s:s, s:f, s:f}", "player",
                                                     fz_program_player_name(p, i), "low",
                                                     loss->low[i], "high", loss->high[i]));
        return fzi_json_print(json_pack(
            "{s:s, s:s, s:I, s:I, s:s, s:b, s:I, s:s, s:o, s:{s:f, s:f}, s:o}", "game",
            fz_program_title(p), "method", "best answers", "states", (json_int_t)h->count,
            "information_sets", (json_int_t)h->strategy.count, "agents", agents, "exact",
            loss->exact, "samples", (json_int_t)samples, "unit", unit, "answers", answers,
            "exploitability", "low", low, "high", high, "run", fzi_session_trace(session)));
    }
    printf("%s: %s states, %s information sets\n", fz_program_title(p),
           fzi_grouped(h->count, states), fzi_grouped(h->strategy.count, sets));
    if (!loss->exact)
        printf("%s chose %s times in each information set\n", agents,
               fzi_grouped(samples, number));
    fzi_table table;
    snprintf(number, sizeof number, "best answer of\t%s%s", unit, loss->exact ? "" : " from\tto");
    fzi_table_begin(&table, loss->exact ? "lr" : "lrr", number);
    for (int i = 0; i < FZ_STRATEGY_PLAYERS; i++)
        fzi_table_add(&table, loss->exact ? "%s\t%.6f" : "%s\t%.4f\t%.4f",
                      fz_program_player_name(p, i), loss->low[i], loss->high[i]);
    putchar('\n');
    fzi_table_print(&table, "  ");
    printf(loss->exact ? "\nexploitability %.6f\n" : "\nexploitability %.4f to %.4f, on average\n",
           low, high);
    return FZ_EXIT_OK;
}
