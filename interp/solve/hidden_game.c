/* Equilibria of games that hide something. See hidden_game.h. */
#include "hidden_game.h"

#include <math.h>
#include <string.h>

#include "interp/support/chance.h"
#include "interp/support/text.h"
#include "interp/vm/fault.h"
#include "interp/vm/game.h"

enum { PLAYERS = 2, DEEPEST = 1000 }; /* DEEPEST: events in a row, each some C frames */
static const uint32_t NONE = UINT32_MAX;

/* The observations of both players so far, and the decisions of each. */
typedef struct past {
    uint64_t place[PLAYERS], check[PLAYERS], latest[PLAYERS];
    uint32_t decisions[PLAYERS];
    unsigned depth;
} past;

/* ---- memory ---- */

static fz_status reserve(fzi_hidden *h, void **array, size_t *room, size_t count, size_t item)
{
    size_t most = count > NONE / 2 ? 0 : h->most; /* sets have numbers of 32 bits */

    switch (fzi_array_grow(h->allocator, &h->memory, most, array, room, count, item)) {
    case FZ_OK: return FZ_OK;
    case FZ_NO_MEMORY: return fzi_machine_no_memory(h->machine);
    default:
        return fzi_machine_say(h->machine, FZ_RUNTIME,
                               "the game is too large: more than %zu states of the tree and %zu "
                               "information sets do not fit in %zu bytes of memory", h->count,
                               h->set_count, h->most);
    }
}

/* An array of the struct, by the name of its members. */
#define RESERVE(h, array, room, count)                                                             \
    reserve(h, (void **)&(h)->array, &(h)->room, count, sizeof *(h)->array)

/* ---- information sets ---- */

/* Both look at the state. Who sees nothing new has seen nothing. */
static fz_status look(fzi_hidden *h, const fz_state *state, past *seen)
{
    for (int p = 0; p < PLAYERS; p++) {
        char *text = NULL;
        uint64_t hash;
        fz_status status = fz_state_observation(h->machine, state, p, &text);
        if (status != FZ_OK)
            return status;
        hash = fzi_chance_mix(fzi_text_hash(text, strlen(text), FZI_HASH_START));
        fzi_release(h->allocator, text);
        if (hash == seen->latest[p])
            continue;
        seen->latest[p] = hash;
        seen->place[p] = fzi_chance_mix(seen->place[p] ^ hash);
        seen->check[p] = fzi_chance_mix(seen->check[p] + hash * UINT64_C(0x9fb21c651e98df25));
    }
    return FZ_OK;
}

static size_t slot_of(const fzi_hidden *h, uint64_t place, uint64_t check)
{
    size_t mask = h->slot_count - 1, at = place & mask;

    while (h->slots[at] && (h->sets[h->slots[at] - 1].place != place ||
                            h->sets[h->slots[at] - 1].check != check))
        at = (at + 1) & mask;
    return at;
}

