/* The parser: text → tree. ferz.y has the grammar. The next stage is unit.h. */
#ifndef FZ_GRAMMAR_SYNTAX_PARSE_H
#define FZ_GRAMMAR_SYNTAX_PARSE_H

#include "grammar/source/diagnostics.h"
#include "tree.h"

/* The tree of a source: N_FILE, never NULL. Errors go to `diags`; statements, items and
 * declarations with an error are missing from the tree. `lenient`: accepts a text without a header
 * (its `op` is FZ_T_NONE), for parts of scripts. */
fzi_node *fzi_parse_file(fzi_arena *arena, fzi_sources *sources, fzi_diags *diags,
                         uint32_t source, bool lenient);

/* ---- for tools ---- */

enum fzi_lexeme_class {
    FZI_LEXEME_COMMENT, FZI_LEXEME_DOC, FZI_LEXEME_WORD /* of the language */, FZI_LEXEME_NAME,
    FZI_LEXEME_NUMBER, FZI_LEXEME_STRING, FZI_LEXEME_OPEN, FZI_LEXEME_CLOSE /* brackets */,
    FZI_LEXEME_SIGN
};
typedef struct fzi_lexeme {
    uint32_t start, end;
    enum fzi_lexeme_class class;
} fzi_lexeme;
/* The words, signs and comments of a text, in order; none if it is no text. */
fzi_lexeme *fzi_lexemes(fzi_arena *arena, fzi_sources *sources, uint32_t source, size_t *count);

/* The words of the language that may follow at the end of a text, up to a NULL. `takes_name`: a
 * name may follow, too. */
const char **fzi_expected_words(fzi_arena *arena, fzi_sources *sources, uint32_t source,
                                bool *takes_name);
/* Can a declaration have this name? */
bool fzi_is_name(fzi_arena *arena, const char *text);

/* ---- format.c ---- */

/* The text of a source in the house style: two columns of indentation per level, one blank between
 * words, at most one empty line in a row. Line breaks and the places of comments are the author's.
 * `file` is the source's tree, parsed without errors. The result has the same tree, and formatting
 * it again changes nothing. */
const char *fzi_format(fzi_arena *arena, const fzi_sources *sources, uint32_t source,
                       const fzi_node *file);

#endif
