/* Pages of text, written as Markdown or HTML. Called by the rulebook and by reports. */
#include "page.h"

#include "grammar/source/arena.h"
#include "interp/support/text.h"

#include <string.h>

enum { LINE = 88 };

/* ---- making ---- */

fzi_page *fzi_page_new(fzi_arena *arena)
{
    fzi_page *page = FZI_NEW(arena, fzi_page);
    page->arena = arena;
    return page;
}

static bool is_heading(enum fzi_block_kind kind)
{
    return kind == FZI_BLOCK_HEADING || kind == FZI_BLOCK_SUBHEADING;
}

static bool is_empty_heading(const fzi_block *block)
{
    return is_heading(block->kind) && !block->next;
}

static void drop_last(fzi_page *page)
{
    fzi_block *before = NULL;
    for (fzi_block *block = page->first; block != page->last; block = block->next)
        before = block;
    page->last = before;
    if (before)
        before->next = NULL;
    else
        page->first = NULL;
}

static void append(fzi_page *page, fzi_block *block)
{
    if (page->last)
        page->last = page->last->next = block;
    else
        page->first = page->last = block;
}

fzi_block *fzi_page_add(fzi_page *page, enum fzi_block_kind kind, const char *text)
{
    fzi_block *block = FZI_NEW(page->arena, fzi_block);
    block->kind = kind;
    block->text = fzi_arena_printf(page->arena, "%s", text);
    while (page->last && is_heading(kind) && is_heading(page->last->kind) &&
           kind <= page->last->kind)
        drop_last(page); /* nothing stands under it */
    append(page, block);
    return block;
}

void fzi_page_text(fzi_page *page, const char *text)
{
    if (*text)
        fzi_page_add(page, FZI_BLOCK_TEXT, text);
}

void fzi_page_item(fzi_page *page, unsigned depth, const char *text)
{
    fzi_page_add(page, FZI_BLOCK_ITEM, text)->depth = depth;
}

void fzi_page_row(fzi_page *page, const char *const *cells, unsigned count)
{
    fzi_block *block = fzi_page_add(page, FZI_BLOCK_ROW, "");
    for (unsigned i = 0; i < count && i < FZI_PAGE_CELLS; i++)
        block->cells[block->cell_count++] = cells[i];
}

void fzi_page_picture(fzi_page *page, const char *svg, const char *file, const char *text)
{
    fzi_block *block = fzi_page_add(page, FZI_BLOCK_PICTURE, text);
    block->svg = svg;
    block->file = file;
}

void fzi_page_append(fzi_page *page, fzi_page *other)
{
    for (fzi_block *block = other->first, *next; block; block = next) {
        next = block->next;
        if (block->kind == FZI_BLOCK_TITLE || is_empty_heading(block))
            continue;
        if (block->kind == FZI_BLOCK_HEADING)
            block->kind = FZI_BLOCK_SUBHEADING;
        block->next = NULL;
        append(page, block);
    }
    *other = (fzi_page){.arena = other->arena};
}

bool fzi_page_says(const fzi_page *page, const char *text)
{
    for (const fzi_block *block = page->first; block; block = block->next)
        if ((block->kind == FZI_BLOCK_TEXT || block->kind == FZI_BLOCK_ITEM) &&
            strstr(block->text, text))
            return true;
    return false;
}

/* ---- a text that grows ---- */

typedef struct output {
    fzi_arena *arena;
    fzi_growing made;
} output;

static void put_bytes(output *out, const char *text, size_t length)
{
    fzi_grow(out->arena, &out->made, text, length);
}

static void put(output *out, const char *text)
{
    put_bytes(out, text, strlen(text));
}

/* ---- Markdown ---- */

/* Outside of code, characters with a meaning in Markdown get a backslash. */
static const char *escaped_markdown(fzi_arena *arena, const char *text, bool in_table)
{
    output out = {.arena = arena};
    bool is_code = false;
    put(&out, "");
    for (const char *at = text; *at; at++) {
        is_code ^= *at == '`';
        if (*at == *FZI_STRONG)
            put(&out, "**");
        else if (*at == *FZI_SLANTED)
            put(&out, "*");
        else if ((strchr("*_<[\\", *at) && !is_code) || (*at == '|' && in_table))
            put_bytes(&out, (const char[]){'\\', *at}, 2);
        else
            put_bytes(&out, at, 1);
    }
    return out.made.text;
}

/* Would the text, at the beginning of a line, begin a list, a heading or a quotation? */
static bool must_not_begin(const char *word, size_t length)
{
    if (strchr("#>+-", *word))
        return true;
    size_t digits = strspn(word, "0123456789");
    return digits > 0 && digits + 1 == length && strchr(".)", word[digits]);
}

