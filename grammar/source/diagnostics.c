/* Collects diagnostics, and prints them as text and as JSON. */
#include "diagnostics.h"
#include "arena.h"

#include <stdarg.h>
#include <string.h>

#include "interp/support/text.h"

enum { MAX_ERRORS = 100, FZ_TAB = 4, FZ_SHOWN_WIDTH = 100 };

typedef struct code_row {
    const char *text;
    const char *format;
    bool is_warning;
} code_row;

static const code_row codes[] = {
#define ERROR(code, name, format) {#code, format, false},
#define WARNING(code, name, format) {#code, format, true},
#include "errors.def"
#undef ERROR
#undef WARNING
};

const char *fzi_diag_code_text(int code)
{
    return code >= 0 && code < FZ_DIAG_COUNT ? codes[code].text : "E????";
}

/* ---- collecting ---- */

/* Errors whose first argument is a name that nothing declares. */
static bool is_unknown_name(int code)
{
    switch (code) {
    case FZ_E_UNKNOWN_NAME: case FZ_E_UNKNOWN_TYPE: case FZ_E_UNKNOWN_OPTION:
    case FZ_E_NOT_A_VALUE: case FZ_E_UNKNOWN_PROPERTY: case FZ_E_LABEL_NAME:
        return true;
    default:
        return false;
    }
}

void fzi_diags_init(fzi_diags *diags, fzi_arena *arena, fzi_sources *sources)
{
    *diags = (fzi_diags){.arena = arena, .sources = sources, .limit = MAX_ERRORS};
}

static bool is_known(const fzi_diags *diags, fzi_span span, int code)
{
    for (const fzi_diag *d = diags->first; d; d = d->next)
        if (d->code == code && d->span.source == span.source && d->span.start == span.start &&
            d->span.end == span.end)
            return true;
    return false;
}

/* An earlier message about the same name: the same message, or that the name is unknown in another
 * role. (A name that is no value of two options has two messages.) */
static fzi_diag *same_name(const fzi_diags *diags, const fzi_diag *diag)
{
    for (fzi_diag *d = diags->first; d && diag->subject; d = d->next)
        if (d->subject && strcmp(d->subject, diag->subject) == 0 &&
            (strcmp(d->message, diag->message) == 0 ||
             (d->code != diag->code && is_unknown_name(d->code) && is_unknown_name(diag->code))))
            return d;
    return NULL;
}

static bool is_before(fzi_span a, fzi_span b)
{
    return a.source != b.source ? a.source < b.source : a.start < b.start;
}

/* A missing name is one mistake, however often it is used: a message at the first place, and a note
 * at the second. */
static void repeat(fzi_diags *diags, fzi_diag *diag, fzi_span span)
{
    fzi_span other = span;
    if (is_before(span, diag->span)) {
        other = diag->span;
        diag->span = span;
    }
    diag->repeats++;
    if (!diag->repeated) {
        fzi_note_at(diags, diag, other, "the same here");
        diag->repeated = diag->notes;
        while (diag->repeated->next)
            diag->repeated = diag->repeated->next;
        return;
    }
    if (is_before(other, diag->repeated->span))
        diag->repeated->span = other;
    diag->repeated->message =
        fzi_arena_printf(diags->arena, "the same here, and in %u more place%s",
                         diag->repeats - 1, diag->repeats == 2 ? "" : "s");
}

/* The name that an error is about, if a second error about it is redundant. */
static const char *subject_of(const fzi_diags *diags, int code, va_list args)
{
    if (!is_unknown_name(code) && code != FZ_E_NOT_ASSIGNABLE && code != FZ_E_NAME_TAKEN &&
        code != FZ_E_DIAGRAM_CELL)
        return NULL;
    va_list copy;
    va_copy(copy, args);
    const char *subject = va_arg(copy, const char *);
    va_end(copy);
    return fzi_intern_z(diags->arena, subject);
}

/* Sites that a board does not have are usually one mistake, in the board or in their names: one
 * message, and notes for the next few of them. */
