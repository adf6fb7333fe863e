/* Selection ranges, and formatting of a range and while typing (methods.def). */
#include "lsp.h"

#include <ctype.h>
#include <stdlib.h>

#include "grammar/syntax/parse.h"

/* ---- selection ranges ---- */

typedef struct selection {
    uint32_t offset;
    fzi_span *spans; /* of the own text, that contain the offset, in no order */
    size_t count, capacity;
    fzi_arena *arena;
} selection;

static void add_span(selection *s, uint32_t start, uint32_t end)
{
    if (start > s->offset || s->offset > end || start == end)
        return;
    fzi_span *span = FZI_MORE(s->arena, s->spans, s->count, s->capacity);
    *span = (fzi_span){FZI_OWN_SOURCE, start, end};
}

static void visit_node(void *user, fzi_node *node)
{
    if (node->span.source == FZI_OWN_SOURCE)
        add_span(user, node->span.start, node->span.end);
    if (node->name_span.source == FZI_OWN_SOURCE)
        add_span(user, node->name_span.start, node->name_span.end);
}

/* Words, and what stands between brackets, with and without them. */
static void add_lexemes(selection *s, const fzi_lsp_place *at)
{
    size_t count, depth = 0;
    fzi_lexeme *all = fzi_lexemes(s->arena, at->analysis->sources, FZI_OWN_SOURCE, &count);
    const fzi_lexeme **open = fzi_arena_alloc(s->arena, (count + 1) * sizeof *open);
    for (size_t i = 0; i < count; i++) {
        add_span(s, all[i].start, all[i].end);
        if (all[i].class == FZI_LEXEME_OPEN) {
            open[depth++] = &all[i];
        } else if (all[i].class == FZI_LEXEME_CLOSE && depth) {
            depth--;
            add_span(s, open[depth]->end, all[i].start);
            add_span(s, open[depth]->start, all[i].end);
        }
    }
}

static int wider_first(const void *a, const void *b)
{
    const fzi_span *x = a, *y = b;
    uint32_t wide = x->end - x->start, other = y->end - y->start;
    return wide != other ? (wide < other) - (wide > other) : (x->start > y->start) -
                                                             (x->start < y->start);
}

enum { MAX_RANGES = 500 }; /* each is an object inside of another one */

/* The ranges from the whole text down to the word, each with the one around it as its parent. Of
 * very many the innermost. */
static json_t *selection_at(const fzi_lsp_place *at, uint32_t offset)
{
    selection s = {.offset = offset, .arena = at->analysis->arena};
    json_t *range = NULL;
    fzi_span last = {FZI_OWN_SOURCE, 0, (uint32_t)at->source->length};
    add_span(&s, 0, last.end);
    if (at->analysis->unit)
        fzi_walk(at->analysis->unit->file->decls, visit_node, &s);
    add_lexemes(&s, at);
    if (s.count)
        qsort(s.spans, s.count, sizeof *s.spans, wider_first);
    for (size_t i = s.count > MAX_RANGES ? s.count - MAX_RANGES : 0; i < s.count; i++) {
        fzi_span span = s.spans[i];
        bool is_inside = span.start >= last.start && span.end <= last.end;
        if (!is_inside || (range && span.start == last.start && span.end == last.end))
            continue;
        json_t *inner = json_pack("{s:o}", "range",
                                  fzi_lsp_range(at->lsp, at->source, span.start, span.end));
        if (range)
            json_object_set_new(inner, "parent", range);
        range = inner;
        last = span;
    }
    return range ? range : json_pack("{s:o}", "range",
                                     fzi_lsp_range(at->lsp, at->source, offset, offset));
}

json_t *fzi_lsp_selection(const fzi_lsp_place *at)
{
    const json_t *positions = json_object_get(at->params, "positions");
    json_t *list = json_array();
    for (size_t i = 0; i < json_array_size(positions); i++) {
        uint32_t offset;
        if (!fzi_lsp_offset(at->lsp, at->document, json_array_get(positions, i), &offset)) {
            json_decref(list);
            return fzi_lsp_fail(at->lsp, FZI_LSP_INVALID_PARAMS, "a position is none");
        }
        json_array_append_new(list, selection_at(at, offset));
    }
    return list;
}

/* ---- formatting of a part ---- */

typedef struct blanks {
    const char *text;
    uint32_t start, end;
} blanks;

/* What stands before the lexeme, or at the end of the text. */
static blanks before(const char *text, uint32_t length, const fzi_lexeme *all, size_t count,
                     size_t i)
{
    return (blanks){text, i ? all[i - 1].end : 0, i < count ? all[i].start : length};
}