static fz_status grow_slots(fzi_hidden *h)
{
    size_t count = h->slot_count ? 2 * h->slot_count : 256;
    fz_status status = RESERVE(h, slots, slot_room, count);

    if (status != FZ_OK)
        return status;
    memset(h->slots, 0, count * sizeof *h->slots);
    h->slot_count = count;
    for (size_t i = 0; i < h->set_count; i++)
        h->slots[slot_of(h, h->sets[i].place, h->sets[i].check)] = (uint32_t)i + 1;
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
    size_t slot, count = fz_moves_count(moves);
    fz_status status = FZ_OK;
    fzi_information_set *s;

    if (2 * h->set_count >= h->slot_count)
        status = grow_slots(h);
    if (status != FZ_OK)
        return status;
    slot = slot_of(h, seen->place[player], seen->check[player]);
    if (h->slots[slot]) {
        *set = h->slots[slot] - 1;
        s = &h->sets[*set];
        if (s->count != count || s->side != player || s->depth != seen->decisions[player])
            return fzi_machine_say(h->machine, FZ_RUNTIME, "a player sees the same in two states "
                                   "that have different moves");
        return FZ_OK;
    }
    status = RESERVE(h, sets, set_room, h->set_count + 1);
    if (status == FZ_OK)
        status = RESERVE(h, regrets, regret_room, h->move_count + count);
    if (status == FZ_OK)
        status = RESERVE(h, played, played_room, h->move_count + count);
    if (status == FZ_OK)
        status = RESERVE(h, now, now_room, h->move_count + count);
    if (status != FZ_OK)
        return status;
    s = &h->sets[h->set_count];
    *s = (fzi_information_set){.place = seen->place[player], .check = seen->check[player],
                               .first = (uint32_t)h->move_count, .count = (uint32_t)count,
                               .side = (uint8_t)player, .depth = seen->decisions[player]};
    for (size_t i = 0; i < count; i++)
        h->regrets[h->move_count + i] = h->played[h->move_count + i] = 0;
    h->move_count += count;
    *set = (uint32_t)h->set_count++;
    h->slots[slot] = *set + 1;
    return describe(h, state, moves, player, &s->observation);
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

static fz_status grow_child(fzi_hidden *h, const fz_state *after, const past *seen,
                            const fz_watch *watch, uint32_t number, size_t i)
{
    uint32_t child = 0;
    fz_status status = grow(h, after, *seen, watch, &child);

    h->next[h->nodes[number].first + i] = child;
    return status;
}

static fz_status grow_moves(fzi_hidden *h, const fz_state *state, past *seen,
                            const fz_watch *watch, uint32_t number)
{
    int player = fz_state_decider(state);
    fz_moves *moves = fz_moves_new(h->machine);
    fz_state *after = fz_state_clone(state);
    fz_status status = moves && after ? fz_state_moves(h->machine, state, moves)
                                      : fzi_machine_no_memory(h->machine);
    size_t count = status == FZ_OK ? fz_moves_count(moves) : 0;
    uint32_t set = 0;

    if (status == FZ_OK)
        status = set_of(h, state, moves, player, seen, &set);
    if (status == FZ_OK)
        status = add_next(h, number, count);
    if (status == FZ_OK) {
        h->nodes[number].kind = player ? FZ_NODE_SECOND : FZ_NODE_FIRST;
        h->nodes[number].set = set;
    }
    seen->decisions[player]++;
    for (size_t i = 0; i < count && status == FZ_OK; i++) {
        fz_move move = fz_moves_at(moves, i);
        past then = *seen;
        /* A player knows its own choice, whatever can be seen of it. */
        then.place[player] = fzi_chance_mix(then.place[player] + i + 1);
        then.check[player] = fzi_chance_mix(then.check[player] ^ (i + 1));
        status = fz_state_copy(after, state);
        if (status == FZ_OK)
            status = fz_state_play(h->machine, after, &move);
        if (status == FZ_OK)
            status = grow_child(h, after, &then, watch, number, i);
    }
    fz_state_free(after);
    fz_moves_free(moves);
    return status;
}

static fz_status grow_chance(fzi_hidden *h, const fz_state *state, const past *seen,
                             const fz_watch *watch, uint32_t number)
{
    const fz_outcome *outcomes;
    size_t count;
    double total = 0;
    fz_state *after = fz_state_clone(state);
    fz_status status = fz_state_outcomes(h->machine, state, &outcomes, &count);
    fz_outcome *own = NULL;

    if (status == FZ_OK)
        own = fzi_allocate(h->allocator, (count ? count : 1) * sizeof *own);
    if (status == FZ_OK && (!own || !after))
        status = fzi_machine_no_memory(h->machine);
    if (status == FZ_OK) {
        memcpy(own, outcomes, count * sizeof *own);
        h->nodes[number].kind = FZ_NODE_CHANCE;
        status = add_next(h, number, count);
    }
    for (size_t i = 0; i < count && status == FZ_OK; i++)
        total += (double)own[i].weight;
    for (size_t i = 0; i < count && status == FZ_OK; i++) {
        h->weights[h->nodes[number].first + i] = (double)own[i].weight / total;
        status = fz_state_copy(after, state);
        if (status == FZ_OK)
            status = fz_state_set_chance(h->machine, after, own[i].value);
        if (status == FZ_OK)
            status = grow_child(h, after, seen, watch, number, i);
    }
    fzi_release(h->allocator, own);
    fz_state_free(after);
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
    if (*number % 64 == 0 && watch && watch->stop && watch->stop(watch->user, h->count, 0))
        return FZ_NOT_FOUND;
    status = look(h, state, &seen);
    if (status != FZ_OK)
        return status;
    switch (fz_state_waiting(state)) {
    case FZ_WAITING_CHANCE: return grow_chance(h, state, &seen, watch, *number);
    case FZ_WAITING_MOVE: return grow_moves(h, state, &seen, watch, *number);
    case FZ_GAME_OVER: case FZ_GAME_FAILED: break;
    }
    return grow_end(h, state, *number);
}

fz_status fzi_hidden_make(fzi_hidden *h, fz_machine *machine, const fz_state *from, size_t most,
                          const fz_watch *watch)
{
    past seen = {{1, 2}, {3, 4}, {0}, {0}, 0};
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
    fzi_release(h->allocator, h->nodes);
    fzi_release(h->allocator, h->next);
    fzi_release(h->allocator, h->weights);
    fzi_release(h->allocator, h->sets);
    fzi_release(h->allocator, h->slots);
    fzi_release(h->allocator, h->regrets);
    fzi_release(h->allocator, h->played);
    fzi_release(h->allocator, h->now);
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
    fzi_release(m, a.reach);
    fzi_release(m, a.best);
    fzi_release(m, a.sums);
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
