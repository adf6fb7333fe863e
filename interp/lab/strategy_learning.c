/* Monte Carlo counterfactual regret minimization (M. Lanctot and others, 2009). See
 * strategy_learning.h. */
#include "strategy_learning.h"

#include "interp/solve/solve.h"
#include "interp/support/chance.h"
#include "interp/vm/fault.h"

static const double EXPLORE = 0.6; /* outcome sampling: share of moves that are drawn evenly */
static const uint32_t NONE = UINT32_MAX;

const char *const fzi_sampling_names[] = {"outcome", "external", "chance", NULL};

/* One player's walk. */
typedef struct walk {
    fzi_regret_learning *y;
    int learner;
    uint64_t key, counter;    /* of what is drawn */
} walk;

/* A state on the way. */
typedef struct place {
    fz_state *state;
    fzi_recall seen;
    unsigned depth;
    uint32_t decisions[FZ_STRATEGY_PLAYERS];
    double weight;            /* probability of the other's moves on the way, by that of drawing
                               * the way */
} place;

/* A decision: of each move the probability, and what it is worth to the learner. */
typedef struct decision {
    uint32_t set, count;
    double *policy, *values;
} decision;

static fz_status go(walk *w, place *at, double *value);

/* ---- drawing ---- */

static double uniform(walk *w)
{
    return fzi_chance_at(w->key, w->counter++) / 4294967296.0;
}

static fz_status go_chance(walk *w, place *at, const fzi_successors *ways, double *value)
{
    double left = uniform(w);
    size_t i = 0;

    for (; i + 1 < ways->count; i++) {
        left -= fzi_successors_probability(ways, i).value;
        if (left < 0)
            break;
    }
    at->depth++;
    fz_status status = fzi_successors_play(ways, i, at->state, FZ_MAX_TURNS);
    return status == FZ_OK ? go(w, at, value) : status;
}

/* ---- decisions ---- */

/* The state one deeper, which is a copy. NULL: memory is short. */
static fz_state *copy_of(walk *w, const place *at)
{
    fzi_regret_learning *y = w->y;

    if (!fzi_make_room(y->setup->context->allocator, &y->states, &y->state_room, at->depth + 1,
                       sizeof *y->states))
        return NULL;
    if (!y->states[at->depth])
        y->states[at->depth] = fz_state_clone(at->state);
    else if (fz_state_copy(y->states[at->depth], at->state) != FZ_OK)
        return NULL;
    return y->states[at->depth];
}

static fz_status find_set(walk *w, const place *at, int player, decision *d)
{
    fzi_strategy *s = w->y->strategy;
    fzi_position_key key = at->seen.keys[player];

    d->set = fzi_strategy_find(s, key);
    if (d->set != NONE)
        return s->sets[d->set].count == d->count && s->sets[d->set].side == player
                   ? FZ_OK
                   : fzi_machine_say(w->y->machine, FZ_USAGE, "a player sees the same in two "
                                     "states that have different moves");
    fz_status status = fzi_strategy_add(s, key, (unsigned)player, at->decisions[player], d->count,
                                        &d->set);
    if (status != FZ_RUNTIME)
        return status == FZ_OK ? FZ_OK : fzi_machine_no_memory(w->y->machine);
    d->set = NONE;
    w->y->full++;
    return FZ_OK;
}

/* Makes room for what a walk adds to the row of the set; NULL: memory is short. */
static double *note(fzi_regret_learning *y, uint32_t set)
{
    fzi_allocator allocator = y->setup->context->allocator;
    size_t count = 2 * (size_t)y->strategy->sets[set].count;

    if (!fzi_make_room(allocator, &y->changed, &y->changed_room, y->changed_count + 1,
                       sizeof *y->changed) ||
        !fzi_make_room(allocator, &y->changes, &y->change_room, y->change_count + count,
                       sizeof *y->changes))
        return NULL;
    double *changes = y->changes + y->change_count;
    memset(changes, 0, count * sizeof *changes);
    y->changed[y->changed_count++] = set;
    y->change_count += count;
    return changes;
}

/* What the walk learns of a decision. It is added when the walk ends: a walk may come to an
 * information set in several states, and the player cannot tell them apart. */
static fz_status learn(const walk *w, const place *at, const decision *d, bool mine, double value)
{
    double now = at->weight * (double)(w->y->games + 1);

    if (d->set == NONE)
        return FZ_OK;
    double *changes = note(w->y, d->set);
    if (!changes)
        return fzi_machine_no_memory(w->y->machine);
    for (uint32_t i = 0; i < d->count; i++)
        if (mine)
            changes[i] = at->weight * (d->values[i] - value);
        else /* later strategies count for more */
            changes[d->count + i] = now * d->policy[i];
    return FZ_OK;
}

