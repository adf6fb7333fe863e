/* Who calls what (methods.def): the call hierarchy of functions, procedures and lists of moves, in
 * the files that a script consists of. */
#include "lsp.h"

#include <stdlib.h>

enum { KIND_FUNCTION = 12, KIND_EVENT = 24 };

static bool is_callable(const fzi_symbol *symbol)
{
    return symbol && (symbol->kind == FZI_SYM_FN || symbol->kind == FZI_SYM_PROC ||
                      symbol->kind == FZI_SYM_MOVES || symbol->kind == FZI_SYM_LET);
}

static const char *title_of(const fzi_node *decl)
{
    switch (decl->kind) {
    case N_D_SETUP: return "setup";
    case N_D_TURN: return "turn";
    case N_D_END: return "end";
    case N_D_ON_CAPTURE: return "on capture";
    case N_D_TEST: return decl->text && *decl->text ? decl->text : "test";
    default: return decl->name ? decl->name : "declaration";
    }
}

/* The declaration that contains the place; NULL. */
static const fzi_node *around(const fzi_node *list, fzi_span span)
{
    for (; list; list = list->next)
        if (list->span.source == span.source && list->span.start <= span.start &&
            span.end <= list->span.end)
            return list;
    return NULL;
}

static const fzi_node *declaration_at(const fzi_analysis *a, fzi_span span)
{
    const fzi_node *found = around(a->unit->decls, span);
    return found ? found : around(a->unit->tests, span);
}

/* `data` leads back to the document and the declaration. */
static json_t *item_of(const fzi_lsp_place *at, const fzi_node *decl)
{
    const fzi_source *source = fzi_source_at(at->analysis->sources, decl->span.source);
    char *uri = fzi_uri_of_path(at->lsp, source->path);
    fzi_span name = decl->name_span;
    if (name.source != decl->span.source || name.start < decl->span.start ||
        name.end > decl->span.end)
        name = (fzi_span){decl->span.source, decl->span.start, decl->span.start};
    json_t *item = json_pack(
        "{s:s, s:i, s:s, s:o, s:o, s:{s:s, s:i, s:i}}", "name", title_of(decl), "kind",
        decl->name ? KIND_FUNCTION : KIND_EVENT, "uri", uri, "range",
        fzi_lsp_span_range(at->lsp, at->analysis, decl->span), "selectionRange",
        fzi_lsp_span_range(at->lsp, at->analysis, name), "data", "document", at->document->uri,
        "source", (int)decl->span.source, "start", (int)decl->span.start);
    free(uri);
    return item;
}

json_t *fzi_lsp_prepare_calls(const fzi_lsp_place *at)
{
    const fzi_mention *m = at->mention;
    if (!m || !is_callable(m->symbol) || !m->target.source)
        return NULL;
    const fzi_node *decl = declaration_at(at->analysis, m->target);
    return decl ? json_pack("[o]", item_of(at, decl)) : NULL;
}

/* The declaration of an item that the client sends back, with the document it was asked in. */
static const fzi_node *item_declaration(const fzi_lsp_place *at, fzi_lsp_place *there)
{
    const char *uri = fzi_lsp_member_text(at->params, "item.data.document");
    const json_t *source = fzi_lsp_member(at->params, "item.data.source");
    const json_t *start = fzi_lsp_member(at->params, "item.data.start");
    char *path = uri ? fzi_path_of_uri(uri) : NULL;
    *there = *at;
    there->document = path ? fzi_lsp_document_at(at->lsp, path) : NULL;
    there->analysis = there->document ? fzi_document_analysis(at->lsp, there->document) : NULL;
    free(path);
    if (!there->analysis || !there->analysis->unit || !json_is_integer(source))
        return NULL;
    uint32_t place = (uint32_t)json_integer_value(start);
    return declaration_at(there->analysis,
                          (fzi_span){(uint32_t)json_integer_value(source), place, place});
}

static bool is_within(fzi_span inner, fzi_span outer)
{
    return inner.source == outer.source && outer.start <= inner.start && inner.end <= outer.end;
}

/* Adds the place to the call of this declaration, which is `member` of its entry. */
static void add_call(const fzi_lsp_place *at, json_t *list, const char *member,
                     const fzi_node *decl, fzi_span span)
{
    json_t *item = item_of(at, decl), *range = fzi_lsp_span_range(at->lsp, at->analysis, span);
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *entry = json_array_get(list, i);
        if (!json_equal(json_object_get(entry, member), item))
            continue;
        json_array_append_new(json_object_get(entry, "fromRanges"), range);
        json_decref(item);
        return;
    }
    json_array_append_new(list, json_pack("{s:o, s:[o]}", member, item, "fromRanges", range));
}

json_t *fzi_lsp_incoming_calls(const fzi_lsp_place *at)
{
    fzi_lsp_place there;
    const fzi_node *decl = item_declaration(at, &there);
    if (!decl)
        return NULL;
    json_t *list = json_array();
    fzi_mentions all = fzi_mentions_find(there.analysis, 0);
    for (size_t i = 0; i < all.count; i++) {
        const fzi_mention *m = &all.items[i];
        const fzi_node *caller =
            !m->declares && is_within(m->target, decl->name_span)
                ? declaration_at(there.analysis, m->span) : NULL;
        if (caller)
            add_call(&there, list, "from", caller, m->span);
    }
    return list;
}

json_t *fzi_lsp_outgoing_calls(const fzi_lsp_place *at)
{
    fzi_lsp_place there;
    const fzi_node *decl = item_declaration(at, &there);
    if (!decl)
        return NULL;
    json_t *list = json_array();
    fzi_mentions all = fzi_mentions_find(there.analysis, decl->span.source);
    for (size_t i = 0; i < all.count; i++) {
        const fzi_mention *m = &all.items[i];
        const fzi_node *called =
            !m->declares && is_callable(m->symbol) && is_within(m->span, decl->span)
                ? declaration_at(there.analysis, m->target) : NULL;
        if (called)
            add_call(&there, list, "to", called, m->span);
    }
    return list;
}
