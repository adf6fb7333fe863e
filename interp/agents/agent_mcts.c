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
#include "interp/text/notation.h"
#include "interp/vm/fault.h"

enum { MAX_TREES = 64, MAX_PATH = 4096, MAX_WORLDS = 256, FACTORS = 1 << 16 };
enum { TRIES = 30 };       /* courses of the game for one world */

enum { SETTING_C, SETTING_DEPTH, SETTING_TREES, SETTING_WORLDS, SETTING_APART };

/* Of the second term of a bound: the root for the visits of the parent, the spread for those of the
 * child. */
typedef struct factors {
    float root, spread;
} factors;

typedef struct mcts {
    fzi_evaluation evaluation;
    fzi_tree tree;
    bool open_loop, hides, pays;
    bool proves;               /* the utility of an end does not change, and nothing else decides */
    fzi_worlds knowledge;
    fz_state *worlds[MAX_WORLDS]; /* of this search; helpers borrow them */
    unsigned world_count, next_world;
    uint32_t path[MAX_PATH];
    size_t length;
    factors *factors;          /* by visits, below FACTORS */
    uint32_t known;            /* so many of them */
    fz_moves *moves;           /* of the imagined state */
    fz_agent *helpers[MAX_TREES];
    unsigned helper_count;
    const fz_state *root;      /* of the search that runs */
    uint32_t plies;            /* decisions before the tree's root */
    fz_status status;          /* of a helper's search */
} mcts;

/* ---- selection ---- */

static factors make_factors(const fz_agent *agent, uint32_t visits)
{
    return (factors){(float)(agent->settings.values[SETTING_C] * sqrt(log(visits + 1.0))),
                     (float)(1 / sqrt(visits))};
}

/* Visits come one by one, so most are in the table. */
static factors factors_of(const fz_agent *agent, mcts *s, uint32_t visits)
{
    if (visits >= FACTORS)
        return make_factors(agent, visits);
    for (; s->known <= visits; s->known++)
        s->factors[s->known] = make_factors(agent, s->known);
    return s->factors[visits];
}

static float bound_of(const fzi_search_bound *bound, float root)
{
    float spread = root * bound->spread;

    return spread + bound->mean; /* on its own: all processors round twice */
}

/* Orders arms by their upper confidence bound, which is not negative, so that its bits are a whole
 * number that grows with it; then by their place. */
static uint64_t order_of(const fzi_search_arm *arm, float root, uint32_t place)
{
    float bound = bound_of(&arm->bound, root);
    uint32_t bits;

    memcpy(&bits, &bound, sizeof bits);
    return (uint64_t)bits << 32 | place;
}

/* Evenly, one of the arms with the bound of the last of them, which is `last`. */
static uint32_t draw_arm(fz_agent *agent, const fzi_search_arm *arms, float root, uint64_t last)
{
    uint32_t equals = 0, best = 0;

    for (uint32_t i = 0; i <= (uint32_t)last; i++)
        equals += order_of(&arms[i], root, 0) >> 32 == last >> 32;
    for (uint32_t drawn = fzi_agent_below(agent, equals) + 1; drawn; best++)
        drawn -= order_of(&arms[best], root, 0) >> 32 == last >> 32;
    return best - 1;
}

/* A bound of arms that have none above the `second` order and no spread above `widest`: it is true
 * for all greater roots, and has room for their rounding. */
static fzi_search_bound limit_of(uint64_t second, float widest, float root)
{
    uint32_t bits = (uint32_t)(second >> 32);
    float most, grown = root * widest;

    memcpy(&most, &bits, sizeof most);
    return (fzi_search_bound){most - grown + (most + grown) * 4e-6f, widest};
}

/* The best of so many arms; `others`: the bound of all others. Evenly among equals. */
static uint32_t best_arm(fz_agent *agent, const fzi_search_arm *arms, uint32_t count, float root,
                         fzi_search_bound *others)
{
    uint64_t most = order_of(&arms[0], root, 0), second = 0;
    float widest = arms[0].bound.spread;

    for (uint32_t i = 1; i < count; i++) { /* without branches that depend on bounds */
        uint64_t order = order_of(&arms[i], root, i), less = order > most ? most : order;
        most = order > most ? order : most;
        second = less > second ? less : second;
        widest = arms[i].bound.spread > widest ? arms[i].bound.spread : widest;
    }
    *others = limit_of(second, widest, root);
    return most >> 32 == second >> 32 && count > 1 ? draw_arm(agent, arms, root, most)
                                                   : (uint32_t)most;
}

