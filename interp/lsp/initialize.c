/* The first request (methods.def): reads the client's capabilities and the folders of the
 * workspace, and answers with the server's capabilities. */
#include "lsp.h"

#include <stdlib.h>

static bool lists_text(const json_t *array, const char *text)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        const char *item = json_string_value(json_array_get(array, i));
        if (item && strcmp(item, text) == 0)
            return true;
    }
    return false;
}

static void read_client(fzi_lsp_client *client, const json_t *can)
{
    client->utf8 = lists_text(fzi_lsp_member(can, "general.positionEncodings"), "utf-8");
    client->markdown =
        lists_text(fzi_lsp_member(can, "textDocument.hover.contentFormat"), "markdown");
    client->snippets =
        fzi_lsp_member_true(can, "textDocument.completion.completionItem.snippetSupport");
    client->multiline_tokens =
        fzi_lsp_member_true(can, "textDocument.semanticTokens.multilineTokenSupport");
    client->pulls = fzi_lsp_member(can, "textDocument.diagnostic") != NULL;
    client->refreshes = fzi_lsp_member_true(can, "workspace.diagnostics.refreshSupport");
    client->version_support =
        fzi_lsp_member_true(can, "textDocument.publishDiagnostics.versionSupport");
}

/* ---- folders ---- */

static void add_root(fzi_lsp *lsp, const char *uri)
{
    if (!uri)
        return;
    lsp->roots = fzi_lsp_resize(lsp->roots, (lsp->root_count + 1) * sizeof *lsp->roots);
    lsp->roots[lsp->root_count++] = fzi_path_of_uri(uri);
}

static void read_roots(fzi_lsp *lsp, const json_t *params)
{
    const json_t *folders = json_object_get(params, "workspaceFolders");
    for (size_t i = 0; i < json_array_size(folders); i++)
        add_root(lsp, fzi_lsp_member_text(json_array_get(folders, i), "uri"));
    if (lsp->root_count == 0)
        add_root(lsp, fzi_lsp_member_text(params, "rootUri"));
}

void fzi_lsp_clear_roots(fzi_lsp *lsp)
{
    for (size_t i = 0; i < lsp->root_count; i++)
        free(lsp->roots[i]);
    free(lsp->roots);
}

/* ---- the answer ---- */

static json_t *capabilities(const fzi_lsp *lsp)
{
    json_t *can = json_pack("{s:s, s:{s:b, s:i, s:{s:b}}}", "positionEncoding",
                            lsp->client.utf8 ? "utf-8" : "utf-16", "textDocumentSync", "openClose",
                            true, "change", 2, "save", "includeText", false);
    json_object_set_new(can, "codeActionProvider",
                        json_pack("{s:[s]}", "codeActionKinds", "quickfix"));
    static const char *const simple[] = {
        "hoverProvider", "definitionProvider", "referencesProvider", "documentHighlightProvider",
        "documentSymbolProvider", "workspaceSymbolProvider", "foldingRangeProvider",
        "documentFormattingProvider", "inlayHintProvider", "documentRangeFormattingProvider",
        "selectionRangeProvider", "callHierarchyProvider",
    };
    for (size_t i = 0; i < sizeof simple / sizeof *simple; i++)
        json_object_set_new(can, simple[i], json_true());
    json_object_set_new(can, "completionProvider", json_pack("{s:[s]}", "triggerCharacters", "."));
    json_object_set_new(can, "signatureHelpProvider",
                        json_pack("{s:[s, s]}", "triggerCharacters", "(", ","));
    json_object_set_new(can, "semanticTokensProvider",
                        json_pack("{s:o, s:b}", "legend", fzi_lsp_legend(), "full", true));
    json_object_set_new(can, "codeLensProvider", json_object());
    json_object_set_new(can, "documentLinkProvider", json_object());
    json_object_set_new(can, "documentOnTypeFormattingProvider",
                        json_pack("{s:s, s:[s, s]}", "firstTriggerCharacter", "\n",
                                  "moreTriggerCharacter", ";", "}"));
    json_object_set_new(can, "diagnosticProvider",
                        json_pack("{s:b, s:b}", "interFileDependencies", true,
                                  "workspaceDiagnostics", false));
    json_object_set_new(can, "executeCommandProvider", json_pack("{s:o}", "commands",
                                                                 fzi_lsp_commands()));
    json_object_set_new(can, "renameProvider", json_pack("{s:b}", "prepareProvider", true));
    return can;
}

json_t *fzi_lsp_initialize(const fzi_lsp_place *at)
{
    if (!json_is_object(at->params))
        return fzi_lsp_fail(at->lsp, FZI_LSP_INVALID_PARAMS, "params must be an object");
    read_client(&at->lsp->client, json_object_get(at->params, "capabilities"));
    read_roots(at->lsp, at->params);
    at->lsp->is_initialized = true;
    return json_pack("{s:o, s:{s:s, s:s}}", "capabilities", capabilities(at->lsp), "serverInfo",
                     "name", "ferz", "version", fz_version());
}
