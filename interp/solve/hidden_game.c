/* Equilibria of games that hide something. See solve.h. */
#include "solve.h"

enum { PLAYERS = FZ_STRATEGY_PLAYERS };
static const uint32_t NONE = UINT32_MAX;

/* What both players have seen so far, and the decisions of each. */
typedef struct past {
    fzi_recall seen;
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
                                            h->count, h->strategy.count, h->strategy.most);
}

/* Room for `count` items in an array of the struct, by the name of its members. Numbers have 32
 * bits. */
#define RESERVE(h, array, room, count)                                                            \
    said(h, fzi_array_grow((h)->allocator, &(h)->strategy.memory,                                 \
                           (count) > NONE / 2 ? 0 : (h)->strategy.most, (void **)&(h)->array,     \
                           &(h)->room, count, sizeof *(h)->array))

/* ---- information sets ---- */

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
                        const past *until, uint32_t *set)
{
    fzi_strategy *s = &h->strategy;
    fzi_position_key key = until->seen.keys[player];
    size_t count = fz_moves_count(moves);

    *set = fzi_strategy_find(s, key);
    if (*set != NONE) {
        const fzi_information_set *y = &s->sets[*set];
        if (y->count != count || y->side != player || y->depth != until->decisions[player])
            return fzi_machine_say(h->machine, FZ_RUNTIME, "a player sees the same in two states "
                                   "that have different moves");
        return FZ_OK;
    }
    fz_status status = RESERVE(h, now, now_room, s->move_count + count);
    if (status == FZ_OK)
        status = RESERVE(h, observations, observation_room, s->count + 1);
    if (status == FZ_OK)
        status = said(h, fzi_strategy_add(s, key, (unsigned)player, until->decisions[player],
                                          count, set));
    if (status != FZ_OK)
        return status;
    h->observations[*set] = NULL;
    return describe(h, state, moves, player, &h->observations[*set]);
}

/* ---- the tree ---- */

static fz_status grow(fzi_hidden *h, const fz_state *state, past until, const fz_watch *watch,
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

static fz_status grow_ways(fzi_hidden *h, const fz_state *state, past *until,
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
        status = set_of(h, state, ways.moves, player, until, &set);
    if (status == FZ_OK)
        status = add_next(h, number, ways.count);
    h->nodes[number].kind = chance ? FZ_NODE_CHANCE : player ? FZ_NODE_SECOND : FZ_NODE_FIRST;
    h->nodes[number].set = set;
    until->decisions[player] += !chance;
    for (size_t i = 0; i < ways.count && status == FZ_OK; i++) {
        size_t at = h->nodes[number].first + i;
        uint32_t child = 0;
        past then = *until;
        if (chance)
            h->weights[at] = fzi_successors_probability(&ways, i).value;
        else
            fzi_recall_choice(&then.seen, player, i);
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

static fz_status grow(fzi_hidden *h, const fz_state *state, past until, const fz_watch *watch,
                      uint32_t *number)
{
    fz_status status = RESERVE(h, nodes, room, h->count + 1);

    if (status != FZ_OK)
        return status;
    if (++until.depth > FZ_HIDDEN_DEEPEST)
        return fzi_machine_say(h->machine, FZ_RUNTIME, "the game is too large: more than %d "
                               "decisions and results of chance in a row", FZ_HIDDEN_DEEPEST);
    *number = (uint32_t)h->count++;
    h->nodes[*number] = (fzi_tree_node){0};
    if (*number % 64 == 0 && fzi_watch_stops(watch, h->machine->limits.cancel, h->count, 0))
        return FZ_NOT_FOUND;
    status = fzi_recall_look(h->machine, state, &until.seen);
    if (status != FZ_OK)
        return status;
    switch (fz_state_waiting(state)) {
    case FZ_WAITING_CHANCE:
    case FZ_WAITING_MOVE: return grow_ways(h, state, &until, watch, *number);
    default: return grow_end(h, state, *number);
    }
}

fz_status fzi_hidden_make(fzi_hidden *h, fz_machine *machine, const fz_state *from, size_t most,
                          const fz_watch *watch)
{
    past none = {.seen = FZI_RECALL_START};
    uint32_t root;

    *h = (fzi_hidden){.machine = machine, .allocator = machine->allocator,
                      .strategy = {.allocator = machine->allocator, .most = most},
                      .low = INFINITY, .high = -INFINITY};
    if (machine->program->player_count != PLAYERS || fz_program_has_one_side(machine->program))
        return fzi_machine_say(machine, FZ_USAGE, "of games that hide something, only those of two "
                               "players against each other can be solved");
    return grow(h, from, none, watch, &root);
}

void fzi_hidden_clear(fzi_hidden *h)
{
    for (size_t i = 0; i < h->strategy.count; i++)
        fzi_release(h->allocator, h->observations[i]);
    fzi_strategy_clear(&h->strategy);
    FZI_RELEASE(h->allocator, h->nodes, h->next, h->weights, h->observations, h->now);
    *h = (fzi_hidden){.allocator = h->allocator};
}

/* ---- learning ---- */

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
    const fzi_information_set *s = &h->strategy.sets[n->set];
    double *regrets = h->strategy.regrets + s->first, *played = h->strategy.played + s->first;
    bool mine = s->side == learner;
    for (uint32_t i = 0; i < n->count; i++) {
        double p = h->now[s->first + i];
        double next = walk(h, h->next[n->first + i], learner, mine ? own * p : own,
                           mine ? others : others * p);
        value += p * next;
        if (mine)
            regrets[i] += others * next;
    }
    for (uint32_t i = 0; mine && i < n->count; i++) {
        regrets[i] -= others * value;
        played[i] += (double)h->rounds * own * h->now[s->first + i];
    }
    return value;
}

void fzi_hidden_learn(fzi_hidden *h, uint64_t rounds)
{
    fzi_strategy *s = &h->strategy;

    while (rounds--) {
        h->rounds++;
        for (unsigned learner = 0; learner < PLAYERS; learner++) {
            for (uint32_t i = 0; i < s->count; i++)
                fzi_strategy_match(s, i, h->now + s->sets[i].first);
            walk(h, 0, learner, 1, 1);
            for (size_t i = 0; i < s->move_count; i++)
                s->regrets[i] = fmax(0, s->regrets[i]);
        }
    }
}

double fzi_hidden_probability(const fzi_hidden *h, const fzi_tree_node *n, uint32_t i)
{
    return n->kind == FZ_NODE_CHANCE ? h->weights[n->first + i]
                                     : fzi_strategy_probability(&h->strategy, n->set, i);
}

static double value_at(const fzi_hidden *h, uint32_t number)
{
    const fzi_tree_node *n = &h->nodes[number];
    double value = n->kind == FZ_NODE_END ? n->value : 0;

    for (uint32_t i = 0; i < n->count; i++)
        value += fzi_hidden_probability(h, n, i) * value_at(h, h->next[n->first + i]);
    return value;
}

double fzi_hidden_value(const fzi_hidden *h)
{
    return value_at(h, 0);
}
