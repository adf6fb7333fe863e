/* Emission: statements, functions and the effects of options → code; the data of a program. The
 * stages of lower.c stand last. */
#ifndef FZ_GRAMMAR_EMIT_EMIT_H
#define FZ_GRAMMAR_EMIT_EMIT_H

#include "grammar/choices/choices.h"
#include "grammar/ir/lowering.h"

/* ---- lower.c: lowering of a checked game, for grammar/compile.c ---- */

/* The purpose of a program: `why`, coverage and stepping need more than the games. */
enum fzi_purpose { FZI_FOR_GAMES, FZI_FOR_FILES, FZI_FOR_WHY, FZI_FOR_COVERAGE, FZI_FOR_STEPS };

/* Lowers a checked game, with all optimisations except those whose bits `without` has. `print`:
 * what a program for stepping prints, or NULL. Returns NULL if there were errors. The program is
 * `lw->build.program`: its arrays live in the arena. Its topology comes from `allocator`; the
 * caller frees it, also after an error. */
const fz_program *fzi_lower_game(fzi_lower *lw, fzi_game *game, uint32_t without,
                                 enum fzi_purpose purpose, const fzi_print *print,
                                 const fzi_allocator *allocator);

/* ---- inside the room ---- */

/* This room's part of the state of lowering (fzi_lower.emission). */
typedef struct fzi_emission {
    enum fzi_purpose purpose;
    const fzi_print *print;   /* what a program for stepping prints; NULL: nothing */
    bool puts_neutral;        /* some piece is put as nobody's */
    bool puts_players;        /* some piece is put as a player's */
    int32_t capture_function; /* `on capture`; -1: none */
    fzi_array effects;        /* lowered_effect: functions of effects (choose.c) */
    fzi_array questions;      /* functions of `can` (can.c) */
    fzi_array items;          /* functions of plain items (coverage_items.c) */
    unsigned inline_depth;    /* nesting of inlined procedures (functions.c) */
} fzi_emission;

/* ---- statements, which contain each other ---- */

/* Generates a statement; returns the view of what follows it. `tail`: nothing of the function
 * follows. */
fzi_view fzi_lower_stmt(fzi_codegen *e, fzi_view view, const fzi_node *stmt, bool tail);
/* CALL and RETURN. */
void fzi_lower_call(fzi_codegen *e, fzi_view view, const fzi_node *stmt, bool tail);
void fzi_lower_return(fzi_codegen *e, fzi_view view, const fzi_node *stmt);
void fzi_lower_choose(fzi_codegen *e, fzi_view view, const fzi_node *choose, bool tail);
void fzi_lower_together(fzi_codegen *e, fzi_view view, const fzi_node *stmt);

/* The function of an EXTERN, a PROC, a recursive FN, or a FN with a block. */
uint32_t fzi_lower_function(fzi_lower *lw, fzi_symbol *symbol);
/* Generates a function of a statement, with the parameter `me` and, if `site` is not NULL, a
 * site. */
void fzi_lower_block(fzi_lower *lw, uint32_t function, const fzi_node *stmt, fzi_symbol *site);
/* Notes whether the function that is being generated decides and rolls. */
void fzi_flag_function(fzi_codegen *e, uint32_t effects);
/* The function that answers a `can`; its parameters are `me` and the generator's. */
uint32_t fzi_lower_can(fzi_lower *lw, const fzi_node *call);

/* ---- statements that contain no others ---- */

void fzi_lower_assign(fzi_codegen *e, fzi_view view, const fzi_node *stmt);
/* A new local with the value; NULL: its type's default. Its registers stay in use to the end of
 * the block. */
fzi_view fzi_declare_local(fzi_codegen *e, fzi_view view, fzi_symbol *symbol,
                           const fzi_node *value);
/* PUT, GIVE, REMOVE or CAPTURE. */
void fzi_lower_place(fzi_codegen *e, fzi_view view, const fzi_node *stmt);
/* A call of go, swap, become, stack, tuck or pull. */
void fzi_lower_primitive_call(fzi_codegen *e, fzi_view view, const fzi_node *stmt);
/* Moves from the site in one register to that in the other, and captures what stands there. */
void fzi_lower_go(fzi_codegen *e, fzi_view view, unsigned from, unsigned to);
/* Generates statements that set up the board as the diagram shows it. `signs`: list of SIGN. */
void fzi_lower_diagram(fzi_codegen *e, fzi_view view, const char *text, const fzi_node *signs,
                       fzi_span span);
