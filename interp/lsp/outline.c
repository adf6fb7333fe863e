/* The outline of a script, folding, formatting, and names in the whole workspace (methods.def). */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "lsp.h"

#include <ctype.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "grammar/syntax/parse.h"

/* ---- symbols ---- */

/* Numbers of the Language Server Protocol. */
enum symbol_kind {
    KIND_FILE = 1, KIND_MODULE = 2, KIND_CLASS = 5, KIND_METHOD = 6, KIND_PROPERTY = 7,
    KIND_ENUM = 10, KIND_FUNCTION = 12, KIND_VARIABLE = 13, KIND_CONSTANT = 14, KIND_OBJECT = 19,
    KIND_ENUM_MEMBER = 22, KIND_EVENT = 24, KIND_OPERATOR = 25
};

static int kind_of(const fzi_node *node)
{
    switch (node->kind) {
    case N_D_OPTION: case N_D_ENUM: case N_D_DIE: return KIND_ENUM;
    case N_OPTION_VALUE: case N_NAME: case N_E_NAME: return KIND_ENUM_MEMBER;
    case N_PLAYER: case N_TEAM: return KIND_OBJECT;
    case N_D_PROPERTY: return KIND_PROPERTY;
    case N_D_PIECE: return KIND_CLASS;
    case N_D_LET: return KIND_CONSTANT;
    case N_D_VAR: return KIND_VARIABLE;
    case N_D_FN: case N_D_EXTERN: return KIND_FUNCTION;
    case N_D_MOVES: case N_D_PROC: return KIND_METHOD;
    case N_D_SETUP: case N_D_TURN: case N_D_END: case N_D_ON_CAPTURE: case N_D_LIMIT:
        return KIND_EVENT;
    case N_D_BOARD: return KIND_OBJECT;
    case N_D_TEST: return KIND_OPERATOR;
    default: return 0;
    }
}

static const char *title_of(const fzi_node *node)
{
    switch (node->kind) {
    case N_D_SETUP: return "setup";
    case N_D_TURN: return "turn";
    case N_D_END: return "end";
    case N_D_ON_CAPTURE: return "on capture";
    case N_D_LIMIT: return "limit";
    case N_D_BOARD: return "board";
    case N_D_TEST: return node->text && *node->text ? node->text : "test";
    default: return node->name ? node->name : "";
    }
}

/* The checker knows copies of the declarations, so symbols are looked up by place. */
static const char *detail_of(const fzi_mentions *mentions, const fzi_node *node)
{
    switch (node->kind) {
    case N_D_TEST: return "test";
    case N_D_OPTION: return "option";
    case N_D_PIECE: return "piece";
    case N_D_MOVES: return "moves";
    case N_PLAYER: return "player";
    case N_TEAM: return "team";
    default: break;
    }
    bool is_typed = node->kind == N_D_LET || node->kind == N_D_VAR || node->kind == N_D_FN;
    const fzi_mention *m = is_typed ? fzi_mention_at(mentions, node->name_span.start) : NULL;
    return m && m->symbol ? fzi_describe_type(m->symbol) : "";
}

/* The nodes below a declaration that the outline shows. */
static const fzi_node *members_of(const fzi_node *node)
{
    switch (node->kind) {
    case N_D_OPTION: return node->values;
    case N_D_ENUM: return node->values;
    case N_D_PLAYERS: return node->players;
    case N_D_TEAMS: return node->teams;
    default: return NULL;
    }
}

typedef struct outline {
    const fzi_lsp *lsp;
    const fzi_source *source;
    const fzi_mentions *mentions;
} outline;

static json_t *symbol_of(const outline *o, const fzi_node *node);

static void add_symbols(const outline *o, const fzi_node *list, json_t *into)
{
    for (const fzi_node *node = list; node; node = node->next) {
        if (node->kind == N_D_WHEN) {
            add_symbols(o, node->then, into);
            add_symbols(o, node->otherwise, into);
        } else if (node->kind == N_D_PLAYERS || node->kind == N_D_TEAMS) {
            add_symbols(o, members_of(node), into);
        } else if (kind_of(node)) {
            json_array_append_new(into, symbol_of(o, node));
        }
    }
}

static json_t *symbol_of(const outline *o, const fzi_node *node)
{
    json_t *below = json_array();
    fzi_span name = node->name_span;
    bool is_inside = name.source && name.start >= node->span.start && name.end <= node->span.end;
    if (!is_inside)
        name = node->span;
    add_symbols(o, members_of(node), below);
    return json_pack("{s:o, s:s, s:i, s:o, s:o, s:o}", "name", fzi_lsp_string(title_of(node)),
                     "detail", detail_of(o->mentions, node), "kind", kind_of(node), "range",
                     fzi_lsp_range(o->lsp, o->source, node->span.start, node->span.end),
                     "selectionRange", fzi_lsp_range(o->lsp, o->source, name.start, name.end),
                     "children", below);
}

