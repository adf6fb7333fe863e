/* What the files share that make several scripts one: see script_merge.c. */
#ifndef FZ_GRAMMAR_IMPORT_SCRIPT_MERGER_H
#define FZ_GRAMMAR_IMPORT_SCRIPT_MERGER_H

#include "script_tree.h"
#include "script_settings.h"

enum { FZ_MOST_VECTORS = 8 };

/* Where lines stand. */
enum fzi_script_place { IN_SCRIPT, IN_STATEMENTS, IN_OPTIONS, IN_ITEMS, IN_COMMAS };

/* Numbers that one place of the scripts has, by the values of an option. */
typedef struct fzi_vector {
    long numbers[FZ_MOST_VALUES];
    size_t uses;
} fzi_vector;

typedef struct fzi_merger {
    fzi_arena *arena;
    fzi_script_settings *s;
    const fzi_part **scripts; /* by setting */
    /* script_words.c: by setting, its declarations and board, and all words that scripts with the
     * same ones have, sorted */
    const char **surroundings;
    const char ***words;
    size_t *word_count;
    fzi_vector vectors[FZ_MOST_OPTIONS][FZ_MOST_VECTORS];
    size_t vector_count[FZ_MOST_OPTIONS];
    size_t steps;
} fzi_merger;

#define TEXT(m, ...) fzi_arena_printf((m)->arena, __VA_ARGS__)
/* An array with an element for each setting. */
#define BY_SETTING(m, type) ((type *)fzi_arena_alloc((m)->arena, (m)->s->count * sizeof(type)))
#define FOR_SETTINGS(m, box, c)                                                                    \
    for (size_t c = 0; c < (m)->s->count; c++)                                                     \
        if (fzi_box_has((m)->s, box, c))

/* A line of some settings. */
typedef struct fzi_script_entry {
    const char *key;               /* equal for what is the same line, or the same declaration */
    const fzi_script_line **lines; /* by setting; NULL: it has no such line */
} fzi_script_entry;

/* ---- script_words.c ---- */

void fzi_find_words(fzi_merger *m);
/* Are the words of these parts known in all settings of the box? A word is known where a script
 * with the same declarations and the same board has it. */
bool fzi_are_known(const fzi_merger *m, const fzi_box *box, const fzi_part *parts, size_t count);
/* Is this the first word of the declaration? */
bool fzi_line_begins(const fzi_script_line *line, const char *word);
/* What tells apart declarations: their words up to the name. */
const char *fzi_heading(fzi_merger *m, const fzi_script_line *line);

/* ---- script_align.c ---- */

/* The lines of all settings in an order that fits them all. NULL: they are too many. */
fzi_script_entry *fzi_aligned(fzi_merger *m, const fzi_box *box, const fzi_part *const *groups,
                              enum fzi_script_place place, size_t *count);

/* ---- script_numbers.c ---- */

/* Notes numbers that one place of the scripts has, as values that an option could have. */
void fzi_note_numbers(fzi_merger *m, const fzi_box *box, const char *const *keys,
                      const long *numbers);
/* Makes numbers of options whose titles have such numbers. Are there any? */
bool fzi_find_numbers(fzi_merger *m);
/* The range of a number can have values between those of the file. The script may use such a number
 * only in sums, which mean the same for all values. Returns whether an option is no number after
 * all. */
bool fzi_undo_numbers(fzi_merger *m, const char *text);

#endif
