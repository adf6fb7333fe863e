/* The format of a program. The compiler builds a program and the machine runs it. A program is
 * immutable and shared by reference count. docs/design.md describes the whole model. */
#ifndef FZ_INTERP_PROGRAM_PROGRAM_H
#define FZ_INTERP_PROGRAM_PROGRAM_H

#include "interp/board/board_data.h"
#include "interp/support/context.h"
#include "opcodes.h"

#include <string.h>

enum {
    FZ_MAX_PLAYERS = 16,
    FZ_MAX_KINDS = 62,
    FZ_MAX_BINDINGS = 8,
    FZ_MAX_PENDING = 16,  /* filters pending at one time */
    FZ_MAX_KEYS = 8,      /* of one `rank` or `keeping` */
    FZ_SHAPE_STEPS = 8,   /* of EMIT_SHIFTS and its like */
    FZ_MAX_REGISTERS = 255,
    FZ_MAX_VARIABLE_BYTES = 1 << 24, /* everything that is played is tried on copies */
    FZ_MAX_LETTER = 16    /* bytes of the letter of a kind of piece */
};

/* The optimisations that can be switched off. */
enum fzi_optimisation {
#define OPTIMISATION(id, name, part, meaning) FZ_OPT_##id,
#include "optimisations.def"
#undef OPTIMISATION
    FZ_OPT_COUNT
};
_Static_assert(FZ_OPT_COUNT <= 32, "they are bits of 32");

enum fzi_limit {
#define LIMIT(field, name, usual, most, part) FZ_LIMIT_##field,
#include "limits.def"
    FZ_LIMIT_COUNT
};

/* The bit of an optimisation in fz_program.without. */
#define FZI_ALL_OPTIMISATIONS (UINT32_MAX >> (32 - FZ_OPT_COUNT))

static inline uint32_t fzi_opt_bit(enum fzi_optimisation optimisation)
{
    return UINT32_C(1) << optimisation;
}

/* The meaning of a value in a register or variable. Texts, ranges and positions depend on it. */
enum fz_value_kind {
    FZ_VALUE_BOOL, FZ_VALUE_INT, FZ_VALUE_SITE, FZ_VALUE_DIR, FZ_VALUE_PLAYER, FZ_VALUE_TEAM,
    FZ_VALUE_KIND, FZ_VALUE_NAMED, /* an enum or a die with names */
    FZ_VALUE_SITES, FZ_VALUE_MASK  /* a set; of a mask, `element` says of what */
};

typedef struct fz_value_type {
    uint8_t kind;
    uint16_t element;     /* FZ_VALUE_MASK: the value type of its members */
    /* inclusive; also for named values, players, ...; low is -1 if names have `none` beside them */
    int32_t low, high;
    /* FZ_VALUE_NAMED: first of 2 * (high + 1) entries of program.name_lists: texts, then names */
    uint32_t names;
} fz_value_type;

/* A mutable variable of the game. A scalar is an array of one element. The array lies in the
 * state's sets or in its ints. */
typedef struct fz_variable {
    uint32_t name;        /* text offset */
    /* first element: index into the state's ints (or sets, in sets of W words) */
    uint32_t offset;
    uint32_t length;      /* elements */
    uint16_t type;        /* value type of an element */
    /* elements are sets of sites (FZ_VALUE_SITES, or bool by site as one set) */
    uint8_t is_set;
    uint8_t is_bits;      /* a bool array over sites, kept as one set */
    uint8_t carried, clock, secret, shown, hidden; /* hidden: made by the compiler, not in texts */
    uint8_t index_count;  /* 0: scalar */
    uint16_t index[4];    /* value types of the indexes */
    /* default of an element (not its initial value): what reading at off gives */
    int32_t initial;
} fz_variable;

/* A `let` that drawings show. `like` describes its values as if they were a variable; the function
 * takes `me` and the indexes, and computes one value. */
typedef struct fz_shown {
    fz_variable like;
    uint32_t function;
    uint32_t mark; /* text: drawn on the empty sites that the values name; "": the values are */
    uint8_t reveals; /* the value may pass a `reveal` */
} fz_shown;

enum fz_hint_row {
#define ROW(id, a, b, meaning) FZ_HINT_##id,
#include "views.def"
#undef ROW
    FZ_HINT_ROWS
};

enum fz_piece_shape {
#define SHAPE(id, name, light, dark, meaning) FZ_SHAPE_OF_##id,
#include "views.def"
#undef SHAPE
    FZ_SHAPES
};

