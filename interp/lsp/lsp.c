/* Functions that all files of the language server use: members of messages, failures,
 * notifications. */
#include "lsp.h"

#include <string.h>

const json_t *fzi_lsp_member(const json_t *object, const char *path)
{
    char name[64];
    while (object && *path) {
        size_t length = strcspn(path, ".");
        if (length >= sizeof name)
            return NULL;
        memcpy(name, path, length);
        name[length] = '\0';
        object = json_object_get(object, name);
        path += length + (path[length] == '.');
    }
    return object;
}

const char *fzi_lsp_member_text(const json_t *object, const char *path)
{
    return json_string_value(fzi_lsp_member(object, path));
}

bool fzi_lsp_member_true(const json_t *object, const char *path)
{
    return json_is_true(fzi_lsp_member(object, path));
}

json_t *fzi_lsp_string(const char *text)
{
    json_t *string = json_string(text);
    return string ? string : json_string("?");
}

json_t *fzi_lsp_fail(fzi_lsp *lsp, enum fzi_lsp_error error, const char *message)
{
    lsp->error = error;
    lsp->error_message = message;
    return NULL;
}

void fzi_lsp_notify(fzi_lsp *lsp, const char *method, json_t *params)
{
    fzi_rpc_send(&lsp->rpc, json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method", method,
                                      "params", params));
}
