#include "agent.h"

#include <math.h>
#include <string.h>

#include "interp/text/notation.h"

void fzi_tree_init(fzi_tree *tree, fzi_allocator allocator, const fz_program *program,
                   size_t bytes)
{
    size_t limit = bytes / sizeof(fzi_search_node);

    *tree = (fzi_tree){.allocator = allocator,
                       .limit = limit < UINT32_MAX / 2 ? (uint32_t)limit : UINT32_MAX / 2};
    tree->players = program->player_count;
    tree->sides = fzi_sides(program, tree->side);
}

void fzi_tree_free(fzi_tree *tree)
{
    fzi_release(tree->allocator, tree->nodes);
    fzi_release(tree->allocator, tree->results);
    tree->nodes = NULL;
    tree->results = NULL;
}

static bool reserve(fzi_tree *tree, size_t count)
{
    return fzi_make_room(tree->allocator, &tree->nodes, &tree->room, count, sizeof *tree->nodes);
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

uint32_t fzi_tree_add(fzi_tree *tree, uint32_t parent, const fz_move *move, uint32_t behind)
{
    uint32_t node = tree->count;

    if (node >= tree->limit || !reserve(tree, (size_t)node + 1))
        return FZ_NO_NODE;
    tree->nodes[node] = (fzi_search_node){.move = *move, .decider = -1};
    tree->count++;
    if (behind == FZ_NO_NODE) {
        tree->nodes[node].next = tree->nodes[parent].first;
        tree->nodes[parent].first = node;
    } else {
        tree->nodes[node].next = tree->nodes[behind].next;
        tree->nodes[behind].next = node;
    }
    return node;
}

uint32_t fzi_tree_find(const fzi_tree *tree, uint32_t parent, const fz_move *move, uint32_t hint)
{
    if (hint != FZ_NO_NODE && fzi_move_same(&tree->nodes[hint].move, move))
        return hint;
    for (uint32_t child = tree->nodes[parent].first; child; child = tree->nodes[child].next)
        if (fzi_move_same(&tree->nodes[child].move, move))
            return child;
    return FZ_NO_NODE;
}

/* Copies the nodes below `from`, breadth first: the array of the copies is the queue. Links of
 * copies that are still in the queue are those of the old nodes. */
static void copy_below(const fzi_search_node *old, fzi_search_node *nodes, uint32_t from,
                       uint32_t *count)
{
    nodes[1] = old[from];
    nodes[1].next = FZ_NO_NODE;
    *count = 2;
    for (uint32_t at = 1; at < *count; at++) {
        uint32_t child = nodes[at].first, last = FZ_NO_NODE;
        nodes[at].first = FZ_NO_NODE;
        for (; child; child = old[child].next) {
            uint32_t copy = (*count)++;
            nodes[copy] = old[child];
            nodes[copy].next = FZ_NO_NODE;
            if (last)
                nodes[last].next = copy;
            else
                nodes[at].first = copy;
            last = copy;
        }
    }
}

bool fzi_tree_advance(fzi_tree *tree, const fz_move *move)
{
    uint32_t child = tree->count > 1 ? fzi_tree_find(tree, 1, move, FZ_NO_NODE) : FZ_NO_NODE;
    fzi_search_node *nodes;

    if (child == FZ_NO_NODE)
        return fzi_tree_reset(tree);
    nodes = fzi_allocate(tree->allocator, tree->room * sizeof *nodes);
    if (!nodes)
        return fzi_tree_reset(tree);
    memset(nodes, 0, sizeof *nodes);
    copy_below(tree->nodes, nodes, child, &tree->count);
    fzi_release(tree->allocator, tree->nodes);
    tree->nodes = nodes;
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

    for (uint32_t c = tree->nodes[node].first; c; c = tree->nodes[c].next) {
        double value = proven_side(tree, c, side);
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
    for (uint32_t c = tree->nodes[node].first; c; c = tree->nodes[c].next) {
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
