/* Equilibria of games that hide something. See solve.h. */
#include "solve.h"

#include "interp/support/chance.h"
#include "interp/support/text.h"

enum { PLAYERS = 2, DEEPEST = 1000 }; /* DEEPEST: events in a row, each some C frames */
static const uint32_t NONE = UINT32_MAX;

/* The observations of both players so far, and the decisions of each. */
typedef struct past {
    fzi_position_key keys[PLAYERS];
    uint64_t latest[PLAYERS];
    uint32_t decisions[PLAYERS];
    unsigned depth;
} past;

/* ---- memory ---- */

static fz_status said(const fzi_hidden *h, fz_status grown)
{
    if (grown == FZ_NO_MEMORY)
        return fzi_machine_no_memory(h->machine);
    return grown == FZ_OK ? FZ_OK
                          : fzi_machine_say(h->machine, FZ_RUNTIME,
                                            "the game is too large: more than %zu states of the "
                                            "tree and %zu information sets do not fit in %zu "
                                            "bytes of memory",
                                            h->count, h->set_count, h->most);
}

/* Room for `count` items in an array of the struct, by the name of its members. Numbers have 32
 * bits. */
#define RESERVE(h, array, room, count)                                                            \
    said(h, fzi_array_grow((h)->allocator, &(h)->memory, (count) > NONE / 2 ? 0 : (h)->most,      \
                           (void **)&(h)->array, &(h)->room, count, sizeof *(h)->array))

/* ---- information sets ---- */

/* Both look at the state. Who sees nothing new has seen nothing. */
static fz_status look(fzi_hidden *h, const fz_state *state, past *seen)
{
    for (int p = 0; p < PLAYERS; p++) {
        char *text = NULL;
        fz_status status = fz_state_observation(h->machine, state, p, &text);
        if (status != FZ_OK)
            return status;
        uint64_t hash = fzi_chance_mix(fzi_text_hash(text, strlen(text), FZI_HASH_START));
        fzi_release(h->allocator, text);
        if (hash == seen->latest[p])
            continue;
        seen->latest[p] = hash;
        fzi_key_mix(&seen->keys[p], hash);
    }
    return FZ_OK;
}

/* The observation of the player who decides, and its moves. */
static fz_status describe(fzi_hidden *h, const fz_state *state, const fz_moves *moves, int player,
                          char **text)
{
    fzi_buffer buffer = fzi_buffer_in(h->allocator);
    char *seen = NULL;
    fz_status status = fz_state_observation(h->machine, state, player, &seen);

    if (status != FZ_OK)
        return status;
    fzi_buffer_text(&buffer, seen);
    for (size_t i = 0; i < fz_moves_count(moves); i++) {
        fz_move move = fz_moves_at(moves, i);
        fzi_buffer_text(&buffer, fz_move_text(h->machine, state, &move));
        fzi_buffer_char(&buffer, '\n');
    }
    fzi_release(h->allocator, seen);
    status = fzi_buffer_finish(&buffer, text);
    return status == FZ_OK ? FZ_OK : fzi_machine_no_memory(h->machine);
}

static fz_status set_of(fzi_hidden *h, const fz_state *state, const fz_moves *moves, int player,
                        const past *seen, uint32_t *set)
{
    size_t count = fz_moves_count(moves);
    *set = fzi_keys_find(&h->keys, seen->keys[player]);
    if (*set != NONE) {
        const fzi_information_set *s = &h->sets[*set];
        if (s->count != count || s->side != player || s->depth != seen->decisions[player])
            return fzi_machine_say(h->machine, FZ_RUNTIME, "a player sees the same in two states "
                                   "that have different moves");
        return FZ_OK;
    }
    fz_status status = RESERVE(h, sets, set_room, h->set_count + 1);
    if (status == FZ_OK)
        status = RESERVE(h, regrets, regret_room, h->move_count + count);
    if (status == FZ_OK)
        status = RESERVE(h, played, played_room, h->move_count + count);
    if (status == FZ_OK)
        status = RESERVE(h, now, now_room, h->move_count + count);
    if (status == FZ_OK)
        status = said(h, fzi_keys_add(&h->keys, seen->keys[player], h->allocator, &h->memory,
                                      h->most));
    if (status != FZ_OK)
        return status;
    *set = (uint32_t)h->set_count++;
    h->sets[*set] = (fzi_information_set){
        .first = (uint32_t)h->move_count, .count = (uint32_t)count, .side = (uint8_t)player,
        .depth = seen->decisions[player]};
    for (size_t i = 0; i < count; i++)
        h->regrets[h->move_count + i] = h->played[h->move_count + i] = 0;
    h->move_count += count;
    return describe(h, state, moves, player, &h->sets[*set].observation);
}

