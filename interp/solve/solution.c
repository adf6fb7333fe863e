/* Solves a game, and values the moves or the results of chance at its beginning. The command
 * `solve` calls this. */
#include "solve.h"

enum { SWEEPS = 1000000, ROUNDS = 100000 };

static char *copy_text(const fzi_solution *s, const char *text)
{
    return fzi_copy_text(s->graph.allocator, text, strlen(text));
}

static void set_value(fzi_solution *s, fz_state *state, fzi_solved_way *w)
{
    uint32_t number = fzi_graph_find(&s->graph, state);

    w->low = w->high = NAN;
    if (number != UINT32_MAX)
        fzi_values_of(&s->values, number, &w->low, &w->high, &w->steps);
}

/* For the side that decides, twice: 1 if it is a draw. A win that may be a draw lies between. */
static double mean_of(const fzi_solved_way *w, bool first)
{
    return first ? w->low + w->high : 2 - w->low - w->high;
}

/* Which moves have the best value; a win takes few decisions, a loss many. Returns one of them. */
static size_t mark_best(const fzi_solution *s, fzi_solved_way *ways, size_t count, bool first)
{
    size_t best = 0;
    bool exact = s->values.method == FZ_SOLVE_RETROGRADE;

    for (size_t i = 1; i < count; i++) {
        double mean = mean_of(&ways[i], first), most = mean_of(&ways[best], first);
        if (mean > most || (exact && mean == most &&
                            (mean > 1 ? ways[i].steps < ways[best].steps
                                      : mean < 1 && ways[i].steps > ways[best].steps)))
            best = i;
    }
    for (size_t i = 0; i < count; i++)
        ways[i].best = exact ? ways[i].low == ways[best].low && ways[i].high == ways[best].high &&
                                   (mean_of(&ways[i], first) == 1 ||
                                    ways[i].steps == ways[best].steps)
                             : ways[i].high >= ways[best].low && ways[i].low <= ways[best].high;
    return best;
}

static void free_ways(const fzi_solution *s, fzi_solved_way *ways, size_t count)
{
    for (size_t i = 0; i < count; i++)
        FZI_RELEASE(s->graph.allocator, ways[i].text, ways[i].answer);
    fzi_release(s->graph.allocator, ways);
}

static fz_status list_ways(fzi_solution *s, const fz_state *state, fzi_solved_way **ways,
                           size_t *count);

/* The best move after a result of chance, if one follows. */
static fz_status find_answer(fzi_solution *s, const fz_state *after, fzi_solved_way *w)
{
    fzi_solved_way *moves;
    size_t count;
    if (fz_state_waiting(after) != FZ_WAITING_MOVE)
        return FZ_OK;
    fz_status status = list_ways(s, after, &moves, &count);
    for (size_t i = 0; i < count && status == FZ_OK && !w->answer; i++)
        if (moves[i].best)
            w->answer = copy_text(s, moves[i].text);
    free_ways(s, moves, count);
    return status;
}

/* The successors of the state, with their values. */
static fz_status list_ways(fzi_solution *s, const fz_state *state, fzi_solved_way **ways,
                           size_t *count)
{
    fzi_successors found = {0};
    fz_status status = fzi_successors_find(&found, s->graph.machine, state);
    *ways = fzi_allocate_zeroed(s->graph.allocator, found.count * sizeof **ways);
    *count = *ways ? found.count : 0;
    if (!*ways)
        status = FZ_NO_MEMORY;
    for (size_t i = 0; i < *count && status == FZ_OK; i++) {
        fzi_solved_way *way = &(*ways)[i];
        fz_state *after = fz_state_clone(state);
        if (found.outcomes)
            way->probability = fzi_successors_probability(&found, i).value;
        way->text = copy_text(s, fzi_successors_text(&found, i, state));
        status = after && way->text ? fzi_successors_play(&found, i, after, FZ_MAX_TURNS)
                                    : FZ_NO_MEMORY;
        if (status == FZ_OK) {
            set_value(s, after, way);
            status = found.outcomes ? find_answer(s, after, way) : FZ_OK;
        }
        fz_state_free(after);
    }
    if (status == FZ_OK && *count && !found.outcomes)
        mark_best(s, *ways, *count,
                  fzi_solve_side(state->program, fz_state_decider(state)) == 0);
    fzi_successors_clear(&found);
    return status;
}

