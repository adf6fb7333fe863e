/* Expands `base` and `extend` in a merged text. What is replaced and still used stays a declaration
 * of its own, which is called `base_turn`, for example. Boards, pieces and the options of `extend
 * moves` become one declaration. */
#include "flatten_parts.h"

/* A place in the text of the replacement, and what to write there. */
typedef struct edit {
    uint32_t start, end;
    const char *text;
    struct edit *next;
} edit;

typedef struct splice {
    fzi_merging *m;
    fzi_arena *arena;
    const fzi_part *part, *old;
    const fzi_node *decl, *below; /* of these */
    const char *word;             /* `base` */
    const fzi_node *uses[64];     /* of it */
    const fzi_node *around[64];   /* the nodes that these stand in */
    size_t use_count;
    edit *edits;                  /* by place */
    fzi_part *kept;               /* the text before the result */
} splice;

static bool has_statements(const fzi_node *decl)
{
    return fzi_is_phase(decl) || decl->kind == N_D_PROC;
}

/* ---- edits ---- */

static void add_edit(splice *s, uint32_t start, uint32_t end, const char *text)
{
    edit **link = &s->edits, *made = FZI_NEW(s->arena, edit);
    while (*link && (*link)->start <= start)
        link = &(*link)->next;
    *made = (edit){start, end, text, *link};
    *link = made;
}

/* The text of a declaration with the edits, without the word before it. */
static const char *edited(const splice *s)
{
    fzi_growing text = {.text = NULL};
    uint32_t source = s->decl->span.source, end = s->decl->span.start;
    const fzi_node *last = s->decl;
    while (last->next)
        last = last->next;
    /* the part's text is the end of the source's */
    uint32_t at = last->span.end - (uint32_t)strlen(s->part->text);
    end = last->span.end;
    for (const edit *e = s->edits; e; e = e->next) {
        fzi_grow_z(s->arena, &text, fzi_part_slice(s->m, source, at, e->start));
        fzi_grow_z(s->arena, &text, e->text);
        at = e->end;
    }
    fzi_grow_z(s->arena, &text, fzi_part_slice(s->m, source, at, end));
    return text.text;
}

/* ---- names ---- */

static bool is_known(const splice *s, const char *name)
{
    for (size_t i = 0; i < s->m->name_count; i++)
        if (strcmp(s->m->names[i], name) == 0)
            return true;
    for (size_t i = 1; i < s->m->load->sources->count; i++) {
        const fzi_source *source = s->m->load->sources->items[i];
        size_t length = strlen(name);
        for (const char *at = source ? source->text : NULL; at && (at = strstr(at, name));
             at += length)
            if (!strchr("_abcdefghijklmnopqrstuvwxyz0123456789", at[length]) || !at[length])
                return true;
    }
    return false;
}

static const char *new_name(splice *s)
{
    fzi_merging *m = s->m;
    const char *own = fzi_is_phase(s->below)
                          ? s->below->kind == N_D_ON_CAPTURE ? "capture"
                                                             : fzi_decl_sort(s->below->kind)
                          : s->below->name;
    const char *name = fzi_arena_printf(s->arena, "base_%s", own);
    for (unsigned n = 2; is_known(s, name); n++)
        name = fzi_arena_printf(s->arena, "base_%s_%u", own, n);
    *FZI_MORE(s->arena, m->names, m->name_count, m->name_capacity) = name;
    return name;
}

/* ---- uses ---- */

static bool is_use(const splice *s, const fzi_node *node)
{
    bool of_moves = s->decl->kind == N_D_MOVES;
    if (node->name != s->word)
        return false;
    switch (node->kind) {
    case N_E_NAME: case N_E_CALL: return !of_moves && !fzi_is_phase(s->decl);
    case N_GENERATOR: return of_moves;
    case N_S_CALL: return has_statements(s->decl);
    default: return false;
    }
}

static void find_uses(splice *s, const fzi_node *list, const fzi_node *around)
{
    for (; list; list = list->next) {
        if (is_use(s, list) && s->use_count < sizeof s->uses / sizeof *s->uses) {
            s->around[s->use_count] = around;
            s->uses[s->use_count++] = list;
        }
        for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
            find_uses(s, list->children[i], list);
    }
}