static void put_wrapped(output *out, const char *text, unsigned indent)
{
    size_t column = indent;
    for (bool begins = true; *text; begins = false) {
        size_t length = strcspn(text, " "), wide = 0;
        for (size_t i = 0; i < length; i++)
            wide += !fzi_utf8_continues(text[i]);
        if (!begins && column + 1 + wide > LINE && !must_not_begin(text, length)) {
            put(out, fzi_arena_printf(out->arena, "\n%*s", (int)indent, ""));
            column = indent;
        } else if (!begins) {
            put(out, " ");
            column++;
        }
        put_bytes(out, text, length);
        column += wide;
        text += length + strspn(text + length, " ");
    }
    put(out, "\n");
}

static void put_row(output *out, const fzi_block *block, bool is_head)
{
    put(out, "|");
    for (unsigned i = 0; i < block->cell_count; i++)
        put(out, fzi_arena_printf(out->arena, " %s |",
                                  escaped_markdown(out->arena, block->cells[i], true)));
    put(out, "\n");
    for (unsigned i = 0; is_head && i < block->cell_count; i++)
        put(out, i ? " --- |" : "| --- |");
    put(out, is_head ? "\n" : "");
}

/* Longer than any run of backquotes in the lines. */
static void put_fenced(output *out, const char *lines)
{
    size_t longest = 2, run = 0;
    for (const char *at = lines; *at; at++) {
        run = *at == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    for (size_t i = 0; i <= longest; i++)
        put(out, "`");
    put(out, "text\n");
    put(out, lines);
    for (size_t i = 0; i <= longest; i++)
        put(out, "`");
    put(out, "\n");
}

static void put_markdown(output *out, const fzi_block *block, const fzi_block *before)
{
    static const char *const marks[] = {[FZI_BLOCK_TITLE] = "# ", [FZI_BLOCK_HEADING] = "## ",
                                        [FZI_BLOCK_SUBHEADING] = "### "};
    bool continues = before && before->kind == block->kind &&
                     (block->kind == FZI_BLOCK_ITEM || block->kind == FZI_BLOCK_ROW);
    const char *text = escaped_markdown(out->arena, block->text, false);
    put(out, before && !continues ? "\n" : "");
    switch (block->kind) {
    case FZI_BLOCK_TITLE:
    case FZI_BLOCK_HEADING:
    case FZI_BLOCK_SUBHEADING:
        put(out, fzi_arena_printf(out->arena, "%s%s\n", marks[block->kind], text));
        break;
    case FZI_BLOCK_TEXT: put_wrapped(out, text, 0); break;
    case FZI_BLOCK_ITEM:
        put(out, fzi_arena_printf(out->arena, "%*s- ", 2 * (int)block->depth, ""));
        put_wrapped(out, text, 2 * block->depth + 2);
        break;
    case FZI_BLOCK_DRAWING: put_fenced(out, block->text); break;
    case FZI_BLOCK_PICTURE:
        if (block->file)
            put(out, fzi_arena_printf(out->arena, "![%s](<%s>)\n", text, block->file));
        break;
    case FZI_BLOCK_ROW: put_row(out, block, !continues); break;
    }
}

const char *fzi_page_markdown(const fzi_page *page)
{
    output out = {.arena = page->arena};
    const fzi_block *before = NULL;
    put(&out, "");
    for (const fzi_block *block = page->first; block; before = block, block = block->next)
        if (!is_empty_heading(block))
            put_markdown(&out, block, before);
    return out.made.text;
}

/* ---- HTML ---- */

static const char style[] =
    "body { max-width: 44em; margin: 2em auto; padding: 0 1em; font: 1em/1.5 serif; }\n"
    "h1, h2, h3 { font-family: sans-serif; line-height: 1.2; }\n"
    "h2 { margin-top: 1.6em; border-bottom: 1px solid #bbb; }\n"
    "pre { font: 1em/1.25 monospace; background: #f4f1ea; padding: 1em; overflow-x: auto; }\n"
    "table { border-collapse: collapse; } th, td { text-align: left; vertical-align: top;\n"
    "  padding: .25em .8em .25em 0; border-bottom: 1px solid #ddd; }\n"
    "td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }\n"
    "figure { margin: 1em 0; } figure svg { display: block; max-width: 100%; height: auto; }\n"
    "figcaption { font: .85em/1.4 sans-serif; }\n"
    "@media screen and (prefers-color-scheme: dark) {\n"
    "  body { background: #1c1c1c; color: #ddd; } pre { background: #2a2a2a; } }\n"
    "@media print { @page { margin: 2cm; } body { max-width: none; margin: 0; padding: 0;\n"
    "    font-size: 10pt; }\n"
    "  pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 8pt; }\n"
    "  h1, h2, h3 { break-after: avoid; } figure, tr { break-inside: avoid; }\n"
    "  figure svg { max-height: 9cm; width: auto; } }\n";

static void put_escaped(output *out, const char *text, bool is_marked)
{
    bool strong = false, slanted = false, code = false;
    for (const char *at = text; *at; at++) {
        if (is_marked && *at == *FZI_STRONG)
            put(out, (strong = !strong) ? "<strong>" : "</strong>");
        else if (is_marked && *at == *FZI_SLANTED)
            put(out, (slanted = !slanted) ? "<em>" : "</em>");
        else if (is_marked && *at == '`')
            put(out, (code = !code) ? "<code>" : "</code>");
        else if (*at == '<')
            put(out, "&lt;");
        else if (*at == '>')
            put(out, "&gt;");
        else if (*at == '&')
            put(out, "&amp;");
        else if (*at == '"')
            put(out, "&quot;");
        else if ((unsigned char)*at >= ' ' || *at == '\n' || *at == '\t')
            put_bytes(out, at, 1);
    }
    put(out, code ? "</code>" : "");
}

static void put_element(output *out, const char *name, const char *text, bool is_marked)
{
    put(out, fzi_arena_printf(out->arena, "<%s>", name));
    put_escaped(out, text, is_marked);
    put(out, fzi_arena_printf(out->arena, "</%s>\n", name));
}

/* Opens and closes lists and tables between two blocks; either may be NULL. */
static void put_between(output *out, const fzi_block *before, const fzi_block *after)
{
    unsigned open = before && before->kind == FZI_BLOCK_ITEM ? before->depth + 1 : 0;
    unsigned wanted = after && after->kind == FZI_BLOCK_ITEM ? after->depth + 1 : 0;
    bool was_row = before && before->kind == FZI_BLOCK_ROW;
    bool is_row = after && after->kind == FZI_BLOCK_ROW;
    for (unsigned i = open; i > wanted; i--)
        put(out, "</li></ul>\n");
    if (wanted && open >= wanted)
        put(out, "</li>\n");
    put(out, was_row && !is_row ? "</table>\n" : "");
    for (unsigned i = open; i < wanted; i++)
        put(out, i + 1 < wanted ? "<ul><li>" : "<ul>\n");
    put(out, is_row && !was_row ? "<table>\n" : "");
}

static bool is_number(const char *text)
{
    return *text && strspn(text, "0123456789.,-% ") == strlen(text);
}

static void put_cells(output *out, const fzi_block *block, bool is_head)
{
    put(out, "<tr>");
    for (unsigned i = 0; i < block->cell_count; i++) {
        put(out, is_head ? "<th>" : is_number(block->cells[i]) ? "<td class=\"number\">" : "<td>");
        put_escaped(out, block->cells[i], true);
        put(out, is_head ? "</th>" : "</td>");
    }
    put(out, "</tr>\n");
}

static void put_html(output *out, const fzi_block *block, const fzi_block *before)
{
    static const char *const elements[] = {
        [FZI_BLOCK_TITLE] = "h1", [FZI_BLOCK_HEADING] = "h2", [FZI_BLOCK_SUBHEADING] = "h3",
        [FZI_BLOCK_TEXT] = "p", [FZI_BLOCK_DRAWING] = "pre"};
    put_between(out, before, block);
    switch (block->kind) {
    case FZI_BLOCK_ITEM:
        put(out, "<li>");
        put_escaped(out, block->text, true);
        break;
    case FZI_BLOCK_PICTURE:
        put(out, "<figure>\n");
        put(out, block->svg);
        put_element(out, "figcaption", block->text, true);
        put(out, "</figure>\n");
        break;
    case FZI_BLOCK_ROW: put_cells(out, block, !before || before->kind != FZI_BLOCK_ROW); break;
    default:
        put_element(out, elements[block->kind], block->text, block->kind != FZI_BLOCK_DRAWING);
        break;
    }
}

const char *fzi_page_html(const fzi_page *page)
{
    output out = {.arena = page->arena};
    const fzi_block *before = NULL;
    put(&out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
              "<meta name=\"viewport\" content=\"width=device-width\">\n");
    put_element(&out, "title", page->first ? page->first->text : "", false);
    put_element(&out, "style", style, false);
    put(&out, "</head>\n<body>\n");
    for (const fzi_block *block = page->first; block; block = block->next) {
        if (is_empty_heading(block))
            break;
        put_html(&out, block, before);
        before = block;
    }
    put_between(&out, before, NULL);
    put(&out, "</body>\n</html>\n");
    return out.made.text;
}