enum fz_cell_pattern {
#define PATTERN(id, name, meaning) FZ_PATTERN_##id,
#include "views.def"
#undef PATTERN
    FZ_PATTERNS
};

enum fz_card_suit {
#define SUIT(id, name, red, sign) FZ_SUIT_##id,
#include "views.def"
#undef SUIT
    FZ_SUITS
};

/* A row of `view { ... }`. No rule reads it. */
typedef struct fz_hint {
    uint8_t row;   /* enum fz_hint_row; views.def says what a and b are */
    uint16_t a, b;
} fz_hint;

typedef struct fz_function {
    uint32_t name;        /* text offset */
    uint32_t start, end;  /* in program.code */
    uint8_t int_params, set_params; /* the first registers */
    uint8_t ints, sets;   /* registers used */
    uint8_t result;       /* 0 none, 1 integer, 2 set */
    uint8_t flags;        /* FZ_FUNCTION_... */
} fz_function;

enum { FZ_FUNCTION_DECIDES = 1, FZ_FUNCTION_ROLLS = 2 };

/* Where a filter's code stands, in the function of its choice. `level`: 0 the choice's own filter,
 * higher for those of generators inside. */
typedef struct fz_filter {
    uint32_t code;        /* ends in FILTER_END */
    uint32_t choice;
    uint8_t kind;         /* FZ_FILTER_... */
    uint8_t keys;
    uint8_t bounded;      /* its code says CHECK_BOUND: the keys may reach a bound, and no more */
    uint32_t condition;   /* 1 + place of the `if` it stands for, in an explaining program; not in
                             program files */
    uint32_t reason;      /* of what must be true, in reasons; 0: none. As `condition` */
} fz_filter;

enum { FZ_FILTER_ENSURING, FZ_FILTER_KEEP_MAX, FZ_FILTER_KEEP_MIN };

/* The kind of the piece that a quiet effect moves, when its filters judge: a kind, or one of
 * these. */
enum {
    FZ_PIECE_SAME = -1,   /* as it was before */
    FZ_PIECE_BOUND = -2,  /* the value of the binding `kind` */
    FZ_PIECE_ANY = -3
};

/* The effect of a filtered option up to its last filter, if it changes the board only by one piece
 * that goes from the site of a binding to that of another, or is put there (quiet_effects.c). */
typedef struct fz_quiet {
    uint8_t is;
    uint8_t last;         /* filters ask for the latest move; it is from `from`, if any, to `to` */
    int16_t piece;
    uint8_t mine;         /* what is put is the piece of the player in integer register 0 */
    int8_t from, to;      /* bindings; -1: none */
    int8_t kind;          /* the binding of what the piece is then; -1: none */
    uint8_t apart;        /* filters, bit by bit, whose code reads no register that the move sets */
    uint64_t kinds;       /* other kinds that it may be then */
    uint64_t stores;      /* the variables that may be stored */
} fz_quiet;
/* An option of one choice: a leaf, with the quantifiers around it. */
typedef struct fz_option_info {
    uint32_t choice;
    uint32_t effect;      /* code index: the beginning of what the move does */
    uint32_t label;       /* code index: what writes its text; ends in TEXT_END */
    uint32_t shown;       /* the same for the others; equal to `label` when nothing is hidden */
    uint8_t first;        /* integer register of the first binding */
    uint8_t bindings;     /* at most FZ_MAX_BINDINGS */
    /* which binding is `from` (or `here`) and which `to`; -1: none (may be a let) */
    int8_t from, to;
    uint16_t types[FZ_MAX_BINDINGS]; /* value types */
    uint32_t names[FZ_MAX_BINDINGS]; /* text offsets of the bindings' names */
    /* in program.filter_lists, innermost first; includes filters of groups (`keeping` of a
     * generator) */
    uint32_t first_filter;
    uint8_t filters;
    uint8_t at_once;      /* a drawn move may be tried on the state itself (in_place_trials.c) */
    uint8_t last;         /* after the move the turn has no further decision nor chance; derived */
    fz_quiet quiet;       /* derived */
    uint32_t place;       /* in program.places: where the option stands in the text */
} fz_option_info;

/* A choice (or a `can`): the options it may offer. */
typedef struct fz_choice {
    uint32_t function;
    uint32_t start;       /* of CHOOSE or CAN */
    uint32_t first_option, options;
    /* the choice's own filters: first in program.filter_lists, ensuring before keeping */
    uint32_t filter;
    uint8_t filters;
    uint8_t filtered;     /* some option or the choice has a filter */
    uint8_t at_once;      /* some of its options are `at_once`; derived */
    uint32_t place;
    /* of `together`: the variable, counted from 1, whose element 0 is the number of decisions that
     * the others do not see yet */
    uint32_t sealed;
} fz_choice;

