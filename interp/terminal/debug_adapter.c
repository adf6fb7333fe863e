/* The debugger of rules for editors (Debug Adapter Protocol). Requests become calls of the
 * debugger; what it prints goes to the editor's console. See debugger.h. */
#include "debugger.h"

#include <errno.h>
#include <limits.h>
#include <unistd.h>

#include "interp/lsp/lsp.h"

enum { THREAD = 1, POSITION = 1, NAMES = 2 /* references of variables */ };

typedef struct adapter {
    fzi_rpc rpc;
    fzi_debug_open *open;
    void *user;
    json_t *arguments;    /* of the launch request, which live as long as the game; NULL */
    fzi_debugger d;
    bool stops_on_entry, is_done;
    json_int_t sent;
    int printed;          /* a file: standard output and errors go there */
    const char *stopped;  /* the reason, to be told after the answer; NULL */
    const char *event;    /* another event to be sent after it; NULL */
    char *failure;        /* of the request; NULL: none */
} adapter;

/* ---- messages ---- */

static void send_message(adapter *a, json_t *message)
{
    json_object_set_new(message, "seq", json_integer(++a->sent));
    fzi_rpc_send(&a->rpc, message);
}

static void send_event(adapter *a, const char *event, json_t *body)
{
    send_message(a, json_pack("{s:s, s:s, s:o}", "type", "event", "event", event, "body",
                              body ? body : json_object()));
}

/* What was printed since the last call; to be freed. */
static char *take_printed(adapter *a)
{
    fflush(stdout);
    off_t end = lseek(a->printed, 0, SEEK_END);
    size_t size = end > 0 ? (size_t)end : 0;
    char *text = fzi_cli_allocate(NULL, size + 1);
    ssize_t got = pread(a->printed, text, size, 0);

    text[got > 0 ? got : 0] = '\0';
    if (ftruncate(a->printed, 0) == 0)
        lseek(a->printed, 0, SEEK_SET);
    return text;
}

static json_t *fail(adapter *a, const char *message)
{
    free(a->failure);
    a->failure = fzi_cli_text("%s", message);
    return NULL;
}

/* ---- launching ---- */

static json_t *launch(adapter *a, json_t *arguments)
{
    if (!json_is_string(json_object_get(arguments, "program")) || a->arguments)
        return fail(a, a->arguments ? "a game is being debugged"
                                    : "launch needs a program: a script");
    a->arguments = json_incref(arguments);
    a->stops_on_entry = !json_is_false(json_object_get(arguments, "stopOnEntry"));
    if (!a->open(a->user, arguments, &a->d)) {
        char *text = take_printed(a);
        fail(a, *text ? text : "the game cannot be run");
        free(text);
        json_decref(a->arguments);
        a->arguments = NULL;
        return NULL;
    }
    a->event = "initialized";
    return json_object();
}

static json_t *initialize(adapter *a, json_t *arguments)
{
    (void)a, (void)arguments;
    return json_pack("{s:b, s:b, s:b, s:b}", "supportsConfigurationDoneRequest", true,
                     "supportsStepBack", true, "supportsEvaluateForHovers", true,
                     "supportsTerminateRequest", true);
}

static json_t *configured(adapter *a, json_t *arguments)
{
    (void)arguments;
    if (a->stops_on_entry)
        fzi_debugger_show(&a->d);
    else
        fzi_debugger_run(&a->d);
    a->stopped = a->stops_on_entry ? "entry" : "breakpoint";
    return json_object();
}

/* ---- breakpoints ---- */

