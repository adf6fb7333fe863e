/* Lowering: from the checked tree to a program. elaborate.c makes IR of expressions,
 * constant_tables.c makes tables of what does not depend on the state, codegen.c makes code of
 * IR; lower_stmt.c, lower_choice.c and lower_piece.c do statements, decisions and pieces;
 * lower.c puts it together. */
#ifndef FZ_GRAMMAR_LOWER_LOWER_H
#define FZ_GRAMMAR_LOWER_LOWER_H

#include "interp/support/context.h"
#include "codegen.h"

/* What names mean at a place of the text: an immutable chain, innermost first. */
typedef struct fzi_env {
    const struct fzi_env *outer;
    const fzi_symbol *symbol;
    const fzi_ir *value;
} fzi_env;

/* A point of view: names and `me`. */
typedef struct fzi_view {
    const fzi_env *env;
    const fzi_ir *me;
} fzi_view;

/* What lowering hangs on a VAR symbol. */
typedef struct fzi_lowered_var {
    uint32_t variable;
    bool is_set, is_bits;
} fzi_lowered_var;

struct fzi_lower {
    fzi_build build;
    fzi_game *game;
    fzi_ir_maker maker;
    unsigned depth;            /* of expansion, in this function */
    unsigned nested;           /* the same with the functions that wait for this one */
    uint64_t expanded;         /* expressions, in all */
    fzi_span at;               /* the statement or option that is being expanded */
    const char *fault;         /* why the last constant could not be worked out; NULL: it is none */
    bool reads_last;           /* some rule asks for last_from or last_to */
    bool puts_nobodys, puts_players; /* some piece is put as nobody's, as a player's */
    int32_t attack_function;   /* -1: not made yet */
    int32_t capture_function;  /* the hook; -1: none */
    fzi_array effects; /* lowered_effect: functions of generators' effects (lower_choice.c) */
    fzi_array questions;       /* functions of `can` (lower_choice.c) */
    unsigned inside; /* procedures put where they are called, inside each other (lower_stmt.c) */
    unsigned unrolling; /* loops that are being unrolled inside each other (unroll.c) */
    unsigned
        trying; /* replacements of `let`s inside each other, each made as well as not (unroll.c) */
};

enum { FZ_MAX_EXPANSION = 120, FZ_MAX_TRYING = 2 };

/* Is the program made with this optimisation? */
static inline bool fzi_uses(const fzi_lower *lw, enum fzi_optimisation optimisation)
{
    return fzi_on(&lw->build.program, optimisation);
}

/* ---- lower_limit.c ---- */
/* Complains that `what` has too many of something; fzi_at_most(..., "the game", 17, "players",
 * 16). */
bool fzi_at_most(const fzi_game *game, fzi_span span, const char *what, unsigned count,
                 const char *of, unsigned most);
/* One step further into the text, with what is expanded there; false, once with a complaint,
 * when that is too deep or altogether too much. After true, fzi_lower_leave goes with it. */
bool fzi_lower_enter(fzi_lower *lw, fzi_span span);
void fzi_lower_leave(fzi_lower *lw);
/* Complains, once, of an expression that is too large or too deep to go on with. */
bool fzi_ir_fits(fzi_lower *lw, const fzi_ir *ir, fzi_span span);

/* ---- elaborate.c ---- */
/* The value of an expression; of a set type of sites, a set. */
const fzi_ir *fzi_expr(fzi_lower *lw, fzi_view view, const fzi_node *node);
/* The same where a set of sites, or a value of `type`, is wanted. */
const fzi_ir *fzi_expr_sites(fzi_lower *lw, fzi_view view, const fzi_node *node);
/* The table of LINE_AT_GIVEN (lower_line.c); false: the board has no lines that it would help
 * with. */
bool fzi_line_windows(fzi_lower *lw, int64_t n, uint64_t dirs, uint32_t *table);
/* May a value of the type `have` lie outside the range of `want`, where it is kept? */
bool fzi_needs_check(const fzi_type *want, const fzi_type *have);
const fzi_ir *fzi_expr_as(fzi_lower *lw, fzi_view view, const fzi_node *node, const fzi_type *type);
/* Ready for code: tables made of what can be. */
const fzi_ir *fzi_expr_final(fzi_lower *lw, fzi_view view, const fzi_node *node,
                               const fzi_type *type);

fzi_view fzi_view_bind(fzi_lower *lw, fzi_view view, const fzi_symbol *symbol, const fzi_ir *value);
/* Do all numbers from low to high have a place in a set of numbers? */
enum { FZI_MASK_BITS = 64 };
bool fzi_fits_mask(int64_t low, int64_t high);

fzi_view fzi_view_me(fzi_view view, const fzi_ir *me);
/* Where no name is bound: of a constant, which does not depend on `me`. */
fzi_view fzi_view_constant(fzi_lower *lw);
/* NULL when the symbol is not bound there. */
const fzi_ir *fzi_view_find(fzi_view view, const fzi_symbol *symbol);

/* A local that can hold values of a type. */
fzi_local *fzi_local_new(fzi_lower *lw, const char *name, const fzi_type *type);
/* A point of view: always a player. (`as nobody` is nobody's: what is mine is then what is
 * neutral.) */
