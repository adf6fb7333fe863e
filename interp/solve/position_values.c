/* Values of positions. See solve.h. */
#include "solve.h"

typedef enum result {
    UNKNOWN,                  /* so far; in the end drawn, maybe by play without end */
    LOST, WON,                /* for the first side */
    DRAWN                     /* an end */
} result;

/* ---- retrograde analysis ---- */

/* What the position is worth if that follows from the positions that were decided in fewer than
 * `steps` decisions; UNKNOWN. */
static result decide(const fzi_values *v, const fzi_graph_block *b, uint32_t i, unsigned kind,
                     uint32_t steps)
{
    result good = kind == FZ_NODE_FIRST ? WON : LOST, bad = kind == FZ_NODE_FIRST ? LOST : WON;
    bool all_bad = true;

    for (uint32_t k = b->first[i]; k < b->first[i + 1]; k++) {
        uint32_t next = b->next[k];
        result found = v->steps[next] < steps ? (result)v->results[next] : UNKNOWN;
        if (found == good)
            return good;
        all_bad = all_bad && found == bad;
    }
    return all_bad ? bad : UNKNOWN;
}

/* Decides what can be decided in `steps` decisions. `left`: undecided positions, by block. */
static bool sweep_results(fzi_graph *g, fzi_values *v, uint16_t *left, uint32_t steps,
                          uint64_t *decided)
{
    for (uint32_t block = 0; block < g->stream_count; block++) {
        uint32_t first = block * FZ_GRAPH_BLOCK;
        if (!left[block])
            continue;
        if (!fzi_graph_read(g, block))
            return false;
        for (uint32_t i = 0; i < FZ_GRAPH_BLOCK && first + i < g->count; i++) {
            if (v->results[first + i] != UNKNOWN)
                continue;
            result found = decide(v, &g->block, i, g->kinds[first + i], steps);
            if (found == UNKNOWN)
                continue;
            v->results[first + i] = (uint8_t)found;
            v->steps[first + i] = (uint16_t)steps;
            left[block]--;
            ++*decided;
        }
    }
    return true;
}

/* From the ends backwards: a side that can move to a position that it wins has won; a side that can
 * only move to lost ones has lost. Sweep n decides what takes n decisions. */
static fz_status go_back(fzi_graph *g, fzi_values *v, const fz_watch *watch)
{
    uint16_t *left = fzi_allocate_zeroed(g->allocator, g->stream_count * sizeof *left);
    uint64_t decided = 1;
    bool good = left != NULL, stopped = false;

    for (uint32_t i = 0; good && i < g->count; i++) {
        double value = fzi_graph_is_end(g, i) ? fzi_graph_end(g, i) : 0;
        if (fzi_graph_is_end(g, i))
            v->results[i] = value == 1 ? WON : value == 0 ? LOST : DRAWN;
        else
            left[i / FZ_GRAPH_BLOCK]++;
    }
    for (uint32_t steps = 1; good && !stopped && decided && steps < UINT16_MAX; steps++) {
        decided = 0;
        good = sweep_results(g, v, left, steps, &decided);
        stopped = fzi_watch_stops(watch, g->machine->limits.cancel, g->count, g->count);
    }
    fzi_release(g->allocator, left);
    if (!good)
        return fzi_machine_no_memory(g->machine);
    if (stopped || !decided)
        return stopped ? FZ_NOT_FOUND : FZ_OK;
    return fzi_machine_say(g->machine, FZ_RUNTIME, "the game is too large: it has wins that take "
                           "more than %u decisions", UINT16_MAX - 1);
}

/* ---- value iteration ---- */

static double better(double a, double b, unsigned kind)
{
    return kind == FZ_NODE_FIRST ? fmax(a, b) : fmin(a, b);
}

