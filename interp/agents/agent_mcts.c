/* Monte Carlo tree search: UCT for any number of players. In games without chance a node is one
 * position (a closed loop), and ends that are found prove the results of the moves before them.
 * With chance a node is a sequence of moves (an open loop): moves are listed again at each
 * visit, and a move's share of the visits counts only those in which it was legal. In games that
 * hide something each iteration begins in one of several positions that the player holds possible.
 */
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "agent.h"
#include "ferz_tools.h"
#include "interp/text/determinize.h"
#include "interp/vm/fault.h"

enum { MAX_TREES = 64, MAX_PATH = 4096, MAX_WORLDS = 256 };
enum { TRIES = 30 };       /* courses of the game for one world */

enum { SETTING_C, SETTING_DEPTH, SETTING_TREES, SETTING_WORLDS };

typedef struct mcts {
    fzi_evaluation evaluation;
    fzi_tree tree;
    bool open_loop, hides;
    bool proves;               /* the utility of an end does not change, and nothing else decides */
    fzi_worlds knowledge;
    fz_state *worlds[MAX_WORLDS]; /* of this search; helpers borrow them */
    unsigned world_count, next_world;
    uint32_t path[MAX_PATH];
    int8_t deciders[MAX_PATH]; /* who chose at each node of the path */
    size_t length;
    fz_moves *moves;           /* of the imagined state */
    fz_agent *helpers[MAX_TREES];
    unsigned helper_count;
    const fz_state *root;      /* of the search that runs */
    uint32_t plies;            /* decisions before the tree's root */
    fz_status status;          /* of a helper's search */
} mcts;

/* ---- one iteration ---- */

/* Gives the node a child for each legal move. */
static fz_status expand(fz_agent *agent, mcts *s, uint32_t node)
{
    const fzi_move_list *list = &s->moves->list;

    if (!fzi_tree_expand(&s->tree, node, list->total))
        return FZ_NOT_FOUND;
    for (uint32_t i = 0; i < list->total; i++)
        s->tree.moves[s->tree.nodes[node].first + i] = fzi_agent_move_at(agent, list, i);
    return FZ_OK;
}

/* Marks the children that are legal now as available, and adds those that are new. */
static fz_status note_available(fz_agent *agent, mcts *s, uint32_t node)
{
    const fzi_move_list *list = &s->moves->list;
    uint32_t place = 0;

    for (uint32_t i = 0; i < list->total; i++) {
        fz_move move = fzi_agent_move_at(agent, list, i);
        uint32_t child = fzi_tree_find(&s->tree, node, &move, place);
        if (child == FZ_NO_NODE)
            child = fzi_tree_insert(&s->tree, node, &move, place);
        if (child == FZ_NO_NODE)
            return FZ_NOT_FOUND;
        s->tree.nodes[child].available++;
        place = child - s->tree.nodes[node].first + 1;
    }
    return FZ_OK;
}

typedef struct pick {
    uint32_t node;
    double score;
    uint64_t fresh;           /* children without a visit so far */
    uint64_t equals;          /* children with this score so far */
    double visits, log;       /* of the latest child; those of the next are often the same */
} pick;

/* Upper confidence bound; a proven child has no uncertainty. Fresh children come first. Evenly
 * among equals: with few iterations most children are, and the order of the list must not show. */
static void weigh(fz_agent *agent, const mcts *s, uint32_t node, uint32_t child, pick *best)
{
    const fzi_search_node *c = &s->tree.nodes[child];
    double score, visits = s->open_loop ? c->available : s->tree.nodes[node].visits;

    if (!c->visits) {
        if (fzi_agent_takes(agent, 0, &best->fresh))
            best->node = child;
        return;
    }
    if (best->fresh)
        return;
    if (visits != best->visits) {
        best->visits = visits;
        best->log = log(visits + 1);
    }
    score = fzi_tree_proven(&s->tree, child, s->tree.nodes[node].decider);
    if (isnan(score))
        score = c->mean + agent->settings.values[SETTING_C] * sqrt(best->log / c->visits);
    if (fzi_agent_takes(agent, fzi_order_of(score, best->score), &best->equals)) {
        best->node = child;
        best->score = score;
    }
}

/* The best child of a closed loop if it is clearly so: no score is about as good as the best before
 * it, and none is fresh. This needs no divisions and no branches that depend on scores. */
