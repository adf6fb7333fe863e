/* The state of the checker, and what its files share: symbols, constants, probes, hints. Rooms
 * above whole_game use check.h.
 *
 * Three layers, each in its order:
 * 1. Names and types. collect.c makes a symbol for each declaration. resolve.c, expressions.c,
 *    calls.c and declared_types.c give names and expressions their types (expressions.h).
 * 2. Bodies: statements.c, pieces.c, bodies.c, checked_tests.c (statements.h).
 * 3. What needs the whole game, in grammar/whole_game: effects, secrets, views, warnings. */
#ifndef FZ_GRAMMAR_CHECK_CHECKER_H
#define FZ_GRAMMAR_CHECK_CHECKER_H

#include "check.h"

/* ---- symbol tables ---- */

/* A use of one symbol in the body of another. */
typedef struct fzi_edge {
    struct fzi_entry *to;
    fzi_span span;
    bool gathers; /* evaluated when the user is evaluated or its moves are listed; false: only in
                     the effect of a move */
    const fzi_node *together; /* the statement among whose options it is; NULL: none */
    struct fzi_edge *next;
} fzi_edge;

enum fzi_checking { FZI_UNSEEN, FZI_BUSY, FZI_DONE };

/* The checker's data about a symbol. Every symbol is the first member of an entry, so pointers to
 * them convert (fzi_entry_of). */
typedef struct fzi_entry {
    fzi_symbol symbol;
    const char *key;             /* the name as it is declared; symbol.name may have its module */
    uint32_t home;               /* the source that declares it first; 0: none does */
    bool contested;              /* some file does not see it */
    bool reached;                /* code of the game can reach it (whole_game/replaced.c) */
    bool wanted;                 /* a file of the game uses it, rather than a module, */
    bool named;                  /* and so does the compiled file itself */
    fzi_diag *deprecation;       /* the warning about its first use */
    struct fzi_entry *namesake;  /* the next global of the same name */
    struct fzi_entry *following; /* the next global, in order of declaration */
    uint8_t progress;            /* enum fzi_checking: of checking the declaration */
    bool written;                /* assigned somewhere */
    bool reported;               /* its cycle has been reported */
    bool whole;                  /* of an enum: all its values may occur */
    fzi_edge *edges;
    struct fzi_entry *last_user; /* the owner of the latest edge to this entry */
    bool last_gathers;           /* and its `gathers` and `together` */
    const fzi_node *last_together;
    uint32_t full; /* effects; of a generator: including those of running its moves */
    uint32_t secret_params; /* bit i: reads the element of parameter i of a secret variable */
    uint32_t order, low; /* of the search for cycles; 0: not reached */
    bool on_stack;
    struct fzi_entry *cycle; /* representative of its cycle; the entry itself if it is in none */
} fzi_entry;

struct fzi_scope {
    fzi_arena *arena;
    const fzi_unit *unit;
    const fzi_diags *diags;
    fzi_entry **buckets; /* hashed by the address of the interned name; the first of each name */
    size_t bucket_count, count;
    fzi_entry *first, *last;
};
typedef struct fzi_scope fzi_scope;

fzi_scope *fzi_scope_new(fzi_arena *arena, const fzi_unit *unit);
fzi_entry *fzi_entry_new(fzi_arena *arena, int kind, const char *name, fzi_span span);
void fzi_scope_add(fzi_scope *scope, fzi_entry *entry);

/* The first global of an interned name, or NULL. The others are linked by `namesake`. */
fzi_entry *fzi_scope_all(const fzi_scope *scope, const char *name);

/* The first global, and the next one, that an interned name can mean in source `from`. The name may
 * be `module.name`. */
fzi_entry *fzi_scope_find(const fzi_scope *scope, const char *name, uint32_t from);
fzi_entry *fzi_scope_next(const fzi_scope *scope, const fzi_entry *entry, const char *name,
                          uint32_t from);
/* Can one file not declare both? */
bool fzi_names_conflict(const fzi_symbol *symbol, const fzi_symbol *old);
/* Another module's declaration that the name could as well mean; NULL. */
const fzi_entry *fzi_equally_near(const fzi_scope *scope, const fzi_entry *entry, uint32_t from);
/* Does its name, written in source `from`, mean the global and no other? */
bool fzi_is_seen(const fzi_scope *scope, const fzi_entry *entry, uint32_t from);
/* Does a `use` of the file list other names? */
bool fzi_leaves_out(const fzi_scope *scope, const fzi_entry *entry, uint32_t from);

