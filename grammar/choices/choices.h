/* Choices: the code that lists the moves of a choice ("gathering"), and `attacked`. A choice is a
 * tree of options and generators; its leaves are the program's options. grammar/emit generates what
 * an option does. */
#ifndef FZ_GRAMMAR_CHOICES_CHOICES_H
#define FZ_GRAMMAR_CHOICES_CHOICES_H

#include "grammar/elaborate/elaborate.h"

/* This room's part of the state of lowering (fzi_lower.choices). */
typedef struct fzi_choices {
    bool items_apart;        /* every item of a piece is an option of its own */
    int32_t attack_function; /* answers `attacked`; -1: not generated yet */
    uint8_t **has_code;      /* by source and byte: a rule that begins there has code */
} fzi_choices;

/* ---- the context of an option ---- */

/* The names and values that an option binds, innermost first: bindings, `let`s, points of view.
 * Each has a register of its own while the choice exists, so gathering, effects, texts and filters
 * read the same ones. */
typedef struct fzi_bindings {
    const struct fzi_bindings *outer;
    fzi_local *local;
    const fzi_ir *value;      /* computed again when the move is played; NULL: a binding */
    const fzi_symbol *symbol; /* NULL: a point of view, or a copy of an argument */
    const fzi_node *domain;   /* of a binding: where its values come from (fzi_note_domain) */
    fzi_view domain_view;
    uint8_t onto, kind;
} fzi_bindings;

/* The `then` statements and filters after an option's effect, innermost first. */
typedef struct fzi_continuation {
    const struct fzi_continuation *outer;
    const fzi_node *then; /* a statement; NULL: a filter */
    fzi_view view;
    uint32_t filter;      /* index in program.filters */
    const fzi_ir *bounds[FZ_MAX_KEYS]; /* of a `keeping`, by key; computed before the effect */
    unsigned bound_count;
    const fzi_node *condition; /* the FILTER node */
    bool own;                  /* of the choice itself */
    bool named;                /* belongs to a named generator or a piece */
    bool before_effect;        /* a condition of an explaining program: judged before the effect */
} fzi_continuation;

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

/* All that holds at a node of the choice's tree. */
typedef struct fzi_option_context {
    fzi_view view;
    const fzi_bindings *bindings;
    const fzi_continuation *continuations;
    const fzi_continuation *conditions; /* in an explaining program, the last first */
    const fzi_prefix *prefix;
    const fzi_generators *inside;
    unsigned bound; /* number of bindings */
    bool named;     /* inside a named generator: effects may be functions */
} fzi_option_context;

typedef struct fzi_leaf {
    struct fzi_leaf *next;
    fzi_option_context context;
    const fzi_node *label;       /* LABEL or NULL */
    const fzi_node *effect;      /* statement; NULL: go(here, to) */
    const fzi_symbol *here, *to; /* of a piece's move */
    const fzi_piece *plain;      /* whose plain items the leaf is; NULL: none */
    fzi_span span;
    fzi_registers used;  /* registers in use on the way to it */
    uint32_t option;     /* index in program.options */
} fzi_leaf;

enum { FZ_MAX_HOISTED = 12, FZ_MAX_OPTIONS = 4096 };

/* A set that is kept in a register: the state does not change during gathering. */
typedef struct fzi_hoisted {
    const fzi_ir *ir;
    fzi_local *local;
} fzi_hoisted;

/* The variable of a `together` (grammar/emit/together.c). */
typedef struct fzi_sealed fzi_sealed;

/* One choice while its gathering is generated. */
typedef struct fzi_gathering {
    fzi_codegen *e;
    uint32_t choice;
    unsigned base;   /* first of the registers for bindings */
    bool test;       /* only ask whether there is a move */
    bool question;   /* ask whether there is a legal move */
    bool filtered;
    bool explains;   /* conditions become filters */
    const fzi_sealed *sealed; /* of `together`: a move is stored and takes effect later */
    unsigned chosen; /* nesting of branches generated before the loops of a leaf (nested_for.c) */
    fzi_label found; /* test, question: where to go on if there is a move */
    fzi_leaf *first, *last;
    unsigned count;
    const fzi_symbol *here, *to;   /* of the piece's item being gathered */
    const fzi_ir *within;          /* the only targets of pieces' moves; NULL: all */
    fzi_hoisted hoisted[FZ_MAX_HOISTED]; /* computed on every way to the current code */
    unsigned hoisted_count;
    unsigned hoisted_sets; /* first of their registers */
    fzi_node *go_node;    /* the effect go(here, to) of items without one of their own */
} fzi_gathering;

/* Does the list of nodes mention the symbol? */
bool fzi_tree_mentions(const fzi_node *list, const fzi_symbol *symbol);
/* The same for one node without its siblings. */
bool fzi_node_mentions(const fzi_node *node, const fzi_symbol *symbol);

/* Each returns the context with one thing more. */