static bool join_sites(fzi_diags *diags, const fzi_diag *diag)
{
    enum { MAX_SITE_NOTES = 3 };
    fzi_diag *first = diags->first;
    while (first && first->code != diag->code)
        first = first->next;
    if (!first || diag->code != FZ_E_NO_SUCH_SITE)
        return false;
    if (first->repeats++ < MAX_SITE_NOTES)
        fzi_note_at(diags, first, diag->span, "the same: %s", diag->message);
    return true;
}

/* Several unknown names of one list: one message, with notes. */
static bool join_names(fzi_diags *diags, const fzi_diag *diag)
{
    fzi_span list = diags->list;
    fzi_diag *first = diags->first;
    if (!list.source || diag->code != FZ_E_UNKNOWN_NAME)
        return false;
    while (first && !(first->code == diag->code && first->span.source == list.source &&
                      first->span.start >= list.start && first->span.end <= list.end))
        first = first->next;
    if (first)
        fzi_note_at(diags, first, diag->span, "the same: %s", diag->message);
    return first != NULL;
}

static fzi_diag *report(fzi_diags *diags, fzi_span span, int code, va_list args)
{
    fzi_diag *diag = FZI_NEW(diags->arena, fzi_diag);
    diag->code = code;
    diag->is_warning = codes[code].is_warning;
    diag->span = span;
    diag->subject = subject_of(diags, code, args);
    diag->message = fzi_arena_vprintf(diags->arena, codes[code].format, args);
    bool of_types = (code >= FZ_E_WRONG_TYPE && code <= FZ_E_NO_COMMON_TYPE) ||
                    code == FZ_E_AMBIGUOUS_NAME;
    if (is_known(diags, span, code) || (of_types && diags->types_muted))
        return diag; /* for the caller's notes; never printed */
    diags->type_errors += of_types;
    fzi_diag *same = same_name(diags, diag);
    if (same)
        repeat(diags, same, span);
    if (same || join_sites(diags, diag) || join_names(diags, diag))
        return diag;
    unsigned *count = diag->is_warning ? &diags->warnings : &diags->errors;
    ++*count;
    if (diags->limit && *count > diags->limit)
        return diag;
    if (diags->last)
        diags->last->next = diag;
    else
        diags->first = diag;
    diags->last = diag;
    return diag;
}

fzi_diag *fzi_error(fzi_diags *diags, fzi_span span, int code, ...)
{
    va_list args;
    va_start(args, code);
    fzi_diag *diag = report(diags, span, code, args);
    va_end(args);
    return diag;
}

void fzi_diag_at_earlier(fzi_diags *diags, fzi_diag *diag, fzi_span span, const char *name)
{
    if (!is_before(span, diag->span))
        return;
    diag->span = span;
    diag->subject = name;
    diag->message = fzi_arena_printf(diags->arena, codes[diag->code].format, name);
}

void fzi_note_at(fzi_diags *diags, fzi_diag *diag, fzi_span span, const char *format, ...)
{
    fzi_note *note = FZI_NEW(diags->arena, fzi_note);
    va_list args;
    va_start(args, format);
    note->message = fzi_arena_vprintf(diags->arena, format, args);
    va_end(args);
    note->span = span;
    fzi_note **end = &diag->notes;
    while (*end)
        end = &(*end)->next;
    *end = note;
}

/* Is the place one word of the text? */
static bool is_word(const fzi_diags *diags, fzi_span span)
{
    const fzi_source *source = fzi_source_at(diags->sources, span.source);
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    return source && span.end > span.start &&
           strspn(source->text + span.start, letters) == span.end - span.start;
}

static fzi_hint *hint_new(fzi_diags *diags, fzi_diag *diag, const char *message)
{
    fzi_hint *hint = FZI_NEW(diags->arena, fzi_hint);
    hint->message = message;
    fzi_hint **end = &diag->hints;
    while (*end)
        end = &(*end)->next;
    return *end = hint;
}

