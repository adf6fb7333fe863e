/* The parts of a merged text, shared by flatten_parts.c (reading files), flatten_base.c (`base` and
 * `extend`), flatten.c (changes) and flatten_print.c. Other files use flatten.h. */
#ifndef FZ_GRAMMAR_UNIT_FLATTEN_PARTS_H
#define FZ_GRAMMAR_UNIT_FLATTEN_PARTS_H

#include "layers.h"
#include "unit.h"

/* A declaration, several of one text (`piece A, B;`), or a `when`, with its comments. */
typedef struct fzi_part {
    const fzi_node *decl;    /* the first declaration; NULL of `when`, and of comments alone */
    const char *text;        /* of the declarations, without `override` and `extend` */
    const char *indent;      /* the blanks before it */
    const char *word;        /* "override " or "extend " of what a module declares, or "" */
    const char *condition;   /* of `when`; NULL: none */
    struct fzi_part *then, *otherwise;
    const char *heading;     /* paragraphs of comments above it, which are not about it alone */
    const char *lead;        /* the comments directly above it */
    const char *trail;       /* the comment after it, on its line */
    bool blank_before;
    size_t layer;            /* the number of the layer that made it */
    struct fzi_part *next;
} fzi_part;

typedef struct fzi_merging {
    fzi_load *load;
    const fzi_unit *unit;
    bool failed;
    const fzi_node *wanted;  /* a declaration of a module that must be part of the text; NULL */
    fzi_part *parts;
    const char **names;      /* that the merger made, up to a NULL */
    size_t name_count, name_capacity;
} fzi_merging;

/* ---- flatten_names.c ---- */

/* The source of the layer's text, in which names mean the same in a merged text. */
uint32_t fzi_part_source(fzi_merging *m, const fzi_layer *layer);

/* ---- flatten_parts.c ---- */

const char *fzi_part_slice(const fzi_merging *m, uint32_t source, uint32_t start, uint32_t end);
const char *fzi_part_text_of(const fzi_merging *m, const fzi_node *node);
/* The offset of the first such character in the source from `at` on that is not in a comment or a
 * string. */
uint32_t fzi_part_find(const fzi_merging *m, uint32_t source, uint32_t at, char wanted);
/* The parts of a layer's file, with whatever `remove`, `set`, `use` and `info` it has. */
fzi_part *fzi_parts_read(fzi_merging *m, const fzi_layer *layer, size_t number);
/* The comments above the header of a file. */
const char *fzi_part_preface(const fzi_merging *m, uint32_t source);
/* A part that is made of a text; the comments are those of `like`. NULL, and m->failed, if it has
 * mistakes. */
fzi_part *fzi_part_made(fzi_merging *m, const char *text, const fzi_part *like);
/* Replaces `piece A, B` in the list by a part for each; no other part changes. */
void fzi_parts_split(fzi_merging *m, fzi_part **link);
fzi_part *fzi_part_copy(const fzi_merging *m, const fzi_part *part);

/* ---- flatten_base.c ---- */

/* The part that takes the place of `old`; before it, what it uses of `old` under another name. */
fzi_part *fzi_part_overriding(fzi_merging *m, const fzi_part *part, const fzi_part *old);
fzi_part *fzi_part_extended(fzi_merging *m, const fzi_part *part, const fzi_part *old);

/* ---- flatten_print.c ---- */

const char *fzi_parts_print(fzi_merging *m, const char *uses);

#endif