/* A binding, whose new local is in *local. */
fzi_option_context fzi_bind_loop(fzi_gathering *g, fzi_option_context context,
                                 const fzi_symbol *symbol, fzi_local **local);
/* A `let`; `gather`: gathering needs its value too. */
fzi_option_context fzi_bind_let(fzi_gathering *g, fzi_option_context context,
                                const fzi_symbol *symbol, const fzi_ir *value, bool gather);
/* A point of view. */
fzi_option_context fzi_bind_me(fzi_gathering *g, fzi_option_context context,
                               const fzi_node *player);
/* The `let`s and points of view after the last `for`, which only the effect needs. */
fzi_option_context fzi_bind_after_last(fzi_gathering *g, fzi_option_context context,
                                       const fzi_node *quant);
/* A statement that runs after the effect. */
fzi_option_context fzi_add_then(fzi_gathering *g, fzi_option_context context, const fzi_node *then);
fzi_option_context fzi_add_prefix(fzi_gathering *g, fzi_option_context context,
                                  const fzi_node *label);
/* The filters of a choice (`own`) or of a generator. */
fzi_option_context fzi_add_filters(fzi_gathering *g, fzi_option_context context,
                                   const fzi_node *filters, bool own);

/* Adds the conjuncts of an `if` as filters. False: the program does not explain, or there are too
 * many of them. */
bool fzi_add_condition(fzi_gathering *g, fzi_option_context *context, const fzi_node *condition);
/* Whether a piece's item goes to any target, or only to empty or only to occupied ones. */
enum { FZI_ONTO_ANY, FZI_ONTO_MOVE, FZI_ONTO_CAPTURE };
/* Notes from where the newest binding takes its values: a set of sites. */
void fzi_note_domain(fzi_option_context *context, fzi_view view, const fzi_node *domain,
                     unsigned onto, unsigned kind);
/* Is the value cheap and independent enough of the state to be inlined where it is used? */
bool fzi_is_substitutable(const fzi_ir *ir);
/* The continuations of a leaf, with its conditions innermost. */
const fzi_continuation *fzi_all_continuations(fzi_gathering *g, const fzi_option_context *context);
/* The expressions whose values a filter's FILTER_END reads: the condition, or the list of keys. */
const fzi_node *fzi_filter_values(const fzi_node *filter);
/* The `keeping` among a declaration's filters; NULL. */
const fzi_continuation *fzi_keeping_among(const fzi_continuation *continuations,
                                          const fzi_node *filters);
/* Stores in the program which filters are the choice's own. */
void fzi_own_filters(fzi_gathering *g, const fzi_continuation *continuations);

/* ---- leaves ---- */

fzi_leaf *fzi_gather_leaf(fzi_gathering *g, const fzi_option_context *context,
                          const fzi_node *label, const fzi_node *effect, fzi_span span);
/* The leaf of an option that is no generator. */
fzi_leaf *fzi_option_leaf(fzi_gathering *g, fzi_option_context context, const fzi_node *option);
/* Lists one move of the leaf. */
void fzi_emit_option(fzi_gathering *g, fzi_leaf *leaf);
/* Lists a move of the leaf for each member of its last binder. */
void fzi_emit_inner_for(fzi_gathering *g, fzi_leaf *leaf, const fzi_binder *binder);
/* Lists a move for each pair "for x in from, y in to": one instruction, or the loop. `x_reg` is x's
 * register. */
void fzi_emit_nested_for(fzi_gathering *g, fzi_leaf *leaf, fzi_local *x, const fzi_ir *from,
                         unsigned x_reg, const fzi_ir *to);
/* After an instruction that lists moves: ends a question as soon as one of them answers it. */
void fzi_emit_question(fzi_gathering *g, const fzi_leaf *leaf);

/* ---- sets instead of loops ---- */

/* The same value, with its sets that depend neither on `x` (may be NULL) nor on a binding computed
 * once, into registers; sets that are there already are not computed again. */
const fzi_ir *fzi_hoist_set(fzi_gathering *g, const fzi_ir *ir, const fzi_local *x);
/* The members x of `from` for which the set can have members; a superset of them is right too. */
const fzi_ir *fzi_prefilter_set(fzi_lower *lw, const fzi_ir *from, const fzi_ir *set,
                                const fzi_local *x);
/* Restricts the binder of a `for`, which `binder` is, to sites for which the conditions further in
 * can hold; jumps to `none` if there are none. Returns how many hoisted sets the code after the
 * loop may use. */
unsigned fzi_prefilter_sources(fzi_gathering *g, fzi_view view, const fzi_node *option,
                               const fzi_node *quant, const fzi_node *node, fzi_binder *binder,
                               fzi_label *none);
/* Lists the moves of an option that ends with `for x in A if c(x)` as one set; false: it is not
 * such an option. */
