/* Shared by the files of this room, which say expressions, conditions and statements of a checked
 * tree in English. rulebook.h is the room's entry. */
#ifndef FZ_GRAMMAR_PROSE_PROSE_H
#define FZ_GRAMMAR_PROSE_PROSE_H

#include <stdint.h>

#include "grammar/compile.h"
#include "page.h"

/* ---- saying a game ---- */

/* The meaning of a local name. */
typedef struct fzi_meaning {
    const fzi_symbol *symbol;
    const fzi_node *value;     /* of a parameter: the argument; of a `let`: its value; or NULL */
    struct fzi_meaning *scope; /* the meanings of the names in `value` */
    const char *first;         /* how it is introduced: "a piece of White"; NULL: it is known */
    const char *later;         /* how it is called from then on: "the piece" */
    struct fzi_meaning *outer;
} fzi_meaning;

/* A procedure or generator whose body is being said. */
typedef struct fzi_saying {
    const fzi_node *decl;
    fzi_meaning *before; /* the meanings outside of it */
    const struct fzi_saying *outer;
} fzi_saying;

/* Declarations, each once. */
typedef struct fzi_decls {
    const fzi_node **items;
    size_t count, capacity;
} fzi_decls;

typedef struct fzi_prose {
    const fzi_analysis *analysis;
    fzi_arena *arena;
    const fzi_game *game;
    fzi_page *page;
    const char *site;         /* "square", "cell", "point", ... */
    const char *me;           /* who `me` is: "the player" */
    fzi_meaning *meanings;    /* of the locals in scope */
    const fzi_saying *saying; /* innermost */
    bool in_item;             /* the next option stands alone, so its text may be sentences */
    bool in_list;             /* among alternatives, which are clauses */
    unsigned depth;           /* of values said in place of their names */
    unsigned left;            /* how many more may be; then names stand */
    unsigned lifted;          /* conditions that stand before the clause that is being said */
    unsigned inlined;         /* statements that were said in place of calls */
    fzi_decls described;      /* on the page; also assignments, in sentences */
    fzi_decls *told;          /* the options on which something on the page depends */
    fzi_decls pending;        /* their names are used: to be described soon */
    fzi_decls used;           /* by the rules of the pieces so far */
    fzi_decls shared;         /* by the rules of several pieces: described after all of them */
} fzi_prose;

/* A set of sites, or of the pieces on them: "enemy" "pawn" " on the last rank". */
typedef struct fzi_phrase {
    const char *adjective; /* "" if there is none */
    const char *noun;      /* of one member */
    const char *place;     /* the text after the noun, with its blank; "" */
    const char *whole;     /* the name of the whole set: "the first rank"; or NULL */
    bool is_single;        /* `whole` is its only member */
    bool is_piece;         /* the pieces, not the sites, are meant */
} fzi_phrase;

/* Bounds for values said in place of their names: their depth, and their number on a page. */
enum { FZI_PROSE_DEPTH = 8, FZI_PROSE_WORK = 20000 };
/* A longer value is called by its name; what makes a sentence twice as long, by its code. */
enum { FZI_PROSE_LONGEST = 240 };

/* ---- english.c: words and sentences; all texts are in the arena ---- */