/* ---- the tree ---- */

static fz_status grow(fzi_hidden *h, const fz_state *state, past seen, const fz_watch *watch,
                      uint32_t *number);

static fz_status add_next(fzi_hidden *h, uint32_t number, size_t count)
{
    fz_status status = RESERVE(h, next, next_room, h->next_count + count);

    if (status == FZ_OK)
        status = RESERVE(h, weights, weight_room, h->next_count + count);
    if (status != FZ_OK)
        return status;
    h->nodes[number].first = (uint32_t)h->next_count;
    h->nodes[number].count = (uint32_t)count;
    h->next_count += count;
    return FZ_OK;
}

static fz_status grow_ways(fzi_hidden *h, const fz_state *state, past *seen,
                           const fz_watch *watch, uint32_t number)
{
    int player = fz_state_decider(state);
    fzi_successors ways = {0};
    fz_state *after = fz_state_clone(state);
    fz_status status = after ? fzi_successors_find(&ways, h->machine, state)
                             : fzi_machine_no_memory(h->machine);
    bool chance = ways.outcomes != NULL;
    uint32_t set = 0;
    if (status == FZ_OK && !chance)
        status = set_of(h, state, ways.moves, player, seen, &set);
    if (status == FZ_OK)
        status = add_next(h, number, ways.count);
    h->nodes[number].kind = chance ? FZ_NODE_CHANCE : player ? FZ_NODE_SECOND : FZ_NODE_FIRST;
    h->nodes[number].set = set;
    seen->decisions[player] += !chance;
    for (size_t i = 0; i < ways.count && status == FZ_OK; i++) {
        size_t at = h->nodes[number].first + i;
        uint32_t child = 0;
        past then = *seen;
        if (chance)
            h->weights[at] = fzi_successors_probability(&ways, i).value;
        else /* A player knows its own choice, whatever can be seen of it. */
            fzi_key_mix(&then.keys[player], i + 1);
        status = fz_state_copy(after, state);
        if (status == FZ_OK)
            status = fzi_successors_play(&ways, i, after, FZ_MAX_TURNS);
        if (status == FZ_OK)
            status = grow(h, after, then, watch, &child);
        h->next[at] = child;
    }
    fz_state_free(after);
    fzi_successors_clear(&ways);
    return status;
}

static fz_status grow_end(fzi_hidden *h, const fz_state *state, uint32_t number)
{
    double value;
    fz_status status = fzi_solve_end(h->machine, state, &value);

    h->nodes[number].kind = FZ_NODE_END;
    h->nodes[number].value = value;
    h->low = fmin(h->low, value);
    h->high = fmax(h->high, value);
    return status;
}

static fz_status grow(fzi_hidden *h, const fz_state *state, past seen, const fz_watch *watch,
                      uint32_t *number)
{
    fz_status status = RESERVE(h, nodes, room, h->count + 1);

    if (status != FZ_OK)
        return status;
    if (++seen.depth > DEEPEST)
        return fzi_machine_say(h->machine, FZ_RUNTIME, "the game is too large: more than %d "
                               "decisions and results of chance in a row", DEEPEST);
    *number = (uint32_t)h->count++;
    h->nodes[*number] = (fzi_tree_node){0};
    if (*number % 64 == 0 && fzi_watch_stops(watch, h->machine->limits.cancel, h->count, 0))
        return FZ_NOT_FOUND;
    status = look(h, state, &seen);
    if (status != FZ_OK)
        return status;
    switch (fz_state_waiting(state)) {
    case FZ_WAITING_CHANCE:
    case FZ_WAITING_MOVE: return grow_ways(h, state, &seen, watch, *number);
    default: return grow_end(h, state, *number);
    }
}