/* The parameters of the replacement as a list of arguments. */
static const char *own_arguments(const splice *s)
{
    fzi_growing text = {.text = NULL};
    if (s->decl->kind == N_D_ON_CAPTURE)
        return s->decl->name;
    fzi_grow_z(s->arena, &text, "");
    for (const fzi_node *p = fzi_is_phase(s->decl) ? NULL : s->decl->params; p; p = p->next) {
        fzi_grow_z(s->arena, &text, p->name);
        fzi_grow_z(s->arena, &text, p->next ? ", " : "");
    }
    return text.text;
}

/* ---- what stays under another name ---- */

static const char *renamed(const splice *s, const char *name)
{
    const fzi_node *old = s->below;
    uint32_t source = old->span.source;
    uint32_t start = old->span.end - (uint32_t)strlen(s->old->text);
    const char *rest;
    if (fzi_is_phase(old)) {
        rest = fzi_part_text_of(s->m, old->body);
        return old->kind == N_D_ON_CAPTURE
                   ? fzi_arena_printf(s->arena, "proc %s(%s: site) %s", name, old->name, rest)
                   : fzi_arena_printf(s->arena, "proc %s() %s", name, rest);
    }
    rest = fzi_part_slice(s->m, source, old->name_span.end, old->span.end);
    return fzi_arena_printf(s->arena, "%s%s%s",
                            fzi_part_slice(s->m, source, start, old->name_span.start), name, rest);
}

static void call_use(splice *s, const fzi_node *use, const fzi_node *around, const char *name)
{
    const char *own = own_arguments(s);
    uint32_t start = use->span.start, end = use->span.end;
    bool indexed = around && around->kind == N_E_INDEX && around->primary == use;
    bool bare = use->kind == N_E_NAME || use->flags & FZ_NODE_BARE ||
                (use->kind == N_GENERATOR && !use->arguments);
    const char *text = name;
    if (!bare || indexed)
        end = start + (uint32_t)strlen(s->word);
    else if (s->decl->kind == N_D_LET || s->decl->kind == N_D_MOVES)
        text = !*own ? name
                     : fzi_arena_printf(s->arena, s->decl->kind == N_D_LET ? "%s[%s]" : "%s(%s)",
                                        name, own);
    else
        text = fzi_arena_printf(s->arena, "%s(%s)%s", name, own, use->kind == N_S_CALL ? ";" : "");
    add_edit(s, start, end, text);
}

/* What overrides a module's declaration can be kept, unless it uses `base` itself: then the module
 * must be part of the text. So must it where the declaration extends that of the module. */
static const char *keep_old(splice *s)
{
    const char *name = new_name(s);
    splice old = {.decl = s->below, .word = s->word};
    for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
        find_uses(&old, s->below->children[i], s->below);
    if (strcmp(s->old->word, "extend ") == 0 || (*s->old->word && old.use_count)) {
        s->m->wanted = s->below;
        s->m->failed = true;
        return name;
    }
    s->kept = fzi_part_made(s->m, renamed(s, name), s->old);
    if (s->kept)
        s->kept->word = "";
    return name;
}

static void keep_below(splice *s)
{
    const char *name = keep_old(s);
    for (size_t i = 0; i < s->use_count; i++)
        call_use(s, s->uses[i], s->around[i], name);
}

/* The old expression of a board in the place of `base`. */
static void put_board(splice *s)
{
    const char *text = fzi_part_text_of(s->m, s->below->board);
    for (size_t i = 0; i < s->use_count; i++) {
        const fzi_node *use = s->uses[i];
        add_edit(s, use->span.start, use->span.end,
                 s->around[i]->kind != N_E_BINARY ? text
                                                  : fzi_arena_printf(s->arena, "(%s)", text));
    }
}

/* ---- lists in place: options, lines of pieces ---- */

static bool has_lines(const char *text)
{
    return strchr(text, '\n') || strstr(text, "//");
}

/* The inside of braces, without the blanks around it. Several lines keep the blanks before the
 * first. */
static const char *inside(const splice *s, uint32_t source, uint32_t open, uint32_t close)
{
    const char *text = fzi_source_at(s->m->load->sources, source)->text;
    open++;
    while (open < close && strchr(" \t\r\n", text[open]))
        open++;
    while (close > open && strchr(" \t\r\n", text[close - 1]))
        close--;
    const char *inner = fzi_part_slice(s->m, source, open, close);
    uint32_t line = open;
    while (text[line - 1] == ' ' || text[line - 1] == '\t')
        line--;
    return text[line - 1] == '\n' && has_lines(inner) ? fzi_part_slice(s->m, source, line, close)
                                                      : inner;
}

