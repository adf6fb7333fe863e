/* Reads and writes the messages of the protocol, for server.c; and what all files of the language
 * server need of messages. */
#include "lsp.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

enum { MAX_HEADER = 4096, MAX_MESSAGE = 64 << 20, READ_SIZE = 65536, EXIT_NO_MEMORY = 2 };

void *fzi_lsp_resize(void *ptr, size_t size)
{
    void *grown = realloc(ptr, size ? size : 1);
    if (!grown) {
        fputs("ferz lsp: out of memory\n", stderr);
        exit(EXIT_NO_MEMORY);
    }
    return grown;
}

char *fzi_lsp_copy(const char *text, size_t length)
{
    char *copy = fzi_lsp_resize(NULL, length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

/* ---- reading ---- */

static bool has_input(const fzi_rpc *rpc)
{
    struct pollfd descriptor = {.fd = rpc->in, .events = POLLIN};
    return poll(&descriptor, 1, 0) > 0;
}

/* Reads more; false at the end. */
static bool read_more(fzi_rpc *rpc)
{
    if (rpc->capacity - rpc->used < READ_SIZE) {
        rpc->capacity = 2 * rpc->capacity + READ_SIZE;
        rpc->buffer = fzi_lsp_resize(rpc->buffer, rpc->capacity);
    }
    ssize_t got;
    do
        got = read(rpc->in, rpc->buffer + rpc->used, READ_SIZE);
    while (got < 0 && errno == EINTR);
    if (got <= 0)
        return false;
    rpc->used += (size_t)got;
    return true;
}

static void take(fzi_rpc *rpc, size_t count)
{
    if (!count) /* at first there is no buffer */
        return;
    memmove(rpc->buffer, rpc->buffer + count, rpc->used - count);
    rpc->used -= count;
}

/* The length of the header with its blank line; 0: it is not complete. */
static size_t header_length(const fzi_rpc *rpc)
{
    for (size_t i = 1; i < rpc->used; i++) {
        if (rpc->buffer[i] != '\n')
            continue;
        if (rpc->buffer[i - 1] == '\n' ||
            (i >= 3 && memcmp(rpc->buffer + i - 3, "\r\n\r\n", 4) == 0))
            return i + 1;
    }
    return 0;
}

/* The last "Content-Length:" before `end`, at any place, so that the rest of a message with a wrong
 * length does no harm; `end`: there is none. */
static size_t find_field(const char *text, size_t end)
{
    static const char field[] = "Content-Length:";
    size_t found = end;
    for (size_t i = 0; i + sizeof field - 1 <= end; i++)
        if (strncasecmp(text + i, field, sizeof field - 1) == 0)
            found = i;
    return found;
}

static bool content_length(const fzi_rpc *rpc, size_t header, size_t *length)
{
    const char *at = rpc->buffer + find_field(rpc->buffer, header), *end = rpc->buffer + header;
    if (at == end)
        return false;
    at += strlen("Content-Length:");
    while (at < end && *at == ' ')
        at++;
    const char *digits = at;
    for (*length = 0; at < end && *at >= '0' && *at <= '9' && at - digits < 18; at++)
        *length = 10 * *length + (size_t)(*at - '0');
    return at > digits && at < end && (*at == '\r' || *at == '\n');
}

/* Skips bytes that cannot be the beginning of a header. */
static enum fzi_rpc_event resynchronise(fzi_rpc *rpc)
{
    size_t field = find_field(rpc->buffer, rpc->used);
    take(rpc, field > 0 && field < rpc->used ? field : rpc->used - 16);
    return FZI_RPC_DAMAGED;
}

static enum fzi_rpc_event next_of_buffer(fzi_rpc *rpc, json_t **message)
{
    size_t skipped = rpc->to_skip < rpc->used ? rpc->to_skip : rpc->used;
    take(rpc, skipped);
    rpc->to_skip -= skipped;
    size_t header = header_length(rpc), length;
    if (!header)
        return rpc->used > MAX_HEADER ? resynchronise(rpc) : FZI_RPC_NOTHING;
    if (!content_length(rpc, header, &length)) {
        take(rpc, header);
        return FZI_RPC_DAMAGED;
    }
    if (length > MAX_MESSAGE) {
        take(rpc, header);
        rpc->to_skip = length;
        return FZI_RPC_DAMAGED;
    }
    if (rpc->used - header < length)
        return FZI_RPC_NOTHING;
    json_error_t error;
    *message = json_loadb(rpc->buffer + header, length, JSON_ALLOW_NUL, &error);
    take(rpc, header + length);
    return *message ? FZI_RPC_MESSAGE : FZI_RPC_DAMAGED;
}

enum fzi_rpc_event fzi_rpc_read(fzi_rpc *rpc, bool wait, json_t **message)
{
    for (;;) {
        enum fzi_rpc_event event = next_of_buffer(rpc, message);
        if (event != FZI_RPC_NOTHING)
            return event;
        if (rpc->is_read)
            return FZI_RPC_END;
        if (!wait && !has_input(rpc))
            return FZI_RPC_NOTHING;
        if (!read_more(rpc))
            rpc->is_read = true;
    }
}

/* ---- writing ---- */

static void write_all(fzi_rpc *rpc, const char *bytes, size_t length)
{
    while (length > 0 && !rpc->is_closed) {
        ssize_t done = write(rpc->out, bytes, length);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            rpc->is_closed = true;
            return;
        }
        bytes += done;
        length -= (size_t)done;
    }
}

void fzi_rpc_send(fzi_rpc *rpc, json_t *message)
{
    char header[64];
    char *text = json_dumps(message, JSON_COMPACT);
    json_decref(message);
    if (!text)
        return;
    int length = snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", strlen(text));
    write_all(rpc, header, (size_t)length);
    write_all(rpc, text, strlen(text));
    free(text);
}

void fzi_rpc_clear(fzi_rpc *rpc)
{
    free(rpc->buffer);
    *rpc = (fzi_rpc){0};
}

/* ---- members, failures, notifications ---- */

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