static json_t *set_breakpoints(adapter *a, json_t *arguments)
{
    const char *path = fzi_lsp_member_text(arguments, "source.path");
    const json_t *wanted = json_object_get(arguments, "breakpoints");
    json_t *list = json_array();
    char number[24];

    for (unsigned i = a->d.break_count; path && i > 0; i--) {
        snprintf(number, sizeof number, "%u", i);
        if (strcmp(a->d.breaks[i - 1].file, path) == 0)
            fzi_debugger_delete_break(&a->d, number);
    }
    for (size_t i = 0; path && i < json_array_size(wanted); i++) {
        unsigned before = a->d.break_count;
        char *place = fzi_cli_text("%s:%lld", path, (long long)json_integer_value(
                                       json_object_get(json_array_get(wanted, i), "line")));
        fzi_debugger_break(&a->d, place);
        bool set = a->d.break_count > before;
        json_t *one = json_pack("{s:b}", "verified", set);
        if (set)
            json_object_set_new(one, "line", json_integer(a->d.breaks[before].line));
        json_array_append_new(list, one);
        free(place);
    }
    free(take_printed(a));
    return json_pack("{s:o}", "breakpoints", list);
}

/* ---- going ---- */

/* Where the game waits, a random move goes on; others are typed in the console. */
static json_t *go(adapter *a, void (*run)(fzi_debugger *d))
{
    fzi_debugger *d = &a->d;

    a->stopped = "step";
    if (fzi_debugger_runs(d) || d->failed)
        run(d);
    else if (fzi_debugger_play_random(d))
        fzi_debugger_show(d);
    return json_object();
}

static void step_in(fzi_debugger *d) { fzi_debugger_step(d, 1); }

static json_t *do_next(adapter *a, json_t *arguments)
{
    (void)arguments;
    return go(a, fzi_debugger_next);
}

static json_t *do_step_in(adapter *a, json_t *arguments)
{
    (void)arguments;
    return go(a, step_in);
}

static json_t *do_step_out(adapter *a, json_t *arguments)
{
    (void)arguments;
    return go(a, fzi_debugger_out);
}

static json_t *do_continue(adapter *a, json_t *arguments)
{
    (void)arguments;
    fzi_debugger_run(&a->d);
    a->stopped = "breakpoint";
    return json_pack("{s:b}", "allThreadsContinued", true);
}

static json_t *do_back(adapter *a, json_t *arguments)
{
    (void)arguments;
    fzi_debugger_back(&a->d, 1);
    a->stopped = "step";
    return json_object();
}

/* To the beginning of the move. */
static json_t *do_reverse(adapter *a, json_t *arguments)
{
    (void)arguments;
    fzi_debugger_back(&a->d, a->d.at ? a->d.at : 1);
    a->stopped = "step";
    return json_object();
}

/* ---- what is there ---- */

static json_t *threads(adapter *a, json_t *arguments)
{
    (void)a, (void)arguments;
    return json_pack("{s:[{s:i, s:s}]}", "threads", "id", THREAD, "name", "rules");
}

static json_t *frame_of(size_t id, const char *name, size_t length, const char *path,
                        unsigned line, unsigned column)
{
    char real[PATH_MAX];
    json_t *frame = json_pack("{s:i, s:s%, s:i, s:i}", "id", (int)id, "name", name, length, "line",
                              (int)line, "column", (int)column);

    if (path && realpath(path, real))
        json_object_set_new(frame, "source", json_pack("{s:s, s:s}", "path", real, "name",
                                                       strrchr(real, '/') + 1));
    return frame;
}

/* Lines such as "turn at a.game:12"; the innermost one is at the statement itself. */
static json_t *stack(adapter *a, json_t *arguments)
{
    fzi_debugger *d = &a->d;
    json_t *frames = json_array();
    char *calls = fzi_cli_text("%s", fzi_debugger_runs(d) ? fz_stepper_calls(d->stepper, d->at)
                                                          : "");

    (void)arguments;
    for (char *line = calls, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        if (*end)
            *end++ = '\0';
        char *at = strstr(line, " at "), *colon = strrchr(line, ':');
        if (!at || !colon)
            continue;
        *colon = '\0';
        size_t number = json_array_size(frames);
        unsigned column = number ? 1 : fz_stepper_place(d->stepper, d->at).column;
        json_array_append_new(frames, frame_of(number + 1, line, (size_t)(at - line), at + 4,
                                               (unsigned)strtoul(colon + 1, NULL, 10), column));
    }
    if (!json_array_size(frames)) {
        const char *waits = d->failed ? "the rules have failed" : "the game waits";
        json_array_append_new(frames, frame_of(1, waits, strlen(waits), NULL, 0, 0));
    }
    free(calls);
    return json_pack("{s:o, s:i}", "stackFrames", frames, "totalFrames",
                     (int)json_array_size(frames));
}

