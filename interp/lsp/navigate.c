/* Definition, references, highlights and rename of the name at a place (methods.def). */
#include "lsp.h"

#include <stdlib.h>

#include "grammar/syntax/parse.h"

/* ---- definition ---- */

/* The loaded file whose path has the same end as this one. */
static fzi_span file_of(const fzi_analysis *a, const char *name)
{
    while (strncmp(name, "../", 3) == 0 || strncmp(name, "./", 2) == 0)
        name = strchr(name, '/') + 1;
    size_t length = strlen(name);
    for (uint32_t i = FZI_OWN_SOURCE + 1; i < a->sources->count; i++) {
        const char *path = fzi_source_at(a->sources, i)->path;
        size_t all = strlen(path);
        if (all >= length && strcmp(path + all - length, name) == 0 &&
            (all == length || path[all - length - 1] == '/' || *name == '/'))
            return (fzi_span){i, 0, 0};
    }
    return (fzi_span){0, 0, 0};
}

/* A base game, if the place is its name in the header. */
static fzi_span base_file(const fzi_lsp_place *at)
{
    const fzi_node *base = at->analysis->unit ? at->analysis->unit->file->base : NULL;
    for (; base; base = base->next)
        if (base->text && base->span.start <= at->offset && at->offset <= base->span.end)
            return file_of(at->analysis, base->text);
    return (fzi_span){0, 0, 0};
}

/* From a declaration that overrides, its definition is the overridden one. */
static fzi_span definition_of(const fzi_lsp_place *at)
{
    const fzi_mention *m = at->mention;
    if (!m)
        return base_file(at);
    if (m->symbol)
        return m->declares || !m->symbol->span.source ? m->target : m->symbol->span;
    if (m->node->kind != N_NAME)
        return m->target;
    return file_of(at->analysis, fzi_arena_printf(at->analysis->arena, "%s.game", m->node->name));
}

json_t *fzi_lsp_definition(const fzi_lsp_place *at)
{
    fzi_span span = definition_of(at);
    return span.source ? fzi_lsp_location(at->lsp, at->analysis, span) : NULL;
}

/* ---- links ---- */

static void add_link(const fzi_lsp_place *at, json_t *list, fzi_span span, fzi_span file)
{
    const fzi_source *source = fzi_source_at(at->analysis->sources, file.source);
    if (!file.source || !source)
        return;
    char *uri = fzi_uri_of_path(at->lsp, source->path);
    json_array_append_new(list, json_pack("{s:o, s:s}", "range",
                                          fzi_lsp_span_range(at->lsp, at->analysis, span),
                                          "target", uri));
    free(uri);
}

/* The names of bases and modules lead to their files. */
json_t *fzi_lsp_links(const fzi_lsp_place *at)
{
    const fzi_mentions *all = fzi_document_mentions(at->lsp, at->document);
    json_t *list = json_array();
    const fzi_node *base = at->analysis->unit ? at->analysis->unit->file->base : NULL;
    for (; base; base = base->next)
        if (base->text)
            add_link(at, list, base->span, file_of(at->analysis, base->text));
    for (size_t i = 0; i < all->count; i++)
        if (!all->items[i].symbol && all->items[i].node->kind == N_NAME)
            add_link(at, list, all->items[i].span,
                     file_of(at->analysis, fzi_arena_printf(at->analysis->arena, "%s.game",
                                                            all->items[i].node->name)));
    return list;
}

/* ---- highlights ---- */

static bool same_meaning(const fzi_mention *a, const fzi_mention *b)
{
    if (a->target.source || b->target.source)
        return a->target.source == b->target.source && a->target.start == b->target.start;
    return a->symbol && a->symbol == b->symbol;
}

json_t *fzi_lsp_highlights(const fzi_lsp_place *at)
{
    if (!at->mention)
        return NULL;
    json_t *list = json_array();
    const fzi_mentions *all = fzi_document_mentions(at->lsp, at->document);
    for (size_t i = 0; i < all->count; i++)
        if (same_meaning(at->mention, &all->items[i]))
            json_array_append_new(
                list, json_pack("{s:o, s:i}", "range",
                                fzi_lsp_span_range(at->lsp, at->analysis, all->items[i].span),
                                "kind", all->items[i].declares || all->items[i].writes ? 3 : 2));
    return list;
}

