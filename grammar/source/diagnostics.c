/* Collects diagnostics, sorts them, and writes them as text and as JSON: all stages of a compile
 * call fzi_error, and compile.c makes the report. */
#include "diagnostics.h"

#include <stdio.h>

#include "interp/support/buffer.h"
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

/* The first diagnostic at exactly this place that has the code; -1: that is an error. */
static const fzi_diag *find_at(const fzi_diags *diags, fzi_span span, int code)
{
    const fzi_diag *d = diags->first;
    while (d && ((code < 0 ? d->is_warning : d->code != code) || d->span.source != span.source ||
                 d->span.start != span.start || d->span.end != span.end))
        d = d->next;
    return d;
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
        fzi_note_at(diag, other, "the same here");
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
        fzi_note_at(first, diag->span, "the same: %s", diag->message);
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
        fzi_note_at(first, diag->span, "the same: %s", diag->message);
    return first != NULL;
}

static fzi_diag *report(fzi_diags *diags, fzi_span span, int code, va_list args)
{
    fzi_diag *diag = FZI_NEW(diags->arena, fzi_diag);
    diag->all = diags;
    diag->code = code;
    diag->is_warning = codes[code].is_warning;
    diag->span = span;
    diag->subject = subject_of(diags, code, args);
    char *message = fzi_arena_vprintf(diags->arena, codes[code].format, args);
    char *hint = strchr(codes[code].format, '\n') ? strrchr(message, '\n') : NULL;
    diag->message = message;
    if (hint) {
        *hint = '\0';
        fzi_hint_add(diag, "%s", hint + 1);
    }
    bool of_types = (code >= FZ_E_WRONG_TYPE && code <= FZ_E_NO_COMMON_TYPE) ||
                    code == FZ_E_AMBIGUOUS_NAME;
    if (find_at(diags, span, code) || (of_types && diags->types_muted))
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

void fzi_diag_at_earlier(fzi_diag *diag, fzi_span span, const char *name)
{
    if (!is_before(span, diag->span))
        return;
    const char *format = codes[diag->code].format;
    const char *first_line = fzi_intern(diag->all->arena, format, strcspn(format, "\n"));
    diag->span = span;
    diag->subject = name;
    diag->message = fzi_arena_printf(diag->all->arena, first_line, name);
}

void fzi_note_at(fzi_diag *diag, fzi_span span, const char *format, ...)
{
    fzi_note *note = FZI_NEW(diag->all->arena, fzi_note);
    va_list args;
    va_start(args, format);
    note->message = fzi_arena_vprintf(diag->all->arena, format, args);
    va_end(args);
    note->span = span;
    fzi_note **end = &diag->notes;
    while (*end)
        end = &(*end)->next;
    *end = note;
}

/* True if the place is one word of the text. */
static bool is_word(const fzi_diags *diags, fzi_span span)
{
    const fzi_source *source = fzi_source_at(diags->sources, span.source);
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    return source && span.end > span.start &&
           strspn(source->text + span.start, letters) == span.end - span.start;
}

static fzi_hint *hint_new(fzi_diag *diag, const char *message)
{
    fzi_hint *hint = FZI_NEW(diag->all->arena, fzi_hint);
    hint->message = message;
    fzi_hint **end = &diag->hints;
    while (*end)
        end = &(*end)->next;
    return *end = hint;
}

void fzi_hint_add(fzi_diag *diag, const char *format, ...)
{
    static const char asks[] = "did you mean '";
    va_list args;
    va_start(args, format);
    const char *message = fzi_arena_vprintf(diag->all->arena, format, args);
    va_end(args);
    hint_new(diag, message);
    if (strncmp(message, asks, sizeof asks - 1) != 0 || !is_word(diag->all, diag->span))
        return;
    const char *meant = message + sizeof asks - 1, *end = strstr(meant, "'?");
    if (end && !end[2])
        fzi_hint_edit(diag, NULL, "%.*s", (int)(end - meant), meant);
}

void fzi_fix_add(fzi_diag *diag, const char *title)
{
    hint_new(diag, title)->is_fix = true;
}

void fzi_hint_edit(fzi_diag *diag, const fzi_span *span, const char *format, ...)
{
    fzi_edit *edit = FZI_NEW(diag->all->arena, fzi_edit);
    fzi_hint *hint = diag->hints;
    va_list args;
    va_start(args, format);
    edit->text = fzi_arena_vprintf(diag->all->arena, format, args);
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
    return find_at(diags, span, -1) != NULL;
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
    const fzi_sources *sources;
    fzi_buffer *out;
    bool colour;
} writer;

/* "1" bold, "1;31" bold red, ..., "0" plain. */
static void paint(const writer *w, const char *style)
{
    if (w->colour)
        fzi_buffer_format(w->out, "\033[%sm", style);
}

/* One character as it is shown: tabs as blanks, unprintable characters as a replacement. */
typedef struct glyph {
    char text[5];
    size_t taken; /* bytes of the source */
    unsigned width;
} glyph;

static glyph glyph_at(const char *at, const char *end, size_t column)
{
    const unsigned char *u = (const unsigned char *)at;
    size_t length = fzi_utf8_length(at, (size_t)(end - at));
    glyph g = {"\xEF\xBF\xBD", length ? length : 1, 1};
    if (*at == '\t') {
        g.width = FZ_TAB - (unsigned)(column % FZ_TAB);
        snprintf(g.text, sizeof g.text, "%*s", (int)g.width, "");
    } else if (length && u[0] >= 0x20 && u[0] != 0x7F && (u[0] != 0xC2 || u[1] >= 0xA0)) {
        memcpy(g.text, at, length);
        g.text[length] = '\0';
        g.width = (unsigned)fzi_text_width(g.text);
    }
    return g;
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

/* Bytes of a line on each side of the beginning of a mark: a line of a megabyte may have many. */
enum { MOST_LOOKED_AT = 8 * FZ_SHOWN_WIDTH };

typedef struct stretch {
    const char *line, *end;  /* the line, or of a very long one the part around the mark */
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
    if (s.from - s.line > MOST_LOOKED_AT)
        for (s.line = s.from - MOST_LOOKED_AT; fzi_utf8_continues(*s.line);)
            s.line++;
    if (s.end - s.from > MOST_LOOKED_AT)
        s.end = s.from + MOST_LOOKED_AT;
    if (s.to > s.end)
        s.to = s.end;
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

/* `number` 0: no number. */
static void put_gutter(const writer *w, int width, uint32_t number)
{
    paint(w, "1;34");
    fzi_buffer_format(w->out, "%*.0u |", width, number);
    paint(w, "0");
}

static void put_stretch(const writer *w, const fzi_source *source, fzi_span span, int gutter,
                        const char *style)
{
    stretch s = stretch_of(source, span);
    const char *at = shown_from(&s);
    size_t column = 0, from = 0, to = 0;
    put_gutter(w, gutter, 0);
    fzi_buffer_char(w->out, '\n');
    put_gutter(w, gutter, s.number);
    fzi_buffer_text(w->out, s.line < s.end ? " " : "");
    if (at > s.line) {
        fzi_buffer_text(w->out, "\xE2\x80\xA6");
        column = 1;
    }
    for (;;) {
        if (at <= s.from)
            from = column;
        if (at <= s.to)
            to = column;
        if (at >= s.end || column >= FZ_SHOWN_WIDTH)
            break;
        glyph g = glyph_at(at, s.end, column);
        fzi_buffer_text(w->out, g.text);
        column += g.width;
        at += g.taken;
    }
    if (at < s.end) {
        fzi_buffer_text(w->out, "\xE2\x80\xA6");
        to = s.to > at ? column : to;
    }
    fzi_buffer_char(w->out, '\n');
    put_gutter(w, gutter, 0);
    fzi_buffer_repeat(w->out, ' ', from + 1);
    paint(w, style);
    fzi_buffer_repeat(w->out, '^', to > from ? to - from : 1);
    fzi_buffer_text(w->out, s.goes_on ? "..." : "");
    paint(w, "0");
    fzi_buffer_char(w->out, '\n');
}

static void put_message(const writer *w, const char *style, const char *label, const char *message)
{
    paint(w, style);
    fzi_buffer_text(w->out, label);
    paint(w, "0");
    fzi_buffer_format(w->out, ": %s\n", message);
}

/* A message with its place, and the source line if there is one. */
static void put_located(const writer *w, fzi_span span, int gutter, const char *style,
                        const char *label, const char *message)
{
    const fzi_source *source = fzi_source_at(w->sources, span.source);
    if (source) {
        fzi_place place = fzi_source_place(source, span.start);
        paint(w, "1");
        fzi_buffer_format(w->out, "%s:%u:%u: ", source->path, place.line, place.column);
        paint(w, "0");
    }
    put_message(w, style, label, message);
    if (source)
        put_stretch(w, source, span, gutter, style);
}

static uint32_t line_of(const fzi_sources *sources, fzi_span span)
{
    const fzi_source *source = fzi_source_at(sources, span.source);
    return source ? fzi_source_place(source, span.start).line : 1;
}

/* The width of the line numbers of the diagnostic and its notes. */
static int gutter_width(const fzi_sources *sources, const fzi_diag *diag)
{
    uint32_t last = line_of(sources, diag->span);
    for (const fzi_note *n = diag->notes; n; n = n->next) {
        uint32_t line = line_of(sources, n->span);
        last = line > last ? line : last;
    }
    return snprintf(NULL, 0, "%u", last);
}

static void put_diag(const writer *w, const fzi_diag *diag)
{
    int gutter = gutter_width(w->sources, diag);
    char label[32];
    snprintf(label, sizeof label, "%s[%s]", diag->is_warning ? "warning" : "error",
             fzi_diag_code_text(diag->code));
    put_located(w, diag->span, gutter, diag->is_warning ? "1;33" : "1;31", label, diag->message);
    for (const fzi_hint *h = diag->hints; h; h = h->next) {
        if (h->is_fix)
            continue;
        fzi_buffer_format(w->out, "%*s= ", gutter + 1, "");
        put_message(w, "1", "hint", h->message);
    }
    for (const fzi_note *n = diag->notes; n; n = n->next)
        put_located(w, n->span, gutter, "1;36", "note", n->message);
}

static void write_text(const fzi_diags *diags, bool colour, fzi_buffer *out)
{
    const writer w = {diags->sources, out, colour};
    for (const fzi_diag *d = diags->first; d; d = d->next)
        put_diag(&w, d);
    if (diags->limit && diags->errors > diags->limit)
        fzi_buffer_format(out, "%u more errors are not shown\n", diags->errors - diags->limit);
}

/* ---- JSON ---- */

/* Lines and columns count from 1, columns in characters; the last column belongs to the range. All
 * are null for a diagnostic without a place. */
static void put_range(const fzi_sources *sources, fzi_span span, fzi_buffer *out)
{
    const fzi_source *source = fzi_source_at(sources, span.source);
    if (!source) {
        fzi_buffer_json(out, "file:n, line:n, column:n, end_line:n, end_column:n");
        return;
    }
    uint32_t last = span.end > span.start ? span.end - 1 : span.start;
    fzi_place from = fzi_source_place(source, span.start);
    while (last > span.start && last < source->length && fzi_utf8_continues(source->text[last]))
        last--;
    fzi_place to = fzi_source_place(source, last);
    fzi_buffer_json(out, "file:s, line:u, column:u, end_line:u, end_column:u", source->path,
                    from.line, from.column, to.line, to.column);
}

/* The edits of all hints. Those with the same number belong together, other ones are alternatives.
 * The end of a range is the place after it, since an insertion has an empty one. */
static void put_fixes(const fzi_sources *sources, const fzi_diag *diag, fzi_buffer *out)
{
    unsigned number = 0;
    fzi_buffer_json(out, "fixes:[");
    for (const fzi_hint *h = diag->hints; h; h = h->next) {
        number += h->edits != NULL;
        for (const fzi_edit *e = h->edits; e; e = e->next) {
            fzi_span span = e->span.source ? e->span : diag->span;
            const fzi_source *source = fzi_source_at(sources, span.source);
            if (!source)
                continue;
            fzi_place from = fzi_source_place(source, span.start);
            fzi_place to = fzi_source_place(source, span.end);
            fzi_buffer_json(out, "{fix:u, file:s, range:{line:u, column:u, end_line:u, "
                            "end_column:u}, text:s}", number, source->path, from.line,
                            from.column, to.line, to.column, e->text);
        }
    }
    fzi_buffer_json(out, "]");
}

static void put_json(const fzi_sources *sources, const fzi_diag *diag, fzi_buffer *out)
{
    fzi_buffer_json(out, "{code:s, severity:s", fzi_diag_code_text(diag->code),
                    diag->is_warning ? "warning" : "error");
    put_range(sources, diag->span, out);
    fzi_buffer_json(out, "message:s, notes:[", diag->message);
    for (const fzi_note *n = diag->notes; n; n = n->next) {
        fzi_buffer_json(out, "{");
        put_range(sources, n->span, out);
        fzi_buffer_json(out, "message:s}", n->message);
    }
    fzi_buffer_json(out, "], hints:[");
    for (const fzi_hint *h = diag->hints; h; h = h->next)
        if (!h->is_fix)
            fzi_buffer_json(out, "s", h->message);
    fzi_buffer_json(out, "]");
    put_fixes(sources, diag, out);
    fzi_buffer_json(out, "}");
}

static void write_json(const fzi_diags *diags, fzi_buffer *out)
{
    fzi_buffer_char(out, '[');
    for (const fzi_diag *d = diags->first; d; d = d->next) {
        fzi_buffer_text(out, d == diags->first ? "\n  " : ",\n  ");
        put_json(diags->sources, d, out);
    }
    fzi_buffer_text(out, diags->first ? "\n]\n" : "]\n");
}

fz_report *fzi_report_new(fzi_diags *diags, fzi_allocator allocator)
{
    fz_report *report = fzi_allocate(allocator, sizeof *report);
    fz_status status = FZ_OK;
    if (!report)
        return NULL;
    *report = (fz_report){.allocator = allocator, .errors = diags->errors,
                          .warnings = diags->warnings};
    fzi_diags_sort(diags);
    for (int format = FZ_TEXT; format <= FZ_JSON && status == FZ_OK; format++) {
        fzi_buffer out = fzi_buffer_in(allocator);
        if (format == FZ_JSON)
            write_json(diags, &out);
        else
            write_text(diags, format == FZ_TEXT_COLOUR, &out);
        status = fzi_buffer_finish(&out, &report->texts[format]);
    }
    if (status == FZ_OK)
        return report;
    fz_report_free(report);
    return NULL;
}
