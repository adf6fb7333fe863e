/* Gathering: the code that lists the moves of a choice. A choice is a tree of options and
 * generators; its leaves are the program's options. */
#ifndef FZ_GRAMMAR_LOWER_GATHERING_H
#define FZ_GRAMMAR_LOWER_GATHERING_H

#include "codegen.h"
#include "elaborate.h"

/* What a leaf binds, innermost first: bindings, lets, points of view. Each has a register of its
 * own while the choice exists, so gathering, effects, texts and filters read the same registers. */
typedef struct fzi_path {
    const struct fzi_path *outer;
    fzi_local *local;
    const fzi_ir *value;      /* computed again when the move is played; NULL: a binding */
    const fzi_symbol *symbol; /* NULL: a point of view, or a copy of an argument */
    const fzi_node *domain;   /* of a binding: where its values come from (fzi_way_domain) */
    fzi_view domain_view;
    uint8_t onto, kind;
} fzi_path;

/* What follows an option's effect, innermost first: `then` statements and filters. */
typedef struct fzi_closer {
    const struct fzi_closer *outer;
    const fzi_node *then; /* a statement; NULL: a filter */
    fzi_view view;
    uint32_t filter;      /* index in program.filters */
    const fzi_ir *bounds[FZ_MAX_KEYS]; /* of a `keeping`, by key; computed before the effect */
    unsigned bound_count;
    const fzi_node *condition; /* the FILTER node */
    bool own;                  /* of the choice itself */
    bool named;                /* belongs to a named generator or a piece */
    bool first;                /* judged before the effect (lower_condition.c) */
} fzi_closer;

/* The labels around an option's own, innermost first. */
typedef struct fzi_prefix {
    const struct fzi_prefix *outer;
    const fzi_node *label;
    fzi_view view;
} fzi_prefix;

/* The generators that are being expanded, innermost first. */
typedef struct fzi_generators {
    const struct fzi_generators *outer;
    const fzi_symbol *symbol;
    fzi_span span; /* of its use */
} fzi_generators;

/* The way from the choice to a node of its tree. */
typedef struct fzi_way {
    fzi_view view;
    const fzi_path *path;
    const fzi_closer *closers;
    const fzi_closer *conditions; /* in an explaining program, the last first */
    const fzi_prefix *prefix;
    const fzi_generators *inside;
    unsigned bound; /* number of bindings */
    bool named;     /* inside a named generator: effects may be functions */
} fzi_way;

typedef struct fzi_leaf {
    struct fzi_leaf *next;
    fzi_way way;
    const fzi_node *label;       /* LABEL or NULL */
    const fzi_node *effect;      /* statement; NULL: go(here, to) */
    const fzi_symbol *here, *to; /* of a piece's move */
    const fzi_piece *plain;      /* whose plain items the leaf is; NULL: none */
    fzi_span span;
    unsigned ints, sets; /* registers in use on the way */
    uint32_t option;     /* index in program.options */
} fzi_leaf;

enum { FZ_MAX_SHARED = 12, FZ_MAX_OPTIONS = 4096 };

/* A set that is kept in a register: the state does not change during gathering. */
typedef struct fzi_shared {
    const fzi_ir *ir;
    fzi_local *local;
} fzi_shared;

/* Of `together` (lower_together.c). */
typedef struct fzi_sealed fzi_sealed;

/* One choice while its gathering is generated. */
typedef struct fzi_gather {
    fzi_codegen *e;
    uint32_t choice;
    unsigned base;   /* first of the registers for bindings */
    bool test;       /* only ask whether there is a move */
    bool question;   /* ask whether there is a legal move */
    bool filtered;
    bool explains;   /* conditions become filters */
    const fzi_sealed *sealed; /* of `together`: a move is stored and takes effect later */
    unsigned chosen; /* nesting of branches generated before the loops of a leaf (lower_emit.c) */
    fzi_label found; /* test, question: where to go on if there is a move */
    fzi_leaf *first, *last;
    unsigned count;
    const fzi_symbol *here, *to;   /* of the piece's item being gathered */
    const fzi_ir *within;          /* the only targets of pieces' moves; NULL: all */
    fzi_shared shared[FZ_MAX_SHARED]; /* computed on every way to the current code */
    unsigned shared_count;
    unsigned shared_sets; /* first of their registers */
    fzi_node *go_node;    /* the effect go(here, to) of items without one of their own */
} fzi_gather;

#endif
