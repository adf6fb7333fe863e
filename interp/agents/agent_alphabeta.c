/* Alpha-beta search for two sides that hide nothing from each other: iterative deepening, a
 * transposition table, and a search of captures where the depth ends. Chance is weighed by its
 * probabilities (expectimax). Values are in average pieces, from the side of the searching
 * player. */
#include <math.h>
#include <string.h>

#include "agent.h"
#include "interp/vm/fault.h"
#include "interp/vm/game.h"

enum {
    MAX_PLY = 128,         /* decisions and chances ahead */
    CAPTURES = 6,          /* decisions of captures beyond the depth */
    TABLE_SIZE = 1 << 18,  /* entries; a power of two */
    WON = 10000,           /* the value of a won game, less the number of decisions to it */
    CHECK_EVERY = 64       /* nodes between two looks at the clock */
};
static const double PER_MOVE = 0.02; /* of an average piece: what a legal move is worth */

typedef enum bound { BOUND_EXACT, BOUND_LOWER, BOUND_UPPER } bound;

typedef struct entry {
    uint64_t key;
    double value;
    uint32_t best;         /* the number of the best move in the list */
    int16_t depth;
    uint8_t bound;
    uint8_t era;           /* in which it was stored; those of others are forgotten */
} entry;

typedef struct alphabeta {
    fzi_evaluation evaluation;
    fz_state *states[MAX_PLY];
    fz_moves *lists[MAX_PLY];
    entry *table;
    uint8_t era;           /* the present one, from 1 */
    int player;            /* who searches */
    uint64_t nodes, most_nodes;
    double end;            /* on the clock */
    bool stopped;          /* before the depth was complete */
    fz_status status;
} alphabeta;

/* ---- positions ---- */

static void mix(uint64_t *hash, uint64_t word)
{
    *hash = (*hash ^ word) * UINT64_C(0xd6e8feb86659fd93);
    *hash ^= *hash >> 32;
}

/* Of all that decides how the game goes on, but for earlier positions, the number of the turn and
 * the stream of chance. */
static uint64_t hash_of(const fz_state *state)
{
    const fzi_head *head = fzi_head_of(state);
    uint64_t hash = head->pc;
    size_t used = fzi_state_used(state);

    for (size_t at = state->layout->own; at + 8 <= used; at += 8) {
        uint64_t word;
        memcpy(&word, state->block + at, 8);
        mix(&hash, word);
    }
    mix(&hash, (uint64_t)(uint8_t)head->mover | (uint64_t)(uint8_t)head->next_mover << 8 |
                   (uint64_t)(uint8_t)head->decider << 16 | (uint64_t)head->out << 24);
    if (state->program->reads_last)
        mix(&hash, (uint64_t)(uint16_t)head->last_from | (uint64_t)(uint16_t)head->last_to << 16);
    return hash;
}

/* Does the side that searches decide? */
static bool is_ours(const fz_agent *agent, const alphabeta *s, const fz_state *state)
{
    return fzi_same_side(agent->program, (unsigned)fzi_head_of(state)->decider,
                         (unsigned)s->player);
}

static double end_value(const alphabeta *s, const fz_state *state, int ply)
{
    double value = 2 * fz_state_utility(state, s->player) - 1;

    /* Wins soon and losses late. */
    return value * (WON - ply);
}

static double estimate(fz_agent *agent, const alphabeta *s, const fz_state *state, uint32_t moves)
{
    const fzi_evaluation *e = &s->evaluation;
    double mobility = PER_MOVE * moves * (is_ours(agent, s, state) ? 1 : -1);

    return fzi_evaluation_material(e, state, s->player) / e->unit + mobility;
}

/* ---- the table ---- */

/* Forgets what is in the table, which is too large to be cleared for each game of a batch. */
static void forget(alphabeta *s)
{
    if (++s->era)
        return;
    memset(s->table, 0, TABLE_SIZE * sizeof *s->table);
    s->era = 1;
}

static entry *entry_of(const alphabeta *s, uint64_t hash)
{
    return &s->table[hash & (TABLE_SIZE - 1)];
}

