/* The IR: expressions after names are gone. Functions and computed lets are expanded, `me` is an
 * ordinary local, relative directions are tables by player, and every operation is one of the
 * machine's. What stands before: the checked tree; after: tables (constant_tables.c) and code
 * (codegen.h).
 *
 * The IR nodes are immutable once made, so one node may stand in many places. */
#ifndef FZ_GRAMMAR_LOWER_IR_H
#define FZ_GRAMMAR_LOWER_IR_H

#include "interp/program/program.h"
#include "grammar/source/arena.h"
#include "grammar/source/source.h"

/* A value with a name: a parameter, a binder, a `let`. Code generation gives it a register. */
typedef struct fzi_local {
    const char *name;
    bool is_set;
    bool finite;          /* its values are low .. high, or -1 if it may be absent */
    bool may_be_absent;
    int64_t low, high;
    uint16_t type;        /* of `random x in ...`: the program's type of what is drawn */
    int reg;              /* -1: none yet */
} fzi_local;

enum fzi_ir_kind {
    FZI_IR_INT,         /* value */
    FZI_IR_SET,         /* words */
    FZI_IR_LOCAL,       /* local */
    FZI_IR_OP,          /* op, args (operands b, c, then extension bytes), k: extension words */
    FZI_IR_IF,          /* args: condition, then, else */
    FZI_IR_LET,         /* local = args[0] in args[1] */
    FZI_IR_OVER,        /* over: aggregate of args[0] (condition, may be NULL) and args[1] (body) */
    FZI_IR_CALL         /* function: args, ints and sets mixed, in the order of its parameters */
};

enum fzi_over {
    FZI_OVER_ANY,
    FZI_OVER_ALL,
    FZI_OVER_COUNT,
    FZI_OVER_SUM,
    FZI_OVER_MAX,
    FZI_OVER_MIN,
    FZI_OVER_UNION, /* of sets, or of masks */
    FZI_OVER_FIRST, /* the first binder's least value with condition, else args[1] (a default) */
    FZI_OVER_THOSE, /* {for x in a if c}: a set of sites or a mask */
    FZI_OVER_RANDOM /* weighted by args[1]; k: default, number of the type */
};

enum fzi_domain { FZI_DOMAIN_SITES, FZI_DOMAIN_MASK, FZI_DOMAIN_RANGE };

typedef struct fzi_binder {
    fzi_local *local;
    uint8_t domain;
    const struct fzi_ir *first; /* the set, the mask, or the low end */
    const struct fzi_ir *last;  /* FZI_DOMAIN_RANGE: the high end */
} fzi_binder;

enum { FZI_IR_ARGS = 5, FZI_IR_FREE = 4 };

typedef struct fzi_ir {
    uint8_t kind;
    uint8_t op;           /* FZI_IR_OP: opcode; FZI_IR_OVER: enum fzi_over */
    bool is_set;          /* the value is a set of sites */
    bool is_bool;         /* 0 or 1 */
    bool state;           /* its value depends on the state (or on chance) */
    bool chance;
    bool many_free;       /* more than FZI_IR_FREE free locals */
    uint8_t free_count;
    uint8_t arg_count;
    uint8_t binder_count;
    uint32_t cost;        /* about how many instructions, saturating */
    uint32_t depth;       /* of the parts inside each other */
    fzi_span span;
    int64_t value;
    const uint64_t *words;
    fzi_local *local;
    uint32_t function;
    int32_t k[3];
    fzi_binder *binders;
    const struct fzi_ir **args;
    fzi_local *free[FZI_IR_FREE];
} fzi_ir;

/* What making IR needs: where from, and the board's size. */
typedef struct fzi_ir_maker {
    fzi_arena *arena;
    unsigned words;       /* W */
    unsigned site_count;
    bool fuses;           /* operations that can be one become one */
    fzi_span span;        /* put on the nodes that are made */
} fzi_ir_maker;

const fzi_ir *fzi_ir_int(fzi_ir_maker *m, int64_t value);
const fzi_ir *fzi_ir_set(fzi_ir_maker *m, const uint64_t *words);
const fzi_ir *fzi_ir_none(fzi_ir_maker *m);  /* {} */
const fzi_ir *fzi_ir_all(fzi_ir_maker *m);   /* every site */
const fzi_ir *fzi_ir_local(fzi_ir_maker *m, fzi_local *local);
/* An operation of the machine; constants are folded, and shapes that have an instruction of
 * their own (a & owned(p) of one kind, a | b of the same slides) are found. Arguments that an
 * opcode has not are NULL. */
const fzi_ir *fzi_ir_op(fzi_ir_maker *m, int op, const fzi_ir *a, const fzi_ir *b);
const fzi_ir *fzi_ir_op4(fzi_ir_maker *m, int op, const fzi_ir *a, const fzi_ir *b,
                             const fzi_ir *c, const fzi_ir *d);
/* An operation with extension words (tables, variables, constants). */
const fzi_ir *fzi_ir_opk(fzi_ir_maker *m, int op, const fzi_ir *a, const fzi_ir *b,
                             int32_t k0, int32_t k1);
const fzi_ir *fzi_ir_if(fzi_ir_maker *m, const fzi_ir *condition, const fzi_ir *yes,
                            const fzi_ir *no);
const fzi_ir *fzi_ir_and(fzi_ir_maker *m, const fzi_ir *a, const fzi_ir *b);
const fzi_ir *fzi_ir_or(fzi_ir_maker *m, const fzi_ir *a, const fzi_ir *b);
const fzi_ir *fzi_ir_not(fzi_ir_maker *m, const fzi_ir *a);
const fzi_ir *fzi_ir_let(fzi_ir_maker *m, fzi_local *local, const fzi_ir *value,
                             const fzi_ir *body);
const fzi_ir *fzi_ir_over(fzi_ir_maker *m, int over, fzi_binder *binders, unsigned count,
                              const fzi_ir *condition, const fzi_ir *body, bool is_set,
                              int32_t initial);
/* The same aggregate over other binders, with another condition and body. */
const fzi_ir *fzi_ir_over_like(fzi_ir_maker *m, const fzi_ir *ir, fzi_binder *binders,
                                   const fzi_ir *condition, const fzi_ir *body);
/* A value of the first binder, of that type, drawn with the weight that `weight` gives it. */
const fzi_ir *fzi_ir_draw(fzi_ir_maker *m, fzi_binder *binders, unsigned count,
                              const fzi_ir *condition, const fzi_ir *weight, int32_t initial,
                              uint16_t type);
const fzi_ir *fzi_ir_call(fzi_ir_maker *m, uint32_t function, const fzi_ir **args,
                              unsigned count, bool is_set, bool state, bool chance);

/* The same value whenever both are evaluated at one moment: equal structure, without chance. */
bool fzi_ir_same(const fzi_ir_maker *m, const fzi_ir *a, const fzi_ir *b);
bool fzi_ir_is_int(const fzi_ir *ir, int64_t value);
static inline bool fzi_ir_is_op(const fzi_ir *ir, int op)
{
    return ir->kind == FZI_IR_OP && ir->op == op;
}
bool fzi_ir_is_none(const fzi_ir *ir, unsigned words);
bool fzi_ir_mentions(const fzi_ir *ir, const fzi_local *local);
/* Can working it out end in an error? Then it may not be worked out where the text does not ask
 * for it, nor left out. */
bool fzi_ir_may_fail(const fzi_ir *ir);

/* The same expression with `local` replaced. */
const fzi_ir *fzi_ir_replace(fzi_ir_maker *m, const fzi_ir *ir, fzi_local *local,
                                 const fzi_ir *by);

#endif