/* The child of a closed loop to go to. Moves that nobody has tried come first, evenly: with few
 * iterations most have not been, and the order of the list must not show. */
static uint32_t choose_closed(fz_agent *agent, mcts *s, uint32_t node)
{
    const fzi_tree_arrays *t = &s->tree.now;
    fzi_search_node *parent = &t->nodes[node];
    uint32_t untried = parent->total - parent->count, favourite = parent->favourite;
    float root;

    if (untried)
        return fzi_tree_add_untried(&s->tree, node, fzi_agent_below(agent, untried));
    root = factors_of(agent, s, parent->visits).root;
    if (favourite == FZ_NO_NODE ||
        bound_of(&t->arms[favourite].bound, root) <= bound_of(&parent->others, root)) {
        favourite = parent->first + best_arm(agent, t->arms + parent->first, parent->count, root,
                                             &parent->others);
        parent->favourite = favourite;
    }
    return favourite;
}

typedef struct pick {
    uint32_t node;
    double score;
    uint64_t fresh;           /* children without a visit so far */
    uint64_t equals;          /* children with this score so far */
    double available, log;    /* of the latest child; those of the next are often the same */
} pick;

/* Weighs the child of an open loop. */
static void weigh(fz_agent *agent, const mcts *s, uint32_t child, pick *best)
{
    const fzi_search_node *c = &s->tree.now.nodes[child];
    double available = s->tree.now.links[child].number, score;

    if (!c->visits) {
        if (fzi_agent_takes(agent, 0, &best->fresh))
            best->node = child;
        return;
    }
    if (best->fresh)
        return;
    if (available != best->available) {
        best->available = available;
        best->log = log(best->available + 1);
    }
    score = s->tree.now.arms[child].bound.mean +
            agent->settings.values[SETTING_C] * sqrt(best->log / c->visits);
    if (fzi_agent_takes(agent, fzi_order_of(score, best->score), &best->equals)) {
        best->node = child;
        best->score = score;
    }
}

/* Marks the children that are legal now as available, and adds those that are new. False: the tree
 * is full. */
static bool note_available(fz_agent *agent, mcts *s, uint32_t node)
{
    const fzi_move_list *list = &s->moves->list;

    for (uint32_t i = 0, place = 0; i < list->total; i++) {
        fz_move move = fzi_agent_move_at(agent, list, i);
        uint32_t child = fzi_tree_find(&s->tree, node, &move, place);
        if (child == FZ_NO_NODE)
            child = fzi_tree_add_move(&s->tree, node, &move);
        if (child == FZ_NO_NODE)
            return false;
        s->tree.now.links[child].number++;
        place = child - s->tree.now.nodes[node].first + 1;
    }
    return true;
}

static uint32_t choose_open(fz_agent *agent, const mcts *s, uint32_t node)
{
    const fzi_move_list *list = &s->moves->list;
    pick best = {0};

    for (uint32_t i = 0, place = 0; i < list->total; i++) {
        fz_move move = fzi_agent_move_at(agent, list, i);
        uint32_t child = fzi_tree_find(&s->tree, node, &move, place);
        weigh(agent, s, child, &best);
        place = child - s->tree.now.nodes[node].first + 1;
    }
    return best.node;
}

/* ---- one iteration ---- */

/* Replaces what an iteration found by what is proven about the node. */
static void correct(const fzi_tree *tree, uint32_t node, double *utilities)
{
    for (unsigned p = 0; p < tree->players; p++) {
        double proven = fzi_tree_proven(tree, node, (int)p);
        if (!isnan(proven))
            utilities[p] = proven;
    }
}

/* `settled`: the last node of the path was before this iteration. Its value stays what samples
 * gave, for the choice among moves that are proven equal. */
static void add_values(const fz_agent *agent, mcts *s, double *utilities, bool settled)
{
    fzi_tree_arrays *t = &s->tree.now;

    t->nodes[1].visits++;
    for (size_t i = s->length; i-- > 1;) {
        uint32_t number = s->path[i];
        fzi_search_node *node = &t->nodes[number];
        fzi_search_arm *arm = &t->arms[number];
        int decider = t->nodes[s->path[i - 1]].decider;
        if (node->proof)
            correct(&s->tree, number, utilities);
        if (settled && i == s->length - 1)
            continue;
        node->visits++;
        arm->value += utilities[decider];
        if (node->proof && !isnan(fzi_tree_proven(&s->tree, number, decider)))
            continue;
        arm->bound = (fzi_search_bound){(float)(arm->value / node->visits),
                                        factors_of(agent, s, node->visits).spread};
    }
}