/* Tries move number `i`, which was drawn with probability `drawn`, on `state`. */
static fz_status try_move(walk *w, const place *at, const fzi_successors *ways, const decision *d,
                          uint32_t i, double drawn, fz_state *state)
{
    int player = fz_state_decider(at->state);
    bool mine = player == w->learner;
    place next = *at;

    next.state = state;
    next.depth++;
    next.decisions[player]++;
    next.weight *= (mine ? 1 : d->policy[i]) / drawn;
    fzi_recall_choice(&next.seen, player, i);
    fz_status status = fzi_successors_play(ways, i, state, FZ_MAX_TURNS);
    if (status == FZ_OK)
        status = go(w, &next, &d->values[i]);
    d->values[i] /= drawn;
    return status;
}

/* All moves, or one. */
static fz_status try_moves(walk *w, const place *at, const fzi_successors *ways, decision *d)
{
    bool mine = fz_state_decider(at->state) == w->learner;
    fzi_sampling sampling = w->y->sampling;
    bool all = sampling == FZ_SAMPLING_CHANCE || (mine && sampling == FZ_SAMPLING_EXTERNAL);
    fz_status status = FZ_OK;

    if (!all) {
        double even = mine && sampling == FZ_SAMPLING_OUTCOME ? EXPLORE : 0;
        bool evenly = even > 0 && uniform(w) < even;
        uint32_t i = evenly ? fzi_chance_below(w->key, &w->counter, d->count)
                            : fzi_strategy_draw(d->policy, d->count, uniform(w));
        double drawn = even / d->count + (1 - even) * d->policy[i];
        return try_move(w, at, ways, d, i, drawn, at->state);
    }
    for (uint32_t i = 0; i < d->count && status == FZ_OK; i++) {
        fz_state *copy = copy_of(w, at);
        status = copy ? try_move(w, at, ways, d, i, 1, copy) : fzi_machine_no_memory(w->y->machine);
    }
    return status;
}

static fz_status go_decision(walk *w, place *at, const fzi_successors *ways, double *value)
{
    fzi_allocator allocator = w->y->setup->context->allocator;
    int player = fz_state_decider(at->state);
    bool mine = player == w->learner;
    decision d = {.count = (uint32_t)ways->count};

    d.policy = fzi_allocate_zeroed(allocator, 2 * ways->count * sizeof *d.policy);
    if (!d.policy)
        return fzi_machine_no_memory(w->y->machine);
    d.values = d.policy + ways->count;
    fz_status status = find_set(w, at, player, &d);
    if (status == FZ_OK) {
        for (uint32_t i = 0; i < d.count && d.set == NONE; i++)
            d.policy[i] = 1.0 / d.count;
        if (d.set != NONE)
            fzi_strategy_match(w->y->strategy, d.set, d.policy);
        status = try_moves(w, at, ways, &d);
    }
    *value = 0;
    for (uint32_t i = 0; i < d.count; i++)
        *value += d.policy[i] * d.values[i];
    if (status == FZ_OK)
        status = learn(w, at, &d, mine, *value);
    fzi_release(allocator, d.policy);
    return status;
}

/* ---- walks ---- */

/* From a place on; `value`: for the learner. */
static fz_status go(walk *w, place *at, double *value)
{
    fz_machine *m = w->y->machine;
    fzi_successors ways = {0};

    if (fzi_cancelled(m->limits.cancel))
        return FZ_NOT_FOUND;
    if (at->depth >= FZ_HIDDEN_DEEPEST)
        return fzi_machine_say(m, FZ_RUNTIME, "a game has more than %d decisions and "
                               "results of chance", FZ_HIDDEN_DEEPEST);
    fz_status status = fzi_recall_look(m, at->state, &at->seen);
    if (status != FZ_OK)
        return status;
    if (fz_state_waiting(at->state) == FZ_GAME_OVER) {
        status = fzi_solve_end(m, at->state, value);
        *value = w->learner ? -*value : *value;
        return status;
    }
    status = fzi_successors_find(&ways, m, at->state);
    if (status == FZ_OK)
        status = ways.outcomes ? go_chance(w, at, &ways, value)
                               : go_decision(w, at, &ways, value);
    fzi_successors_clear(&ways);
    return status;
}

/* Adds to the numbers; what they were takes the place of the changes. False: too large. */
static bool add(double *numbers, double *changes, uint32_t count)
{
    bool finite = true;

    for (uint32_t i = 0; i < count; i++) {
        double was = numbers[i];
        numbers[i] += changes[i];
        changes[i] = was;
        finite = finite && fabs(numbers[i]) <= FZ_MOST_REGRET;
    }
    return finite;
}

