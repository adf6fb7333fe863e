/* A checked game: types, symbols, effects. The checker fills it: it gives every expression a type,
 * every name a symbol and every construct its effects. Lowering, queries and rulebooks read it. */
#ifndef FZ_GRAMMAR_CHECK_CHECK_H
#define FZ_GRAMMAR_CHECK_CHECK_H

#include "grammar/board/board.h"
#include "grammar/unit/unit.h"

/* ---- types ---- */
enum fzi_type_kind {
    FZI_TYPE_POISON, /* of an expression with an error; fits everywhere */
    FZI_TYPE_VOID,   /* of a call that is a statement */
    FZI_TYPE_BOOL, FZI_TYPE_INT, FZI_TYPE_SITE, FZI_TYPE_DIR, FZI_TYPE_PLAYER, FZI_TYPE_TEAM,
    FZI_TYPE_KIND,
    FZI_TYPE_NAMED,   /* an enum, an option with names, a die with names */
    FZI_TYPE_OFF,     /* of `off`, which is a site or a direction */
    FZI_TYPE_NOTHING, /* of `{}`: a set of any element type */
    FZI_TYPE_SET      /* of `element`; sets of sites are words, all others are masks */
};
typedef struct fzi_type {
    uint8_t kind;
    const struct fzi_type *element;  /* FZI_TYPE_SET */
    const struct fzi_symbol *symbol; /* FZI_TYPE_NAMED: the enum, option or die */
    bool has_none;                   /* FZI_TYPE_NAMED: `none` is beside its values */
    int64_t low, high; /* least and greatest value; of an int: the declared range, or 32 bits */
    const char *text;  /* as the author would write it */
} fzi_type;

/* ---- effects: what evaluating or running a construct may do ---- */
enum fzi_effect {
    FZI_READS_STATE = 1,   /* variables, pieces, mover, turns */
    FZI_USES_ME = 2,
    FZI_READS_LAST = 4,    /* last_from, last_to */
    FZI_READS_HISTORY = 8, /* repetitions */
    FZI_CHANCE = 16,
    FZI_WRITES = 32,
    FZI_DECIDES = 64,      /* contains a choice */
    FZI_ENDS = 128,        /* may end the game */
    FZI_STOPS = 256,       /* may run `stop` */
    FZI_ATTACKS = 512,     /* depends on `attacked` */
    FZI_SECRET = 1024,     /* depends on a secret variable, or on chance that is not seen by all */
    FZI_REVEALS = 2048,    /* contains `reveal` */
    FZI_FOREIGN = 4096,    /* depends on a secret that who decides surely does not always see */
    FZI_PUBLIC = 8192,     /* changes something that everybody sees */
    FZI_ALL_PLAYERS = 16384, /* of a local: it is each player in turn */
    FZI_OTHER_PLAYER = 32768, /* of a local: a player, but not `me` */
    FZI_OF_ME = 65536,        /* outside of a choice: depends on a secret that `me` sees, */
    FZI_OF_OTHER = 131072,    /* or on one that another player than `me` sees */
    FZI_GENERATES_FOREIGN = 262144, /* of a use of a generator: its conditions do */
    FZI_UNSEEN_BY_DECIDER = FZI_FOREIGN | FZI_OF_OTHER
};

/* ---- symbols ---- */
enum fzi_symbol_kind {
    FZI_SYM_TYPE,      /* bool int site sites dir dirs player team kind */
    FZI_SYM_OPTION, FZI_SYM_ENUM, FZI_SYM_DIE, FZI_SYM_VALUE /* of one of these three with names */,
    FZI_SYM_PLAYER, FZI_SYM_TEAM, FZI_SYM_KIND, FZI_SYM_SITE, FZI_SYM_DIR,
    FZI_SYM_PROPERTY, FZI_SYM_LET, FZI_SYM_VAR, FZI_SYM_FN, FZI_SYM_MOVES, FZI_SYM_PROC,
    FZI_SYM_EXTERN,
    FZI_SYM_PART,      /* of an enum with parts: takes a value apart, or makes one (value -1) */
    FZI_SYM_LOCAL,     /* of a function, option or statement: a for, let, var or parameter */
    FZI_SYM_PRIMITIVE  /* primitives.def, and piece_moves, moves_of */
};
enum fzi_local_kind {
    FZI_LOCAL_FOR,
    FZI_LOCAL_LET,
    FZI_LOCAL_VAR,
    FZI_LOCAL_PARAM,
    FZI_LOCAL_HERE_TO
};

