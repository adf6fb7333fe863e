/* The tree of a script, which the parser makes and all later stages read. All kinds of nodes are
 * one C type, so passes can walk the tree generically; nodes.def lists the fields of each kind. The
 * parser sets the first part of a node. The checker sets the second part and does not change the
 * first. */
#ifndef FZ_GRAMMAR_SYNTAX_TREE_H
#define FZ_GRAMMAR_SYNTAX_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "grammar/source/arena.h"
#include "grammar/source/source.h"

enum fzi_node_kind {
#define NODE(kind, child_0, child_1, child_2, child_3, remarks) N_##kind,
#include "nodes.def"
    FZ_NODE_COUNT
};

/* The values of `op`: operators and words, each with what the author writes. */
#define FZI_OPERATORS(OP)                                                                          \
    OP(NONE, "") OP(GAME, "game") OP(LIBRARY, "library") OP(VARIANT, "variant") OP(OR, "or")       \
    OP(AND, "and") OP(NOT, "not") OP(EQ, "==") OP(NE, "!=") OP(LT, "<") OP(LE, "<=") OP(GT, ">")   \
    OP(GE, ">=") OP(IN, "in") OP(RANGE, "..") OP(UNITE, "|") OP(MEET, "&") OP(PLUS, "+")           \
    OP(MINUS, "-") OP(TIMES, "*") OP(DIVIDE, "/") OP(MODULO, "%") OP(TILDE, "~") OP(HASH, "#")     \
    OP(ASSIGN, "=") OP(PLUS_ASSIGN, "+=") OP(MINUS_ASSIGN, "-=") OP(OR_ASSIGN, "|=")               \
    OP(AND_ASSIGN, "&=") OP(ANY, "any") OP(ALL, "all") OP(COUNT, "count") OP(SUM, "sum")           \
    OP(MAX, "max") OP(MIN, "min") OP(UNION, "union") OP(FIRST, "first") OP(RANDOM, "random")       \
    OP(ENSURING, "ensuring") OP(MOVE, "move") OP(CAPTURE, "capture") OP(INCLUDES, "includes")      \
    OP(EXCLUDES, "excludes")
#define OP(name, text) FZ_T_##name,
enum fzi_op_token { FZI_OPERATORS(OP) };
#undef OP

enum fzi_node_flag {
    FZ_NODE_CARRIED = 1,
    FZ_NODE_CLOCK = 2,
    FZ_NODE_SECRET = 4,
    FZ_NODE_OVERRIDE = 8, /* the declaration said `override` */
    FZ_NODE_DECISIONS = 16,
    FZ_NODE_MODULE = 32, /* a declaration of the prelude or of a module, not of the game's files */
    FZ_NODE_EXTEND = 64, /* the declaration said `extend` */
    FZ_NODE_BARE = 128,  /* `base;`: a call without a list of arguments */
    FZ_NODE_ONCE = 256,  /* a procedure that is called at one place: of `base;` or `extend` */
    FZ_NODE_ON_TOP = 512,
    FZ_NODE_BORROWED = 1024, /* an item that `move as` copied from another kind */
    FZ_NODE_ON_LINE = 2048   /* a row of a graph that one line of `e w: a1 b1 c1;` made */
};

enum { FZ_NODE_CHILDREN = 4 };

/* A kind's children have names, such as node->condition; nodes.def lists them. Passes that treat
 * all kinds alike go through `children`. */
typedef struct fzi_node fzi_node;
struct fzi_node {
    uint8_t kind;
    uint8_t op;
    uint16_t flags;
    uint32_t doc;  /* offset of the `///` text before a declaration in its source, + 1; 0: none */
    fzi_span span; /* the whole construct */
    fzi_span name_span; /* the name; without one: the string, or the first word of a declaration */
    const char *name;
    const char *text;
    int64_t number;
    union {
        fzi_node *children[FZ_NODE_CHILDREN];
        struct {
            union {
#define CHILD_0(field, meaning) fzi_node *field;
#include "nodes.def"
            };
            union {
#define CHILD_1(field, meaning) fzi_node *field;
#include "nodes.def"
            };
            union {
#define CHILD_2(field, meaning) fzi_node *field;
#include "nodes.def"
            };
            union {
#define CHILD_3(field, meaning) fzi_node *field;
#include "nodes.def"
            };
        };
    };
    fzi_node *next;

    /* Set by the checker. */
    const struct fzi_type *type; /* of an expression, a type node, a BINDER, BOUND, PARAM */
    struct fzi_symbol *symbol; /* the meaning of a name; what a declaration adds */
    uint32_t effects;          /* enum fzi_effect */

    uint32_t height; /* of the subtree, in levels; the parser keeps it below FZ_MAX_DEPTH */
};

/* A deeper tree is a syntax error, so passes may recurse: the deepest tree fits a stack of 1
 * MiB. */
enum { FZ_MAX_DEPTH = 400 };

fzi_node *fzi_node_new(fzi_arena *arena, int kind, fzi_span span);
/* Are the two written alike? What follows them in their lists does not count. */
bool fzi_same_tree(const fzi_node *a, const fzi_node *b);
bool fzi_same_lists(const fzi_node *a, const fzi_node *b);
const char *fzi_node_kind_name(int kind);
const char *fzi_op_text(int op); /* as the author writes it: "==", "and", ... */

/* A copy of a tree without the checker's part and without the root's siblings, for tests that check
 * a program under other options. */
fzi_node *fzi_node_clone(fzi_arena *arena, const fzi_node *node);
size_t fzi_list_length(const fzi_node *list);
fzi_node *fzi_list_last(fzi_node *list); /* of a list that is not empty */

/* Calls `visit` for each node of a list and of its subtrees, parents first. */
typedef void fzi_visit(void *user, fzi_node *node);
void fzi_walk(fzi_node *list, fzi_visit *visit, void *user);
/* The same for the nodes below one node. */
void fzi_walk_below(const fzi_node *node, fzi_visit *visit, void *user);

/* Does a node of the list, or below it, pass the test? */
typedef bool fzi_node_test(const fzi_node *node, const void *data);
bool fzi_tree_any(const fzi_node *list, fzi_node_test *test, const void *data);
/* The same for the nodes below one node. */
bool fzi_below_any(const fzi_node *node, fzi_node_test *test, const void *data);
/* Is a node of the list, or below it, of the kind? */
bool fzi_tree_has(const fzi_node *list, int kind);

/* The lines of the `///` text before a declaration, without the markers; NULL if there is none. */
const char *fzi_node_doc(const fzi_sources *sources, fzi_arena *arena, const fzi_node *node);
/* Its text after `Deprecated:` at the beginning of a line; NULL: it is not deprecated. */
const char *fzi_node_deprecated(const fzi_sources *sources, fzi_arena *arena,
                                const fzi_node *node);

#endif
