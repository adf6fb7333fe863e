/* The loop of the language server: reads messages into a queue, answers them in order, and
 * publishes diagnostics while there is nothing else to do. */
#include "lsp.h"

#include <signal.h>
#include <stdlib.h>

enum { MAX_QUEUE = 10000 };

/* ---- answers ---- */

static void answer_error(fzi_lsp *lsp, json_t *id, int code, const char *message)
{
    fzi_rpc_send(&lsp->rpc,
                 json_pack("{s:s, s:O, s:{s:i, s:s}}", "jsonrpc", "2.0", "id",
                           id ? id : json_null(), "error", "code", code, "message", message));
}

static void answer(fzi_lsp *lsp, json_t *id, json_t *result)
{
    if (lsp->error) {
        answer_error(lsp, id, lsp->error, lsp->error_message);
        json_decref(result);
        return;
    }
    fzi_rpc_send(&lsp->rpc, json_pack("{s:s, s:O, s:o}", "jsonrpc", "2.0", "id", id, "result",
                                      result ? result : json_null()));
}

/* ---- methods of the life of a server ---- */

json_t *fzi_lsp_ignore(const fzi_lsp_place *at)
{
    (void)at;
    return NULL;
}

json_t *fzi_lsp_shutdown(const fzi_lsp_place *at)
{
    at->lsp->is_shut_down = true;
    return NULL;
}

json_t *fzi_lsp_exit(const fzi_lsp_place *at)
{
    at->lsp->is_done = true;
    return NULL;
}

/* ---- dispatch ---- */

typedef struct method_row {
    const char *name;
    fzi_lsp_method *function;
    bool is_request;
    enum fzi_lsp_subject subject;
} method_row;

static const method_row methods[] = {
#define METHOD(name, function, is_request, subject)                                                \
    {name, function, is_request, FZI_LSP_##subject},
#include "methods.def"
#undef METHOD
};

static const method_row *find_method(const char *name)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strcmp(methods[i].name, name) == 0)
            return &methods[i];
    return NULL;
}

/* True if the request is not allowed now or unknown; fzi_lsp_fail was called. */
static bool is_refused(fzi_lsp *lsp, const method_row *method, const char *name)
{
    bool begins = strcmp(name, "initialize") == 0;
    if (!lsp->is_initialized && !begins)
        fzi_lsp_fail(lsp, FZI_LSP_NOT_INITIALIZED, "the first request must be 'initialize'");
    else if (lsp->is_shut_down || (lsp->is_initialized && begins))
        fzi_lsp_fail(lsp, FZI_LSP_INVALID_REQUEST, "the server is not in the state for this");
    else if (!method || !method->is_request)
        fzi_lsp_fail(lsp, FZI_LSP_METHOD_NOT_FOUND, "there is no such request");
    return lsp->error != 0;
}

/* Analyses have a bound on their memory: if one reaches it, all of them are freed. */
static json_t *run(fzi_lsp *lsp, const method_row *method, const json_t *params)
{
    fzi_lsp_place at;
    if (setjmp(lsp->no_memory)) {
        fzi_documents_outdate(lsp);
        return fzi_lsp_fail(lsp, FZI_LSP_INTERNAL_ERROR, "out of memory");
    }
    bool found = fzi_lsp_find(lsp, params, method->subject, &at);
    return found ? method->function(&at) : NULL;
}

static void publish(fzi_lsp *lsp, fzi_document *document)
{
    if (setjmp(lsp->no_memory))
        document->is_published = true;
    else
        fzi_lsp_publish(lsp, document);
}

