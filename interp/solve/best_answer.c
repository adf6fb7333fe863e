/* Best answers to strategies in games that hide something, and what agents lose by them. See
 * solve.h. */
#include "solve.h"

#include "interp/agents/agent.h"

enum { PLAYERS = FZ_STRATEGY_PLAYERS };

/* ---- best answers ---- */

/* One player plays against the average of the other: in each of its information sets it takes the
 * move that is best on the whole. Sets are decided deepest first. */
typedef struct answer {
    const fzi_hidden *h;
    unsigned side;
    double *reach;            /* by state: probability of all but this player's moves */
    uint32_t *best;           /* by set; NONE: not decided */
    double *sums;             /* by move of the sets of one depth */
} answer;

static void spread(answer *a, uint32_t number, double reach)
{
    const fzi_tree_node *n = &a->h->nodes[number];
    bool mine = (n->kind == FZ_NODE_FIRST || n->kind == FZ_NODE_SECOND) &&
                a->h->strategy.sets[n->set].side == a->side;

    a->reach[number] = reach;
    for (uint32_t i = 0; i < n->count; i++)
        spread(a, a->h->next[n->first + i],
               mine ? reach : reach * fzi_hidden_probability(a->h, n, i));
}

static double answered(const answer *a, uint32_t number)
{
    const fzi_tree_node *n = &a->h->nodes[number];
    double value = 0;

    if (n->kind == FZ_NODE_END)
        return a->side ? -n->value : n->value;
    if (n->kind != FZ_NODE_CHANCE && a->h->strategy.sets[n->set].side == a->side)
        return answered(a, a->h->next[n->first + a->best[n->set]]);
    for (uint32_t i = 0; i < n->count; i++)
        value += fzi_hidden_probability(a->h, n, i) * answered(a, a->h->next[n->first + i]);
    return value;
}

static bool is_of(const answer *a, uint32_t number, uint32_t depth)
{
    const fzi_tree_node *n = &a->h->nodes[number];
    const fzi_information_set *s = &a->h->strategy.sets[n->set];

    return (n->kind == FZ_NODE_FIRST || n->kind == FZ_NODE_SECOND) && s->side == a->side &&
           s->depth == depth;
}

static void decide(answer *a, uint32_t depth)
{
    const fzi_hidden *h = a->h;

    memset(a->sums, 0, (h->strategy.move_count ? h->strategy.move_count : 1) * sizeof *a->sums);
    for (uint32_t number = 0; number < h->count; number++) {
        const fzi_tree_node *n = &h->nodes[number];
        if (!is_of(a, number, depth))
            continue;
        for (uint32_t i = 0; i < n->count; i++)
            a->sums[h->strategy.sets[n->set].first + i] +=
                a->reach[number] * answered(a, h->next[n->first + i]);
    }
    for (size_t s = 0; s < h->strategy.count; s++) {
        const fzi_information_set *set = &h->strategy.sets[s];
        if (set->side != a->side || set->depth != depth)
            continue;
        a->best[s] = 0;
        for (uint32_t i = 1; i < set->count; i++)
            if (a->sums[set->first + i] > a->sums[set->first + a->best[s]])
                a->best[s] = i;
    }
}

static void forget(answer *a)
{
    FZI_RELEASE(a->h->allocator, a->reach, a->best, a->sums);
}

/* The best answer of the side. False: memory is short. Forget it in any case. */
static bool find_answer(answer *a, const fzi_hidden *h, unsigned side)
{
    fzi_allocator m = h->allocator;
    const fzi_strategy *s = &h->strategy;
    uint32_t deepest = 0;

    *a = (answer){h, side, fzi_allocate(m, (h->count + 1) * sizeof *a->reach),
                  fzi_allocate(m, (s->count + 1) * sizeof *a->best),
                  fzi_allocate(m, (s->move_count + 1) * sizeof *a->sums)};
    if (!a->reach || !a->best || !a->sums)
        return false;
    for (size_t i = 0; i < s->count; i++)
        if (s->sets[i].side == side && s->sets[i].depth > deepest)
            deepest = s->sets[i].depth;
    spread(a, 0, 1);
    for (uint32_t depth = deepest + 1; depth-- > 0;)
        decide(a, depth);
    return true;
}

static bool best_answer(const fzi_hidden *h, unsigned side, double *value)
{
    answer a;
    bool good = find_answer(&a, h, side);

    if (good)
        *value = answered(&a, 0);
    forget(&a);
    return good;
}

double fzi_hidden_exploitability(const fzi_hidden *h)
{
    double values[PLAYERS];

    for (unsigned side = 0; side < PLAYERS; side++)
        if (!best_answer(h, side, &values[side]))
            return -1;
    return fmax(0, (values[0] + values[1]) / 2);
}

/* ---- agents ---- */

/* How often agents have chosen each move, in the first and the second half of the questions. */
typedef struct questions {
    fzi_hidden *h;
    const fzi_hidden_task *task;
    bool *asked;              /* by set */
    double *halves[2];        /* by move of a set */
    bool exact;               /* no agent had to be asked more than once */
} questions;

