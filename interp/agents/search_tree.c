#include "agent.h"

#include <math.h>
#include <string.h>

#include "interp/program/data_flow.h"
#include "interp/text/notation.h"

/* The last register of a row of bits, and one more; 0: there is none. */
static uint16_t end_of(const uint64_t *bits)
{
    for (unsigned w = 4; w-- > 0;)
        if (bits[w])
            return (uint16_t)(64 * w + 64 - (unsigned)__builtin_clzll(bits[w]));
    return 0;
}

static bool find_live(fzi_tree *tree, const fz_program *program)
{
    size_t count = program->code_length + 1;
    fzi_live *live = fzi_allocate_zeroed(tree->allocator, count * sizeof *live);
    fzi_live *choosing = fzi_allocate_zeroed(tree->allocator, count * sizeof *choosing);

    tree->live = fzi_allocate_zeroed(tree->allocator, count * sizeof *tree->live);
    if (live && choosing && tree->live) {
        fzi_live_all(program, live, choosing);
        for (size_t pc = 0; pc < count; pc++)
            tree->live[pc] = (fzi_live_reach){end_of(choosing[pc].w), end_of(choosing[pc].w + 4)};
    }
    FZI_RELEASE(tree->allocator, live, choosing);
    return live && choosing && tree->live;
}

bool fzi_tree_init(fzi_tree *tree, fzi_allocator allocator, const fz_program *program,
                   size_t bytes, bool closed)
{
    *tree = (fzi_tree){.allocator = allocator, .limit = bytes, .closed = closed};
    tree->program = program;
    tree->players = program->player_count;
    tree->sides = fzi_sides(program, tree->side);
    return !closed || find_live(tree, program);
}

static void free_arrays(fzi_allocator allocator, fzi_tree_arrays *a)
{
    FZI_RELEASE(allocator, a->nodes, a->arms, a->links, a->moves, a->kept);
    *a = (fzi_tree_arrays){0};
}

void fzi_tree_free(fzi_tree *tree)
{
    free_arrays(tree->allocator, &tree->now);
    free_arrays(tree->allocator, &tree->spare);
    FZI_RELEASE(tree->allocator, tree->results, tree->live);
    tree->results = NULL;
    tree->live = NULL;
}

static bool grow(fzi_allocator allocator, void *array, size_t *room, size_t count, size_t item)
{
    size_t unused = 0;
    void *items;

    memcpy(&items, array, sizeof items);
    if (fzi_array_grow(allocator, &unused, SIZE_MAX, &items, room, count, item) != FZ_OK)
        return false;
    memcpy(array, &items, sizeof items);
    return true;
}

/* A closed loop has no moves. */
static bool reserve(const fzi_tree *tree, fzi_tree_arrays *a, size_t count, size_t kept)
{
    fzi_allocator allocator = tree->allocator;

    return (count <= a->link_room ||
            (grow(allocator, &a->nodes, &a->node_room, count, sizeof *a->nodes) &&
             grow(allocator, &a->arms, &a->arm_room, count, sizeof *a->arms) &&
             (tree->closed ||
              grow(allocator, &a->moves, &a->move_room, count, sizeof *a->moves)) &&
             grow(allocator, &a->links, &a->link_room, count, sizeof *a->links))) &&
           (kept <= a->kept_room ||
            grow(allocator, &a->kept, &a->kept_room, kept, sizeof *a->kept));
}

static const fzi_search_node fresh = {.decider = -1};

bool fzi_tree_reset(fzi_tree *tree)
{
    if (!reserve(tree, &tree->now, 2, 1))
        return false;
    tree->now.nodes[0] = tree->now.nodes[1] = fresh;
    tree->now.links[1] = (fzi_search_link){0};
    tree->now.count = 2;
    tree->now.kept_count = 1; /* number 0 is none */
    tree->result_count = 0;
    memset(tree->left, 0, sizeof tree->left);
    return true;
}

