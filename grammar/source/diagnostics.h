/* Diagnostics: errors and warnings with their places, notes and hints. They are collected during a
 * compile. The library prints nothing: it returns them as text or JSON. */
#ifndef FZ_GRAMMAR_SOURCE_DIAGNOSTICS_H
#define FZ_GRAMMAR_SOURCE_DIAGNOSTICS_H

#include <stdbool.h>

#include "interp/support/context.h"
#include "source.h"

enum fzi_diag_code {
#define ERROR(code, name, format) FZ_##code##_##name,
#define WARNING(code, name, format) FZ_##code##_##name,
#include "errors.def"
#undef ERROR
#undef WARNING
    FZ_DIAG_COUNT
};

/* Short names: FZ_E_UNKNOWN_NAME, FZ_W_UNUSED_DECL. */
enum {
#define ERROR(code, name, format) FZ_E_##name = FZ_##code##_##name,
#define WARNING(code, name, format) FZ_W_##name = FZ_##code##_##name,
#include "errors.def"
#undef ERROR
#undef WARNING
};

typedef struct fzi_note {
    fzi_span span; /* another place that the error is about */
    const char *message;
    struct fzi_note *next;
} fzi_note;

/* A change of the text that carries out a hint. */
typedef struct fzi_edit {
    fzi_span span; /* what is replaced; source 0: the place of the diagnostic */
    const char *text;
    struct fzi_edit *next;
} fzi_edit;

typedef struct fzi_hint {
    const char *message;
    fzi_edit *edits; /* all together; NULL: the author has to decide */
    bool is_fix;     /* shown by tools only, as the title of an edit */
    struct fzi_hint *next;
} fzi_hint;

typedef struct fzi_diag {
    struct fzi_diags *all; /* the list that it is for */
    int code; /* FZ_E_..., FZ_W_... */
    bool is_warning;
    fzi_span span;
    const char *message;
    fzi_note *notes;
    fzi_hint *hints;
    const char *subject; /* the unknown name, or NULL */
    fzi_note *repeated;  /* the note about its other places */
    unsigned repeats;
    struct fzi_diag *next;
} fzi_diag;

typedef struct fzi_diags {
    fzi_arena *arena;
    fzi_sources *sources;
    fzi_diag *first, *last;
    unsigned errors, warnings;
    unsigned type_errors; /* of `errors`: mismatches of types */
    bool types_muted;     /* mismatches are not reported: they follow from a reported error */
    unsigned limit;       /* later errors are counted and not kept */
    /* a list of names: several unknown ones are one mistake, such as a plural */
    fzi_span list;
} fzi_diags;

void fzi_diags_init(fzi_diags *diags, fzi_arena *arena, fzi_sources *sources);

/* Adds a diagnostic. Its message is the format of `code` in errors.def with the arguments. Never
 * NULL, so the caller can add notes and hints. The same code at the same place is kept once, and an
 * unknown name is reported once, at its first place. */
fzi_diag *fzi_error(fzi_diags *diags, fzi_span span, int code, ...);
/* The error is about this place as well, and this name: if the place is earlier, it moves there. */
void fzi_diag_at_earlier(fzi_diag *diag, fzi_span span, const char *name);
void fzi_note_at(fzi_diag *diag, fzi_span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "did you mean 'x'?" about a single word brings its edit. */
void fzi_hint_add(fzi_diag *diag, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds a hint that only tools show, together with its edit. */
void fzi_fix_add(fzi_diag *diag, const char *title);
/* Adds an edit to the diagnostic's last hint. `span` NULL: the place of the diagnostic. */
void fzi_hint_edit(fzi_diag *diag, const fzi_span *span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The code as users see it: "E0301". */
const char *fzi_diag_code_text(int code);

/* Has the limit been reached, so that no more errors are kept? */
bool fzi_diags_full(const fzi_diags *diags);
/* Has an error been reported at exactly this place? */
bool fzi_diags_error_at(const fzi_diags *diags, fzi_span span);
/* Has a declaration been rejected because its name is taken? */
bool fzi_diags_name_taken(const fzi_diags *diags, const char *name);
/* Has the name been reported as unknown? */
bool fzi_diags_name_reported(const fzi_diags *diags, const char *name);

/* The candidate nearest to a misspelled name. Start with {.wanted = name}, offer every candidate,
 * then read `best`: the first of the nearest ones, or NULL if none is near enough. */
typedef struct fzi_nearest {
    const char *wanted;
    const char *best;
    unsigned distance;
} fzi_nearest;

/* Names that differ only in case are nearest; then the edit distance decides. */
void fzi_nearest_offer(fzi_nearest *nearest, const char *candidate);

/* Adds "did you mean 'orthogonal'?" if there is a best one. */
void fzi_hint_nearest(fzi_diag *diag, const fzi_nearest *nearest);

/* Sorts errors and warnings together, by place. */
void fzi_diags_sort(fzi_diags *diags);

/* Sorts the diagnostics and writes them as text (place, message, source line, caret range, hints,
 * notes), without and with colours, and as JSON, which docs/commands.md describes. NULL: memory is
 * short. */
fz_report *fzi_report_new(fzi_diags *diags, fzi_allocator allocator);

/* ---- hints for words of other languages (foreign.def) ---- */

/* The place of the word in the text. */
enum fzi_foreign_place {
    FZI_FOREIGN_DECLARATION, /* it begins a declaration */
    FZI_FOREIGN_STATEMENT,
    FZI_FOREIGN_TEST,        /* it begins a statement of a test */
    FZI_FOREIGN_ITEM,        /* it begins an item of a piece */
    FZI_FOREIGN_NAME,        /* it is a name in an expression */
    FZI_FOREIGN_TYPE,
    FZI_FOREIGN_BOARD
};

/* Is it one of the words of a list, which has blanks between them? */
bool fzi_is_in_list(const char *list, const char *word);
/* Is there a row for the word? */
bool fzi_is_foreign(int place, const char *word);
/* Adds the hint of its row. False: there is none. */
bool fzi_hint_foreign(fzi_diag *diag, int place, const char *word);

#endif