static void handle(fzi_lsp *lsp, const json_t *message)
{
    const char *name = json_string_value(json_object_get(message, "method"));
    json_t *id = json_object_get(message, "id");
    const json_t *params = json_object_get(message, "params");
    lsp->error = 0;
    if (!name) {
        /* A message with a result or an error is the client's answer to a request. */
        if (!json_is_object(message) || (id && !json_object_get(message, "result") &&
                                         !json_object_get(message, "error")))
            answer_error(lsp, id, FZI_LSP_INVALID_REQUEST, "a message needs a method");
        return;
    }
    const method_row *method = find_method(name);
    if (id) {
        json_t *result = is_refused(lsp, method, name) ? NULL : run(lsp, method, params);
        answer(lsp, id, result);
    } else if (method && !method->is_request && (lsp->is_initialized || lsp->is_shut_down ||
                                                 strcmp(name, "exit") == 0)) {
        json_decref(run(lsp, method, params));
    }
}

/* ---- the queue ---- */

/* Answers a queued request that the client does not need any more, and drops it. */
static void cancel(fzi_lsp *lsp, const json_t *id)
{
    for (size_t i = 0; i < json_array_size(lsp->queue); i++) {
        json_t *message = json_array_get(lsp->queue, i), *other = json_object_get(message, "id");
        if (!other || !json_object_get(message, "method") || !json_equal(id, other))
            continue;
        answer_error(lsp, other, FZI_LSP_REQUEST_CANCELLED, "cancelled");
        json_array_remove(lsp->queue, i);
        return;
    }
}

static void add_to_queue(fzi_lsp *lsp, json_t *message)
{
    const char *name = json_string_value(json_object_get(message, "method"));
    const json_t *id = fzi_lsp_member(message, "params.id");
    if (name && strcmp(name, "$/cancelRequest") == 0) {
        if (id)
            cancel(lsp, id);
        json_decref(message);
    } else {
        json_array_append_new(lsp->queue, message);
    }
}

/* Reads the messages that have arrived; waits if there is nothing to do. False at the end. */
static bool fill_queue(fzi_lsp *lsp, bool wait)
{
    while (json_array_size(lsp->queue) < MAX_QUEUE) {
        json_t *message = NULL;
        switch (fzi_rpc_read(&lsp->rpc, wait && json_array_size(lsp->queue) == 0, &message)) {
        case FZI_RPC_MESSAGE:
            add_to_queue(lsp, message);
            wait = false;
            break;
        case FZI_RPC_DAMAGED:
            answer_error(lsp, NULL, FZI_LSP_PARSE_ERROR, "the message is damaged");
            break;
        case FZI_RPC_NOTHING:
            return true;
        default:
            return json_array_size(lsp->queue) > 0;
        }
    }
    return true;
}

static fzi_document *unpublished(const fzi_lsp *lsp)
{
    for (fzi_document *d = lsp->documents; d; d = d->next)
        if (!d->is_published)
            return d;
    return NULL;
}

int fzi_lsp_serve(fz_context *context, int in, int out)
{
    fzi_lsp lsp = {.rpc = {.in = in, .out = out}, .context = context, .queue = json_array(),
                   .index = json_object(), .unindexed = json_array()};
    signal(SIGPIPE, SIG_IGN);
    fz_context_set_overlay(context, fzi_documents_overlay, &lsp);
    while (!lsp.is_done && !lsp.rpc.is_closed) {
        fzi_document *document = unpublished(&lsp);
        if (!fill_queue(&lsp, !document && !json_array_size(lsp.unindexed)))
            break;
        if (json_array_size(lsp.queue)) {
            json_t *message = json_incref(json_array_get(lsp.queue, 0));
            json_array_remove(lsp.queue, 0);
            handle(&lsp, message);
            json_decref(message);
        } else if ((document = unpublished(&lsp))) {
            publish(&lsp, document);
        } else if (json_array_size(lsp.unindexed)) {
            fzi_lsp_index_next(&lsp);
        }
    }
    fz_context_set_overlay(context, NULL, NULL);
    fzi_documents_clear(&lsp);
    fzi_lsp_clear_roots(&lsp);
    free(lsp.manual);
    json_decref(lsp.queue);
    json_decref(lsp.index);
    json_decref(lsp.unindexed);
    bool answered = !lsp.rpc.is_closed;
    fzi_rpc_clear(&lsp.rpc);
    return lsp.is_shut_down && answered ? 0 : 1;
}
