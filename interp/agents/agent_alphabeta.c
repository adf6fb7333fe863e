/* Alpha-beta search for two sides that hide nothing from each other: iterative deepening, a
 * transposition table, killer moves and a history of moves, and a search of captures where the
 * depth ends. Chance is weighed by its probabilities (expectimax). Values are in average pieces,
 * from the side of the searching player. */
#include <math.h>
#include <string.h>

#include "agent.h"
#include "interp/count/counting.h"
#include "interp/text/notation.h"
#include "interp/vm/fault.h"
#include "interp/vm/filter.h"
#include "interp/vm/game.h"

enum {
    MAX_PLY = 128,         /* decisions and chances ahead */
    CAPTURES = 6,          /* decisions of captures beyond the depth, where they are few */
    TABLE_SIZE = 1 << 18,  /* entries; a power of two */
    WON = 10000,           /* the value of a won game, less the number of decisions to it */
    CHECK_EVERY = 64,      /* nodes between two looks at the clock */
    HISTORY = 1 << 12,     /* numbers of moves; a power of two */
    SURVEYED = 12, SURVEY_DEPTH = 80, /* games, and decisions of each */
    QUIET_TRIES = 8        /* plays of an option after which it is taken for quiet */
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

/* A move of a list, and how early it is tried. */
typedef struct candidate {
    fz_move move;
    uint32_t number;
    float rank;            /* of a capture: what it takes. Others have RANK_ something */
    bool known;            /* that it captures */
} candidate;

/* The data of one ply of the search. */
typedef struct level {
    fz_state *state;       /* those below the first borrow its history */
    fz_moves *moves;
    bool listed;           /* the list has the candidates of the state */
    candidate *candidates;
    size_t room;
    fz_move killers[2];    /* quiet moves that were too good here, the latest first */
} level;

/* Statistics of an option: plays in which no enemy stood on the target, and those of them that took
 * something or ended the game all the same. */
typedef struct option_use {
    uint32_t tries, loud;
} option_use;

typedef struct alphabeta {
    fzi_evaluation evaluation;
    level levels[MAX_PLY];
    entry *table;
    uint8_t era;           /* the present one, from 1 */
    option_use *options;
    fzi_live *live, *choosing; /* registers by place in the code; see fzi_live_all */
    int captures;          /* decisions of captures beyond the depth */
    float history[HISTORY]; /* how often a move was too good */
    int player;            /* who searches */
    uint64_t nodes, most_nodes;
    bool stopped;          /* before the depth was complete */
    fz_status status;
} alphabeta;

/* ---- positions ---- */

/* A hash of all that decides the rest of the game, except earlier positions, the number of the turn
 * and the stream of chance. */
static uint64_t hash_of(const alphabeta *s, const fz_state *state)
{
    const fzi_head *head = fzi_head_of(state);
    fzi_position_key key = fzi_position_key_of(state, 0);

    fzi_key_mix(&key, (uint64_t)(uint8_t)head->mover | (uint64_t)(uint8_t)head->decider << 8);
    fzi_key_mix_frames(&key, state, s->live, head->pendings ? s->live : s->choosing);
    return key.place;
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

static double material(const alphabeta *s, const fz_state *state)
{
    return fzi_evaluation_material(&s->evaluation, state, s->player) / s->evaluation.unit;
}

/* ---- the table ---- */

/* Forgets what is in the table, which is too large to be cleared for each game of a batch. */
static void forget(alphabeta *s)
{
    memset(s->history, 0, sizeof s->history);
    for (int ply = 0; ply < MAX_PLY; ply++)
        memset(s->levels[ply].killers, 0, sizeof s->levels[ply].killers);
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

/* ---- moves and captures ---- */

/* The value of the piece that the move displaces; 0: there is none, or of the own side. */
static double displaced(const alphabeta *s, const fz_state *state, const fz_move *move)
{
    const fz_program *p = state->program;
    int binding = p->options[move->option].to, kind, owner;

    if (binding < 0 || binding >= move->count)
        return 0;
    fz_state_piece(state, move->values[binding], &kind, &owner);
    if (kind < 0 || owner < 0 ||
        fzi_same_side(p, (unsigned)owner, (unsigned)fzi_head_of(state)->decider))
        return 0;
    return s->evaluation.kinds[kind];
}

/* Is a move of the option that displaces nothing quiet, as far as is known? */
static bool is_quiet(const option_use *use)
{
    return use->tries >= QUIET_TRIES && !use->loud;
}

/* The total worth of the pieces of the decider's enemies. */
static double of_enemies(const alphabeta *s, const fz_state *state, int decider)
{
    double own, others;

    fzi_evaluation_count(&s->evaluation, state, decider, &own, &others);
    return others;
}

/* Plays a move of the scratch state and looks whether it is quiet. */
static fz_status survey_move(fz_agent *agent, alphabeta *s, const fz_move *move, option_use *all)
{
    fz_state *state = agent->scratch;
    int decider = fzi_head_of(state)->decider;
    bool displaces = displaced(s, state, move) > 0, takes;
    double before = of_enemies(s, state, decider);
    fz_status status = fzi_agent_take(agent, state, move);

    if (status != FZ_OK)
        return status;
    takes = of_enemies(s, state, decider) < before;
    all->tries++;
    all->loud += takes;
    if (!displaces) {
        s->options[move->option].tries++;
        s->options[move->option].loud += takes || fzi_head_of(state)->waiting == FZ_GAME_OVER;
    }
    return FZ_OK;
}

/* Learns from random games which options capture only by displacing. Where most moves capture, no
 * position is quiet, and captures are not searched apart. A game that fails is left. */
static fz_status survey_options(fz_agent *agent, alphabeta *s)
{
    uint64_t key = fzi_chance_key(UINT64_C(0xe7a2), 0), counter = 0;
    fz_state *state = agent->scratch;
    fzi_move_list *list = &agent->moves->list;
    option_use all = {0, 0};
    fz_status status = FZ_OK;

    for (uint64_t game = 0; game < SURVEYED && status != FZ_NO_MEMORY; game++) {
        fzi_machine_begin(agent->machine);
        fzi_state_reset(state, fzi_chance_key(key, game), 0);
        status = fzi_state_go(agent->machine, state, 0);
        for (unsigned i = 0; status == FZ_OK && i < SURVEY_DEPTH; i++) {
            fz_move move;
            if (fzi_head_of(state)->waiting != FZ_WAITING_MOVE)
                break;
            status = fzi_agent_list(agent, state, list);
            if (status != FZ_OK)
                break;
            move = fzi_agent_move_at(agent, list, fzi_chance_below(key, &counter, list->total));
            status = survey_move(agent, s, &move, &all);
        }
    }
    s->captures = 2 * all.loud < all.tries ? CAPTURES : 0;
    return status == FZ_NO_MEMORY ? status : FZ_OK;
}

/* ---- the order of moves ---- */

static const float RANK_BEST = 3e9f, RANK_CAPTURE = 2e9f, RANK_KILLER = 1e9f;

static float *history_of(alphabeta *s, const fz_move *move)
{
    fzi_position_key key = {move->option, move->count};

    for (unsigned i = 0; i < move->count; i++)
        fzi_key_mix(&key, (uint64_t)(uint32_t)move->values[i]);
    return &s->history[key.place & (HISTORY - 1)];
}

/* A quiet move was too good: it may be so elsewhere. */
static void note_cut(alphabeta *s, level *l, const candidate *c, int depth)
{
    if (c->known)
        return;
    *history_of(s, &c->move) += (float)(depth * depth);
    if (fzi_move_same(&l->killers[0], &c->move))
        return;
    l->killers[1] = l->killers[0];
    l->killers[0] = c->move;
}

static float rank_of(alphabeta *s, const level *l, const candidate *c, double takes, bool best)
{
    if (best)
        return RANK_BEST;
    if (takes > 0) /* of equal ones in the order of the list: the ranks are coarse */
        return RANK_CAPTURE + (float)(takes / s->evaluation.unit) * 1e4f;
    for (int i = 0; i < 2; i++)
        if (fzi_move_same(&l->killers[i], &c->move))
            return RANK_KILLER - (float)i * 1e4f;
    return *history_of(s, &c->move);
}

/* All moves of the level's list, with ranks; `loud`: only those that may capture or end the game.
 * `*count`: how many. False: memory is short. */
static bool rank_moves(fz_agent *agent, alphabeta *s, level *l, uint32_t best, bool loud,
                       uint32_t *count)
{
    const fzi_move_list *list = &l->moves->list;
    fzi_cursor cursor = FZI_CURSOR_AT(0);
    candidate c = {.number = 0};

    *count = 0;
    if (!fzi_make_room(agent->allocator, &l->candidates, &l->room, list->total,
                       sizeof *l->candidates))
        return false;
    for (; fzi_move_list_next(list, &cursor, UINT32_MAX, &c.move); c.number++) {
        double takes = displaced(s, l->state, &c.move);
        c.known = takes > 0;
        if (loud && !c.known && is_quiet(&s->options[c.move.option]))
            continue;
        c.rank = loud ? (float)takes : rank_of(s, l, &c, takes, c.number == best);
        l->candidates[(*count)++] = c;
    }
    return true;
}

/* Brings the first of those with the highest rank to the front, the others keep their order. */
static const candidate *next_of(candidate *from, uint32_t count)
{
    candidate best = from[0];
    uint32_t at = 0;

    for (uint32_t i = 1; i < count; i++) {
        if (from[i].rank > best.rank) {
            best = from[i];
            at = i;
        }
    }
    memmove(from + 1, from, at * sizeof *from);
    from[0] = best;
    return from;
}

/* ---- the search ---- */

static double value_of(fz_agent *agent, alphabeta *s, int ply, int depth, double alpha,
                       double beta);

/* The level of the ply, made when it is first reached. NULL: memory is short. */
static level *level_at(fz_agent *agent, alphabeta *s, int ply)
{
    level *l = &s->levels[ply];

    if (!l->state)
        l->state = ply ? fzi_scratch_new(agent->machine) : fzi_agent_state_new(agent);
    if (!l->moves)
        l->moves = fz_moves_new(agent->machine);
    return l->state && l->moves ? l : NULL;
}

static bool must_stop(const fz_agent *agent, alphabeta *s)
{
    if (s->status != FZ_OK || s->nodes >= s->most_nodes ||
        (s->nodes % CHECK_EVERY == 0 && fzi_cancelled(&agent->thinking)))
        s->stopped = true;
    return s->stopped;
}

static double fail(alphabeta *s, fz_status status)
{
    s->status = status;
    s->stopped = true;
    return 0;
}

/* Plays the move on a copy, which is the next ply. False: the search has failed. */
static bool go_down(fz_agent *agent, alphabeta *s, int ply, const fz_move *move)
{
    level *next = level_at(agent, s, ply + 1);
    fz_status status = FZ_OK;

    fzi_machine_begin(agent->machine);
    if (next && fzi_state_borrow(next->state, s->levels[ply].state))
        status = fzi_state_take_listing(agent->machine, next->state, move, FZ_MAX_TURNS, true,
                                        &next->moves->list);
    else
        status = fzi_machine_no_memory(agent->machine);
    if (status != FZ_OK)
        fail(s, status);
    else
        next->listed = true;
    return status == FZ_OK;
}

/* The legal moves of the level. */
static bool list_moves(fz_agent *agent, alphabeta *s, level *l)
{
    fz_machine *m = agent->machine;
    fz_status status = FZ_OK;

    if (l->listed) {
        fzi_run run = fzi_run_of(m, l->state, FZ_RUN_GATHER);
        run.list = &l->moves->list;
        fzi_machine_begin(m);
        status = fzi_move_list_prune(m, &run) ? FZ_OK : fzi_machine_fail(m);
    } else {
        status = fzi_agent_list(agent, l->state, &l->moves->list);
    }
    if (status != FZ_OK)
        fail(s, status);
    return status == FZ_OK;
}

/* The mean of what follows the results. Where the depth ends nothing does, and a result that leads
 * to chance again uses up depth: else chains of chance would have no end. */
static double value_of_chance(fz_agent *agent, alphabeta *s, int ply, int depth)
{
    level *l = &s->levels[ply], *next = level_at(agent, s, ply + 1);
    const fz_outcome *outcomes;
    fz_outcome *own;
    size_t count;
    double sum = 0, weight = 0;
    fz_status status;

    if (depth <= 0)
        return material(s, l->state);
    status = fz_state_outcomes(agent->machine, l->state, &outcomes, &count);
    if (status != FZ_OK)
        return fail(s, status);
    if (!next || !(own = fzi_allocate(agent->allocator, count * sizeof *own)))
        return fail(s, fzi_machine_no_memory(agent->machine));
    memcpy(own, outcomes, count * sizeof *own);
    for (size_t i = 0; i < count && !s->stopped; i++) {
        bool again;
        fzi_machine_begin(agent->machine);
        status = fzi_state_borrow(next->state, l->state)
                     ? fzi_state_give_chance(agent->machine, next->state, own[i].value,
                                             FZ_MAX_TURNS, true)
                     : fzi_machine_no_memory(agent->machine);
        if (status != FZ_OK) {
            fail(s, status);
            break;
        }
        next->listed = false;
        again = fzi_head_of(next->state)->waiting == FZ_WAITING_CHANCE;
        sum += (double)own[i].weight *
               value_of(agent, s, ply + 1, depth - again, -INFINITY, INFINITY);
        weight += (double)own[i].weight;
    }
    fzi_release(agent->allocator, own);
    return weight > 0 ? sum / weight : 0;
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

/* At the end of the depth: the estimate, or what captures make of it. A side need not capture. Its
 * moves only add to its material, so if that is too good, they need not be listed. */
static double value_of_captures(fz_agent *agent, alphabeta *s, int ply, int left, window w)
{
    level *l = &s->levels[ply];
    double pieces = material(s, l->state), before, per_move = s->evaluation.learned ? 0 : PER_MOVE;
    int decider = fzi_head_of(l->state)->decider;
    uint32_t count = 0;

    if (w.maximises ? pieces >= w.beta : pieces <= w.alpha)
        return pieces;
    if (!list_moves(agent, s, l))
        return 0;
    if (narrow(&w, pieces + per_move * l->moves->list.total * (w.maximises ? 1 : -1), 0) ||
        left <= 0 || ply + 1 >= MAX_PLY)
        return w.value;
    if (!rank_moves(agent, s, l, 0, true, &count))
        return fail(s, fzi_machine_no_memory(agent->machine));
    before = of_enemies(s, l->state, decider);
    for (uint32_t i = 0; i < count && !must_stop(agent, s); i++) {
        const candidate *c = next_of(l->candidates + i, count - i);
        const fz_state *after;
        if (!go_down(agent, s, ply, &c->move))
            break;
        after = s->levels[ply + 1].state;
        if (fzi_head_of(after)->waiting == FZ_WAITING_CHANCE ||
            (!c->known && fzi_head_of(after)->waiting != FZ_GAME_OVER &&
             of_enemies(s, after, decider) >= before)) {
            s->nodes++;
            continue;
        }
        if (narrow(&w, value_of(agent, s, ply + 1, left - 1 - s->captures, w.alpha, w.beta), i))
            break;
    }
    return w.value;
}

/* `depth` decisions ahead; from 0 down to -captures only captures. */
static double value_of(fz_agent *agent, alphabeta *s, int ply, int depth, double alpha, double beta)
{
    level *l = &s->levels[ply];
    const fzi_head *head = fzi_head_of(l->state);
    window w = {.alpha = alpha, .beta = beta};
    const entry *e;
    uint64_t hash;
    uint32_t count = 0;
    double from, to, known;

    s->nodes++;
    if (head->waiting == FZ_GAME_OVER)
        return end_value(s, l->state, ply);
    if (must_stop(agent, s))
        return 0;
    if (head->waiting == FZ_WAITING_CHANCE)
        return ply + 1 < MAX_PLY ? value_of_chance(agent, s, ply, depth) : 0;
    w.maximises = is_ours(agent, s, l->state);
    w.value = w.maximises ? -INFINITY : INFINITY;
    if (depth <= 0 || ply + 1 >= MAX_PLY)
        return value_of_captures(agent, s, ply, s->captures + depth, w);
    hash = hash_of(s, l->state);
    e = remembered(s, hash);
    if (answers(e, depth, &w.alpha, &w.beta, &known))
        return known;
    if (!list_moves(agent, s, l))
        return 0;
    if (!rank_moves(agent, s, l, e ? e->best : UINT32_MAX, false, &count))
        return fail(s, fzi_machine_no_memory(agent->machine));
    from = w.alpha;
    to = w.beta;
    for (uint32_t i = 0; i < count && !s->stopped; i++) {
        const candidate *c = next_of(l->candidates + i, count - i);
        if (!go_down(agent, s, ply, &c->move))
            break;
        if (narrow(&w, value_of(agent, s, ply + 1, depth - 1, w.alpha, w.beta), c->number)) {
            note_cut(s, l, c, depth);
            break;
        }
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

    if (!order || !level_at(agent, s, 0) || !fzi_state_copy(s->levels[0].state, state)) {
        fzi_release(agent->allocator, order);
        return fzi_machine_no_memory(agent->machine);
    }
    if (s->player != fzi_head_of(state)->decider)
        forget(s);
    s->player = fzi_head_of(state)->decider;
    s->nodes = 0;
    s->most_nodes = (uint64_t)agent->settings.values[0];
    fzi_agent_think(agent);
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
    size_t live = (agent->program->code_length + 1) * sizeof(fzi_live);
    unsigned side_of[FZ_MAX_PLAYERS];
    fz_status status;
    alphabeta *s;

    if (fzi_sides(agent->program, side_of) != 2)
        return fzi_machine_say(agent->machine, FZ_REFUSED,
                               "agent 'alphabeta' plays only games of two sides");
    s = fzi_allocate(agent->allocator, sizeof *s);
    if (!s)
        return fzi_machine_no_memory(agent->machine);
    *s = (alphabeta){.player = -1, .era = 1};
    agent->own = s;
    s->table = fzi_allocate_zeroed(agent->allocator, TABLE_SIZE * sizeof *s->table);
    s->options = fzi_allocate_zeroed(agent->allocator,
                                     agent->program->option_count * sizeof *s->options);
    s->live = fzi_allocate_zeroed(agent->allocator, live);
    s->choosing = fzi_allocate(agent->allocator, live);
    if (!s->table || !s->options || !s->live || !s->choosing)
        return fzi_machine_no_memory(agent->machine);
    fzi_live_all(agent->program, s->live, s->choosing);
    status = fzi_evaluation_make(agent, &s->evaluation);
    return status == FZ_OK ? survey_options(agent, s) : status;
}

static void close_alphabeta(fz_agent *agent)
{
    alphabeta *s = agent->own;

    if (!s)
        return;
    for (int ply = 0; ply < MAX_PLY; ply++) {
        level *l = &s->levels[ply];
        if (ply)
            fzi_scratch_free(agent->machine, l->state);
        else
            fz_state_free(l->state);
        fz_moves_free(l->moves);
        fzi_release(agent->allocator, l->candidates);
    }
    FZI_RELEASE(agent->allocator, s->table, s->options, s->live, s->choosing, s);
}

/* A game is a function of its seed: nothing that an earlier game found may matter. */
static void begin_alphabeta(fz_agent *agent)
{
    forget(agent->own);
}

const fzi_agent_class fzi_agent_alphabeta = {.open = open_alphabeta, .close = close_alphabeta,
                                             .begin = begin_alphabeta,
                                             .choose = choose_alphabeta};
