/* Solves a game, and values the moves or the results of chance at its beginning. The command
 * `solve` calls this. */
#include "solution.h"

#include <math.h>
#include <string.h>

enum { SWEEPS = 1000000, ROUNDS = 100000 };

static char *copy_text(const fzi_solution *s, const char *text)
{
    return fzi_copy_text(s->graph.allocator, text, strlen(text));
}

/* Empty ones; NULL when memory is short. */
static fzi_solved_way *new_ways(const fzi_solution *s, size_t count)
{
    fzi_solved_way *ways = fzi_allocate(s->graph.allocator, count * sizeof *ways);

    if (ways)
        memset(ways, 0, count * sizeof *ways);
    return ways;
}

static void set_value(const fzi_solution *s, const fz_state *state, fzi_solved_way *w)
{
    uint32_t number = fzi_graph_find(&s->graph, state);

    w->low = number == UINT32_MAX ? NAN : s->values.low[number];
    w->high = number == UINT32_MAX ? NAN : s->values.high[number];
    w->steps = number == UINT32_MAX ? 0 : s->values.steps[number];
}

static bool is_better(const fzi_solved_way *a, const fzi_solved_way *b, bool first)
{
    double left = a->low + a->high, right = b->low + b->high;

    return first ? left > right : left < right;
}

/* Which moves have the best value; a win takes few decisions, a loss many. */
static void mark_best(const fzi_solution *s, fzi_solved_way *ways, size_t count, bool first)
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

static fz_status list_moves(const fzi_solution *s, const fz_state *state, fzi_solved_way **ways,
                            size_t *count)
{
    fz_machine *m = s->graph.machine;
    fz_moves *moves = fz_moves_new(m);
    fz_status status = moves ? fz_state_moves(m, state, moves) : FZ_NO_MEMORY;

    *count = status == FZ_OK ? fz_moves_count(moves) : 0;
    *ways = new_ways(s, *count);
    if (!*ways) {
        *count = 0;
        status = FZ_NO_MEMORY;
    }
    for (size_t i = 0; i < *count && status == FZ_OK; i++) {
        fz_move move = fz_moves_at(moves, i);
        fz_state *after = fz_state_clone(state);
        (*ways)[i].text = copy_text(s, fz_move_text(m, state, &move));
        status = after && (*ways)[i].text ? fz_state_play(m, after, &move) : FZ_NO_MEMORY;
        if (status == FZ_OK) {
            fzi_graph_settle(&s->graph, after);
            set_value(s, after, &(*ways)[i]);
        }
        fz_state_free(after);
    }
    if (status == FZ_OK && *count)
        mark_best(s, *ways, *count,
                  fzi_solve_side(state->program, fz_state_decider(state)) == 0);
    fz_moves_free(moves);
    return status;
}

static void free_ways(const fzi_solution *s, fzi_solved_way *ways, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fzi_release(s->graph.allocator, ways[i].text);
        fzi_release(s->graph.allocator, ways[i].answer);
    }
    fzi_release(s->graph.allocator, ways);
}

/* The best move after a result of chance, if one follows. */
static fz_status find_answer(const fzi_solution *s, const fz_state *after, fzi_solved_way *w)
{
    fzi_solved_way *moves;
    size_t count;
    fz_status status;

    if (fz_state_waiting(after) != FZ_WAITING_MOVE)
        return FZ_OK;
    status = list_moves(s, after, &moves, &count);
    for (size_t i = 0; i < count && status == FZ_OK && !w->answer; i++)
        if (moves[i].best)
            w->answer = copy_text(s, moves[i].text);
    free_ways(s, moves, count);
    return status;
}

static fz_status list_results(fzi_solution *s, const fz_state *state)
{
    fz_machine *m = s->graph.machine;
    const fz_outcome *outcomes;
    fz_status status = fz_state_outcomes(m, state, &outcomes, &s->count);
    double total = 0;

    if (status != FZ_OK)
        s->count = 0;
    s->ways = new_ways(s, s->count);
    fz_outcome *own = fzi_allocate(s->graph.allocator, s->count * sizeof *own);
    if (!s->ways || !own) {
        s->count = 0;
        status = FZ_NO_MEMORY;
    }
    for (size_t i = 0; i < s->count; i++) {
        own[i] = outcomes[i];
        total += (double)own[i].weight;
    }
    for (size_t i = 0; i < s->count && status == FZ_OK; i++) {
        fz_state *after = fz_state_clone(state);
        s->ways[i].text = copy_text(s, fz_chance_text(m, state, own[i].value));
        s->ways[i].probability = (double)own[i].weight / total;
        status = after && s->ways[i].text ? fz_state_set_chance(m, after, own[i].value)
                                          : FZ_NO_MEMORY;
        if (status == FZ_OK) {
            fzi_graph_settle(&s->graph, after);
            set_value(s, after, &s->ways[i]);
            status = find_answer(s, after, &s->ways[i]);
        }
        fz_state_free(after);
    }
    fzi_release(s->graph.allocator, own);
    return status;
}

fz_status fzi_solution_make(fzi_solution *s, const fzi_graph_task *task, double precision)
{
    fz_status status = fzi_graph_make(&s->graph, task);

    if (status != FZ_OK)
        return status;
    if (!fzi_values_make(&s->values, &s->graph, precision, SWEEPS, task->watch))
        return FZ_NO_MEMORY;
    s->chance = fz_state_waiting(task->from) == FZ_WAITING_CHANCE;
    if (s->chance)
        return list_results(s, task->from);
    return fz_state_waiting(task->from) == FZ_WAITING_MOVE
               ? list_moves(s, task->from, &s->ways, &s->count) : FZ_OK;
}

void fzi_solution_clear(fzi_solution *s)
{
    if (s->ways)
        free_ways(s, s->ways, s->count);
    fzi_values_clear(&s->values);
    fzi_graph_clear(&s->graph);
}

/* Looks after 1, 2, 4, ... rounds, then every 256. */
double fzi_hidden_solve(fzi_hidden *h, double precision, const fz_watch *watch)
{
    double exploitability = fzi_hidden_exploitability(h);

    while (exploitability > precision && h->rounds < ROUNDS &&
           !watch->stop(watch->user, h->rounds, ROUNDS)) {
        fzi_hidden_learn(h, h->rounds == 0 ? 1 : h->rounds < 256 ? h->rounds : 256);
        exploitability = fzi_hidden_exploitability(h);
    }
    return exploitability;
}