/* Room for so many nodes and words at the end. False: there is none. */
static bool take_room(fzi_tree *tree, size_t nodes, size_t words)
{
    fzi_tree_arrays *a = &tree->now;
    size_t each = sizeof *a->nodes + sizeof *a->arms + sizeof *a->links +
                  (tree->closed ? 0 : sizeof *a->moves);

    nodes += a->count;
    words += a->kept_count;
    if (nodes > UINT32_MAX / 2 || words > UINT32_MAX || nodes * each + words * 8 > tree->limit ||
        !reserve(tree, a, nodes, words))
        return false;
    a->count = (uint32_t)nodes;
    a->kept_count = (uint32_t)words;
    return true;
}

static void copy(fzi_tree_arrays *to, uint32_t at, const fzi_tree_arrays *from, uint32_t first,
                 uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) { /* they are few, so no function is called */
        to->nodes[at + i] = from->nodes[first + i];
        to->arms[at + i] = from->arms[first + i];
        to->links[at + i] = from->links[first + i];
        if (to->moves)
            to->moves[at + i] = from->moves[first + i];
    }
}

/* Children come one by one and have room for a power of two of them: this is its logarithm. */
static unsigned size_of(uint32_t count)
{
    return count > 1 ? 32 - (unsigned)__builtin_clz(count - 1) : 0;
}

/* A block for 1 << size children: one that others have left, or a new one. */
static uint32_t take_block(fzi_tree *tree, unsigned size)
{
    uint32_t first = tree->left[size];

    if (first)
        tree->left[size] = tree->now.nodes[first].first;
    else if (take_room(tree, (size_t)1 << size, 0))
        first = tree->now.count - (1u << size);
    return first;
}

static bool make_room(fzi_tree *tree, uint32_t node)
{
    uint32_t count = tree->now.nodes[node].count, old = tree->now.nodes[node].first, first;
    unsigned size = size_of(count + 1);

    if (count && size == size_of(count))
        return true;
    first = take_block(tree, size);
    if (first == FZ_NO_NODE)
        return false;
    copy(&tree->now, first, &tree->now, old, count);
    tree->now.nodes[node].first = first;
    if (count) {
        tree->now.nodes[old].first = tree->left[size_of(count)];
        tree->left[size_of(count)] = old;
    }
    return true;
}

/* In an open loop, the child's number begins at 0. */
static uint32_t add(fzi_tree *tree, uint32_t node)
{
    uint32_t child;

    if (!make_room(tree, node))
        return FZ_NO_NODE;
    child = tree->now.nodes[node].first + tree->now.nodes[node].count++;
    tree->now.nodes[child] = fresh;
    tree->now.links[child] = (fzi_search_link){0};
    tree->now.arms[child] = (fzi_search_arm){0};
    return child;
}

uint32_t fzi_tree_add_move(fzi_tree *tree, uint32_t node, const fz_move *move)
{
    uint32_t child = add(tree, node);

    if (child != FZ_NO_NODE)
        tree->now.moves[child] = *move;
    return child;
}

static bool leads(const fzi_tree *tree, uint32_t node, uint32_t child, const fz_move *move)
{
    fz_move known;

    fzi_tree_move_to(tree, node, child, &known);
    return fzi_move_same(&known, move);
}

uint32_t fzi_tree_find(const fzi_tree *tree, uint32_t node, const fz_move *move, uint32_t place)
{
    uint32_t first = tree->now.nodes[node].first, count = tree->now.nodes[node].count;

    if (place < count && leads(tree, node, first + place, move))
        return first + place;
    for (uint32_t child = first; child < first + count; child++)
        if (leads(tree, node, child, move))
            return child;
    return FZ_NO_NODE;
}

/* ---- what is kept: a header, a bit for each move without a child, segments and words of the list,
 * the position ---- */

typedef struct kept {
    uint32_t segments, words;
    uint32_t pending, state;  /* bytes before the block and of it; 0: the position is not there */
} kept;

static size_t list_words(const kept *k)
{
    return (k->segments * sizeof(fzi_segment) + 7) / 8 + k->words;
}

static size_t untried_words(uint32_t total)
{
    return (total + 63) / 64;
}

static size_t words_of(const kept *k, uint32_t total)
{
    return sizeof *k / 8 + untried_words(total) + list_words(k) + (k->pending + k->state + 7u) / 8;
}