/* Locals, innermost last. */
typedef struct fzi_locals {
    fzi_symbol **items;
    size_t count, capacity;
} fzi_locals;

void fzi_locals_add(fzi_locals *locals, fzi_arena *arena, fzi_symbol *symbol);
fzi_symbol *fzi_locals_find(const fzi_locals *locals, const char *name);

/* Offers every local, and every global whose kind is in `kinds` (bits 1 << FZI_SYM_...), as the
 * nearest name. Offers nothing if the message will not be shown: the search takes time for each
 * name. */
void fzi_scope_nearest(const fzi_scope *scope, const fzi_locals *locals, uint32_t kinds,
                       fzi_nearest *nearest);

/* ---- the checker ---- */

/* The place that is being checked: its owner, and what it allows. */
typedef struct fzi_region {
    fzi_entry *owner;       /* whose body it is: uses become its edges; NULL: the game's */
    bool gathers;           /* evaluated with the owner, not only when a move is made */
    const fzi_node *together; /* the statement among whose options it is; NULL: none */
    const char *pure;       /* name of a construct that may not change anything; NULL: may change */
    const char *no_chance;  /* name of a construct that may not roll; NULL: may roll */
    const char *no_choice;  /* name of a construct that may not choose; NULL: may choose */
    bool returns;           /* `return` is allowed */
    const fzi_type *result; /* type of the returned value; NULL: none */
} fzi_region;

typedef struct fzi_checker {
    fzi_arena *arena;
    fzi_diags *diags;
    fzi_load *load;
    fzi_unit *unit;
    fzi_game *game;
    fzi_scope *scope;
    fzi_locals locals;
    size_t block; /* first local of the current block: the locals from here on differ in name */
    fzi_region at;
    unsigned depth;           /* nesting of the expressions being checked */
    const fzi_symbol *callee; /* whose argument the expected type belongs to; NULL: none */
    unsigned *work_left;      /* for one question of a warning (grammar/whole_game) */
    bool negated;             /* the operand of `not` is being compared with its type */
    const fzi_node *choice;   /* the S_CHOOSE whose options are looked at; NULL */
    const fzi_node *as;       /* the player who is `me` instead of the one around it; NULL */
    struct fzi_entry *walked; /* the symbol whose effects are computed; NULL */
    bool in_turn;             /* that is the turn, and */
    bool alternates;          /* nothing of the game changes whose turn it is, */
    unsigned guards;          /* below so many conditions */
    const char *missing_module; /* a module whose missing `use` has been reported */
    fzi_diag *missing_diag;
    bool not_a_generator;     /* an earlier option of the list names no generator */
    bool unsure; /* the unit has errors, so declarations may be missing: report no absence */
    uint32_t home; /* of the globals that are being collected */
    unsigned functions_checked; /* of the game's functions, some of which the checker makes */
    bool refused; /* a declaration was refused because its name is taken */
    bool hides_pieces;   /* the game has its own `unseen` or `invisible` */
    uint32_t own_source; /* the compiled file itself; only it gets warnings */
    fzi_entry *piece_moves, *moves_of;
    fzi_entry *hook;   /* `on capture`, whether it is declared or not */
    fzi_entry *unused; /* unused locals whose blocks have ended, linked by `following` */
} fzi_checker;

/* ---- symbols ---- */

fzi_entry *fzi_entry_of(const fzi_symbol *symbol);
/* The global that the name means in source `from`, if its kind is in `kinds` (bits); NULL. */
fzi_symbol *fzi_find_global(const fzi_checker *c, const char *name, uint32_t from,
                            uint32_t kinds);
/* Records that the owner of the current place uses the symbol. */
void fzi_use(fzi_checker *c, fzi_symbol *symbol, fzi_span span);
/* Checks a name that means the symbol: reports one that two modules declare, and warns if it is
 * deprecated. */
void fzi_check_named(fzi_checker *c, const fzi_symbol *symbol, fzi_span span);
/* Reports a name that two modules declare. */
void fzi_two_modules(fzi_checker *c, fzi_span span, const fzi_symbol *first,
                     const fzi_symbol *second);
/* The symbol with its parameters, as messages print it. */
const char *fzi_signature(const fzi_checker *c, const fzi_symbol *symbol);

