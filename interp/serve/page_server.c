/* The server of the page, with libmicrohttpd. See page_server.h.
 *
 * Every page that a browser shows can send requests to this machine. So a request must name this
 * server as its host (a foreign name that leads here is refused: DNS rebinding), and nothing allows
 * other origins to read an answer. Every user of this machine can connect. So what concerns the
 * folder needs the key, in a header that other origins cannot send. Nobody locks out who has it:
 * when connections become few, the oldest on which no key was sent is closed. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "page_server.h"

#ifndef HAVE_MICROHTTPD

bool fzi_page_serves(void)
{
    return false;
}

bool fzi_page_serve(const fzi_page_task *task,
                    void (*until)(const fzi_page_task *task, uint16_t port))
{
    (void)task, (void)until;
    return false;
}

#else

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interp/support/on_demand.h"

#define HTTP_FUNCTIONS(F)                                                                         \
    F(add_response_header) F(create_response_from_buffer) F(create_response_from_fd)              \
    F(destroy_response) F(get_connection_info) F(get_daemon_info) F(lookup_connection_value)      \
    F(queue_response) F(set_connection_option) F(start_daemon) F(stop_daemon)

typedef struct http_library {
#define POINTER(name) FZI_POINTER(MHD_, name)
    HTTP_FUNCTIONS(POINTER)
#undef POINTER
} http_library;

enum {
    MAX_UPLOAD = 4 << 20,
    MAX_CONNECTIONS = 64, FREE_CONNECTIONS = 8,
    TIMEOUT = 3, TIMEOUT_WITH_KEY = 30, /* seconds without a byte */
    HTTP_PORT = 80,   /* browsers leave it out of the name of the host */
    TOO_LARGE = 413   /* its name in libmicrohttpd has changed */
};

typedef struct fzi_page_server {
    http_library http;
    struct MHD_Daemon *daemon;
    const fzi_page_task *task;
    uint16_t port;
    /* The thread of the server alone uses what follows. */
    unsigned open;                     /* connections */
    int strangers[MAX_CONNECTIONS];    /* those without a key so far, oldest first: sockets */
    unsigned stranger_count;
} fzi_page_server;

/* A request on its way. */
typedef struct request {
    char *bytes;
    size_t length;
    bool too_large;
} request;

#define OWN_POLICY                                                                                 \
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; " \
    "img-src 'self' data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; "               \
    "form-action 'none'; frame-ancestors 'none'"
/* Files that are not pages may not render or run anything. */
#define FILE_POLICY "default-src 'none'; frame-ancestors 'none'; sandbox"

static const struct {
    const char *ending, *type;
    bool is_page;
} types[] = {
    {".html", "text/html; charset=utf-8", true},
    {".js", "text/javascript; charset=utf-8", true},
    {".css", "text/css; charset=utf-8", false},
    {".json", "application/json", false},
    {".svg", "image/svg+xml", false},
    {".wasm", "application/wasm", false},
    {".game", "text/plain; charset=utf-8", false},
    {".txt", "text/plain; charset=utf-8", false},
};
enum { TYPES = sizeof types / sizeof *types };