/* The utilities at the end of the path: of the end itself (`over`), or of the playout from it. */
static fz_status value_leaf(fz_agent *agent, mcts *s, const fz_state *state, bool over,
                            double *utilities)
{
    const fzi_tree *tree = &s->tree;
    double first = fzi_evaluation_utility(agent, &s->evaluation, state, 0);

    for (unsigned p = 0; p < tree->players; p++)
        utilities[p] = tree->side[p] == 0 ? first
                       : tree->sides == 2 && !s->pays /* they share 1 */
                           ? 1 - first
                           : fzi_evaluation_utility(agent, &s->evaluation, state, (int)p);
    if (over && s->proves && !fzi_tree_prove(&s->tree, s->path, s->length, utilities))
        return fzi_machine_no_memory(agent->machine);
    return FZ_OK;
}

/* Makes `state` the position of the last node of the path, from the nearest one that is kept;
 * `listing`: with its legal moves. */
static fz_status reach(fz_agent *agent, mcts *s, fz_state *state, bool listing)
{
    fzi_move_list *list = &s->moves->list;
    size_t at = s->length - 1;
    fz_status status = FZ_OK;

    while (at && !fzi_tree_has_position(&s->tree, s->path[at]))
        at--;
    if (!at)
        status = fzi_agent_imagine(agent, state, s->root);
    else if (fzi_tree_load_position(&s->tree, s->path[at], state))
        fzi_agent_blind(agent, state);
    else
        status = fzi_machine_no_memory(agent->machine);
    if (status == FZ_OK && listing && at + 1 == s->length)
        return fzi_agent_list(agent, state, list);
    while (status == FZ_OK && ++at < s->length) {
        fz_move move;
        fzi_tree_move_to(&s->tree, s->path[at - 1], s->path[at], &move);
        status = listing && at + 1 == s->length
                     ? fzi_agent_take_listing(agent, state, &move, list)
                     : fzi_agent_take(agent, state, &move);
    }
    return status;
}

/* Lists the moves of the last node of the path. `*leaf`: the game ends there, or the tree is
 * full. */
static fz_status expand(fz_agent *agent, mcts *s, fz_state *state, bool *leaf)
{
    uint32_t node = s->path[s->length - 1];
    fz_status status = reach(agent, s, state, true);

    if (status != FZ_OK)
        return status;
    s->tree.now.nodes[node].decider = fzi_head_of(state)->decider;
    *leaf = fzi_head_of(state)->waiting != FZ_WAITING_MOVE ||
            !fzi_tree_keep(&s->tree, node, state, &s->moves->list);
    return FZ_OK;
}

/* Goes down, without states as long as positions are known. Without a result if the path ends in a
 * settled node. */
static fz_status iterate_closed(fz_agent *agent, mcts *s, bool *settled, double *utilities)
{
    uint64_t depth = (uint64_t)agent->settings.values[SETTING_DEPTH];
    fz_state *state = agent->scratch;
    const fzi_head *head;
    uint32_t next = 1, plies;
    bool there, over, leaf = false;
    fz_status status = FZ_OK;

    do {
        uint32_t node = next;
        s->path[s->length++] = node;
        *settled = s->tree.now.nodes[node].proof && fzi_tree_settled(&s->tree, node);
        if (*settled)
            return FZ_OK;
        there = !s->tree.now.nodes[node].total;
        if (there)
            status = expand(agent, s, state, &leaf);
        if (status != FZ_OK)
            return status;
        next = leaf || s->length == MAX_PATH ? FZ_NO_NODE : choose_closed(agent, s, node);
    } while (next != FZ_NO_NODE && s->tree.now.nodes[next].visits);
    if (!there)
        status = reach(agent, s, state, false);
    if (status != FZ_OK)
        return status;
    plies = fzi_head_of(state)->plies;
    if (next != FZ_NO_NODE) {
        fz_move move;
        fzi_tree_move_to(&s->tree, s->path[s->length - 1], next, &move);
        s->path[s->length++] = next;
        plies++;
        status = fzi_agent_take_on(agent, state, &move, depth);
    } else {
        status = fzi_agent_play_on(agent, state, depth);
    }
    head = fzi_head_of(state);
    over = head->waiting == FZ_GAME_OVER && head->plies == plies;
    fzi_agent_resume(agent, state);
    return status == FZ_OK ? value_leaf(agent, s, state, over, utilities) : status;
}