static json_t *scope_of(const char *name, int reference)
{
    return json_pack("{s:s, s:i, s:b}", "name", name, "variablesReference", reference, "expensive",
                     false);
}

/* The innermost call has names, too. */
static json_t *scopes(adapter *a, json_t *arguments)
{
    json_t *list = json_array();

    if (json_integer_value(json_object_get(arguments, "frameId")) == 1 && fzi_debugger_runs(&a->d))
        json_array_append_new(list, scope_of("Names", NAMES));
    json_array_append_new(list, scope_of("Position", POSITION));
    return json_pack("{s:o}", "scopes", list);
}

static void add_variable(json_t *list, const char *name, size_t length, const char *value)
{
    json_array_append_new(list, json_pack("{s:s%, s:s, s:i}", "name", name, length, "value", value,
                                          "variablesReference", 0));
}

static json_t *names(adapter *a)
{
    char *list = fzi_debugger_locals(&a->d);
    json_t *found = json_array();

    free(take_printed(a));
    for (char *name = list, *end; *name; name = end + 1) {
        end = strchr(name, ' ');
        *end = '\0';
        fzi_debugger_print(&a->d, name, false);
        char *value = take_printed(a);
        value[strcspn(value, "\n")] = '\0';
        add_variable(found, name, strlen(name), value);
        free(value);
    }
    free(list);
    return json_pack("{s:o}", "variables", found);
}

/* The lines of the position: "name = value", "name: value", and the board. */
static json_t *variables(adapter *a, json_t *arguments)
{
    if (json_integer_value(json_object_get(arguments, "variablesReference")) == NAMES)
        return names(a);

    fzi_debugger *d = &a->d;
    const fz_state *state = fz_stepper_state(d->stepper, d->at);
    json_t *list = json_array();
    char *text = NULL, *board = fzi_cli_text("%s", "");

    if (state && fz_state_write_now(fz_stepper_machine(d->stepper), state, &text) == FZ_OK) {
        for (char *line = text, *end; *line; line = end) {
            end = line + strcspn(line, "\n");
            if (*end)
                *end++ = '\0';
            char *sign = strstr(line, " = "), *colon = strstr(line, ": ");
            if (sign) {
                add_variable(list, line, (size_t)(sign - line), sign + 3);
            } else if (colon && *line != ' ') {
                add_variable(list, line, (size_t)(colon - line), colon + 2);
            } else if (*line) {
                char *more = fzi_cli_text("%s%s%s", board, *board ? "\n" : "", line);
                free(board);
                board = more;
            }
        }
        if (*board)
            add_variable(list, "board", strlen("board"), board);
    }
    free(board);
    fz_text_free(d->setup.context, text);
    return json_pack("{s:o}", "variables", list);
}

/* In the console a command of `ferz step` or a move, elsewhere an expression. */
static json_t *evaluate(adapter *a, json_t *arguments)
{
    const char *text = json_string_value(json_object_get(arguments, "expression"));
    const char *where = json_string_value(json_object_get(arguments, "context"));

    if (!text)
        return fail(a, "evaluate needs an expression");
    if (where && strcmp(where, "repl") == 0) {
        fzi_debugger_obey(&a->d, text);
        a->is_done = a->d.quit;
        a->stopped = "step";
    } else {
        fzi_debugger_print(&a->d, text, false);
    }
    char *printed = take_printed(a);
    printed[strcspn(printed, "\n")] = printed[strcspn(printed, "\n")] && where &&
                                              strcmp(where, "repl") == 0 ? '\n' : '\0';
    json_t *body = json_pack("{s:s, s:i}", "result", printed, "variablesReference", 0);
    free(printed);
    return body;
}

static json_t *leave(adapter *a, json_t *arguments)
{
    (void)arguments;
    a->is_done = true;
    return json_object();
}

