/* Serves the page of interp/web and the scripts of a folder to browsers of this machine. */
#ifndef FZ_INTERP_SERVE_PAGE_SERVER_H
#define FZ_INTERP_SERVE_PAGE_SERVER_H

#include <stdbool.h>
#include <stdint.h>

/* Descriptors of folders: the caller's. */
typedef struct fzi_page_task {
    int page;         /* the page's own files */
    int scripts;      /* /files/ */
    bool may_save;    /* scripts may be written */
    const char *key;  /* requests for scripts must have it; a text of visible ASCII characters */
    uint16_t port;    /* 0: a free one */
} fzi_page_task;

typedef struct fzi_page_server fzi_page_server;

/* Was Ferz built with a server? */
bool fzi_page_serves(void);
/* Starts a thread that answers on 127.0.0.1; the task must live as long. NULL: errno says why. */
fzi_page_server *fzi_page_server_new(const fzi_page_task *task);
uint16_t fzi_page_server_port(const fzi_page_server *server);
void fzi_page_server_free(fzi_page_server *server);

#endif
