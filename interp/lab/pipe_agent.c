/* Agents that are programs. See lab.h. */
#include "interp/support/cancel.h"
#include "lab.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interp/text/notation.h"
#include "interp/text/position.h"

enum {
    MAX_LINE = 1 << 20,    /* bytes of an answer */
    TIMEOUT = 60000,       /* milliseconds to wait for one, unless the description says it */
    MAX_TIMEOUT = 86400000
};

typedef struct pipe_agent {
    fz_context *context;
    const fz_program *program;
    fz_machine *machine;   /* for the texts of moves and positions */
    pid_t process;         /* 0: not started */
    int socket;            /* -1: none */
    int held;              /* the guard waits until this is closed; -1: none */
    char *line;            /* what came in so far */
    size_t length;
    size_t taken;          /* bytes of the latest line, with its end */
    bool begins;           /* the next question is the first of a game */
    bool is_engine;        /* talks UCI, not JSON */
    bool is_introduced;    /* the engine has said what it is */
    const char *script;    /* the path of the game */
    char go[64];           /* what the engine is told at each move: "movetime 100" */
    int timeout;           /* milliseconds for a decision */
    const fz_cancel *stop;   /* of the match; NULL */
    fz_state *game;          /* what the agent was told is played on it; NULL: nothing yet */
    char *origin;            /* where that begins; "": with the set-up */
    fzi_log_entry *entries;  /* what it was told, */
    size_t told, room;
    json_t *history;         /* in JSON, */
    fzi_buffer moves;        /* or as the engine is told them */
    char message[300];
    const char *command;
    char description[];
} pipe_agent;

static fz_status fail(pipe_agent *p, const char *what)
{
    snprintf(p->message, sizeof p->message, "agent '%.120s': %s", p->description, what);
    return FZ_REFUSED;
}

/* Ends the group of the program when descriptor 3 is closed: however this process ends. */
#define GUARD "(read x <&3; kill -KILL 0) </dev/null >/dev/null 2>&1 & exec 3<&-; eval \"$0\""

static void run(const pipe_agent *p, int socket, int held)
{
    setpgid(0, 0);
    dup2(socket, STDIN_FILENO);
    dup2(socket, STDOUT_FILENO);
    if (held == 3)
        fcntl(held, F_SETFD, 0);
    else
        dup2(held, 3);
    execl("/bin/sh", "sh", "-c", GUARD, p->command, (char *)NULL);
    _exit(127);
}

/* One socket for both directions: writing to a program that has gone is then an error, not a
 * signal. The program and what it starts are a process group, which ends with the match. */
static bool start(pipe_agent *p)
{
    int ends[2], held[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    p->socket = ends[0];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, held) == 0) {
        p->held = held[1];
        p->process = fork();
        if (p->process == 0)
            run(p, ends[1], held[0]);
        if (p->process > 0)
            setpgid(p->process, p->process); /* whoever comes first */
        close(held[0]);
    }
    close(ends[1]);
    return p->process > 0;
}

/* ---- one question and its answer ---- */

/* The log's entries that the agent may be told begin here; nobody knows what was before. */
static size_t beginning(const fzi_log *log)
{
    return log->whole ? 0 : log->before;
}

static bool is_same(const fzi_log_entry *a, const fzi_log_entry *b)
{
    if (a->is_chance || b->is_chance)
        return a->is_chance == b->is_chance && a->value == b->value;
    return a->move.option == b->move.option && a->move.count == b->move.count &&
           memcmp(a->move.values, b->move.values, a->move.count * sizeof *a->move.values) == 0;
}

/* Has the game gone on from what the agent was told? Others begin, and moves are taken back. */
static bool goes_on(const pipe_agent *p, const fzi_log *log)
{
    const char *origin = log->whole ? "" : log->origin;
    size_t first = beginning(log), count = log->count - first;

    if (!p->game || count < p->told || strcmp(p->origin, origin) != 0)
        return false;
    for (size_t i = 0; i < p->told; i++)
        if (!is_same(&p->entries[i], &log->entries[first + i]))
            return false;
    return true;
}

static void forget(pipe_agent *p)
{
    fz_state_free(p->game);
    json_decref(p->history);
    fzi_buffer_free(&p->moves);
    free(p->origin);
    p->game = NULL;
    p->history = NULL;
    p->origin = NULL;
    p->told = 0;
}

/* "startpos" where the game begins as its script says, without chance and with default options,
 * else the FEN. */
