/* Names: resolving them, binding locals, and hints for unknown ones. */
#ifndef FZ_GRAMMAR_CHECK_CHECK_NAME_H
#define FZ_GRAMMAR_CHECK_CHECK_NAME_H

#include "checker.h"

/* ---- symbols ---- */

/* "a variable", "a kind of piece", ... */
const char *fzi_symbol_sort(const fzi_symbol *symbol);
fzi_entry *fzi_entry_of(const fzi_symbol *symbol);
/* Is it a function, with parameters, rather than a value? */
bool fzi_is_callable(const fzi_symbol *symbol);
/* Records that the owner of the current place uses the symbol. */
void fzi_use(fzi_checker *c, fzi_symbol *symbol, fzi_span span);

/* The global of that name whose kind is in `kinds` (bits); NULL. */
fzi_symbol *fzi_find_global(const fzi_checker *c, const char *name, uint32_t kinds);
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

/* ---- names in expressions and types ---- */

/* Sets the symbol of an E_NAME and returns its type. `want`, which may be NULL, chooses among
 * several meanings. `bare`: allows the name of an indexed variable without indexes. */
const fzi_type *fzi_check_name(fzi_checker *c, fzi_node *node, const fzi_type *want, bool bare);
const fzi_type *fzi_check_member(fzi_checker *c, fzi_node *node);
/* Does the meaning of the expression depend on the expected type? */
bool fzi_needs_context(const fzi_checker *c, const fzi_node *node);
/* Sets and returns the type of a type node. */
const fzi_type *fzi_check_type(fzi_checker *c, fzi_node *node);

/* ---- unknown names ---- */

/* Is the name possibly declared by a game that uses this library? Then it is not reported. */
bool fzi_may_come_later(const fzi_checker *c, const char *name, const char *nearest);
/* Is a `use` missing for this name? The first time that is reported; then the names of the same
 * module are passed over. A name that is nearly right (`nearest`) is a slip. */
bool fzi_lacks_module(fzi_checker *c, const fzi_node *node, fzi_span span,
                      const fzi_nearest *nearest);
/* Adds a hint: Ferz's word for a word of other languages, or the nearest name. */
void fzi_hint_name(fzi_checker *c, fzi_diag *diag, const fzi_nearest *nearest);
/* Adds a hint if a local that does not fit hides a direction or site of the same name. */
void fzi_hint_hidden(fzi_checker *c, fzi_diag *diag, const fzi_node *node);
/* Adds a note if the name is declared under other options. */
void fzi_note_elsewhere(fzi_checker *c, fzi_diag *diag, const char *name);
/* The word that a construct begins with. */
fzi_span fzi_first_word(const fzi_checker *c, fzi_span span);

/* The author's text of the expression, for hints; "..." if it is long. */
const char *fzi_quote(const fzi_checker *c, const fzi_node *node);

/* ---- locals ---- */

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

#endif
