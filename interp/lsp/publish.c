/* Diagnostics for the client, which server.c publishes, and the code actions that carry out their
 * hints. */
#include "lsp.h"

/* Related information: a note, or a place in another file. */
static json_t *related(const fzi_lsp *lsp, const fzi_analysis *analysis, fzi_span span,
                       const char *message)
{
    return json_pack("{s:o, s:o}", "location", fzi_lsp_location(lsp, analysis, span), "message",
                     fzi_lsp_string(message));
}

static void add_related(const fzi_lsp *lsp, const fzi_analysis *analysis, const fzi_diag *diag,
                        json_t *object)
{
    json_t *list = json_array();
    if (diag->span.source > FZI_OWN_SOURCE)
        json_array_append_new(list, related(lsp, analysis, diag->span, diag->message));
    for (const fzi_note *note = diag->notes; note; note = note->next)
        if (note->span.source)
            json_array_append_new(list, related(lsp, analysis, note->span, note->message));
    if (json_array_size(list))
        json_object_set(object, "relatedInformation", list);
    json_decref(list);
}

/* The message with its hints, for clients that show nothing else. */
static json_t *message_of(const fzi_analysis *analysis, const fzi_diag *diag)
{
    const char *text = diag->message;
    const fzi_source *source = fzi_source_at(analysis->sources, diag->span.source);
    if (source && diag->span.source > FZI_OWN_SOURCE)
        text = fzi_arena_printf(analysis->arena, "%s:%u: %s", source->path,
                                fzi_source_place(source, diag->span.start).line, text);
    for (const fzi_hint *hint = diag->hints; hint; hint = hint->next)
        if (!hint->is_fix)
            text = fzi_arena_printf(analysis->arena, "%s\nhint: %s", text, hint->message);
    return fzi_lsp_string(text);
}

/* A mistake in another file has the place of the header, which leads to that file. */
static json_t *diagnostic_of(const fzi_lsp *lsp, const fzi_analysis *analysis, const fzi_diag *diag)
{
    fzi_span span = diag->span;
    if (span.source != FZI_OWN_SOURCE && analysis->unit)
        span = analysis->unit->header_span;
    json_t *object = json_pack("{s:o, s:i, s:s, s:s, s:o}", "range",
                               fzi_lsp_span_range(lsp, analysis, span), "severity",
                               diag->is_warning ? 2 : 1, "code", fzi_diag_code_text(diag->code),
                               "source", "ferz", "message", message_of(analysis, diag));
    bool unused = diag->code == FZ_W_UNUSED_DECL || diag->code == FZ_W_UNUSED_PARAMETER;
    if (unused || diag->code == FZ_W_DEPRECATED)
        json_object_set_new(object, "tags", json_pack("[i]", unused ? 1 : 2));
    add_related(lsp, analysis, diag, object);
    return object;
}

static json_t *diagnostics_of(const fzi_lsp *lsp, const fzi_analysis *analysis)
{
    json_t *list = json_array();
    if (!analysis)
        json_array_append_new(
            list, json_pack("{s:{s:{s:i, s:i}, s:{s:i, s:i}}, s:i, s:s, s:s}", "range", "start",
                            "line", 0, "character", 0, "end", "line", 0, "character", 0, "severity",
                            1, "source", "ferz", "message", fz_context_message(lsp->context)));
    for (const fzi_diag *d = analysis ? analysis->diags->first : NULL; d; d = d->next)
        json_array_append_new(list, diagnostic_of(lsp, analysis, d));
    return list;
}

json_t *fzi_lsp_pull(const fzi_lsp_place *at)
{
    return json_pack("{s:s, s:o}", "kind", "full", "items",
                     diagnostics_of(at->lsp, fzi_document_analysis(at->lsp, at->document)));
}

/* A client that asks for diagnostics is told when those of other documents may have changed. */
void fzi_lsp_publish(fzi_lsp *lsp, fzi_document *document)
{
    document->is_published = true;
    if (lsp->client.pulls) {
        if (lsp->refreshes)
            fzi_rpc_send(&lsp->rpc, json_pack("{s:s, s:s, s:s}", "jsonrpc", "2.0", "id", "refresh",
                                              "method", "workspace/diagnostic/refresh"));
        lsp->refreshes = false;
        return;
    }
    json_t *params = json_pack("{s:o, s:o}", "uri", fzi_lsp_string(document->uri), "diagnostics",
                               diagnostics_of(lsp, fzi_document_analysis(lsp, document)));
    if (lsp->client.version_support)
        json_object_set_new(params, "version", json_integer(document->version));
    fzi_lsp_notify(lsp, "textDocument/publishDiagnostics", params);
}

/* ---- code actions ---- */

static json_t *edits_of(const fzi_lsp_place *at, const fzi_diag *diag, const fzi_hint *hint)
{
    json_t *list = json_array();
    for (const fzi_edit *edit = hint->edits; edit; edit = edit->next)
        json_array_append_new(list,
                              fzi_lsp_text_edit(at->lsp, at->analysis,
                                                edit->span.source ? edit->span : diag->span,
                                                edit->text));
    return list;
}

static const char *title_of(const fzi_analysis *analysis, const fzi_hint *hint)
{
    const fzi_edit *edit = hint->edits;
    if (strncmp(hint->message, "did you mean ", 13) != 0)
        return hint->message;
    return fzi_arena_printf(analysis->arena, "change to '%s'", edit->text);
}

static void add_actions(const fzi_lsp_place *at, const fzi_diag *diag, json_t *list)
{
    for (const fzi_hint *hint = diag->hints; hint; hint = hint->next) {
        if (!hint->edits)
            continue;
        json_t *changes = json_object();
        json_object_set_new(changes, at->document->uri, edits_of(at, diag, hint));
        json_array_append_new(
            list, json_pack("{s:o, s:s, s:[o], s:b, s:{s:o}}", "title",
                            fzi_lsp_string(title_of(at->analysis, hint)), "kind", "quickfix",
                            "diagnostics", diagnostic_of(at->lsp, at->analysis, diag),
                            "isPreferred",
                            hint == diag->hints, "edit", "changes", changes));
    }
}

/* The hints with edits of the diagnostics that touch a range. */
json_t *fzi_lsp_code_actions(const fzi_lsp_place *at)
{
    json_t *list = json_array();
    for (const fzi_diag *d = at->analysis->diags->first; d; d = d->next)
        if (d->span.source == FZI_OWN_SOURCE && d->span.start <= at->end &&
            d->span.end >= at->offset)
            add_actions(at, d, list);
    return list;
}