fz_status fzi_hidden_make(fzi_hidden *h, fz_machine *machine, const fz_state *from, size_t most,
                          const fz_watch *watch)
{
    past seen = {.keys = {{1, 3}, {2, 4}}};
    uint32_t root;

    *h = (fzi_hidden){.machine = machine, .allocator = machine->allocator, .most = most,
                      .low = INFINITY, .high = -INFINITY};
    if (machine->program->player_count != PLAYERS || fz_program_has_one_side(machine->program))
        return fzi_machine_say(machine, FZ_USAGE, "of games that hide something, only those of two "
                               "players against each other can be solved");
    return grow(h, from, seen, watch, &root);
}

void fzi_hidden_clear(fzi_hidden *h)
{
    for (size_t i = 0; i < h->set_count; i++)
        fzi_release(h->allocator, h->sets[i].observation);
    FZI_RELEASE(h->allocator, h->nodes, h->next, h->weights, h->sets);
    fzi_keys_clear(&h->keys, h->allocator);
    FZI_RELEASE(h->allocator, h->regrets, h->played, h->now);
    *h = (fzi_hidden){.allocator = h->allocator};
}

/* ---- learning ---- */

/* Moves are played in proportion to what it is regretted not to have played them. */
static void choose(fzi_hidden *h, const fzi_information_set *s)
{
    double sum = 0;

    for (uint32_t i = 0; i < s->count; i++)
        sum += h->regrets[s->first + i];
    for (uint32_t i = 0; i < s->count; i++)
        h->now[s->first + i] = sum > 0 ? h->regrets[s->first + i] / sum : 1.0 / s->count;
}

/* The value for `learner`, who reaches the state with probability `own`, all else with `others`. */
static double walk(fzi_hidden *h, uint32_t number, unsigned learner, double own, double others)
{
    const fzi_tree_node *n = &h->nodes[number];
    double value = 0;

    if (n->kind == FZ_NODE_END)
        return learner ? -n->value : n->value;
    if (n->kind == FZ_NODE_CHANCE) {
        for (uint32_t i = 0; i < n->count; i++) {
            double p = h->weights[n->first + i];
            value += p * walk(h, h->next[n->first + i], learner, own, others * p);
        }
        return value;
    }
    const fzi_information_set *s = &h->sets[n->set];
    bool mine = s->side == learner;
    for (uint32_t i = 0; i < n->count; i++) {
        double p = h->now[s->first + i];
        double next = walk(h, h->next[n->first + i], learner, mine ? own * p : own,
                           mine ? others : others * p);
        value += p * next;
        if (mine)
            h->regrets[s->first + i] += others * next;
    }
    for (uint32_t i = 0; mine && i < n->count; i++) {
        h->regrets[s->first + i] -= others * value;
        h->played[s->first + i] += (double)h->rounds * own * h->now[s->first + i];
    }
    return value;
}

void fzi_hidden_learn(fzi_hidden *h, uint64_t rounds)
{
    while (rounds--) {
        h->rounds++;
        for (unsigned learner = 0; learner < PLAYERS; learner++) {
            for (size_t i = 0; i < h->set_count; i++)
                choose(h, &h->sets[i]);
            walk(h, 0, learner, 1, 1);
            for (size_t i = 0; i < h->move_count; i++)
                h->regrets[i] = fmax(0, h->regrets[i]);
        }
    }
}

