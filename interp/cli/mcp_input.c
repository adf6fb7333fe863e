/* What comes in to `ferz mcp`. See mcp.h. */
#include "mcp.h"

#include <unistd.h>

void fzi_mcp_read(fzi_mcp *mcp)
{
    if (mcp->begin) {
        mcp->length -= mcp->begin;
        mcp->looked -= mcp->begin;
        memmove(mcp->input, mcp->input + mcp->begin, mcp->length);
        mcp->begin = 0;
    }
    if (mcp->room - mcp->length < 4096) {
        mcp->room = mcp->room ? 2 * mcp->room : 8192;
        mcp->input = fzi_cli_allocate(mcp->input, mcp->room);
    }
    ssize_t count = read(STDIN_FILENO, mcp->input + mcp->length, mcp->room - mcp->length - 1);
    if (count > 0)
        mcp->length += (size_t)count;
    else if (count == 0 || errno != EINTR)
        mcp->ended = true;
    if (count < 0 && errno != EINTR)
        mcp->failed = errno;
}

char *fzi_mcp_next_line(fzi_mcp *mcp)
{
    char *at = mcp->input ? mcp->input + mcp->begin : NULL;
    char *end = at ? memchr(at, '\n', mcp->length - mcp->begin) : NULL;

    if (!end && (!mcp->ended || mcp->begin == mcp->length))
        return NULL;
    size_t length = end ? (size_t)(end - at) : mcp->length - mcp->begin;
    mcp->begin += length + (end ? 1 : 0);
    return fzi_cli_text("%.*s", (int)length, at);
}

bool fzi_mcp_is_cancelled(fzi_mcp *mcp)
{
    const char *at, *end = mcp->input + mcp->length, *stop;
    bool found = false;

    while (!found && (at = mcp->input + mcp->looked) < end &&
           (stop = memchr(at, '\n', (size_t)(end - at)))) {
        mcp->looked += (size_t)(stop - at) + 1;
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
