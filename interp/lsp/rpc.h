/* The wire: messages with a header, on two descriptors. Nothing that a client sends ends the
 * server: after a damaged message, reading goes on at the next header. */
#ifndef FZ_INTERP_LSP_RPC_H
#define FZ_INTERP_LSP_RPC_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct fzi_rpc {
    int in, out;
    char *buffer;          /* bytes read and not yet used */
    size_t used, capacity;
    size_t to_skip;        /* bytes of a message that is too large */
    bool is_read, is_closed; /* no more input; the client reads no more output */
} fzi_rpc;

enum fzi_rpc_event {
    FZI_RPC_NOTHING, /* not yet */
    FZI_RPC_MESSAGE,
    FZI_RPC_DAMAGED, /* a header without a length, or contents that are not JSON */
    FZI_RPC_END
};

/* The next message, which the caller owns. `wait`: until there is one. */
enum fzi_rpc_event fzi_rpc_read(fzi_rpc *rpc, bool wait, json_t **message);
/* Gives the message up. */
void fzi_rpc_send(fzi_rpc *rpc, json_t *message);
void fzi_rpc_clear(fzi_rpc *rpc);

/* realloc that never returns NULL: without memory it ends the program. */
void *fzi_lsp_resize(void *ptr, size_t size);
/* A copy of `length` bytes and a NUL; free. */
char *fzi_lsp_copy(const char *text, size_t length);

#endif