double fzi_hidden_probability(const fzi_hidden *h, size_t set, uint32_t move)
{
    const fzi_information_set *s = &h->sets[set];
    double sum = 0;

    for (uint32_t i = 0; i < s->count; i++)
        sum += h->played[s->first + i];
    return sum > 0 ? h->played[s->first + move] / sum : 1.0 / s->count;
}

static double probability(const fzi_hidden *h, const fzi_tree_node *n, uint32_t i)
{
    return n->kind == FZ_NODE_CHANCE ? h->weights[n->first + i]
                                     : fzi_hidden_probability(h, n->set, i);
}

static double value_at(const fzi_hidden *h, uint32_t number)
{
    const fzi_tree_node *n = &h->nodes[number];
    double value = n->kind == FZ_NODE_END ? n->value : 0;

    for (uint32_t i = 0; i < n->count; i++)
        value += probability(h, n, i) * value_at(h, h->next[n->first + i]);
    return value;
}

double fzi_hidden_value(const fzi_hidden *h)
{
    return value_at(h, 0);
}

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
                a->h->sets[n->set].side == a->side;

    a->reach[number] = reach;
    for (uint32_t i = 0; i < n->count; i++)
        spread(a, a->h->next[n->first + i], mine ? reach : reach * probability(a->h, n, i));
}

static double answered(const answer *a, uint32_t number)
{
    const fzi_tree_node *n = &a->h->nodes[number];
    double value = 0;

    if (n->kind == FZ_NODE_END)
        return a->side ? -n->value : n->value;
    if (n->kind != FZ_NODE_CHANCE && a->h->sets[n->set].side == a->side)
        return answered(a, a->h->next[n->first + a->best[n->set]]);
    for (uint32_t i = 0; i < n->count; i++)
        value += probability(a->h, n, i) * answered(a, a->h->next[n->first + i]);
    return value;
}

static bool is_of(const answer *a, uint32_t number, uint32_t depth)
{
    const fzi_tree_node *n = &a->h->nodes[number];

    return (n->kind == FZ_NODE_FIRST || n->kind == FZ_NODE_SECOND) &&
           a->h->sets[n->set].side == a->side && a->h->sets[n->set].depth == depth;
}

static void decide(answer *a, uint32_t depth)
{
    const fzi_hidden *h = a->h;

    memset(a->sums, 0, (h->move_count ? h->move_count : 1) * sizeof *a->sums);
    for (uint32_t number = 0; number < h->count; number++) {
        const fzi_tree_node *n = &h->nodes[number];
        if (!is_of(a, number, depth))
            continue;
        for (uint32_t i = 0; i < n->count; i++)
            a->sums[h->sets[n->set].first + i] +=
                a->reach[number] * answered(a, h->next[n->first + i]);
    }
    for (size_t s = 0; s < h->set_count; s++) {
        const fzi_information_set *set = &h->sets[s];
        if (set->side != a->side || set->depth != depth)
            continue;
        a->best[s] = 0;
        for (uint32_t i = 1; i < set->count; i++)
            if (a->sums[set->first + i] > a->sums[set->first + a->best[s]])
                a->best[s] = i;
    }
}

static bool best_answer(const fzi_hidden *h, unsigned side, double *value)
{
    fzi_allocator m = h->allocator;
    answer a = {h, side, fzi_allocate(m, (h->count + 1) * sizeof *a.reach),
                fzi_allocate(m, (h->set_count + 1) * sizeof *a.best),
                fzi_allocate(m, (h->move_count + 1) * sizeof *a.sums)};
    bool good = a.reach && a.best && a.sums;
    uint32_t deepest = 0;

    for (size_t s = 0; s < h->set_count; s++)
        if (h->sets[s].side == side && h->sets[s].depth > deepest)
            deepest = h->sets[s].depth;
    if (good) {
        spread(&a, 0, 1);
        for (uint32_t depth = deepest + 1; depth-- > 0;)
            decide(&a, depth);
        *value = answered(&a, 0);
    }
    FZI_RELEASE(m, a.reach, a.best, a.sums);
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