/* Adds what a walk has learned, from this change on. Regrets below 0 are forgotten (CFR+), but not
 * where they are mostly noise. */
static fz_status add_changes(fzi_regret_learning *y, size_t first, double *changes)
{
    const fzi_strategy *s = y->strategy;
    bool finite = true;

    for (size_t i = first; i < y->changed_count; i++) {
        const fzi_information_set *set = &s->sets[y->changed[i]];
        finite = add(s->regrets + set->first, changes, set->count) && finite;
        finite = add(s->played + set->first, changes + set->count, set->count) && finite;
        changes += 2 * set->count;
    }
    for (size_t i = first; i < y->changed_count && y->sampling != FZ_SAMPLING_OUTCOME; i++) {
        const fzi_information_set *set = &s->sets[y->changed[i]];
        for (uint32_t m = set->first; m < set->first + set->count; m++)
            s->regrets[m] = fmax(0, s->regrets[m]);
    }
    return finite ? FZ_OK
                  : fzi_machine_say(y->machine, FZ_RUNTIME, "a game is too long for this sampling: "
                                    "its probability is too small for a number");
}

/* Nothing of the game is learned. */
static void forget(fzi_regret_learning *y)
{
    while (y->changed_count) {
        const fzi_information_set *s = &y->strategy->sets[y->changed[--y->changed_count]];
        size_t bytes = s->count * sizeof *y->changes;
        y->change_count -= 2 * (size_t)s->count;
        memcpy(y->strategy->regrets + s->first, y->changes + y->change_count, bytes);
        memcpy(y->strategy->played + s->first, y->changes + y->change_count + s->count, bytes);
    }
}

static fz_status play_walk(fzi_regret_learning *y, int learner)
{
    walk w = {y, learner, fzi_chance_key(y->seed, y->games), (uint64_t)learner << 32};
    place at = {.state = fz_record_begin(y->machine, 0, 0), .seen = FZI_RECALL_START,
                .weight = 1};
    size_t first = y->changed_count, begin = y->change_count;
    double value;

    if (!at.state)
        return fzi_machine_no_memory(y->machine);
    fz_status status = go(&w, &at, &value);
    fz_state_free(at.state);
    if (status == FZ_OK)
        return add_changes(y, first, y->changes + begin);
    y->changed_count = first;
    y->change_count = begin;
    return status;
}

fz_status fzi_regrets_play(fzi_regret_learning *y)
{
    fz_status status = FZ_OK;

    y->changed_count = y->change_count = 0;
    for (int learner = 0; learner < FZ_STRATEGY_PLAYERS && status == FZ_OK; learner++)
        status = play_walk(y, learner);
    if (status != FZ_OK)
        forget(y);
    if (status == FZ_OK || status == FZ_RUNTIME) {
        y->games++;
        y->set_count = y->strategy->count;
    }
    return status == FZ_OK || status == FZ_NOT_FOUND
               ? status
               : fzi_context_fail(y->setup->context, status, "%s",
                                  fz_machine_message(y->machine));
}

/* ---- beginning ---- */

fz_status fzi_regrets_begin(fzi_regret_learning *y, const fzi_setup *setup, const char *resumed,
                            fzi_sampling sampling, size_t most)
{
    fz_context *context = setup->context;
    const fz_program *p = setup->program;

    *y = (fzi_regret_learning){.setup = setup, .sampling = sampling, .seed = setup->options.seed};
    if (p->player_count != FZ_STRATEGY_PLAYERS || fz_program_has_one_side(p))
        return fzi_context_fail(context, FZ_REFUSED, "of games that hide something, only those of "
                                "two players against each other can be learned");
    y->machine = fz_machine_new(p, fzi_setup_limits(setup));
    if (!y->machine)
        return fzi_context_no_memory(context);
    fz_machine_set_chance(y->machine, FZ_CHANCE_ASK);
    if (resumed)
        return fzi_strategy_read(context, p, resumed, most, &y->strategy, y);
    y->strategy = fzi_strategy_new(context->allocator, most);
    return y->strategy ? FZ_OK : fzi_context_no_memory(context);
}

void fzi_regrets_clear(fzi_regret_learning *y)
{
    for (size_t i = 0; i < y->state_room; i++)
        fz_state_free(y->states[i]);
    fzi_strategy_free(y->strategy);
    fz_machine_free(y->machine);
    FZI_RELEASE(y->setup->context->allocator, y->states, y->changed, y->changes);
}