void fzi_hint_add(fzi_diags *diags, fzi_diag *diag, const char *format, ...)
{
    static const char asks[] = "did you mean '";
    va_list args;
    va_start(args, format);
    const char *message = fzi_arena_vprintf(diags->arena, format, args);
    va_end(args);
    hint_new(diags, diag, message);
    if (strncmp(message, asks, sizeof asks - 1) != 0 || !is_word(diags, diag->span))
        return;
    const char *meant = message + sizeof asks - 1, *end = strstr(meant, "'?");
    if (end && !end[2])
        fzi_hint_edit(diags, diag, NULL, "%.*s", (int)(end - meant), meant);
}

void fzi_fix_add(fzi_diags *diags, fzi_diag *diag, const char *title)
{
    hint_new(diags, diag, title)->is_fix = true;
}

void fzi_hint_edit(fzi_diags *diags, fzi_diag *diag, const fzi_span *span, const char *format, ...)
{
    fzi_edit *edit = FZI_NEW(diags->arena, fzi_edit);
    fzi_hint *hint = diag->hints;
    va_list args;
    va_start(args, format);
    edit->text = fzi_arena_vprintf(diags->arena, format, args);
    va_end(args);
    if (span)
        edit->span = *span;
    while (hint->next)
        hint = hint->next;
    fzi_edit **end = &hint->edits;
    while (*end)
        end = &(*end)->next;
    *end = edit;
}

bool fzi_diags_full(const fzi_diags *diags)
{
    return diags->limit && diags->errors >= diags->limit;
}

bool fzi_diags_error_at(const fzi_diags *diags, fzi_span span)
{
    for (const fzi_diag *d = diags->first; d; d = d->next)
        if (!d->is_warning && d->span.source == span.source && d->span.start == span.start &&
            d->span.end == span.end)
            return true;
    return false;
}

bool fzi_diags_name_taken(const fzi_diags *diags, const char *name)
{
    for (const fzi_diag *d = diags->first; d; d = d->next)
        if (d->code == FZ_E_NAME_TAKEN && strcmp(d->subject, name) == 0)
            return true;
    return false;
}

bool fzi_diags_name_reported(const fzi_diags *diags, const char *name)
{
    for (const fzi_diag *d = diags->first; d; d = d->next)
        if (d->subject && is_unknown_name(d->code) && strcmp(d->subject, name) == 0)
            return true;
    return false;
}

/* ---- order ---- */

static bool stands_after(const fzi_diag *a, const fzi_diag *b)
{
    if (a->span.source != b->span.source)
        return a->span.source > b->span.source;
    return a->span.start > b->span.start;
}

/* Merge sort: diagnostics of one place keep their order. */
static fzi_diag *sorted(fzi_diag *list)
{
    if (!list || !list->next)
        return list;
    fzi_diag *slow = list;
    for (fzi_diag *fast = list->next; fast && fast->next; fast = fast->next->next)
        slow = slow->next;
    fzi_diag *right = sorted(slow->next);
    slow->next = NULL;
    fzi_diag *left = sorted(list), *first = NULL, **end = &first;
    while (left && right) {
        fzi_diag **from = stands_after(left, right) ? &right : &left;
        *end = *from;
        end = &(*end)->next;
        *from = (*from)->next;
    }
    *end = left ? left : right;
    return first;
}

void fzi_diags_sort(fzi_diags *diags)
{
    diags->first = sorted(diags->first);
    diags->last = diags->first;
    while (diags->last && diags->last->next)
        diags->last = diags->last->next;
}

/* ---- writing ---- */

typedef struct writer {
    fzi_arena *arena;
    fzi_growing made;
    bool colour;
} writer;

static void put_bytes(writer *w, const char *bytes, size_t count)
{
    fzi_grow(w->arena, &w->made, bytes, count);
}

static void put(writer *w, const char *text)
{
    put_bytes(w, text, strlen(text));
}

static void put_times(writer *w, const char *text, size_t count)
{
    while (count-- > 0)
        put(w, text);
}

static void put_number(writer *w, uint32_t number)
{
    char digits[12];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + number % 10);
    while (number /= 10);
    put_bytes(w, digits + at, sizeof digits - at);
}