static bool write_start(pipe_agent *p)
{
    const fz_program *program = p->program;
    bool plain = !*p->origin && !program->uses_chance;
    char *fen = NULL;

    for (uint32_t i = 0; i < program->setting_count; i++)
        plain = plain && program->settings[i].is_default;
    if (!plain && fz_state_write_fen(p->machine, p->game, &fen) != FZ_OK)
        return false;
    fzi_buffer_format(&p->moves, plain ? "position startpos%s" : "position fen %s",
                      plain ? "" : fen);
    fz_text_free(p->context, fen);
    return true;
}

static bool begin_game(pipe_agent *p, const fzi_log *log)
{
    forget(p);
    p->origin = strdup(log->whole ? "" : log->origin);
    p->history = json_array();
    p->game = fz_state_new(p->machine, 0, 0);
    return p->origin && p->history && p->game &&
           (log->whole || fz_state_read(p->machine, p->game, log->origin) == FZ_OK) &&
           (!p->is_engine || write_start(p));
}

/* The entry as records have it, or in the engine's notation, in which chance has no words. */
static bool tell_entry(pipe_agent *p, const fzi_log_entry *entry)
{
    fzi_buffer text = fzi_buffer_in(p->context->allocator);
    fz_status status = FZ_OK;

    if (p->is_engine) {
        fzi_buffer_text(&p->moves, p->told ? " " : " moves ");
        if (entry->is_chance)
            return false;
        fzi_engine_move_write(FZI_PROTOCOL_uci, p->machine, p->game, &entry->move, &p->moves);
    } else {
        status = fzi_log_entry_write(p->machine, p->game, entry, -1, false, &text);
        json_array_append_new(p->history, json_string(fzi_buffer_get(&text)));
    }
    fzi_buffer_free(&text);
    return status == FZ_OK && fzi_log_entry_play(p->machine, p->game, entry) == FZ_OK;
}

static bool keep_entry(pipe_agent *p, const fzi_log_entry *entry)
{
    if (p->told == p->room) {
        size_t room = p->room ? 2 * p->room : 64;
        fzi_log_entry *grown = realloc(p->entries, room * sizeof *grown);
        if (!grown)
            return false;
        p->entries = grown;
        p->room = room;
    }
    p->entries[p->told++] = *entry;
    return true;
}

/* Plays what has happened since the last question on a game of its own: each entry is played and
 * written once. False: nobody knows how the game began, or it cannot be told. */
static bool follow(pipe_agent *p, const fz_state *state)
{
    const fzi_log *log = state->log;
    fz_chance mode = p->machine->chance;

    if (!log || log->lost || !(log->whole || log->origin))
        return false;
    p->machine->chance = FZ_CHANCE_ASK; /* the log has all of it */
    bool good = goes_on(p, log) || begin_game(p, log);
    for (size_t i = beginning(log) + p->told; good && i < log->count; i++)
        good = tell_entry(p, &log->entries[i]) && keep_entry(p, &log->entries[i]);
    p->machine->chance = mode;
    if (!good)
        forget(p);
    return good;
}

static json_t *question(pipe_agent *p, const fz_state *state, const fz_moves *moves)
{
    json_t *texts = json_array(), *object = json_object();
    int player = fz_state_decider(state);
    char *position = NULL, *fen = NULL;

    for (size_t i = 0; i < fz_moves_count(moves); i++) {
        fz_move move = fz_moves_at(moves, i);
        const char *text = fz_move_text(p->machine, state, &move);
        json_array_append_new(texts, text ? json_string(text) : json_null());
    }
    /* Only what the player knows. */
    if (fz_state_write_for(p->machine, state, player, &position) != FZ_OK)
        position = NULL;
    /* What is public, in games that hide nothing. */
    bool open = !fz_program_hides(p->program);
    if (!open || fz_state_write_fen(p->machine, state, &fen) != FZ_OK)
        fen = NULL;
    json_t *entries = open && follow(p, state) ? json_incref(p->history) : NULL;
    json_object_set_new(object, "begin", json_boolean(p->begins));
    json_object_set_new(object, "player", json_integer(player));
    json_object_set_new(object, "turn", json_integer(fz_state_turns(state)));
    json_object_set_new(object, "position", position ? json_string(position) : json_null());
    if (fen)
        json_object_set_new(object, "fen", json_string(fen));
    if (entries)
        json_object_set_new(object, "history", entries);
    json_object_set_new(object, "moves", texts);
    fz_text_free(p->context, position);
    fz_text_free(p->context, fen);
    p->begins = false;
    return object;
}