static const char *header(const fzi_page_server *server, struct MHD_Connection *connection,
                          const char *name)
{
    return server->http.lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* ---- answers ---- */

static enum MHD_Result send_answer(const fzi_page_server *server,
                                   struct MHD_Connection *connection, unsigned status,
                                   struct MHD_Response *response, const char *type,
                                   const char *policy)
{
    enum MHD_Result result;

    if (!response)
        return MHD_NO;
    server->http.add_response_header(response, "Content-Type", type);
    server->http.add_response_header(response, "Content-Security-Policy", policy);
    server->http.add_response_header(response, "X-Content-Type-Options", "nosniff");
    server->http.add_response_header(response, "Referrer-Policy", "no-referrer");
    server->http.add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
    server->http.add_response_header(response, "Cross-Origin-Opener-Policy", "same-origin");
    server->http.add_response_header(response, "Cache-Control", "no-cache");
    if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
        server->http.add_response_header(response, "Allow", "GET, HEAD");
    result = server->http.queue_response(connection, status, response);
    server->http.destroy_response(response);
    return result;
}

static enum MHD_Result send_text(const fzi_page_server *server, struct MHD_Connection *connection,
                                 unsigned status, const char *text)
{
    return send_answer(server, connection, status,
                       server->http.create_response_from_buffer(strlen(text), (void *)text,
                                                                MHD_RESPMEM_MUST_COPY),
                       "text/plain; charset=utf-8", FILE_POLICY);
}

static enum MHD_Result not_found(const fzi_page_server *server, struct MHD_Connection *connection)
{
    return send_text(server, connection, MHD_HTTP_NOT_FOUND, "There is no such file.\n");
}

/* The compressed form of a file, if it lies beside the file and the browser reads it; -1. */
static int open_packed(const fzi_page_server *server, struct MHD_Connection *connection, int folder,
                       const char *path, size_t *size)
{
    const char *accepted = header(server, connection, "Accept-Encoding");
    char name[256];
    int length = snprintf(name, sizeof name, "%s.gz", path);

    return accepted && strstr(accepted, "gzip") && length > 0 && (size_t)length < sizeof name
               ? fzi_page_open(folder, name, size) : -1;
}

/* What browsers compare to know whether they have the file. */
static void write_tag(int file, bool packed, char *tag, size_t size)
{
    struct stat info = {0};

    fstat(file, &info);
    snprintf(tag, size, "\"%llx.%lx.%llx%s\"", (unsigned long long)info.st_mtim.tv_sec,
             (unsigned long)info.st_mtim.tv_nsec, (unsigned long long)info.st_size,
             packed ? ".gz" : "");
}

/* With `packs`, compressed files are sent as such. */
static enum MHD_Result send_file(const fzi_page_server *server, struct MHD_Connection *connection,
                                 int folder, const char *path, bool packs)
{
    const char *ending = strrchr(path, '.'), *had = header(server, connection, "If-None-Match");
    size_t size = 0;
    char tag[64];
    int t = 0;

    while (t < TYPES && !(ending && strcmp(ending, types[t].ending) == 0))
        t++;
    int file = packs && t < TYPES ? open_packed(server, connection, folder, path, &size) : -1;
    bool packed = file >= 0;
    if (!packed && t < TYPES)
        file = fzi_page_open(folder, path, &size);
    if (file < 0)
        return not_found(server, connection);
    write_tag(file, packed, tag, sizeof tag);
    bool same = had && strcmp(had, tag) == 0;
    if (same)
        close(file);
    struct MHD_Response *response =
        same ? server->http.create_response_from_buffer(0, "", MHD_RESPMEM_PERSISTENT)
             : server->http.create_response_from_fd(size, file);
    if (!response)
        return MHD_NO;
    server->http.add_response_header(response, "ETag", tag);
    server->http.add_response_header(response, "Vary", "Accept-Encoding");
    if (packed && !same)
        server->http.add_response_header(response, "Content-Encoding", "gzip");
    return send_answer(server, connection, same ? MHD_HTTP_NOT_MODIFIED : MHD_HTTP_OK, response,
                       types[t].type, types[t].is_page ? OWN_POLICY : FILE_POLICY);
}

static enum MHD_Result send_list(const fzi_page_server *server, struct MHD_Connection *connection)
{
    bool all = false;
    json_t *files = fzi_page_scripts(server->task->scripts, &all);
    json_t *list = json_pack("{s:o, s:b, s:b}", "files", files, "all", all, "may_save",
                             server->task->may_save);
    char *text = list ? json_dumps(list, JSON_COMPACT) : NULL;

    json_decref(list);
    if (!text)
        return MHD_NO;
    return send_answer(server, connection, MHD_HTTP_OK,
                       server->http.create_response_from_buffer(strlen(text), text,
                                                                MHD_RESPMEM_MUST_FREE),
                       "application/json", FILE_POLICY);
}

/* ---- who asks ---- */

/* Is it "127.0.0.1:PORT" or "localhost:PORT"? */
static bool names_server(const fzi_page_server *server, const char *host)
{
    static const char *const names[] = {"127.0.0.1", "localhost"};
    char wanted[32];

    for (size_t i = 0; host && i < sizeof names / sizeof *names; i++) {
        snprintf(wanted, sizeof wanted, "%s:%u", names[i], server->port);
        if (strcasecmp(host, wanted) == 0 ||
            (server->port == HTTP_PORT && strcasecmp(host, names[i]) == 0))
            return true;
    }
    return false;
}

static bool is_own_origin(const fzi_page_server *server, const char *origin)
{
    return !origin || (strncmp(origin, "http://", 7) == 0 && names_server(server, origin + 7));
}

/* Compares all characters, so that the time tells nothing about the key. */
static bool has_key(const fzi_page_server *server, struct MHD_Connection *connection)
{
    const char *key = server->task->key, *given = header(server, connection, "X-Ferz-Key");
    unsigned different = 0;

    if (!given || strlen(given) != strlen(key))
        return false;
    for (size_t i = 0; key[i]; i++)
        different |= (unsigned)(key[i] ^ given[i]);
    return different == 0;
}

/* ---- connections ---- */

static int socket_of(const fzi_page_server *server, struct MHD_Connection *connection)
{
    return server->http.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)
        ->connect_fd;
}

