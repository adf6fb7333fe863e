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

/* The arrays of fz_program that grow: X(field, type of an item, field of the count). */
#define FZI_BUILD_ARRAYS(X) \
    X(text, char, text_length) X(code, fz_code, code_length) \
    X(functions, fz_function, function_count) X(variables, fz_variable, variable_count) \
    X(shown, fz_shown, shown_count) X(hints, fz_hint, hint_count) \
    X(types, fz_value_type, type_count) X(name_lists, uint32_t, name_list_length) \
    X(int_tables, fz_int_table, int_table_count) X(int_pool, int32_t, int_pool_length) \
    X(set_tables, fz_set_table, set_table_count) X(set_pool, uint64_t, set_pool_length) \
    X(choices, fz_choice, choice_count) X(options, fz_option_info, option_count) \
    X(filters, fz_filter, filter_count) X(filter_lists, uint32_t, filter_list_length) \
    X(dice, fz_die, die_count) X(faces, fz_face, face_count) X(natives, fz_native, native_count) \
    X(places, fz_place, place_count) X(lines, fz_line, line_count) \
    X(removed, fz_removed_rule, removed_count) X(stops, fz_stop, stop_count) \
    X(reasons, fz_reason, reason_count) X(reason_inputs, uint32_t, reason_input_count) \
    X(reaches, fz_reach, reach_count) X(items, fz_item_info, item_count) \
    X(sources, fz_source_info, source_count) X(players, fz_player_info, player_count) \
    X(team_names, uint32_t, team_count) X(kinds, fz_kind_info, kind_count) \
    X(settings, fz_option_choice, setting_count) X(info, fz_info_entry, info_count) \
    X(tests, fz_test_info, test_count) X(steps, fz_test_step, step_count)

typedef struct fzi_build {
    fzi_game *game;
    fzi_arena *arena;
    fz_program program; /* a view of the arrays; fzi_build_view updates it */
#define FZI_BUILD_ARRAY(field, type, length) fzi_array field;
    FZI_BUILD_ARRAYS(FZI_BUILD_ARRAY)
#undef FZI_BUILD_ARRAY
    fzi_array ready;     /* uint8_t by function: its code is complete */
    fzi_array callees;   /* uint32_t pairs: caller, callee */
    fzi_array texts;     /* open-addressed hash of text offsets, for fzi_build_text */
    unsigned depth;      /* nesting of functions that are being generated */
    bool failed;         /* an exceeded limit has been reported */
    uint64_t evaluated;  /* approximate number of instructions run for constants */
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

/* Functions. The index is known before the code, so functions may call each other. */
uint32_t fzi_build_function(fzi_build *b, const char *name);
void fzi_function_begin(fzi_build *b, fzi_function_code *f, uint32_t index);
void fzi_function_end(fzi_build *b, fzi_function_code *f, unsigned ints, unsigned sets);
/* Removes the last function, which was made to evaluate a constant. */
void fzi_function_drop(fzi_build *b, uint32_t index, size_t code_count);
/* Is its code complete, and that of all functions that it calls? */
bool fzi_function_ready(fzi_build *b, uint32_t index);

uint32_t fzi_code_here(const fzi_function_code *f);
void fzi_code_add(fzi_build *b, fzi_function_code *f, fzi_span span, int op, unsigned a, unsigned x,
                  unsigned c);
void fzi_code_word(fzi_build *b, fzi_function_code *f, uint32_t word);
/* Adds the target of a jump. fzi_code_patch sets a target that is not known yet. */
uint32_t fzi_code_target(fzi_build *b, fzi_function_code *f, uint32_t target);
void fzi_code_patch(fzi_function_code *f, uint32_t where, uint32_t target);

/* Updates b->program, the view of the arrays. */
void fzi_build_view(fzi_build *b);

#endif
