/* The program under construction: a growable array for each table of program.h, and the code of
 * functions that are being generated. */
#ifndef FZ_GRAMMAR_IR_PROGRAM_BUILDER_H
#define FZ_GRAMMAR_IR_PROGRAM_BUILDER_H

#include "interp/program/program.h"
#include "interp/vm/evaluator.h"
#include "grammar/check/check.h"

typedef struct fzi_array {
    void *items;
    size_t count, capacity, item_size;
} fzi_array;

/* The code of a function that is being generated. Jumps are relative to its beginning. */
typedef struct fzi_function_code {
    uint32_t index;
    fzi_array code;      /* fz_code */
    fzi_array fixups;    /* uint32_t: places of extension words that are jump targets */
    fzi_array lines;     /* fz_line, relative */
    fzi_array calls;     /* uint32_t: functions called */
    fzi_array stops;     /* fz_stop, relative */
    /* Choices, options and filters from these on belong to the function; their code is relative. */
    uint32_t first_choice, first_option, first_filter;
    uint32_t last_place;
} fzi_function_code;

typedef struct fzi_build {
    fzi_game *game;
    fzi_arena *arena;
    fz_program program; /* a view of the arrays; fzi_build_view updates it */
    fzi_array text;      /* char */
#define ARRAY(field, type, length, what) fzi_array field;
#include "interp/program/program_parts.def"
    fzi_array ready;     /* uint8_t by function: its code is complete */
    fzi_array callees;   /* uint32_t pairs: caller, callee */
    fzi_array named;     /* const fzi_symbol *: of each type with names, otherwise NULL */
    fzi_array texts;     /* open-addressed hash of text offsets, for fzi_build_text */
    unsigned depth;      /* nesting of functions that are being generated */
    bool failed;         /* an exceeded limit has been reported */
    /* approximate numbers of instructions run for tables, and for constants of no local */
    uint64_t evaluated[2];
    fzi_evaluator *evaluator; /* of the constant that is being evaluated; NULL: none */
} fzi_build;

void fzi_build_init(fzi_build *b, fzi_game *game);

/* Adds a copy of `item`; returns its index. */
uint32_t fzi_array_add(fzi_build *b, fzi_array *array, const void *item);
#define FZI_ITEM(array, type, index) (((type *)(array).items) + (index))

/* Interns a text; returns its offset. */
uint32_t fzi_build_text(fzi_build *b, const char *text);
uint32_t fzi_build_text_n(fzi_build *b, const char *text, size_t length);
uint32_t fzi_build_place(fzi_build *b, fzi_span span);
uint16_t fzi_build_type(fzi_build *b, const fzi_type *type);

/* The index of a table; equal tables are stored once. */
uint32_t fzi_build_int_table(fzi_build *b, const int32_t *values, uint32_t count, int32_t initial);
uint32_t fzi_build_set_table(fzi_build *b, const uint64_t *words, uint32_t rows);
/* How many tables there are; drops those that were made since. */
typedef struct fzi_table_mark {
    size_t int_tables, ints, set_tables, words;
} fzi_table_mark;
fzi_table_mark fzi_tables_mark(const fzi_build *b);
void fzi_tables_drop(fzi_build *b, fzi_table_mark mark);

/* Functions. The index is known before the code, so functions may call each other. */
uint32_t fzi_build_function(fzi_build *b, const char *name);
void fzi_function_begin(fzi_build *b, fzi_function_code *f, uint32_t index);
void fzi_function_end(fzi_build *b, fzi_function_code *f, unsigned ints, unsigned sets);
/* Removes the last function, which was made to evaluate a constant. */
void fzi_function_drop(fzi_build *b, uint32_t index, size_t code_count);
/* Is its code complete, and that of all functions that it calls? */
bool fzi_function_ready(fzi_build *b, uint32_t index);

/* The place where a statement's code begins, and the number of its first line. */
typedef struct fzi_code_start {
    uint32_t code, line;
} fzi_code_start;

uint32_t fzi_code_here(const fzi_function_code *f);
/* The first instruction from `start` on, if there is one, gets a line for the span, before the
 * lines that it has. */
void fzi_code_begins(fzi_build *b, fzi_function_code *f, fzi_span span, fzi_code_start start);
void fzi_code_add(fzi_build *b, fzi_function_code *f, fzi_span span, int op, unsigned a, unsigned x,
                  unsigned c);
void fzi_code_word(fzi_build *b, fzi_function_code *f, uint32_t word);
/* Adds the target of a jump. fzi_code_patch sets a target that is not known yet. */
uint32_t fzi_code_target(fzi_build *b, fzi_function_code *f, uint32_t target);
void fzi_code_patch(fzi_function_code *f, uint32_t where, uint32_t target);

/* Updates b->program, the view of the arrays. */
void fzi_build_view(fzi_build *b);

#endif