/* ---- references ---- */

static bool is_local(const fzi_mention *mention)
{
    return mention->symbol && mention->symbol->kind == FZI_SYM_LOCAL;
}

static fzi_name name_of(const fzi_lsp_place *at)
{
    const fzi_mention *m = at->mention;
    const fzi_source *source = fzi_source_at(at->analysis->sources, m->target.source);
    return (fzi_name){.text = fzi_plain_name(m->symbol ? m->symbol->name : m->node->name),
                      .path = source ? source->path : NULL, .start = m->target.start,
                      .is_local = is_local(m)};
}

json_t *fzi_lsp_references(const fzi_lsp_place *at)
{
    if (!at->mention)
        return NULL;
    fzi_name name = name_of(at);
    bool declarations = fzi_lsp_member_true(at->params, "context.includeDeclaration");
    fzi_name_uses uses = fzi_workspace_uses(at->lsp, at->document, &name);
    json_t *list = json_array();
    for (size_t i = 0; i < uses.count; i++)
        if (declarations || !uses.items[i].declares)
            json_array_append_new(list, json_pack("{s:s, s:O}", "uri", uses.items[i].uri, "range",
                                                  uses.items[i].range));
    fzi_uses_clear(&uses);
    return list;
}

/* ---- rename ---- */

/* The reason why the name cannot be changed; NULL: it can. */
static const char *is_fixed(const fzi_lsp_place *at)
{
    if (!at->mention)
        return "there is no name here";
    fzi_name name = name_of(at);
    if (!name.path || (name.is_local && at->mention->symbol->local == FZI_LOCAL_HERE_TO))
        return "this name is built in";
    if (!at->mention->symbol && at->mention->node->kind == N_NAME)
        return "the name of a module is that of its file";
    if (!fzi_workspace_owns(at->lsp, name.path))
        return "this is declared in a library outside of the workspace";
    return NULL;
}

json_t *fzi_lsp_prepare_rename(const fzi_lsp_place *at)
{
    const char *why = is_fixed(at);
    if (why)
        return fzi_lsp_fail(at->lsp, FZI_LSP_REQUEST_FAILED, why);
    return json_pack("{s:o, s:s}", "range",
                     fzi_lsp_span_range(at->lsp, at->analysis, at->mention->span), "placeholder",
                     name_of(at).text);
}

json_t *fzi_lsp_rename(const fzi_lsp_place *at)
{
    const char *to = fzi_lsp_member_text(at->params, "newName");
    const char *why = is_fixed(at);
    if (!why && (!to || !fzi_is_name(at->analysis->arena, to)))
        why = "the new name is none: names are made of letters, digits and '_'; words of the "
              "language cannot be names";
    if (why)
        return fzi_lsp_fail(at->lsp, FZI_LSP_REQUEST_FAILED, why);
    fzi_name name = name_of(at);
    if (!name.is_local && fzi_game_find(at->analysis->game, to, -1))
        return fzi_lsp_fail(at->lsp, FZI_LSP_REQUEST_FAILED,
                            "there is something of this name already");
    fzi_name_uses uses = fzi_workspace_uses(at->lsp, at->document, &name);
    if (fzi_workspace_clashes(at->lsp, at->document, &uses, to)) {
        fzi_uses_clear(&uses);
        return fzi_lsp_fail(at->lsp, FZI_LSP_REQUEST_FAILED,
                            "with this name the script would not mean the same");
    }
    json_t *changes = json_object();
    for (size_t i = 0; i < uses.count; i++) {
        json_t *edits = json_object_get(changes, uses.items[i].uri);
        if (!edits) {
            edits = json_array();
            json_object_set_new(changes, uses.items[i].uri, edits);
        }
        json_array_append_new(edits, json_pack("{s:O, s:s}", "range", uses.items[i].range,
                                               "newText", to));
    }
    fzi_uses_clear(&uses);
    return json_pack("{s:o}", "changes", changes);
}
