/* The text of a script as a tree of brackets, for script_merge.c. It knows where declarations,
 * statements and expressions end, and nothing else of the language. */
#ifndef FZ_GRAMMAR_IMPORT_SCRIPT_TREE_H
#define FZ_GRAMMAR_IMPORT_SCRIPT_TREE_H

#include "importer.h"

typedef struct fzi_script_line fzi_script_line;

/* A token, or a bracket with all that is in it. */
typedef struct fzi_part {
    const char *text; /* in the script, up to the closing bracket */
    size_t length;
    const char *id; /* its tokens, interned: equal parts have the same pointer */
    bool is_group;  /* its first character is the opening bracket */
    bool is_block;  /* its lines are statements, options or items; else commas are between them */
    fzi_script_line *lines; /* of a group */
    size_t count;
    const char *lines_id;
} fzi_part;

/* A declaration, statement, option or item with its end; in other brackets what is between commas.
 */
struct fzi_script_line {
    fzi_part *parts;
    size_t count;
    const char *id;
};

/* The declarations of a script, as the lines of a block. NULL: brackets are missing, or too
 * deep. */
fzi_part *fzi_script_tree(fzi_arena *arena, const char *text);
/* Where the expression ends that begins with the part `at`; `at`: there is none. */
size_t fzi_expression_end(const fzi_script_line *line, size_t at);
/* The same for an operand, which no operator around it can take apart. */
size_t fzi_operand_end(const fzi_script_line *line, size_t at);
bool fzi_is_token(const fzi_part *part, const char *text);
/* Is it a part of this line, and this token? */
bool fzi_line_has(const fzi_script_line *line, size_t at, const char *text);
bool fzi_part_is_word(const fzi_part *part);
bool fzi_part_is_number(const fzi_part *part);
/* The number of tokens in a text. */
size_t fzi_script_tokens(const char *text);

#endif
