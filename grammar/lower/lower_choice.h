/* Shared by the files that lower decisions: the way from a choice to one of its options. */
#ifndef FZ_GRAMMAR_LOWER_LOWER_CHOICE_H
#define FZ_GRAMMAR_LOWER_LOWER_CHOICE_H

#include "lower.h"

/* What stands between the choice and an option, innermost first: bindings, lets, points of view.
 * All have registers of their own, so that gathering, effects, texts and filters can name them. */
typedef struct fzi_path {
    const struct fzi_path *outer;
    fzi_local *local;
    const fzi_ir *value;       /* worked out again when the move is played; NULL: a binding */
    const fzi_symbol *symbol;    /* NULL: a point of view, or a copy of an argument */
} fzi_path;

/* What comes after an option's effect, innermost first. */
typedef struct fzi_closer {
    const struct fzi_closer *outer;
    const fzi_node *then;        /* a statement; NULL: a filter */
    fzi_view view;
    uint32_t filter;             /* index in program.filters */
    const fzi_ir
        *bounds[FZ_MAX_KEYS]; /* of a `keeping`, for each key; known before the effect begins */
    unsigned bound_count;
    const fzi_node *condition;   /* the FILTER node */
    bool own;                    /* of the choice itself */
    bool named;                  /* stands in a named generator or a piece */
} fzi_closer;

typedef struct fzi_prefix {
    const struct fzi_prefix *outer;
    const fzi_node *label;
    fzi_view view;
} fzi_prefix;

typedef struct fzi_generators {
    const struct fzi_generators *outer;
    const fzi_symbol *symbol;
    fzi_span span;               /* of its use */
} fzi_generators;

/* A point on the way. */
typedef struct fzi_way {
    fzi_view view;
    const fzi_path *path;
    const fzi_closer *closers;
    const fzi_prefix *prefix;
    const fzi_generators *inside;
    unsigned bound;
    bool named;                  /* inside a named generator: effects may be functions */
} fzi_way;

typedef struct fzi_leaf {
    struct fzi_leaf *next;
    fzi_way way;
    const fzi_node *label;       /* LABEL or NULL */
    const fzi_node *effect;      /* statement; NULL: go(here, to) */
    const fzi_symbol *here, *to; /* of a piece's move */
    fzi_span span;
    unsigned ints, sets;         /* registers in use by the way */
    uint32_t option;             /* index */
} fzi_leaf;

enum { FZI_SHARED = 12, FZI_MOST_OPTIONS = 4096 };

/* A set that gathering needs again: the state does not change while a list is made. */
typedef struct fzi_shared {
    const fzi_ir *ir;
    fzi_local *local;
} fzi_shared;

typedef struct fzi_gather {
    fzi_codegen *e;
    uint32_t choice;
    unsigned base;               /* first of the registers for bindings */
    bool test;                   /* only ask whether there is a move */
    bool question;               /* ask whether there is a legal one */
    bool filtered;
    unsigned chosen; /* choices made before the loops of a leaf, inside each other (lower_emit.c) */
    fzi_label found;             /* test, question: where to go on when there is one */
    fzi_leaf *first, *last;
    unsigned count;
    const fzi_symbol *here, *to; /* of the piece's item being gathered */
    fzi_shared
        shared[FZI_SHARED]; /* those worked out where the code that follows cannot miss them */
    unsigned shared_count;
    unsigned shared_sets;        /* first of their registers */
    fzi_node *go_node;           /* stands for the item's own go(here, to) */
} fzi_gather;

/* lower_choice.c */
fzi_way fzi_way_bind(fzi_gather *g, fzi_way way, const fzi_symbol *symbol, fzi_local **local);
fzi_way fzi_way_let(fzi_gather *g, fzi_way way, const fzi_symbol *symbol, const fzi_ir *value,
                    bool gather);
/* Is the value so cheap, and the state's so little, that it is put where it is used? */
bool fzi_is_substitutable(const fzi_ir *ir);
fzi_way fzi_way_then(fzi_gather *g, fzi_way way, const fzi_node *then);
fzi_leaf *fzi_gather_leaf(fzi_gather *g, const fzi_way *way, const fzi_node *label,
                          const fzi_node *effect, fzi_span span);
