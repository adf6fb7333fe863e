/* Agents that look at one move: random, greedy and softmax. */
#include <math.h>
#include <string.h>

#include "agent.h"
#include "interp/vm/fault.h"

/* ---- random ---- */

static fz_status choose_random(fz_agent *agent, const fz_state *state, fzi_move_list *list,
                               fz_move *move)
{
    (void)state;
    *move = fzi_agent_move_at(agent, list, fzi_agent_below(agent, list->total));
    return FZ_OK;
}

static fz_status evenly(fz_agent *agent, const fz_state *state, const fzi_move_list *list,
                        double *probabilities)
{
    (void)agent;
    (void)state;
    for (uint32_t i = 0; i < list->total; i++)
        probabilities[i] = 1.0 / list->total;
    return FZ_OK;
}

const fzi_agent_class fzi_agent_random = {.choose = choose_random, .probabilities = evenly};

/* ---- greedy, softmax ---- */

static fz_status open_evaluation(fz_agent *agent)
{
    agent->own = fzi_allocate(agent->allocator, sizeof(fzi_evaluation));
    return agent->own ? fzi_evaluation_make(agent, agent->own)
                      : fzi_machine_no_memory(agent->machine);
}

static void close_evaluation(fz_agent *agent)
{
    fzi_release(agent->allocator, agent->own);
}

enum { WON = 1000 }; /* average pieces that a won game is worth */

/* The worth of the position after the move for its player, in average pieces, beyond `material`
 * before it. */
static fz_status score_move(fz_agent *agent, const fz_state *state, double material,
                            const fz_move *move, double *score)
{
    const fzi_evaluation *e = agent->own;
    int player = fzi_head_of(state)->decider;
    fz_status status = fzi_agent_imagine(agent, agent->scratch, state);

    if (status == FZ_OK)
        status = fzi_agent_take(agent, agent->scratch, move);
    if (status != FZ_OK)
        return status;
    fzi_agent_resume(agent, agent->scratch);
    if (fzi_head_of(agent->scratch)->waiting == FZ_GAME_OVER)
        *score = WON * (2 * fz_state_utility(agent->scratch, player) - 1);
    else
        *score = (fzi_evaluation_material(e, agent->scratch, player) - material) / e->unit;
    return FZ_OK;
}

/* A draw among moves in one pass: each takes the place of the one kept so far, or does not. */
typedef struct draw {
    double best;              /* score so far */
    uint64_t equals;          /* moves with it */
    double sum;               /* of weights */
} draw;

/* Draws a move; `takes` says whether one with this score takes the place. */
static fz_status choose_scored(fz_agent *agent, const fz_state *state, fzi_move_list *list,
                               bool (*takes)(fz_agent *agent, draw *d, double score),
                               fz_move *move)
{
    double material =
        fzi_evaluation_material(agent->own, state, fzi_head_of(state)->decider);
    draw d = {.best = -INFINITY};

    for (uint32_t i = 0; i < list->total; i++) {
        fz_move tried = fzi_agent_move_at(agent, list, i);
        double score;
        fz_status status = score_move(agent, state, material, &tried, &score);
        if (status != FZ_OK)
            return status;
        if (takes(agent, &d, score))
            *move = tried;
    }
    return FZ_OK;
}

/* Evenly among the moves with the best score. */
static bool takes_best(fz_agent *agent, draw *d, double score)
{
    if (!fzi_agent_takes(agent, fzi_order_of(score, d->best), &d->equals))
        return false;
    d->best = score;
    return true;
}

static fz_status choose_greedy(fz_agent *agent, const fz_state *state, fzi_move_list *list,
                               fz_move *move)
{
    return choose_scored(agent, state, list, takes_best, move);
}

const fzi_agent_class fzi_agent_greedy = {
    .open = open_evaluation, .close = close_evaluation, .choose = choose_greedy};