/* An expression in an explaining program, as a tree that `why` walks (explain_program.c). */
enum fz_reason_kind {
    FZ_REASON_VALUE,    /* nothing is known but its value */
    FZ_REASON_SAME,     /* 0: what a name stands for */
    FZ_REASON_AND, FZ_REASON_OR, FZ_REASON_NOT, /* 0, 1 */
    FZ_REASON_COMPARE,  /* 0, 1: the sides */
    FZ_REASON_IN,       /* 0: a site, 1: a set of sites */
    FZ_REASON_ANY, FZ_REASON_ALL, /* 0: condition (may be 0), 1: body; slot; 2: the domain */
    FZ_REASON_ATTACKED, /* 0: sites, 1: player, 2: is the site in `slot` attacked? */
    FZ_REASON_MEET, FZ_REASON_UNITE, FZ_REASON_LESS, /* sets: 0, 1 */
    FZ_REASON_STEP,     /* 0: from where, 1: directions */
    FZ_REASON_SLIDE,    /* the same, 2: through what, 3: how far */
    FZ_REASON_EMPTY     /* the empty sites */
};

/* The function's arguments are slots (bindings of the option, then names bound inside the
 * expression) or, from FZ_REASON_FRAME on, integer registers of the choice's frame. */
enum { FZ_REASON_SLOTS = 16, FZ_REASON_FRAME = 256 };

typedef struct fz_reason {
    uint8_t kind;         /* enum fz_reason_kind */
    uint8_t slot;         /* what it binds */
    uint8_t is_constant;  /* its value depends on nothing: the text shows it */
    uint8_t is_set;       /* the value is a set of sites */
    uint8_t is_option;    /* it is an option of the game */
    uint16_t type;        /* of the value; of FZ_REASON_ANY and _ALL: of `slot` */
    int32_t function;     /* -1: the value cannot be had */
    uint32_t first_input, inputs; /* in reason_inputs */
    uint32_t place;
    uint32_t parts[4];    /* in reasons; 0: there is none */
} fz_reason;

/* Where a binding of an option may lead, in an explaining program. */
typedef struct fz_reach {
    uint32_t option;
    uint8_t binding;
    uint8_t onto;         /* of a piece's item: 1 `move to`, 2 `capture to`; 0 */
    uint8_t kind;         /* 1 + the kind of that piece; 0 */
    uint32_t reason;      /* of the set of sites */
} fz_reach;

/* A plain item of a piece whose option is that of several items, in a program for coverage: one
 * compiled with fz_context_enable_coverage. The function's parameters are `me` and the site of the
 * piece; it gives the item's targets. */
typedef struct fz_item_info {
    uint32_t option, place, function;
    int32_t me;           /* an integer register of the choice's frame; -1: `me` is `player` */
    int8_t player;        /* -1: nobody */
} fz_item_info;

/* A mark in a program for stepping: a statement or an option's effect is about to begin; or the
 * value of the printed expression is in a register. */
typedef struct fz_stop {
    uint32_t code, place; /* ascending by code */
    uint8_t prints;       /* a value is in register `reg`, a set register if `is_set` */
    uint8_t reg, is_set;
    uint16_t type;
} fz_stop;

typedef struct fz_die {
    uint32_t name;
    uint16_t type;        /* value type of a face */
    uint32_t first, faces; /* in program.faces */
} fz_die;
typedef struct fz_face { int32_t value; uint32_t weight; } fz_face;

typedef struct fz_int_table { uint32_t first, length; int32_t initial; } fz_int_table;
typedef struct fz_set_table { uint32_t first, rows; } fz_set_table; /* first: in words */

typedef struct fz_place { uint32_t source, start, end; } fz_place; /* bytes of a source text */
typedef struct fz_line { uint32_t code; uint32_t place; } fz_line; /* ascending by code */
/* A rule of the game's own files that has no code, because a condition is constant. */
typedef struct fz_removed_rule { uint32_t place; uint8_t is_option; } fz_removed_rule;
/* text offsets */
typedef struct fz_source_info { uint32_t path, text, text_length; } fz_source_info;

typedef struct fz_kind_info {
    uint32_t name, letter; /* letter: "" when none */
} fz_kind_info;