/* Goes down on a state, and lists the moves of each node. */
static fz_status iterate_open(fz_agent *agent, mcts *s, double *utilities)
{
    uint64_t depth = (uint64_t)agent->settings.values[SETTING_DEPTH];
    const fz_state *from = s->hides ? s->worlds[s->next_world++ % s->world_count] : s->root;
    fz_state *state = agent->scratch;
    fzi_move_list *list = &s->moves->list;
    uint32_t node = 1;
    bool is_new = false;
    fz_status status = fzi_agent_imagine(agent, state, from);

    s->path[s->length++] = 1;
    if (status == FZ_OK)
        status = fzi_agent_list(agent, state, list);
    while (status == FZ_OK && !is_new && s->length < MAX_PATH &&
           fzi_head_of(state)->waiting == FZ_WAITING_MOVE) {
        int8_t decider = fzi_head_of(state)->decider;
        uint32_t next = note_available(agent, s, node) ? choose_open(agent, s, node) : FZ_NO_NODE;
        if (next == FZ_NO_NODE)
            break;
        s->tree.now.nodes[node].decider = decider;
        s->path[s->length++] = node = next;
        is_new = !s->tree.now.nodes[node].visits;
        status = is_new ? fzi_agent_take_on(agent, state, &s->tree.now.moves[node], depth)
                        : fzi_agent_take_listing(agent, state, &s->tree.now.moves[node], list);
    }
    if (status == FZ_OK && !is_new)
        status = fzi_agent_play_on(agent, state, depth);
    fzi_agent_resume(agent, state);
    return status == FZ_OK ? value_leaf(agent, s, state, false, utilities) : status;
}

static fz_status iterate(fz_agent *agent, mcts *s)
{
    double utilities[FZ_MAX_PLAYERS] = {0};
    bool settled = false;
    fz_status status;

    s->length = 0;
    status = s->open_loop ? iterate_open(agent, s, utilities)
                          : iterate_closed(agent, s, &settled, utilities);
    if (status == FZ_OK)
        add_values(agent, s, utilities, settled);
    return status;
}

/* ---- the search ---- */

