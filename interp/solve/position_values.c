/* Values of positions. See solve.h. */
#include "solve.h"

/* ---- retrograde analysis ---- */

static const double WON = 1, LOST = 0, DRAWN = 0.5;

/* The positions from which each one is reached, in one array. */
typedef struct backward {
    uint32_t *first, *from;
    uint32_t *left;           /* ways on that are not known to be lost */
    uint32_t *queue;
} backward;

static bool backward_init(backward *b, const fzi_graph *g, fzi_allocator a)
{
    *b = (backward){fzi_allocate_zeroed(a, ((size_t)g->count + 1) * sizeof *b->first),
                    fzi_allocate_zeroed(a, g->next_count * sizeof *b->from),
                    fzi_allocate_zeroed(a, g->count * sizeof *b->left),
                    fzi_allocate_zeroed(a, g->count * sizeof *b->queue)};
    if (!b->first || !b->from || !b->left || !b->queue)
        return false;
    for (uint32_t i = 0; i < g->next_count; i++)
        b->first[g->next[i] + 1]++;
    for (uint32_t i = 0; i < g->count; i++)
        b->first[i + 1] += b->first[i];
    for (uint32_t i = 0; i < g->count; i++) {
        const fzi_graph_position *p = &g->positions[i];
        b->left[i] = p->count;
        for (uint32_t k = 0; k < p->count; k++) {
            uint32_t to = g->next[p->first + k];
            b->from[b->first[to] + b->queue[to]++] = i; /* so far the queue counts */
        }
    }
    return true;
}

static void backward_clear(backward *b, fzi_allocator a)
{
    FZI_RELEASE(a, b->first, b->from, b->left, b->queue);
}

/* From the ends backwards: a side that can move to a position that it wins has won; a side that can
 * only move to lost ones has lost. Positions that are never reached are drawn, maybe by play
 * without end. */
static void go_back(const fzi_graph *g, fzi_values *v, backward *b)
{
    uint32_t done = 0, count = 0;

    for (uint32_t i = 0; i < g->count; i++) {
        v->low[i] = DRAWN;
        if (g->positions[i].kind != FZ_NODE_END || g->positions[i].value == DRAWN)
            continue;
        v->low[i] = g->positions[i].value;
        b->queue[count++] = i;
    }
    while (done < count) {
        uint32_t i = b->queue[done++];
        for (uint32_t k = b->first[i]; k < b->first[i + 1]; k++) {
            uint32_t before = b->from[k];
            double wanted = g->positions[before].kind == FZ_NODE_FIRST ? WON : LOST;
            if (v->low[before] != DRAWN || (v->low[i] != wanted && --b->left[before]))
                continue;
            v->low[before] = v->low[i];
            v->steps[before] = v->steps[i] + 1;
            b->queue[count++] = before;
        }
    }
    memcpy(v->high, v->low, g->count * sizeof *v->high);
}

/* ---- value iteration ---- */

static double better(double a, double b, uint8_t kind)
{
    return kind == FZ_NODE_FIRST ? fmax(a, b) : fmin(a, b);
}

static double value_of(const fzi_graph *g, const double *values, uint32_t i)
{
    const fzi_graph_position *p = &g->positions[i];
    double value = 0;

    if (p->kind == FZ_NODE_END)
        return p->value;
    for (uint32_t k = 0; k < p->count; k++) {
        double next = values[g->next[p->first + k]];
        if (p->kind == FZ_NODE_CHANCE)
            value += g->weights[p->first + k] * next;
        else
            value = k ? better(value, next, p->kind) : next;
    }
    return value;
}

/* Later positions first: they are farther from the beginning. */
static bool iterate(const fzi_graph *g, fzi_values *v, double precision, uint32_t sweeps,
                    const fz_watch *watch)
{
    for (uint32_t i = 0; i < g->count; i++) {
        v->low[i] = g->low;
        v->high[i] = g->high;
    }
    while (v->sweeps < sweeps && v->high[0] - v->low[0] > precision) {
        double change = 0;
        for (uint32_t i = g->count; i-- > 0;) {
            double low = value_of(g, v->low, i), high = value_of(g, v->high, i);
            change = fmax(change, fmax(low - v->low[i], v->high[i] - high));
            v->low[i] = low;
            v->high[i] = high;
        }
        v->sweeps++;
        if (change <= 0 ||
            fzi_watch_stops(watch, g->machine->limits.cancel, v->sweeps, sweeps))
            break;
    }
    return true;
}

bool fzi_values_make(fzi_values *v, const fzi_graph *g, double precision, uint32_t sweeps,
                     const fz_watch *watch)
{
    const fz_program *p = g->machine->program;
    bool simple = !g->has_chance && !fz_program_has_payoffs(p);
    backward b = {0};

    *v = (fzi_values){.allocator = g->allocator,
                      .method = simple ? FZ_SOLVE_RETROGRADE : FZ_SOLVE_ITERATION};
    v->low = fzi_allocate_zeroed(v->allocator, g->count * sizeof *v->low);
    v->high = fzi_allocate_zeroed(v->allocator, g->count * sizeof *v->high);
    v->steps = fzi_allocate_zeroed(v->allocator, g->count * sizeof *v->steps);
    bool good = v->low && v->high && v->steps;
    if (good && simple) {
        good = backward_init(&b, g, v->allocator);
        if (good)
            go_back(g, v, &b);
        backward_clear(&b, v->allocator);
    } else if (good) {
        good = iterate(g, v, precision, sweeps, watch);
    }
    return good;
}

void fzi_values_clear(fzi_values *v)
{
    FZI_RELEASE(v->allocator, v->low, v->high, v->steps);
    v->low = v->high = NULL;
    v->steps = NULL;
}
