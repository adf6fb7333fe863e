/* Code actions: the edits that carry out the hints of diagnostics. */
#include "lsp.h"

#include <string.h>

static json_t *edits_of(const fzi_lsp *lsp, const fzi_analysis *analysis, const fzi_diag *diag,
                        const fzi_hint *hint)
{
    json_t *list = json_array();
    for (const fzi_edit *edit = hint->edits; edit; edit = edit->next)
        json_array_append_new(list,
                              fzi_lsp_text_edit(lsp, analysis,
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

static void add_actions(const fzi_lsp *lsp, const fzi_document *document,
                        const fzi_analysis *analysis, const fzi_diag *diag, json_t *list)
{
    for (const fzi_hint *hint = diag->hints; hint; hint = hint->next) {
        if (!hint->edits)
            continue;
        json_t *changes = json_object();
        json_object_set_new(changes, document->uri, edits_of(lsp, analysis, diag, hint));
        json_array_append_new(
            list, json_pack("{s:o, s:s, s:[o], s:b, s:{s:o}}", "title",
                            fzi_lsp_string(title_of(analysis, hint)), "kind", "quickfix",
                            "diagnostics", fzi_lsp_diagnostic(lsp, analysis, diag), "isPreferred",
                            hint == diag->hints, "edit", "changes", changes));
    }
}

/* The hints with edits of the diagnostics that touch a range. */
json_t *fzi_lsp_code_actions(fzi_lsp *lsp, const json_t *params, const fzi_lsp_place *at)
{
    (void)params;
    json_t *list = json_array();
    for (const fzi_diag *d = at->analysis->diags->first; d; d = d->next)
        if (d->span.source == FZI_OWN_SOURCE && d->span.start <= at->end &&
            d->span.end >= at->offset)
            add_actions(lsp, at->document, at->analysis, d, list);
    return list;
}