static bool same_text(blanks a, blanks b)
{
    return a.end - a.start == b.end - b.start &&
           memcmp(a.text + a.start, b.text + b.start, a.end - a.start) == 0;
}

/* Edits of the blanks that lie in start .. end. NULL: a comment is laid out anew, too. */
static json_t *edits_between(const fzi_lsp_place *at, const char *formatted, uint32_t start,
                             uint32_t end)
{
    fzi_arena *arena = at->analysis->arena;
    uint32_t length = (uint32_t)strlen(formatted);
    size_t count, others;
    fzi_sources sources;
    fzi_sources_init(&sources, arena);
    uint32_t source = fzi_sources_add(&sources, "", formatted, length);
    fzi_lexeme *old = fzi_lexemes(arena, at->analysis->sources, FZI_OWN_SOURCE, &count);
    fzi_lexeme *new = fzi_lexemes(arena, &sources, source, &others);
    json_t *list = json_array();
    for (size_t i = 0; count == others && i <= count; i++) {
        blanks was = before(at->source->text, (uint32_t)at->source->length, old, count, i);
        blanks is = before(formatted, length, new, count, i);
        if (was.start < start || was.end > end || same_text(was, is))
            continue;
        fzi_span span = {FZI_OWN_SOURCE, was.start, was.end};
        json_array_append_new(
            list, fzi_lsp_text_edit(at->lsp, at->analysis, span,
                                    fzi_arena_printf(arena, "%.*s", (int)(is.end - is.start),
                                                     formatted + is.start)));
    }
    return list;
}

static json_t *format_between(const fzi_lsp_place *at, uint32_t start, uint32_t end)
{
    char *formatted = NULL;
    if (fz_format_source(at->lsp->context, at->document->path, at->document->text,
                         at->document->length, &formatted, NULL) != FZ_OK)
        return NULL;
    const char *text = fzi_arena_printf(at->analysis->arena, "%s", formatted);
    fz_text_free(at->lsp->context, formatted);
    return edits_between(at, text, start, end);
}

static uint32_t line_start(const fzi_lsp_place *at, uint32_t offset)
{
    while (offset && at->source->text[offset - 1] != '\n')
        offset--;
    return offset;
}

/* Whole lines, with the blanks before the first. */
json_t *fzi_lsp_format_range(const fzi_lsp_place *at)
{
    uint32_t start = line_start(at, at->offset), end = at->end;
    while (start && isspace((unsigned char)at->source->text[start - 1]))
        start--;
    while (end < at->source->length && at->source->text[end] != '\n')
        end++;
    json_t *edits = format_between(at, start, end);
    return edits ? edits : fzi_lsp_fail(at->lsp, FZI_LSP_REQUEST_FAILED,
                                        "the script has syntax errors");
}

/* How many brackets are open at the offset; those that follow there close some. */
static unsigned depth_at(const fzi_lsp_place *at, uint32_t offset)
{
    size_t count;
    unsigned depth = 0;
    fzi_lexeme *all = fzi_lexemes(at->analysis->arena, at->analysis->sources, FZI_OWN_SOURCE,
                                  &count);
    uint32_t first = offset;
    while (first < at->source->length && (at->source->text[first] == ' ' ||
                                          at->source->text[first] == '\t'))
        first++;
    for (size_t i = 0; i < count && all[i].start <= first; i++) {
        if (all[i].class == FZI_LEXEME_OPEN && all[i].start < first)
            depth++;
        else if (all[i].class == FZI_LEXEME_CLOSE && depth)
            depth--;
    }
    return depth;
}

/* After a line break, the next line is indented; after `;` and `}`, the line is formatted. */
json_t *fzi_lsp_format_typed(const fzi_lsp_place *at)
{
    const char *typed = fzi_lsp_member_text(at->params, "ch");
    uint32_t start = line_start(at, at->offset), end = start;
    if (typed && *typed != '\n') {
        json_t *edits = format_between(at, start, at->offset);
        if (edits)
            return edits;
    }
    while (end < at->source->length && (at->source->text[end] == ' ' ||
                                        at->source->text[end] == '\t'))
        end++;
    unsigned wanted = 2 * depth_at(at, start);
    if (typed && *typed == ';')
        return json_array();
    if (end - start == wanted && !memchr(at->source->text + start, '\t', wanted))
        return json_array();
    fzi_span span = {FZI_OWN_SOURCE, start, end};
    return json_pack("[o]", fzi_lsp_text_edit(at->lsp, at->analysis, span,
                                              fzi_arena_printf(at->analysis->arena, "%*s",
                                                               (int)wanted, "")));
}
