/* The intermediate representation (IR) of expressions. Names are resolved: functions and computed
 * lets are inlined, `me` is an ordinary local, relative directions are tables by player. Every
 * operation is an instruction of the machine. Elaboration (grammar/elaborate) makes IR, folding
 * (fold.c) rewrites it, codegen.c turns it into instructions.
 *
 * IR nodes are immutable, so several parents may share one. */
#ifndef FZ_GRAMMAR_IR_IR_H
#define FZ_GRAMMAR_IR_IR_H

#include "interp/program/program.h"
#include "grammar/source/arena.h"
#include "grammar/source/source.h"

/* A named value: a parameter, a binder, a `let`. Code generation assigns a register. */
typedef struct fzi_local {
    const char *name;
    bool is_set;
    bool finite;        /* its values are low .. high; also -1 if may_be_absent */
    bool may_be_absent;
    int64_t low, high;
    uint16_t type;      /* of `random x in ...`: the program's type of the drawn value */
    int reg;              /* -1: none yet */
} fzi_local;

enum fzi_ir_kind {
    FZI_IR_INT,         /* value */
    FZI_IR_SET,         /* words */
    FZI_IR_LOCAL,       /* local */
    FZI_IR_OP,          /* op, args (operands b, c, then extension bytes), k: extension words */
    FZI_IR_IF,          /* args: condition, then, else */
    FZI_IR_LET,         /* local = args[0] in args[1] */
    FZI_IR_AGG,        /* op: aggregate; args: condition (may be NULL), body */
    FZI_IR_CALL         /* function: args, ints and sets mixed, in the order of its parameters */
};

enum fzi_aggregate {
    FZI_AGG_ANY,
    FZI_AGG_ALL,
    FZI_AGG_COUNT,
    FZI_AGG_SUM,
    FZI_AGG_MAX,
    FZI_AGG_MIN,
    FZI_AGG_UNION, /* of sets, or of masks */
    FZI_AGG_FIRST, /* least value of the first binder that passes, else args[1], the default */
    FZI_AGG_FILTER, /* {for x in a if c}: a set of sites or a mask */
    FZI_AGG_RANDOM /* weighted by args[1]; k: the default, the type */
};

enum fzi_domain { FZI_DOMAIN_SITES, FZI_DOMAIN_MASK, FZI_DOMAIN_RANGE };

typedef struct fzi_binder {
    fzi_local *local;
    uint8_t domain;
    const struct fzi_ir *first; /* the set, the mask, or the low end */
    const struct fzi_ir *last;  /* FZI_DOMAIN_RANGE: the high end */
} fzi_binder;

enum { FZI_IR_ARGS = 5, FZI_IR_FREE = 8 };

