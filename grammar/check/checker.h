/* The inside of the checker: what its files share. Others use check.h.
 *
 * Order of work (check.c): names are collected (check_decl.c); then bodies are checked
 * (check_body.c and what it calls), the type of a `let` that says none when it is first needed;
 * then effects are computed over the graph of uses (check_effects.c); then what is never used or
 * reached is looked for (check_use.c). */
#ifndef FZ_GRAMMAR_CHECK_CHECKER_H
#define FZ_GRAMMAR_CHECK_CHECKER_H

#include "scope.h"
#include "types.h"

/* What holds at the place that is being checked. */
typedef struct fzi_region {
    fzi_entry *owner;       /* whose body it is: uses are its edges; NULL: of the game itself */
    bool gathers;           /* evaluated with the owner, not only when a move is made */
    const char *pure;       /* how the place is called where nothing may be changed; NULL: it may */
    const char *no_chance;  /* ... where nothing may be rolled */
    const char *no_choice;  /* ... where nothing may be chosen */
    bool returns;           /* `return` may stand here */
    const fzi_type *result; /* what it returns; NULL: nothing */
} fzi_region;

typedef struct fzi_checker {
    fzi_arena *arena;
    fzi_diags *diags;
    fzi_load *load;
    fzi_unit *unit;
    fzi_game *game;
    fzi_scope *scope;
    fzi_locals locals;
    size_t block;            /* the locals from here on must have different names */
    fzi_region at;
    unsigned depth;          /* of expressions being checked, one inside the other */
    const fzi_symbol *callee; /* what the expression that is insisted on is an argument of; NULL */
    bool not_a_generator;    /* an option of the list that is being checked names something else */
    bool refused;            /* a declaration has been refused because its name is taken */
    bool unsure;             /* something is wrong already, so declarations may be missing: nothing
                                is said about what is not there */
    uint32_t own_source;     /* warnings are about the file that was asked for only */
    fzi_entry *piece_moves, *moves_of;
    fzi_entry *hook;         /* `on capture`, there or not */
    fzi_entry *unused;       /* locals that went out of sight unused, by `following` */
} fzi_checker;

/* ---- check_name.c: what a name means ---- */

/* "a variable", "a kind of piece", ... */
const char *fzi_symbol_sort(const fzi_symbol *symbol);
/* The word that a construct begins with. */
fzi_span fzi_first_word(const fzi_checker *c, fzi_span span);
/* Notes that the owner of this place uses the symbol. */
void fzi_use(fzi_checker *c, fzi_symbol *symbol, fzi_span span);
/* The type of an E_NAME; its symbol is set. `want`, which may be NULL, helps to choose. `bare`: the
 * name of something indexed is right too. */
const fzi_type *fzi_check_name(fzi_checker *c, fzi_node *node, const fzi_type *want, bool bare);
const fzi_type *fzi_check_member(fzi_checker *c, fzi_node *node);
/* Does the meaning of the expression depend on the type that is wanted? */
bool fzi_needs_context(const fzi_checker *c, const fzi_node *node);
/* The type of a type node, which is set. */
const fzi_type *fzi_check_type(fzi_checker *c, fzi_node *node);
/* Is it too early to complain about an unknown name? In a library, the game may declare it. */
bool fzi_may_come_later(const fzi_checker *c, const char *name, const char *nearest);
/* The hint for an unknown name: what is meant in other languages, or a name that looks alike. */
void fzi_hint_name(fzi_checker *c, fzi_diag *diag, const fzi_nearest *nearest);
/* Hints that a local, which does not fit, hides a direction or site of the same name. */
void fzi_hint_hidden(fzi_checker *c, fzi_diag *diag, const fzi_node *node);
/* Notes where the unknown name would be declared under other options. */
void fzi_note_elsewhere(fzi_checker *c, fzi_diag *diag, const char *name);
/* A new local, visible from here on. */
fzi_symbol *fzi_bind(fzi_checker *c, fzi_node *node, int local, const fzi_type *type);
fzi_symbol *fzi_bind_named(fzi_checker *c, const char *name, fzi_span span, int local,
                           const fzi_type *type);
fzi_entry *fzi_entry_of(const fzi_symbol *symbol);
/* The global of that name whose kind is in `kinds` (bits); NULL. */
fzi_symbol *fzi_find_global(const fzi_checker *c, const char *name, uint32_t kinds);
enum {
    FZI_KINDS_CALL = 1u << FZI_SYM_FN | 1u << FZI_SYM_PROC | 1u << FZI_SYM_EXTERN |
                     1u << FZI_SYM_PROPERTY | 1u << FZI_SYM_PRIMITIVE,
    FZI_KINDS_TYPE = 1u << FZI_SYM_TYPE | 1u << FZI_SYM_ENUM | 1u << FZI_SYM_DIE |
                     1u << FZI_SYM_OPTION,
    FZI_KINDS_MEMBER = 1u << FZI_SYM_VALUE | 1u << FZI_SYM_PLAYER | 1u << FZI_SYM_TEAM |
                       1u << FZI_SYM_KIND | 1u << FZI_SYM_SITE | 1u << FZI_SYM_DIR,
    FZI_KINDS_VALUE = FZI_KINDS_TYPE | FZI_KINDS_MEMBER | 1u << FZI_SYM_LET | 1u << FZI_SYM_VAR |
                      1u << FZI_SYM_PRIMITIVE
};
/* Has the symbol parameters, so that it is a function and no value? */
bool fzi_is_callable(const fzi_symbol *symbol);