static uint32_t clearly_best(const fz_agent *agent, const mcts *s, const fzi_search_node *parent)
{
    const double c = agent->settings.values[SETTING_C], near = 1e-9 * (1 + c);
    const fzi_search_node *children = s->tree.nodes + parent->first;
    double root = c * sqrt(log(parent->visits + 1.0)), most = -1;
    bool clear = true;
    uint32_t best = 0;

    for (uint32_t i = 0; i < parent->count; i++) {
        double score = children[i].mean + root * children[i].spread;
        if (children[i].proof)
            score = fzi_tree_proven(&s->tree, parent->first + i, parent->decider);
        clear &= (children[i].visits > 0) & (fabs(score - most) > near);
        best = score > most ? i : best;
        most = score > most ? score : most;
    }
    return clear ? parent->first + best : FZ_NO_NODE;
}

static uint32_t choose_child(fz_agent *agent, const mcts *s, uint32_t node)
{
    const fzi_move_list *list = &s->moves->list;
    const fzi_search_node *parent = &s->tree.nodes[node];
    pick best = {0};

    if (!s->open_loop) {
        best.node = clearly_best(agent, s, parent);
        for (uint32_t i = 0, clear = best.node; i < parent->count && !clear; i++)
            weigh(agent, s, node, parent->first + i, &best);
        return best.node;
    }
    for (uint32_t i = 0, place = 0; i < list->total; i++) {
        fz_move move = fzi_agent_move_at(agent, list, i);
        uint32_t child = fzi_tree_find(&s->tree, node, &move, place);
        weigh(agent, s, node, child, &best);
        place = child - parent->first + 1;
    }
    return best.node;
}

/* The child to go to; FZ_NO_NODE in `next`: the tree ends here. */
static fz_status descend(fz_agent *agent, mcts *s, uint32_t node, const fz_state *state,
                         uint32_t *next)
{
    fz_status status = FZ_OK;

    *next = FZ_NO_NODE;
    s->tree.nodes[node].decider = fzi_head_of(state)->decider;
    if (s->length == MAX_PATH || fzi_tree_settled(&s->tree, node))
        return FZ_OK;
    if (s->open_loop || !s->tree.nodes[node].expanded) {
        status = fzi_agent_list(agent, state, &s->moves->list);
        if (status == FZ_OK)
            status = s->open_loop ? note_available(agent, s, node) : expand(agent, s, node);
    }
    if (status == FZ_NOT_FOUND) /* the tree is full: the playout begins here */
        return FZ_OK;
    if (status == FZ_OK)
        *next = choose_child(agent, s, node);
    return status;
}

/* Replaces what an iteration found by what is proven about the node. */
static void correct(const fzi_tree *tree, uint32_t node, double *utilities)
{
    for (unsigned p = 0; p < tree->players; p++) {
        double proven = fzi_tree_proven(tree, node, (int)p);
        if (!isnan(proven))
            utilities[p] = proven;
    }
}

/* `settled`: the last node of the path was before this iteration. Its mean stays what samples gave,
 * for the choice among moves that are proven equal. */
static void add_values(mcts *s, double *utilities, bool settled)
{
    s->tree.nodes[1].visits++;
    for (size_t i = s->length; i-- > 1;) {
        fzi_search_node *node = &s->tree.nodes[s->path[i]];
        if (node->proof)
            correct(&s->tree, s->path[i], utilities);
        if (settled && i == s->length - 1)
            continue;
        node->visits++;
        node->value += utilities[s->deciders[i - 1]];
        node->mean = node->value / node->visits;
        node->spread = 1 / sqrt(node->visits);
    }
}

/* The utilities at the end of the path: of the end itself, or of a playout from here. Not of a
 * settled node. */
static fz_status value_leaf(fz_agent *agent, mcts *s, fz_state *state, double *utilities)
{
    bool over = fzi_head_of(state)->waiting == FZ_GAME_OVER;
    unsigned players = agent->program->player_count;
    fz_status status;

    status = fzi_agent_play_on(agent, state, (uint64_t)agent->settings.values[SETTING_DEPTH]);
    if (status != FZ_OK)
        return status;
    for (unsigned p = 0; p < players; p++)
        utilities[p] = fzi_evaluation_utility(agent, &s->evaluation, state, (int)p);
    if (over && s->proves && !fzi_tree_prove(&s->tree, s->path, s->length, utilities))
        return fzi_machine_no_memory(agent->machine);
    return FZ_OK;
}