static void forget_stranger(fzi_page_server *server, int socket)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < server->stranger_count; i++)
        if (server->strangers[i] != socket)
            server->strangers[kept++] = server->strangers[i];
    server->stranger_count = kept;
}

static void note_key(fzi_page_server *server, struct MHD_Connection *connection)
{
    forget_stranger(server, socket_of(server, connection));
    server->http.set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT,
                                       (unsigned)TIMEOUT_WITH_KEY);
}

/* A connection begins or ends. */
static void connected(void *user, struct MHD_Connection *connection, void **kept,
                      enum MHD_ConnectionNotificationCode what)
{
    fzi_page_server *server = user;
    int socket = socket_of(server, connection);

    (void)kept;
    if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
        server->open--;
        forget_stranger(server, socket);
        return;
    }
    if (++server->open > MAX_CONNECTIONS - FREE_CONNECTIONS && server->stranger_count) {
        shutdown(server->strangers[0], SHUT_RDWR);
        forget_stranger(server, server->strangers[0]);
    }
    if (server->stranger_count < MAX_CONNECTIONS)
        server->strangers[server->stranger_count++] = socket;
}

static bool is_of_folder(const char *path)
{
    return strcmp(path, "/files.list") == 0 || strncmp(path, "/files/", 7) == 0;
}

/* ---- requests ---- */

static enum MHD_Result save(const fzi_page_server *server, struct MHD_Connection *connection,
                            const char *path, const request *upload)
{
    if (!server->task->may_save)
        return send_text(server, connection, MHD_HTTP_FORBIDDEN,
                         "Files are written only with `ferz web --save`.\n");
    if (upload->too_large)
        return send_text(server, connection, TOO_LARGE, "The text is too large.\n");
    if (!fzi_page_is_script(path) ||
        !fzi_page_write(server->task->scripts, path, upload->bytes ? upload->bytes : "",
                        upload->length))
        return send_text(server, connection, MHD_HTTP_FORBIDDEN, "The file cannot be written.\n");
    return send_text(server, connection, MHD_HTTP_OK, "saved\n");
}

static enum MHD_Result read_path(const fzi_page_server *server, struct MHD_Connection *connection,
                                 const char *path)
{
    if (strcmp(path, "/files.list") == 0)
        return send_list(server, connection);
    if (strncmp(path, "/files/", 7) == 0)
        return fzi_page_is_script(path)
                   ? send_file(server, connection, server->task->scripts, path + 7, false)
                   : not_found(server, connection);
    return send_file(server, connection, server->task->page,
                     strcmp(path, "/") == 0 ? "index.html" : path + 1, true);
}

