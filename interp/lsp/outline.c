/* The outline of a script, and formatting. */
#include "lsp.h"

#include <string.h>

/* ---- symbols ---- */

/* Of the protocol. */
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

json_t *fzi_lsp_symbols(fzi_lsp *lsp, const json_t *params, const fzi_lsp_place *at)
{
    (void)params;
    if (!at->analysis->unit)
        return NULL;
    json_t *list = json_array();
    outline o = {lsp, at->source, fzi_document_mentions(lsp, at->document)};
    add_symbols(&o, at->analysis->unit->file->decls, list);
    return list;
}

/* ---- formatting ---- */

/* One edit without the lines at both ends that stay as they are. */
static json_t *whole_edit(const fzi_lsp *lsp, const fzi_lsp_place *at, const char *formatted)
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
    return json_pack("[o]", fzi_lsp_text_edit(lsp, at->analysis, span, between));
}

json_t *fzi_lsp_format(fzi_lsp *lsp, const json_t *params, const fzi_lsp_place *at)
{
    (void)params;
    char *formatted = NULL;
    if (fz_format_source(lsp->context, at->document->path, at->document->text, at->document->length,
                         &formatted, NULL) != FZ_OK)
        return fzi_lsp_fail(lsp, FZI_LSP_REQUEST_FAILED, "the script has syntax errors");
    json_t *edits = whole_edit(lsp, at, formatted);
    fz_text_free(lsp->context, formatted);
    return edits;
}
