/* The state of the parser, which the lexer, the grammar and their helpers share. Other rooms use
 * parse.h.
 *
 * parse.c is the entry. The lexer (read_tokens.c, ferz.l, tokens.c) makes an array of all tokens
 * first, so error messages (syntax_errors.c) and recovery (recovery.c) can look at the surrounding
 * tokens. Then parser.c delivers the tokens to bison's parser (ferz.y), which builds the tree. */
#ifndef FZ_GRAMMAR_SYNTAX_PARSER_H
#define FZ_GRAMMAR_SYNTAX_PARSER_H

#include "grammar/source/diagnostics.h"
#include "tree.h"

/* `kind` is a token number of the grammar (FZ_K_...), or a comment; 0 at the end of the text. */
typedef struct fzi_token {
    uint32_t start, end;
    uint32_t line; /* offset of the first token of its line: equal for all tokens of the line */
    uint16_t kind;
    uint16_t flags;
} fzi_token;

enum { FZ_TOKEN_COMMENT = 1, FZ_TOKEN_DOC = 2 }; /* below the kinds of the grammar */

enum fzi_token_flag {
    FZ_TOKEN_NEW_LINE = 1, /* the first on its line */
    FZ_TOKEN_BROKEN = 2    /* an error in it or its line has been reported */
};

/* More than the grammar has kinds of tokens. */
enum { FZ_TOKEN_LIMIT = 200, FZ_WORD_SLOTS = 512 };

/* items[count] is the end of the text. */
typedef struct fzi_tokens {
    fzi_token *items;
    size_t count, capacity;
} fzi_tokens;

typedef struct fzi_list {
    fzi_node *first, *last;
} fzi_list;

/* An open bracket and the kind of token that closes it. */
typedef struct fzi_bracket {
    size_t token;
    int closer;
} fzi_bracket;

/* A part of the text that begins where the layout shows the beginning of a declaration. `tear` is
 * its first line with a bracket that has no partner; FZ_UNTORN: none. */
#define FZ_UNTORN UINT32_MAX
typedef struct fzi_text_segment {
    size_t start; /* a token */
    uint32_t tear;
} fzi_text_segment;

typedef struct fzi_parser {
    fzi_arena *arena;
    fzi_sources *sources;
    fzi_diags *diags;
    const fzi_source *text;
    uint32_t source;

    const char *texts[FZ_TOKEN_LIMIT]; /* by kind from FZ_K_GAME on; for fzi_token_text */
    uint16_t words[FZ_WORD_SLOTS]; /* hash table: the kinds of words and signs; 0: free */

    uint32_t offset;   /* lexer: bytes read */
    fzi_tokens tokens; /* lexer: with comments; parser: without */
    fzi_tokens docs;   /* start: of a token that follows a `///` text; end: start of that text */

    int entry;         /* the token that selects the start symbol; 0 once delivered */
    size_t next;       /* the token to deliver next */
    size_t now;        /* the token delivered last */
    bool tracked;      /* the bracket `now`, if it is one, has been processed */
    fzi_bracket *brackets;
    size_t bracket_count, bracket_capacity;
    size_t misled;     /* an opening bracket whose closer has another indentation, + 1 */
    fzi_text_segment *segments; /* none if all brackets of the text have partners */
    size_t segment_count, segment_capacity;

    bool skipping;     /* an error has been reported; the next token is RECOVER */
    bool stay;         /* recover before the wrong token, not after it */
    bool skip_block;   /* recover at the end of the innermost braces */
    bool give_up;      /* recover at the next segment */
    size_t skip_depth; /* open brackets that belong to the skipped construct */
    bool in_decls;     /* the skipped construct is a declaration */
    bool in_stmts;     /* it is a statement */
    size_t plain_block; /* a brace + 1 after which no options have been found */
    size_t again_closed; /* number of "}" to deliver to bison again */
    size_t closers;    /* number of "}" to deliver that are missing in the text */
    size_t last_wrong; /* the wrong token of the last message, + 1 */
    size_t excused;    /* a token, + 1, that a reported error made wrong */
    size_t stopped;    /* where the last recovery stopped without skipping a token, + 1 */
    bool ended;        /* FINISH has been delivered */
    bool hopeless;     /* and was rejected twice */
    bool too_deep;
    bool *wanted;      /* what fzi_expected_words fills, or NULL */
    bool has_wanted;
    fzi_node *file;    /* what has been parsed */
} fzi_parser;

/* ---- read_tokens.c ---- */

/* Reads all tokens, comments included. False if the input is not a text. */
bool fzi_tokens_read(fzi_parser *parser);
/* Removes the comments; records `///` texts in `docs`. */
void fzi_tokens_strip(fzi_parser *parser);
/* Reports reserved words that are declared as names, and makes them names. */
void fzi_rename_reserved(fzi_parser *parser);