static fz_status iterate(fz_agent *agent, mcts *s)
{
    fz_state *state = agent->scratch;
    double utilities[FZ_MAX_PLAYERS] = {0};
    uint32_t node = 1;
    bool settled;
    const fz_state *from = s->hides ? s->worlds[s->next_world++ % s->world_count] : s->root;
    fz_status status = fzi_agent_imagine(agent, state, from);

    s->path[0] = 1;
    s->length = 1;
    while (status == FZ_OK && fzi_head_of(state)->waiting == FZ_WAITING_MOVE) {
        bool fresh = node != 1 && !s->tree.nodes[node].visits;
        uint32_t next = FZ_NO_NODE;
        if (fresh) /* a new node: the playout begins here */
            break;
        status = descend(agent, s, node, state, &next);
        if (status != FZ_OK || next == FZ_NO_NODE)
            break;
        s->deciders[s->length - 1] = s->tree.nodes[node].decider;
        s->path[s->length++] = node = next;
        status = fzi_agent_take(agent, state, &s->tree.moves[node]);
    }
    settled = fzi_tree_settled(&s->tree, node);
    if (status == FZ_OK && !settled)
        status = value_leaf(agent, s, state, utilities);
    if (status == FZ_OK)
        add_values(s, utilities, settled);
    fzi_agent_resume(agent, state);
    return status;
}

/* ---- the search ---- */

static fz_status search(fz_agent *agent, mcts *s)
{
    const fzi_effort *effort = &agent->settings.effort;
    double end = effort->seconds > 0 ? fzi_seconds() + effort->seconds : INFINITY;
    fz_status status = FZ_OK;

    for (uint64_t i = 0; status == FZ_OK; i++) {
        if (effort->count ? i >= effort->count : i > 0 && fzi_seconds() >= end)
            break;
        if (!isnan(fzi_tree_proven(&s->tree, 1, fzi_head_of(s->root)->decider)))
            break;
        status = iterate(agent, s);
    }
    return status;
}

static void *helper_search(void *argument)
{
    fz_agent *agent = argument;
    mcts *s = agent->own;

    s->status = fzi_tree_reset(&s->tree) ? search(agent, s) : fzi_machine_no_memory(agent->machine);
    return NULL;
}

/* All trees, each in a thread of its own where there is one to be had. */
static fz_status search_all(fz_agent *agent, mcts *s)
{
    pthread_t threads[MAX_TREES];
    bool running[MAX_TREES] = {false};
    fz_status status;

    for (unsigned i = 0; i < s->helper_count; i++) {
        ((mcts *)s->helpers[i]->own)->root = s->root;
        running[i] = !pthread_create(&threads[i], NULL, helper_search, s->helpers[i]);
    }
    status = search(agent, s);
    for (unsigned i = 0; i < s->helper_count; i++) {
        const mcts *other = s->helpers[i]->own;
        if (running[i])
            pthread_join(threads[i], NULL);
        else
            helper_search(s->helpers[i]);
        if (status == FZ_OK && other->status != FZ_OK)
            status = fzi_machine_say(agent->machine, other->status, "%s",
                                     fz_agent_message(s->helpers[i]));
    }
    return status;
}

/* The sums of all trees for a move at the root. */
typedef struct verdict {
    uint64_t visits;
    double value;             /* sum of the visits */
    double proven;            /* NAN: nothing */
} verdict;

static void add_verdict(const mcts *s, const fz_move *move, int decider, verdict *sum)
{
    uint32_t child = fzi_tree_find(&s->tree, 1, move, 0);

    if (child == FZ_NO_NODE)
        return;
    sum->visits += s->tree.nodes[child].visits;
    sum->value += s->tree.nodes[child].value;
    if (isnan(sum->proven))
        sum->proven = fzi_tree_proven(&s->tree, child, decider);
}

static double mean(const verdict *v)
{
    return v->visits ? v->value / (double)v->visits : -1;
}

/* Of two unproven moves. */
static int order_of_visited(const verdict *a, const verdict *b)
{
    if (a->visits != b->visits)
        return a->visits > b->visits ? 1 : -1;
    return fzi_order_of(a->value, b->value);
}

/* Of two proven moves. The mean shows where an opponent who does not see the proof goes wrong. */
static int order_of_proven(const verdict *a, const verdict *b)
{
    int order = fzi_order_of(a->proven, b->proven);

    return order ? order : fzi_order_of(mean(a), mean(b));
}

