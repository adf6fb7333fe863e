/* Core: expressions after names are gone. Functions and computed lets are expanded, `me` is an ordinary
 * local, relative directions are tables by player, and every operation is one of the machine's. What
 * stands before: the checked tree; after: tables (tabulate.h) and code (codegen.h).
 *
 * Core nodes are immutable once made, so one node may stand in many places. */
#ifndef FZ_GRAMMAR_CORE_H
#define FZ_GRAMMAR_CORE_H

#include "../interp/program.h"
#include "arena.h"
#include "source.h"

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

enum fzi_core_kind {
    FZI_CORE_INT,         /* value */
    FZI_CORE_SET,         /* words */
    FZI_CORE_LOCAL,       /* local */
    FZI_CORE_OP,          /* op, args (operands b, c, then extension bytes), k: extension words */
    FZI_CORE_IF,          /* args: condition, then, else */
    FZI_CORE_LET,         /* local = args[0] in args[1] */
    FZI_CORE_OVER,        /* over: aggregate of args[0] (condition, may be NULL) and args[1] (body) */
    FZI_CORE_CALL         /* function: args, ints and sets mixed, in the order of its parameters */
};

enum fzi_over {
    FZI_OVER_ANY, FZI_OVER_ALL, FZI_OVER_COUNT, FZI_OVER_SUM, FZI_OVER_MAX, FZI_OVER_MIN,
    FZI_OVER_UNION,       /* of sets, or of masks */
    FZI_OVER_FIRST,       /* the first binder's least value with condition, else args[1] (a default) */
    FZI_OVER_THOSE,       /* {for x in a if c}: a set of sites or a mask */
    FZI_OVER_RANDOM       /* weighted by args[1]; k: default, number of the type */
};

enum fzi_domain { FZI_DOMAIN_SITES, FZI_DOMAIN_MASK, FZI_DOMAIN_RANGE };

typedef struct fzi_binder {
    fzi_local *local;
    uint8_t domain;
    const struct fzi_core *first; /* the set, the mask, or the low end */
    const struct fzi_core *last;  /* FZI_DOMAIN_RANGE: the high end */
} fzi_binder;

enum { FZI_CORE_ARGS = 5, FZI_CORE_FREE = 4 };

typedef struct fzi_core {
    uint8_t kind;
    uint8_t op;           /* FZI_CORE_OP: opcode; FZI_CORE_OVER: enum fzi_over */
    bool is_set;          /* the value is a set of sites */
    bool is_bool;         /* 0 or 1 */
    bool state;           /* its value depends on the state (or on chance) */
    bool chance;
    bool many_free;       /* more than FZI_CORE_FREE free locals */
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
    const struct fzi_core **args;
    fzi_local *free[FZI_CORE_FREE];
} fzi_core;

/* What making core needs: where from, and the board's size. */
typedef struct fzi_core_maker {
    fzi_arena *arena;
    unsigned words;       /* W */
    unsigned site_count;
    bool fuses;           /* operations that can be one become one */
    fzi_span span;        /* put on the nodes that are made */
} fzi_core_maker;

const fzi_core *fzi_core_int(fzi_core_maker *m, int64_t value);
const fzi_core *fzi_core_set(fzi_core_maker *m, const uint64_t *words);
const fzi_core *fzi_core_none(fzi_core_maker *m);  /* {} */
const fzi_core *fzi_core_all(fzi_core_maker *m);   /* every site */
const fzi_core *fzi_core_local(fzi_core_maker *m, fzi_local *local);
/* An operation of the machine; constants are folded, and shapes that have an instruction of their own
 * (a & owned(p) of one kind, a | b of the same slides) are found. Arguments that an opcode has not are NULL. */
const fzi_core *fzi_core_op(fzi_core_maker *m, int op, const fzi_core *a, const fzi_core *b);
const fzi_core *fzi_core_op4(fzi_core_maker *m, int op, const fzi_core *a, const fzi_core *b,
                             const fzi_core *c, const fzi_core *d);
/* An operation with extension words (tables, variables, constants). */
const fzi_core *fzi_core_opk(fzi_core_maker *m, int op, const fzi_core *a, const fzi_core *b,
                             int32_t k0, int32_t k1);
const fzi_core *fzi_core_if(fzi_core_maker *m, const fzi_core *condition, const fzi_core *yes,
                            const fzi_core *no);
const fzi_core *fzi_core_and(fzi_core_maker *m, const fzi_core *a, const fzi_core *b);
const fzi_core *fzi_core_or(fzi_core_maker *m, const fzi_core *a, const fzi_core *b);
const fzi_core *fzi_core_not(fzi_core_maker *m, const fzi_core *a);
const fzi_core *fzi_core_let(fzi_core_maker *m, fzi_local *local, const fzi_core *value,
                             const fzi_core *body);
const fzi_core *fzi_core_over(fzi_core_maker *m, int over, fzi_binder *binders, unsigned count,
                              const fzi_core *condition, const fzi_core *body, bool is_set,
                              int32_t initial);
/* The same aggregate over other binders, with another condition and body. */
const fzi_core *fzi_core_over_like(fzi_core_maker *m, const fzi_core *core, fzi_binder *binders,
                                   const fzi_core *condition, const fzi_core *body);
/* A value of the first binder, of that type, drawn with the weight that `weight` gives it. */
const fzi_core *fzi_core_draw(fzi_core_maker *m, fzi_binder *binders, unsigned count,
                              const fzi_core *condition, const fzi_core *weight, int32_t initial,
                              uint16_t type);
const fzi_core *fzi_core_call(fzi_core_maker *m, uint32_t function, const fzi_core **args,
                              unsigned count, bool is_set, bool state, bool chance);

/* The same value whenever both are evaluated at one moment: equal structure, without chance. */
bool fzi_core_same(const fzi_core_maker *m, const fzi_core *a, const fzi_core *b);
bool fzi_core_is_int(const fzi_core *core, int64_t value);
static inline bool fzi_core_is_op(const fzi_core *core, int op)
{
    return core->kind == FZI_CORE_OP && core->op == op;
}
bool fzi_core_is_none(const fzi_core *core, unsigned words);
bool fzi_core_mentions(const fzi_core *core, const fzi_local *local);
/* Can working it out end in an error? Then it may not be worked out where the text does not ask for it, nor left out. */
bool fzi_core_may_fail(const fzi_core *core);

/* The same expression with `local` replaced. */
const fzi_core *fzi_core_replace(fzi_core_maker *m, const fzi_core *core, fzi_local *local,
                                 const fzi_core *by);

#endif