/* Waits until the program reads or has written; false: not in time, or the match is stopped, and
 * the message says so. Short naps, since signals wake one thread only. */
static bool wait_for(pipe_agent *p, short events, double deadline)
{
    enum { NAP = 20 }; /* milliseconds */
    struct pollfd ready = {.fd = p->socket, .events = events};
    char what[64];

    while (fzi_seconds() < deadline && !fzi_cancelled(p->stop))
        if (poll(&ready, 1, NAP) > 0)
            return true;
    snprintf(what, sizeof what, "no answer within %g s", p->timeout / 1000.0);
    fail(p, what);
    return false;
}

/* Reads the program's output, as far as there is room. */
static bool receive(pipe_agent *p)
{
    ssize_t n = recv(p->socket, p->line + p->length, MAX_LINE - p->length, MSG_DONTWAIT);

    if (n > 0)
        p->length += (size_t)n;
    else if (n == 0 || (errno != EINTR && errno != EAGAIN))
        return fail(p, "the program has ended"), false;
    return true;
}

/* Reads meanwhile, so that a program that writes before it reads is not waited for. */
static bool send_text(pipe_agent *p, const char *text, size_t length, double deadline)
{
    for (size_t sent = 0; sent < length;) {
        bool room = p->length < MAX_LINE;
        if (!wait_for(p, room ? POLLIN | POLLOUT : POLLOUT, deadline))
            return false;
        ssize_t n = send(p->socket, text + sent, length - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n > 0)
            sent += (size_t)n;
        else if (errno != EINTR && errno != EAGAIN)
            return fail(p, "the program has ended"), false;
        else if (room && !receive(p))
            return false;
    }
    return true;
}

static bool send_line(pipe_agent *p, json_t *object, double deadline)
{
    char *text = json_dumps(object, JSON_COMPACT);
    size_t length = text ? strlen(text) : 0;
    bool sent;

    if (!text)
        return fail(p, "out of memory"), false;
    text[length++] = '\n';
    sent = send_text(p, text, length, deadline);
    free(text);
    return sent;
}

/* The next line, without its end; NULL: there is none in time, and the message says so. */
static char *receive_line(pipe_agent *p, double deadline)
{
    for (;;) {
        char *end = memchr(p->line, '\n', p->length);
        if (end) {
            *end = '\0';
            p->taken = (size_t)(end - p->line) + 1;
            return p->line;
        }
        if (p->length == MAX_LINE)
            return fail(p, "its answer is longer than 1 MiB"), NULL;
        if (!wait_for(p, POLLIN, deadline) || !receive(p))
            return NULL;
    }
}