json_t *fzi_lsp_symbols(const fzi_lsp_place *at)
{
    if (!at->analysis->unit)
        return NULL;
    json_t *list = json_array();
    outline o = {at->lsp, at->source, fzi_document_mentions(at->lsp, at->document)};
    add_symbols(&o, at->analysis->unit->file->decls, list);
    return list;
}

/* ---- names in the workspace ---- */

/* The letters of the query in this order; case does not matter. */
static bool matches(const char *name, const char *query)
{
    for (; *name && *query; name++)
        query += tolower((unsigned char)*name) == tolower((unsigned char)*query);
    return !*query;
}

typedef struct symbol_search {
    fzi_lsp *lsp;
    const char *query;
    json_t *found;
    const char *container; /* of the file that is read */
    char *uri;
} symbol_search;
enum { MAX_FOUND = 1000 };

static void find_symbols(symbol_search *s, const fzi_source *source, const fzi_node *list)
{
    for (const fzi_node *node = list; node; node = node->next) {
        if (node->kind == N_D_WHEN) {
            find_symbols(s, source, node->then);
            find_symbols(s, source, node->otherwise);
        }
        find_symbols(s, source, members_of(node));
        if (!kind_of(node) || !node->name ||
            json_array_size(s->found) >= MAX_FOUND)
            continue;
        json_array_append_new(
            s->found,
            json_pack("{s:s, s:i, s:o, s:{s:s, s:o}}", "name", node->name, "kind", kind_of(node),
                      "containerName", fzi_lsp_string(s->container), "location", "uri", s->uri,
                      "range",
                      fzi_lsp_range(s->lsp, source, node->name_span.start, node->name_span.end)));
    }
}

static void search_text(symbol_search *s, fzi_arena *arena, const char *path, const char *text,
                        size_t length)
{
    fzi_sources sources;
    fzi_diags diags;
    fzi_sources_init(&sources, arena);
    fzi_diags_init(&diags, arena, &sources);
    uint32_t source = fzi_sources_add(&sources, path, text, length);
    const fzi_node *file = fzi_parse_file(arena, &sources, &diags, source, true);
    s->container = file->text ? file->text : path;
    s->uri = fzi_uri_of_path(s->lsp, path);
    find_symbols(s, fzi_source_at(&sources, source), file->decls);
    free(s->uri);
}

/* The names that a file declares, a new reference. */
static json_t *read_symbols(fzi_lsp *lsp, const char *path)
{
    fzi_allocator allocator = lsp->context->allocator;
    symbol_search s = {.lsp = lsp, .found = json_array()};
    char *text = NULL;
    size_t length;
    if (fzi_context_read_regular(lsp->context, path, &text, &length) != FZ_OK)
        return s.found;
    fzi_arena *arena = fzi_arena_new(allocator.resize, allocator.user, 1 << 28);
    if (arena && setjmp(*fzi_arena_handler(arena)) == 0)
        search_text(&s, arena, path, text, length);
    fzi_arena_free(arena);
    fz_text_free(lsp->context, text);
    return s.found;
}

/* The same from the index, where the file has not changed. */
static json_t *indexed_symbols(fzi_lsp *lsp, const char *path)
{
    struct stat info;
    char stamp[64];
    if (fzi_lsp_document_at(lsp, path) || stat(path, &info) != 0)
        return read_symbols(lsp, path);
    snprintf(stamp, sizeof stamp, "%lld.%ld %lld", (long long)info.st_mtim.tv_sec,
             info.st_mtim.tv_nsec, (long long)info.st_size);
    const json_t *known = json_object_get(lsp->index, path);
    if (known && strcmp(json_string_value(json_object_get(known, "stamp")), stamp) == 0)
        return json_incref(json_object_get(known, "symbols"));
    json_t *symbols = read_symbols(lsp, path);
    json_object_set_new(lsp->index, path,
                        json_pack("{s:s, s:O}", "stamp", stamp, "symbols", symbols));
    return symbols;
}

static void search_path(void *user, const char *path)
{
    symbol_search *s = user;
    json_t *symbols = indexed_symbols(s->lsp, path);
    for (size_t i = 0; i < json_array_size(symbols); i++) {
        json_t *symbol = json_array_get(symbols, i);
        if (json_array_size(s->found) < MAX_FOUND &&
            matches(json_string_value(json_object_get(symbol, "name")), s->query))
            json_array_append(s->found, symbol);
    }
    json_decref(symbols);
}