/* Are there only blanks between the place and the beginning (or the end) of its line? */
static bool at_line_edge(const splice *s, uint32_t at, int step)
{
    const char *text = fzi_source_at(s->m->load->sources, s->decl->span.source)->text;
    const char *c = text + at;
    if (step < 0 && at == 0)
        return true;
    for (c += step < 0 ? -1 : 0; c > text && (*c == ' ' || *c == '\t'); c += step)
        continue;
    return *c == '\n';
}

/* A list that takes several lines begins and ends on lines of its own. */
static const char *on_lines(const splice *s, const char *text, fzi_span place)
{
    if (!has_lines(text))
        return text;
    return fzi_arena_printf(s->arena, "%s%s%s", at_line_edge(s, place.start, -1) ? "" : "\n",
                            text, at_line_edge(s, place.end, 1) ? "" : "\n");
}

/* The braces of a `moves` or `piece`. False: it has none. */
static bool braces(const splice *s, const fzi_node *decl, uint32_t *open, uint32_t *close)
{
    uint32_t at = decl->name_span.end, source = decl->span.source;
    const fzi_node *list = decl->kind == N_D_MOVES ? decl->options : decl->items;
    for (const fzi_node *p = decl->kind == N_D_MOVES ? decl->params : NULL; p; p = p->next)
        at = p->span.end;
    *open = fzi_part_find(s->m, source, at, '{');
    if (*open >= decl->span.end)
        return false;
    for (at = *open + 1; list; list = list->next)
        at = list->span.end > at ? list->span.end : at;
    *close = fzi_part_find(s->m, source, at, '}');
    return *close < decl->span.end;
}

/* ---- pieces ---- */

/* The lines of a piece, without properties that `more` states again. */
static const char *lines_of(const splice *s, const fzi_node *piece, const fzi_node *more)
{
    fzi_growing text = {.text = NULL};
    uint32_t open, close, source = piece->span.source;
    fzi_grow_z(s->arena, &text, "");
    if (!braces(s, piece, &open, &close))
        return "";
    uint32_t at = open + 1;
    for (const fzi_node *item = piece->items; item; item = item->next) {
        if (item->kind != N_I_PROPERTY || !fzi_states_property(more, item->name))
            continue;
        fzi_grow_z(s->arena, &text, fzi_part_slice(s->m, source, at, item->span.start));
        at = item->span.end;
    }
    fzi_grow_z(s->arena, &text, fzi_part_slice(s->m, source, at, close));
    const char *from = text.text + strspn(text.text, " \t\r\n");
    size_t length = strlen(from);
    while (length && strchr(" \t\r\n", from[length - 1]))
        length--;
    return fzi_arena_printf(s->arena, "%.*s", (int)length, from);
}

static const char *letter_of(const splice *s, const char *text)
{
    return text ? fzi_arena_printf(s->arena, " \"%s\"", text) : "";
}

/* `base;` in a piece, and the letter that it keeps. */
static void put_lines(splice *s)
{
    bool used = false;
    for (const fzi_node *item = s->decl->items; item; item = item->next) {
        if (item->kind != N_I_BASE)
            continue;
        add_edit(s, item->span.start, item->span.end,
                 used ? "" : on_lines(s, lines_of(s, s->below, s->decl->items), item->span));
        used = true;
    }
    s->use_count = used;
    if (!s->decl->text && s->below->text)
        add_edit(s, s->decl->name_span.end, s->decl->name_span.end, letter_of(s, s->below->text));
}

/* ---- the whole ---- */

static splice begin(fzi_merging *m, const fzi_part *part, const fzi_part *old)
{
    return (splice){.m = m, .arena = m->load->arena, .part = part, .old = old,
                    .decl = part->decl, .below = old->decl,
                    .word = fzi_intern_z(m->load->arena, "base")};
}

/* The result with its comments, after the declarations that it uses. */
static fzi_part *finish(splice *s, const char *text, const char *lead)
{
    fzi_part *made = fzi_part_made(s->m, text, s->part);
    if (!made)
        return NULL;
    made->lead = lead;
    made->word = s->old->word;
    made->heading = s->old->heading;
    made->blank_before = s->old->blank_before || (*lead && s->part->blank_before);
    if (!*made->trail && s->use_count)
        made->trail = s->old->trail;
    if (!s->kept)
        return made;
    made->heading = "";
    s->kept->next = made;
    return s->kept;
}