typedef struct fz_player_info {
    uint32_t name;
    int8_t team;          /* its own number when there are no teams */
    int8_t facing;        /* a direction, -1 if the board has none */
} fz_player_info;

typedef struct fz_option_choice {
    uint32_t name, value, initial, values, comment; /* texts: see fz_setting_info */
    int64_t low, high;
    uint8_t type;         /* fz_option_type */
    uint8_t is_default;   /* the value is the initial one */
} fz_option_choice;
typedef struct fz_info_entry { uint32_t key, value; } fz_info_entry;

typedef struct fz_native {
    uint32_t name, library, symbol;
    uint8_t int_params, set_params;
    uint8_t order[16];    /* for each parameter: 0 integer, 1 set */
    uint8_t params;
    int32_t low, high;    /* the range of its result */
} fz_native;

/* The steps of a test in a script. The compiler makes them and `ferz test` runs them in order. */
enum fz_test_op {
    FZ_TEST_SET,        /* text: "Name=Value"; the test runs on the program under that choice */
    FZ_TEST_POSITION,   /* text: diagram, a: mover; function: the block of settings or -1 */
    FZ_TEST_AFTER, FZ_TEST_PLAY, /* text: one move */
    FZ_TEST_DO,         /* function: run as the body of the mover's turn */
    FZ_TEST_CHANCE,     /* a: the next chance result */
    FZ_TEST_EXPECT,     /* function: returns a truth value; text: the source of the condition */
    /* a: number of texts; FZ_TEST_TEXTs follow */
    FZ_TEST_MOVES_ARE, FZ_TEST_MOVES_INCLUDE, FZ_TEST_MOVES_EXCLUDE,
    /* the same; b: the player whose observation has or has not these lines */
    FZ_TEST_SEEN_INCLUDE, FZ_TEST_SEEN_EXCLUDE,
    FZ_TEST_TEXT,       /* text */
    FZ_TEST_MOVE_COUNT, /* a */
    FZ_TEST_PERFT, FZ_TEST_PERFT_DECISIONS, /* a: depth, b: nodes */
    FZ_TEST_OUTCOMES,   /* a: number of FZ_TEST_OUTCOME that follow */
    FZ_TEST_OUTCOME,    /* a/b: probability; function: truth value; text: its source */
    FZ_TEST_FAILS,      /* text: part of the error in which the step before ends */
    FZ_TEST_PART,       /* after FZ_TEST_EXPECT, a part of it. function: its value; a: its type;
                         * text: its source */
    FZ_TEST_OP_COUNT
};
typedef struct fz_test_step {
    uint8_t op;
    uint32_t text;
    int32_t function;
    int64_t a, b;
    uint32_t place;
} fz_test_step;
typedef struct fz_test_info {
    uint32_t title;
    uint32_t first, steps;
    uint32_t place;
} fz_test_info;

/* Offsets of the parts of a state's block, in bytes from the head; see layout.h. */
typedef struct fz_layout {
    uint32_t own;             /* sets of players 0 .. n-1, then of nobody */
    uint32_t kinds;           /* sets of kinds */
    uint32_t sets;            /* set variables, then after `clock_sets` of them those of clocks */
    uint32_t ints;            /* int32 variables, clocks last */
    /* a byte for each site: 0 empty, else 1 + kind * (players + 1) + owner + 1 */
    uint32_t at;
    uint32_t empty;           /* the set of sites without a piece: follows from `own` */
    /* stack_size bytes for each site: how many pieces lie under the top, then what `at` would say
     * of each, from the bottom; 0 after them */
    uint32_t stacks, stack_size;
    uint32_t position_start, position_end; /* what makes a position: own .. non-clock ints */
    uint32_t frames;          /* of the calls, in 64-bit words */
    uint32_t frame_words;     /* at most */
    uint32_t set_count, int_count, clock_set_count, clock_int_count;
} fz_layout;

struct fzi_topology;

/* Native code that is attached to a program until the program is released. native/ makes
 * attachments; each has this as its first member. */
typedef struct fzi_attachment {
    void (*free)(struct fzi_attachment *attachment);
} fzi_attachment;