json_t *fzi_lsp_workspace_symbols(const fzi_lsp_place *at)
{
    const char *query = fzi_lsp_member_text(at->params, "query");
    symbol_search s = {.lsp = at->lsp, .query = query ? query : "", .found = json_array()};
    fzi_workspace_each(at->lsp, search_path, &s);
    return s.found;
}

/* ---- the index ---- */

static void note_path(void *user, const char *path)
{
    json_t *text = json_string(path); /* NULL: not UTF-8 */
    if (text)
        json_array_append_new(user, text);
}

json_t *fzi_lsp_begin_index(const fzi_lsp_place *at)
{
    json_array_clear(at->lsp->unindexed); /* a client may say twice that it is ready */
    fzi_workspace_each(at->lsp, note_path, at->lsp->unindexed);
    return NULL;
}

void fzi_lsp_index_next(fzi_lsp *lsp)
{
    size_t last = json_array_size(lsp->unindexed) - 1;
    json_decref(indexed_symbols(lsp, json_string_value(json_array_get(lsp->unindexed, last))));
    json_array_remove(lsp->unindexed, last);
}

/* ---- folding ---- */

typedef struct fold {
    const fzi_source *source;
    json_t *list;
} fold;

static void add_fold(fold *f, uint32_t start, uint32_t end, const char *kind)
{
    uint32_t first = fzi_source_place(f->source, start).line - 1,
             last = fzi_source_place(f->source, end).line - 1;
    if (last <= first)
        return;
    json_t *range = json_pack("{s:i, s:i}", "startLine", (int)first, "endLine", (int)last);
    if (kind)
        json_object_set_new(range, "kind", json_string(kind));
    json_array_append_new(f->list, range);
}

/* Comments that follow each other; i is the first. Returns the last. */
static size_t last_comment(const fzi_lexeme *lexemes, size_t count, size_t i)
{
    while (i + 1 < count && lexemes[i + 1].class <= FZI_LEXEME_DOC)
        i++;
    return i;
}

json_t *fzi_lsp_folding(const fzi_lsp_place *at)
{
    size_t count, depth = 0;
    fzi_lexeme *lexemes =
        fzi_lexemes(at->analysis->arena, at->analysis->sources, FZI_OWN_SOURCE, &count);
    uint32_t *open = fzi_arena_alloc(at->analysis->arena, (count + 1) * sizeof *open);
    fold f = {at->source, json_array()};
    for (size_t i = 0; i < count; i++) {
        switch (lexemes[i].class) {
        case FZI_LEXEME_OPEN:
            open[depth++] = lexemes[i].start;
            break;
        case FZI_LEXEME_CLOSE:
            if (depth)
                add_fold(&f, open[--depth], lexemes[i].start, NULL);
            break;
        case FZI_LEXEME_STRING:
            add_fold(&f, lexemes[i].start, lexemes[i].end, NULL);
            break;
        case FZI_LEXEME_COMMENT: case FZI_LEXEME_DOC: {
            size_t last = last_comment(lexemes, count, i);
            add_fold(&f, lexemes[i].start, lexemes[last].end, "comment");
            i = last;
            break;
        }
        default:
            break;
        }
    }
    return f.list;
}

/* ---- formatting ---- */

/* One edit without the lines at both ends that stay as they are. */
static json_t *whole_edit(const fzi_lsp_place *at, const char *formatted)
{
    const char *text = at->source->text;
    size_t old = at->source->length, new = strlen(formatted), start = 0, tail = 0;
    while (start < old && start < new && text[start] == formatted[start])
        start++;
    while (start && text[start - 1] != '\n')
        start--;
    while (tail < old - start && tail < new - start &&
           text[old - 1 - tail] == formatted[new - 1 - tail])
        tail++;
    while (tail && text[old - tail - 1] != '\n')
        tail--;
    if (old - tail == start && new - tail == start)
        return json_array();
    fzi_span span = {FZI_OWN_SOURCE, (uint32_t)start, (uint32_t)(old - tail)};
    const char *between = fzi_arena_printf(at->analysis->arena, "%.*s", (int)(new - tail - start),
                                           formatted + start);
    return json_pack("[o]", fzi_lsp_text_edit(at->lsp, at->analysis, span, between));
}

json_t *fzi_lsp_format(const fzi_lsp_place *at)
{
    char *formatted = NULL;
    if (fz_format_source(at->lsp->context, at->document->path, at->document->text,
                         at->document->length, &formatted, NULL) != FZ_OK)
        return fzi_lsp_fail(at->lsp, FZI_LSP_REQUEST_FAILED, "the script has syntax errors");
    json_t *edits = whole_edit(at, formatted);
    fz_text_free(at->lsp->context, formatted);
    return edits;
}
