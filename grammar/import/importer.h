/* What importers share: the table of formats (formats.def), and the clauses that no script says.
 * An importer reads a file into an arena and makes the text of a script in another one; import.c
 * formats it. */
#ifndef FZ_GRAMMAR_IMPORT_IMPORTER_H
#define FZ_GRAMMAR_IMPORT_IMPORTER_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "grammar/source/arena.h"
#include "interp/ferz_tools.h"

typedef struct fzi_import_refused {
    fz_import_clause *items; /* in the order of lines */
    size_t count, capacity;
    const char *options; /* what fz_import_options returns; NULL: "" */
} fzi_import_refused;

/* Notes a clause that the script does not say. `why` lives as long as the arena; the clause is
 * copied, as printable text. */
void fzi_import_refuse(fzi_arena *arena, fzi_import_refused *refused, unsigned line,
                       const char *clause, const char *why);
/* The clauses as comments, and a line that does not compile; "" if there are none. */
const char *fzi_import_refused_text(fzi_arena *arena, const fzi_import_refused *refused);
/* A text as a message shows it: in printable ASCII. */
const char *fzi_import_printable(fzi_arena *arena, const char *text);
/* A text as a script may quote it: without control characters, quotes and braces. */
const char *fzi_import_plain(fzi_arena *arena, const char *text);
/* The script in fewer words that mean the same; as it is if it has errors. */
const char *fzi_import_shorter(fzi_arena *arena, const char *text);
/* The script with a line for each statement of blocks on long lines; the formatter indents them. */
const char *fzi_import_layout(fzi_arena *arena, const char *text);
/* The last part of a path. */
const char *fzi_import_file_name(const char *path);

typedef struct fzi_import_format {
    const char *ending; /* of its files */
    bool many;          /* a file has several games */
    /* What the other functions take. NULL: `why` says what no importer takes. Mistakes at a place
     * are clauses instead. */
    void *(*read)(fzi_arena *arena, const char *path, const char *text, size_t length,
                  const char **why);
    /* The names of its scripts from 0; NULL: there are no more. */
    const char *(*name)(const void *file, size_t number);
    /* The name of what the file, or the format, has under this name; NULL. */
    const char *(*find)(const void *file, const char *name);
    /* The script, which `work` owns; NULL: it is refused. `name` is one that `find` has returned,
     * or NULL in a file of one game: its first script, with the options of the file. */
    const char *(*script)(const void *file, const char *name, bool partial, fzi_arena *work,
                          fzi_import_refused *refused);
    /* Adds the definitions of another text; false: `why` says why not. NULL: the format has no
     * definitions in other files. */
    bool (*define)(void *file, const char *text, size_t length, const char **why);
} fzi_import_format;

#define FORMAT(id) extern const fzi_import_format fzi_format_##id;
#include "formats.def"
#undef FORMAT

#endif