/* The table entry of the position; NULL: there is none. */
static const entry *remembered(const alphabeta *s, uint64_t hash)
{
    const entry *e = entry_of(s, hash);

    return e->era == s->era && e->key == hash ? e : NULL;
}

/* True if the entry answers for this depth and window; it may narrow the window. */
static bool answers(const entry *e, int depth, double *alpha, double *beta, double *value)
{
    if (!e || e->depth < depth)
        return false;
    if (e->bound == BOUND_LOWER)
        *alpha = fmax(*alpha, e->value);
    else if (e->bound == BOUND_UPPER)
        *beta = fmin(*beta, e->value);
    *value = e->value;
    return e->bound == BOUND_EXACT || *alpha >= *beta;
}

static void store(alphabeta *s, uint64_t hash, int depth, double value, double alpha, double beta,
                  uint32_t best)
{
    entry *e = entry_of(s, hash);

    /* The value of an end depends on how far it is from here; elsewhere it would be wrong. */
    if (s->stopped || fabs(value) > WON - MAX_PLY)
        return;
    *e = (entry){hash, value, best, (int16_t)depth,
                 value <= alpha ? BOUND_UPPER : value >= beta ? BOUND_LOWER : BOUND_EXACT, s->era};
}

/* ---- the search ---- */

static double value_of(fz_agent *agent, alphabeta *s, int ply, int depth, double alpha,
                       double beta);

/* The state of the ply, made when it is first reached. NULL: memory is short. */
static fz_state *state_at(fz_agent *agent, alphabeta *s, int ply)
{
    if (!s->states[ply])
        s->states[ply] = fzi_agent_state_new(agent);
    if (!s->lists[ply])
        s->lists[ply] = fz_moves_new(agent->machine);
    return s->lists[ply] ? s->states[ply] : NULL;
}

static bool must_stop(alphabeta *s)
{
    if (s->status != FZ_OK || s->nodes >= s->most_nodes ||
        (s->nodes % CHECK_EVERY == 0 && fzi_seconds() >= s->end))
        s->stopped = true;
    return s->stopped;
}

static double fail(alphabeta *s, fz_status status)
{
    s->status = status;
    s->stopped = true;
    return 0;
}

/* Plays the move on the state of the next ply. */
static bool go_down(fz_agent *agent, alphabeta *s, int ply, const fz_move *move)
{
    fz_state *next = state_at(agent, s, ply + 1);
    fz_status status = FZ_NO_MEMORY;

    if (next && fzi_state_copy(next, s->states[ply])) {
        fzi_machine_begin(agent->machine);
        status = fzi_state_take(agent->machine, next, move, FZ_MAX_TURNS, true);
    } else {
        fzi_machine_no_memory(agent->machine);
    }
    if (status != FZ_OK)
        fail(s, status);
    return status == FZ_OK;
}

static double value_of_chance(fz_agent *agent, alphabeta *s, int ply, int depth)
{
    const fz_outcome *outcomes;
    fz_outcome *own;
    size_t count;
    double sum = 0, weight = 0;
    fz_status status = fz_state_outcomes(agent->machine, s->states[ply], &outcomes, &count);

    if (status != FZ_OK)
        return fail(s, status);
    if (!state_at(agent, s, ply + 1) ||
        !(own = fzi_allocate(agent->allocator, count * sizeof *own)))
        return fail(s, fzi_machine_no_memory(agent->machine));
    memcpy(own, outcomes, count * sizeof *own);
    for (size_t i = 0; i < count && !s->stopped; i++) {
        if (!fzi_state_copy(s->states[ply + 1], s->states[ply])) {
            fail(s, fzi_machine_no_memory(agent->machine));
            break;
        }
        fzi_machine_begin(agent->machine);
        status = fzi_state_give_chance(agent->machine, s->states[ply + 1], own[i].value,
                                       FZ_MAX_TURNS, true);
        if (status != FZ_OK) {
            fail(s, status);
            break;
        }
        sum += (double)own[i].weight *
               value_of(agent, s, ply + 1, depth, -INFINITY, INFINITY);
        weight += (double)own[i].weight;
    }
    fzi_release(agent->allocator, own);
    return weight > 0 ? sum / weight : 0;
}