typedef struct fz_program {
    uint32_t references;

    const char *text;         /* all names and strings: NUL-terminated, offset 0 is "" */
    uint32_t text_length;
    uint32_t title;

#define ARRAY(field, type, length, what) const type *field; uint32_t length;
#include "program_parts.def"
    int32_t setup, turn, end, limit; /* functions; -1 if there is none */
    int32_t limit_turns;             /* 0: no limit */
    uint32_t limits[FZ_LIMIT_COUNT]; /* that the script states (limits.def); 0: the default */
    /* of a program for stepping: the printed expression as a function of `me`, and the type of its
     * value; -1: none; not in program files */
    int32_t printed;
    uint16_t printed_type;
    uint8_t has_teams;

    fz_board board;
    struct fzi_topology *topology;   /* derived, not in a compiled file */
    fz_layout layout;
    const uint8_t *initial;          /* initial contents of layout.own .. layout.frames */
    uint32_t initial_length;
    uint8_t uses_repetitions, uses_board_repetitions, uses_chance;
    uint8_t unmarked;                /* all pieces that are put are nobody's */
    uint8_t stack_limit;              /* pieces that a site holds; 0: one, they do not stack */
    uint32_t without;                /* bits of optimisations that are switched off; 0 */
    uint8_t hides;                   /* fz_program_hides; derived, not in a compiled file */
    uint8_t reads_last;              /* of an earlier turn; derived, not in a compiled file */
    /* functions (p: player): sites that p is not shown, sites that look empty to p; -1 */
    int32_t unseen, invisible;
    int32_t owned;                   /* the same of p's pieces; -1: those marked as p's */
    int32_t payoff;                  /* (p: player): a number, when the game is over; -1 */
    /* an fzi_natives: bound native functions; not in a program file */
    fzi_attachment *native_code;
    /* an fzi_compiled: code for the processor; not in a program file */
    fzi_attachment *compiled;
    const void *owner;               /* the fzi_allocator whose memory it is; NULL: the default */
} fz_program;

/* The first of `count` rows whose number is at least `number`; `count` if there is none. The rows
 * have `size` bytes, begin with their numbers, and ascend by them. */
static inline uint32_t fzi_row_from(const void *rows, uint32_t count, size_t size, uint32_t number)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2, at;
        memcpy(&at, (const char *)rows + middle * size, sizeof at);
        if (at < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The least width that holds so many sites: words of a set. */
static inline unsigned fzi_width_for(unsigned sites)
{
    static const uint8_t widths[] = {
#define WIDTH(words) words,
#include "widths.def"
#undef WIDTH
    };
    unsigned i = 0;
    while (i + 1 < sizeof widths && widths[i] * 64u < sites)
        i++;
    return widths[i];
}

/* Do sets of so many words have a loop? */
static inline bool fzi_is_width(unsigned words)
{
    return words && fzi_width_for(words * 64) == words;
}

static inline bool fzi_is_player(const fz_program *program, int player)
{
    return player >= 0 && (uint32_t)player < program->player_count;
}

/* A copy of all but the reference count, which other threads may be changing. */
static inline fz_program fzi_program_view(const fz_program *program)
{
    fz_program view;
    const size_t from = offsetof(fz_program, text);
    view.references = 0;
    memcpy((char *)&view + from, (const char *)program + from, sizeof view - from);
    return view;
}

/* Is the optimisation on? */
static inline bool fzi_on(const fz_program *program, enum fzi_optimisation optimisation)
{
    return !(program->without & fzi_opt_bit(optimisation));
}

static inline const char *fzi_text(const fz_program *program, uint32_t offset)
{
    return program->text + offset;
}

/* Makes a program: one block with copies of all arrays of `view`, and the derived parts. NULL:
 * memory is short. */
fz_program *fzi_program_make(fzi_allocator allocator, const fz_program *view);
/* Scripts from strangers cannot raise the usual limits. */
void fzi_program_confine(fz_program *program);
/* The function that has the instruction at `code`; NULL: none has. */
const fz_function *fzi_program_function_at(const fz_program *program, uint32_t code);
/* The place of the instruction at `code`; places[0] when unknown. */
const fz_place *fzi_program_place(const fz_program *program, uint32_t code);

/* The allocator of the program's memory; the default allocator while the program is being made. */
fzi_allocator fzi_program_allocator(const fz_program *program);
/* The index in places of the instruction; 0 when unknown. */
uint32_t fzi_program_place_index(const fz_program *program, uint32_t code);
/* The line and the column where a place begins, from 1; columns count characters. */
void fzi_place_begin(const fz_program *program, const fz_place *place, unsigned *line,
                     unsigned *column);
/* "file:line:column" of a place, into `buffer`; "" when unknown. */
void fzi_place_text(const fz_program *program, const fz_place *place, char *buffer, size_t size);

#endif