bool fzi_emit_passing(fzi_gathering *g, fzi_option_context context, const fzi_node *option,
                      const fzi_node *quant, const fzi_node *node);
/* The list of BINDER or BOUND of a `for` or `let`; NULL for other quantifiers and NULL. */
const fzi_node *fzi_quant_parts(const fzi_node *quant);

/* A set that depends on a site x, as steps that shift whole sets. Step i leads from each site of
 * `valid` to the site `delta` further. */
typedef struct fzi_shifts {
    const fzi_ir *base; /* IR of a number below `bases`: which of the shapes applies */
    unsigned bases;
    unsigned count[FZ_MAX_PLAYERS];
    int32_t delta[FZ_MAX_PLAYERS][FZ_SHAPE_STEPS];
    uint64_t *valid;       /* [base][step][word] */
    const fzi_ir *sources; /* x must be one of these as well; NULL: any site */
} fzi_shifts;

/* False if the set has no shape. */
bool fzi_shape_of(fzi_lower *lw, const fzi_ir *ir, const fzi_local *x, fzi_shifts *shape);
/* The same for {site}, where the site is the entry of a table for x. */
bool fzi_shape_of_entry(fzi_lower *lw, const fzi_ir *ir, const fzi_local *x, fzi_shifts *shape);
/* The largest number of steps of a base. */
unsigned fzi_shape_most(const fzi_shifts *shape);
void fzi_shape_tables(fzi_lower *lw, const fzi_shifts *shape, uint32_t *deltas, uint32_t *valid);
/* The sites from which a step leads into a set, whatever `sources` says. */
const fzi_ir *fzi_shape_back(fzi_lower *lw, const fzi_shifts *shape, const fzi_ir *into);

/* ---- pieces ---- */

/* The pieces of a kind on the sites `on`. */
const fzi_ir *fzi_pieces_on(fzi_lower *lw, const fzi_ir *on, unsigned kind);
/* An item's set for a piece on `here`, conditions of plain items included. */
const fzi_ir *fzi_item_set(fzi_lower *lw, fzi_view view, const fzi_node *item);
/* The sites where a move item may go: `move to` not onto friends or neutral pieces, `capture to`
 * only onto enemies; not outside `within`, if it is not NULL. */
const fzi_ir *fzi_targets(fzi_lower *lw, fzi_view view, const fzi_node *item, const fzi_ir *within);
/* The sites of `at` items that take their moves away from the plain items. */
const fzi_ir *fzi_taken_by_at(fzi_lower *lw, fzi_view view, const fzi_piece *piece);
/* The sites where members of a set can be, as far as its operations tell: bits of this enum. */
enum { FZI_ON_EMPTY = 1, FZI_ON_PIECES = 2, FZI_ANYWHERE = 3 };
unsigned fzi_occupancy_of(const fzi_ir_maker *m, const fzi_ir *set);
/* The targets of an item with moves of its own. In an explaining program this may be a plain item,
 * from which `at` takes sites. */
const fzi_ir *fzi_own_targets(fzi_lower *lw, fzi_view view, const fzi_piece *piece,
                              const fzi_node *item, const fzi_ir *within);
/* The targets of a plain item for the piece on `here`, which the view binds; NULL: it can never
 * have a move. */
const fzi_ir *fzi_item_reach(fzi_lower *lw, fzi_view view, const fzi_piece *piece,
                             const fzi_node *item);
/* The function (me: the attacker; sites): is one of the sites attacked? */
uint32_t fzi_lower_attacked(fzi_lower *lw);

/* ---- gathering ---- */

/* Begins the gathering of a choice. With `test` no list is made, so there is no choice. */
void fzi_gather_begin(fzi_gathering *g, fzi_codegen *e, fzi_span span, bool test);
void fzi_gather_options(fzi_gathering *g, fzi_option_context context, const fzi_node *options);
/* Gathers the moves of the pieces on the sites `on`; with `within`, only those to these sites. */
void fzi_gather_pieces(fzi_gathering *g, fzi_option_context context, const fzi_ir *on,
                       const fzi_ir *within);
/* Ends it: the options, as the EMIT instructions from `from` on name them, are numbered from 0
 * until all are known: those of a choice inside an effect come to lie elsewhere. */
void fzi_gather_number(fzi_gathering *g, uint32_t from);
/* All of this for a `choose`. */
void fzi_gather_choice(fzi_gathering *g, fzi_codegen *e, fzi_view view,
                       const fzi_node *choose, bool explains);

/* ---- rules without code ---- */

/* The statement, or the option of a decision, at the span has code. */
void fzi_mark_rule(fzi_lower *lw, fzi_span span);
/* The same for an option; a `can` only asks whether it has moves. */
void fzi_mark_option(const fzi_gathering *g, fzi_span span);
/* Records the rules that are not marked. The phases have been lowered, and nothing else. */
void fzi_list_removed_rules(fzi_lower *lw);

#endif