static void drop_line(pipe_agent *p)
{
    memmove(p->line, p->line + p->taken, p->length - p->taken);
    p->length -= p->taken;
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

/* ---- engines: UCI ---- */

static bool tell(pipe_agent *p, double deadline, const char *lines)
{
    return send_text(p, lines, strlen(lines), deadline);
}

/* The next line that begins with the word, without its end; lines before it are passed over, but
 * for `each`, which may be NULL. NULL: there is none in time. */
static char *await(pipe_agent *p, const char *word, double deadline,
                   void (*each)(pipe_agent *p, const char *line))
{
    char *line;

    while ((line = receive_line(p, deadline)) && strncmp(line, word, strlen(word)) != 0) {
        if (each)
            each(p, line);
        drop_line(p);
    }
    if (line)
        line[strcspn(line, "\r")] = '\0';
    return line;
}

/* An engine of several games is told which one it plays, if it has one of the script's name. */
static void choose_variant(pipe_agent *p, const char *line)
{
    static const char var[] = " var ";
    char name[FZI_SCRIPT_NAME], order[160];

    if (strncmp(line, "option name UCI_Variant ", 24) != 0)
        return;
    fzi_script_name(p->script, name);
    for (const char *at = strstr(line, var); at; at = strstr(at, var)) {
        at += strlen(var);
        if (strcspn(at, " \r") != strlen(name) || strncmp(at, name, strlen(name)) != 0)
            continue;
        snprintf(order, sizeof order, "setoption name UCI_Variant value %s\n", name);
        tell(p, fzi_seconds() + 1, order);
    }
}

static bool introduce(pipe_agent *p, double deadline)
{
    if (!p->is_introduced) {
        if (!tell(p, deadline, "uci\n") || !await(p, "uciok", deadline, choose_variant))
            return false;
        drop_line(p);
        p->is_introduced = true;
    }
    if (!p->begins)
        return true;
    p->begins = false;
    if (!tell(p, deadline, "ucinewgame\nisready\n") ||
        !await(p, "readyok", deadline, NULL))
        return false;
    drop_line(p);
    return true;
}

static bool send_game(pipe_agent *p, const fz_state *state, double deadline)
{
    fzi_buffer out = fzi_buffer_in(p->context->allocator);
    /* The protocol tells all moves, also what the player does not know. */
    bool good = !fz_program_hides(p->program) && follow(p, state);

    if (!good)
        fail(p, "the protocol cannot tell the game: it hides something, or has chance, or no FEN");
    fzi_buffer_format(&out, "%s\ngo %s\n", good ? fzi_buffer_get(&p->moves) : "", p->go);
    good = good && send_text(p, fzi_buffer_get(&out), out.length, deadline);
    fzi_buffer_free(&out);
    return good;
}

static fz_status ask_engine(pipe_agent *p, const fz_state *state, double deadline, fz_move *move)
{
    char what[128];

    if (!introduce(p, deadline) || !send_game(p, state, deadline))
        return FZ_REFUSED;
    char *line = await(p, "bestmove", deadline, NULL);
    if (!line)
        return FZ_REFUSED;
    const char *word = line + strlen("bestmove");
    word += *word == ' ';
    line[word - line + (ptrdiff_t)strcspn(word, " ")] = '\0';
    bool good = fzi_engine_move_read(FZI_PROTOCOL_uci, p->machine, state, word, move);
    snprintf(what, sizeof what, "its move '%.80s' is not legal", word);
    p->length = 0; /* a question has one answer */
    return good ? FZ_OK : fail(p, what);
}

static fz_status choose(void *user, const fz_state *state, const fz_moves *moves, fz_move *move)
{
    pipe_agent *p = user;

    if (!p->process && !start(p))
        return fail(p, "cannot start the program");
    double deadline = fzi_seconds() + p->timeout / 1000.0;
    if (p->is_engine)
        return ask_engine(p, state, deadline, move);
    json_t *object = question(p, state, moves);
    bool sent = send_line(p, object, deadline);
    json_decref(object);
    char *line = sent ? receive_line(p, deadline) : NULL;
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

static bool has_ended(const pipe_agent *p)
{
    siginfo_t info = {0};

    return waitid(P_PID, (id_t)p->process, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           info.si_pid != 0;
}

/* The program reads the end of its input. Whatever of its group goes on all the same is ended; the
 * group keeps its number until the program is waited for. */
static void stop(pipe_agent *p)
{
    shutdown(p->socket, SHUT_RDWR);
    for (int tries = 0; tries < 50 && !has_ended(p) && !fzi_cancelled(p->stop); tries++)
        poll(NULL, 0, 10);
    kill(-p->process, SIGKILL);
    while (waitpid(p->process, NULL, 0) < 0 && errno == EINTR)
        ;
}

static void close_agent(void *user)
{
    pipe_agent *p = user;

    if (p->process > 0)
        stop(p);
    if (p->socket >= 0)
        close(p->socket);
    if (p->held >= 0)
        close(p->held);
    forget(p);
    free(p->entries);
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

/* `uci:` or `uci=GO:` before the command: the program is an engine. The command. */
static const char *read_engine(const char *text, pipe_agent *p)
{
    size_t length = strncmp(text, "uci", 3) == 0 ? 3 + strcspn(text + 3, ":") : 0;

    if (!length || text[length] != ':' || !strchr("=:", text[3]))
        return text;
    p->is_engine = true;
    snprintf(p->go, sizeof p->go, "%.*s", text[3] == '=' ? (int)length - 4 : 12,
             text[3] == '=' ? text + 4 : "movetime 100");
    return text + length + 1;
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
    p = host.user = calloc(1, sizeof *p + strlen(description) + 1);
    if (p) {
        *p = (pipe_agent){.context = setup->context, .program = setup->program,
                          .socket = -1, .held = -1, .timeout = timeout,
                          .stop = fzi_setup_limits(setup)->cancel, .script = setup->path};
        strcpy(p->description, description);
        p->command = read_engine(p->description + (command - description), p);
        p->machine = fz_machine_new(setup->program, setup->options.limits);
        p->line = malloc(MAX_LINE + 1);
        p->moves = fzi_buffer_in(setup->context->allocator);
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