/* "1" bold, "1;31" bold red, ... */
static void paint(writer *w, const char *style)
{
    if (!w->colour)
        return;
    put(w, "\033[");
    put(w, style);
    put(w, "m");
}

static uint32_t utf8_value(const unsigned char *at, size_t length)
{
    uint32_t value = length == 1 ? at[0] : at[0] & (0xFFu >> (length + 1));
    for (size_t i = 1; i < length; i++)
        value = value << 6 | (at[i] & 0x3Fu);
    return value;
}

/* Columns that a character takes on a terminal: enough for carets to stand under their text. */
static unsigned shown_width(uint32_t c)
{
    if ((c >= 0x300 && c <= 0x36F) || (c >= 0x200B && c <= 0x200F) || c == 0xFE0F)
        return 0;
    bool wide = (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) ||
                (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF) ||
                (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
                (c >= 0x1F300 && c <= 0x1F64F) || (c >= 0x1F900 && c <= 0x1F9FF) ||
                (c >= 0x20000 && c <= 0x3FFFD);
    return wide ? 2 : 1;
}

/* One character as it is shown: tabs as blanks, unprintable characters as a replacement. */
typedef struct glyph {
    const char *text;
    size_t bytes; /* of `text` */
    size_t taken; /* bytes of the source */
    unsigned width;
} glyph;

static glyph glyph_at(const char *at, const char *end, size_t column)
{
    const unsigned char *u = (const unsigned char *)at;
    size_t length = fzi_utf8_length(at, (size_t)(end - at));
    if (*at == '\t') {
        unsigned width = FZ_TAB - (unsigned)(column % FZ_TAB);
        return (glyph){"    ", width, 1, width};
    }
    if (length == 0 || u[0] < 0x20 || u[0] == 0x7F)
        return (glyph){"\xEF\xBF\xBD", 3, 1, 1};
    if (u[0] == 0xC2 && u[1] < 0xA0) /* control characters too */
        return (glyph){"\xEF\xBF\xBD", 3, 2, 1};
    return (glyph){at, length, length, shown_width(utf8_value(u, length))};
}

static size_t width_between(const char *from, const char *to, size_t column)
{
    size_t start = column;
    while (from < to) {
        glyph g = glyph_at(from, to, column);
        column += g.width;
        from += g.taken;
    }
    return column - start;
}

typedef struct stretch {
    const char *line, *end;  /* the line */
    const char *from, *to;   /* the part of it to be marked */
    uint32_t number;
    bool goes_on;            /* the span does not end on this line */
} stretch;

static stretch stretch_of(const fzi_source *source, fzi_span span)
{
    stretch s;
    s.number = fzi_source_place(source, span.start).line;
    size_t length;
    s.line = fzi_source_line(source, s.number, &length);
    s.end = s.line + length;
    s.from = source->text + (span.start < source->length ? span.start : source->length);
    s.to = source->text + (span.end < source->length ? span.end : source->length);
    if (s.from > s.end)
        s.from = s.end;
    s.goes_on = s.to > s.end;
    if (s.goes_on)
        s.to = s.end;
    if (s.to < s.from)
        s.to = s.from;
    return s;
}

/* The beginning of the part of a long line that is shown around the mark. */
static const char *shown_from(const stretch *s)
{
    size_t before = width_between(s->line, s->from, 0);
    size_t marked = width_between(s->from, s->to, before);
    size_t whole = before + marked + width_between(s->to, s->end, before + marked);
    if (whole <= FZ_SHOWN_WIDTH || before + marked < FZ_SHOWN_WIDTH - 10)
        return s->line;
    size_t keep = marked < FZ_SHOWN_WIDTH / 2 ? FZ_SHOWN_WIDTH - 10 - marked : FZ_SHOWN_WIDTH / 4;
    const char *at = s->line;
    for (size_t column = 0; at < s->from && before - column > keep;) {
        glyph g = glyph_at(at, s->end, column);
        column += g.width;
        at += g.taken;
    }
    return at;
}

static void put_gutter(writer *w, size_t width, uint32_t number)
{
    paint(w, "1;34");
    size_t digits = 0;
    for (uint32_t n = number; n; n /= 10)
        digits++;
    put_times(w, " ", width - digits);
    if (number)
        put_number(w, number);
    put(w, " |");
    paint(w, "0");
}

static void put_stretch(writer *w, const stretch *s, size_t gutter, const char *style)
{
    put_gutter(w, gutter, 0);
    put(w, "\n");
    put_gutter(w, gutter, s->number);
    const char *at = shown_from(s);
    size_t column = 0, from = 0, to = 0;
    put(w, s->line < s->end ? " " : "");
    if (at > s->line) {
        put(w, "\xE2\x80\xA6");
        column = 1;
    }
    for (; at < s->end && column < FZ_SHOWN_WIDTH;) {
        if (at <= s->from)
            from = column;
        if (at <= s->to)
            to = column;
        glyph g = glyph_at(at, s->end, column);
        put_bytes(w, g.text, g.bytes);
        column += g.width;
        at += g.taken;
    }
    if (at <= s->from)
        from = column;
    if (at <= s->to)
        to = column;
    if (at < s->end) {
        put(w, "\xE2\x80\xA6");
        to = s->to > at ? column : to;
    }
    put(w, "\n");
    put_gutter(w, gutter, 0);
    put_times(w, " ", from + 1);
    paint(w, style);
    put_times(w, "^", to > from ? to - from : 1);
    put(w, s->goes_on ? "..." : "");
    paint(w, "0");
    put(w, "\n");
}

static size_t digits_of_line(const fzi_sources *sources, fzi_span span)
{
    const fzi_source *source = fzi_source_at(sources, span.source);
    size_t digits = 1;
    if (source)
        for (uint32_t n = fzi_source_place(source, span.start).line; n > 9; n /= 10)
            digits++;
    return digits;
}

static void put_place(writer *w, const fzi_source *source, fzi_span span)
{
    if (!source)
        return;
    fzi_place place = fzi_source_place(source, span.start);
    paint(w, "1");
    put(w, source->path);
    put(w, ":");
    put_number(w, place.line);
    put(w, ":");
    put_number(w, place.column);
    put(w, ": ");
    paint(w, "0");
}

/* The width of the line numbers, with at least one blank to their left. */
static size_t gutter_width(const fzi_diags *diags, const fzi_diag *diag)
{
    size_t width = digits_of_line(diags->sources, diag->span);
    for (const fzi_note *n = diag->notes; n; n = n->next) {
        size_t other = digits_of_line(diags->sources, n->span);
        width = other > width ? other : width;
    }
    return width;
}

static void put_diag(writer *w, const fzi_diags *diags, const fzi_diag *diag)
{
    const char *style = diag->is_warning ? "1;33" : "1;31";
    const fzi_source *source = fzi_source_at(diags->sources, diag->span.source);
    size_t gutter = gutter_width(diags, diag);
    put_place(w, source, diag->span);
    paint(w, style);
    put(w, diag->is_warning ? "warning[" : "error[");
    put(w, fzi_diag_code_text(diag->code));
    put(w, "]");
    paint(w, "0");
    put(w, ": ");
    put(w, diag->message);
    put(w, "\n");
    if (source) {
        stretch s = stretch_of(source, diag->span);
        put_stretch(w, &s, gutter, style);
    }
    for (const fzi_hint *h = diag->hints; h; h = h->next) {
        if (h->is_fix)
            continue;
        put_times(w, " ", gutter + 1);
        put(w, "= ");
        paint(w, "1");
        put(w, "hint");
        paint(w, "0");
        put(w, ": ");
        put(w, h->message);
        put(w, "\n");
    }
    for (const fzi_note *n = diag->notes; n; n = n->next) {
        source = fzi_source_at(diags->sources, n->span.source);
        put_place(w, source, n->span);
        paint(w, "1;36");
        put(w, "note");
        paint(w, "0");
        put(w, ": ");
        put(w, n->message);
        put(w, "\n");
        if (source) {
            stretch s = stretch_of(source, n->span);
            put_stretch(w, &s, gutter, "1;36");
        }
    }
}

const char *fzi_diags_text(fzi_diags *diags, bool colour)
{
    writer w = {.arena = diags->arena, .colour = colour};
    put(&w, "");
    for (const fzi_diag *d = diags->first; d; d = d->next)
        put_diag(&w, diags, d);
    if (diags->limit && diags->errors > diags->limit) {
        put_number(&w, diags->errors - diags->limit);
        put(&w, " more errors are not shown\n");
    }
    return w.made.text;
}

/* ---- JSON ---- */

static void put_string(writer *w, const char *text)
{
    static const char hex[] = "0123456789abcdef";
    const unsigned char *at = (const unsigned char *)text, *end = at + strlen(text);
    put(w, "\"");
    while (at < end) {
        size_t length = fzi_utf8_length((const char *)at, (size_t)(end - at));
        if (length == 0) {
            put(w, "\\ufffd");
            length = 1;
        } else if (*at == '"' || *at == '\\') {
            char escape[] = {'\\', (char)*at, '\0'};
            put(w, escape);
        } else if (*at < 0x20 || *at == 0x7F) {
            char escape[] = {'\\', 'u', '0', '0', hex[*at >> 4], hex[*at & 15], '\0'};
            put(w, escape);
        } else {
            put_bytes(w, (const char *)at, length);
        }
        at += length;
    }
    put(w, "\"");
}

static void put_key(writer *w, const char *key)
{
    put_string(w, key);
    put(w, ": ");
}

/* Lines and columns count from 1, columns in characters; the last column belongs to the range. All
 * are null for a diagnostic without a place. */
static void put_range(writer *w, const fzi_sources *sources, fzi_span span)
{
    const fzi_source *source = fzi_source_at(sources, span.source);
    if (!source) {
        put(w, "\"file\": null, \"line\": null, \"column\": null, "
               "\"end_line\": null, \"end_column\": null");
        return;
    }
    uint32_t last = span.end > span.start ? span.end - 1 : span.start;
    fzi_place from = fzi_source_place(source, span.start);
    fzi_place to = fzi_source_place(source, last);
    while (last > span.start && last < source->length &&
           fzi_utf8_continues(source->text[last]))
        to = fzi_source_place(source, --last);
    put_key(w, "file");
    put_string(w, source->path);
    const char *const keys[] = {"line", "column", "end_line", "end_column"};
    const uint32_t values[] = {from.line, from.column, to.line, to.column};
    for (size_t i = 0; i < 4; i++) {
        put(w, ", ");
        put_key(w, keys[i]);
        put_number(w, values[i]);
    }
}

static void put_json(writer *w, const fzi_diags *diags, const fzi_diag *diag)
{
    put(w, "{");
    put_key(w, "code");
    put_string(w, fzi_diag_code_text(diag->code));
    put(w, ", ");
    put_key(w, "severity");
    put_string(w, diag->is_warning ? "warning" : "error");
    put(w, ", ");
    put_range(w, diags->sources, diag->span);
    put(w, ", ");
    put_key(w, "message");
    put_string(w, diag->message);
    put(w, ", ");
    put_key(w, "notes");
    put(w, "[");
    for (const fzi_note *n = diag->notes; n; n = n->next) {
        put(w, n == diag->notes ? "{" : ", {");
        put_range(w, diags->sources, n->span);
        put(w, ", ");
        put_key(w, "message");
        put_string(w, n->message);
        put(w, "}");
    }
    put(w, "], ");
    put_key(w, "hints");
    put(w, "[");
    const char *separator = "";
    for (const fzi_hint *h = diag->hints; h; h = h->next) {
        if (h->is_fix)
            continue;
        put(w, separator);
        separator = ", ";
        put_string(w, h->message);
    }
    put(w, "]}");
}

const char *fzi_diags_json(fzi_diags *diags)
{
    writer w = {.arena = diags->arena};
    put(&w, "[");
    for (const fzi_diag *d = diags->first; d; d = d->next) {
        put(&w, d == diags->first ? "\n  " : ",\n  ");
        put_json(&w, diags, d);
    }
    put(&w, diags->first ? "\n]\n" : "]\n");
    return w.made.text;
}
