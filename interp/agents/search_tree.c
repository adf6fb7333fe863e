#include "agent.h"

#include <math.h>
#include <string.h>

#include "interp/text/notation.h"

void fzi_tree_init(fzi_tree *tree, fzi_allocator allocator, const fz_program *program,
                   size_t bytes)
{
    size_t limit = bytes / (sizeof(fzi_search_node) + sizeof(fz_move));

    *tree = (fzi_tree){.allocator = allocator,
                       .limit = limit < UINT32_MAX / 2 ? (uint32_t)limit : UINT32_MAX / 2};
    tree->players = program->player_count;
    tree->sides = fzi_sides(program, tree->side);
}

void fzi_tree_free(fzi_tree *tree)
{
    FZI_RELEASE(tree->allocator, tree->nodes, tree->moves, tree->results);
    tree->nodes = NULL;
    tree->moves = NULL;
    tree->results = NULL;
}

static bool reserve(fzi_tree *tree, size_t count)
{
    fzi_allocator a = tree->allocator;

    return fzi_make_room(a, &tree->nodes, &tree->room, count, sizeof *tree->nodes) &&
           fzi_make_room(a, &tree->moves, &tree->move_room, count, sizeof *tree->moves);
}

bool fzi_tree_reset(fzi_tree *tree)
{
    if (!reserve(tree, 2))
        return false;
    memset(tree->nodes, 0, 2 * sizeof *tree->nodes);
    tree->nodes[1].decider = -1;
    tree->count = 2;
    tree->result_count = 0;
    return true;
}

/* Room for so many nodes at the end: the first; FZ_NO_NODE: there is none. */
static uint32_t take_room(fzi_tree *tree, uint32_t count)
{
    uint32_t first = tree->count;

    if (first >= tree->limit || count > tree->limit - first ||
        !reserve(tree, (size_t)first + count))
        return FZ_NO_NODE;
    tree->count += count;
    return first;
}

bool fzi_tree_expand(fzi_tree *tree, uint32_t node, uint32_t count)
{
    uint32_t first = take_room(tree, count);

    if (first == FZ_NO_NODE)
        return false;
    tree->nodes[node].expanded = true;
    for (uint32_t i = 0; i < count; i++)
        tree->nodes[first + i] = (fzi_search_node){.decider = -1};
    tree->nodes[node].first = first;
    tree->nodes[node].count = count;
    return true;
}

static void copy(fzi_tree *tree, uint32_t to, uint32_t from, uint32_t count)
{
    memmove(tree->nodes + to, tree->nodes + from, count * sizeof *tree->nodes);
    memmove(tree->moves + to, tree->moves + from, count * sizeof *tree->moves);
}

/* Children that come one by one have room for a power of two of them. */
static uint32_t room_of(const fzi_search_node *node)
{
    uint32_t room = node->count ? 1 : 0;

    while (room < node->count && !node->expanded)
        room *= 2;
    return node->expanded ? node->count : room;
}

static bool make_room(fzi_tree *tree, uint32_t node)
{
    uint32_t count = tree->nodes[node].count, first;

    if (count < room_of(&tree->nodes[node]))
        return true;
    first = take_room(tree, count ? 2 * count : 1);
    if (first == FZ_NO_NODE)
        return false;
    copy(tree, first, tree->nodes[node].first, count);
    tree->nodes[node].first = first;
    return true;
}

uint32_t fzi_tree_insert(fzi_tree *tree, uint32_t node, const fz_move *move, uint32_t place)
{
    if (!make_room(tree, node))
        return FZ_NO_NODE;
    uint32_t child = tree->nodes[node].first + place;
    copy(tree, child + 1, child, tree->nodes[node].count++ - place);
    tree->nodes[child] = (fzi_search_node){.decider = -1};
    tree->moves[child] = *move;
    return child;
}

uint32_t fzi_tree_find(const fzi_tree *tree, uint32_t node, const fz_move *move, uint32_t place)
{
    uint32_t first = tree->nodes[node].first, count = tree->nodes[node].count;

    if (place < count && fzi_move_same(&tree->moves[first + place], move))
        return first + place;
    for (uint32_t child = first; child < first + count; child++)
        if (fzi_move_same(&tree->moves[child], move))
            return child;
    return FZ_NO_NODE;
}

/* Copies the nodes below `from`, breadth first: the array of the copies is the queue. Links of
 * copies that are still in the queue are those of the old nodes. What is free stays 0: nothing is
 * below it. */
static void copy_below(const fzi_tree *old, fzi_tree *kept, uint32_t from)
{
    kept->nodes[1] = old->nodes[from];
    kept->count = 2;
    for (uint32_t at = 1; at < kept->count; at++) {
        fzi_search_node *node = &kept->nodes[at];
        uint32_t first = kept->count, room = room_of(node);
        memcpy(kept->nodes + first, old->nodes + node->first, node->count * sizeof *node);
        memcpy(kept->moves + first, old->moves + node->first, node->count * sizeof *kept->moves);
        node->first = first;
        kept->count += room;
    }
}

bool fzi_tree_advance(fzi_tree *tree, const fz_move *move)
{
    uint32_t child = tree->count > 1 ? fzi_tree_find(tree, 1, move, 0) : FZ_NO_NODE;
    fzi_tree kept = *tree;

    kept.nodes = NULL;
    kept.moves = NULL;
    kept.room = kept.move_room = 0;
    if (child == FZ_NO_NODE || !reserve(&kept, tree->count)) {
        FZI_RELEASE(kept.allocator, kept.nodes, kept.moves);
        return fzi_tree_reset(tree);
    }
    copy_below(tree, &kept, child);
    FZI_RELEASE(tree->allocator, tree->nodes, tree->moves);
    *tree = kept;
    return true;
}

/* ---- proofs ---- */

static double proven_side(const fzi_tree *tree, uint32_t node, unsigned side)
{
    uint32_t proof = tree->nodes[node].proof;

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

/* The value that perfect play has for the side that chooses among the children: 1 if one of them is
 * won, or the best of them when all are known. */
static double value_of_choice(const fzi_tree *tree, uint32_t node, unsigned side)
{
    bool all = tree->nodes[node].expanded;
    double best = NAN;

    for (uint32_t i = 0; i < tree->nodes[node].count; i++) {
        double value = proven_side(tree, tree->nodes[node].first + i, side);
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

    if (!tree->nodes[node].expanded)
        return NAN;
    for (uint32_t i = 0; i < tree->nodes[node].count; i++) {
        uint32_t c = tree->nodes[node].first + i;
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
    unsigned decider = tree->side[tree->nodes[node].decider];

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
        tree->nodes[node].proof = latest;
    return latest != 0;
}

bool fzi_tree_prove(fzi_tree *tree, const uint32_t *path, size_t length, const double *utilities)
{
    double row[FZ_MAX_PLAYERS];

    for (unsigned p = 0; p < tree->players; p++)
        row[tree->side[p]] = utilities[p];
    for (size_t i = length; i-- > 0 && says_more(tree, path[i], row);) {
        if (!give(tree, path[i], row))
            return false;
        if (i > 0 && !conclude(tree, path[i - 1], row))
            break;
    }
    return true;
}
