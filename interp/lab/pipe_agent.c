/* Agents that are programs. See lab.h. */
#include "lab.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MAX_LINE = 1 << 20,    /* bytes of an answer */
    TIMEOUT = 60000,       /* milliseconds to wait for one, unless the description says it */
    MAX_TIMEOUT = 86400000
};

typedef struct pipe_agent {
    fz_context *context;
    fz_machine *machine;   /* for the texts of moves and positions */
    pid_t process;         /* 0: not started */
    int socket;
    char *line;            /* what came in so far */
    size_t length;
    bool begins;           /* the next question is the first of a game */
    int timeout;           /* milliseconds to wait for an answer */
    char message[256];
    char command[];
} pipe_agent;

static fz_status fail(pipe_agent *p, const char *what)
{
    snprintf(p->message, sizeof p->message, "agent 'pipe:%.100s': %s", p->command, what);
    return FZ_REFUSED;
}

/* One socket for both directions: writing to a program that has gone is then an error, not a
 * signal. */
static bool start(pipe_agent *p)
{
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    p->process = fork();
    if (p->process == 0) {
        dup2(ends[1], STDIN_FILENO);
        dup2(ends[1], STDOUT_FILENO);
        execl("/bin/sh", "sh", "-c", p->command, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    p->socket = ends[0];
    return p->process > 0;
}

/* ---- one question and its answer ---- */

static json_t *question(pipe_agent *p, const fz_state *state, const fz_moves *moves)
{
    json_t *texts = json_array(), *object = json_object();
    int player = fz_state_decider(state);
    char *position = NULL;

    for (size_t i = 0; i < fz_moves_count(moves); i++) {
        fz_move move = fz_moves_at(moves, i);
        const char *text = fz_move_text(p->machine, state, &move);
        json_array_append_new(texts, text ? json_string(text) : json_null());
    }
    /* Only what the player knows. */
    if (fz_state_write_for(p->machine, state, player, &position) != FZ_OK)
        position = NULL;
    json_object_set_new(object, "begin", json_boolean(p->begins));
    json_object_set_new(object, "player", json_integer(player));
    json_object_set_new(object, "turn", json_integer(fz_state_turns(state)));
    json_object_set_new(object, "position", position ? json_string(position) : json_null());
    json_object_set_new(object, "moves", texts);
    fz_text_free(p->context, position);
    p->begins = false;
    return object;
}

static bool send_line(pipe_agent *p, json_t *object)
{
    char *text = json_dumps(object, JSON_COMPACT);
    size_t length = text ? strlen(text) : 0, sent = 0;

    if (text)
        text[length++] = '\n';
    while (sent < length) {
        ssize_t n = send(p->socket, text + sent, length - sent, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        sent += (size_t)n;
    }
    free(text);
    return length && sent == length;
}

/* The next line, without its end; NULL: there is none in time, and the message says so. */
static char *receive_line(pipe_agent *p)
{
    struct pollfd ready = {.fd = p->socket, .events = POLLIN};

    for (;;) {
        char *end = memchr(p->line, '\n', p->length);
        if (end) {
            *end = '\0';
            return p->line;
        }
        if (p->length == MAX_LINE) {
            fail(p, "its answer is longer than 1 MiB");
            return NULL;
        }
        ssize_t n = poll(&ready, 1, p->timeout);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            char what[64];
            snprintf(what, sizeof what, "no answer within %g s", p->timeout / 1000.0);
            fail(p, what);
            return NULL;
        }
        n = recv(p->socket, p->line + p->length, MAX_LINE - p->length, 0);
        if (n <= 0) {
            fail(p, "the program has ended");
            return NULL;
        }
        p->length += (size_t)n;
    }
}

static void drop_line(pipe_agent *p)
{
    size_t taken = strlen(p->line) + 1;

    memmove(p->line, p->line + taken, p->length - taken);
    p->length -= taken;
}

static fz_status read_move(pipe_agent *p, const fz_state *state, const char *line, fz_move *move)
{
    json_error_t error;
    json_t *answer = json_loads(line, 0, &error);
    const char *text = answer ? json_string_value(json_object_get(answer, "move")) : NULL;
    fz_status status;

    if (!text)
        status = fail(p, "its answer is not of the form {\"move\": \"TEXT\"}");
    else if (fz_move_parse(p->machine, state, text, move) != FZ_OK) {
        char what[128];
        snprintf(what, sizeof what, "its move '%.80s' is not legal", text);
        status = fail(p, what);
    } else {
        status = FZ_OK;
    }
    json_decref(answer);
    return status;
}

static fz_status choose(void *user, const fz_state *state, const fz_moves *moves, fz_move *move)
{
    pipe_agent *p = user;

    if (!p->process && !start(p))
        return fail(p, "cannot start the program");
    json_t *object = question(p, state, moves);
    bool sent = send_line(p, object);
    json_decref(object);
    if (!sent)
        return fail(p, "the program has ended");
    char *line = receive_line(p);
    if (!line)
        return FZ_REFUSED;
    fz_status status = read_move(p, state, line, move);
    drop_line(p);
    return status;
}

/* ---- the agent ---- */

static const char *say(void *user)
{
    return ((pipe_agent *)user)->message;
}

static void begin(void *user)
{
    ((pipe_agent *)user)->begins = true;
}

/* The program reads the end of its input; one that goes on all the same is ended. */
static void stop(pipe_agent *p)
{
    close(p->socket);
    for (int tries = 0; tries < 50; tries++) {
        if (waitpid(p->process, NULL, WNOHANG) != 0)
            return;
        poll(NULL, 0, 10);
    }
    kill(p->process, SIGKILL);
    waitpid(p->process, NULL, 0);
}

static void close_agent(void *user)
{
    pipe_agent *p = user;

    if (p->process > 0)
        stop(p);
    fz_machine_free(p->machine);
    free(p->line);
    free(p);
}

/* `timeout=5s:` or `timeout=200ms:` before the command. The command; NULL: the time is none. */
static const char *read_timeout(const char *text, int *timeout)
{
    static const char name[] = "timeout=";
    const char *end = strchr(text, ':'), *number = text + strlen(name);
    char *unit;

    *timeout = TIMEOUT;
    if (strncmp(text, name, strlen(name)) != 0)
        return text;
    double value = strtod(number, &unit);
    if (!end || unit == number || !strchr("0123456789.", *number))
        return NULL;
    if (end - unit == 1 && *unit == 's')
        value *= 1000;
    else if (end - unit != 2 || strncmp(unit, "ms", 2) != 0)
        return NULL;
    *timeout = value >= 1 && value <= MAX_TIMEOUT ? (int)value : 0;
    return *timeout ? end + 1 : NULL;
}

fz_status fzi_pipe_agent_new(const fzi_setup *setup, const char *description, fz_agent **agent,
                             char *message)
{
    int timeout;
    const char *command = read_timeout(description + strlen("pipe:"), &timeout);
    fz_agent_host host = {choose, say, begin, close_agent, NULL};
    pipe_agent *p;
    fz_status status;

    *agent = NULL;
    if (!command) {
        snprintf(message, 256, "agent '%.100s': a time up to a day and a colon are expected, such "
                 "as pipe:timeout=5s:COMMAND", description);
        return FZ_USAGE;
    }
    p = host.user = calloc(1, sizeof *p + strlen(command) + 1);
    if (p) {
        *p = (pipe_agent){.context = setup->context, .socket = -1, .timeout = timeout};
        strcpy(p->command, command);
        p->machine = fz_machine_new(setup->program, setup->options.limits);
        p->line = malloc(MAX_LINE + 1);
    }
    if (!p || !p->machine || !p->line) {
        if (p)
            close_agent(p);
        snprintf(message, 256, "out of memory");
        return FZ_NO_MEMORY;
    }
    status = fz_agent_from_callbacks(setup->context, setup->program, description, &host, agent);
    if (status != FZ_OK)
        snprintf(message, 256, "%.255s", fz_context_message(setup->context));
    return status;
}