typedef struct fzi_symbol {
    uint8_t kind;  /* enum fzi_symbol_kind */
    uint8_t local; /* FZI_SYM_LOCAL: enum fzi_local_kind */
    bool used;
    const char *name;
    fzi_node *node; /* the declaration; NULL for primitives, sites, directions */
    fzi_span span;  /* place of the declaration; source 0: built in */
    /* The type of the value. Of a TYPE, ENUM, OPTION, DIE: the type that it names, which is also
     * the type of an option's own value. */
    const fzi_type *type;
    /* VALUE, PLAYER, TEAM, KIND, SITE, DIR: its number. OPTION: the chosen value. PRIMITIVE: its
     * row in primitives.def, or FZI_PIECE_MOVES, FZI_MOVES_OF. PART: which part of the value. */
    int64_t value;
    const fzi_type **index; /* LET, VAR: types of the indexes */
    unsigned index_count;
    struct fzi_symbol **params; /* FN, MOVES, PROC, EXTERN, LET, PART: parameters as LOCALs */
    unsigned param_count;
    uint32_t effects; /* FN LET MOVES PROC: of the body and of everything that it calls */
    bool recursive;   /* FN, PROC: calls itself, directly or through others */
    bool is_large;    /* FN: set by lowering; too large to inline */
    struct fzi_symbol *overload; /* PART: what makes the whole */
    void *lowered;               /* set by lowering */
} fzi_symbol;
enum { FZI_PIECE_MOVES = 1000, FZI_MOVES_OF };

enum fzi_primitive {
#define PRIM(name, parameters, result, effects, meaning) FZI_PRIM_##name,
#include "primitives.def"
#undef PRIM
    FZI_PRIM_COUNT
};

/* ---- the checked game ---- */
typedef struct fzi_piece {
    fzi_symbol *symbol;
    const char *letter;        /* "": none */
    fzi_node *items;           /* list of I_; the `symbol` of an I_MOVE is its `to` */
    fzi_symbol *here;          /* `here` in all items */
} fzi_piece;
typedef struct fzi_seat {
    fzi_symbol *symbol;
    int team;
    int facing;                /* a direction; -1: none */
} fzi_seat;

enum fzi_hint_word {
#define HINT(id, word, meaning) FZI_HINT_##id,
#include "interp/program/views.def"
#undef HINT
};
/* A hint of `view { ... }`. */
typedef struct fzi_look {
    uint8_t word;              /* enum fzi_hint_word */
    uint16_t value;            /* CELLS: the pattern; PIECES, TOKENS: the shape */
    fzi_symbol *symbol;        /* LINES, LOOPS, EDGES: the `let` or primitive; PIECES: the kind or
                                  player, NULL: all; CARDS: the enum; others: `var` or `let` */
    fzi_symbol *as;            /* MEN: the kind, or a constant `let` of kinds by player; NULL */
    const fzi_node *decl, *node; /* the block, and the hint in it */
} fzi_look;

typedef struct fzi_game {
    fzi_arena *arena;
    fzi_sources *sources;
    fzi_diags *diags;
    fzi_unit *unit;
    fzi_board *board;
    fzi_seat *players;   unsigned player_count;
    fzi_symbol **teams;  unsigned team_count; bool has_teams; /* without teams: one per player */
    fzi_piece *pieces;   unsigned piece_count;
    fzi_symbol **properties; unsigned property_count; /* values by kind: fzi_property_node */
    fzi_symbol **vars;   unsigned var_count;   /* in order of declaration */
    fzi_symbol **lets;   unsigned let_count;
    fzi_symbol **functions; unsigned function_count; /* FN, PROC, MOVES, EXTERN */
    fzi_symbol **dice;   unsigned die_count;
    fzi_symbol **enums;  unsigned enum_count;
    fzi_node *stacks;                         /* the declaration, NULL: pieces do not stack */
    fzi_node *setup, *turn, *end, *limit, *on_capture; /* declarations, NULL if there is none */
    fzi_symbol *capture_site;                 /* the name that `on capture` binds */
    fzi_node *tests;                           /* list of D_TEST, checked */
    fzi_node **shown; size_t shown_count, shown_room; /* NAME nodes of D_SHOW, symbol set */
    fzi_look *looks; unsigned look_count; size_t look_room; /* of D_VIEW */
    const fzi_type *type_bool, *type_int, *type_site, *type_sites, *type_dir, *type_dirs,
        *type_player, *type_team, *type_kind, *type_poison, *type_void, *type_off, *type_nothing;
    struct fzi_scope *globals;
} fzi_game;

/* The name that the checker expects at a place of the text, for completion. Set the place: the
 * beginning of a name. */
enum fzi_probe_kind {
    FZI_WANTS_NOTHING, /* no name was checked there */
    FZI_WANTS_VALUE,
    FZI_WANTS_TYPE,
    FZI_WANTS_MEMBER,    /* of the type before the dot */
    FZI_WANTS_STATEMENT, /* procedures and variables */
    FZI_WANTS_GENERATOR,
    FZI_WANTS_LABEL,     /* a value in a label */
    FZI_WANTS_MODULE     /* what a module declares */
};
typedef struct fzi_probe {
    uint32_t source, offset;
    enum fzi_probe_kind wanted;
    uint32_t module;           /* MODULE: its source */
    const fzi_type *type;      /* the expected type, or the type of the MEMBER; NULL: any */
    fzi_symbol **locals;       /* visible there, innermost last */
    size_t local_count;
} fzi_probe;

/* ---- types ---- */

/* Makes the types that every game has. Sizes of finite types are set when they are known. */
void fzi_types_init(fzi_game *game);
void fzi_type_set_size(const fzi_type *type, int64_t size);