/* The move with the most visits, or a proven one that is at least as good. Evenly among equals. */
static fz_move best_move(fz_agent *agent, const mcts *s, const fzi_move_list *list, int decider)
{
    verdict visited = {0}, proven = {0};
    uint32_t most = 0, best = 0;
    uint64_t equals = 0, proven_equals = 0;

    for (uint32_t i = 0; i < list->total; i++) {
        fz_move move = fzi_agent_move_at(agent, list, i);
        verdict v = {.proven = NAN};
        add_verdict(s, &move, decider, &v);
        for (unsigned h = 0; h < s->helper_count; h++)
            add_verdict(s->helpers[h]->own, &move, decider, &v);
        if (!isnan(v.proven)) {
            if (fzi_agent_takes(agent, order_of_proven(&v, &proven), &proven_equals)) {
                proven = v;
                best = i;
            }
        } else if (fzi_agent_takes(agent, order_of_visited(&v, &visited), &equals)) {
            visited = v;
            most = i;
        }
    }
    /* Any hope is better than a proven loss. */
    if (equals && (!proven_equals || proven.proven <= 0 || proven.proven < mean(&visited)))
        best = most;
    return fzi_agent_move_at(agent, list, best);
}

/* Is the tree about this position? Somebody may have taken moves back. */
static bool fits(fz_agent *agent, const mcts *s, const fz_state *state, const fzi_move_list *list)
{
    const fzi_search_node *top = &s->tree.nodes[1];

    if (s->plies != fzi_head_of(state)->plies)
        return false;
    if (s->open_loop || !top->expanded)
        return true;
    for (uint32_t i = 0; i < list->total; i++) {
        fz_move move = fzi_agent_move_at(agent, list, i);
        if (i >= top->count || fzi_tree_find(&s->tree, 1, &move, i) != top->first + i)
            return false;
    }
    return list->total == top->count;
}

static void free_worlds(mcts *s)
{
    while (s->world_count)
        fz_state_free(s->worlds[--s->world_count]);
}

/* Where to begin the search for the world number `i`: at one of the last decision's, or when fresh
 * courses of the game rarely fit, at one that has been found. NULL: anywhere. */
static const fz_state *begin_world(fz_agent *agent, const mcts *s, fz_state *const *earlier,
                                   unsigned earlier_count, unsigned i, bool rare)
{
    if (i < earlier_count)
        return earlier[i];
    return rare && s->world_count ? s->worlds[fzi_agent_below(agent, s->world_count)] : NULL;
}

static fz_status find_worlds(fz_agent *agent, mcts *s, unsigned wanted, fz_state *const *earlier,
                             unsigned earlier_count)
{
    bool rare = false;

    for (unsigned i = 0; i < wanted; i++) {
        const fz_state *before = begin_world(agent, s, earlier, earlier_count, i, rare);
        fz_status status;
        if (rare && !before)
            break;
        s->knowledge.key = agent->key;
        s->knowledge.counter = agent->counter;
        status = fzi_worlds_draw(&s->knowledge, before, before ? 0 : TRIES,
                                 &s->worlds[s->world_count]);
        agent->counter = s->knowledge.counter;
        s->world_count += status == FZ_OK;
        rare = rare || (status == FZ_NOT_FOUND && !before);
        if (status != FZ_OK && status != FZ_NOT_FOUND)
            return status;
    }
    return s->world_count ? FZ_OK : FZ_NOT_FOUND;
}

/* Draws the positions to search in. FZ_NOT_FOUND: there is not even one. */
static fz_status draw_worlds(fz_agent *agent, mcts *s, const fz_state *state)
{
    unsigned wanted = (unsigned)agent->settings.values[SETTING_WORLDS], count = s->world_count;
    fz_state *earlier[MAX_WORLDS];
    fz_status status;

    if (agent->settings.effort.count && agent->settings.effort.count < wanted)
        wanted = (unsigned)agent->settings.effort.count;
    memcpy(earlier, s->worlds, count * sizeof *earlier);
    s->world_count = s->next_world = 0;
    if (s->knowledge.player != fzi_head_of(state)->decider) /* they are of another player */
        while (count)
            fz_state_free(earlier[--count]);
    status = fzi_worlds_look(&s->knowledge, state, fzi_head_of(state)->decider);
    if (status == FZ_OK)
        status = find_worlds(agent, s, wanted, earlier, count);
    while (count)
        fz_state_free(earlier[--count]);
    for (unsigned i = 0; i < s->helper_count; i++) {
        mcts *other = s->helpers[i]->own;
        memcpy(other->worlds, s->worlds, s->world_count * sizeof *s->worlds);
        other->world_count = s->world_count;
        other->next_world = 0;
    }
    return status;
}