/* Formats like printf, into the arena of the page. */
char *fzi_say(const fzi_prose *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A name as words: "far_rank" is "far rank", "FourLots" is "four lots"; "AIM" stays. */
const char *fzi_english_name(const fzi_prose *p, const char *name);
/* The same for names of players and teams, whose capitals stay: "NorthSouth" is "North South". */
const char *fzi_english_title(const fzi_prose *p, const char *name);

const char *fzi_english_plural(const fzi_prose *p, const char *noun);
/* "a pawn", "an empty square". */
const char *fzi_english_one(const fzi_prose *p, const char *noun);
/* "White's", "the players'". */
const char *fzi_english_genitive(const fzi_prose *p, const char *owner);
/* "White wins", "Tigers win". */
const char *fzi_english_verb(const fzi_prose *p, const char *subject, const char *verb);
/* "two", "13", "minus one". */
const char *fzi_english_number(const fzi_prose *p, int64_t number);
/* Texts to be listed: those after the first 64 are dropped. */
typedef struct fzi_texts {
    const char *items[64];
    unsigned count;
} fzi_texts;
void fzi_texts_add(fzi_texts *texts, const char *text);
/* "a, b and c" with "and" as `word`. */
const char *fzi_english_list(const fzi_prose *p, const fzi_texts *texts, const char *word);
/* Both with a blank between them, or the one that is not empty. */
const char *fzi_english_both(const fzi_prose *p, const char *first, const char *second);
/* With a capital, and with a full stop unless it ends in a mark; "" stays. */
const char *fzi_english_sentence(const fzi_prose *p, const char *text);
const char *fzi_english_capital(const fzi_prose *p, const char *text);
/* Without the capital of a sentence, and without its full stop. Words in capitals keep them. */
const char *fzi_english_clause(const fzi_prose *p, const char *text);
/* Does it begin like a sentence, with a capital that is no name's? */
bool fzi_english_is_sentence(const char *text);
/* "x is not empty" for "x is empty". */
const char *fzi_english_not(const fzi_prose *p, const char *clause);
/* The text with all whole words `from` replaced. */
const char *fzi_english_replace(const fzi_prose *p, const char *text, const char *from,
                                const char *to);

/* ---- comments.c: the `///` texts of declarations ---- */

typedef struct fzi_comment {
    const char *phrase; /* what sentences call the declaration, from a text that begins with a small
                           letter: "the number of turns"; NULL: it has none */
    const char *prose;  /* sentences, without names of the script; "": there are none */
    const char *cited;  /* of a comment that begins with a bare citation, such as "FIDE 3.4."; or
                           "" */
} fzi_comment;

/* Under the chosen options: of `{if Flying: a | b}` one of both remains. In the prose, citations
 * that introduce a sentence stand at its end: "FIDE 3.7.1: one square ahead." becomes "One square
 * ahead (FIDE 3.7.1)." */
fzi_comment fzi_comment_of(const fzi_prose *p, const fzi_node *node);

/* Notes the options that the text names. */
void fzi_tell_text(const fzi_prose *p, const fzi_node *node);
/* Is the sentence a noun, "The square behind it."? */
bool fzi_is_noun(const char *text);
/* The first sentence as a phrase, "the square behind it". NULL if it is
 * none. */
const char *fzi_comment_noun(const fzi_prose *p, const fzi_node *node);

/* Does the variable only remember, without a text of its own and unseen by players, what is true of
 * earlier moves? Conditions that use it say how it changes. */
bool fzi_only_remembers(const fzi_prose *p, const fzi_symbol *variable);
/* The phrase of what a call or name refers to; NULL: it has none. */
const char *fzi_phrase_of(const fzi_prose *p, const fzi_node *use);

/* ---- meanings.c: what names mean ---- */

/* The state for saying something about a game, with no meanings yet. */
fzi_prose fzi_prose_of(const fzi_analysis *analysis);

bool fzi_is_me(const fzi_node *node);
bool fzi_means_sites(const fzi_type *type);
/* The value of an expression of numbers and options, which then count as used. False: none. */
bool fzi_prose_constant(const fzi_prose *p, const fzi_node *node, int64_t *value);

/* Binds a local: introduced as `first` (NULL: known), called `later` afterwards. */
void fzi_mean(fzi_prose *p, const fzi_symbol *symbol, const char *first, const char *later);
void fzi_mean_value(fzi_prose *p, const fzi_symbol *symbol, const fzi_node *value,
                    fzi_meaning *scope);
/* The same for the parameters of a call. */
void fzi_mean_arguments(fzi_prose *p, const fzi_symbol *symbol, const fzi_node *arguments);
const fzi_meaning *fzi_meaning_of(const fzi_prose *p, const fzi_symbol *symbol);
/* The value of a name, through parameters and `let`s, and its scope; the expression itself if it is
 * no such name. */
const fzi_node *fzi_resolved(const fzi_prose *p, const fzi_node *node, fzi_meaning **scope);
/* Enters the scope of a local's value; NULL if it has none, or the depth is exhausted. Ends with
 * fzi_close_value. */
const fzi_node *fzi_open_local(fzi_prose *p, const fzi_symbol *symbol, fzi_meaning **before);
/* The arguments of a call, or the indexes of a table. */
const fzi_node *fzi_use_arguments(const fzi_node *use);
const fzi_symbol *fzi_use_symbol(const fzi_node *use);
/* The value of a `let` or function that can stand in place of its name, with its parameters bound;
 * NULL. Ends with fzi_close_value. */
const fzi_node *fzi_open_value(fzi_prose *p, const fzi_node *use, fzi_meaning **before);
void fzi_close_value(fzi_prose *p, fzi_meaning *before);
/* Notes that the page says what the option of that symbol does. */
void fzi_tell(const fzi_prose *p, const fzi_symbol *symbol);
/* The same for all options in an expression or declaration. */
void fzi_tell_used(const fzi_prose *p, const fzi_node *node);
/* The code of an expression or statement that has no words, in backquotes. */
const char *fzi_say_code(const fzi_prose *p, const fzi_node *node);
/* The text about the node; its code if nobody could follow a sentence of the text. */
const char *fzi_say_readable(const fzi_prose *p, const char *text, const fzi_node *node);
bool fzi_decls_has(const fzi_decls *decls, const fzi_node *decl);
/* False: it is there already. */
bool fzi_decls_add(const fzi_prose *p, fzi_decls *decls, const fzi_node *decl);
/* Is it of the prelude or of a module? */
bool fzi_is_library(const fzi_node *decl);

/* ---- say_value.c, say_condition.c, say_set.c, say_movement.c ----
 *
 * These four call each other, as the expressions that they say contain each other: a set has
 * conditions, a condition compares values, a value counts the members of a set, and a movement
 * leads from a set. */

/* ---- say_set.c ---- */

fzi_phrase fzi_say_set(fzi_prose *p, const fzi_node *node);
const char *fzi_say_one(fzi_prose *p, fzi_phrase phrase); /* "an enemy pawn on the last rank" */
const char *fzi_say_all(fzi_prose *p, fzi_phrase phrase); /* "enemy pawns on the last rank" */
const char *fzi_say_is(fzi_prose *p, fzi_phrase phrase);  /* "is an enemy pawn on the last rank" */

/* ---- say_value.c ---- */

/* Any expression but a condition, as a noun. */
const char *fzi_say_value(fzi_prose *p, const fzi_node *node);
typedef const char *fzi_sayer(fzi_prose *p, const fzi_node *node);
/* The expressions of a list, each said by `say`: "a, b and c". */
const char *fzi_say_each(fzi_prose *p, const fzi_node *list, fzi_sayer *say, const char *word);
/* Calls `say` for the value that a name stands for, in its scope; NULL: it stands for none. */
const char *fzi_say_meaning(fzi_prose *p, const fzi_node *use, fzi_sayer *say);
/* A primitive by its words in primitive_words.def. */
const char *fzi_say_primitive(fzi_prose *p, const fzi_node *use);
/* "the player's", "White's". */
const char *fzi_say_owner(fzi_prose *p, const fzi_node *player);
/* The noun of a kind of piece, of a value of an enum, or of a type. */
const char *fzi_say_symbol(fzi_prose *p, const fzi_symbol *symbol);
/* The words for a local; after the first time as a known one. */
const char *fzi_say_local(fzi_prose *p, const fzi_symbol *symbol);
/* Binds the name of a binder to a member of its set: "a" member, or "each", "every" as
 * `determiner`. */
void fzi_mean_each(fzi_prose *p, const fzi_node *binder, const char *determiner);
/* Binds a parameter of a declaration that is described by itself: "the square", "the number
 * *n*". */
void fzi_mean_parameter(fzi_prose *p, const fzi_symbol *symbol);
/* A text of it with the arguments of the call in place of {parameters}, and the game's words in
 * place of {site}, {sites} and {player}. */
const char *fzi_fill(fzi_prose *p, const fzi_node *use, const char *text);
/* The same for a text that belongs to no call. */
const char *fzi_fill_text(fzi_prose *p, const char *text);
/* The phrase, filled in; NULL. */
const char *fzi_say_phrase(fzi_prose *p, const fzi_node *use);
/* The name of a declaration with its arguments, "White's far rank". The page must then describe
 * it. */
const char *fzi_say_name(fzi_prose *p, const fzi_node *use);

/* ---- say_movement.c: moving over the board ---- */

/* "north-east". */
const char *fzi_say_direction(fzi_prose *p, const char *name);
/* "diagonally forward". */
const char *fzi_say_ways(fzi_prose *p, const fzi_node *dirs);
/* Says the way of a call of step, slide, leap, ... in `*phrase`; false: it is another call. */
bool fzi_say_way(fzi_prose *p, const fzi_node *call, fzi_phrase *phrase);

/* ---- say_condition.c: conditions ---- */

const char *fzi_say_condition(fzi_prose *p, const fzi_node *node);
const char *fzi_say_not(fzi_prose *p, const fzi_node *node);

/* ---- lift.c: conditions inside of expressions and statements ---- */

/* `if C then X else Y` for an expression, or the same as a statement, that has the condition inside
 * of it: in X and Y it is decided. NULL: no condition is inside, or too many stand before it. */
const fzi_node *fzi_lifted_value(fzi_prose *p, const fzi_node *node);
const fzi_node *fzi_lifted_statement(fzi_prose *p, const fzi_node *stmt);

/* ---- sentences.c: statements and moves ---- */

/* One clause without a capital, "remove the piece"; "" for what rules do not mention. */
const char *fzi_say_statement(fzi_prose *p, const fzi_node *stmt);
/* An option of a choice as a clause; "": the chosen options of the game rule it out. */
const char *fzi_say_option(fzi_prose *p, const fzi_node *option);
/* The options of a list, "x or y". */
const char *fzi_say_options(fzi_prose *p, const fzi_node *options);
/* " so that afterwards ...", for the filters of a choice or generator. */
const char *fzi_say_filters(fzi_prose *p, const fzi_node *filters);
/* Binds the names of quantifiers; returns their conditions, " if ...". NULL: a condition on options
 * is false. */
const char *fzi_say_quantifiers(fzi_prose *p, const fzi_node *quants);
/* Is the body of the declaration being said, or must no more bodies be said? */
bool fzi_is_being_said(const fzi_prose *p, const fzi_node *decl);
/* Enters the body of the procedure or generator that is used; ends with fzi_close_body. */
fzi_saying fzi_open_body(fzi_prose *p, const fzi_node *use);
void fzi_close_body(fzi_prose *p, const fzi_saying *saying);
bool fzi_is_no_statement(const fzi_node *stmt); /* `{}` */

/* ---- paragraphs.c ---- */

/* Writes the options of a list as items. */
void fzi_write_options(fzi_prose *p, const fzi_node *options, unsigned depth);
/* Writes statements as paragraphs, and choices as lists. */
void fzi_write_statements(fzi_prose *p, const fzi_node *stmt);
/* Writes what the declaration, which has a text of its own, takes from others with `base;`: what
 * stands first in it, or all else. */
void fzi_write_base(fzi_prose *p, const fzi_node *decl, bool is_first);

/* ---- say_piece.c ---- */

/* Do moves of pieces end on enemies? */
bool fzi_pieces_capture(fzi_prose *p);
/* Writes the moves of a piece. */
const char *fzi_say_piece(fzi_prose *p, const fzi_piece *piece);

/* ---- items.c: declarations as items ---- */

/* The sentences of a comment, filled in. */
const char *fzi_said(fzi_prose *p, const fzi_comment *comment);
/* A name of the script as a bold word. */
const char *fzi_strong(fzi_prose *p, const char *name);
/* A value of an option as its users write it. */
const char *fzi_option_value(fzi_prose *p, const fzi_option *option, int64_t value);
/* Items for the declarations that sentences have only named. */
void fzi_write_pending(fzi_prose *p);
/* Adds the declarations that a piece's rule uses to p->used; to p->shared those that are in
 * `before`, which pieces before it use. */
void fzi_note_used(fzi_prose *p, const fzi_node *rule, const fzi_decls *before);
/* Items for the texts of all declarations that a rule uses, directly or through others; without
 * p->shared below the item of a piece. */
void fzi_write_used(fzi_prose *p, const fzi_node *rule, unsigned depth);

#endif
