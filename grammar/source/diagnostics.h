/* Diagnostics: what is wrong, where, and what the author may have meant. They are collected during
 * a compile and printed by the command that asked for it; the library prints nothing. */
#ifndef FZ_GRAMMAR_SOURCE_DIAGNOSTICS_H
#define FZ_GRAMMAR_SOURCE_DIAGNOSTICS_H

#include <stdbool.h>

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
    fzi_span span; /* where the other half stands */
    const char *message;
    struct fzi_note *next;
} fzi_note;

typedef struct fzi_hint {
    const char *message;
    struct fzi_hint *next;
} fzi_hint;

typedef struct fzi_diag {
    int code; /* FZ_E_..., FZ_W_... */
    bool is_warning;
    fzi_span span;
    const char *message;
    fzi_note *notes;
    fzi_hint *hints;
    const char *subject; /* the name that is unknown; NULL: it is about something else */
    fzi_note *repeated;  /* the note that tells where else it stands */
    unsigned repeats;
    struct fzi_diag *next;
} fzi_diag;

typedef struct fzi_diags {
    fzi_arena *arena;
    fzi_sources *sources;
    fzi_diag *first, *last;
    unsigned errors, warnings;
    unsigned type_errors; /* of `errors`, those about types that do not fit */
    bool types_muted;     /* these are not reported: they follow from one that has been */
    unsigned limit; /* after so many errors the rest is counted, not kept */
} fzi_diags;

void fzi_diags_init(fzi_diags *diags, fzi_arena *arena, fzi_sources *sources);

/* Adds a diagnostic; its message is the format of `code` in errors.def filled with the arguments.
 * Never NULL, so that notes and hints can be hung on it. The same code at the same place twice is
 * kept once, and a name that is unknown in many places is reported once, at the first of them. */
fzi_diag *fzi_error(fzi_diags *diags, fzi_span span, int code, ...);
void fzi_note_at(fzi_diags *diags, fzi_diag *diag, fzi_span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void fzi_hint_add(fzi_diags *diags, fzi_diag *diag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Have so many errors been kept that no more will be? */
bool fzi_diags_full(const fzi_diags *diags);
/* Has an error been reported at just this place? */
bool fzi_diags_error_at(const fzi_diags *diags, fzi_span span);
/* Has a declaration of the name been refused because it is taken? */
bool fzi_diags_name_taken(const fzi_diags *diags, const char *name);
/* Has the name been reported as unknown? */
bool fzi_diags_name_reported(const fzi_diags *diags, const char *name);

/* Finds the candidate nearest to a misspelled name: start with {.wanted = name}, offer every
 * candidate, read `best`: NULL when none is near enough to be meant. The first of several equally
 * near ones wins. */
typedef struct fzi_nearest {
    const char *wanted;
    const char *best;
    unsigned distance;
} fzi_nearest;

/* Letters in other cases come first, then the edit distance. */
void fzi_nearest_offer(fzi_nearest *nearest, const char *candidate);

/* Adds "did you mean 'orthogonal'?" if there is a best one. */
void fzi_hint_nearest(fzi_diags *diags, fzi_diag *diag, const fzi_nearest *nearest);

/* Sorts by place; errors and warnings together. */
void fzi_diags_sort(fzi_diags *diags);

/* As text: place, message, source line, caret range, hints, notes. As JSON: an array of objects
 * with code, severity ("error", "warning"), file, line, column, end_line, end_column, message,
 * notes (each with file to end_column and message) and hints (strings). Columns count characters
 * from 1, and the last one belongs to the range; file to end_column are null where there is no
 * place. Both write into a growing string in the arena. `colour`: with terminal colours. */
const char *fzi_diags_text(fzi_diags *diags, bool colour);
const char *fzi_diags_json(fzi_diags *diags);

#endif
