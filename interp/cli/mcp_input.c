/* What comes in to `ferz mcp`. See mcp.h. */
#include "mcp.h"

#include <unistd.h>

void fzi_mcp_read(fzi_mcp *mcp)
{
    if (mcp->room - mcp->length < 4096) {
        mcp->room = mcp->room ? 2 * mcp->room : 8192;
        mcp->input = fzi_cli_allocate(mcp->input, mcp->room);
    }
    ssize_t count = read(STDIN_FILENO, mcp->input + mcp->length, mcp->room - mcp->length - 1);
    if (count > 0)
        mcp->length += (size_t)count;
    else
        mcp->ended = count == 0 || errno != EINTR;
}

char *fzi_mcp_next_line(fzi_mcp *mcp)
{
    char *end = mcp->length ? memchr(mcp->input, '\n', mcp->length) : NULL;

    if (!end)
        return NULL;
    size_t length = (size_t)(end - mcp->input);
    char *line = fzi_cli_text("%.*s", (int)length, mcp->input);
    memmove(mcp->input, end + 1, mcp->length - length - 1);
    mcp->length -= length + 1;
    return line;
}

/* Does one of the lines that wait cancel the running request? The others are answered later. */
static bool is_cancelled(const fzi_mcp *mcp)
{
    const char *at = mcp->input, *end = mcp->input + mcp->length, *stop;
    bool found = false;

    for (; !found && at < end && (stop = memchr(at, '\n', (size_t)(end - at))); at = stop + 1) {
        json_t *message = json_loadb(at, (size_t)(stop - at), 0, NULL);
        const char *method = json_string_value(json_object_get(message, "method"));
        json_t *id = json_object_get(json_object_get(message, "params"), "requestId");
        char *text = id ? json_dumps(id, JSON_ENCODE_ANY) : NULL;
        found = method && strcmp(method, "notifications/cancelled") == 0 && text && mcp->running &&
                strcmp(text, mcp->running) == 0;
        free(text);
        json_decref(message);
    }
    return found;
}

bool fzi_mcp_goes_on(fzi_mcp *mcp)
{
    fzi_mcp_read(mcp);
    return !is_cancelled(mcp);
}