fzi_part *fzi_part_overriding(fzi_merging *m, const fzi_part *part, const fzi_part *old)
{
    splice s = begin(m, part, old);
    if (s.decl->kind == N_D_PIECE) {
        put_lines(&s);
    } else {
        bool bound = fzi_binds_below(s.decl, s.word);
        for (unsigned i = 0; i < FZ_NODE_CHILDREN && !bound; i++)
            find_uses(&s, s.decl->children[i], s.decl);
        if (s.decl->kind == N_D_BOARD)
            put_board(&s);
        else if (s.use_count)
            keep_below(&s);
    }
    bool shares = s.use_count > 0 && !s.kept;
    const char *lead = *part->lead || !shares ? part->lead : old->lead;
    return finish(&s, edited(&s), lead);
}

static const char *both(const splice *s, const char *first, const char *second)
{
    return fzi_arena_printf(s->arena, "%s%s%s", first, *first && *second ? "\n" : "", second);
}

static const char *in_braces(const splice *s, const char *text)
{
    return fzi_arena_printf(s->arena, has_lines(text) ? "{\n%s\n}" : "{ %s }", text);
}

static const char *extended_piece(splice *s)
{
    const char *old = lines_of(s, s->below, s->decl->items), *more = lines_of(s, s->decl, NULL);
    const char *letter = s->decl->text ? s->decl->text : s->below->text;
    const char *lines = both(s, old, more);
    return fzi_arena_printf(s->arena, "piece %s%s %s", s->below->name, letter_of(s, letter),
                            in_braces(s, lines));
}

/* `ensuring A` and `ensuring B` become one filter; the other filters follow. */
static const char *joined_filters(const splice *s)
{
    const fzi_node *a = s->below->filters, *b = s->decl->filters;
    const fzi_node *c = a && a->op == FZ_T_ENSURING ? a->condition : NULL,
                   *d = b && b->op == FZ_T_ENSURING ? b->condition : NULL;
    const char *text = "";
    if (c && d)
        text = fzi_arena_printf(s->arena, " ensuring (%s) and (%s)", fzi_part_text_of(s->m, c),
                                fzi_part_text_of(s->m, d));
    else if (c || d)
        text = fzi_arena_printf(s->arena, " ensuring %s", fzi_part_text_of(s->m, c ? c : d));
    for (const fzi_node *f = c ? a->next : a; f; f = f->next)
        text = fzi_arena_printf(s->arena, "%s %s", text, fzi_part_text_of(s->m, f));
    for (const fzi_node *f = d ? b->next : b; f; f = f->next)
        text = fzi_arena_printf(s->arena, "%s %s", text, fzi_part_text_of(s->m, f));
    return text;
}

static const char *extended_moves(splice *s)
{
    uint32_t open, close, more_open, more_close;
    if (!braces(s, s->below, &open, &close) || !braces(s, s->decl, &more_open, &more_close))
        return NULL;
    const char *old = inside(s, s->below->span.source, open, close),
               *more = inside(s, s->decl->span.source, more_open, more_close);
    const char *filters = joined_filters(s);
    uint32_t start = s->below->span.end - (uint32_t)strlen(s->old->text);
    return fzi_arena_printf(s->arena, "%s%s%s%s",
                            fzi_part_slice(s->m, s->below->span.source, start, open),
                            in_braces(s, both(s, old, more)), filters, *filters ? ";" : "");
}

static const char *extended_body(splice *s)
{
    const char *name = keep_old(s);
    add_edit(s, s->decl->body->span.start + 1, s->decl->body->span.start + 1,
             fzi_arena_printf(s->arena, " %s(%s); ", name, own_arguments(s)));
    return edited(s);
}

fzi_part *fzi_part_extended(fzi_merging *m, const fzi_part *part, const fzi_part *old)
{
    splice s = begin(m, part, old);
    const char *text = s.decl->kind == N_D_PIECE   ? extended_piece(&s)
                       : s.decl->kind == N_D_MOVES ? extended_moves(&s)
                       : has_statements(s.decl)    ? extended_body(&s)
                                                   : NULL;
    if (!text) {
        m->failed = true;
        return NULL;
    }
    s.use_count = 1;
    const char *lead = s.kept ? part->lead
                              : fzi_arena_printf(m->load->arena, "%s%s", old->lead, part->lead);
    return finish(&s, text, lead);
}
