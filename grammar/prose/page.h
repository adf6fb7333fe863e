/* A page of text: headings, paragraphs, items, drawings, pictures and tables. It is written as
 * Markdown or as one HTML file. */
#ifndef FZ_GRAMMAR_PROSE_PAGE_H
#define FZ_GRAMMAR_PROSE_PAGE_H

#include "grammar/source/arena.h"

enum fzi_block_kind {
    FZI_BLOCK_TITLE,   /* of the page */
    FZI_BLOCK_HEADING, /* of a section */
    FZI_BLOCK_SUBHEADING,
    FZI_BLOCK_TEXT,
    FZI_BLOCK_ITEM,    /* of a list, or of a list inside of an item */
    FZI_BLOCK_DRAWING, /* lines of fixed width */
    FZI_BLOCK_PICTURE, /* an SVG; its text says what it shows */
    FZI_BLOCK_ROW      /* of a table; the first is its head */
};

/* In texts, FZI_STRONG begins and ends bold text, and FZI_SLANTED italics. Text in backquotes is
 * code. All other characters stand for themselves. */
#define FZI_STRONG "\1"
#define FZI_SLANTED "\2"

enum { FZI_PAGE_CELLS = 4 };
typedef struct fzi_block {
    enum fzi_block_kind kind;
    unsigned depth;   /* of an item, from 0 */
    const char *text; /* of a row: the first cell */
    const char *cells[FZI_PAGE_CELLS];
    unsigned cell_count;
    const char *svg;  /* of a picture; without a declaration of XML */
    const char *file; /* for Markdown, where the picture is; NULL: it is left out */
    struct fzi_block *next;
} fzi_block;

typedef struct fzi_page {
    fzi_arena *arena;
    fzi_block *first, *last;
} fzi_page;

fzi_page *fzi_page_new(fzi_arena *arena);
/* A heading appears only if something follows before the next one. */
fzi_block *fzi_page_add(fzi_page *page, enum fzi_block_kind kind, const char *text);
/* Adds a text unless it is empty. */
void fzi_page_text(fzi_page *page, const char *text);
void fzi_page_item(fzi_page *page, unsigned depth, const char *text);
/* `svg` must live as long as the page. */
void fzi_page_picture(fzi_page *page, const char *svg, const char *file, const char *text);
void fzi_page_row(fzi_page *page, const char *const *cells, unsigned count);

/* Adds the blocks of another page as a part of a section: without its title, and its headings are
 * subheadings. The other page is used up. */
void fzi_page_append(fzi_page *page, fzi_page *other);

/* Does some paragraph or item contain the text? */
bool fzi_page_says(const fzi_page *page, const char *text);

const char *fzi_page_markdown(const fzi_page *page);
const char *fzi_page_html(const fzi_page *page);

#endif
