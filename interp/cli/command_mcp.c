/* ferz mcp: tools for language models (Model Context Protocol): JSON-RPC, a message a line, on
 * standard input and output. See mcp.h. */
#include "mcp.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interp/support/buffer.h"
#include "interp/support/context.h"

enum error { PARSE = -32700, REQUEST = -32600, METHOD = -32601, PARAMETERS = -32602 };

/* The newest last: it is offered to a client that wants another. */
static const char *const versions[] = {"2024-11-05", "2025-03-26", "2025-06-18"};

static const char instructions[] =
    "Ferz is a language for board games. Call `language` before you write a script. Give scripts "
    "to `check` and `test`; then read `rules`, look at `show` and `moves`, and run `playout`.";

/* ---- answering ---- */

static void send(const fzi_mcp *mcp, json_t *message)
{
    if (mcp->batch) {
        json_array_append_new(mcp->batch, message);
        return;
    }
    char *text = json_dumps(message, JSON_COMPACT);
    puts(text);
    fflush(stdout); /* main sees a failure */
    free(text);
    json_decref(message);
}

static void answer(const fzi_mcp *mcp, json_t *id, json_t *result)
{
    send(mcp, json_pack("{s:s, s:O, s:o}", "jsonrpc", "2.0", "id", id, "result", result));
}

static void refuse(const fzi_mcp *mcp, json_t *id, enum error code, const char *message)
{
    send(mcp, json_pack("{s:s, s:O, s:{s:i, s:s}}", "jsonrpc", "2.0", "id", id ? id : json_null(),
                        "error", "code", code, "message", message));
}

static void initialize(const fzi_mcp *mcp, json_t *id, const json_t *params)
{
    const char *wanted = json_string_value(json_object_get(params, "protocolVersion"));
    size_t count = sizeof versions / sizeof versions[0], i = 0;

    while (i < count - 1 && (!wanted || strcmp(versions[i], wanted) != 0))
        i++;
    answer(mcp, id, json_pack("{s:s, s:{s:{}}, s:{s:s, s:s}, s:s}", "protocolVersion", versions[i],
                              "capabilities", "tools", "serverInfo", "name", "ferz", "version",
                              fz_version(), "instructions", instructions));
}

/* What a command prints need not be UTF-8 where it was cut. */
static json_t *as_text(fz_context *context, const char *text)
{
    fzi_buffer buffer = fzi_buffer_in(context->allocator);

    fzi_buffer_json(&buffer, "s", text);
    json_t *value = json_loads(fzi_buffer_get(&buffer), JSON_DECODE_ANY, NULL);
    fzi_buffer_free(&buffer);
    return value ? value : json_string("");
}

static void call_tool(fzi_mcp *mcp, fz_context *context, json_t *id, const json_t *params)
{
    const char *name = json_string_value(json_object_get(params, "name"));
    json_t *arguments = json_object_get(params, "arguments");
    fzi_mcp_answer said = {0};

    if (arguments && !json_is_object(arguments)) {
        refuse(mcp, id, PARAMETERS, "`arguments` must be an object");
        return;
    }
    mcp->running = json_dumps(id, JSON_ENCODE_ANY);
    mcp->looked = mcp->begin;
    bool known = fzi_mcp_call(mcp, name, arguments, &said);
    free(mcp->running);
    mcp->running = NULL;
    if (!known)
        refuse(mcp, id, PARAMETERS, "no such tool");
    else if (!said.cancelled)
        answer(mcp, id, json_pack("{s:[{s:s, s:o}], s:b}", "content", "type", "text", "text",
                                  as_text(context, said.text), "isError", said.wrong));
    free(said.text);
}

static void handle(fzi_mcp *mcp, fz_context *context, json_t *message)
{
    const char *method = json_string_value(json_object_get(message, "method"));
    json_t *id = json_object_get(message, "id"), *params = json_object_get(message, "params");
    bool is_request = json_is_string(id) || json_is_integer(id);

    if (!json_is_object(message) || (!method && !json_object_get(message, "result") &&
                                     !json_object_get(message, "error")) || (id && !is_request))
        refuse(mcp, is_request ? id : NULL, REQUEST, "a request of JSON-RPC 2.0 is expected");
    else if (!method || !is_request)
        return; /* an answer, a notification */
    else if (strcmp(method, "initialize") == 0)
        initialize(mcp, id, params);
    else if (strcmp(method, "ping") == 0)
        answer(mcp, id, json_object());
    else if (strcmp(method, "tools/list") == 0)
        answer(mcp, id, fzi_mcp_tools(mcp));
    else if (strcmp(method, "tools/call") == 0)
        call_tool(mcp, context, id, params);
    else
        refuse(mcp, id, METHOD, "no such method");
}