/* The probability of a move is proportional to exp(score / temperature): it takes the place with
 * its share of the sum so far. All weights are relative to the greatest score, so that none
 * overflows. */
static bool takes_share(fz_agent *agent, draw *d, double score)
{
    double temperature = agent->settings.values[0], weight;

    if (score > d->best) {
        d->sum *= exp((d->best - score) / temperature);
        d->best = score;
    }
    weight = exp((score - d->best) / temperature);
    d->sum += weight;
    return fzi_agent_uniform(agent) * d->sum < weight;
}

static fz_status choose_softmax(fz_agent *agent, const fz_state *state, fzi_move_list *list,
                                fz_move *move)
{
    return choose_scored(agent, state, list, takes_share, move);
}

const fzi_agent_class fzi_agent_softmax = {
    .open = open_evaluation, .close = close_evaluation, .choose = choose_softmax};

/* ---- flat Monte Carlo ---- */

typedef struct flat {
    fzi_evaluation evaluation;
    double *sums;
    size_t room;
} flat;

static fz_status open_flat(fz_agent *agent)
{
    flat *f = fzi_allocate(agent->allocator, sizeof *f);

    if (!f)
        return fzi_machine_no_memory(agent->machine);
    *f = (flat){0};
    agent->own = f;
    return fzi_evaluation_make(agent, &f->evaluation);
}

static void close_flat(fz_agent *agent)
{
    flat *f = agent->own;

    if (f)
        fzi_release(agent->allocator, f->sums);
    fzi_release(agent->allocator, f);
}

static void begin_flat(fz_agent *agent)
{
    fzi_evaluation_begin(&((flat *)agent->own)->evaluation);
}

static fz_status sample(fz_agent *agent, const fz_state *state, const fz_move *move, double *value)
{
    flat *f = agent->own;
    fz_status status = fzi_agent_imagine(agent, agent->scratch, state);

    if (status == FZ_OK)
        status = fzi_agent_take(agent, agent->scratch, move);
    if (status == FZ_OK)
        status = fzi_agent_play_on(agent, agent->scratch, (uint64_t)agent->settings.values[0]);
    if (status != FZ_OK)
        return status;
    fzi_agent_resume(agent, agent->scratch);
    *value = fzi_evaluation_utility(agent, &f->evaluation, agent->scratch,
                                    fzi_head_of(state)->decider);
    return FZ_OK;
}

/* Rounds of one playout for each move, the last one too: all moves have as many. Evenly among the
 * moves with the best sum. */
static fz_status choose_flat(fz_agent *agent, const fz_state *state, fzi_move_list *list,
                             fz_move *move)
{
    flat *f = agent->own;
    const fzi_effort *effort = &agent->settings.effort;
    uint64_t rounds = (effort->count + list->total - 1) / list->total;
    uint32_t best = 0;
    uint64_t equals = 0;

    if (!fzi_make_room(agent->allocator, &f->sums, &f->room, list->total, sizeof *f->sums))
        return fzi_machine_no_memory(agent->machine);
    memset(f->sums, 0, list->total * sizeof *f->sums);
    fzi_agent_think(agent);
    for (uint64_t round = 0; effort->count ? round < rounds : !fzi_cancelled(&agent->thinking);
         round++) {
        for (uint32_t i = 0; i < list->total && !fzi_cancelled(agent->thinking.outer); i++) {
            fz_move tried = fzi_agent_move_at(agent, list, i);
            double value;
            fz_status status = sample(agent, state, &tried, &value);
            if (status != FZ_OK)
                return status;
            f->sums[i] += value;
        }
    }
    for (uint32_t i = 0; i < list->total; i++)
        if (fzi_agent_takes(agent, fzi_order_of(f->sums[i], f->sums[best]), &equals))
            best = i;
    *move = fzi_agent_move_at(agent, list, best);
    return FZ_OK;
}

const fzi_agent_class fzi_agent_flat = {
    .open = open_flat, .close = close_flat, .begin = begin_flat, .choose = choose_flat};