/* The move that comes k-th: the best of an earlier search, then the others in their order. */
static uint32_t in_order(uint32_t k, uint32_t best)
{
    return k == 0 ? best : k <= best ? k - 1 : k;
}

typedef struct window {
    double alpha, beta, value;
    uint32_t best;
    bool maximises;
} window;

/* Takes the value of a move into the window. True: the other side will not let it come to this. */
static bool narrow(window *w, double value, uint32_t move)
{
    if (w->maximises ? value > w->value : value < w->value) {
        w->value = value;
        w->best = move;
    }
    if (w->maximises)
        w->alpha = fmax(w->alpha, w->value);
    else
        w->beta = fmin(w->beta, w->value);
    return w->alpha >= w->beta;
}

/* At the end of the depth: the estimate, or what captures make of it. A side need not capture. */
static double value_of_captures(fz_agent *agent, alphabeta *s, int ply, int left, window w)
{
    const fzi_move_list *list = &s->lists[ply]->list;
    const fzi_evaluation *e = &s->evaluation;
    double own, others;

    fzi_evaluation_count(e, s->states[ply], fzi_head_of(s->states[ply])->decider, &own, &others);
    if (narrow(&w, estimate(agent, s, s->states[ply], list->total), 0) || left == 0 ||
        ply + 1 >= MAX_PLY)
        return w.value;
    for (uint32_t i = 0; i < list->total && !must_stop(s); i++) {
        fz_move move = fzi_agent_move_at(agent, list, i);
        double own_now, others_now;
        int waiting;
        if (!go_down(agent, s, ply, &move))
            break;
        s->nodes++;
        waiting = fzi_head_of(s->states[ply + 1])->waiting;
        fzi_evaluation_count(e, s->states[ply + 1], fzi_head_of(s->states[ply])->decider, &own_now,
                             &others_now);
        if (waiting == FZ_WAITING_CHANCE ||
            (waiting != FZ_GAME_OVER && others_now >= others))
            continue;
        if (narrow(&w, value_of(agent, s, ply + 1, left - 1 - CAPTURES, w.alpha, w.beta), i))
            break;
    }
    return w.value;
}

/* `depth` decisions ahead; from 0 down to -CAPTURES only captures. */
static double value_of(fz_agent *agent, alphabeta *s, int ply, int depth, double alpha, double beta)
{
    fz_state *state = s->states[ply];
    const fzi_head *head = fzi_head_of(state);
    window w = {.alpha = alpha, .beta = beta};
    uint64_t hash;
    uint32_t first = 0;
    fz_status status;

    s->nodes++;
    if (head->waiting == FZ_GAME_OVER)
        return end_value(s, state, ply);
    if (must_stop(s))
        return 0;
    if (head->waiting == FZ_WAITING_CHANCE)
        return ply + 1 < MAX_PLY ? value_of_chance(agent, s, ply, depth) : 0;
    hash = hash_of(state);
    if (depth > 0) {
        const entry *e = remembered(s, hash);
        double known;
        if (answers(e, depth, &w.alpha, &w.beta, &known))
            return known;
        first = e ? e->best : 0;
    }
    status = fzi_agent_list(agent, state, &s->lists[ply]->list);
    if (status != FZ_OK)
        return fail(s, status);
    w.maximises = is_ours(agent, s, state);
    w.value = w.maximises ? -INFINITY : INFINITY;
    if (depth <= 0 || ply + 1 >= MAX_PLY)
        return value_of_captures(agent, s, ply, CAPTURES + depth, w);
    const fzi_move_list *list = &s->lists[ply]->list;
    double from = w.alpha, to = w.beta;
    if (first >= list->total)
        first = 0;
    for (uint32_t k = 0; k < list->total && !s->stopped; k++) {
        uint32_t i = in_order(k, first);
        fz_move move = fzi_agent_move_at(agent, list, i);
        if (!go_down(agent, s, ply, &move))
            break;
        if (narrow(&w, value_of(agent, s, ply + 1, depth - 1, w.alpha, w.beta), i))
            break;
    }
    store(s, hash, depth, w.value, from, to, w.best);
    return w.value;
}

/* ---- the root ---- */

/* One depth. `order` has the moves, the best first afterwards. False: it was stopped before it knew
 * the value of one move. */
