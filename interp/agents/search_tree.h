/* The tree of a Monte Carlo search. Nodes are numbers into one array, so that the array can grow.
 * A node stands for the moves that led to it from the root; with chance between them it stands for
 * many positions (an open loop), and not all of its children are legal in each. */
#ifndef FZ_INTERP_AGENTS_SEARCH_TREE_H
#define FZ_INTERP_AGENTS_SEARCH_TREE_H

#include "interp/state/move_list.h"
#include "interp/support/context.h"

enum { FZ_NO_NODE = 0 }; /* node 0 is nobody's; the root is 1 */

typedef struct fzi_search_node {
    fz_move move;           /* that leads here */
    uint32_t first, next;   /* child, sibling */
    uint32_t visits;
    uint32_t available;     /* visits of the parent in which the move was legal */
    uint32_t proof;         /* 1 + number of a row of results; 0: nothing is proven */
    int8_t decider;         /* who chooses here; -1: nobody has been here */
    bool expanded;          /* all legal moves have a child: in a closed loop */
    double value;           /* sum of utilities of the player who chose the move */
} fzi_search_node;

typedef struct fzi_tree {
    fzi_allocator allocator;
    fzi_search_node *nodes;
    uint32_t count, room, limit;
    /* Rows of the utilities that perfect play leads to, by side. NAN: not known, because a player
     * to whom two moves are worth the same may choose either, and they differ for others. */
    double *results;
    uint32_t result_count, result_room;
    unsigned players, sides;
    uint8_t side[FZ_MAX_PLAYERS]; /* by player; all players of a side have the same utility */
} fzi_tree;

void fzi_tree_init(fzi_tree *tree, fzi_allocator allocator, const fz_program *program,
                   size_t bytes);
void fzi_tree_free(fzi_tree *tree);
/* Only a root without children. False: memory is short. */
bool fzi_tree_reset(fzi_tree *tree);

/* A new child; FZ_NO_NODE: the tree may not grow any more. It may move all nodes. */
uint32_t fzi_tree_add(fzi_tree *tree, uint32_t parent, const fz_move *move, uint32_t behind);
/* The child with this move; FZ_NO_NODE. The search begins at `hint`, a child or FZ_NO_NODE. */
uint32_t fzi_tree_find(const fzi_tree *tree, uint32_t parent, const fz_move *move, uint32_t hint);

/* Keeps only what follows the move at the root. Without such a child: as reset. */
bool fzi_tree_advance(fzi_tree *tree, const fz_move *move);

/* Stores the utilities of the end at the last node of the path, by player. Passes up along the path
 * what it proves there. False: memory is short. */
bool fzi_tree_prove(fzi_tree *tree, const uint32_t *path, size_t length, const double *utilities);
/* The utility that perfect play from the node gives the player; NAN: not known. */
double fzi_tree_proven(const fzi_tree *tree, uint32_t node, int player);
/* Is it known for all players? */
bool fzi_tree_settled(const fzi_tree *tree, uint32_t node);

#endif