static uint64_t *untried_of(const fzi_tree_arrays *a, uint32_t node)
{
    return a->kept + a->links[node].kept + sizeof(kept) / 8;
}

/* The record of a node: the header, and the list. */
static kept kept_of(const fzi_tree_arrays *a, uint32_t node, uint64_t **list)
{
    kept k;

    memcpy(&k, a->kept + a->links[node].kept, sizeof k);
    *list = untried_of(a, node) + untried_words(a->nodes[node].total);
    return k;
}

static const uint8_t *position_of(const fzi_tree_arrays *a, uint32_t node, kept *k)
{
    uint64_t *list;

    *k = kept_of(a, node, &list);
    return (const uint8_t *)(list + list_words(k));
}

/* Bytes of a waiting state up to its last live register: the others need not be kept. */
static uint32_t live_bytes(const fzi_tree *tree, const fz_state *state)
{
    const fzi_head *head = fzi_head_of(state);
    const uint64_t *frame = fzi_frames_of(state) + head->frame;
    fzi_live_reach live = tree->live[head->pc];
    uint32_t registers = live.ints;

    if (head->pendings)
        return (uint32_t)fzi_state_used(state);
    if (live.sets)
        registers = tree->program->functions[(uint32_t)frame[0]].ints +
                    (uint32_t)live.sets * tree->program->board.words;
    return state->layout->frames + (head->frame + FZ_FRAME_HEADER + registers) * 8;
}

bool fzi_tree_keep(fzi_tree *tree, uint32_t node, const fz_state *state,
                   const fzi_move_list *list)
{
    fzi_tree_arrays *a = &tree->now;
    kept k = {.segments = list->segment_count, .words = list->word_count};
    uint32_t first = a->kept_count, total = list->total & FZ_MAX_LISTED;
    uint64_t *at;

    if (!state->history && (size_t)first * sizeof *a->kept < tree->limit / 2) {
        k.pending = fzi_head_of(state)->pendings * (uint32_t)sizeof(fzi_pending);
        k.state = live_bytes(tree, state);
    }
    if (list->total > FZ_MAX_LISTED || !take_room(tree, 0, words_of(&k, total)))
        return false;
    a->nodes[node].total = total & FZ_MAX_LISTED;
    a->links[node].kept = first;
    memcpy(a->kept + first, &k, sizeof k);
    at = untried_of(a, node);
    for (uint32_t left = total; left; left -= left < 64 ? left : 64)
        *at++ = left < 64 ? (UINT64_C(1) << left) - 1 : UINT64_MAX;
    memcpy(at, list->segments, k.segments * sizeof *list->segments);
    at += list_words(&k);
    memcpy(at - k.words, list->words, k.words * sizeof *list->words);
    memcpy(at, state->block - k.pending, k.pending + k.state);
    return true;
}

void fzi_tree_move(const fzi_tree *tree, uint32_t node, uint32_t number, fz_move *move)
{
    uint64_t *at;
    kept k = kept_of(&tree->now, node, &at);
    fzi_move_list list = {.segments = (fzi_segment *)(void *)at,
                          .words = at + list_words(&k) - k.words};

    *move = (fz_move){0};
    fzi_move_list_pick(&list, number, tree->program->board.words, move);
}

uint32_t fzi_tree_add_untried(fzi_tree *tree, uint32_t node, uint32_t number)
{
    uint32_t child = add(tree, node), place;
    uint64_t *untried = untried_of(&tree->now, node);

    if (child == FZ_NO_NODE)
        return FZ_NO_NODE;
    place = fzi_words_select(untried, number, (unsigned)untried_words(tree->now.nodes[node].total));
    untried[place / 64] &= ~(UINT64_C(1) << place % 64);
    tree->now.links[child].number = place;
    return child;
}

void fzi_tree_move_to(const fzi_tree *tree, uint32_t node, uint32_t child, fz_move *move)
{
    if (tree->closed)
        fzi_tree_move(tree, node, tree->now.links[child].number, move);
    else
        *move = tree->now.moves[child];
}

