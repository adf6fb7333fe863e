/* A command of `ferz mcp` in a process of its own, which may crash, take too much memory or too
 * long. See mcp.h. */
#include "mcp.h"

#include <fcntl.h>
#include <poll.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "interp/support/threads.h"

enum {
    MOST_OUTPUT = 200000,   /* bytes that a model is told of an answer */
    SECONDS = 70            /* the child ends itself after 60 (--confined) */
};

static const int ending[] = {SIGINT, SIGTERM, SIGHUP};

static volatile sig_atomic_t child; /* 0: none */
static char *file_now, *folder_now; /* of the running call; NULL */

/* What a handler may call, too. */
static void delete_files(void)
{
    if (folder_now) {
        unlink(file_now);
        rmdir(folder_now);
    }
}

static void end_both(int signal_number)
{
    if (child)
        kill(-(pid_t)child, SIGKILL);
    delete_files();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

void fzi_mcp_guard(void)
{
    for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++)
        sigaction(ending[i], &(struct sigaction){.sa_handler = end_both}, NULL);
    signal(SIGPIPE, SIG_IGN);
}

/* Until the handler knows the child. */
static void hold_signals(bool hold)
{
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++)
        sigaddset(&set, ending[i]);
    sigprocmask(hold ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

void fzi_mcp_guard_folder(const char *folder, const char *file)
{
    hold_signals(true);
    folder_now = fzi_cli_text("%s", folder);
    file_now = fzi_cli_text("%s/%s", folder, file);
    hold_signals(false);
}

void fzi_mcp_delete_folder(void)
{
    hold_signals(true);
    delete_files();
    free(file_now);
    free(folder_now);
    file_now = folder_now = NULL;
    hold_signals(false);
}

/* The other side of the fork: the command as if it had been typed. */
__attribute__((noreturn)) static void be_command(const char *folder, char **words, size_t count,
                                                 int in, int out)
{
    setpgid(0, 0);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a server that is killed cannot end its child */
#endif
    for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++)
        signal(ending[i], SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    hold_signals(false);
    if (chdir(folder) != 0)
        _exit(FZ_EXIT_USAGE);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    int code = fzi_cli_main((int)count, words);
    fflush(NULL);
    _exit(code);
}

static pid_t start(const char *folder, char **words, size_t count, int in, int out)
{
    fflush(NULL);
    hold_signals(true);
    pid_t process = fork();
    if (process == 0)
        be_command(folder, words, count, in, out);
    if (process > 0) {
        setpgid(process, process); /* whoever comes first */
        child = process;
    }
    int reason = errno;
    hold_signals(false);
    errno = reason;
    return process;
}

/* A file without a name that holds the text, read from its beginning. */
static int holding(const char *text)
{
    FILE *file = tmpfile();
    int copy = -1;

    if (file && fputs(text, file) >= 0 && fflush(file) == 0)
        copy = dup(fileno(file));
    if (copy >= 0)
        lseek(copy, 0, SEEK_SET);
    if (file)
        fclose(file);
    return copy;
}

/* Adds what the child says. False: it has said all. */
static bool take(int out, char **text, size_t *length)
{
    char bytes[4096];
    ssize_t count = read(out, bytes, sizeof bytes);

    if (count <= 0)
        return count < 0 && (errno == EAGAIN || errno == EINTR);
    size_t wanted = *length >= MOST_OUTPUT ? 0 : MOST_OUTPUT - *length;
    size_t taken = (size_t)count < wanted ? (size_t)count : wanted;
    *text = fzi_cli_allocate(*text, *length + taken + 1);
    memcpy(*text + *length, bytes, taken);
    *length += (size_t)count;
    (*text)[*length < MOST_OUTPUT ? *length : MOST_OUTPUT] = '\0';
    return true;
}

/* Until the child has said all. NULL, or why it was ended before. */
static const char *listen_to(fzi_mcp *mcp, int out, char **text, size_t *length, bool *cancelled)
{
    double end = fzi_seconds() + SECONDS;
    bool heard = true; /* what came before may cancel this request, too */

    for (;;) {
        bool listens = !mcp->ended && mcp->length - mcp->begin < FZI_MCP_MOST_INPUT;
        struct pollfd ready[2] = {{.fd = out, .events = POLLIN},
                                  {.fd = listens ? STDIN_FILENO : -1, .events = POLLIN}};
        if (heard && fzi_mcp_is_cancelled(mcp)) {
            *cancelled = true;
            return "cancelled";
        }
        poll(ready, 2, 1000);
        if (ready[0].revents && !take(out, text, length))
            return NULL;
        heard = ready[1].revents;
        if (heard)
            fzi_mcp_read(mcp);
        if (*length > MOST_OUTPUT)
            return "the answer is longer than 200,000 bytes; the rest is left out";
        if (fzi_seconds() > end)
            return "this takes too long";
    }
}

/* The group is killed in any case: nothing stays behind. The exit code, -1 after a crash. */
static int end_child(pid_t process, unsigned milliseconds)
{
    int status = 0;
    pid_t ended = 0;

    for (unsigned i = 0; i < milliseconds && ended == 0; i++) {
        ended = waitpid(process, &status, WNOHANG);
        if (ended == 0)
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    kill(-process, SIGKILL);
    while (ended != process && waitpid(process, &status, 0) < 0 && errno == EINTR)
        ;
    child = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static fzi_mcp_answer say(char *text, const char *more, bool wrong)
{
    char *whole = fzi_cli_text("%s%s%s", text ? text : "",
                               text && *text && text[strlen(text) - 1] != '\n' ? "\n" : "", more);

    free(text);
    return (fzi_mcp_answer){.text = whole, .wrong = wrong};
}

fzi_mcp_answer fzi_mcp_run(fzi_mcp *mcp, const char *folder, char **words, size_t count,
                           const char *input)
{
    int out[2], in = holding(input);
    char *text = NULL;
    size_t length = 0;
    bool cancelled = false;

    if (in < 0 || pipe(out) != 0) {
        fzi_mcp_answer wrong = say(NULL, strerror(errno), true);
        if (in >= 0)
            close(in);
        return wrong;
    }
    pid_t process = start(folder, words, count, in, out[1]);
    int reason = errno;
    close(in);
    close(out[1]);
    if (process < 0) {
        close(out[0]);
        return say(NULL, strerror(reason), true);
    }
    fcntl(out[0], F_SETFL, O_NONBLOCK);
    const char *why = listen_to(mcp, out[0], &text, &length, &cancelled);
    close(out[0]);
    int code = end_child(process, why ? 0 : 1000); /* it has closed its output, or must end */
    if (!why && code < 0)
        why = "the command has crashed or was killed";
    fzi_mcp_answer answer = say(text, why ? why : "", why || code == FZ_EXIT_USAGE);
    answer.cancelled = cancelled;
    return answer;
}