/* ---- dispatch ---- */

static const struct {
    const char *name;
    bool needs_game;
    json_t *(*answer)(adapter *a, json_t *arguments);
} requests[] = {
    {"initialize", false, initialize}, {"launch", false, launch},
    {"configurationDone", true, configured}, {"setBreakpoints", true, set_breakpoints},
    {"threads", false, threads},       {"stackTrace", true, stack},
    {"scopes", true, scopes},          {"variables", true, variables},
    {"evaluate", true, evaluate},      {"next", true, do_next},
    {"stepIn", true, do_step_in},      {"stepOut", true, do_step_out},
    {"continue", true, do_continue},   {"stepBack", true, do_back},
    {"reverseContinue", true, do_reverse}, {"disconnect", false, leave},
    {"terminate", false, leave},
};

static json_t *answer(adapter *a, const char *command, json_t *arguments)
{
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        if (strcmp(requests[i].name, command) != 0)
            continue;
        if (requests[i].needs_game && !a->d.stepper)
            return fail(a, "no game was launched");
        return requests[i].answer(a, arguments);
    }
    return fail(a, "there is no such request");
}

/* An editor shows the reason as it is: "Paused on game over". */
static void tell_stop(adapter *a)
{
    const fzi_debugger *d = &a->d;
    bool failed = d->failed && !fzi_debugger_runs(d);
    bool is_over = !failed && !fzi_debugger_runs(d) &&
                   fz_state_waiting(d->setup.state) == FZ_GAME_OVER;
    json_t *body = json_pack("{s:s, s:i, s:b}", "reason",
                             failed ? "exception" : is_over ? "game over" : a->stopped,
                             "threadId", THREAD, "allThreadsStopped", true);

    if (failed)
        json_object_set_new(body, "text", json_string(fz_stepper_message(d->stepper)));
    send_event(a, "stopped", body);
}

static void handle(adapter *a, json_t *message)
{
    const char *command = json_string_value(json_object_get(message, "command"));

    if (!command)
        return;
    a->stopped = a->event = NULL;
    json_t *body = answer(a, command, json_object_get(message, "arguments"));
    json_t *response = json_pack("{s:s, s:O?, s:b, s:s}", "type", "response", "request_seq",
                                 json_object_get(message, "seq"), "success", !a->failure,
                                 "command", command);
    if (a->failure)
        json_object_set_new(response, "message", fzi_lsp_string(a->failure));
    else
        json_object_set_new(response, "body", body);
    send_message(a, response);
    char *printed = take_printed(a);
    if (*printed)
        send_event(a, "output", json_pack("{s:s, s:o}", "category", "console", "output",
                                          fzi_lsp_string(printed)));
    free(printed);
    if (a->event)
        send_event(a, a->event, NULL);
    if (a->stopped && !a->failure)
        tell_stop(a);
    free(a->failure);
    a->failure = NULL;
}

bool fzi_debug_serve(fzi_debug_open *open, void *user)
{
    adapter a = {.open = open, .user = user,
                 .rpc = {.in = STDIN_FILENO, .out = dup(STDOUT_FILENO)}};
    FILE *printed = tmpfile();
    json_t *message;

    if (!printed || a.rpc.out < 0)
        return false;
    a.printed = fileno(printed);
    fflush(stdout);
    dup2(a.printed, STDOUT_FILENO);
    dup2(a.printed, STDERR_FILENO);
    while (!a.is_done && !a.rpc.is_closed) {
        enum fzi_rpc_event event = fzi_rpc_read(&a.rpc, true, &message);
        if (event == FZI_RPC_END)
            break;
        if (event != FZI_RPC_MESSAGE)
            continue;
        handle(&a, message);
        json_decref(message);
    }
    if (a.d.setup.context) {
        send_event(&a, "terminated", NULL);
        fzi_debugger_clear(&a.d);
    }
    json_decref(a.arguments);
    fzi_rpc_clear(&a.rpc);
    fclose(printed);
    return a.is_done;
}