static fz_status search(fz_agent *agent, mcts *s)
{
    const fzi_effort *effort = &agent->settings.effort;
    fz_status status = FZ_OK;

    for (uint64_t i = 0; status == FZ_OK; i++) {
        if ((effort->count && i >= effort->count) || (i > 0 && fzi_cancelled(&agent->thinking)))
            break;
        if (s->tree.now.nodes[1].proof &&
            !isnan(fzi_tree_proven(&s->tree, 1, fzi_head_of(s->root)->decider)))
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

    fzi_agent_think(agent); /* before the helpers, which look at its deadline */
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
    sum->visits += s->tree.now.nodes[child].visits;
    sum->value += s->tree.now.arms[child].value;
    if (isnan(sum->proven))
        sum->proven = fzi_tree_proven(&s->tree, child, decider);
}

static void add_verdicts(const mcts *s, const fz_move *move, int decider, verdict *sum)
{
    add_verdict(s, move, decider, sum);
    for (unsigned h = 0; h < s->helper_count; h++)
        add_verdict(s->helpers[h]->own, move, decider, sum);
}

static double mean(const verdict *v)
{
    return v->visits ? v->value / (double)v->visits : -1;
}

/* Compares two unproven moves. */
static int order_of_visited(const verdict *a, const verdict *b)
{
    if (a->visits != b->visits)
        return a->visits > b->visits ? 1 : -1;
    return fzi_order_of(a->value, b->value);
}

/* Compares two proven moves. The mean shows where an opponent who does not see the proof goes
 * wrong. */
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
        add_verdicts(s, &move, decider, &v);
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
    const fzi_search_node *top = &s->tree.now.nodes[1];

    if (s->plies != fzi_head_of(state)->plies)
        return false;
    if (!top->total)
        return true;
    if (!state->history)
        return fzi_tree_has_position(&s->tree, 1) && fzi_tree_same_position(&s->tree, 1, state);
    for (uint32_t i = 0; i < list->total && list->total == top->total; i++) {
        fz_move move = fzi_agent_move_at(agent, list, i), known;
        fzi_tree_move(&s->tree, 1, i, &known);
        if (!fzi_move_same(&move, &known))
            return false;
    }
    return list->total == top->total;
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
        s->knowledge.cancel = agent->thinking.outer;
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

/* Perfect information Monte Carlo: a tree for each world, as if all players saw it. They share the
 * iterations. */
static fz_status search_apart(fz_agent *agent, mcts *s, const fzi_move_list *list, fz_move *move)
{
    fz_state *all[MAX_WORLDS];
    unsigned count = s->world_count;
    fzi_effort effort = agent->settings.effort;
    verdict *sums = fzi_allocate_zeroed(agent->allocator, list->total * sizeof *sums);
    uint64_t equals = 0, most = 0;
    fz_status status = sums ? FZ_OK : fzi_machine_no_memory(agent->machine);

    memcpy(all, s->worlds, count * sizeof *all);
    s->world_count = 1;
    agent->settings.effort = (fzi_effort){(effort.count + count - 1) / count,
                                          effort.seconds / count};
    for (unsigned w = 0; w < count && status == FZ_OK; w++) {
        s->worlds[0] = all[w];
        fzi_agent_think(agent);
        status = fzi_tree_reset(&s->tree) ? search(agent, s)
                                          : fzi_machine_no_memory(agent->machine);
        for (uint32_t i = 0; i < list->total; i++) {
            fz_move one = fzi_agent_move_at(agent, list, i);
            add_verdict(s, &one, fzi_head_of(s->root)->decider, &sums[i]);
        }
    }
    for (uint32_t i = 0; i < list->total && status == FZ_OK; i++)
        if (fzi_agent_takes(agent, (sums[i].visits > most) - (sums[i].visits < most), &equals)) {
            most = sums[i].visits;
            *move = fzi_agent_move_at(agent, list, i);
        }
    agent->settings.effort = effort;
    memcpy(s->worlds, all, count * sizeof *all);
    s->world_count = count;
    fzi_release(agent->allocator, sums);
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
    if (status == FZ_OK && s->hides && agent->settings.values[SETTING_APART] > 0)
        return search_apart(agent, s, list, move);
    if (status == FZ_OK)
        status = search_all(agent, s);
    if (status == FZ_OK)
        *move = best_move(agent, s, list, fzi_head_of(state)->decider);
    return status;
}

/* ---- the agent ---- */

/* The trees share the iterations. Positions that are searched apart have one tree at a time. */
static fz_status open_helpers(fz_agent *agent, mcts *s)
{
    bool apart = s->hides && agent->settings.values[SETTING_APART] > 0;
    unsigned trees = apart ? 1 : (unsigned)agent->settings.values[SETTING_TREES];
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
    s->pays = fz_program_has_payoffs(agent->program);
    s->proves = !s->open_loop && !s->pays;
    agent->own = s;
    s->factors = fzi_allocate(agent->allocator, FACTORS * sizeof *s->factors);
    fzi_worlds_init(&s->knowledge, agent->machine);
    s->moves = fz_moves_new(agent->machine);
    if (!fzi_tree_init(&s->tree, agent->allocator, agent->program, agent->machine->limits.memory,
                       !s->open_loop) ||
        !s->moves || !s->factors || !fzi_tree_reset(&s->tree))
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
    FZI_RELEASE(agent->allocator, s->factors, s);
}

static void begin_mcts(fz_agent *agent)
{
    mcts *s = agent->own;

    fzi_tree_reset(&s->tree); /* has room for a root since it was opened */
    fzi_evaluation_begin(&s->evaluation);
    free_worlds(s);
    fzi_worlds_forget(&s->knowledge);
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

static void opinion_mcts(const fz_agent *agent, const fz_state *state, const fz_move *move,
                         uint64_t *visits, double *proven)
{
    verdict v = {.proven = NAN};

    add_verdicts(agent->own, move, fzi_head_of(state)->decider, &v);
    *visits = v.visits;
    *proven = v.proven;
}

const fzi_agent_class fzi_agent_mcts = {.open = open_mcts, .close = close_mcts,
                                        .begin = begin_mcts, .choose = choose_mcts,
                                        .played = played_mcts, .opinion = opinion_mcts};