/* ---- tokens.c ---- */

/* A token as the author writes it, such as "choose" or "+="; "a name" for tokens without a fixed
 * text. */
const char *fzi_token_text(const fzi_parser *parser, int token);
/* Is the token one of the words and signs in a list, which has blanks between them? */
bool fzi_is_among(const fzi_parser *parser, int token, const char *list);
fzi_span fzi_token_span(const fzi_parser *parser, size_t index);

/* The kind of a word or sign of the language; FZ_K_IDENT: it is none. */
int fzi_lex_word(fzi_parser *parser, const char *text);
/* The place of a text in `words`. */
uint16_t *fzi_word_slot(fzi_parser *parser, const char *text);
int fzi_lex_stray(fzi_parser *parser, fzi_span span);
/* Reports an operator of other languages, and reads it as `token`. */
int fzi_lex_foreign(fzi_parser *parser, fzi_span span, int token);
/* Adds a hint about texts such as `2nd` and `8x8`. */
void fzi_lex_hint_number(fzi_diag *diag, const char *text);
void fzi_lex_check_escapes(fzi_parser *parser, fzi_span span);

const char *fzi_token_name(fzi_parser *parser, fzi_span span);
const char *fzi_token_string(fzi_parser *parser, fzi_span span);
int64_t fzi_token_number(fzi_parser *parser, fzi_span span);

/* ---- ferz.l ---- */

void fzi_tokens_scan(fzi_parser *parser);

/* ---- ferz.y ---- */

int fz_yyparse(fzi_parser *parser) __attribute__((visibility("hidden")));

/* Fills `texts` and `words` of the parser. */
void fzi_token_texts(fzi_parser *parser);

/* ---- recovery.c ---- */

/* Divides a text with brackets without partners into segments. */
void fzi_find_segments(fzi_parser *parser);
bool fzi_begins_segment(const fzi_parser *parser, size_t token);
/* Is there a bracket without a partner in the token's segment, up to the token's line? */
bool fzi_is_torn(const fzi_parser *parser, size_t token);
/* Opens or closes a bracket, among those above `base`. False: a closer that closes none of them. */
bool fzi_track_bracket(fzi_parser *parser, size_t token, size_t base);
bool fzi_is_opener(int token);
bool fzi_is_closer(int token);
/* The innermost open bracket; NULL: none. */
const fzi_bracket *fzi_parser_open(const fzi_parser *parser);
/* Skips from the wrong token to the place where parsing goes on. */
void fzi_skip_mistake(fzi_parser *parser);
/* The indentation of the token's line. */
uint32_t fzi_line_indent(const fzi_parser *parser, const fzi_token *token);
bool fzi_only_declares(const fzi_parser *parser, int token);
bool fzi_continues(const fzi_parser *parser, int token);

/* ---- parser.c ---- */

int fzi_parser_feed(fzi_parser *parser, fzi_span *span);

/* A copy of the node, with its span and height. */
fzi_node *fzi_make(fzi_parser *parser, fzi_span span, const fzi_node *node);

/* The name `module.name`, and the place of its last part. */
const char *fzi_make_path(fzi_parser *parser, const char *module, const char *name);
fzi_span fzi_path_end(const char *path, fzi_span span);
/* An expression that is a name or has two parts. */
fzi_node *fzi_make_name(fzi_parser *parser, const char *path, fzi_span span);
/* The quantifiers of `for name subset of set`. */
fzi_list fzi_make_subset(fzi_parser *parser, fzi_span span, const char *name, fzi_span name_span,
                         fzi_node *set);
/* Gives a D_PIECE its items. */
void fzi_set_items(fzi_parser *parser, fzi_node *piece, fzi_node *items);
/* Reports, once, that the text is nested too deeply. */
void fzi_too_deep(fzi_parser *parser, fzi_span span);
/* The number; a larger one than 32 bits hold is reported and reduced. */
int64_t fzi_small_number(fzi_parser *parser, fzi_span span, int64_t value);
void fzi_attach_doc(fzi_parser *parser, fzi_span span, fzi_node *node);

fzi_list fzi_list_of(fzi_node *node);
fzi_list fzi_list_add(fzi_list list, fzi_node *node);
fzi_list fzi_list_join(fzi_list list, fzi_list more);

/* ---- syntax_errors.c ---- */

/* Reports the token delivered last. `expected[t - FZ_K_GAME]`: token t would be right. Sets `stay`
 * and `closers`. */
void fzi_syntax_error(fzi_parser *parser, const bool *expected);

#endif