static fz_status choose_mcts(fz_agent *agent, const fz_state *state, fzi_move_list *list,
                             fz_move *move)
{
    mcts *s = agent->own;
    fz_status status;

    if (!fits(agent, s, state, list) && !fzi_tree_reset(&s->tree))
        return fzi_machine_no_memory(agent->machine);
    s->root = state;
    s->plies = fzi_head_of(state)->plies;
    status = s->hides ? draw_worlds(agent, s, state) : FZ_OK;
    if (status == FZ_NOT_FOUND) { /* what the player saw is too special: any move */
        *move = fzi_agent_move_at(agent, list, fzi_agent_below(agent, list->total));
        return FZ_OK;
    }
    if (status == FZ_OK)
        status = search_all(agent, s);
    if (status == FZ_OK)
        *move = best_move(agent, s, list, fzi_head_of(state)->decider);
    return status;
}

/* ---- the agent ---- */

/* The trees share the iterations. */
static fz_status open_helpers(fz_agent *agent, mcts *s)
{
    unsigned trees = (unsigned)agent->settings.values[SETTING_TREES];
    fzi_agent_settings settings;
    fz_status status = FZ_OK;

    agent->settings.effort.count = (agent->settings.effort.count + trees - 1) / trees;
    settings = agent->settings;
    settings.values[SETTING_TREES] = 1;
    while (status == FZ_OK && s->helper_count + 1 < trees) {
        status = fzi_agent_help(agent, &settings, &s->evaluation, &s->helpers[s->helper_count]);
        s->helper_count += status == FZ_OK;
    }
    return status;
}

static fz_status open_mcts(fz_agent *agent)
{
    mcts *s = fzi_allocate(agent->allocator, sizeof *s);
    fz_status status;

    if (!s)
        return fzi_machine_no_memory(agent->machine);
    *s = (mcts){.hides = fz_program_hides(agent->program)};
    s->open_loop = s->hides || agent->program->uses_chance;
    s->proves = !s->open_loop && !fz_program_has_payoffs(agent->program);
    agent->own = s;
    fzi_worlds_init(&s->knowledge, agent->machine);
    fzi_tree_init(&s->tree, agent->allocator, agent->program, agent->machine->limits.memory);
    s->moves = fz_moves_new(agent->machine);
    if (!s->moves || !fzi_tree_reset(&s->tree))
        return fzi_machine_no_memory(agent->machine);
    status = agent->known ? FZ_OK : fzi_evaluation_make(agent, &s->evaluation);
    if (agent->known)
        s->evaluation = *agent->known;
    return status == FZ_OK ? open_helpers(agent, s) : status;
}

static void close_mcts(fz_agent *agent)
{
    mcts *s = agent->own;

    if (!s)
        return;
    for (unsigned i = 0; i < s->helper_count; i++) {
        ((mcts *)s->helpers[i]->own)->world_count = 0; /* they are borrowed */
        fz_agent_free(s->helpers[i]);
    }
    free_worlds(s);
    fzi_worlds_free(&s->knowledge);
    fz_moves_free(s->moves);
    fzi_tree_free(&s->tree);
    fzi_release(agent->allocator, s);
}

static void begin_mcts(fz_agent *agent)
{
    mcts *s = agent->own;

    fzi_tree_reset(&s->tree); /* has room for a root since it was opened */
    fzi_evaluation_begin(&s->evaluation);
    free_worlds(s);
    s->plies = 0;
    for (unsigned i = 0; i < s->helper_count; i++) {
        fzi_evaluation_begin(&((mcts *)s->helpers[i]->own)->evaluation);
        fzi_agent_begin_chance(s->helpers[i], fzi_chance_key(agent->key, i));
    }
}

/* The part of the tree that is still ahead is used again. */
static void played_mcts(fz_agent *agent, const fz_move *move)
{
    mcts *s = agent->own;

    /* The player may not know which move it was. */
    if (s->hides)
        fzi_tree_reset(&s->tree);
    else
        fzi_tree_advance(&s->tree, move);
    s->plies++;
}

const fzi_agent_class fzi_agent_mcts = {.open = open_mcts, .close = close_mcts,
                                        .begin = begin_mcts, .choose = choose_mcts,
                                        .played = played_mcts};
