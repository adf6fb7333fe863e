/* Names and types: from a unit to a checked game. The checker gives every expression a type,
 * every name a symbol, every construct its effects, and reports what is wrong; lowering reads
 * what it left. */
#ifndef FZ_GRAMMAR_CHECK_CHECK_H
#define FZ_GRAMMAR_CHECK_CHECK_H

#include "grammar/board/board.h"
#include "grammar/unit/unit.h"

/* ---- types ---- */
enum fzi_type_kind {
    FZI_TYPE_POISON,  /* of what is wrong already; fits everywhere */
    FZI_TYPE_VOID,    /* of a statement-like call */
    FZI_TYPE_BOOL, FZI_TYPE_INT, FZI_TYPE_SITE, FZI_TYPE_DIR, FZI_TYPE_PLAYER, FZI_TYPE_TEAM,
    FZI_TYPE_KIND,
    FZI_TYPE_NAMED,   /* an enum, an option with names, a die with names */
    FZI_TYPE_OFF,     /* of `off` before it is known whether site or direction */
    FZI_TYPE_NOTHING, /* of `{}`: a set of anything */
    FZI_TYPE_SET      /* of `element`; of sites: words, of anything else: a mask */
};
typedef struct fzi_type {
    uint8_t kind;
    const struct fzi_type *element;  /* FZI_TYPE_SET */
    const struct fzi_symbol *symbol; /* FZI_TYPE_NAMED: the enum, option or die */
    int64_t low, high; /* values from .. to; for FZI_TYPE_INT the declared range, or 32 bits;
                                        for SITE 0 .. sites-1 and so on: the members of a finite type */
    const char *text;                /* as the author would write it */
} fzi_type;

/* ---- what evaluating or running something may do ---- */
enum fzi_effect {
    FZI_READS_STATE = 1,   /* variables, pieces, mover, turns */
    FZI_USES_ME = 2,
    FZI_READS_LAST = 4,    /* last_from, last_to */
    FZI_READS_HISTORY = 8, /* repetitions */
    FZI_CHANCE = 16,
    FZI_WRITES = 32,
    FZI_DECIDES = 64,      /* contains a choice */
    FZI_ENDS = 128,        /* may state a result */
    FZI_STOPS = 256,       /* may say `stop` */
    FZI_ATTACKS = 512      /* depends on `attacked` */
};

/* ---- symbols ---- */
enum fzi_symbol_kind {
    FZI_SYM_TYPE,      /* bool int site sites dir dirs player team kind */
    FZI_SYM_OPTION, FZI_SYM_ENUM, FZI_SYM_DIE, FZI_SYM_VALUE /* of one of these three with names */,
    FZI_SYM_PLAYER, FZI_SYM_TEAM, FZI_SYM_KIND, FZI_SYM_SITE, FZI_SYM_DIR,
    FZI_SYM_PROPERTY, FZI_SYM_LET, FZI_SYM_VAR, FZI_SYM_FN, FZI_SYM_MOVES, FZI_SYM_PROC,
    FZI_SYM_EXTERN,
    FZI_SYM_LOCAL,     /* a for, let, var or parameter of a function, option or statement */
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
    uint8_t kind;          /* enum fzi_symbol_kind */
    uint8_t local;         /* FZI_SYM_LOCAL: enum fzi_local_kind */
    bool used;
    const char *name;
    fzi_node *node;        /* its declaration; NULL for primitives, sites, directions */
    fzi_span span;         /* where it is declared; source 0: built in */
    const fzi_type
        *type;     /* of the value; of a TYPE, ENUM, OPTION, DIE: the type it names (an option's own
                              value, as an expression, has that type too) */
    int64_t value; /* VALUE, PLAYER, TEAM, KIND, SITE, DIR: its number; OPTION: the chosen value;
                              PRIMITIVE: its place in primitives.def, or FZI_PIECE_MOVES, FZI_MOVES_OF */
    const fzi_type **index; /* LET, VAR: types of the indexes */
    unsigned index_count;
    struct fzi_symbol **params; /* FN, MOVES, PROC, EXTERN, LET: parameters as LOCALs */
    unsigned param_count;
    uint32_t effects;      /* FN LET MOVES PROC: of its body and everything it calls */
    bool recursive;        /* FN, PROC: calls itself, directly or through others */
    bool is_large;         /* FN: for lowering; too large to be put in the place of its calls */
    struct fzi_symbol *overload; /* FN of the same name with another number of parameters */
    void *lowered;         /* for lowering to hang what it makes of the symbol on */
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
    const char *letter;        /* "" when none */
    fzi_node *items; /* list of I_; each I_MOVE's `symbol` is its `to`, and `here` is `here` */
    fzi_symbol *here;
} fzi_piece;
typedef struct fzi_seat {
    fzi_symbol *symbol;
    int team;
    int facing;                /* a direction; -1: none */
} fzi_seat;

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
    fzi_node *setup, *turn, *end, *limit, *on_capture; /* declarations, NULL if there is none */
    fzi_symbol *capture_site;                 /* the name that `on capture` binds */
    fzi_node *tests;                           /* D_TEST list, checked */
    fzi_node **shown; unsigned shown_count;    /* NAME nodes of D_SHOW, symbol set */
    const fzi_type *type_bool, *type_int, *type_site, *type_sites, *type_dir, *type_dirs,
        *type_player, *type_team, *type_kind, *type_poison, *type_void, *type_off, *type_nothing;
    struct fzi_scope *globals;
} fzi_game;

/* Checks a unit; never NULL. There may have been errors: see unit's diags. */
fzi_game *fzi_check(fzi_load *load, fzi_unit *unit);

/* A global by name (with `params` parameters, for functions; -1: any); NULL. Lowering finds what
 * the prelude defines by name: owned, allied, friends, theirs, ... */
fzi_symbol *fzi_game_find(const fzi_game *game, const char *name, int params);

/* The expression that states property `property` of piece number `kind`; NULL: the property's
 * default. */
fzi_node *fzi_property_node(const fzi_game *game, const fzi_symbol *property, unsigned kind);

/* Is the game compiled under the options that the test sets, and otherwise under those that the
 * files say? If not, the test has not been checked: it belongs to a compile with those settings. */
bool fzi_test_applies(const fzi_game *game, const fzi_node *test);
/* The last `set` of the option in the test; NULL: there is none. */
const fzi_node *fzi_test_sets(const fzi_node *test, const fzi_option *option);

/* The number of members of a finite type; 0 if it is not finite (int). */
int64_t fzi_type_size(const fzi_type *type);

#endif