/* A block of locals begins and ends. */
typedef struct fzi_mark {
    size_t count, block;
} fzi_mark;
fzi_mark fzi_enter(fzi_checker *c);
void fzi_leave(fzi_checker *c, fzi_mark mark);

/* ---- check_call.c: calls, primitives, generators ---- */

typedef struct fzi_primitive_row {
    const char *name, *parameters, *effects;
    char result;
} fzi_primitive_row;
const fzi_primitive_row *fzi_primitive_at(int64_t index);
uint32_t fzi_primitive_effects(int64_t index);
const fzi_type *fzi_primitive_type(const fzi_game *game, char letter);
void fzi_primitive_count(const char *parameters, unsigned *least, unsigned *most);
const char *fzi_signature(const fzi_checker *c, const fzi_symbol *symbol);

/* E_CALL in an expression. `whole`: it is all of the right side of a statement's `let` or `=`. */
const fzi_type *fzi_check_call(fzi_checker *c, fzi_node *node, const fzi_type *want, bool whole);
void fzi_check_call_statement(fzi_checker *c, fzi_node *node);
/* GENERATOR, E_CALL or E_NAME that names a generator, with its arguments. */
void fzi_check_generator(fzi_checker *c, fzi_node *node);

/* ---- check_const.c ---- */

/* The value of a constant: of a number, truth value or value of a finite type. */
bool fzi_constant(const fzi_checker *c, const fzi_node *node, int64_t *value);
/* Says so if it is none; `what` is the subject of the message. */
bool fzi_need_constant(fzi_checker *c, const fzi_node *node, const char *what, int64_t *value);

/* ---- check_expr.c ---- */

/* The type of an expression, never NULL. `want`, which may be NULL, is what it is wanted as: it
 * helps to understand names and `{}`, and is not insisted on. */
const fzi_type *fzi_check_expr(fzi_checker *c, fzi_node *node, const fzi_type *want);
/* The same where a value of `type` must stand. */
const fzi_type *fzi_check_as(fzi_checker *c, fzi_node *node, const fzi_type *type);
/* The right side of a `let` or `=`: the call of a proc may stand there. */
const fzi_type *fzi_check_value(fzi_checker *c, fzi_node *node, const fzi_type *type);
/* Complains if the expression, which has been checked, is not of `type`. */
bool fzi_insist(fzi_checker *c, fzi_node *node, const fzi_type *type);
/* A set of anything finite; the type of its members. */
const fzi_type *fzi_check_set(fzi_checker *c, fzi_node *node, const fzi_type *want);
/* Binds a list of BINDERs, each visible to the next. */
void fzi_check_binders(fzi_checker *c, fzi_node *list);
/* BOUNDs of `let`. `values`: procs may be called. */
void fzi_check_bounds(fzi_checker *c, fzi_node *list, bool values);
/* A table or other value for `count` indexes; the type of its elements, found if it is NULL. */
const fzi_type *fzi_check_table(fzi_checker *c, fzi_node *node, const fzi_type *const *index,
                                unsigned count, const fzi_type *type);

/* ---- check_stmt.c ---- */
void fzi_check_stmt(fzi_checker *c, fzi_node *node);
/* Can control reach what follows the statement? */
bool fzi_goes_on(const fzi_checker *c, const fzi_node *stmt);

/* ---- check_option.c ---- */
void fzi_check_options(fzi_checker *c, fzi_node *list);
void fzi_check_quants(fzi_checker *c, fzi_node *list);
void fzi_check_label(fzi_checker *c, fzi_node *label);
void fzi_check_filters(fzi_checker *c, fzi_node *list);
void fzi_check_choose(fzi_checker *c, fzi_node *node);
void fzi_check_pieces(fzi_checker *c);

/* ---- check_decl.c ---- */
void fzi_collect(fzi_checker *c);
/* Checks the declaration of a LET, VAR, FN, ... if that is not done: then its type is known. */
void fzi_declare(fzi_checker *c, fzi_symbol *symbol, fzi_span user);
void fzi_check_bodies(fzi_checker *c);

/* ---- check_script_tests.c ---- */
void fzi_check_tests(fzi_checker *c);

/* ---- check_effects.c ---- */
void fzi_check_effects(fzi_checker *c);

/* ---- check_use.c ---- */
/* A local goes out of sight: has it been used? */
void fzi_local_ended(fzi_checker *c, const fzi_symbol *symbol);
void fzi_check_use(fzi_checker *c);
/* Looks at all nodes of a list, or at all below a node, each before what is in it. */
typedef void fzi_visitor(fzi_checker *c, fzi_node *node, void *user);
void fzi_visit(fzi_checker *c, fzi_node *list, fzi_visitor *look, void *user);
void fzi_visit_children(fzi_checker *c, fzi_node *node, fzi_visitor *look, void *user);

/* ---- check_sense.c ---- */
/* Warns of what can hardly be meant. After fzi_check_use, which knows what other options use. */
void fzi_check_sense(fzi_checker *c);

#endif
