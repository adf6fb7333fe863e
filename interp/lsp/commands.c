/* Commands for editors that cannot run `ferz` in a terminal (workspace/executeCommand). Each
 * answers with a text, and shows its first line as a message. */
#include "lsp.h"

#include <stdlib.h>

#include "interp/support/buffer.h"

/* ---- tests ---- */

static void note_test(void *user, const char *title, bool passed, const char *message)
{
    if (!passed)
        fzi_buffer_format(user, "failed: %s\n%s\n", title, message);
}

static fz_status run_tests(const fzi_lsp_place *at, const char *filter, fzi_buffer *out)
{
    unsigned passed = 0, failed = 0;
    fz_report *report = NULL;
    fzi_buffer failures = fzi_buffer_in(at->lsp->context->allocator);
    const fz_test_sink sink = {note_test, &failures};
    fz_status status =
        fz_run_tests(at->lsp->context, at->document->path, at->document->text,
                     at->document->length, NULL, 0, filter, &sink, &report, &passed, &failed);
    if (status == FZ_OK)
        fzi_buffer_format(out, "%u passed, %u failed\n%s", passed, failed,
                          fzi_buffer_get(&failures));
    fzi_buffer_free(&failures);
    fz_report_free(report);
    return status;
}

/* ---- the position ---- */

static fz_status show(const fzi_lsp_place *at, const char *ignored, fzi_buffer *out)
{
    fz_program *program = NULL;
    fz_report *report = NULL;
    char *text = NULL;
    (void)ignored;
    fz_status status = fz_compile(at->lsp->context, at->document->path, at->document->text,
                                  at->document->length, NULL, 0, &program, &report);
    fz_machine *machine = program ? fz_machine_new(program, NULL) : NULL;
    fz_state *state = machine ? fz_state_new(machine, 1, 0) : NULL;
    if (status == FZ_OK)
        status = state ? fz_state_draw(machine, state, 0, &text) : FZ_RUNTIME;
    if (status == FZ_OK)
        fzi_buffer_text(out, text);
    fz_text_free(at->lsp->context, text);
    fz_state_free(state);
    fz_machine_free(machine);
    fz_program_release(program);
    fz_report_free(report);
    return status;
}

/* ---- dispatch ---- */

/* The names are not those of the lenses' commands, which clients have themselves. */
static const struct {
    const char *name;
    fz_status (*run)(const fzi_lsp_place *at, const char *argument, fzi_buffer *out);
} commands[] = {{"ferz.server.runTests", run_tests}, {"ferz.server.show", show}};
enum { COMMANDS = sizeof commands / sizeof *commands };

json_t *fzi_lsp_commands(void)
{
    json_t *list = json_array();
    for (size_t i = 0; i < COMMANDS; i++)
        json_array_append_new(list, json_string(commands[i].name));
    return list;
}

/* The arguments: the URI of an open script, and the text that the titles of tests contain. */
json_t *fzi_lsp_execute(const fzi_lsp_place *at)
{
    enum { INFO = 3, ERROR = 1 };
    const char *name = fzi_lsp_member_text(at->params, "command");
    const json_t *arguments = json_object_get(at->params, "arguments");
    const char *uri = json_string_value(json_array_get(arguments, 0));
    char *path = uri ? fzi_path_of_uri(uri) : NULL;
    fzi_lsp_place there = *at;
    size_t i = 0;
    there.document = path ? fzi_lsp_document_at(at->lsp, path) : NULL;
    free(path);
    while (i < COMMANDS && (!name || strcmp(commands[i].name, name) != 0))
        i++;
    if (i == COMMANDS || !there.document)
        return fzi_lsp_fail(at->lsp, FZI_LSP_INVALID_PARAMS,
                            i == COMMANDS ? "there is no such command"
                                          : "the first argument must be the URI of an open script");
    fzi_buffer out = fzi_buffer_in(at->lsp->context->allocator);
    fz_status status =
        commands[i].run(&there, json_string_value(json_array_get(arguments, 1)), &out);
    if (status != FZ_OK)
        fzi_buffer_text(&out, "the script has errors\n");
    const char *text = fzi_buffer_get(&out);
    fzi_lsp_notify(at->lsp, "window/showMessage",
                   json_pack("{s:i, s:s%}", "type", status == FZ_OK ? INFO : ERROR, "message",
                             text, strcspn(text, "\n")));
    json_t *result = fzi_lsp_string(text);
    fzi_buffer_free(&out);
    return result;
}
