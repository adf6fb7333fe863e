/* From IR to code: registers, expressions, jumps. One fzi_codegen is one function being made. */
#ifndef FZ_GRAMMAR_LOWER_CODEGEN_H
#define FZ_GRAMMAR_LOWER_CODEGEN_H

#include "program_builder.h"
#include "ir.h"

typedef struct fzi_lower fzi_lower;

typedef struct fzi_codegen {
    fzi_lower *lower;
    fzi_build *b;
    fzi_function_code code;
    unsigned ints, sets;         /* registers in use now */
    unsigned max_ints, max_sets;
    uint8_t result;              /* 0 none, 1 integer, 2 set */
    unsigned fresh; /* the register that is being given its first value, from 1; 0: none */
    fzi_span span;               /* place of what is being made */
} fzi_codegen;

/* A place in the code that jumps may name before it is known. */
typedef struct fzi_label {
    uint32_t target;             /* FZI_NOWHERE until placed */
    fzi_array fixups;            /* uint32_t */
} fzi_label;
#define FZI_NOWHERE UINT32_MAX

void fzi_emit_begin(fzi_lower *lower, fzi_codegen *e, uint32_t function);
void fzi_emit_end(fzi_codegen *e);

void fzi_label_init(fzi_label *label);
void fzi_label_place(fzi_codegen *e, fzi_label *label);
/* The extension word of a jump. */
void fzi_label_use(fzi_codegen *e, fzi_label *label);

void fzi_gen(fzi_codegen *e, int op, unsigned a, unsigned b, unsigned c);
void fzi_gen_word(fzi_codegen *e, int64_t word);
void fzi_gen_jump(fzi_codegen *e, fzi_label *to);

/* New registers, released by setting e->ints, e->sets back. */
unsigned fzi_new_int(fzi_codegen *e);
unsigned fzi_new_ints(fzi_codegen *e, unsigned count);
unsigned fzi_new_set(fzi_codegen *e);

/* Can ADDK add it, and take it off? */
bool fzi_is_addend(const fzi_ir *ir);
/* Where the value is: a register of the expression's own, or a local's that must not be written. */
unsigned fzi_gen_int(fzi_codegen *e, const fzi_ir *ir);
unsigned fzi_gen_set(fzi_codegen *e, const fzi_ir *ir);
void fzi_gen_int_to(fzi_codegen *e, const fzi_ir *ir, unsigned reg);
void fzi_gen_set_to(fzi_codegen *e, const fzi_ir *ir, unsigned reg);
/* Goes on at `to` if the condition is as `sense` says. */
void fzi_gen_branch(fzi_codegen *e, const fzi_ir *condition, bool sense, fzi_label *to);

/* A loop over what a binder ranges over; the body stands between begin and end. */
typedef struct fzi_loop {
    fzi_label again, out;
    const fzi_binder *binder;
    unsigned last; /* register of the high end of a range, or of what is left of a set */
} fzi_loop;
/* The binder's local gets register `reg`. */
void fzi_loop_begin(fzi_codegen *e, fzi_loop *loop, const fzi_binder *binder, unsigned reg);
void fzi_loop_end(fzi_codegen *e, fzi_loop *loop);

#endif