/* Moves of one option for each member of the last binder. */
void fzi_gather_last(fzi_gather *g, fzi_leaf *leaf, const fzi_binder *binder);
void fzi_gather_options(fzi_gather *g, fzi_way way, const fzi_node *options);
/* A number that effects and filters need and that has no name: put where it is used, or on the
 * way. */
const fzi_ir *fzi_way_value(fzi_gather *g, fzi_way *way, const fzi_ir *value, const fzi_type *type);

/* lower_filter.c: the filters of a choice (`own`) or generator. */
fzi_way fzi_way_filters(fzi_gather *g, fzi_way way, const fzi_node *filters, bool own);
/* The expressions whose values a filter's VERDICT reads: the condition, or the list of keys. */
const fzi_node *fzi_filter_values(const fzi_node *filter);
/* The closer that came of a declaration's `keeping`; NULL. */
const fzi_closer *fzi_keeping_of(const fzi_closer *closers, const fzi_node *filters);
/* Writes down which are the choice's. */
void fzi_own_filters(fzi_gather *g, const fzi_closer *closers);
/* Behind what lists moves of an option: a question whose answer they are lists no more. */
void fzi_gather_ask(fzi_gather *g, const fzi_leaf *leaf);

/* lower_limit.c: complains, once, of a choice in which the leaf is one option too many. */
void fzi_too_many_options(fzi_gather *g, const fzi_leaf *leaf);

/* lower_hoist.c: the same value with its sets that do not depend on `x` (may be NULL) nor on any
 * binding put into registers before, and taken from there when they are there already. */
const fzi_ir *fzi_share(fzi_gather *g, const fzi_ir *ir, const fzi_local *x);

/* lower_shift.c: a set that depends on a site x, as steps of whole sets: step i leads from the
 * sites `valid` to those delta further. `base`, an IR node below `bases`, says which of the
 * shapes it is. */
typedef struct fzi_shape {
    const fzi_ir *base;
    unsigned bases;
    unsigned count[FZ_MAX_PLAYERS];
    int32_t delta[FZ_MAX_PLAYERS][FZ_SHAPE_STEPS];
    uint64_t *valid;             /* [base][step][word] */
    const fzi_ir *sources;     /* and x is one of these; NULL: any */
} fzi_shape;

bool fzi_shape_of(fzi_lower *lw, const fzi_ir *ir, const fzi_local *x, fzi_shape *shape);
/* The same of a site that a table has for x: {site}. */
bool fzi_shape_of_entry(fzi_lower *lw, const fzi_ir *ir, const fzi_local *x, fzi_shape *shape);
unsigned fzi_shape_most(const fzi_shape *shape); /* steps of one base */
void fzi_shape_tables(fzi_lower *lw, const fzi_shape *shape, uint32_t *deltas, uint32_t *valid);
/* The sites from which a step leads into a set; `sources` are not looked at. */
const fzi_ir *fzi_shape_back(fzi_lower *lw, const fzi_shape *shape, const fzi_ir *into);

/* lower_emit.c: those of `from` for whose x the set can have members; perhaps some more. */
const fzi_ir *fzi_narrowed(fzi_lower *lw, const fzi_ir *from, const fzi_ir *set,
                             const fzi_local *x);
/* The coarse forms of two loops. `x` ranges over `from`; `to` is the set for it. */
void fzi_gather_two(fzi_gather *g, fzi_leaf *leaf, fzi_local *x, const fzi_ir *from, unsigned x_reg,
                    const fzi_ir *to);

/* lower_narrow.c */
/* for x in A if c(x): the members that pass are one set. False: the option is not of this form. */
bool fzi_gather_passing(fzi_gather *g, fzi_way way, const fzi_node *option, const fzi_node *quant,
                        const fzi_node *node);
/* Before a loop over sites: its set becomes those for which something further in can pass, as
 * far as that can be told of the whole set; without any, goes on at `none`. How many sets are
 * shared that cannot be missed there. */
unsigned fzi_gather_narrowed(fzi_gather *g, fzi_view view, const fzi_node *option,
                             const fzi_node *quant, const fzi_node *node, fzi_binder *binder,
                             fzi_label *none);

/* lower_piece.c */
void fzi_gather_pieces(fzi_gather *g, fzi_way way, const fzi_ir *on);

/* lower_effect.c: the code of what the leaves do, their texts, the filters'. */
void fzi_lower_leaves(fzi_gather *g, fzi_label *after, bool tail, bool question);

#endif
