/* The tree of a Monte Carlo search. Nodes are numbers into one array, so that the array can grow.
 * A node stands for the moves that led to it from the root; with chance between them it stands for
 * many positions (an open loop), and not all of its children are legal in each. */
#ifndef FZ_INTERP_AGENTS_SEARCH_TREE_H
#define FZ_INTERP_AGENTS_SEARCH_TREE_H

#include "interp/state/move_list.h"
#include "interp/support/context.h"

enum { FZ_NO_NODE = 0 }; /* node 0 is nobody's; the root is 1 */

typedef struct fzi_node {
    fz_move move;           /* that leads here */
    uint32_t first, next;   /* child, sibling */
    uint32_t visits;
    uint32_t available;     /* visits of the parent in which the move was legal */
    uint32_t proof;         /* 1 + number of a result that perfect play leads to; 0: not known */
    int8_t decider;         /* who chooses here; -1: nobody has been here */
    bool expanded;          /* all legal moves have a child: in a closed loop */
    double value;           /* sum of utilities of the player who chose the move */
} fzi_node;

typedef struct fzi_tree {
    fzi_allocator allocator;
    fzi_node *nodes;
    uint32_t count, room, limit;
    double *results;        /* utilities by player, of ends that were found */
    uint32_t result_count, result_room;
    unsigned players;
} fzi_tree;

void fzi_tree_init(fzi_tree *tree, fzi_allocator allocator, unsigned players, size_t bytes);
void fzi_tree_free(fzi_tree *tree);
/* Only a root without children. False: memory is short. */
bool fzi_tree_reset(fzi_tree *tree);

/* A new child; FZ_NO_NODE: the tree may not grow any more. It may move all nodes. */
uint32_t fzi_tree_add(fzi_tree *tree, uint32_t parent, const fz_move *move, uint32_t behind);
/* The child with this move; FZ_NO_NODE. The search begins at `hint`, a child or FZ_NO_NODE. */
uint32_t fzi_tree_find(const fzi_tree *tree, uint32_t parent, const fz_move *move, uint32_t hint);

/* Keeps only what follows the move at the root. Without such a child: as reset. */
bool fzi_tree_advance(fzi_tree *tree, const fz_move *move);

/* Stores the utilities of an end that is known to be reached at the node; passes it up along the
 * path as far as it proves something there. */
bool fzi_tree_prove(fzi_tree *tree, const uint32_t *path, size_t length, const double *utilities);
/* The utility of a node's proven result for a player. */
double fzi_tree_proven(const fzi_tree *tree, uint32_t node, int player);

#endif
