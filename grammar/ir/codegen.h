/* Code generation: IR → instructions. A fzi_codegen is one function while its code is generated.
 * Registers are a stack: release them by restoring `used`. */
#ifndef FZ_GRAMMAR_IR_CODEGEN_H
#define FZ_GRAMMAR_IR_CODEGEN_H

#include "lowering.h"

/* The registers in use; assigning an earlier state releases those taken since. */
typedef struct fzi_registers {
    unsigned ints, sets;
} fzi_registers;

typedef struct fzi_codegen {
    fzi_lower *lower;
    fzi_build *b;
    fzi_function_code code;
    fzi_registers used;
    unsigned max_ints, max_sets; /* the most that were in use */
    uint8_t result;              /* 0 none, 1 integer, 2 set */
    unsigned fresh; /* the register that is getting its first value, numbered from 1; 0: none */
    unsigned outer_depth; /* fzi_lower.depth of the function that waits for this one */
    fzi_span span;  /* source of the instructions being generated */
} fzi_codegen;

/* `result`: 0 none, 1 integer, 2 set. */
void fzi_emit_begin(fzi_lower *lower, fzi_codegen *e, uint32_t function, uint8_t result);
void fzi_emit_end(fzi_codegen *e);

/* Ends a function that may come to its end: it then returns nothing, 0 or {}. */
void fzi_end_function(fzi_codegen *e);
/* Generates such a return. */
void fzi_gen_return(fzi_codegen *e);

/* ---- instructions ---- */

void fzi_gen(fzi_codegen *e, int op, unsigned a, unsigned b, unsigned c);
/* The same with an extension word. */
void fzi_gen_with(fzi_codegen *e, int op, unsigned a, unsigned b, unsigned c, int64_t word);
/* Puts a number of 32 bits into a register. */
void fzi_gen_number(fzi_codegen *e, unsigned reg, int64_t value);
/* One more extension word of the last instruction. */
void fzi_gen_word(fzi_codegen *e, int64_t word);
/* Reports a construct without an implementation, once; `what` names it, or is NULL. */
void fzi_lower_bug(fzi_codegen *e, const char *what);

/* ---- jumps ---- */

/* The target of jumps, which may be generated before its place is known. */
typedef struct fzi_label {
    uint32_t target;  /* FZI_NOWHERE until placed */
    fzi_array fixups; /* uint32_t */
} fzi_label;
#define FZI_NOWHERE UINT32_MAX

#define FZI_LABEL {.target = FZI_NOWHERE, .fixups = {.item_size = sizeof(uint32_t)}}
/* Places the label after the last instruction. */
void fzi_label_place(fzi_codegen *e, fzi_label *label);
/* The extension word of a jump to the label. */
void fzi_label_use(fzi_codegen *e, fzi_label *label);
void fzi_gen_jump(fzi_codegen *e, fzi_label *to);
/* A jump on registers a and b. */
void fzi_gen_jump_if(fzi_codegen *e, int op, unsigned a, unsigned b, fzi_label *to);
/* Jumps to `to` if the condition has the value `sense`. */
void fzi_gen_branch(fzi_codegen *e, const fzi_ir *condition, bool sense, fzi_label *to);

/* ---- values ---- */

unsigned fzi_new_int(fzi_codegen *e);
unsigned fzi_new_ints(fzi_codegen *e, unsigned count);
unsigned fzi_new_set(fzi_codegen *e);
unsigned fzi_new_sets(fzi_codegen *e, unsigned count);
unsigned fzi_new_reg(fzi_codegen *e, bool is_set);
/* The local is the function's next parameter. */
void fzi_take_parameter(fzi_codegen *e, fzi_local *local);

/* The register of the value: a new one, or the register of a local, which must not be written. */
unsigned fzi_gen_value(fzi_codegen *e, const fzi_ir *ir);
/* Puts the value into register `reg`. */
void fzi_gen_to(fzi_codegen *e, const fzi_ir *ir, unsigned reg);
/* Puts arguments, ints and sets mixed, into new registers, as CALL wants them. */
void fzi_gen_arguments(fzi_codegen *e, const fzi_ir *const *args, unsigned count,
                       unsigned *first_int, unsigned *first_set);
/* CALL or TAILCALL. */
void fzi_gen_call(fzi_codegen *e, int op, unsigned first_int, unsigned first_set, unsigned into,
                  uint32_t function);
/* Is it a constant that ADDK can add and subtract? */
bool fzi_is_addend(const fzi_ir *ir);

/* ---- loops ---- */

/* A loop over the values of a binder. Its body is generated between begin and end. */
typedef struct fzi_loop {
    fzi_label again, out;
    const fzi_binder *binder;
    unsigned last; /* register of the high end of a range, or of the rest of a set */
} fzi_loop;
/* The binder's local gets register `reg`. */
void fzi_loop_begin(fzi_codegen *e, fzi_loop *loop, const fzi_binder *binder, unsigned reg);
void fzi_loop_end(fzi_codegen *e, fzi_loop *loop);

/* ---- tables for instructions ---- */

/* The table of LINE_AT_GIVEN for rows of `n` sites along `dirs`; false: there is none. */
bool fzi_line_windows(fzi_lower *lw, int64_t n, uint64_t dirs, uint32_t *table);

#endif