typedef struct fzi_ir {
    uint8_t kind;
    uint8_t op;           /* FZI_IR_OP: opcode; FZI_IR_AGG: enum fzi_aggregate */
    bool is_set;          /* the value is a set of sites */
    bool is_bool;         /* 0 or 1 */
    bool is_part; /* of the choice of a table's entry: only the whole becomes a table */
    bool state;           /* the value depends on the state or on chance */
    bool chance;
    bool many_free;       /* more than FZI_IR_FREE free locals */
    uint8_t free_count;
    uint8_t arg_count;
    uint8_t binder_count;
    uint32_t cost;        /* approximate number of instructions, saturating */
    uint32_t depth;       /* nesting of nodes */
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

/* The context of the functions that make IR: memory, and the board's size. */
typedef struct fzi_ir_maker {
    fzi_arena *arena;
    unsigned words;       /* W */
    unsigned site_count;
    bool fuses;           /* combine operations that one instruction can do */
    fzi_span span;        /* of the new nodes */
} fzi_ir_maker;

const fzi_ir *fzi_ir_int(fzi_ir_maker *m, int64_t value);
const fzi_ir *fzi_ir_set(fzi_ir_maker *m, const uint64_t *words);
const fzi_ir *fzi_ir_none(fzi_ir_maker *m);  /* {} */
const fzi_ir *fzi_ir_all(fzi_ir_maker *m);   /* every site */
const fzi_ir *fzi_ir_local(fzi_ir_maker *m, fzi_local *local);
/* An operation of the machine. Folds constants, and combines operations for which there is one
 * instruction (a & owned(p) of one kind, a | b of the same slides). Unused arguments are NULL. */
const fzi_ir *fzi_ir_op(fzi_ir_maker *m, int op, const fzi_ir *a, const fzi_ir *b);
const fzi_ir *fzi_ir_op4(fzi_ir_maker *m, int op, const fzi_ir *a, const fzi_ir *b, const fzi_ir *c,
                         const fzi_ir *d);
/* An operation with extension words (tables, variables, constants). */
const fzi_ir *fzi_ir_opk(fzi_ir_maker *m, int op, const fzi_ir *a, const fzi_ir *b, int32_t k0,
                         int32_t k1);
const fzi_ir *fzi_ir_if(fzi_ir_maker *m, const fzi_ir *condition, const fzi_ir *yes,
                        const fzi_ir *no);
const fzi_ir *fzi_ir_and(fzi_ir_maker *m, const fzi_ir *a, const fzi_ir *b);
const fzi_ir *fzi_ir_or(fzi_ir_maker *m, const fzi_ir *a, const fzi_ir *b);
const fzi_ir *fzi_ir_not(fzi_ir_maker *m, const fzi_ir *a);
const fzi_ir *fzi_ir_let(fzi_ir_maker *m, fzi_local *local, const fzi_ir *value,
                         const fzi_ir *body);
const fzi_ir *fzi_ir_aggregate(fzi_ir_maker *m, int over, fzi_binder *binders, unsigned count,
                               const fzi_ir *condition, const fzi_ir *body, bool is_set,
                               int32_t initial);
/* The same aggregate over other binders, with another condition and body. */
const fzi_ir *fzi_ir_aggregate_like(fzi_ir_maker *m, const fzi_ir *ir, fzi_binder *binders,
                                    const fzi_ir *condition, const fzi_ir *body);
/* A random value of the first binder, of type `type`; `weight` is the weight of each value. */
const fzi_ir *fzi_ir_draw(fzi_ir_maker *m, fzi_binder *binders, unsigned count,
                          const fzi_ir *condition, const fzi_ir *weight, int32_t initial,
                          uint16_t type);
const fzi_ir *fzi_ir_call(fzi_ir_maker *m, uint32_t function, const fzi_ir *const *args,
                          unsigned count, bool is_set, bool state, bool chance);

/* Do both have the same value when they are evaluated at the same time? True if their structure is
 * equal and without chance. */
bool fzi_ir_same(const fzi_ir_maker *m, const fzi_ir *a, const fzi_ir *b);
bool fzi_ir_is_int(const fzi_ir *ir, int64_t value);
static inline bool fzi_ir_is_op(const fzi_ir *ir, int op)
{
    return ir->kind == FZI_IR_OP && ir->op == op;
}
static inline bool fzi_ir_is_local(const fzi_ir *ir, const fzi_local *local)
{
    return ir->kind == FZI_IR_LOCAL && ir->local == local;
}
bool fzi_ir_is_none(const fzi_ir *ir, unsigned words);
bool fzi_ir_mentions(const fzi_ir *ir, const fzi_local *local);
/* Sets of anything but sites are masks of one word. */
enum { FZI_MASK_BITS = 64 };
/* Can a mask hold all numbers from low to high? */
static inline bool fzi_fits_mask(int64_t low, int64_t high)
{
    return low >= 0 && high < FZI_MASK_BITS;
}

/* Can evaluation end in an error? Then it must happen exactly where the text says so: hoisting and
 * dropping the expression are wrong. */
bool fzi_ir_may_fail(const fzi_ir *ir);

/* The same node over other arguments; not for aggregates. */
const fzi_ir *fzi_ir_with(fzi_ir_maker *m, const fzi_ir *ir, const fzi_ir *const *args);
/* The expression with `local` replaced by `by`. */
const fzi_ir *fzi_ir_replace(fzi_ir_maker *m, const fzi_ir *ir, fzi_local *local, const fzi_ir *by);

#endif
