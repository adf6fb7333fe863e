/* Variants of chess as Fairy-Stockfish's variants.ini states them. Data flows: text → sections
 * (fairy_sections.c) → the rules of one variant (fairy_rules.c, with its squares in
 * fairy_squares.c) → the text of a script (fairy_script.c and its parts). The formatter lays the
 * script out. All memory is of arenas. */
#ifndef FZ_GRAMMAR_IMPORT_FAIRY_H
#define FZ_GRAMMAR_IMPORT_FAIRY_H

#include "importer.h"

/* ---- fairy_sections.c: the sections of a file ---- */

typedef struct fzi_fairy_entry {
    const char *key, *value; /* trimmed */
    unsigned line;           /* from 1; 0: of a built-in variant */
} fzi_fairy_entry;

typedef struct fzi_fairy_section {
    const char *name, *base; /* base: "" if none */
    unsigned line;
    bool again; /* an earlier section has the name, so this one is `x (line 30)` and refused */
    fzi_fairy_entry *entries;
    size_t count, capacity;
} fzi_fairy_section;

typedef struct fzi_fairy_file {
    fzi_arena *arena;
    const char *path;            /* as messages and scripts name the file */
    fzi_fairy_section *sections; /* of the file, then the built-in ones */
    size_t count, capacity, own; /* own: how many are the file's */
} fzi_fairy_file;

/* Reads a file and adds the built-in variants. False: there are too many. */
bool fzi_fairy_read(fzi_fairy_file *file, const char *text, size_t length);
/* The section of this name: the file's first, then a built-in one; NULL. */
const fzi_fairy_section *fzi_fairy_find(const fzi_fairy_file *file, const char *name);
/* The section that another builds on: an earlier one of the file, or a built-in one; NULL. */
const fzi_fairy_section *fzi_fairy_base(const fzi_fairy_file *file,
                                        const fzi_fairy_section *section);

/* ---- fairy_squares.c: sets of squares ---- */

enum { FZ_FAIRY_FILES = 12, FZ_FAIRY_RANKS = 10, FZ_FAIRY_COLOURS = 2 };

typedef struct fzi_squares {
    uint16_t rank[FZ_FAIRY_RANKS]; /* a bit for each file */
} fzi_squares;

/* False: the text is no list of squares such as `*1 c* d4`. */
bool fzi_squares_read(const char *text, fzi_squares *squares);
bool fzi_squares_has(const fzi_squares *squares, int file, int rank);
void fzi_squares_put(fzi_squares *squares, int file, int rank);
bool fzi_squares_equal(const fzi_squares *a, const fzi_squares *b);
/* Reads the next word, at most `size` - 1 characters of it. Where it ends; NULL: there is none. */
const char *fzi_fairy_word(const char *text, char *word, size_t size);
/* Those of a board of this size. */
fzi_squares fzi_squares_within(const fzi_squares *squares, int files, int ranks);
bool fzi_squares_empty(const fzi_squares *squares);
size_t fzi_squares_count(const fzi_squares *squares);
/* `{a2, b2}`; NULL: there are none. */
const char *fzi_squares_list(fzi_arena *arena, const fzi_squares *squares);
/* As an expression: `site`, `{}`, `rank(1) | {a2, b2}`. */
const char *fzi_squares_text(fzi_arena *arena, const fzi_squares *squares, int files, int ranks);

/* ---- fairy_rules.c: the rules of one variant ---- */

enum fzi_fairy_kind {
#define KIND(key, name, moves) FZ_FAIRY_##key,
#include "fairy_kinds.def"
#undef KIND
    FZ_FAIRY_KINDS,
    FZ_FAIRY_NONE = FZ_FAIRY_KINDS,
    FZ_FAIRY_ANY = 63 /* `*` */
};
_Static_assert(FZ_FAIRY_KINDS < FZ_FAIRY_ANY, "a set of kinds has a bit for each");

enum fzi_fairy_field {
#define FIELD(id) FZ_FAIRY_F_##id,
#include "fairy_fields.def"
#undef FIELD
    FZ_FAIRY_FIELDS
};