static bool search_root(fz_agent *agent, alphabeta *s, const fzi_move_list *list, int depth,
                        uint32_t *order, double *value)
{
    window w = {-INFINITY, INFINITY, -INFINITY, 0, true};
    bool any = false;

    for (uint32_t k = 0; k < list->total; k++) {
        fz_move move = fzi_agent_move_at(agent, list, order[k]);
        double found;
        if (!go_down(agent, s, 0, &move))
            break;
        found = value_of(agent, s, 1, depth - 1, w.alpha, w.beta);
        if (s->stopped)
            break;
        any = true;
        narrow(&w, found, k);
    }
    if (any) {
        uint32_t best = order[w.best];
        memmove(order + 1, order, w.best * sizeof *order);
        order[0] = best;
        *value = w.value;
    }
    return any;
}

/* Moves of equal value are drawn evenly: the order begins shuffled. */
static uint32_t *shuffled(fz_agent *agent, uint32_t count)
{
    uint32_t *order = fzi_allocate(agent->allocator, count * sizeof *order);

    for (uint32_t i = 0; order && i < count; i++) {
        uint32_t j = fzi_agent_below(agent, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    return order;
}

static fz_status choose_alphabeta(fz_agent *agent, const fz_state *state, fzi_move_list *list,
                                  fz_move *move)
{
    alphabeta *s = agent->own;
    const fzi_effort *effort = &agent->settings.effort;
    int deepest = effort->count && effort->count < MAX_PLY ? (int)effort->count : MAX_PLY - 1;
    uint32_t *order = shuffled(agent, list->total);
    double value = 0;

    if (!order || !state_at(agent, s, 0) || !fzi_state_copy(s->states[0], state)) {
        fzi_release(agent->allocator, order);
        return fzi_machine_no_memory(agent->machine);
    }
    if (s->player != fzi_head_of(state)->decider)
        forget(s);
    s->player = fzi_head_of(state)->decider;
    s->nodes = 0;
    s->most_nodes = (uint64_t)agent->settings.values[0];
    s->end = effort->seconds > 0 ? fzi_seconds() + effort->seconds : INFINITY;
    s->stopped = false;
    s->status = FZ_OK;
    for (int depth = 1; depth <= deepest && !s->stopped; depth++) {
        if (search_root(agent, s, list, depth, order, &value) &&
            fabs(value) > WON - MAX_PLY) /* won or lost, whatever follows */
            break;
    }
    *move = fzi_agent_move_at(agent, list, order[0]);
    fzi_release(agent->allocator, order);
    return s->status;
}

/* ---- the agent ---- */

static fz_status open_alphabeta(fz_agent *agent)
{
    unsigned side_of[FZ_MAX_PLAYERS];
    alphabeta *s;

    if (fzi_sides(agent->program, side_of) != 2)
        return fzi_machine_say(agent->machine, FZ_REFUSED,
                               "agent 'alphabeta' plays only games of two sides");
    s = fzi_allocate(agent->allocator, sizeof *s);
    if (!s)
        return fzi_machine_no_memory(agent->machine);
    *s = (alphabeta){.player = -1, .era = 1};
    agent->own = s;
    s->table = fzi_allocate(agent->allocator, TABLE_SIZE * sizeof *s->table);
    if (!s->table)
        return fzi_machine_no_memory(agent->machine);
    memset(s->table, 0, TABLE_SIZE * sizeof *s->table);
    return fzi_evaluation_make(agent, &s->evaluation);
}

static void close_alphabeta(fz_agent *agent)
{
    alphabeta *s = agent->own;

    if (!s)
        return;
    for (int ply = 0; ply < MAX_PLY; ply++) {
        fz_state_free(s->states[ply]);
        fz_moves_free(s->lists[ply]);
    }
    FZI_RELEASE(agent->allocator, s->table, s);
}

/* A game is a function of its seed: nothing that an earlier game found may matter. */
static void begin_alphabeta(fz_agent *agent)
{
    forget(agent->own);
}

const fzi_agent_class fzi_agent_alphabeta = {.open = open_alphabeta, .close = close_alphabeta,
                                             .begin = begin_alphabeta,
                                             .choose = choose_alphabeta};
