/* The state of the language server, which its files share.
 *
 * server.c reads messages into a queue and answers them in order; methods.def lists the methods.
 * documents.c holds the texts of open files, which stand for those on the disk. Everything else
 * answers questions about the analysis of a document, with grammar/query/. */
#ifndef FZ_INTERP_LSP_LSP_H
#define FZ_INTERP_LSP_LSP_H

#include <jansson.h>
#include <setjmp.h>

#include "ferz_tools.h"
#include "grammar/query/query.h"

/* ---- rpc.c: messages with a header, on two descriptors ----
 *
 * Nothing that a client sends ends the server: after a damaged message, reading continues at the
 * next header. */

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

/* ---- the state ---- */

/* An open file. */
typedef struct fzi_document {
    char *uri, *path; /* as the client calls it; absolute, or the rest of a URI that is no file */
    char *text;
    size_t length;
    json_int_t version;
    fzi_analysis *analysis; /* of the present text; NULL: to be made */
    fzi_mentions mentions;  /* of the own text, in the analysis */
    bool has_mentions;
    bool is_published;      /* the client has the diagnostics of the present text */
    struct fzi_document *next;
} fzi_document;

enum fzi_lsp_error {
    FZI_LSP_PARSE_ERROR = -32700,
    FZI_LSP_INVALID_REQUEST = -32600,
    FZI_LSP_METHOD_NOT_FOUND = -32601,
    FZI_LSP_INVALID_PARAMS = -32602,
    FZI_LSP_INTERNAL_ERROR = -32603,
    FZI_LSP_NOT_INITIALIZED = -32002,
    FZI_LSP_REQUEST_FAILED = -32803,
    FZI_LSP_REQUEST_CANCELLED = -32800
};

/* The capabilities of the client. */
typedef struct fzi_lsp_client {
    bool utf8;              /* columns count bytes; otherwise UTF-16 units */
    bool markdown;          /* in hovers and documentation */
    bool snippets;          /* in completions */
    bool multiline_tokens;
    bool version_support;   /* in diagnostics */
    bool pulls, refreshes;  /* asks for diagnostics; can be told to ask again */
} fzi_lsp_client;

typedef struct fzi_lsp {
    fzi_rpc rpc;
    fz_context *context;
    fzi_document *documents;
    char **roots;           /* the folders of the workspace */
    size_t root_count;
    fzi_lsp_client client;
    json_t *queue;          /* messages to be answered */
    bool is_initialized, is_shut_down, is_done;
    jmp_buf no_memory;      /* for analyses that run out of memory */
    int error;              /* of the request that is being answered; 0: none */
    const char *error_message;
    bool refreshes;         /* the client shall ask for diagnostics again */
    json_t *index;          /* what declares names: path to stamp of the file and its symbols */
    json_t *unindexed;      /* paths that are to be read when there is nothing else to do */
    char *manual;           /* the index of the manual; NULL: not read yet */
    const char *manual_root;
} fzi_lsp;

/* ---- requests ---- */

/* The subject of a message. A method is called only if its subject was found. */
enum fzi_lsp_subject {
    FZI_LSP_NOTHING,  /* of an open document */
    FZI_LSP_DOCUMENT, /* an open document; */
    FZI_LSP_TEXT,     /* its text: the analysis too; */
    FZI_LSP_RANGE,    /* params.range: `offset` and `end` too; */
    FZI_LSP_PLACE     /* params.position: `offset` and `mention` too */
};

typedef struct fzi_lsp_place {
    fzi_lsp *lsp;
    const json_t *params;
    fzi_document *document;
    fzi_analysis *analysis;
    const fzi_source *source;
    uint32_t offset, end;
    const fzi_mention *mention; /* the name there, or NULL */
} fzi_lsp_place;

/* Answers one method; a new reference, or NULL for null. On failure it calls fzi_lsp_fail. */
typedef json_t *fzi_lsp_method(const fzi_lsp_place *at);
#define METHOD(name, function, is_request, subject) fzi_lsp_method function;
#include "methods.def"
#undef METHOD

/* ---- rpc.c: members of messages, failures, notifications ---- */

/* Returns NULL. `message` must outlive the request. */
json_t *fzi_lsp_fail(fzi_lsp *lsp, enum fzi_lsp_error error, const char *message);
/* A notification to the client; gives params up. */
void fzi_lsp_notify(fzi_lsp *lsp, const char *method, json_t *params);

/* A string; never NULL, also of a text that is not UTF-8. */
json_t *fzi_lsp_string(const char *text);
/* The member at a path such as "position.line", or NULL. */
const json_t *fzi_lsp_member(const json_t *object, const char *path);
const char *fzi_lsp_member_text(const json_t *object, const char *path);
bool fzi_lsp_member_true(const json_t *object, const char *path);

/* ---- documents.c ---- */

/* Finds the subject of a message. False: there is none; fzi_lsp_fail was called, or the text is too
 * large to be analysed. */