enum fzi_fairy_result { FZ_FAIRY_NO_RESULT, FZ_FAIRY_LOSS, FZ_FAIRY_DRAW, FZ_FAIRY_WIN };

typedef struct fzi_fairy_value {
    long number;      /* also a truth value, a rank or file from 1, a kind, a result */
    const char *text; /* as written */
    uint64_t kinds;
    fzi_squares squares;
    const char *key; /* the key that set it last */
    unsigned line;   /* 0: preset, or of a built-in variant */
} fzi_fairy_value;

typedef struct fzi_fairy_rules {
    fzi_arena *arena;
    const char *name, *path;
    char letters[FZ_FAIRY_KINDS];      /* capital; 0: the variant has no such kind */
    const char *moves[FZ_FAIRY_KINDS]; /* in Betza's notation */
    unsigned kind_line[FZ_FAIRY_KINDS];
    fzi_squares region[FZ_FAIRY_KINDS][FZ_FAIRY_COLOURS]; /* empty: the whole board */
    fzi_fairy_value values[FZ_FAIRY_FIELDS][FZ_FAIRY_COLOURS];
    enum fzi_fairy_kind promoted[FZ_FAIRY_KINDS]; /* FZ_FAIRY_NONE: none */
    long limit[FZ_FAIRY_KINDS];                   /* of promotions; 0: none */
    fzi_import_refused refused;
} fzi_fairy_rules;

/* The rules of a section with those that it builds on. What cannot be read is among `refused`.
 * False: it builds on what is not there. */
bool fzi_fairy_apply(const fzi_fairy_file *file, const fzi_fairy_section *section, fzi_arena *arena,
                     fzi_fairy_rules *rules);

/* Refuses the value of a field, with the key that set it. */
void fzi_fairy_refuse_field(fzi_fairy_rules *rules, enum fzi_fairy_field field, const char *why);
/* The same for the moves of a kind. */
void fzi_fairy_refuse_kind(fzi_fairy_rules *rules, enum fzi_fairy_kind kind, const char *why);

const char *fzi_fairy_kind_name(enum fzi_fairy_kind kind);

#define FZ_FAIRY_VALUE(r, id, colour) (&(r)->values[FZ_FAIRY_F_##id][colour])
#define FZ_FAIRY_NUMBER(r, id) ((r)->values[FZ_FAIRY_F_##id][0].number)
#define FZ_FAIRY_SET_OF(r, id, colour) ((r)->values[FZ_FAIRY_F_##id][colour].kinds)

static inline bool fzi_fairy_has(uint64_t kinds, enum fzi_fairy_kind kind)
{
    return kinds >> kind & 1;
}

/* ---- fairy_betza.c: how pieces move ---- */

/* What `move to` and `capture to` of a piece say; NULL: nothing. */
typedef struct fzi_fairy_moves {
    const char *both, *quiet, *capture, *first; /* first: quiet, from where a piece may leap */
    bool passes;                                /* it captures in passing (`e`) */
    bool hops;                                  /* it needs `use fairy` */
} fzi_fairy_moves;

/* Why the notation is not translated; NULL: it is. */
const char *fzi_fairy_moves_of(fzi_arena *arena, const char *betza, fzi_fairy_moves *moves);
/* Can pieces of the kind take some quiet move back? */
bool fzi_fairy_returns(const fzi_fairy_rules *rules, enum fzi_fairy_kind kind);
/* The squares that a piece of this player can never leave on an empty board. */
fzi_squares fzi_fairy_dead_ends(const fzi_fairy_rules *rules, enum fzi_fairy_kind kind, int colour);

/* ---- fairy_script.c: the rules as a script ---- */

/* The script, not yet formatted; NULL if clauses are refused, unless `partial` asks for what can be
 * said, with the rest as comments behind a line that does not compile. */
char *fzi_fairy_script(fzi_fairy_rules *rules, bool partial);

#endif