bool fzi_tree_has_position(const fzi_tree *tree, uint32_t node)
{
    uint64_t *unused;

    return tree->now.links[node].kept && kept_of(&tree->now, node, &unused).state;
}

bool fzi_tree_load_position(const fzi_tree *tree, uint32_t node, fz_state *state)
{
    kept k;
    const uint8_t *bytes = position_of(&tree->now, node, &k);
    const fzi_head *head = (const fzi_head *)(const void *)(bytes + k.pending);

    if (state->capacity < head->top && !fzi_state_grow(state, head->top))
        return false;
    memcpy(state->block - k.pending, bytes, k.pending + k.state);
    return true;
}

bool fzi_tree_same_position(const fzi_tree *tree, uint32_t node, const fz_state *state)
{
    kept k;
    const uint8_t *block = position_of(&tree->now, node, &k);
    const fzi_head *a = (const fzi_head *)(const void *)(block + k.pending);
    const fzi_head *b = fzi_head_of(state);
    uint32_t own = state->layout->own;

    return a->pc == b->pc && a->turns == b->turns && a->plies == b->plies && a->out == b->out &&
           a->mover == b->mover && a->decider == b->decider &&
           !memcmp(block + k.pending + own, state->block + own, state->layout->frames - own);
}

/* ---- going on ---- */

static void copy_kept(const fzi_tree_arrays *old, fzi_tree_arrays *new, uint32_t node)
{
    uint32_t *first = &new->links[node].kept;
    kept k;
    size_t words;

    if (!*first)
        return;
    memcpy(&k, old->kept + *first, sizeof k);
    words = words_of(&k, new->nodes[node].total);
    memcpy(new->kept + new->kept_count, old->kept + *first, words * sizeof *new->kept);
    *first = new->kept_count;
    new->kept_count += (uint32_t)words;
}

/* Copies the nodes below `from`, breadth first: the array of the copies is the queue. Links of
 * copies that are still in the queue are those of the old nodes. What is free is `fresh`: nothing
 * is below it. */
static void copy_below(const fzi_tree_arrays *old, fzi_tree_arrays *new, uint32_t from)
{
    new->nodes[1] = old->nodes[from];
    new->links[1] = old->links[from];
    new->count = 2;
    new->kept_count = 1;
    for (uint32_t at = 1; at < new->count; at++) {
        fzi_search_node *node = &new->nodes[at];
        uint32_t first = new->count, room = node->count ? 1u << size_of(node->count) : 0;
        copy(new, first, old, node->first, node->count);
        for (uint32_t i = node->count; i < room; i++) {
            new->nodes[first + i] = fresh;
            new->links[first + i] = (fzi_search_link){0};
        }
        if (node->favourite != FZ_NO_NODE)
            node->favourite += first - node->first;
        node->first = first;
        new->count += room;
        copy_kept(old, new, at);
    }
}

bool fzi_tree_advance(fzi_tree *tree, const fz_move *move)
{
    fzi_tree_arrays old = tree->now;
    uint32_t child = old.count > 1 ? fzi_tree_find(tree, 1, move, 0) : FZ_NO_NODE;

    if (child == FZ_NO_NODE || !reserve(tree, &tree->spare, old.count, old.kept_count))
        return fzi_tree_reset(tree);
    copy_below(&old, &tree->spare, child);
    tree->now = tree->spare;
    tree->spare = old;
    memset(tree->left, 0, sizeof tree->left);
    return true;
}

/* ---- proofs ---- */

static double proven_side(const fzi_tree *tree, uint32_t node, unsigned side)
{
    uint32_t proof = tree->now.nodes[node].proof;

    return proof ? tree->results[(size_t)(proof - 1) * tree->sides + side] : NAN;
}

double fzi_tree_proven(const fzi_tree *tree, uint32_t node, int player)
{
    return proven_side(tree, node, tree->side[player]);
}

bool fzi_tree_settled(const fzi_tree *tree, uint32_t node)
{
    for (unsigned side = 0; side < tree->sides; side++)
        if (isnan(proven_side(tree, node, side)))
            return false;
    return true;
}

/* Have all legal moves been tried? */
static bool has_all(const fzi_tree *tree, uint32_t node)
{
    return tree->now.nodes[node].total &&
           tree->now.nodes[node].total == tree->now.nodes[node].count;
}