fzi_local *fzi_me_new(fzi_lower *lw);
bool fzi_is_sites(const fzi_type *type);
int64_t fzi_type_default(const fzi_type *type);

/* What a `for` ranges over; `local` stands for its values. */
fzi_binder fzi_binder_make(fzi_lower *lw, fzi_view view, const fzi_node *domain, fzi_local *local);

const fzi_ir *fzi_prelude(fzi_lower *lw, fzi_view view, const char *name, const fzi_ir *argument);
/* The linear index of a variable's element. */
const fzi_ir *fzi_variable_index(fzi_lower *lw, fzi_view view, const fzi_symbol *symbol,
                                   const fzi_node *indexes);

/* ---- constant_tables.c ---- */
const fzi_ir *fzi_tabulate(fzi_lower *lw, const fzi_ir *ir);
/* A constant's value; false if it is none. */
bool fzi_constant_int(fzi_lower *lw, const fzi_ir *ir, int64_t *value);
bool fzi_constant_set(fzi_lower *lw, const fzi_ir *ir, uint64_t *words);
/* Complains that the value of `what` is none, after one of these has said so: with `code`, or
 * with the reason when it could not be worked out. */
void fzi_not_constant(fzi_lower *lw, fzi_span span, int code, const char *what);

/* ---- unroll.c ---- */
/* An operation on something that the state decides and that has few values, as a table of these;
 * else the same. */
const fzi_ir *fzi_tabulate_named(fzi_lower *lw, const fzi_ir *ir);
const fzi_ir *fzi_tabulate_let(fzi_lower *lw, const fzi_ir *ir);
/* An aggregate over few constant members as one expression; else what the loop has become. */
const fzi_ir *fzi_unrolled(fzi_lower *lw, const fzi_ir *ir, const fzi_ir *looped);

/* ---- lower_stmt.c ---- */
/* `tail`: nothing of the function follows. */
fzi_view fzi_lower_stmt(fzi_codegen *e, fzi_view view, const fzi_node *stmt, bool tail);
void fzi_lower_go(fzi_codegen *e, fzi_view view, unsigned from, unsigned to);
/* The function of a FN with a block, a recursive FN, a PROC, an EXTERN. */
uint32_t fzi_lower_function(fzi_lower *lw, fzi_symbol *symbol);
/* The code of a function of statements whose parameters are `me` and, with `site`, a site. */
void fzi_lower_block(fzi_lower *lw, uint32_t function, const fzi_node *stmt, fzi_symbol *site);
void fzi_lower_end_function(fzi_codegen *e);

/* ---- lower_diagram.c ---- */
/* The whole board as a diagram draws it. `signs`: list of SIGN. */
void fzi_lower_diagram(fzi_codegen *e, fzi_view view, const char *text, const fzi_node *signs,
                       fzi_span span);
/* Reports that a diagram, which is read when a test runs, has too many or too few cells; `span`:
 * of the string. */
void fzi_check_diagram_size(fzi_lower *lw, const char *text, fzi_span span);

/* ---- lower_choice.c ---- */
void fzi_lower_choose(fzi_codegen *e, fzi_view view, const fzi_node *choose, bool tail);
/* The function that answers `can(generator)`: parameters `me` and the generator's. */
uint32_t fzi_lower_can(fzi_lower *lw, const fzi_node *call);
/* Does the tree name the symbol? */
bool fzi_tree_mentions(const fzi_node *list, const fzi_symbol *symbol);
/* The same for one node without its siblings. */
bool fzi_node_mentions(const fzi_node *node, const fzi_symbol *symbol);
/* The list of BINDER or BOUND of a `for` or `let`; NULL for other quantifiers and NULL. */
const fzi_node *fzi_quant_parts(const fzi_node *quant);

/* ---- lower_piece.c ---- */
/* The function (me: the attacker; sites): is one of the sites attacked? */
uint32_t fzi_lower_attacked(fzi_lower *lw);

/* ---- lower.c ---- */
/* A view of the program, whose arrays are the arena's, made without the optimisations of these
 * bits; NULL when there were errors. `lw->build.program`'s topology, which `allocator` gives, is
 * the caller's to free in any case. */
const fz_program *fzi_lower_game(fzi_lower *lw, fzi_game *game, uint32_t without,
                                 const fzi_allocator *allocator);
void fzi_lower_variables(fzi_lower *lw);   /* lower_data.c: everything but code */
void fzi_lower_data(fzi_lower *lw);
/* An option's value as the author writes it; it may be put into the buffer. */
const char *fzi_option_text(const fzi_option *option, int64_t value, char *buffer, size_t size);
void fzi_lower_initial(fzi_lower *lw);
void fzi_lower_shown(fzi_lower *lw);       /* lower_show.c */
void fzi_lower_tests(fzi_lower *lw);       /* lower_script_tests.c */
void fzi_gen_wide(fzi_codegen *e, int64_t value, unsigned reg);
void fzi_lower_bug(fzi_codegen *e, const char *what);

#endif