bool fzi_lsp_find(fzi_lsp *lsp, const json_t *params, enum fzi_lsp_subject subject,
                  fzi_lsp_place *place);
fzi_document *fzi_lsp_document_at(const fzi_lsp *lsp, const char *path);
/* The analysis of its present text; NULL: the text is too large. */
fzi_analysis *fzi_document_analysis(fzi_lsp *lsp, fzi_document *document);
/* The names in its text. */
const fzi_mentions *fzi_document_mentions(fzi_lsp *lsp, fzi_document *document);
void fzi_documents_outdate(fzi_lsp *lsp);

void fzi_documents_clear(fzi_lsp *lsp);
/* For fz_context_set_overlay. */
const char *fzi_documents_overlay(void *lsp, const char *path, size_t *length);
/* A new text (free) with the path of a URI, and with the URI of a path. */
char *fzi_path_of_uri(const char *uri);
char *fzi_uri_of_path(const fzi_lsp *lsp, const char *path);
json_t *fzi_lsp_location(const fzi_lsp *lsp, const fzi_analysis *analysis, fzi_span span);

/* ---- places.c: bytes of a text and positions of the protocol ---- */

json_t *fzi_lsp_position(const fzi_lsp *lsp, const fzi_source *source, uint32_t offset);
json_t *fzi_lsp_range(const fzi_lsp *lsp, const fzi_source *source, uint32_t start, uint32_t end);
json_t *fzi_lsp_span_range(const fzi_lsp *lsp, const fzi_analysis *analysis, fzi_span span);
/* A position outside of the text means the nearest place in it. False: it is no position. */
bool fzi_lsp_offset(const fzi_lsp *lsp, const fzi_document *document, const json_t *position,
                    uint32_t *offset);
/* The length of a text in the units of the client's columns. */
uint32_t fzi_lsp_units(const fzi_lsp *lsp, const char *text, size_t length);

/* An edit of the analysed text. */
json_t *fzi_lsp_text_edit(const fzi_lsp *lsp, const fzi_analysis *analysis, fzi_span span,
                          const char *text);

/* ---- publish.c ---- */

void fzi_lsp_publish(fzi_lsp *lsp, fzi_document *document);

/* ---- outline.c ---- */

/* Reads one of the files that are not in the index yet; there must be one. */
void fzi_lsp_index_next(fzi_lsp *lsp);

/* ---- commands.c ---- */

/* The names of the commands that the server runs. */
json_t *fzi_lsp_commands(void);

/* ---- initialize.c ---- */

void fzi_lsp_clear_roots(fzi_lsp *lsp);

/* ---- manual.c ---- */

/* A link to the section that explains the word, for a hover, and what the manual says of it; NULL:
 * it has no such word, or is not installed. */
const char *fzi_manual_link(fzi_lsp *lsp, fzi_arena *arena, const char *word, const char **meaning);

/* ---- picture.c ---- */

/* The start position with a star on each site of the set, in the analysis; NULL: the script has
 * errors, or the set depends on names that have no value there. A set that depends on `here` is
 * drawn for a site in the middle. */
const char *fzi_set_picture(const fzi_lsp_place *at, const fzi_node *set);

/* ---- semantic_tokens.c ---- */

json_t *fzi_lsp_legend(void);

/* ---- workspace.c: the scripts of the workspace, and the uses of a name in all of them ---- */

/* A name by its first declaration. */
typedef struct fzi_name {
    const char *text;
    const char *path;   /* the file that declares it; NULL: it is built in */
    uint32_t start;     /* its place in that file */
    bool is_local;      /* of a body, so no other file uses it */
} fzi_name;

/* A place where the name stands. */
typedef struct fzi_use_place {
    char *uri, *path;
    json_t *range;
    uint32_t start, end; /* bytes of the text */
    bool declares;
} fzi_use_place;

typedef struct fzi_name_uses {
    fzi_use_place *items;
    size_t count;
} fzi_name_uses;

/* All uses in the document, the files that it consists of, other open documents and, unless the
 * name is built in or local, all scripts in the folders of the workspace. */
fzi_name_uses fzi_workspace_uses(fzi_lsp *lsp, fzi_document *document, const fzi_name *name);
void fzi_uses_clear(fzi_name_uses *uses);
/* True if this name at these places causes errors or gets another meaning somewhere. */
bool fzi_workspace_clashes(fzi_lsp *lsp, fzi_document *document, const fzi_name_uses *uses,
                           const char *name);
/* True if the file is open or in a folder of the workspace. Other files must not be changed. */
bool fzi_workspace_owns(const fzi_lsp *lsp, const char *path);

/* Calls `visit` for each script of the workspace, open or not. */
typedef void fzi_workspace_visit(void *user, const char *path);
void fzi_workspace_each(const fzi_lsp *lsp, fzi_workspace_visit *visit, void *user);

/* ---- server.c ---- */

/* Serves one client on the descriptors until the input ends or it sends `exit`. Returns 0 after
 * `shutdown`, else 1. */
int fzi_lsp_serve(fz_context *context, int in, int out);

#endif