const fzi_type *fzi_type_named(fzi_arena *arena, const fzi_symbol *symbol, int64_t count);
/* The type `low..high`; int if that is the full range of 32 bits. */
const fzi_type *fzi_type_range(const fzi_game *game, int64_t low, int64_t high);
const fzi_type *fzi_type_set_of(const fzi_game *game, const fzi_type *element);

bool fzi_type_is(const fzi_type *type, int kind);
bool fzi_type_is_set(const fzi_type *type, int element_kind);
/* Are the types equal? All ranges of int are. */
bool fzi_type_same(const fzi_type *a, const fzi_type *b);
/* Is a value of type `from` accepted where `to` is expected? */
bool fzi_type_fits(const fzi_type *from, const fzi_type *to);
/* The smallest type that both fit; NULL if there is none. */
const fzi_type *fzi_type_common(const fzi_game *game, const fzi_type *a, const fzi_type *b);

/* The set type of a type that can be used as a set (site, direction, `off`, `{}`, set); else
 * NULL. */
const fzi_type *fzi_type_as_set(const fzi_game *game, const fzi_type *type);
/* The element type of a type that can be used as a set; else NULL. */
const fzi_type *fzi_type_member(const fzi_game *game, const fzi_type *type);
/* Is there room for the members in a set that is stored? */
enum { FZI_SET_MEMBERS = 64 };
bool fzi_set_fits(const fzi_type *element);
/* The type without bounds, which a variable without a declared type gets. */
const fzi_type *fzi_type_widened(const fzi_game *game, const fzi_type *type);
/* The number of members of a finite type; 0 for int. */
int64_t fzi_type_size(const fzi_type *type);

/* ---- primitives.def ---- */

typedef struct fzi_primitive_row {
    const char *name, *parameters, *effects;
    char result;
} fzi_primitive_row;
const fzi_primitive_row *fzi_primitive_at(int64_t index);
uint32_t fzi_primitive_effects(int64_t index);
/* Does it exist in games with stacks only? */
bool fzi_is_of_stacks(const fzi_primitive_row *row);
/* The type of a letter of primitives.def. */
const fzi_type *fzi_primitive_type(const fzi_game *game, char letter);
/* The least and the greatest number of arguments. */
void fzi_primitive_count(const char *parameters, unsigned *least, unsigned *most);

/* ---- symbols ---- */

/* "a variable", "a kind of piece", ... */
const char *fzi_symbol_sort(const fzi_symbol *symbol);
/* Is it a function, with parameters, rather than a value? */
bool fzi_is_callable(const fzi_symbol *symbol);
bool fzi_is_generator(const fzi_symbol *symbol);
/* Is it the name of this primitive, or a call of it? */
bool fzi_names_primitive(const fzi_node *node, int primitive);
bool fzi_calls_primitive(const fzi_node *node, int primitive);
/* The type of parameter number `at`; NULL: any value may stand there. */
const fzi_type *fzi_parameter_type(const fzi_game *game, const fzi_symbol *symbol, unsigned at);
enum {
    FZI_KINDS_CALL = 1u << FZI_SYM_FN | 1u << FZI_SYM_PROC | 1u << FZI_SYM_EXTERN |
                     1u << FZI_SYM_PROPERTY | 1u << FZI_SYM_PART | 1u << FZI_SYM_PRIMITIVE,
    FZI_KINDS_TYPE = 1u << FZI_SYM_TYPE | 1u << FZI_SYM_ENUM | 1u << FZI_SYM_DIE |
                     1u << FZI_SYM_OPTION,
    FZI_KINDS_MEMBER = 1u << FZI_SYM_VALUE | 1u << FZI_SYM_PLAYER | 1u << FZI_SYM_TEAM |
                       1u << FZI_SYM_KIND | 1u << FZI_SYM_SITE | 1u << FZI_SYM_DIR,
    FZI_KINDS_VALUE = FZI_KINDS_TYPE | FZI_KINDS_MEMBER | 1u << FZI_SYM_LET | 1u << FZI_SYM_VAR |
                      1u << FZI_SYM_PRIMITIVE
};

/* ---- the game ---- */

/* A global by name, as the prelude sees it; NULL. `params`: the number of a function's parameters,
 * -1 for any. Lowering finds the functions of the prelude with it: owned, allied, theirs, ... */
fzi_symbol *fzi_game_find(const fzi_game *game, const char *name, int params);

/* The name without its module. */
const char *fzi_plain_name(const char *name);

/* The value of a property of piece number `kind`; NULL: the property's default. */
fzi_node *fzi_property_node(const fzi_game *game, const fzi_symbol *property, unsigned kind);

/* Is the item of a piece a `move to` or `capture to` without label, statement and `for`? The sets
 * of such items are united. */
bool fzi_item_is_plain(const fzi_node *item);

/* Do the options that the test sets, and otherwise the files' own, equal those of this compile? If
 * not, the test has not been checked: it needs a compile with its own settings. */
bool fzi_test_applies(const fzi_game *game, const fzi_node *test);
/* The last `set` of the option in the test; NULL: there is none. */
const fzi_node *fzi_test_sets(const fzi_node *test, const fzi_option *option);

#endif
