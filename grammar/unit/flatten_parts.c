/* Reads the files of a game as parts of text: declarations with their comments. See
 * flatten_parts.h. */
#include "flatten_parts.h"

#include "grammar/syntax/parse.h"

static const char *text_at(const fzi_merging *m, uint32_t source)
{
    return fzi_source_at(m->load->sources, source)->text;
}

const char *fzi_part_slice(const fzi_merging *m, uint32_t source, uint32_t start, uint32_t end)
{
    return fzi_arena_printf(m->load->arena, "%.*s", (int)(end - start), text_at(m, source) + start);
}

const char *fzi_part_text_of(const fzi_merging *m, const fzi_node *node)
{
    return fzi_part_slice(m, node->span.source, node->span.start, node->span.end);
}

/* The end of the comment or string that begins here; the same place if none does. */
static const char *skip_quiet(const char *at)
{
    if (strncmp(at, "//", 2) == 0)
        return at + strcspn(at, "\n");
    if (strncmp(at, "/*", 2) == 0) {
        const char *end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (strncmp(at, "\"\"\"", 3) == 0) {
        const char *end = strstr(at + 3, "\"\"\"");
        return end ? end + 3 : at + strlen(at);
    }
    if (*at == '"') {
        for (at++; *at && *at != '"'; at++)
            at += *at == '\\' && at[1];
        return at + (*at == '"');
    }
    return at;
}

uint32_t fzi_part_find(const fzi_merging *m, uint32_t source, uint32_t at, char wanted)
{
    const char *text = text_at(m, source), *c = text + at;
    while (*c && *c != wanted) {
        const char *next = skip_quiet(c);
        c = next > c ? next : c + 1;
    }
    return (uint32_t)(c - text);
}

/* ---- comments ---- */

static bool is_blank_line(const char *at, const char *end)
{
    while (at < end && strchr(" \t\r", *at))
        at++;
    return at == end || *at == '\n';
}

/* The newline at the end of the line, whose comments may continue on other lines; `end`: there is
 * none. */
static const char *end_of_line(const char *at, const char *end)
{
    while (at < end && *at != '\n') {
        const char *next = skip_quiet(at);
        at = next > at ? next : at + 1;
    }
    return at < end ? at : end;
}

/* A range of lines without the blanks around it, ending in a newline; "" if there is nothing. */
static const char *trimmed_lines(const fzi_merging *m, const char *at, const char *end)
{
    while (at < end && strchr(" \t\r\n", *at))
        at++;
    while (end > at && strchr(" \t\r\n", end[-1]))
        end--;
    return at == end ? "" : fzi_arena_printf(m->load->arena, "%.*s\n", (int)(end - at), at);
}

/* Divides the text between two declarations: a comment on the line of the first, paragraphs, and
 * the comments directly above the second, which is `below`. */
static const char *read_gap(fzi_merging *m, const char *at, const char *end, fzi_part *below)
{
    const char *line = end_of_line(at, end), *trail = "", *paragraph;
    if (!is_blank_line(at, line))
        trail = trimmed_lines(m, at, line);
    at = line < end ? line + 1 : end;
    line = memchr(at, '\n', (size_t)(end - at));
    below->blank_before = line && is_blank_line(at, line);
    paragraph = at;
    for (line = at; line < end;) {
        const char *next = end_of_line(line, end);
        bool blank = next < end && is_blank_line(line, next);
        line = next < end ? next + 1 : end;
        if (blank)
            paragraph = line;
    }
    below->heading = trimmed_lines(m, at, paragraph);
    below->lead = trimmed_lines(m, paragraph, end);
    return trail;
}

/* ---- declarations ---- */

/* The declarations that share the text of this one: `piece A, B;`, `var a, b;`, `remove a, b;`. */
static const fzi_node *last_of_group(const fzi_merging *m, const fzi_node *decl)
{
    if (decl->kind == N_D_REMOVE)
        while (decl->next && decl->next->kind == N_D_REMOVE &&
               decl->next->span.start == decl->span.start)
            decl = decl->next;
    while ((decl->kind == N_D_PIECE || decl->kind == N_D_VAR) && decl->next &&
           decl->next->kind == decl->kind) {
        const char *text = text_at(m, decl->span.source), *at = text + decl->span.end;
        while (*at && (strchr(" \t\r\n", *at) || skip_quiet(at) > at))
            at = strchr(" \t\r\n", *at) ? at + 1 : skip_quiet(at);
        if (*at != ',')
            break;
        decl = decl->next;
    }
    return decl;
}

/* Copies the declarations of a group, without those after it. */
static const fzi_node *group(const fzi_merging *m, const fzi_node *first, const fzi_node *last)
{
    fzi_node *list = NULL, **end = &list;
    for (const fzi_node *d = first; ; d = d->next) {
        *end = fzi_arena_copy(m->load->arena, d, sizeof *d);
        (*end)->next = NULL;
        end = &(*end)->next;
        if (d == last)
            return list;
    }
}

static const char *without_word(const char *text)
{
    if (strncmp(text, "override", 8) != 0 && strncmp(text, "extend", 6) != 0)
        return text;
    text += strcspn(text, " \t\r\n/");
    return text + strspn(text, " \t\r\n");
}

typedef struct reading {
    fzi_merging *m;
    uint32_t source;
    size_t layer;
} reading;

static fzi_part *read_list(reading *r, const fzi_node *decl, uint32_t from, uint32_t to);

static void read_when(reading *r, fzi_part *part, const fzi_node *when)
{
    fzi_merging *m = r->m;
    uint32_t open = fzi_part_find(m, r->source, when->condition->span.end, '{'), last = open + 1;
    part->decl = NULL;
    part->condition = fzi_part_slice(m, r->source, when->condition->span.start,
                                     when->condition->span.end);
    for (const fzi_node *d = when->then; d; d = d->next)
        last = d->span.end > last ? d->span.end : last;
    uint32_t close = fzi_part_find(m, r->source, last, '}');
    part->then = read_list(r, when->then, open + 1, close);
    if (close + 1 < when->span.end) {
        open = fzi_part_find(m, r->source, close + 1, '{');
        part->otherwise = read_list(r, when->otherwise, open + 1, when->span.end - 1);
    }
}

/* The blanks before the declaration on its line: continuation lines keep their distance to it. */
static const char *indent_of(const fzi_merging *m, uint32_t source, uint32_t start)
{
    const char *text = text_at(m, source);
    uint32_t at = start;
    while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t'))
        at--;
    return at == 0 || text[at - 1] == '\n' ? fzi_part_slice(m, source, at, start) : "";
}

static fzi_part *new_part(const reading *r)
{
    fzi_part *part = FZI_NEW(r->m->load->arena, fzi_part);
    *part = (fzi_part){.text = "", .word = "", .heading = "", .lead = "", .trail = "",
                       .indent = "", .layer = r->layer};
    return part;
}

static fzi_part *read_list(reading *r, const fzi_node *decl, uint32_t from, uint32_t to)
{
    fzi_merging *m = r->m;
    const char *text = text_at(m, r->source);
    fzi_part *first = NULL, **end = &first, *before = NULL;
    for (const fzi_node *last; ; decl = last->next) {
        fzi_part *part = new_part(r);
        uint32_t start = decl ? decl->span.start : to;
        const char *trail = read_gap(m, text + from, text + start, part);
        if (before)
            before->trail = trail;
        else
            part->lead = fzi_arena_printf(m->load->arena, "%s%s", trail, part->lead);
        if (!decl) {
            part->heading = fzi_arena_printf(m->load->arena, "%s%s%s", part->heading,
                                             *part->heading && *part->lead ? "\n" : "",
                                             part->lead);
            part->lead = "";
            if (*part->heading)
                *end = part;
            return first;
        }
        last = last_of_group(m, decl);
        part->indent = indent_of(m, r->source, start);
        part->decl = group(m, decl, last);
        part->text = without_word(fzi_part_slice(m, r->source, start, last->span.end));
        if (decl->kind == N_D_WHEN)
            read_when(r, part, decl);
        from = last->span.end;
        *end = before = part;
        end = &part->next;
    }
}

const char *fzi_part_preface(const fzi_merging *m, uint32_t source)
{
    const char *text = text_at(m, source), *at = text;
    while (*at && (strchr(" \t\r\n", *at) || (*at == '/' && skip_quiet(at) > at)))
        at = *at == '/' ? skip_quiet(at) : at + 1;
    return trimmed_lines(m, text, at);
}

/* The place after `game "Name";`. */
static uint32_t after_header(const fzi_merging *m, const fzi_node *file)
{
    uint32_t at = file->name_span.end;
    for (const fzi_node *base = file->base; base; base = base->next)
        at = base->span.end;
    return fzi_part_find(m, file->name_span.source, at, ';') + 1;
}

fzi_part *fzi_parts_read(fzi_merging *m, const fzi_layer *layer, size_t number)
{
    fzi_diags unheard;
    reading r = {m, fzi_part_source(m, layer), number};
    const fzi_source *source = fzi_source_at(m->load->sources, r.source);
    fzi_diags_init(&unheard, m->load->arena, m->load->sources);
    /* Merging has changed the layer's own tree. */
    const fzi_node *file = fzi_parse_file(m->load->arena, m->load->sources, &unheard, r.source,
                                          false);
    return read_list(&r, file->decls, after_header(m, file), (uint32_t)source->length);
}

/* ---- made parts ---- */

fzi_part *fzi_part_copy(const fzi_merging *m, const fzi_part *part)
{
    fzi_part *copy = fzi_arena_copy(m->load->arena, part, sizeof *part);
    copy->next = NULL;
    return copy;
}

fzi_part *fzi_part_made(fzi_merging *m, const char *text, const fzi_part *like)
{
    fzi_arena *arena = m->load->arena;
    fzi_diags unheard;
    fzi_diags_init(&unheard, arena, m->load->sources);
    uint32_t source = fzi_sources_add(m->load->sources, "merged", text, strlen(text));
    const fzi_node *file = fzi_parse_file(arena, m->load->sources, &unheard, source, true);
    if (unheard.errors || !file->decls) {
        m->failed = true;
        return NULL;
    }
    fzi_part *made = fzi_part_copy(m, like);
    made->decl = file->decls;
    made->text = text;
    return made;
}

/* "{ ... }" of a declaration with items, or ";". */
static const char *body_of(const fzi_merging *m, const fzi_node *last)
{
    uint32_t start = fzi_part_find(m, last->span.source, last->name_span.end, '{');
    if (start >= last->span.end)
        return ";";
    return fzi_arena_printf(m->load->arena, " %s",
                            fzi_part_slice(m, last->span.source, start, last->span.end));
}

/* One variable of `secret var a, b;`. */
static const char *text_of_var(const fzi_merging *m, const fzi_part *whole, const fzi_node *var)
{
    const fzi_node *first = whole->decl;
    uint32_t source = var->span.source, end = var->span.end;
    const char *words = fzi_part_slice(m, source, first->span.start, first->name_span.start);
    return fzi_arena_printf(m->load->arena, "%s%s%s", without_word(words),
                            fzi_part_slice(m, source, var->name_span.start, end),
                            var->next ? ";" : "");
}

void fzi_parts_split(fzi_merging *m, fzi_part **link)
{
    const fzi_part *whole = *link;
    const fzi_node *last = whole->decl;
    while (last->next)
        last = last->next;
    const char *body = last->kind == N_D_PIECE ? body_of(m, last) : NULL;
    for (const fzi_node *d = whole->decl; d; d = d->next) {
        const char *letter = d->text ? fzi_arena_printf(m->load->arena, " \"%s\"", d->text) : "";
        const char *text = body ? fzi_arena_printf(m->load->arena, "piece %s%s%s", d->name, letter,
                                                   body)
                                : text_of_var(m, whole, d);
        fzi_part *made = fzi_part_made(m, text, whole);
        if (!made)
            return;
        if (d != whole->decl)
            made->heading = "";
        made->next = whole->next;
        *link = made;
        link = &made->next;
    }
}
