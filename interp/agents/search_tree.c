#include "search_tree.h"

#include <string.h>

void fzi_tree_init(fzi_tree *tree, fzi_allocator allocator, unsigned players, size_t bytes)
{
    size_t limit = bytes / sizeof(fzi_node);

    *tree = (fzi_tree){.allocator = allocator, .players = players,
                       .limit = limit < UINT32_MAX / 2 ? (uint32_t)limit : UINT32_MAX / 2};
}

void fzi_tree_free(fzi_tree *tree)
{
    fzi_release(tree->allocator, tree->nodes);
    fzi_release(tree->allocator, tree->results);
    *tree = (fzi_tree){.allocator = tree->allocator, .players = tree->players,
                       .limit = tree->limit};
}

static bool reserve(fzi_tree *tree, uint32_t count)
{
    uint32_t room = tree->room ? tree->room : 1024;
    fzi_node *nodes;

    if (count <= tree->room)
        return true;
    while (room < count)
        room *= 2;
    nodes = tree->allocator.resize(tree->allocator.user, tree->nodes, room * sizeof *nodes);
    if (!nodes)
        return false;
    tree->nodes = nodes;
    tree->room = room;
    return true;
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

    if (node >= tree->limit || !reserve(tree, node + 1))
        return FZ_NO_NODE;
    tree->nodes[node] = (fzi_node){.move = *move, .decider = -1};
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

static bool same_move(const fz_move *a, const fz_move *b)
{
    return a->option == b->option && a->count == b->count &&
           memcmp(a->values, b->values, a->count * sizeof *a->values) == 0;
}

uint32_t fzi_tree_find(const fzi_tree *tree, uint32_t parent, const fz_move *move, uint32_t hint)
{
    if (hint != FZ_NO_NODE && same_move(&tree->nodes[hint].move, move))
        return hint;
    for (uint32_t child = tree->nodes[parent].first; child; child = tree->nodes[child].next)
        if (same_move(&tree->nodes[child].move, move))
            return child;
    return FZ_NO_NODE;
}

/* Copies the nodes below `from`, breadth first: the array of the copies is the queue. Links of
 * copies that are still in the queue are those of the old nodes. */
static void copy_below(const fzi_node *old, fzi_node *nodes, uint32_t from, uint32_t *count)
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
    fzi_node *nodes;

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

double fzi_tree_proven(const fzi_tree *tree, uint32_t node, int player)
{
    return tree->results[(tree->nodes[node].proof - 1) * tree->players + (unsigned)player];
}

/* Which proof the children give their parent: one that is best for the decider anyway, or the best
 * of them when all are proven; 0: none. */
static uint32_t proof_of_children(const fzi_tree *tree, uint32_t node)
{
    int decider = tree->nodes[node].decider;
    uint32_t best = FZ_NO_NODE;
    bool all = tree->nodes[node].expanded;

    for (uint32_t c = tree->nodes[node].first; c; c = tree->nodes[c].next) {
        if (!tree->nodes[c].proof) {
            all = false;
        } else if (!best ||
                   fzi_tree_proven(tree, c, decider) > fzi_tree_proven(tree, best, decider)) {
            best = c;
        }
    }
    if (!best || (!all && fzi_tree_proven(tree, best, decider) < 1))
        return 0;
    return tree->nodes[best].proof;
}

bool fzi_tree_prove(fzi_tree *tree, const uint32_t *path, size_t length, const double *utilities)
{
    uint32_t proof = tree->result_count + 1;

    if (tree->result_count == tree->result_room) {
        uint32_t room = tree->result_room ? 2 * tree->result_room : 256;
        double *results = tree->allocator.resize(tree->allocator.user, tree->results,
                                                 room * tree->players * sizeof *results);
        if (!results)
            return false;
        tree->results = results;
        tree->result_room = room;
    }
    memcpy(tree->results + tree->result_count++ * tree->players, utilities,
           tree->players * sizeof *utilities);
    for (size_t i = length; i-- > 0 && proof;) {
        if (tree->nodes[path[i]].proof)
            break;
        tree->nodes[path[i]].proof = proof;
        proof = i > 0 ? proof_of_children(tree, path[i - 1]) : 0;
    }
    return true;
}
