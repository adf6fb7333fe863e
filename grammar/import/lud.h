/* Games as Ludii's .lud files state them. Data flows: text → tree (lud_parse.c) → the rules of one
 * ruleset, in which options have their values (lud_options.c) → the text of a script: lud_script.c
 * and its parts, with lud_forms.def as the table of what each form says in Ferz. The formatter lays
 * the script out. All memory is of arenas. */
#ifndef FZ_GRAMMAR_IMPORT_LUD_H
#define FZ_GRAMMAR_IMPORT_LUD_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "grammar/source/arena.h"
#include "interp/ferz_tools.h"

/* ---- lud_parse.c: a text as a tree ---- */

enum fzi_lud_kind {
    FZ_LUD_WORD,   /* name, number, operator */
    FZ_LUD_STRING, /* also a define without arguments */
    FZ_LUD_LIST,   /* (…) */
    FZ_LUD_SET,    /* {…} */
    FZ_LUD_OPTION, /* <…>: `text` as written, `items` as parsed */
    FZ_LUD_PARAM,  /* #1 */
    FZ_LUD_OMITTED /* ~ */
};

typedef struct fzi_lud {
    enum fzi_lud_kind kind;
    const char *label; /* `if` of `if:(…)`; NULL */
    const char *text;  /* of words, strings and options */
    struct fzi_lud **items;
    size_t count, capacity;
    unsigned line; /* from 1 */
    bool broken;   /* an option whose text is no whole form */
    bool on_board; /* it had `container:"Board"` */
} fzi_lud;

/* What a parse or an expansion has met. `why` is NULL as long as all is well. */
typedef struct fzi_lud_fault {
    const char *why;
    unsigned line;
} fzi_lud_fault;

/* The forms of a text, as the items of a set; NULL with `fault` set. */
fzi_lud *fzi_lud_parse(fzi_arena *arena, const char *text, size_t length, fzi_lud_fault *fault);
/* Is it `(head …)` with a word? */
bool fzi_lud_is(const fzi_lud *node, const char *head);
bool fzi_lud_is_word(const fzi_lud *node, const char *word);
bool fzi_lud_has_label(const fzi_lud *node, const char *label);
/* The item with this label; NULL. */
fzi_lud *fzi_lud_labelled(const fzi_lud *node, const char *label);
/* The form on one line, at most `most` characters of it. */
const char *fzi_lud_text(fzi_arena *arena, const fzi_lud *node, size_t most);

/* ---- lud_options.c: the definitions, options and rulesets of a file ---- */

typedef struct fzi_lud_define {
    const char *name;
    fzi_lud **body;
    size_t count;
} fzi_lud_define;

typedef struct fzi_lud_ruleset {
    const char *name; /* as written, or "" if the file has none */
    fzi_lud *items;   /* {"Heading/Item" …}; NULL */
    unsigned line;
} fzi_lud_ruleset;

typedef struct fzi_lud_file {
    fzi_arena *arena;
    const char *path;
    fzi_lud *game; /* (game …) */
    const char *name;
    fzi_lud *metadata;       /* (metadata …); NULL */
    fzi_lud_define *defines; /* of the file, then of others */
    size_t define_count, define_capacity;
    fzi_lud **options;
    size_t option_count, option_capacity;
    fzi_lud_ruleset *rulesets; /* at least one; the first is the file's choice: that of most stars,
                                * or that of the options' items of most stars */
    size_t ruleset_count, ruleset_capacity;
    bool starred; /* the file prefers a ruleset */
} fzi_lud_file;

/* Reads a game. False with `fault` set: it is none. */
bool fzi_lud_read(fzi_lud_file *file, const char *text, size_t length, fzi_lud_fault *fault);
/* The titles of an option's items, from 0; NULL: there are no more. */
const char *fzi_lud_item_title(const fzi_lud *option, size_t number);
/* That of the item which the ruleset chooses, of an option that has some. */
const char *fzi_lud_chosen_title(const fzi_lud *option, const fzi_lud_ruleset *ruleset);
/* Reads "Heading/Item" and a comma behind it: the length without that; 0: the file has no such
 * item. */
size_t fzi_lud_read_choice(const fzi_lud_file *file, const char **text);
/* The ruleset with other items, each "Heading/Item". */
fzi_lud_ruleset fzi_lud_with_items(fzi_arena *arena, const fzi_lud_ruleset *ruleset,
                                   const char *name, const char *const *items, size_t count);
/* Adds the definitions of another text, which those of the file hide. */
bool fzi_lud_add_defines(fzi_lud_file *file, const char *text, size_t length, fzi_lud_fault *fault);
/* The file with the options of a ruleset: no <…> is left in its game and definitions. Its memory
 * is of `arena`. NULL with `fault` set. */
fzi_lud_file *fzi_lud_choose(const fzi_lud_file *file, const fzi_lud_ruleset *ruleset,
                             fzi_arena *arena, fzi_lud_fault *fault);
/* The definition that a node uses; NULL: none. */
const fzi_lud_define *fzi_lud_definition(const fzi_lud_file *file, const fzi_lud *node);
/* How many nodes an expansion may make, and how deep it may be. */
enum { FZ_LUD_MOST_NODES = 400000, FZ_LUD_MOST_DEPTH = 120 };

typedef struct fzi_lud_expansion {
    const fzi_lud_file *file;
    fzi_arena *arena;
    size_t made;
    fzi_lud_fault fault;
} fzi_lud_expansion;

/* The body of a definition with the arguments of `call`, as the items of a set; definitions inside
 * stay. NULL with `fault` set. */
fzi_lud *fzi_lud_expand_once(fzi_lud_expansion *x, const fzi_lud *call);

#endif