static enum MHD_Result answer(const fzi_page_server *server, struct MHD_Connection *connection,
                              const char *path, const char *method, const request *upload)
{
    if (!names_server(server, header(server, connection, "Host")))
        return send_text(server, connection, MHD_HTTP_FORBIDDEN,
                         "This server answers to 127.0.0.1 and localhost only.\n");
    if (!is_own_origin(server, header(server, connection, "Origin")))
        return send_text(server, connection, MHD_HTTP_FORBIDDEN, "Other pages may not ask here.\n");
    if (path[0] != '/')
        return not_found(server, connection);
    if (is_of_folder(path) && !has_key(server, connection))
        return send_text(server, connection, MHD_HTTP_FORBIDDEN,
                         "This needs the key of the address that `ferz web` printed.\n");
    if (strcmp(method, "PUT") == 0 && strncmp(path, "/files/", 7) == 0)
        return save(server, connection, path + 7, upload);
    if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
        return send_text(server, connection, MHD_HTTP_METHOD_NOT_ALLOWED,
                         "Only GET is answered.\n");
    return read_path(server, connection, path);
}

/* Keeps a part of the body of a PUT; all others are dropped. */
static void keep(request *r, const char *bytes, size_t length, bool wanted)
{
    if (!wanted || r->too_large)
        return;
    r->too_large = length > MAX_UPLOAD - r->length;
    char *grown = r->too_large ? NULL : realloc(r->bytes, r->length + length);
    if (!grown) {
        r->too_large = true;
        return;
    }
    memcpy(grown + r->length, bytes, length);
    r->bytes = grown;
    r->length += length;
}

/* libmicrohttpd calls it when the head is there, for each part of a body, and at the end. */
static enum MHD_Result handle(void *user, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *bytes,
                              size_t *length, void **kept)
{
    fzi_page_server *server = user;
    request *r = *kept;

    (void)version;
    if (!r) {
        if (has_key(server, connection))
            note_key(server, connection);
        *kept = calloc(1, sizeof *r);
        return *kept ? MHD_YES : MHD_NO;
    }
    if (*length) {
        keep(r, bytes, *length, server->task->may_save && strcmp(method, "PUT") == 0 &&
                                    has_key(server, connection));
        *length = 0;
        return MHD_YES;
    }
    return answer(server, connection, path, method, r);
}

static void completed(void *user, struct MHD_Connection *connection, void **kept,
                      enum MHD_RequestTerminationCode why)
{
    request *r = *kept;

    (void)user, (void)connection, (void)why;
    if (r)
        free(r->bytes);
    free(r);
    *kept = NULL;
}

/* ---- the server ---- */

static bool load(http_library *http)
{
#ifdef MICROHTTPD_SONAME
    FZI_LOAD(MICROHTTPD_SONAME);
#define FIND(name) FZI_LOOK_UP(http, MHD_, name)
#else
#define FIND(name) FZI_LINKED(http, MHD_, name)
#endif
    HTTP_FUNCTIONS(FIND)
#undef FIND
    return true;
}

bool fzi_page_serves(void)
{
    http_library http;

    return load(&http);
}

bool fzi_page_serve(const fzi_page_task *task,
                    void (*until)(const fzi_page_task *task, uint16_t port))
{
    fzi_page_server server = {.task = task, .port = task->port};
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(task->port)};
    const union MHD_DaemonInfo *info;

    if (!load(&server.http))
        return false;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    errno = 0;
    server.daemon = server.http.start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD, task->port, NULL, NULL, handle, &server,
        MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)MAX_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)TIMEOUT,
        MHD_OPTION_NOTIFY_COMPLETED, completed, NULL, MHD_OPTION_NOTIFY_CONNECTION, connected,
        &server, MHD_OPTION_END);
    if (!server.daemon)
        return false;
    info = server.http.get_daemon_info(server.daemon, MHD_DAEMON_INFO_BIND_PORT);
    if (info)
        server.port = info->port;
    until(task, server.port);
    server.http.stop_daemon(server.daemon);
    return true;
}

#endif