/* Complains if the local has the name of true, false, off, nobody, none or me. */
void fzi_refuse_word(fzi_checker *c, const fzi_symbol *local);
/* A new local, visible from here on. */
fzi_symbol *fzi_bind(fzi_checker *c, fzi_node *node, int local, const fzi_type *type);
fzi_symbol *fzi_bind_named(fzi_checker *c, const char *name, fzi_span span, int local,
                           const fzi_type *type);
/* Begins and ends a block of locals. */
typedef struct fzi_mark {
    size_t count, block;
} fzi_mark;
fzi_mark fzi_enter(fzi_checker *c);
void fzi_leave(fzi_checker *c, fzi_mark mark);

/* Adds a function to the game (collect.c). */
void fzi_function_add(fzi_checker *c, fzi_symbol *function);

/* ---- constants ---- */

/* Evaluates a constant number, truth value or value of a finite type; false if it is none. */
bool fzi_constant(const fzi_checker *c, const fzi_node *node, int64_t *value);
/* The same, and reports an expression that is not constant; `what` is the message's subject. */
bool fzi_need_constant(fzi_checker *c, const fzi_node *node, const char *what, int64_t *value);

/* ---- probes ---- */

/* Notes what is wanted if the load's probe asks for the name at this place. A known type replaces
 * an unknown one. */
void fzi_probe_note(fzi_checker *c, fzi_span span, enum fzi_probe_kind wanted,
                    const fzi_type *type);
/* The same for the arguments of a call that does not have the right number of them yet. */
void fzi_probe_arguments(fzi_checker *c, const fzi_symbol *callee, const fzi_node *arguments);

/* ---- hints ---- */

/* The word that a construct begins with. */
fzi_span fzi_first_word(const fzi_checker *c, fzi_span span);
/* The author's text of the expression; "..." if it is long. */
const char *fzi_quote(const fzi_checker *c, const fzi_node *node);

/* Each adds the hint. The edit puts texts around an expression ... */
void fzi_hint_wrap(fzi_diag *diag, const fzi_node *node, const char *before, const char *after,
                   const char *format, ...) __attribute__((format(printf, 5, 6)));
/* ... replaces a place (NULL: that of the diagnostic) ... */
void fzi_hint_replace(fzi_diag *diag, const fzi_span *span, const char *text, const char *format,
                      ...) __attribute__((format(printf, 4, 5)));
/* ... or replaces the operator of an E_BINARY. */
void fzi_hint_operator(fzi_diag *diag, const fzi_node *node, const char *text, const char *format,
                       ...) __attribute__((format(printf, 4, 5)));
/* Adds an edit to the last hint: a declaration at the end of the file. */
void fzi_hint_declaration(fzi_checker *c, fzi_diag *diag, const char *text);
/* The empty place after another. */
fzi_span fzi_after(fzi_span span);
/* The place of an operator between its operands. False: not found. */
bool fzi_operator_span(const fzi_sources *sources, const fzi_node *node, fzi_span *span);

/* Is the name possibly declared by a game that uses this library? Then it is not reported. */
bool fzi_may_come_later(const fzi_checker *c, const char *name, const char *nearest);
/* Is a `use` missing for this name? Reports the first name of each module. A name that is nearly
 * right (`nearest`) is a misspelling instead. */
bool fzi_lacks_module(fzi_checker *c, const fzi_node *node, fzi_span span,
                      const fzi_nearest *nearest);
/* Reports a name that a module does not declare. */
void fzi_not_in_module(fzi_checker *c, fzi_span span, uint32_t module, const char *name);
/* Reports a name that `use` does not list; false: it is none. */
bool fzi_is_left_out(fzi_checker *c, const char *name, fzi_span span);
/* Reports a `module.name` without such a module or name; false: it is none. */
bool fzi_unknown_path(fzi_checker *c, const fzi_node *node);
/* Adds a hint: Ferz's word for a word of other languages, or the nearest name. */
void fzi_hint_name(fzi_diag *diag, const fzi_nearest *nearest);
/* Adds a hint if a local that does not fit hides a direction or site of the same name. */
void fzi_hint_hidden(fzi_checker *c, fzi_diag *diag, const fzi_node *node);
/* Adds a note if the name is declared under other options. */
/* Adds the names of the players. */
void fzi_hint_players(const fzi_checker *checker, fzi_diag *diag);
void fzi_note_elsewhere(fzi_checker *c, fzi_diag *diag, const char *name);
/* Adds that a declaration of stacks would help. */
void fzi_hint_stacks(fzi_diag *diag);

#endif