/* Reports a wrong number of cells in a diagram that is read when a test runs; `span`: of the
 * string. */
void fzi_check_diagram_size(fzi_lower *lw, const char *text, fzi_span span);
/* Reports the first letter of a FEN's board that is no piece's. */
void fzi_check_fen(fzi_lower *lw, const char *text, fzi_span span);

/* Sets who sees the results of chance, around the code of an assignment, `let` or `var`. False:
 * everybody does, and there is nothing to end. */
bool fzi_viewers_begin(fzi_codegen *e, fzi_view view, const fzi_node *stmt, unsigned *outer);
void fzi_viewers_end(fzi_codegen *e, unsigned outer);
/* Marks the beginning of a statement, and computes the printed expression if it belongs there. */
void fzi_stop_at_statement(fzi_codegen *e, fzi_view view, const fzi_node *stmt);
/* Marks the beginning of an option's effect. */
void fzi_stop_at_option(fzi_codegen *e);

/* ---- options ---- */

/* The code of a choice up to its DECIDE, which jumps to `otherwise` if there is no move. */
void fzi_lower_decision(fzi_gathering *g, fzi_codegen *e, fzi_view view,
                        const fzi_node *choose, bool explains, fzi_label *otherwise);
/* The code of leaves: effects, texts, and the conditions of filters. */
void fzi_lower_leaves(fzi_gathering *g, fzi_label *after, bool tail, bool question);
/* The effect of a leaf whose move was stored before (together.c); goes on at `after`. */
void fzi_lower_effect(fzi_gathering *g, fzi_leaf *leaf, fzi_label *after);
/* Generates what runs when a move of the leaf is chosen in a `together`: it is stored. */
void fzi_gen_sealed(fzi_gathering *g, const fzi_leaf *leaf, fzi_label *after);
/* The text of a move; `shown`: to the other players. */
void fzi_gen_label(fzi_codegen *e, fzi_leaf *leaf, bool shown);
/* Do others see another text? */
bool fzi_hides(const fzi_leaf *leaf);

/* The values that a piece of code needs: those that it names, directly or through others. */
typedef struct fzi_wants {
    const fzi_node *nodes[64];
    unsigned count;
    const fzi_ir *irs[64];
    unsigned ir_count;
} fzi_wants;
void fzi_want_node(fzi_wants *w, const fzi_node *node);
void fzi_want_ir(fzi_wants *w, const fzi_ir *ir);
/* Computes the needed values that the context binds. Bindings are in their registers already. */
void fzi_gen_bindings(fzi_codegen *e, const fzi_option_context *context, fzi_wants *w);
enum { FZI_MAX_LISTED = 256 };
/* The bindings outermost first. */
unsigned fzi_bindings_list(const fzi_bindings *bindings, const fzi_bindings **items, unsigned most);
/* The name in the view; NULL. */
const fzi_env *fzi_find_name(fzi_view view, const char *name);
/* `from`, or `here`. */
const fzi_env *fzi_find_from(fzi_view view);
bool fzi_is_site(const fzi_env *env);
unsigned fzi_value_register(fzi_codegen *e, const fzi_env *env);

/* For coverage: the functions of the plain items of the choice's leaves. */
void fzi_list_coverage_items(fzi_gathering *g);
/* The reasons of a leaf's bindings, conditions and filters; its option has its number. */
void fzi_explain_leaf(fzi_gathering *g, const fzi_leaf *leaf);

/* ---- stages ---- */

/* The data of a program: board, players, kinds, dice, options, sources. */
void fzi_lower_data(fzi_lower *lw);
void fzi_lower_variables(fzi_lower *lw);
/* The initial values of variables; needs the code of functions. */
void fzi_lower_initial(fzi_lower *lw);
/* The function of a printed expression that belongs to no statement. */
void fzi_lower_printed(fzi_lower *lw);
/* The `let`s that drawings show. */
void fzi_lower_shown(fzi_lower *lw);
/* The hints of `view { ... }` as rows of the program. */
void fzi_lower_hints(fzi_lower *lw);
/* The tests of a script. */
void fzi_lower_tests(fzi_lower *lw);

#endif