/* Version 2025-03-26 of the protocol has batches: several messages at once. */
static void handle_batch(fzi_mcp *mcp, fz_context *context, json_t *messages)
{
    json_t *answers = json_array(), *message;
    size_t i;

    mcp->batch = answers;
    json_array_foreach(messages, i, message)
        handle(mcp, context, message);
    mcp->batch = NULL;
    if (json_array_size(answers))
        send(mcp, answers);
    else
        json_decref(answers);
}

/* JSON, but with numbers that no argument may have. The request is told so, if there is one. */
static void refuse_numbers(const fzi_mcp *mcp, const json_t *message)
{
    json_t *id = json_object_get(message, "id"), *whole = NULL;

    if (json_is_real(id) && fabs(json_real_value(id)) < 0x1p53)
        id = whole = json_integer((json_int_t)json_real_value(id));
    refuse(mcp, json_is_string(id) || whole ? id : NULL, REQUEST,
           "a number is too large: all are below 2^63");
    json_decref(whole);
}

static void handle_line(fzi_mcp *mcp, fz_context *context, const char *line)
{
    const size_t any = JSON_DECODE_ANY | JSON_ALLOW_NUL;
    json_t *message = json_loads(line, any, NULL);
    json_t *rough = message ? NULL : json_loads(line, any | JSON_DECODE_INT_AS_REAL, NULL);

    if (json_array_size(message))
        handle_batch(mcp, context, message);
    else if (message)
        handle(mcp, context, message);
    else if (rough)
        refuse_numbers(mcp, rough);
    else if (line[strspn(line, " \t\r")])
        refuse(mcp, NULL, PARSE, "this is not JSON");
    json_decref(rough);
    json_decref(message);
}

static int serve(fzi_mcp *mcp, fz_context *context)
{
    for (char *line; !ferror(stdout);) {
        if ((line = fzi_mcp_next_line(mcp))) {
            handle_line(mcp, context, line);
            free(line);
        } else if (mcp->ended) {
            break;
        } else if (mcp->length - mcp->begin >= FZI_MCP_MOST_INPUT) {
            return fzi_cli_complain(mcp->cli, "a message is longer than 4 MiB");
        } else {
            fzi_mcp_read(mcp);
        }
    }
    if (mcp->failed)
        return fzi_cli_complain(mcp->cli, "standard input cannot be read: %s",
                                strerror(mcp->failed));
    return FZ_EXIT_OK;
}

/* Commands run in other folders. */
static void make_absolute(const char *name)
{
    const char *given = getenv(name);
    char *real = given && *given ? realpath(given, NULL) : NULL;

    if (real)
        setenv(name, real, 1);
    free(real);
}

/* The errno that says why this is no folder that can be read; 0: it is one. NULL: errno says it. */
static int folder_problem(const char *folder)
{
    struct stat info;

    if (!folder || stat(folder, &info) != 0)
        return errno;
    return !S_ISDIR(info.st_mode) ? ENOTDIR : access(folder, R_OK | X_OK) != 0 ? errno : 0;
}

int fzi_cli_mcp(const fzi_cli *cli)
{
    const char *given = cli->words.count ? cli->words.items[0] : NULL;
    char *folder = given ? realpath(given, NULL) : NULL;
    int problem = given ? folder_problem(folder) : 0;
    fzi_mcp mcp = {.cli = cli, .folder = folder};

    if (problem) {
        free(folder);
        return fzi_cli_complain(cli, "%s: %s", given, strerror(problem));
    }
    fz_context *context = fzi_session_context(cli);
    if (!context)
        return FZ_EXIT_USAGE;
    make_absolute("FERZ_GAMES");
    make_absolute("FERZ_STDLIB");
    fzi_mcp_guard();
    int code = serve(&mcp, context);
    fz_context_free(context);
    free(mcp.input);
    free(folder);
    return code;
}