/* Of position number i of the block that was read. */
static double value_of(const fzi_graph *g, const double *values, uint32_t block, uint32_t i)
{
    const fzi_graph_block *b = &g->block;
    unsigned kind = g->kinds[block * FZ_GRAPH_BLOCK + i];
    double value = 0;

    if (kind >= FZ_NODE_END)
        return g->ends[kind - FZ_NODE_END];
    for (uint32_t k = b->first[i]; k < b->first[i + 1]; k++) {
        double next = values[b->next[k]];
        if (kind == FZ_NODE_CHANCE)
            value += g->weights[b->weights[i] + (k - b->first[i])] * next;
        else
            value = k > b->first[i] ? better(value, next, kind) : next;
    }
    return value;
}

/* Later positions first: they are farther from the beginning. */
static bool sweep_bounds(fzi_graph *g, fzi_values *v, double *change)
{
    for (uint32_t block = (uint32_t)g->stream_count; block-- > 0;) {
        uint32_t first = block * FZ_GRAPH_BLOCK, count = g->count - first;
        if (!fzi_graph_read(g, block))
            return false;
        for (uint32_t i = count < FZ_GRAPH_BLOCK ? count : FZ_GRAPH_BLOCK; i-- > 0;) {
            double low = value_of(g, v->low, block, i), high = value_of(g, v->high, block, i);
            *change = fmax(*change, fmax(low - v->low[first + i], v->high[first + i] - high));
            v->low[first + i] = low;
            v->high[first + i] = high;
        }
    }
    return true;
}

static fz_status iterate(fzi_graph *g, fzi_values *v, double precision, uint32_t sweeps,
                         const fz_watch *watch)
{
    for (uint32_t i = 0; i < g->count; i++) {
        v->low[i] = g->low;
        v->high[i] = g->high;
    }
    while (v->sweeps < sweeps && v->high[0] - v->low[0] > precision) {
        double change = 0;
        if (!sweep_bounds(g, v, &change))
            return fzi_machine_no_memory(g->machine);
        v->sweeps++;
        if (change <= 0 ||
            fzi_watch_stops(watch, g->machine->limits.cancel, v->sweeps, sweeps))
            break;
    }
    return FZ_OK;
}

/* ---- both ---- */

/* Room for an item of each position. */
static void *take(fzi_graph *g, size_t item, fz_status *status)
{
    size_t size = g->count * item;

    if (*status == FZ_OK && g->memory + size > g->most) {
        *status = fzi_machine_say(g->machine, FZ_RUNTIME, "the game is too large: the values of "
                                  "its %u positions do not fit in %zu bytes of memory",
                                  g->count, g->most);
    }
    void *items = *status == FZ_OK ? fzi_allocate_zeroed(g->allocator, size) : NULL;
    if (*status == FZ_OK && !items)
        *status = fzi_machine_no_memory(g->machine);
    g->memory += items ? size : 0;
    return items;
}

fz_status fzi_values_make(fzi_values *v, fzi_graph *g, double precision, uint32_t sweeps,
                          const fz_watch *watch)
{
    bool simple = !g->has_chance && !fz_program_has_payoffs(g->machine->program);
    fz_status status = FZ_OK;

    *v = (fzi_values){.allocator = g->allocator,
                      .method = simple ? FZ_SOLVE_RETROGRADE : FZ_SOLVE_ITERATION};
    if (simple) {
        v->results = take(g, sizeof *v->results, &status);
        v->steps = take(g, sizeof *v->steps, &status);
        return status == FZ_OK ? go_back(g, v, watch) : status;
    }
    v->low = take(g, sizeof *v->low, &status);
    v->high = take(g, sizeof *v->high, &status);
    return status == FZ_OK ? iterate(g, v, precision, sweeps, watch) : status;
}

void fzi_values_of(const fzi_values *v, uint32_t position, double *low, double *high,
                   uint32_t *steps)
{
    static const double values[] = {[UNKNOWN] = 0.5, [LOST] = 0, [WON] = 1, [DRAWN] = 0.5};

    *steps = v->steps ? v->steps[position] : 0;
    *low = v->results ? values[v->results[position]] : v->low[position];
    *high = v->results ? *low : v->high[position];
}

void fzi_values_clear(fzi_values *v)
{
    FZI_RELEASE(v->allocator, v->results, v->steps, v->low, v->high);
    v->low = v->high = NULL;
    v->results = NULL;
    v->steps = NULL;
}
