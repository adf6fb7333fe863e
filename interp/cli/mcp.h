/* `ferz mcp`, in four parts: the protocol (command_mcp.c), what comes in (mcp_input.c), tools and
 * their arguments (mcp_tools.c), and a command in a process of its own (mcp_child.c). */
#ifndef FZ_CLI_MCP_H
#define FZ_CLI_MCP_H

#include "cli.h"

#include <signal.h>

enum { FZI_MCP_MOST_INPUT = 4 << 20 }; /* bytes that may wait */

typedef struct fzi_mcp {
    const fzi_cli *cli;
    const char *folder;     /* the served folder, without links; NULL */
    char *input;            /* what came in, and was not answered from `begin` on */
    size_t begin, length, room;
    size_t looked;          /* no line before this place cancels the running request */
    bool ended;             /* nothing more comes in, */
    int failed;             /* as it cannot be read: errno; 0 */
    char *running;          /* the request that is being answered, as JSON; NULL */
    json_t *batch;          /* answers to a batch; NULL: there is none */
} fzi_mcp;

/* What a tool answers: a text, and whether it is an error. `text` is to be freed. */
typedef struct fzi_mcp_answer {
    char *text;
    bool wrong;
    bool cancelled;         /* nobody waits for it */
} fzi_mcp_answer;

/* ---- mcp_input.c ---- */

/* Waits for input and reads once. */
void fzi_mcp_read(fzi_mcp *mcp);
/* The next whole line, to be freed; NULL: there is none yet. */
char *fzi_mcp_next_line(fzi_mcp *mcp);
/* Does one of the lines that wait cancel the running request? The others are answered later. */
bool fzi_mcp_is_cancelled(fzi_mcp *mcp);

/* ---- mcp_tools.c ---- */

/* The answer to tools/list. */
json_t *fzi_mcp_tools(const fzi_mcp *mcp);
/* False: there is no such tool. */
bool fzi_mcp_call(fzi_mcp *mcp, const char *name, json_t *arguments, fzi_mcp_answer *answer);

/* ---- mcp_child.c ---- */

/* Runs a command in the folder, with the text as its input, and waits for it. The words begin with
 * "ferz" and end with NULL. What it starts ends with it. */
fzi_mcp_answer fzi_mcp_run(fzi_mcp *mcp, const char *folder, char **words, size_t count,
                           const char *input);
/* Signals that end the server end its child first, and delete its folder. */
void fzi_mcp_guard(void);
/* The folder of the running call, which has this file at most; one at a time. */
void fzi_mcp_guard_folder(const char *folder, const char *file);
void fzi_mcp_delete_folder(void);

#endif
