/* The terminal. See terminal.h. */
#include "terminal.h"

#include <ctype.h>
#include <errno.h>
#include <langinfo.h>
#include <math.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

bool fzi_terminal_is(int descriptor)
{
    return isatty(descriptor) == 1;
}

bool fzi_terminal_colour(int descriptor)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

    return fzi_terminal_is(descriptor) && !(no_color && *no_color) && term &&
           strcmp(term, "dumb") != 0;
}

bool fzi_terminal_palette(void)
{
    const char *term = getenv("TERM"), *more = getenv("COLORTERM");

    return (term && (strstr(term, "256color") || strstr(term, "direct"))) ||
           (more && (strcmp(more, "truecolor") == 0 || strcmp(more, "24bit") == 0));
}

bool fzi_terminal_unicode(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

size_t fzi_terminal_width(int descriptor)
{
    struct winsize size;

    if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 80;
}

const char *fzi_excerpt(const char *from, size_t length, size_t width, char *text)
{
    size_t used = 0;
    bool blank = false;

    if (width > FZI_EXCERPT_SIZE - 8)
        width = FZI_EXCERPT_SIZE - 8;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)from[i];
        if (isspace(c)) {
            blank = used > 0;
            continue;
        }
        if (used + 2 > width) {
            while (used && fzi_utf8_continues(text[used - 1]))
                used--; /* no half of a letter */
            memcpy(text + used, "...", 3);
            used += 3;
            break;
        }
        if (blank)
            text[used++] = ' ';
        blank = false;
        text[used++] = (char)c;
    }
    text[used] = '\0';
    return text;
}

/* ---- stopping ---- */

/* The mutable globals: a signal handler has no other way to tell. */
static fz_cancel stop;
static volatile sig_atomic_t interrupted; /* the signal; SIGALRM: the deadline has passed */
static volatile sig_atomic_t slowly;      /* the end may take long */
static struct timespec stopped_at[2];     /* on the wall, and of the processor */

static void handle(int signal_number, void (*handler)(int), int flags)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigemptyset(&action.sa_mask);
    sigaction(signal_number, &action, NULL);
}

/* Alarms from `first` on, in seconds. They also end a reading that began just after the signal. */
static void set_alarms(double first)
{
    enum { EVERY = 10000 }; /* microseconds */
    struct itimerval timer = {.it_interval = {0, EVERY}};

    timer.it_value.tv_sec = (time_t)first;
    timer.it_value.tv_usec = (suseconds_t)((first - floor(first)) * 1e6);
    setitimer(ITIMER_REAL, &timer, NULL);
}

static double since(clockid_t clock, const struct timespec *then)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) / 1e9;
}

static void note_stop(int signal_number)
{
    if (interrupted)
        return;
    interrupted = signal_number;
    stop.now = 1;
    clock_gettime(CLOCK_MONOTONIC, &stopped_at[0]);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &stopped_at[1]);
}

static void note_interrupt(int signal_number)
{
    note_stop(signal_number);
    set_alarms(0.01);
}

/* Work that does not end by itself in a tenth of a second, or in a second on a machine that gives
 * it no processor, is ended as if nobody had caught the signal. */
static void note_alarm(int signal_number)
{
    enum { SLOWLY = 10 }; /* seconds */
    static const char over[] = "ferz: stopped by --limit time\n";
    int before = errno;

    note_stop(signal_number);
    double wall = since(CLOCK_MONOTONIC, &stopped_at[0]);
    bool late = wall > 1 ||
                (wall > 0.08 && since(CLOCK_PROCESS_CPUTIME_ID, &stopped_at[1]) > 0.06);
    if (slowly ? wall > SLOWLY : late) {
        if (interrupted == SIGALRM) {
            (void)!write(STDERR_FILENO, over, sizeof over - 1);
            _exit(2);
        }
        handle(interrupted, SIG_DFL, 0);
        raise(interrupted);
    }
    errno = before;
}

void fzi_terminal_end_slowly(void)
{
    slowly = 1;
}

const fz_cancel *fzi_terminal_stop(void)
{
    return &stop;
}

void fzi_terminal_stop_after(double seconds)
{
    handle(SIGALRM, note_alarm, 0);
    stop.deadline = fzi_seconds() + seconds;
    set_alarms(seconds);
}

void fzi_terminal_catch_interrupt(void)
{
    handle(SIGALRM, note_alarm, 0);
    handle(SIGINT, note_interrupt, (int)SA_RESETHAND);
    handle(SIGTERM, note_interrupt, (int)SA_RESETHAND);
}

void fzi_terminal_release_interrupt(void)
{
    handle(SIGINT, SIG_DFL, 0);
    handle(SIGTERM, SIG_DFL, 0);
    if (interrupted && interrupted != SIGALRM)
        raise(interrupted);
}

bool fzi_terminal_interrupted(void)
{
    return fzi_cancelled(&stop);
}

const char *fzi_why(const fzi_setup *s, fz_program **explaining, const fz_state *state, int viewer,
                    const char *text)
{
    /* A program file has no text to compile: the conditions of its options stay unknown. */
    if (!*explaining && fz_compile_explaining(s->context, s->path, s->options.settings,
                                              s->options.setting_count,
                                              explaining) == FZ_NO_MEMORY)
        fzi_cli_no_memory();
    return fz_move_why_with(s->machine, state, viewer, *explaining, text);
}

int fzi_player_called(const fz_program *program, const char *name)
{
    int count = fz_program_players(program);
    uint64_t number;

    for (int p = 0; p < count; p++)
        if (strcasecmp(fz_program_player_name(program, p), name) == 0)
            return p;
    return fzi_number_read(name, &number) && number >= 1 && number <= (uint64_t)count
               ? (int)number - 1 : -1;
}