static fz_status ask_often(questions *q, fz_agent *agent, uint32_t set, const fz_state *state,
                           const fz_moves *moves)
{
    const fzi_information_set *s = &q->h->strategy.sets[set];
    const fzi_hidden_task *t = q->task;
    fz_status status = FZ_OK;

    for (uint64_t i = 0; i < t->samples && status == FZ_OK; i++) {
        fz_move move;
        if (fzi_watch_stops(t->watch, q->h->machine->limits.cancel, i, t->samples))
            return FZ_NOT_FOUND;
        fz_agent_begin(agent, t->seed, set * t->samples + i);
        status = fz_agent_choose(agent, state, &move);
        if (status == FZ_OK)
            q->halves[i & 1][s->first + fzi_move_list_find(&moves->list, &move)]++;
    }
    q->exact = q->exact && s->count == 1;
    return status == FZ_OK ? FZ_OK : fzi_machine_say(q->h->machine, status, "%s",
                                                     fz_agent_message(agent));
}

static fz_status ask(questions *q, uint32_t set, const fz_state *state, const fz_moves *moves)
{
    const fzi_information_set *s = &q->h->strategy.sets[set];
    fz_agent *agent = q->task->agents[s->side];

    if (q->asked[set])
        return FZ_OK;
    q->asked[set] = true;
    if (!agent->class->probabilities)
        return ask_often(q, agent, set, state, moves);
    fz_status status = agent->class->probabilities(agent, state, &moves->list,
                                                   q->halves[0] + s->first);
    memcpy(q->halves[1] + s->first, q->halves[0] + s->first, s->count * sizeof **q->halves);
    return status == FZ_OK ? FZ_OK : fzi_machine_say(q->h->machine, status, "%s",
                                                     fz_agent_message(agent));
}

/* Walks the tree, as fzi_hidden_make has done. */
static fz_status visit(questions *q, uint32_t number, const fz_state *state)
{
    const fzi_tree_node *n = &q->h->nodes[number];
    fzi_successors ways = {0};

    if (n->kind == FZ_NODE_END)
        return FZ_OK;
    fz_state *after = fz_state_clone(state);
    fz_status status = after ? fzi_successors_find(&ways, q->h->machine, state)
                             : fzi_machine_no_memory(q->h->machine);
    if (status == FZ_OK && n->kind != FZ_NODE_CHANCE)
        status = ask(q, n->set, state, ways.moves);
    for (uint32_t i = 0; i < n->count && status == FZ_OK; i++) {
        status = fz_state_copy(after, state);
        if (status == FZ_OK)
            status = fzi_successors_play(&ways, i, after, FZ_MAX_TURNS);
        if (status == FZ_OK)
            status = visit(q, q->h->next[n->first + i], after);
    }
    fz_state_free(after);
    fzi_successors_clear(&ways);
    return status;
}

/* A best answer to what one half shows, in play against the other half, gains no more than a best
 * answer to the agent, on average; one that may know both halves gains no less. */
static bool bound(questions *q, unsigned side, double *low, double *high)
{
    fzi_strategy *s = &q->h->strategy;
    size_t size = s->move_count * sizeof *s->played;
    bool good = true;

    *low = 0;
    for (unsigned half = 0; half < 2 && good && !q->exact; half++) {
        answer a;
        memcpy(s->played, q->halves[half], size);
        good = find_answer(&a, q->h, side);
        memcpy(s->played, q->halves[!half], size);
        *low += good ? answered(&a, 0) / 2 : 0;
        forget(&a);
    }
    for (size_t i = 0; i < s->move_count; i++)
        s->played[i] = q->halves[0][i] + q->halves[1][i];
    good = good && best_answer(q->h, side, high);
    if (q->exact)
        *low = *high;
    return good;
}

fz_status fzi_hidden_try(fzi_hidden *h, const fzi_hidden_task *task, fzi_hidden_loss *loss)
{
    fzi_allocator m = h->allocator;
    size_t moves = h->strategy.move_count + 1;
    questions q = {h, task, fzi_allocate_zeroed(m, h->strategy.count + 1),
                   {fzi_allocate_zeroed(m, moves * sizeof(double)),
                    fzi_allocate_zeroed(m, moves * sizeof(double))}, true};
    fz_state *root = fz_record_begin(h->machine, 0, 0);
    bool good = q.asked && q.halves[0] && q.halves[1] && root;
    fz_status status = good ? visit(&q, 0, root) : fzi_machine_no_memory(h->machine);

    for (unsigned side = 0; side < PLAYERS && status == FZ_OK; side++)
        if (!bound(&q, side, &loss->low[side], &loss->high[side]))
            status = fzi_machine_no_memory(h->machine);
    loss->exact = q.exact;
    fz_state_free(root);
    FZI_RELEASE(m, q.asked, q.halves[0], q.halves[1]);
    return status;
}