void fzi_solution_clear(fzi_solution *s)
{
    if (s->ways)
        free_ways(s, s->ways, s->count);
    fzi_values_clear(&s->values);
    fzi_graph_clear(&s->graph);
    fzi_rules_clear(&s->rules);
    *s = (fzi_solution){.count = 0};
}

/* What came before the first position, and `limit`, say nothing about it. */
static fz_status list_first(fzi_solution *s, const fz_state *from)
{
    fz_state *first = fz_state_clone(from);
    fz_status status = FZ_NO_MEMORY;

    if (first) {
        fzi_position_settle(&s->graph.form, first);
        status = list_ways(s, first, &s->ways, &s->count);
    }
    fz_state_free(first);
    return status;
}

static fz_status solve(fzi_solution *s, const fzi_graph_task *task, double precision)
{
    fz_status status = fzi_graph_make(&s->graph, task);
    if (status != FZ_OK)
        return status;
    status = fzi_values_make(&s->values, &s->graph, precision, SWEEPS, task->watch);
    if (status != FZ_OK)
        return status;
    fzi_values_of(&s->values, 0, &s->low, &s->high, &s->steps);
    fz_waiting waiting = fz_state_waiting(task->from);
    s->chance = waiting == FZ_WAITING_CHANCE;
    return waiting == FZ_WAITING_MOVE || s->chance ? list_first(s, task->from) : FZ_OK;
}

/* Solves without draws, and looks which wins hold by all rules. */
static fz_status solve_simply(fzi_solution *s, const fzi_graph_task *task, double precision)
{
    fzi_graph_task by_rules = *task;

    by_rules.machine = s->rules.machine;
    by_rules.left_out = s->rules.left_out;
    fz_status status = solve(s, &by_rules, precision);
    if (status != FZ_OK)
        return fzi_machine_say(task->machine, status, "%s",
                               fz_machine_message(s->rules.machine));
    status = fzi_prove_wins(s, task);
    if (status == FZ_OK && s->count) {
        const fzi_solved_way *best =
            s->ways + mark_best(s, s->ways, s->count,
                                fzi_solve_side(s->rules.program,
                                               fz_state_decider(task->from)) == 0);
        s->low = best->low;
        s->high = best->high;
        s->steps = best->steps + 1;
    }
    return status;
}

static bool is_exact(const fzi_solution *s)
{
    bool exact = s->low == s->high;

    for (size_t i = 0; i < s->count; i++)
        exact = exact && s->ways[i].low == s->ways[i].high;
    return exact;
}

fz_status fzi_solution_make(fzi_solution *s, const fzi_graph_task *task, double precision)
{
    fz_status status = fzi_rules_make(&s->rules, task->machine, task->forget);

    if (status != FZ_OK)
        return status;
    if (!s->rules.machine)
        return solve(s, task, precision);
    status = solve_simply(s, task, precision);
    if ((status == FZ_OK ? is_exact(s) : status != FZ_RUNTIME) ||
        s->rules.drawing & FZ_LEAVES_EARLIER)
        return status;
    fzi_solution_clear(s); /* a clock may run out before a win, or ends what has no other end */
    return solve(s, task, precision);
}

/* Looks after 1, 2, 4, ... rounds, then every 256. */
double fzi_hidden_solve(fzi_hidden *h, double precision, const fz_watch *watch)
{
    double exploitability = fzi_hidden_exploitability(h);

    while (exploitability > precision && h->rounds < ROUNDS &&
           !fzi_watch_stops(watch, h->machine->limits.cancel, h->rounds, ROUNDS)) {
        fzi_hidden_learn(h, h->rounds == 0 ? 1 : h->rounds < 256 ? h->rounds : 256);
        exploitability = fzi_hidden_exploitability(h);
    }
    return exploitability;
}