/* The value that perfect play has for the side that chooses among the children: 1 if one of them is
 * won, or the best of them when all are known. */
static double value_of_choice(const fzi_tree *tree, uint32_t node, unsigned side)
{
    bool all = has_all(tree, node);
    double best = NAN;

    for (uint32_t i = 0; i < tree->now.nodes[node].count; i++) {
        double value = proven_side(tree, tree->now.nodes[node].first + i, side);
        all = all && !isnan(value);
        best = fmax(best, value); /* of a number and NAN it is the number */
    }
    return all || best >= 1 ? best : NAN;
}

/* The value for another side: known if it is equal in all children that are best for `decider`, the
 * side that decides, since that side has no reason to prefer one of them. */
static double value_of_others(const fzi_tree *tree, uint32_t node, unsigned decider, double best,
                              unsigned side)
{
    double agreed = NAN;
    bool first = true;

    if (!has_all(tree, node))
        return NAN;
    for (uint32_t i = 0; i < tree->now.nodes[node].count; i++) {
        uint32_t c = tree->now.nodes[node].first + i;
        double value = proven_side(tree, c, side);
        if (proven_side(tree, c, decider) < best)
            continue;
        if (!first && !(agreed == value))
            return NAN;
        agreed = value;
        first = false;
    }
    return agreed;
}

/* Writes what the children prove about their parent. False: nothing. */
static bool conclude(const fzi_tree *tree, uint32_t node, double *row)
{
    unsigned decider = tree->side[tree->now.nodes[node].decider];

    row[decider] = value_of_choice(tree, node, decider);
    if (isnan(row[decider]))
        return false;
    for (unsigned side = 0; side < tree->sides; side++) {
        if (side == decider)
            continue;
        /* The utilities of two sides add up to 1. */
        row[side] = tree->sides == 2 ? 1 - row[decider]
                                     : value_of_others(tree, node, decider, row[decider], side);
    }
    return true;
}

static bool says_more(const fzi_tree *tree, uint32_t node, const double *row)
{
    for (unsigned side = 0; side < tree->sides; side++)
        if (!isnan(row[side]) && isnan(proven_side(tree, node, side)))
            return true;
    return false;
}

/* 1 + number of the row; 0: memory is short. */
static uint32_t store(fzi_tree *tree, const double *row)
{
    if (!fzi_make_room(tree->allocator, &tree->results, &tree->result_room, tree->result_count + 1u,
                       tree->sides * sizeof *tree->results))
        return 0;
    memcpy(tree->results + (size_t)tree->result_count++ * tree->sides, row,
           tree->sides * sizeof *row);
    return tree->result_count;
}

/* Rows never change, so nodes of the same result share one. */
static bool give(fzi_tree *tree, uint32_t node, const double *row)
{
    uint32_t latest = tree->result_count;
    size_t size = tree->sides * sizeof *row;

    if (!latest || memcmp(tree->results + (size_t)(latest - 1) * tree->sides, row, size) != 0)
        latest = store(tree, row);
    if (latest)
        tree->now.nodes[node].proof = latest;
    return latest != 0;
}

/* A proven child is chosen for what it is worth. */
static void make_certain(fzi_tree *tree, uint32_t node, uint32_t parent)
{
    double value = fzi_tree_proven(tree, node, tree->now.nodes[parent].decider);

    if (!isnan(value))
        tree->now.arms[node].bound = (fzi_search_bound){(float)value, 0};
}

bool fzi_tree_prove(fzi_tree *tree, const uint32_t *path, size_t length, const double *utilities)
{
    double row[FZ_MAX_PLAYERS];

    for (unsigned p = 0; p < tree->players; p++)
        row[tree->side[p]] = utilities[p];
    for (size_t i = length; i-- > 0 && says_more(tree, path[i], row);) {
        if (!give(tree, path[i], row))
            return false;
        if (i > 0)
            make_certain(tree, path[i], path[i - 1]);
        if (i > 0 && !conclude(tree, path[i - 1], row))
            break;
    }
    return true;
}
